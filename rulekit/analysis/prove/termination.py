"""Loops that surely come to an end: something in them only ever goes up, or down, and has a bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from rulekit import ir
from rulekit.ir import walk
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.types import Int

Step = tuple[str, Literal["up", "down"]]
"""A state, and the only way it goes."""
_SKIPPING = (ir.Next, ir.Return)


class Endings:
    """Asks of the loops of one program whether they end."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._procedures = program.by_name.procedures
        self._facts = Facts(program)

    def loops(self) -> Iterator[tuple[str, ir.Repeat]]:
        """Yield each loop with a condition that the rules have written, with its procedure."""
        for procedure in self._program.procedures:
            for stmt in walk.statements(procedure.body):
                if isinstance(stmt, ir.Repeat) and stmt.kind != "times" and ":" not in procedure.name:
                    yield procedure.name, stmt

    def ends(self, loop: ir.Repeat) -> bool:
        """Whether it is proved that a loop is left, or comes to a fault at the end of a range.

        Something is added to (or taken from) a state whenever it goes round, and nothing that it does changes
        that state otherwise: each value has a range, and their number is finite.
        """
        if loop.kind == "times":
            return True
        inside = list(self._facts.statements_from(loop.body))
        return any(
            all(_goes(stmt) == step for stmt in inside if step[0] in self._facts.changes(stmt))
            for step in self._steps(loop.body, ())
        )

    def _steps(self, block: ir.Block, inside: tuple[str, ...]) -> Iterator[Step]:
        """The states that are sure to take a step in a block."""
        for stmt in block:
            step = _goes(stmt)
            if step is not None and _strictly(stmt):
                yield step
            if isinstance(stmt, ir.Step | ir.Together):
                yield from self._steps(stmt.body, inside)
            elif isinstance(stmt, ir.Do) and stmt.procedure not in inside:
                body = self._procedures[stmt.procedure].body
                yield from self._steps(body, (*inside, stmt.procedure))
            if any(isinstance(inner, _SKIPPING) for inner in walk.statements((stmt,))):
                return  # what follows may be passed over


def _goes(stmt: ir.Stmt) -> Step | None:
    """The state that a statement moves in one direction, and which."""
    if isinstance(stmt, ir.DrawTop):
        return stmt.state, "down"
    if not isinstance(stmt, ir.Write) or stmt.op not in ("add", "subtract") or stmt.value is None:
        return None
    kind = stmt.value.type
    if stmt.clamp or not isinstance(kind, Int) or kind.low < 0 < kind.high:
        return None
    return stmt.state, "up" if (stmt.op == "add") == (kind.low >= 0) else "down"


def _strictly(stmt: ir.Stmt) -> bool:
    """Whether the step of a statement is never none."""
    if isinstance(stmt, ir.DrawTop):
        return stmt.one
    if not isinstance(stmt, ir.Write) or stmt.value is None or not isinstance(stmt.value.type, Int):
        return False
    return stmt.value.type.low > 0 or stmt.value.type.high < 0
