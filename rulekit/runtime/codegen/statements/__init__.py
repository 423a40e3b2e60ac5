"""Statements of the IR as flows of Python lines."""
