"""Lints of what sides see."""
