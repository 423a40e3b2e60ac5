"""Expressions of the IR as Python expressions."""
