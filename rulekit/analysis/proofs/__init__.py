"""The list of `check --proofs`: what is proved, contradicted, undecided or not checked.

`record` is one line of it, `obligations` makes those of one program, `pairs` those of options that nobody
chose, `render` writes them.
"""
