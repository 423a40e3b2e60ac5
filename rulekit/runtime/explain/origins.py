"""Where the arguments of the open choice come from: expressions of the procedures that wait for its answer.

A choice often picks from a set that its caller has worked out.  What is known of the caller are the locals
that its frame keeps, and the arguments themselves; an expression counts as the origin of an argument only if
its value is still the argument's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from rulekit.ir import (
    Choice,
    Choose,
    ChooseEach,
    Do,
    Expr,
    ForEach,
    Let,
    Local,
    Op,
    Procedure,
    Stmt,
    walk,
)
from rulekit.ir.types import SetOf
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.codegen.routines.frames import Cut, Frame, StopPoint
from rulekit.runtime.explain.explainer import Explainer, Unknown
from rulekit.runtime.explain.scope import ValueScope
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.support.wording import BEFORE

MOST_CALLERS: Final = 3
"""Procedures, from the inside out, that are looked into."""

LEFT: Final = "left"
"""The parameter of the choice of a loop `as SIDE chooses`: the members that are left."""

Waiting = tuple[Cut, Frame, StopPoint]
Origins = dict[str, tuple[Expr, ValueScope]]


class Callers:
    """The procedures that wait for the answer to the open choice.

    Args:
        frames: Whether the locals that their frames keep may be used; else only the arguments of the choice.
    """

    def __init__(self, machine: Machine, explainer: Explainer, *, frames: bool) -> None:
        self._module: GeneratedModule = machine.module
        self._explainer, self._frames = explainer, frames
        self._machine = machine

    def origins(self, choice: Choice) -> Origins:
        """For parameters of the choice the expression that they were given, and its scope."""
        waiting = self._waiting(("choice", choice.name, False))
        given = dict(zip((param.name for param in choice.params), self._machine.choosing, strict=True))
        around = self._around(waiting, list(given), given, MOST_CALLERS)
        if around is None:
            return {}
        arguments, scope = around
        if LEFT in given and not arguments:
            return self._of_loop(waiting[0], scope, given[LEFT])
        return {
            name: (argument, scope)
            for name, argument in arguments.items()
            if self._is_origin(argument, scope, given[name])
        }

    def _of_loop(self, waiting: Waiting, scope: ValueScope, left: Any) -> Origins:
        """The origin of the members that a loop has left: all of them, without those that had their turn."""
        cut, _, label = waiting
        stmt = _calling(self._module.program.by_name.procedures[cut.key[1]], label)
        if not isinstance(stmt, ForEach):
            return {}
        try:
            over = self._explainer.value(stmt.over, scope)
        except Unknown:
            return {}
        if not isinstance(over, int) or not isinstance(left, int) or left & ~over:
            return {}
        before = Local(BEFORE, stmt.over.type)
        rest = Op("diff", (stmt.over, before), stmt.over.type)
        return {LEFT: (rest, scope.with_member(before, over & ~left))}

    def _waiting(self, called: tuple[str, str, bool]) -> list[Waiting]:
        """The frames that wait for a call, the innermost first, each with the place where it waits."""
        waiting: list[Waiting] = []
        for frame in reversed(self._machine.stack):
            cut = self._module.cuts[frame[0]]
            label = cut.labels[frame[1]]
            if label is not None and label.instead is not None:
                label = cut.labels[label.instead]
            if label is None:
                return waiting
            if label.calls == called:
                waiting.append((cut, frame, label))
                called = cut.key
        return waiting

    def _around(
        self, waiting: list[Waiting], params: list[str], values: Mapping[str, Any], left: int
    ) -> tuple[dict[str, Expr], ValueScope] | None:
        """The arguments of the innermost of those that wait, by parameter, and the scope of its call."""
        if not waiting or not left:
            return None
        cut, frame, label = waiting[0]
        procedure = self._module.program.by_name.procedures[cut.key[1]]
        stmt = _calling(procedure, label)
        if stmt is None:
            return None
        arguments = dict(zip(params, _arguments(stmt), strict=False))
        known = self._kept_locals(procedure, frame, label)
        for name, argument in arguments.items():
            if isinstance(argument, Local) and name in values:
                known[argument.name] = values[name]
        site = self._module.program.sites[stmt.site]
        origins: Origins = {}
        scope = ValueScope(known, site, site.rules, origins)
        names = [param.name for param in procedure.params]
        outer = self._around(waiting[1:], names, known, left - 1)
        if outer is not None:
            given, around = outer
            for name, argument in given.items():
                self._trace(name, argument, around, known, origins)
        for name, value in _lets(procedure).items():
            self._trace(name, value, scope, known, origins)
        return arguments, scope

    def _trace(self, name: str, e: Expr, around: ValueScope, known: dict[str, Any], origins: Origins) -> None:
        """Note that a local has the value of an expression, if it has."""
        if name not in known:
            with suppress(Unknown):
                known[name] = self._explainer.value(e, around)
                origins[name] = e, around
        elif self._is_origin(e, around, known[name]):
            origins[name] = e, around

    def _kept_locals(self, procedure: Procedure, frame: Frame, label: StopPoint) -> dict[str, Any]:
        """The values of locals that a frame keeps."""
        if not self._frames:
            return {}
        own = {local.name for local in (*procedure.params, *procedure.locals)}
        kept = ((variable.name, frame[slot]) for slot, variable in label.kept)
        return {name: value for name, value in kept if name in own and value is not None}

    def _is_origin(self, e: Expr, scope: ValueScope, value: Any) -> bool:
        """Whether a set still has the value that it was given with."""
        if not isinstance(e.type, SetOf):
            return False
        try:
            return bool(self._explainer.value(e, scope) == value)
        except Unknown:
            return False


def _calling(procedure: Procedure, label: StopPoint) -> Stmt | None:
    """The statement at which a procedure waits; None if several share its site."""
    assert label.calls is not None
    _, called, _ = label.calls
    calls = [
        stmt
        for stmt in walk.statements(procedure.body)
        if stmt.site == label.site and called in _callees(stmt)
    ]
    return calls[0] if len(calls) == 1 else None


def _callees(stmt: Stmt) -> tuple[str, ...]:
    """The choice or procedure that a statement waits for."""
    if isinstance(stmt, Choose | ChooseEach):
        return (stmt.choice,)
    if isinstance(stmt, Do):
        return (stmt.procedure,)
    if isinstance(stmt, ForEach) and stmt.order is not None and stmt.order.kind == "chosen":
        return (stmt.order.name,)
    return ()


def _arguments(stmt: Stmt) -> tuple[Expr, ...]:
    """The arguments of a call."""
    return stmt.arguments if isinstance(stmt, Choose | ChooseEach | Do) else ()


def _lets(procedure: Procedure) -> dict[str, Expr]:
    """The locals that one statement alone binds, a `let`, each with its expression; in their order."""
    bound = Counter(
        local.name for stmt in walk.statements(procedure.body) for local in walk.bindings(stmt).values()
    )
    lets = (stmt for stmt in walk.statements(procedure.body) if isinstance(stmt, Let))
    return {let.local.name: let.value for let in lets if bound[let.local.name] == 1}
