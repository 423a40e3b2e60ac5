"""From an optimised program to the low-level IR: one module for each family of constructs."""
