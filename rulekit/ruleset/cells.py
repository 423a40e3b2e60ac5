"""Cells: plain text that looks like a whole number is one, `~` is nothing, the rest is text as written."""

from __future__ import annotations

import re

from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ruleset.findings import beyond, short
from rulekit.ruleset.model import CellValue
from rulekit.ruleset.reading import NOTHING, Reading
from rulekit.ruleset.tree import Entries, Items, Node, Scalar

MAX_DIGITS = 18
"""Digits of a whole number, so that it fits a signed word of 64 bits."""

_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_LIKE_A_NUMBER = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_NUMBER_STARTS = frozenset("+-.0123456789")


def cell(node: Node, reading: Reading) -> CellValue:
    """The node's value, and that of everything in it."""
    match node:
        case Scalar(text, plain, span):
            if not plain:
                return CellValue(text, span)
            if text[:1] in _NUMBER_STARTS:
                return CellValue(_number(node, reading), span)
            return CellValue(None if text in NOTHING else _TRUTH.get(text, text), span)
        case Items(nodes, span):
            return CellValue(tuple([cell(item, reading) for item in nodes]), span)
        case Entries(pairs, span):
            return CellValue({key.text: cell(value, reading) for key, value in pairs}, span)


def _number(node: Scalar, reading: Reading) -> int | str:
    text = node.text
    if _WHOLE.fullmatch(text):
        if len(text.lstrip("+-")) <= MAX_DIGITS:
            return int(text)
        reading.tell(beyond("digits in a number", MAX_DIGITS, node.span))
    elif _LIKE_A_NUMBER.fullmatch(text):
        message = f"{short(text)} is neither a whole number nor clearly a name"
        hint = f"write `'{text}'` if it is a name; a number has no decimal point and no leading zero"
        reading.tell(Diagnostic(kinds.AMBIGUOUS_NUMBER, message, node.span, hint=hint))
    return text
