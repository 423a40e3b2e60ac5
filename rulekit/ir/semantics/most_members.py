"""Bounds on the members of sets and lists, from their expressions as written (spec 14.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulekit.ir import expr as x
from rulekit.ir.program import Program
from rulekit.ir.types import Int, ListOf, Member, SetOf, Type

ENDLESS: Final = 10**18
"""The number at which counting stops."""

Bounds = Mapping[str, int]
"""The most members that locals have, where more is known than their type."""
_NOTHING_KNOWN: Final[Bounds] = {}


class MostMembers:
    """Bounds on the sizes of sets and lists in one program."""

    def __init__(self, program: Program) -> None:
        self._names = program.by_name
        self._tables: dict[str, int] = {}
        self._functions: dict[tuple[str, tuple[int, ...]], int] = {}
        self.sizes = _Sizes(program)

    def of(self, e: x.Expr, bounds: Bounds = _NOTHING_KNOWN) -> int:
        """Return the most members of an expression: those that its parts leave it, or all of its kind."""
        if not isinstance(e.type, SetOf):
            return self.of_kind(e.type)
        return min(self._of_set(e, bounds), self.of_kind(e.type))

    def of_kind(self, kind: Type) -> int:
        """Return the most members that a value of a set or list type has; 1 for other types."""
        if isinstance(kind, SetOf):
            return kind.of.high + 1 if isinstance(kind.of, Int) else self.sizes[kind.of]
        return kind.most if isinstance(kind, ListOf) else 1

    def _of_set(self, e: x.Expr, bounds: Bounds) -> int:
        match e:
            case x.Const():
                return e.value.bit_count() if isinstance(e.value, int) and e.value >= 0 else ENDLESS
            case x.Local():
                return bounds.get(e.name, ENDLESS)
            case x.Static():
                return self._of_table(e.table)
            case x.Apply():
                return self._of_function(e, bounds)
            case x.Op():
                return self._of_operation(e, bounds)
            case x.If():
                return max(self.of(e.then, bounds), self.of(e.otherwise, bounds))
            case x.Filter() | x.Best() | x.Linked():
                return self.of(e.over, bounds)
            case x.Fold():
                return self.of(e.over, bounds) * self.of(e.body, bounds)
            case x.Read() | x.Flagged() | x.At() | x.BestWay():
                return ENDLESS

    def _of_operation(self, e: x.Op, bounds: Bounds) -> int:
        match e.op:
            case "single":
                return 1
            case "union":
                return sum(self.of(part, bounds) for part in e.operands)
            case "inter":
                return min(self.of(part, bounds) for part in e.operands)
            case "diff":
                return self.of(e.operands[0], bounds)
            case _:
                return ENDLESS

    def _of_function(self, call: x.Apply, bounds: Bounds) -> int:
        """Return the most members of a function's result for arguments of these sizes."""
        sizes = tuple(self.of(argument, bounds) for argument in call.arguments)
        key = (call.function, sizes)
        if key not in self._functions:
            self._functions[key] = ENDLESS
            function = self._names.functions[call.function]
            names = (parameter.name for parameter in function.params)
            self._functions[key] = self.of(function.body, dict(zip(names, sizes, strict=True)))
        return self._functions[key]

    def _of_table(self, table: str) -> int:
        """Return the most members that an entry of a table of sets has."""
        if table not in self._tables:
            masks = [v for v in self._names.statics[table].values if isinstance(v, int) and v > 0]
            self._tables[table] = max(map(int.bit_count, masks), default=0)
        return self._tables[table]


class _Sizes(dict[Member, int]):
    """How many members each kind has, counted when first asked for."""

    def __init__(self, program: Program) -> None:
        self._index = program.by_name

    def __missing__(self, kind: Member) -> int:
        known = kind.domain in self._index.sizes
        self[kind] = size = self._index.members_of(kind).bit_count() if known else 0
        return size
