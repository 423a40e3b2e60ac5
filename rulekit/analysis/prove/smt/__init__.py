"""Questions that a search leaves open, given to a solver (z3, the extra `solver`), which is loaded only then.

A condition becomes a formula over the cells that it may read, each a number or a flag within its type.  What
the formula does not say (lists, ratios, what is reached step by step) is anything of its type: so what it
denies can never hold, and what it allows is worked out again by the search before it counts.
"""
