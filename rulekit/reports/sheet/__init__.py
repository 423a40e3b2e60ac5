"""Reference sheets: the rules in force, on paper.

`document` is what a sheet says; `build` makes it of a compiled rule set; renderers lay it out.  Nothing heavy
is imported before it is used.
"""
