"""Programs to games: optimised, written as Python, run, played and narrated.

Imports `base` and `ir` alone, so that an engine can carry it without the compiler.
"""
