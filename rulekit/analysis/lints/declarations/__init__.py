"""Lints of what is declared and of the data behind it."""
