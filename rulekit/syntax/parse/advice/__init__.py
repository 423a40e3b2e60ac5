"""Hints about a refused word: one small recogniser for each common mistake.

A recogniser gets the refused word, the text around it on its line, and the words allowed in its place; it
returns the hint, or None for another mistake.  `advice` tries them in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from rulekit.syntax.parse.advice.expressions import EXPRESSIONS
from rulekit.syntax.parse.advice.items import ITEMS
from rulekit.syntax.parse.advice.refusal import Refusal
from rulekit.syntax.parse.advice.statements import DICE, STATEMENT_WORDS, STATEMENTS, undeclared_dice

__all__ = ["DICE", "Refusal", "advice", "undeclared_dice"]

_RECOGNISERS: Final = (*ITEMS, *EXPRESSIONS, *STATEMENTS)
_STATEMENT: Final = re.compile(r"write `(([a-z]+)\b[^`]*)`")


def advice(refusal: Refusal, is_item: Callable[[str], bool]) -> str | None:
    """Return the hint of the first recogniser that knows the mistake, if its text is legal.

    Args:
        is_item: Whether a text is an item; a hint that is a statement is tried in a procedure.
    """
    hints = (hint for recogniser in _RECOGNISERS if (hint := recogniser(refusal)))
    return next((hint for hint in hints if _is_legal(hint, is_item)), None)


def _is_legal(hint: str, is_item: Callable[[str], bool]) -> bool:
    """False of a hint to write a statement that is none: the line has another mistake, too."""
    statement = _STATEMENT.fullmatch(hint)
    if statement is None or statement[2] not in STATEMENT_WORDS:
        return True
    block = "\n        leave" if statement[1].endswith(":") else ""
    return is_item(f"procedure p:\n    {statement[1]}{block}\n")
