"""The language's own version, and how names are written in it."""

LANGUAGE = "0.1"
"""Version of the rule language; a rule set names the one it wants."""


def quoted_name(name: str) -> str:
    """Return a name as it is written in rules."""
    return name if name.isidentifier() else f"'{name}'"
