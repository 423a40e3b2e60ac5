"""The meaning of the operations of the IR: one table, and the only place that defines it.

Constant evaluation, the prover, the optimiser and the sheets run the functions of this table; generated
code calls some of them and writes others out in Python; the solver has formulas of its own for some.  Tests
hold each of them to this table.  Functions take and give values as `rulekit.ir.types` encodes them.
"""

from __future__ import annotations

import math
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial, reduce
from operator import or_
from typing import Any, Final, Literal, NoReturn

from rulekit.base.bits import mask_of, member_ids
from rulekit.base.frozen import frozen
from rulekit.ir.expr import Const, Op, OpName
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import NOT_A_VALUE, Fault, out_of_range
from rulekit.ir.semantics.records import field_of
from rulekit.ir.types import NONE, Int, Member, Month, Optional, Record

Number = int | Fraction
Work = Callable[..., Any]
Sizes = Mapping[str, int]
"""How many members each domain has."""

Sort = Literal["number", "flag", "set", "list", "map", "any"]
"""The sort of an operand: `number` is one value other than none, and neither set nor list nor map."""


@frozen
class Operation:
    """The operands and the meaning of one operation.

    Attributes:
        takes: The sorts of its operands; of a `chain`, those of the first two.
        work: The function of plain values.  None if it depends on more than the values (see `meaning_of`).
        faults: Operands of these sorts may make it fault.
        takes_none: None is an operand like any other; for other operations it is a fault.
        chain: It may have more operands than two, and works from the left.
    """

    takes: tuple[Sort, ...]
    work: Work | None
    faults: bool = False
    takes_none: bool = False
    chain: bool = False


# -- what operations do


union_of = partial(reduce, or_)
"""The union of some sets, at least one."""


def no_value(message: str) -> NoReturn:
    """Raise the fault of a value that is needed and not there."""
    raise Fault(NOT_A_VALUE, message)


def single(value: int) -> int:
    """The set of one value."""
    return 1 << value if value >= 0 else no_value(texts.NO_VALUE)


def contains(value: int, mask: int) -> bool:
    """True if a set has the value; no set has none."""
    return value >= 0 and bool(mask >> value & 1)


def only(mask: int) -> int:
    """The one member of a set."""
    if mask <= 0 or mask & mask - 1:
        count = max(mask, 0).bit_count()
        no_value(texts.not_one(str(count or "none")))
    return mask.bit_length() - 1


def item(values: tuple[Any, ...], number: int) -> Any:
    """An item of a list, counted from 1."""
    if not 1 <= number <= len(values):
        no_value(texts.no_item(str(len(values)), str(number)))
    return values[number - 1]


def at_most(values: tuple[Any, ...], most: int, what: str) -> tuple[Any, ...]:
    """Return a list that is not too long for the thing that it is given to."""
    if len(values) > most:
        raise Fault("out-of-range", texts.would_hold(what, str(most), str(len(values))))
    return values


def in_range(value: int, kind: Int | Month, what: str) -> int:
    """Return a number inside the range of the thing that it is given to."""
    if kind.low <= value <= kind.high:
        return value
    raise out_of_range(what, kind, value)


