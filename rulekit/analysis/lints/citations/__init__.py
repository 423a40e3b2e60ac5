"""Lints of what is printed: citations and claims."""
