"""Expressions over what never changes, worked out member by member, with what each look-up read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from rulekit import ir
from rulekit.compiler.model import Model
from rulekit.ir.program import span_of
from rulekit.ir.semantics.constant import WORKED
from rulekit.ir.semantics.operations import members
from rulekit.ir.types import GAP, ListOf, SetOf

Locals = Mapping[str, Any]
Cell = tuple[str, tuple[int, ...]]
"""A static table and the keys it was asked for."""

MOST_STEPS: Final = 1_000_000


class NotFixed(Exception):
    """It reads what play changes, or is of a form that is not worked out here."""


class Fixed:
    """Works expressions out that read no state.

    Attributes:
        read: What was looked up, in order; cleared by who asks.
    """

    def __init__(self, model: Model) -> None:
        self._tables, self._functions = model.statics, model.functions
        self._sizes = {domain.name: len(domain.members) for domain in model.world.domains.values()}
        self._steps = 0
        self.read: list[Cell] = []

    def value(self, e: ir.Expr, known: Locals) -> Any:
        """The value of an expression, with locals that are known.

        Raises:
            NotFixed: It reads what play changes, has no value, or takes too long.
        """
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise NotFixed
        match e:
            case ir.Const():
                return e.value
            case ir.Local() if e.name in known:
                return known[e.name]
            case ir.Static():
                return self._looked_up(e.table, tuple(self.value(key, known) for key in e.keys))
            case ir.Apply():
                return self.value(*self.entered(e, known))
            case ir.If():
                return self.value(e.then if self.value(e.condition, known) else e.otherwise, known)
            case ir.Op(op="and" | "or"):
                ends = e.op == "or"
                return any(bool(self.value(each, known)) is ends for each in e.operands) is ends
            case ir.Op(op="or_else"):
                first, other = e.operands
                found = self.value(first, known)
                return self.value(other, known) if WORKED["is_none"](found) else found
            case ir.Op(op="eq" | "ne", operands=(one, other)):
                return (self.value(one, known) == self.value(other, known)) is (e.op == "eq")
            case ir.Op() if e.op in WORKED:
                return WORKED[e.op](*(self.value(each, known) for each in e.operands))
            case ir.Filter():
                return sum(1 << each for each in self.held(e.over, e.var, e.body, known))
            case ir.Fold() if e.kind in _FOLDS:
                return _FOLDS[e.kind](self.value(e.body, inner) for inner in self.inside(e, known))
            case _:
                raise NotFixed

    def entered(self, call: ir.Apply, known: Locals) -> tuple[ir.Expr, Locals]:
        """The body of what is called, and its parameters."""
        function = self._functions.get(call.function)
        if function is None:
            raise NotFixed
        given = (self.value(each, known) for each in call.arguments)
        return function.body, {param.name: value for param, value in zip(function.params, given, strict=True)}

    def inside(self, fold: ir.Fold | ir.Filter, known: Locals) -> Iterator[Locals]:
        """What is known in the body, for each member it is asked of."""
        if not isinstance(fold.over.type, SetOf):
            raise NotFixed
        return ({**known, fold.var.name: each} for each in members(self.value(fold.over, known)))

    def held(
        self, over: ir.Expr, var: ir.Local, body: ir.Expr, known: Locals, *, holds: bool = True
    ) -> Iterator[int]:
        """The members of a set of which a test holds, or does not."""
        if not isinstance(over.type, SetOf):
            raise NotFixed
        for each in members(self.value(over, known)):
            if bool(self.value(body, {**known, var.name: each})) is holds:
                yield each

    def _looked_up(self, name: str, keys: tuple[Any, ...]) -> Any:
        table = self._tables.get(name)
        if table is None or not all(isinstance(key, int) for key in keys):
            raise NotFixed
        at = 0
        for key, (low, high) in zip(keys, (span_of(key, self._sizes) for key in table.keys), strict=True):
            if not low <= key <= high:
                raise NotFixed
            at = at * (high - low + 1) + key - low
        found = table.values[at]
        if found == GAP and not isinstance(table.type, ListOf):
            raise NotFixed
        self.read.append((name, keys))
        return found


_FOLDS: Mapping[str, Callable[[Iterator[Any]], Any]] = {
    "total": sum,
    "any": any,
    "all": all,
    "no": lambda found: not any(found),
}
