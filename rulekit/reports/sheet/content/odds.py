"""Exact chances of rolls, as a sheet prints them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rulekit.syntax.tree import items as i


def totals(roll: i.Roll, added: int) -> Mapping[int, Fraction]:
    """How likely each total of a roll is, with a number added to it."""
    found = {added: Fraction(1)}
    for _ in range(roll.dice):
        following: dict[int, Fraction] = {}
        for total, chance in found.items():
            for face in range(roll.lowest, roll.lowest + roll.sides):
                following[total + face] = following.get(total + face, Fraction(0)) + chance / roll.sides
        found = following
    return found


def shown(chance: Fraction) -> str:
    """A chance with three places; 0 and 1 only where it is exactly that."""
    if chance in (0, 1):
        return str(chance)
    thousandths = min(max(round(chance * 1000), 1), 999)
    return f".{thousandths:03d}"
