"""Values of formulas: numbers and flags, known or not; sets, as what holds for each member."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeGuard

import z3

from rulekit.base.bits import members
from rulekit.base.frozen import frozen

Scalar = Any
"""An int or bool that is known, else a z3 expression."""


@frozen
class Many:
    """A set: each number that may belong to it, with whether it does; any other does not."""

    members: Mapping[int, Scalar]


class Anything:
    """A value of which nothing is said."""


ANYTHING: Final = Anything()
Value = Scalar | Many | Anything


def known(value: Value) -> TypeGuard[int]:
    """Whether a value is a plain number or flag."""
    return isinstance(value, int)


def both(parts: Iterable[Scalar]) -> Scalar:
    """All of some flags."""
    return _joined(parts, False, z3.And)


def either(parts: Iterable[Scalar]) -> Scalar:
    """Any of some flags."""
    return _joined(parts, True, z3.Or)


def _joined(parts: Iterable[Scalar], decides: bool, join: Callable[..., Scalar]) -> Scalar:
    """Flags as one; the first that `decides` is all that counts."""
    left = []
    for part in parts:
        if part is decides:
            return decides
        if part is not (not decides):
            left.append(part)
    if not left:
        return not decides
    return left[0] if len(left) == 1 else join(*left)


def negated(flag: Scalar) -> Scalar:
    """Not a flag."""
    return not flag if isinstance(flag, bool) else z3.Not(flag)


def chosen(test: Scalar, then: Value, other: Value) -> Value:
    """One value or the other."""
    if isinstance(test, bool):
        return then if test else other
    if isinstance(then, Anything) or isinstance(other, Anything):
        return ANYTHING
    if isinstance(then, Many) and isinstance(other, Many):
        names = dict.fromkeys((*then.members, *other.members))
        return Many({m: chosen(test, then.members.get(m, False), other.members.get(m, False)) for m in names})
    if known(then) and known(other) and then == other and isinstance(then, bool) is isinstance(other, bool):
        return then
    if then is True and other is False:
        return test
    if then is False and other is True:
        return z3.Not(test)
    return z3.If(test, then, other)


def total(parts: Iterable[Scalar]) -> Scalar:
    """The sum of some numbers."""
    fixed, left = 0, []
    for part in parts:
        if known(part):
            fixed += int(part)
        else:
            left.append(part)
    if not left:
        return fixed
    return z3.Sum(*left, fixed) if fixed or len(left) > 1 else left[0]


def belongs(number: Scalar, many: Many) -> Scalar:
    """Whether a number belongs to a set."""
    if known(number):
        return many.members.get(int(number), False)
    return either(both((number == member, holds)) for member, holds in many.members.items())


def of_mask(mask: int) -> Many:
    """A set that is known."""
    return Many(dict.fromkeys(members(mask), True))
