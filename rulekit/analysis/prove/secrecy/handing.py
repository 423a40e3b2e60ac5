"""Knowledge handed to a procedure or choice, in terms of its own parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulekit import ir
from rulekit.analysis.prove.secrecy.twins import RevealedValue
from rulekit.ir import walk

GIVEN = "given "
"""The beginning of the name of a parameter before it takes the place of a local that may have its name."""


class Handing:
    """Puts parameters in the place of their arguments."""

    def __init__(self, params: Sequence[ir.Param], arguments: Sequence[ir.Expr]) -> None:
        given = [
            (e, ir.Local(f"{GIVEN}{param.name}", param.type))
            for param, e in zip(params, arguments, strict=True)
        ]
        self._parts: dict[ir.Expr, ir.Expr] = {e: local for e, local in given if not isinstance(e, ir.Const)}
        self._names = {e.name: local for e, local in self._parts.items() if isinstance(e, ir.Local)}
        self._own = {f"{GIVEN}{param.name}": ir.Local(param.name, param.type) for param in params}

    def values_inside(self, values: Iterable[RevealedValue]) -> frozenset[RevealedValue]:
        """Return the values that are still shown inside."""
        replaced = (one.with_parts(self._parts).with_names(self._names) for one in values)
        return frozenset(one.with_names(self._own) for one in replaced if one.free <= self._own.keys())

    def conditions_inside(self, conditions: Iterable[ir.Expr]) -> tuple[ir.Expr, ...]:
        """Return the conditions that speak of parameters alone."""
        replaced = (
            walk.substitute(walk.with_parts_replaced(e, self._parts), self._names) for e in conditions
        )
        return tuple(walk.substitute(e, self._own) for e in replaced if walk.free(e) <= self._own.keys())
