"""Lints of rules that show a side something hidden from it."""
