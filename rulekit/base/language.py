"""The language's own version, and how names are written in it."""

LANGUAGE = "0.2"
"""Version of the rule language; a rule set names the one it wants."""

EARLIER = ("0.1",)
"""Versions that rulekit still reads; the check reports lines whose meaning has changed since (RK228)."""


def quoted_name(name: str) -> str:
    """Return a name as it is written in rules."""
    return name if name.isidentifier() else f"'{name}'"
