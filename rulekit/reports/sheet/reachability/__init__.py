"""Reachability: which rules, pieces and choices can come into play from a scenario or in a month.

`guess` holds what a value may be, `expressions` and `statements` work it out over a program, `start` sets a
scenario up, `applies` answers what sheets ask.
"""
