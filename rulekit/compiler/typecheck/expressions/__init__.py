"""Expressions: names, calls, predicates, sets and arithmetic, each with its type."""
