"""Which loops pay for their runs.

A loop that is bounded before it starts, and whose runs, with all the unpaid loops in it and in what it
calls, are few, ends by itself: it is not charged.  A loop that pays pays for these too: each run counts for
more, the more unpaid work it may hold (its `weight`).  So a budget bounds time, and a game that never ends is
found out soon.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.ir import Block, Do, Expr, ForEach, Procedure, Repeat, walk
from rulekit.ir.types import Int, ListOf
from rulekit.runtime.optimise import sets
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.support.build import UNCHARGED, UNFUELLED

SHORT = 64
"""Most runs of a `repeat` that does not pay."""
LIGHT = 16
"""Unpaid runs inside one run of a loop that pays, for which it pays once more."""
NODES = 16
"""Nodes of an expression that take about as long as a run of a loop."""


class Budget:
    """Bounds on the runs of one program's loops; `procedure` gives a procedure as it will be compiled."""

    def __init__(self, context: OptimiserContext, procedure: Callable[[str], Procedure]) -> None:
        self.context = context
        self._procedure = procedure
        self._of_procedures: dict[str, int] = {}

    def is_charged(self, stmt: ForEach | Repeat) -> bool:
        """Whether a loop pays; those that take turns, or test a condition, always do."""
        return self._pays(stmt, self._runs(stmt))

    def _pays(self, stmt: ForEach | Repeat, runs: int) -> bool:
        if isinstance(stmt, Repeat):
            free = stmt.kind == "times" and _times(stmt.control) <= SHORT
        else:
            free = not _open(stmt)
        return not free or runs > UNCHARGED

    def weight(self, stmt: ForEach | Repeat) -> int:
        """The price of each run of a loop."""
        return 1 + self._unpaid(stmt.body) // LIGHT

    def _runs(self, stmt: ForEach | Repeat) -> int:
        most = self.most(stmt.over) if isinstance(stmt, ForEach) else _times(stmt.control)
        return most * (1 + self._unpaid(stmt.body))

    def most(self, over: Expr) -> int:
        """The most members that a collection may have."""
        if not isinstance(over.type, ListOf):
            held = sets.top(self.context, over)
            if held is not None:
                return held.bit_count()
        return self.context.facts.members(over.type)

    def _unpaid(self, block: Block) -> int:
        """The most runs of loops in a block that nothing pays for; those of a charged loop count as one.

        What expressions cost counts as runs.
        """
        total = 0
        for stmt in block:
            total += sum(self._cost(e) for e in walk.expressions(stmt)) // NODES
            if isinstance(stmt, ForEach | Repeat):
                runs = self._runs(stmt)
                total += 1 if self._pays(stmt, runs) else runs
            else:
                total += sum(map(self._unpaid, walk.blocks(stmt)))
                total += self._of_procedure(stmt.procedure) if isinstance(stmt, Do) else 0
        return total

    def _cost(self, e: Expr) -> int:
        """The cost of an expression that pays for none of its own loops."""
        return min(self.context.facts.cost(e), UNFUELLED)

    def _of_procedure(self, name: str) -> int:
        if name not in self._of_procedures:
            self._of_procedures[name] = UNCHARGED
            self._of_procedures[name] = self._unpaid(self._procedure(name).body)
        return self._of_procedures[name]


def _open(stmt: ForEach) -> bool:
    """Whether members may have more than one turn, or a side picks the next one."""
    return stmt.alternating is not None or stmt.order is not None and stmt.order.kind == "chosen"


def _times(control: Expr) -> int:
    return max(control.type.high, 0) if isinstance(control.type, Int) else UNCHARGED + 1
