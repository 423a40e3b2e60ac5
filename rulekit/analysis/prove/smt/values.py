"""Values of formulas: numbers and flags, known or not; sets, as what holds for each member."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeGuard

from rulekit import ir
from rulekit.analysis.prove.search import Cell
from rulekit.analysis.prove.smt.terms import FormulaTerm, FormulaTerms, Translation, term_of
from rulekit.base.bits import member_ids, members
from rulekit.base.frozen import frozen
from rulekit.ir.expr import OpName
from rulekit.ir.program import ProgramIndex
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.operations import OPERATIONS, meaning_of
from rulekit.ir.types import NONE, Flag, Int, Member, Month, Optional, SetOf, Type

Scalar = Any
"""An int or bool that is known, else a term."""


@frozen
class Many:
    """A set: each number that may belong to it, with whether it does; any other does not."""

    members: Mapping[int, Scalar]


class Anything:
    """A value of which nothing is said."""


ANYTHING: Final = Anything()
Value = Scalar | Many | Anything


def is_known(value: Value) -> TypeGuard[int]:
    """Whether a value is a plain number or flag."""
    return isinstance(value, int)


def both(parts: Iterable[Scalar]) -> Scalar:
    """All of some flags."""
    return _join(parts, False, "and")


def either(parts: Iterable[Scalar]) -> Scalar:
    """Any of some flags."""
    return _join(parts, True, "or")


def _join(parts: Iterable[Scalar], decides: bool, op: str) -> Scalar:
    """Flags as one; the first that `decides` is all that counts."""
    left = []
    for part in parts:
        if part is decides:
            return decides
        if part is not (not decides):
            left.append(part)
    if not left:
        return not decides
    return left[0] if len(left) == 1 else term_of(op, *left)


def negation(flag: Scalar) -> Scalar:
    """Not a flag."""
    return not flag if isinstance(flag, bool) else term_of("not", flag)


def choose(test: Scalar, then: Value, other: Value) -> Value:
    """One value or the other."""
    if isinstance(test, bool):
        return then if test else other
    if isinstance(then, Anything) or isinstance(other, Anything):
        return ANYTHING
    if isinstance(then, Many) and isinstance(other, Many):
        names = dict.fromkeys((*then.members, *other.members))
        return Many({m: choose(test, then.members.get(m, False), other.members.get(m, False)) for m in names})
    if (
        is_known(then)
        and is_known(other)
        and then == other
        and isinstance(then, bool) is isinstance(other, bool)
    ):
        return then
    if then is True and other is False:
        return test
    if then is False and other is True:
        return term_of("not", test)
    return term_of("if", test, then, other)


def total(parts: Iterable[Scalar]) -> Scalar:
    """The sum of some numbers."""
    fixed, left = 0, []
    for part in parts:
        if is_known(part):
            fixed += int(part)
        else:
            left.append(part)
    if not left:
        return fixed
    return term_of("sum", *left, fixed) if fixed or len(left) > 1 else left[0]


def belongs(number: Scalar, many: Many) -> Scalar:
    """Whether a number belongs to a set."""
    if is_known(number):
        return many.members.get(int(number), False)
    return either(both((number == member, holds)) for member, holds in many.members.items())


def of_mask(mask: int) -> Many:
    """A set that is known."""
    return Many(dict.fromkeys(members(mask), True))


class Cells:
    """The cells of one question, with the bounds that their types set."""

    def __init__(self, index: ProgramIndex) -> None:
        self.bounds: list[Any] = []
        self._terms = FormulaTerms()
        self._index = index
        self._made: dict[Cell, Any] = {}
        self._fresh = 0

    def translation(self, tests: Iterable[Scalar]) -> Translation:
        """Return the bounds and some tests as expressions of z3."""
        return Translation((*self.bounds, *tests))

    def values(self, value_of: Callable[[FormulaTerm], int | bool | None]) -> dict[Cell, Any]:
        """Return what each cell is by the terms' values; cells that do not matter are left out."""
        values = ((cell, value_of(variable)) for cell, variable in self._made.items())
        return {cell: value for cell, value in values if value is not None}

    def cell(self, cell: Cell, kind: Type) -> Value:
        if cell not in self._made:
            variable = self._variable(f"{cell[0]}{list(cell[1])}", kind)
            if isinstance(variable, Anything):
                return variable
            self._made[cell] = variable
        return self._made[cell]

    def _variable(self, name: str, kind: Type) -> Value:
        """Some value of a type."""
        if isinstance(kind, Flag):
            return self._terms.of("bool", name)
        if isinstance(kind, Int | Month | Member | Optional):
            variable = self._terms.of("int", name)
            self.bounds.append(self._within(variable, kind))
            return variable
        return ANYTHING

    def _within(self, value: Any, kind: Type) -> Any:
        """That a number is of a type."""
        if isinstance(kind, Optional):
            return either((value == NONE, self._within(value, kind.of)))
        if isinstance(kind, Int | Month):
            return term_of("and", value >= kind.low, value <= kind.high)
        return (
            _in_mask(value, mask)
            if isinstance(kind, Member) and (mask := self._index.members_of(kind))
            else True
        )

    def any_of(self, kind: Type) -> Value:
        """A value of which only its type is known."""
        if isinstance(kind, SetOf):
            return Many({number: self.any_of(Flag()) for number in self.numbers(kind.of)})
        self._fresh += 1
        return self._variable(f"any'{self._fresh}", kind)

    def numbers(self, kind: Member | Int) -> Sequence[int]:
        if isinstance(kind, Int):
            return range(kind.high + 1)
        return member_ids(self._index.members_of(kind))

    def state_cell(self, name: str, keys: tuple[int, ...], kind: Type) -> Value:
        """What a state or a parameter holds for keys that are known."""
        if isinstance(kind, SetOf):
            entries = {n: self.cell((f"{name} has", (*keys, n)), Flag()) for n in self.numbers(kind.of)}
            return Many(entries)
        return self.cell((name, keys), kind)


