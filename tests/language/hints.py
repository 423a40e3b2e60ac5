"""Texts of rules that hints propose: whether each is legal somewhere in a file of rules.

The tests of slips follow hints in their place; here every hint of the language's tests is read, and a text
in backticks that no place of the grammar takes is a fault of the hint.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from lark.exceptions import UnexpectedInput

from rulekit.diagnostics import Diagnostic
from rulekit.syntax.parse.grammar import words
from rulekit.syntax.parse.lark_parser import lark_parser
from rulekit.syntax.parse.layout import UnevenIndentation

_CODE = re.compile(r"`([^`]+)`")
_OPEN = re.compile(r"(?<![\w.])\.\.\.?(?![\w.])")
"""What a hint leaves open: `when ..`."""
_AMOUNT = re.compile(r"\bN\b")
_NO_RULES = re.compile(
    r"--\w|rulekit \w|.*\.(?:yaml|rules|tsv)\b|RK\d{3}|\w+: \"?[\d.]+\"?$|(?:\w+[. ])?\d+\.\d+$|[^\w\s]+$"
)
"""Commands, files and their lines, ids of findings, numbers of printed rules, and signs."""
_PLACES = (
    "define p: {}",
    "define p: x {}",
    "define p: (x {})",
    "define p: every x in x {}",
    "define p:\n    when x: x\n    {}",
    "define p{}: x",
    "state p: {}",
    "state p: flag{}",
    "state p: flag, known to x{}",
    "procedure p:\n    {}",
    "procedure p{}:\n    leave",
    "procedure p:\n    {} x",
    "procedure p:\n    do x {}",
    "procedure p:\n    {}\n        leave",
    "procedure p:\n    when x: leave\n    {}",
    "procedure p:\n    for each x in p{}: leave",
    "choice p by x:\n    {}",
    "choice p {}:\n    decide",
    "choice p by x:\n    {} s from x",
    "choice p by x:\n    assign each x in p {} s from x",
    "choice p by x:\n    pick one s from x{}",
    "choice p by x:\n    decide\n    {}",
    "choice p by x:\n    decide\n    forbid x {}",
    "{}",
    "{} x",
    "{}\n    x: 0..9",
    "{}\n    decide",
    "{}\n    leave",
    "piece p:\n    {}",
    "piece p:\n    x: {}",
    "piece p:\n    x: flag{}",
    "space p{}:\n    x: flag",
    "space p, hexes in rows 1..2, columns 1..2{}",
    "roll p: d6\n    {}",
    "modifier p on roll p: {}1",
    "modifier p on roll p: +1 {}",
    "modifier p on roll p: +1\n    {}",
    "table p(x: 0..9) {}:\n    | x | - |\n    | 1 | 1 |",
    "table p(x: 0..9) -> flag:\n    | x | - |\n    | 1 | 1 |\n    {}",
    "extern table p(x: 0..9) -> 0..9: {}",
    "extern table p(x: 0..9) -> 0..9:\n    {}",
    "table p(x: 0..9) -> flag:\n    | x | - |\n    | 1 | {} |",
    "option p:\n    {}",
    "option p:\n    {} p:\n        decide",
    "option p:\n    {}\n        decide",
    "option p:\n    {}\n        leave",
    "option p:\n    {}\n        | x | - |\n        | 1 | 1 |",
    "option p:\n    {} x",
    "option p:\n    widen {} to x",
    "option p:\n    set stack p of roll p to highest{}",
    'example "p":\n    {}',
)
"""Files of rules with room for a text."""


def not_rules(finding: Diagnostic) -> Iterator[str]:
    """The texts in the hint of a finding in a file of rules that have no place in rules."""
    hint = finding.hint or "" if finding.span.file.endswith(".rules") else ""
    for text in _CODE.findall(hint):
        if _NO_RULES.match(text) or set(text.split()) <= words():
            continue
        if not is_legal(_OPEN.sub("x", text)) and not is_legal(_AMOUNT.sub("1", text)):
            yield text


@functools.cache
def is_legal(text: str) -> bool:
    """True if a file of rules may have this text at some place."""
    return any(_parses(place.replace("{}", text) + "\n") for place in _PLACES)


def _parses(text: str) -> bool:
    try:
        lark_parser().parse(text)
    except (UnexpectedInput, UnevenIndentation):
        return False
    return True
