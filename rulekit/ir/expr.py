"""Expressions of the IR: pure, typed, and free of side effects.

Evaluation is left to right; `and`, `or`, `If` and the folds `any`, `all`, `no` stop early.  A set is
walked in id order (from the low bit).  `NONE` never reaches an operation on values: the type
checker excludes it, except for reads, for which the back end may raise a fault.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.ir.types import TextValue, Type

Value = int | bool | Fraction | TextValue | tuple[int | Fraction, ...]
"""A constant, encoded as `rulekit.ir.types` says."""


@frozen
class Const:
    """A value known now: a number, flag, member id, mask, `NONE`, tuple (list) or ratio."""

    value: Value
    type: Type


@frozen
class Local:
    """A parameter or local; names are unique within their function, procedure, choice or norm.

    Where a test around it narrows the declared type (it is not none, it is of a kind), `type` is the narrower
    type and `declared` the declared one; else `declared` is None.  An expression that relies on `type` must
    not be evaluated without that test.
    """

    name: str
    type: Type
    declared: Type | None = None


@frozen
class Static:
    """`table[keys...]`: fixed fields of pieces and spaces, printed tables, tabulated definitions.

    The result may be `GAP`, where a printed table has no row: then `fallible` is true and the look-up
    is a fault of kind `no-row`.
    """

    table: str
    keys: tuple[Expr, ...]
    type: Type
    fallible: bool = False


@frozen
class Read:
    """The present value of the state `state` for these keys."""

    state: str
    keys: tuple[Expr, ...]
    type: Type


@frozen
class Flagged:
    """All members whose flag is set: a flag state with its last key left open; a mask."""

    state: str
    keys: tuple[Expr, ...]
    type: Type


@frozen
class At:
    """The pieces at a space (or at any of a set of spaces, `many`); a mask over `piece`."""

    space: Expr
    many: bool
    type: Type


@frozen
class Apply:
    """A call of a pure function of the program."""

    function: str
    arguments: tuple[Expr, ...]
    type: Type


OpName = Literal[
    # numbers (and months, which are numbers)
    "add", "sub", "mul", "neg", "div_down", "div_up", "div_nearest", "mod", "smaller", "larger", "abs",
    "ranged",  # (x, low, high): x, or fault out-of-range
    # comparison: eq and ne of any two scalars, sets, lists; the others of numbers, months, ratios
    "eq", "ne", "lt", "le", "gt", "ge",
    # flags
    "and", "or", "not",
    # sets (masks): single is {x}; has is (x, set), false of none; only: of a set of one (fault else)
    "single", "union", "inter", "diff", "has", "count", "is_empty", "within", "only",
    # lists (tuples): item counts from 1, index_of too (none if absent); list_of builds one from its operands
    "list_of", "length", "item", "index_of", "list_has", "rest", "joined", "to_set", "to_list",
    "at_most",  # (list, n): the list, or fault out-of-range if it is longer
    "without",  # (list, x): the list without the first item that equals x, if there is one
    # optional values, maps (get and has are (map, key)), ratios, enums; list_has is (x, list)
    "is_none", "or_else", "map_get", "map_has",
    "no_map",  # (): the map without values
    "map_with",  # (map, key, value): the map with this value for the key
    "ratio", "successor", "predecessor",
    "field",  # (record): its value under the name in `detail`
    # ratio_column: (x, const tuple of column ratios ascending) -> index, rounded as in `detail`
    "ratio_column",
]  # fmt: skip


@frozen
class Op:
    """A built-in operation; its operands are listed at `OpName` and in the spec, 12.

    `detail` qualifies `div_nearest` (halves go up) and `ratio_column` (`down`, `up` or `nearest`;
    beyond the ends the end column is taken); of `ranged` and `at_most` it says what
    the value is given to, for the fault; of `field` it is the name of the value.
    """

    op: OpName
    operands: tuple[Expr, ...]
    type: Type
    detail: str = ""


@frozen
class If:
    """`then` where `condition` holds, else `otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type


@frozen
class Filter:
    """The members of `over` (a set) for which `body` holds, with `var` bound to each; a mask."""

    over: Expr
    var: Local
    body: Expr
    type: Type


@frozen
class Fold:
    """One value from `body` over the members of a set (or items of a list), in order.

    `total` of none is 0; `lowest` and `highest` of none are `NONE`; `any`, `all`, `no` are flags;
    `join` is the union of sets, of none the empty set.  `map` has the value for each member, as a local map.
    `grouped` is a list of sets, only the relation of a `Linked` or `BestWay`: the members for which `body` is
    0, those for which it is 1, and so on, without those for which it is none.
    """

    kind: Literal["total", "lowest", "highest", "join", "map", "grouped", "any", "all", "no"]
    over: Expr
    var: Local
    body: Expr
    type: Type


@frozen
class Best:
    """Those members of `over` for which `key` is the lowest (or highest) of all; a mask, ties included."""

    kind: Literal["lowest", "highest"]
    over: Expr
    var: Local
    key: Expr
    type: Type


@frozen
class Linked:
    """Members of `over` reached from `start` (a set) by steps inside `over`; a mask.

    `relation` gives, with `var` bound to a member, the mask of what it touches.  Members of `start` count
    whether or not they are in `over`, but the result is limited to `over`.  With `within`, at most that
    many steps.  Where the relation is a list of sets, it gives what is touched at a cost of 0, of 1, and so
    on, and `within` is the most that all steps of a way may cost together.
    """

    over: Expr
    start: Expr
    var: Local
    relation: Expr
    within: Expr | None
    type: Type


@frozen
class BestWay:
    """The members of the cheapest way from one of `start` to one of `goal`, both ends included; a list.

    Its steps lead to members of `over`.  `relation` and `within` are those of `Linked`, the relation always a
    list of sets.  Of ways that cost the same it is the one with the fewest steps, of these the one with the
    lowest member where they first differ; empty, where no way leads.
    """

    over: Expr
    start: Expr
    goal: Expr
    var: Local
    relation: Expr
    within: Expr | None
    type: Type


Binding = Filter | Fold | Best | Linked | BestWay
"""Expressions that bind `var` to each member of `over` in turn."""
Expr = Const | Local | Static | Read | Flagged | At | Apply | Op | If | Binding
