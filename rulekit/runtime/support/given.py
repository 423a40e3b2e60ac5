"""The dice, draws and answers that an example gives, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from rulekit.ir import Example
from rulekit.ir.types import NONE

_T = TypeVar("_T")

GivenPart = tuple[tuple[int, ...], int]
"""A part of an answer, as in `ir.Example`, and the side that it is said to be asked of, or `NONE`."""


def merge_lines(lines: Iterable[tuple[str, Iterable[_T]]]) -> dict[str, list[_T]]:
    """The given values by name; several lines for one name are taken in order."""
    by_name: dict[str, list[_T]] = {}
    for name, given in lines:
        by_name.setdefault(name, []).extend(given)
    return by_name


def given_answers(example: Example) -> dict[str, list[GivenPart]]:
    """The parts given for each choice, in order."""
    by_choice: dict[str, list[GivenPart]] = {}
    sides = example.sides or ((),) * len(example.answers)
    for (name, parts), by in zip(example.answers, sides, strict=True):
        by_choice.setdefault(name, []).extend(zip(parts, by or (NONE,) * len(parts), strict=True))
    return by_choice
