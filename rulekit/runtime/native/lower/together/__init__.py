"""Changes inside a `together` block: noted, and landed when it ends."""