def _in_mask(value: Any, mask: int) -> Any:
    """That a number is one of the bits of a mask."""
    size = mask.bit_length()
    if mask == (1 << size) - 1:
        return term_of("and", value >= 0, value < size)
    return either(value == bit for bit in range(size) if mask >> bit & 1)


def operation_value(e: ir.Op, parts: Sequence[Value], sizes: Mapping[str, int]) -> Value:
    """The value of an operation; the formula itself writes `and`, `or`, `not` and `single`."""
    if any(isinstance(part, Anything) for part in parts):
        return ANYTHING
    sets = [part for part in parts if isinstance(part, Many)]
    if sets and e.op == "has":
        return belongs(parts[0], sets[0])
    if sets:
        form = SETS.get(e.op)
        return form(*sets) if form is not None and len(sets) == len(parts) else ANYTHING
    if not all(isinstance(part.type, Flag | Int | Month | Member | Optional) for part in e.operands):
        return ANYTHING
    if all(map(is_known, parts)):
        return _plain(e, parts, sizes)
    form = SCALARS.get(e.op)
    if form is None or len(parts) > len(OPERATIONS[e.op].takes):
        return ANYTHING
    return form(e, sizes, *parts)


def _plain(e: ir.Op, parts: Sequence[Value], sizes: Mapping[str, int]) -> Value:
    """An operation on known values; anything where it faults, or gives what is no number."""
    try:
        value = meaning_of(e, sizes)(*parts)
    except Fault:
        return ANYTHING
    return value if is_known(value) and not isinstance(e.type, SetOf) else ANYTHING


# -- of sets


def _holds(each: Many, member: int) -> Any:
    return each.members.get(member, False)


def _names(sets: Sequence[Many]) -> list[int]:
    return list(dict.fromkeys(member for one in sets for member in one.members))


def _union(*sets: Many) -> Value:
    return Many({m: either(_holds(one, m) for one in sets) for m in _names(sets)})


def _inter(*sets: Many) -> Value:
    return Many({m: both(_holds(one, m) for one in sets) for m in _names(sets)})


def _diff(first: Many, last: Many) -> Value:
    return Many({m: both((_holds(first, m), negation(_holds(last, m)))) for m in _names((first, last))})


