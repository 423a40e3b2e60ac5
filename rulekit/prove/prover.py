"""Asking whether a condition can hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from rulekit import ir
from rulekit.ir import walk
from rulekit.prove.answers import Answer, Never, Seen, Unknown
from rulekit.prove.classes import Classes
from rulekit.prove.closures import Closures, Env
from rulekit.prove.reading import Reading
from rulekit.prove.search import BUDGET, Search

MOST_NODES = 2_000
"""An expression is not made larger than this by putting calls in line."""


class Prover:
    """Questions about one program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._functions: Mapping[str, ir.Function] = {item.name: item for item in program.functions}
        self._fresh = count()

    def can_hold(self, params: Sequence[ir.Param], test: ir.Expr, budget: int = BUDGET) -> Answer:
        """Whether there is a state, and values of the parameters, for which a test holds.

        States are any that their types allow.  A test that faults does not hold.
        """
        asked = self._in_line(test)
        classes = Classes(self.program, self._functions, asked)
        search = Search(budget)
        reading = Reading(self.program, classes, search)
        holds = Closures(self.program, reading).made(asked)
        wanted = walk.free(asked)
        read = [param for param in params if param.name in wanted]

        def worked_out() -> bool:
            return bool(holds(_Arguments(reading, read)))

        found = search.answer(worked_out, reading.forget)
        if isinstance(found, Seen) and reading.lacking:
            return Unknown(f"missing-data {min(reading.lacking)}", search.tried)
        if isinstance(found, Never) and reading.sampled:
            return Unknown(f"range {min(reading.sampled)}", search.tried)
        return found

    def _in_line(self, e: ir.Expr) -> ir.Expr:
        """The expression with small calls put in line, so that what they compare is seen."""
        parts = tuple(self._in_line(part) for part in walk.children(e))
        e = walk.rebuild(e, parts)
        if not isinstance(e, ir.Apply):
            return e
        function = self._functions[e.function]
        if walk.size(function.body) > MOST_NODES or not all(map(_simple, e.arguments)):
            return e
        body = walk.renamed(function.body, self._name)
        values = {param.name: part for param, part in zip(function.params, e.arguments, strict=True)}
        made = self._in_line(walk.substitute(body, values))
        return made if walk.size(made) <= MOST_NODES else e

    def _name(self, name: str) -> str:
        return f"{name}'{next(self._fresh)}"


class _Arguments(Env):
    """The parameters of a question, each asked for where it is first read."""

    def __init__(self, reading: Reading, params: Sequence[ir.Param]) -> None:
        super().__init__()
        self._reading = reading
        self._params = {param.name: param for param in params}

    def __missing__(self, name: str) -> object:
        self[name] = value = self._reading.parameter(self._params[name])
        return value


def _simple(e: ir.Expr) -> bool:
    """Whether an argument may be worked out as often as it is read."""
    return isinstance(e, ir.Const | ir.Local) or (
        isinstance(e, ir.Read | ir.Static) and all(map(_simple, e.keys))
    )
