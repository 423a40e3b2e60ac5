"""Expressions over what never changes, worked out member by member, with what each look-up read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from rulekit import ir
from rulekit.base.bits import members
from rulekit.compiler.model import Model
from rulekit.compiler.world import Sizes
from rulekit.ir.semantics.constant import Constants, Locals
from rulekit.ir.types import SetOf

Cell = tuple[str, tuple[int, ...]]
"""A static table and the keys it was asked for."""

MOST_STEPS: Final = 1_000_000


class FixedEvaluator(Constants):
    """Evaluates expressions that read no state, calls and walks over sets included.

    Attributes:
        read: What was looked up, in order; cleared by the caller.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model.statics, Sizes(model.world.domains))
        self._functions = model.functions
        self._steps = 0
        self.read: list[Cell] = []

    def value(self, e: ir.Expr, known: Locals) -> Any:
        """The value of an expression; refused too if it takes too long."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            self.refuse()
        return super().value(e, known)

    def other(self, e: ir.Expr, known: Locals) -> Any:
        """A call, the members that pass a test, or a fold; refused if it reads state."""
        match e:
            case ir.Apply():
                return self.value(*self.entered(e, known))
            case ir.Filter():
                return sum(1 << member for member in self.held(e.over, e.var, e.body, known))
            case ir.Fold() if e.kind in _FOLDS:
                return _FOLDS[e.kind](self.value(e.body, inner) for inner in self.inside(e, known))
            case _:
                self.refuse()

    def entered(self, call: ir.Apply, known: Locals) -> tuple[ir.Expr, Locals]:
        """The body of what is called, and its parameters."""
        function = self._functions.get(call.function)
        if function is None:
            self.refuse()
        given = (self.value(each, known) for each in call.arguments)
        return function.body, {param.name: value for param, value in zip(function.params, given, strict=True)}

    def inside(self, fold: ir.Fold | ir.Filter, known: Locals) -> Iterator[Locals]:
        """What is known in the body, for each member it is asked of."""
        if not isinstance(fold.over.type, SetOf):
            self.refuse()
        return ({**known, fold.var.name: each} for each in members(self.value(fold.over, known)))

    def held(
        self, over: ir.Expr, var: ir.Local, body: ir.Expr, known: Locals, *, holds: bool = True
    ) -> Iterator[int]:
        """The members of a set of which a test holds, or does not."""
        if not isinstance(over.type, SetOf):
            self.refuse()
        for each in members(self.value(over, known)):
            if bool(self.value(body, {**known, var.name: each})) is holds:
                yield each

    def look_up(self, name: str, keys: Iterable[int]) -> Any:
        """An entry of a static table, noted as read."""
        given = tuple(keys)
        value = super().look_up(name, given)
        self.read.append((name, given))
        return value


_FOLDS: Mapping[str, Callable[[Iterator[Any]], Any]] = {
    "total": sum,
    "any": any,
    "all": all,
    "no": lambda found: not any(found),
}
