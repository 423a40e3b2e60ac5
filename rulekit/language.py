"""The language's own version."""

LANGUAGE = "0.1"
"""Version of the rule language; a rule set names the one it wants."""
