"""Statements that leave an event for a side to see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulekit import ir
from rulekit.analysis.prove.secrecy.twins import size_of
from rulekit.ir import walk
from rulekit.ir.conditions import FLAG
from rulekit.ir.semantics.effects import effects
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.types import ListOf, SetOf, Type

SILENT = (ir.Let, ir.When, ir.ForEach, ir.Repeat, ir.Leave, ir.Next, ir.Return, ir.Do, ir.Together)
"""Statements that leave no event of their own, whatever is in their blocks."""
LEAVING = (ir.Leave, ir.Next, ir.Return, ir.Finish)


class Visible:
    """Tells whether a block or procedure may leave an event; a procedure is read once."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._loud: dict[str, bool] = {}

    def is_seen(self, block: Iterable[ir.Stmt]) -> bool:
        """True if running a block may leave an event."""
        for stmt in walk.statements(tuple(block)):
            if not isinstance(stmt, SILENT) or effects(stmt, {}).asks:
                return True
            if isinstance(stmt, ir.Do) and self._is_procedure_seen(stmt.procedure):
                return True
        return False

    def _is_procedure_seen(self, name: str) -> bool:
        if name not in self._loud:
            self._loud[name] = False
            self._loud[name] = self.is_seen(self._facts.procedures[name].body)
        return self._loud[name]


def sizes(stmt: ir.Write | ir.Put, kind: Type, given: Sequence[ir.Expr]) -> tuple[ir.Expr, ...]:
    """Return the numbers that a change may add to the size of a set or list.

    Args:
        given: Conditions that hold before.
    """
    value, before = stmt.value, ir.Read(stmt.state, stmt.keys, kind)
    if value is None:
        return ()
    if isinstance(stmt, ir.Write) and stmt.op in ("include", "exclude"):
        if isinstance(value, ir.Op) and value.op == "single":
            return (ir.Op("has", (*value.operands, before), FLAG),)
        if stmt.op == "exclude" and ir.Op("within", (value, before), FLAG) in given:
            return (size_of(value),)
        return (size_of(ir.Op("diff" if stmt.op == "include" else "inter", (value, before), value.type)),)
    if isinstance(stmt, ir.Write) and stmt.op == "drop":
        return (ir.Op("list_has", (value, before), FLAG),)
    return (size_of(value),) if isinstance(value.type, SetOf | ListOf) else ()


def bindings(block: ir.Block) -> dict[str, ir.Local]:
    """The locals that the statements of a block bind."""
    return {local.name: local for stmt in walk.statements(block) for local in walk.bindings(stmt).values()}


def leaves(block: ir.Block) -> bool:
    return any(isinstance(stmt, LEAVING) for stmt in walk.statements(block))


def always_leaves(block: ir.Block) -> bool:
    return bool(block) and isinstance(block[-1], LEAVING)