def _count(one: Many) -> Value:
    return total(choose(holds, 1, 0) for holds in one.members.values())


def _within(first: Many, last: Many) -> Value:
    return both(either((negation(_holds(first, m)), _holds(last, m))) for m in _names((first, last)))


def _same_set(first: Many, last: Many) -> Value:
    return both(_same(_holds(first, m), _holds(last, m)) for m in _names((first, last)))


def _only(one: Many) -> Value:
    """The member of a set that has one; anything for another set, which faults."""
    value: Value = ANYTHING
    for member, holds in one.members.items():
        value = member if isinstance(value, Anything) else choose(holds, member, value)
    return value


SETS: Final[Mapping[OpName, Callable[..., Value]]] = {
    "union": _union,
    "inter": _inter,
    "diff": _diff,
    "count": _count,
    "is_empty": lambda one: negation(either(one.members.values())),
    "within": _within,
    "eq": _same_set,
    "ne": lambda first, last: negation(_same_set(first, last)),
    "only": _only,
}
"""Operations on sets alone."""


# -- of numbers, flags and members


def _same(a: Any, b: Any) -> Any:
    if isinstance(a, bool):
        return b if a else negation(b)
    if isinstance(b, bool):
        return a if b else negation(a)
    return a == b


def _beside(e: ir.Op, sizes: Mapping[str, int], value: Any) -> Value:
    step = 1 if e.op == "successor" else -1
    kind = e.operands[0].type
    if not isinstance(kind, Member):
        return value + step
    beyond = value == (sizes[kind.domain] - 1 if step == 1 else 0)
    # Where nothing is beyond the last, to ask for it faults, and anything may come of it.
    return choose(beyond, NONE, value + step) if isinstance(e.type, Optional) else value + step


def _quotient(e: ir.Op, sizes: Mapping[str, int], a: Any, b: Any) -> Value:
    """A quotient or remainder; z3's `/` rounds down where what divides is positive."""
    if not is_known(b) or b <= 0:
        return ANYTHING
    match e.op:
        case "mod":
            return a % b
        case "div_down":
            return a / b
        case "div_up":
            return -((-a) / b)
        case _:
            return (2 * a + b) / (2 * b)


SCALARS: Final[Mapping[OpName, Callable[..., Value]]] = {
    "add": lambda e, sizes, *parts: total(parts),
    "sub": lambda e, sizes, a, b: a - b,
    "mul": lambda e, sizes, a, b: a * b if is_known(a) or is_known(b) else ANYTHING,
    "neg": lambda e, sizes, a: -a,
    "abs": lambda e, sizes, a: choose(a < 0, -a, a),
    "smaller": lambda e, sizes, a, b: choose(a < b, a, b),
    "larger": lambda e, sizes, a, b: choose(a > b, a, b),
    "ranged": lambda e, sizes, a, low, high: a,
    "div_down": _quotient,
    "div_up": _quotient,
    "div_nearest": _quotient,
    "mod": _quotient,
    "eq": lambda e, sizes, a, b: _same(a, b),
    "ne": lambda e, sizes, a, b: negation(_same(a, b)),
    "lt": lambda e, sizes, a, b: a < b,
    "le": lambda e, sizes, a, b: a <= b,
    "gt": lambda e, sizes, a, b: a > b,
    "ge": lambda e, sizes, a, b: a >= b,
    "is_none": lambda e, sizes, a: a == NONE,
    "or_else": lambda e, sizes, a, b: choose(a == NONE, b, a),
    "successor": _beside,
    "predecessor": _beside,
}
"""Operations on numbers, flags and members of which one at least is not known."""


ELSEWHERE: Final[frozenset[OpName]] = frozenset(("and", "or", "not", "single", "has"))
"""Operations that the formula, or the set that is asked, writes itself."""

OPEN: Final[frozenset[OpName]] = frozenset(
    ("list_of", "length", "item", "index_of", "list_has", "rest", "joined", "to_set", "to_list", "at_most",
     "without", "no_map", "map_get", "map_has", "map_with", "ratio", "ratio_column",
     "field")
)  # fmt: skip
"""Operations of which the solver says nothing unless all operands are known."""
