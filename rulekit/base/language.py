"""The language's own version, and how names are written in it."""

LANGUAGE = "0.1"
"""Version of the rule language; a rule set names the one it wants."""


def quoted_name(name: str) -> str:
    """A name as it is written."""
    return name if name.isidentifier() else f"'{name}'"
