"""Lints of conditions, choices and modifiers."""