def without(values: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    """A list without the first item that equals a value, if there is one."""
    if value not in values:
        return values
    place = values.index(value)
    return values[:place] + values[place + 1 :]


def index_of(value: Any, values: tuple[Any, ...]) -> int:
    """Return the place of a value in a list, counted from 1; none if it has no place."""
    return values.index(value) + 1 if value in values else NONE


def map_get(values: Mapping[int, Any], key: int) -> Any:
    """The value of a key in a map."""
    return values[key] if key in values else no_value(texts.NOT_IN_MAP)


def map_with(values: Mapping[int, Any], key: int, value: Any) -> Mapping[int, Any]:
    """A map with another value for one key."""
    return {**values, key: value}


def divide(a: Number, b: Number, way: str) -> int:
    """A quotient rounded to a whole number; halves go up."""
    if b == 0:
        raise Fault("division-by-zero", texts.DIVISION_BY_ZERO)
    match way:
        case "down":
            return a // b
        case "up":
            return -(-a // b)
        case _:
            return (2 * a + b) // (2 * b)


def modulo(a: int, b: int) -> int:
    """The remainder with the sign of `b`."""
    if b == 0:
        raise Fault("division-by-zero", texts.DIVISION_BY_ZERO)
    return a % b


@lru_cache(1 << 12)
def ratio(a: Number, b: Number) -> Fraction:
    """An exact fraction; the latest are remembered, because making one takes longer than finding it."""
    if b == 0:
        raise Fault("division-by-zero", texts.RATIO_TO_ZERO)
    return Fraction(a) / Fraction(b)


class RatioColumns:
    """The columns of a table of ratios, in ascending order, as multiples of their common part."""

    def __init__(self, columns: Sequence[Number]) -> None:
        self._parts = math.lcm(*(Fraction(column).denominator for column in columns))
        self._scaled = [int(column * self._parts) for column in columns]

    def find(self, value: Number, way: str) -> int:
        """Return the column (from 0) of a value; beyond the ends the end column, halfway the higher."""
        number, of = value.numerator * self._parts, value.denominator
        above = bisect_left(self._scaled, -(-number // of))
        below = bisect_right(self._scaled, number // of) - 1
        if below < 0 or above >= len(self._scaled):
            return 0 if below < 0 else len(self._scaled) - 1
        match way:
            case "down":
                return below
            case "up":
                return above
            case _:
                return below if 2 * number < (self._scaled[below] + self._scaled[above]) * of else above


def beside(value: int, step: int, size: int, optional: bool) -> int:
    """The member after or before this one; beyond the ends none, where none is allowed."""
    neighbour = value + step
    if 0 <= neighbour < size and value >= 0:
        return neighbour
    return NONE if optional else no_value("there is no member beyond the last")


# -- the table


OPERATIONS: Final[Mapping[OpName, Operation]] = {
    "add": Operation(("number", "number"), operator.add, chain=True),
    "sub": Operation(("number", "number"), operator.sub),
    "mul": Operation(("number", "number"), operator.mul, chain=True),
    "neg": Operation(("number",), operator.neg),
    "abs": Operation(("number",), abs),
    "div_down": Operation(("number", "number"), lambda a, b: divide(a, b, "down"), faults=True),
    "div_up": Operation(("number", "number"), lambda a, b: divide(a, b, "up"), faults=True),
    "div_nearest": Operation(("number", "number"), lambda a, b: divide(a, b, "nearest"), faults=True),
    "mod": Operation(("number", "number"), modulo, faults=True),
    "smaller": Operation(("number", "number"), min, chain=True),
    "larger": Operation(("number", "number"), max, chain=True),
    "ranged": Operation(("number", "number", "number"), None, faults=True),
    "eq": Operation(("any", "any"), operator.eq, takes_none=True),
    "ne": Operation(("any", "any"), operator.ne, takes_none=True),
    "lt": Operation(("number", "number"), operator.lt),
    "le": Operation(("number", "number"), operator.le),
    "gt": Operation(("number", "number"), operator.gt),
    "ge": Operation(("number", "number"), operator.ge),
    "and": Operation(("flag", "flag"), lambda a, b: bool(a and b), chain=True),
    "or": Operation(("flag", "flag"), lambda a, b: bool(a or b), chain=True),
    "not": Operation(("flag",), operator.not_),
    "single": Operation(("number",), single),
    "union": Operation(("set", "set"), operator.or_, chain=True),
    "inter": Operation(("set", "set"), operator.and_, chain=True),
    "diff": Operation(("set", "set"), lambda a, b: a & ~b),
    "has": Operation(("any", "set"), contains, takes_none=True),
    "count": Operation(("set",), int.bit_count),
    "is_empty": Operation(("set",), operator.not_),
    "within": Operation(("set", "set"), lambda a, b: not a & ~b),
    "only": Operation(("set",), only, faults=True),
    "list_of": Operation(("any", "any"), lambda *values: values, takes_none=True, chain=True),
    "length": Operation(("list",), len),
    "item": Operation(("list", "number"), item, faults=True),
    "index_of": Operation(("any", "list"), index_of, takes_none=True),
    "list_has": Operation(("any", "list"), lambda value, values: value in values, takes_none=True),
    "rest": Operation(("list",), lambda values: values[1:]),
    "joined": Operation(("list", "list"), operator.add, chain=True),
    "to_set": Operation(("list",), mask_of),
    "to_list": Operation(("set",), member_ids),
    "at_most": Operation(("list", "number"), None, faults=True),
    "without": Operation(("list", "any"), without, takes_none=True),
    "is_none": Operation(("any",), lambda value: value == NONE, takes_none=True),
    "or_else": Operation(("any", "any"), lambda a, b: b if a == NONE else a, takes_none=True),
    "no_map": Operation((), dict),
    "map_get": Operation(("map", "number"), map_get, faults=True),
    "map_has": Operation(("map", "number"), lambda values, key: key in values),
    "map_with": Operation(("map", "number", "any"), map_with, takes_none=True),
    "ratio": Operation(("number", "number"), ratio, faults=True),
    "successor": Operation(("number",), None),
    "predecessor": Operation(("number",), None),
    "ratio_column": Operation(("number", "list"), None),
    "field": Operation(("number",), None),
}

LAZY: Final[frozenset[OpName]] = frozenset(("and", "or", "or_else"))
"""Operations that do not evaluate the operands behind one that decides."""

_DIVISIONS: Final[frozenset[OpName]] = frozenset(("div_down", "div_up", "div_nearest", "mod"))
_ROUNDINGS: Final = ("down", "up", "nearest")


def meaning_of(e: Op, sizes: Sizes) -> Work:
    """Return the result for plain operands; raise `Fault` if there is none."""
    operation = OPERATIONS[e.op]
    work = operation.work if operation.work is not None else _particular(e, sizes)
    if operation.chain and e.op != "list_of" and len(e.operands) != 2:
        return lambda *values: reduce(work, values)
    return work


def rounding_of(e: Op) -> str:
    """Which way an operation rounds, if it does: `down` unless its detail says otherwise."""
    return e.detail if e.detail in _ROUNDINGS else "down"


def _particular(e: Op, sizes: Sizes) -> Work:
    """The meaning of an operation that depends on its detail or on types."""
    way = rounding_of(e)
    match e.op:
        case "ranged":
            kind = Month if isinstance(e.type, Month) else Int
            return lambda value, low, high: in_range(value, kind(low, high), e.detail or "a number")
        case "at_most":
            return lambda values, most: at_most(values, most, e.detail or "a list")
        case "ratio_column":
            return lambda value, columns: RatioColumns(columns).find(value, way)
        case "field":
            record = e.operands[0].type
            assert isinstance(record, Record)
            return field_of(record, e.detail, sizes).value
        case "successor" | "predecessor":
            return _neighbour(e, 1 if e.op == "successor" else -1, sizes)
        case _:
            raise AssertionError(e.op)


def _neighbour(e: Op, step: int, sizes: Sizes) -> Work:
    kind = e.operands[0].type
    if not isinstance(kind, Member):
        return lambda value: value + step
    size, optional = sizes[kind.domain], isinstance(e.type, Optional)
    return lambda value: beside(value, step, size, optional)


def may_fault(e: Op) -> bool:
    """True if the operation itself may fault for some values of its operands' types."""
    operation = OPERATIONS[e.op]
    if e.op in _DIVISIONS:
        divisor = e.operands[1]
        return not (isinstance(divisor, Const) and divisor.value != 0)
    if e.op in ("successor", "predecessor") and isinstance(e.operands[0].type, Member):
        return not isinstance(e.type, Optional)
    none = not operation.takes_none and any(isinstance(part.type, Optional) for part in e.operands)
    return operation.faults or none
