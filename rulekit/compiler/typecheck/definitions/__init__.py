"""Definitions and modifiers: everything that becomes a pure function."""
