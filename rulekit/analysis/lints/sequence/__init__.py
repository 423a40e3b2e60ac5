"""Lints of procedures and the sequence of play."""
