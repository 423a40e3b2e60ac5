"""The calendar of a rule set: which month it is, by what the states hold, and the other way round."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit import ir
from rulekit.ir.walk import nodes
from rulekit.reports.sheet.reachability.expressions import Reader
from rulekit.reports.sheet.reachability.guess import Guess, Kinds, number
from rulekit.reports.sheet.reachability.memory import Memory


class MonthReader:
    """The month that it is now.

    Args:
        name: The calendar's; empty where there is none.
    """

    def __init__(self, program: ir.Program, kinds: Kinds, name: str) -> None:
        self._program, self._kinds = program, kinds
        function = program.by_name.functions.get(name)
        self._body = function.body if function is not None else None

    def at(self, held: Mapping[str, Guess]) -> Guess:
        """Which months it may be where some states are known to hold something."""
        if self._body is None or not held:
            return None
        reader = Reader(self._program, Memory(self._program, self._kinds, {}, held), self._kinds, 0)
        return reader.value(self._body, {})

    def states_in(self, month: int) -> dict[str, Guess]:
        """Return the values of the state that determines the month, in the turn that contains one."""
        read = {} if self._body is None else {n.state: n for n in self._reads(self._body)}
        if len(read) != 1:
            return {}
        ((name, node),) = read.items()
        values = self._kinds.spread(None, node.type)
        found: dict[int, set[ir.expr.Value]] = {}
        for value in values if isinstance(values, frozenset) else ():
            months = self.at({name: frozenset((value,))})
            for each in map(number, months) if isinstance(months, frozenset) else ():
                if each <= month:
                    found.setdefault(each, set()).add(value)
        return {name: frozenset(found[max(found)])} if found else {}

    def _reads(self, body: ir.Expr) -> list[ir.Read]:
        return [node for node in nodes(body) if isinstance(node, ir.Read) and not node.keys]
