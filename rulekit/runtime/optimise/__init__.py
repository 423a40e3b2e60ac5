"""Passes from IR to IR: the same meaning, less work."""
