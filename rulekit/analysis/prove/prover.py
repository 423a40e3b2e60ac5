"""Asking whether a condition can hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from rulekit import ir
from rulekit.analysis.prove.answer_cache import AnswerCache, QuestionKeys
from rulekit.analysis.prove.evaluate import Closures, Env
from rulekit.analysis.prove.reading import StateReader
from rulekit.analysis.prove.records import in_values
from rulekit.analysis.prove.search import BUDGET, Answer, Search
from rulekit.analysis.prove.value_classes import ClassCache, ValueClasses
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base.results import ResultTable
from rulekit.base.solver import is_installed
from rulekit.ir import walk
from rulekit.ir.conditions import conjunction
from rulekit.ir.memo import Trees
from rulekit.ir.semantics.facts import Facts

MOST_NODES = 2_000
"""An expression is not made larger than this by putting calls in line."""


class Prover:
    """Questions about one program."""

    def __init__(
        self,
        program: ir.Program,
        *,
        solver: bool = False,
        solver_after: float = 1.0,
        answers: ResultTable[Any] | None = None,
        trees: Trees | None = None,
    ) -> None:
        """Get ready.

        Args:
            solver: What the search leaves open is given to a solver, if there is one.
            solver_after: The share of its budget after which the search does so.
            answers: What is known of other days, and of other programs of the same set; gets what is new.
            trees: What is known of trees of the program.
        """
        self.program = program
        self.has_solver = solver and is_installed()
        """Whether a solver gets what the search leaves open."""
        self._solver_after = solver_after
        self.asked_solver = False
        """Whether the solver was asked for the last answer that was worked out."""
        self.kept = None if answers is None else (AnswerCache(answers), QuestionKeys(program, trees))
        """The answers of other days, and the names that questions have among them."""
        self._functions: Mapping[str, ir.Function] = program.by_name.functions
        self._facts = Facts(program, trees)
        self._alike = ClassCache()
        self._fresh = count()
        self._bodies: dict[str, ir.Expr] = {}
        """Of functions, with small calls put in line."""

    def prove_never(
        self,
        params: Sequence[ir.Param],
        test: ir.Expr,
        budget: int = BUDGET,
        promises: Sequence[ir.Expr] = (),
        *,
        shown: bool = True,
    ) -> Answer:
        """Whether there is a state, and values of the parameters, for which a test and some promises hold.

        States are any that their types allow.  A test that faults does not hold.  A situation that is to be
        shown is made plain: of each thing the first value that will do.
        """
        params, (test, *promises) = in_values(params, (test, *promises))
        if self.kept is None:
            return self._find(params, test, budget, promises, shown=shown)
        answers, names = self.kept
        tests = (test, *promises)
        name = names.of(params, tests, budget, False)
        answer = answers.get(name, shown=shown)
        if answer is not None and not (self.has_solver and isinstance(answer, Undecided)):
            return answer  # a search that decides it does so before a solver is asked
        solved = names.of(params, tests, budget, True) if self.has_solver else ""
        answer = answers.get(solved, shown=shown) if solved else None
        if answer is None:
            answer = self._find(params, test, budget, promises, shown=shown)
            by_solver = self.asked_solver or isinstance(answer, Undecided)
            answers.put(solved if by_solver and solved else name, answer)
        return answer

    def _find(
        self,
        params: Sequence[ir.Param],
        test: ir.Expr,
        budget: int,
        promises: Sequence[ir.Expr],
        *,
        shown: bool,
    ) -> Answer:
        self.asked_solver = False
        asked = self._in_line(test)
        whole = conjunction(asked, *promises)
        classes = ValueClasses(self.program, self._functions, whole, self._alike)
        search = Search(budget)
        reading = StateReader(self.program, classes, search)
        closures = Closures(self.program, reading)
        holds, kept = closures.closure(asked), [closures.closure(promise) for promise in promises]
        wanted = walk.free(asked)
        read = [param for param in params if param.name in wanted]
        readers = {param.name: reading.parameter(param) for param in read}

        def worked_out() -> bool:
            arguments = _Arguments(readers)
            return bool(holds(arguments)) and search.keeps(kept, arguments)

        most = self._solver_after if self.has_solver else 1.0
        answer = search.answer(worked_out, reading.forget, shown=shown, most=most)
        if isinstance(answer, Refuted) and reading.lacking:
            return Undecided(f"missing-data {min(reading.lacking)}", search.tried)
        if isinstance(answer, Proved) and reading.sampled:
            answer = Undecided(f"range {min(reading.sampled)}", search.tried)
        if not isinstance(answer, Undecided) or not self.has_solver:
            return answer
        from rulekit.analysis.prove.smt import (
            propose,  # z3 is slow to load, and few questions come so far
        )

        self.asked_solver = True
        looked = propose(self.program, read, (asked, *promises))
        if looked == "never":
            return Proved(search.tried)
        if looked == "open":
            return answer
        seen = search.looked_at(worked_out, reading.forget, looked, shown=shown)
        return seen if seen is not None and not reading.lacking else answer

    def promises(self, test: ir.Expr, *, near: bool = False) -> tuple[ir.Expr, ...]:
        """Every invariant and assumption that speaks of what a test reads, directly or not.

        What breaks a promise is no situation of the game.

        Args:
            near: Only those that read nothing else, which are quick to keep.
        """
        read = self._facts.reads(test)
        if near:
            kept_so = (invariant.body for invariant in self.program.invariants)
            return tuple(body for body in kept_so if self._facts.reads(body) <= read)
        kept: list[ir.Invariant] = []
        waiting = list(self.program.invariants)
        while near_by := [invariant for invariant in waiting if self._facts.reads(invariant.body) & read]:
            kept += near_by
            read = read.union(*(self._facts.reads(invariant.body) for invariant in near_by))
            waiting = [invariant for invariant in waiting if invariant not in near_by]
        return tuple(invariant.body for invariant in kept)

    def _in_line(self, e: ir.Expr) -> ir.Expr:
        """The expression with small calls put in line, so that what they compare is seen."""
        parts = tuple(self._in_line(part) for part in walk.children(e))
        e = walk.rebuild(e, parts)
        if not isinstance(e, ir.Apply):
            return e
        function = self._functions[e.function]
        if walk.size(function.body) > MOST_NODES or not all(map(_simple, e.arguments)):
            return e
        body = self._bodies.get(e.function)
        if body is None:
            body = self._bodies[e.function] = self._in_line(function.body)
        values = {param.name: part for param, part in zip(function.params, e.arguments, strict=True)}
        inlined = walk.substitute(walk.with_fresh_locals(body, self._name), values)
        return inlined if walk.size(inlined) <= MOST_NODES else e

    def _name(self, name: str) -> str:
        return f"{name}'{next(self._fresh)}"


class _Arguments(Env):
    """The parameters of a question, each asked for wherever it is read: so it is a reason there."""

    def __init__(self, readers: Mapping[str, Callable[[], Any]]) -> None:
        super().__init__()
        self._readers = readers

    def __missing__(self, name: str) -> object:
        return self._readers[name]()


def _simple(e: ir.Expr) -> bool:
    """Whether an argument may be worked out as often as it is read."""
    return isinstance(e, ir.Const | ir.Local) or (
        isinstance(e, ir.Read | ir.Static) and all(map(_simple, e.keys))
    )
