"""What of a rule set can happen from a start: from a scenario, or in a month.

`guess` holds what a value may be, `expressions` and `statements` work it out over a program, `start` sets a
scenario up, `applies` answers what sheets ask.
"""
