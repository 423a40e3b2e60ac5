"""The tree as written, built from the trees of the grammar: a module for each part of the language."""

from rulekit.syntax.parse.builder import amendments, choices, claims, expressions, items, statements
from rulekit.syntax.parse.builder.base import (
    MAX_DEPTH,
    MAX_DICE,
    MAX_DIGITS,
    MAX_SIDES,
    RESERVED,
    Builder,
    ItemRefused,
)

__all__ = [
    "MAX_DEPTH", "MAX_DICE", "MAX_DIGITS", "MAX_SIDES", "RESERVED", "Builder", "ItemRefused",
    "amendments", "choices", "claims", "expressions", "items", "statements",
]  # fmt: skip
