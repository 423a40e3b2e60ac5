"""Sets of possible values, as far as they are known without playing.

A scalar is a set of the values that it may have; the empty set is what nothing was bound to yet.  A set (or
list) of members is a mask of those that may be in it.  None stands for anything that its type allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from rulekit import ir
from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.ir import types as t
from rulekit.ir.expr import Value

MOST = 600
"""Values of a scalar that are kept apart."""


@frozen
class Members:
    """The possible members of a set; `exact`: all of them are members."""

    mask: int
    exact: bool


Scalars = frozenset[Value]
Guess = Scalars | Members | None
NOTHING: Scalars = frozenset()
YES: Scalars = frozenset((True,))
NO: Scalars = frozenset((False,))
EITHER: Scalars = YES | NO


def join(one: Guess, other: Guess) -> Guess:
    """Return the union of two guesses."""
    if one == other or other == NOTHING:
        return one
    if one == NOTHING:
        return other
    if isinstance(one, Members) and isinstance(other, Members):
        return Members(one.mask | other.mask, False)
    if isinstance(one, frozenset) and isinstance(other, frozenset) and len(one | other) <= MOST:
        return one | other
    return None


def join_all(guesses: Iterable[Guess]) -> Guess:
    """Return the union of several guesses."""
    nothing: Guess = NOTHING
    return reduce(join, guesses, nothing)


def number(value: Value) -> int:
    """A value that is a number or a member."""
    assert isinstance(value, int)
    return int(value)


def mask_of(value: Value) -> int:
    """The members of a list, or one member, as a mask."""
    mask = 0
    for id_ in map(number, value if isinstance(value, tuple) else (value,)):
        mask |= 1 << id_ if id_ >= 0 else 0
    return mask


def of_ids(mask: int) -> Guess:
    """Any one of the members of a mask."""
    return None if mask.bit_count() > MOST else frozenset(members(mask))


class Kinds:
    """The types of a program: which values they have."""

    def __init__(self, program: ir.Program) -> None:
        self._kinds: Mapping[str, int] = {kind.name: kind.members for kind in program.kinds}
        self.sizes: Mapping[str, int] = program.by_name.sizes

    def all_of(self, type_: t.Type) -> int:
        """The mask of a kind's members, of numbers in a set, or of what a set or list may hold."""
        match type_:
            case t.Member():
                whole = (1 << self.sizes.get(type_.domain, 0)) - 1
                return self._kinds.get(type_.name, whole)
            case t.Int() if type_.low >= 0 and type_.high < MOST:
                return (1 << type_.high + 1) - (1 << type_.low)
            case t.Optional() | t.SetOf() | t.ListOf():
                return self.all_of(type_.of)
            case (
                t.Int()
                | t.Flag()
                | t.Month()
                | t.Ratio()
                | t.Text()
                | t.MapOf()
                | t.Row()
                | t.Record()
                | t.Nothing()
            ):
                return 0

    def spread(self, guess: Guess, type_: t.Type) -> Guess:
        """The same with all values of the type where nothing is known."""
        if guess is not None:
            return guess
        match type_:
            case t.Flag():
                return EITHER
            case t.Int() | t.Month() if type_.high - type_.low < MOST:
                return frozenset(range(type_.low, type_.high + 1))
            case t.Member() if self.all_of(type_):
                return of_ids(self.all_of(type_))
            case t.Optional():
                return join(self.spread(None, type_.of), frozenset((t.NONE,)))
            case t.SetOf() | t.ListOf() if self.all_of(type_):
                return Members(self.all_of(type_), False)
            case (
                t.Int() | t.Month() | t.Member() | t.SetOf() | t.ListOf() | t.Ratio() | t.Text() | t.MapOf()
                | t.Row() | t.Record() | t.Nothing()
            ):  # fmt: skip
                return None

    def clip(self, guess: Guess, type_: t.Type) -> Guess:
        """Without the numbers that the type does not have: play would stop there."""
        inner = type_.of if isinstance(type_, t.Optional) else type_
        if not (isinstance(guess, frozenset) and isinstance(inner, t.Int | t.Month)):
            return guess
        return frozenset(
            v for v in guess if v == t.NONE or isinstance(v, int) and inner.low <= v <= inner.high
        )

    def ids(self, guess: Guess, type_: t.Type) -> int:
        """The members that a value (or what is in a set) may be, as a mask."""
        if isinstance(guess, Members):
            return guess.mask
        if guess is None:
            return self.all_of(type_)
        return sum(1 << v for v in guess if isinstance(v, int) and 0 <= v < 1 << 20)
