"""Checks that play gives no hidden value away."""
