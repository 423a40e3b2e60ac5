"""All situations that can follow from one, each run once for every answer of chance or a policy."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.ir import Site
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Machine, Streams
from rulekit.runtime.odds.nodes import Keeper, Node
from rulekit.runtime.support import asked
from rulekit.runtime.support.asked import Question
from rulekit.runtime.support.build import STEP_FUEL
from rulekit.runtime.support.layout import FUEL

Answers = Iterable[tuple[Any, int, Any]]
"""Answers to a choice, each with its weight (above 0) and what the policy remembers after it."""

Policy = Callable[[Machine, Question, Any], Answers]
"""How choices are answered: from the machine that asks, the question, and what the policy remembers."""


class Unanswered(Exception):
    """A policy has no answer to a choice; the message says to which."""


@frozen
class FaultOutcome:
    """The rules cannot go on: an outcome like any other.

    Faults of one kind at one place are one outcome; `message` is that of the first.
    """

    name: str
    site: Site | None

    message: str = ""


@frozen
class Ended:
    """The game ended before the question could be read, because it asks for a value of a procedure."""

    result: Any


ENDLESS: Final = 0
"""The number of the outcome of loops that go round for ever."""

LEFT: Final = 1
"""The number of the outcome of what was not followed to its end."""


STEPS_BETWEEN_LOOKS: Final = 500
"""Steps that are run before the clock is looked at again."""

MOST_OUTCOMES: Final = 100_000
"""Outcomes of one roll, draw or shuffle that are followed."""


@frozen
class Budget:
    """How much work an answer may take: different situations, steps, and seconds of processor time."""

    situations: int = 500_000
    steps: int = 10**9
    seconds: float = inf


class Graph:
    """The situations that follow from a start; `explore` finds them.

    Attributes:
        nodes: All situations, by number; the start is the first.
        outcomes: Where it can end, by number: the value that the procedure gave, a fault, an end of the game.
            In edges, outcome number n is `~n`.
        unexplored: How many situations have not been worked out.
        runs: How many steps were run.
        sites: Where chance and choices were asked; `points` are the points of chance among them.
        first: Each answer to the first question, with its weight and what follows.
        value_of: Makes the outcome from the value that the procedure gave.
    """

    def __init__(
        self,
        module: GeneratedModule,
        keeper: Keeper,
        policy: Policy,
        after_the_end: Callable[[Sequence[Any], Any], Any],
    ) -> None:
        """`after_the_end` gives the value of a game that has ended, from its cells and its result."""
        self.module = module
        self.machine = Machine(module, Streams(module, 0), [])
        self.nodes: list[Node] = []
        self.outcomes: list[Any] = [FaultOutcome("endless", None, "a loop goes round for ever"), LEFT]
        self.runs = 0
        self.sites: set[int] = set()
        self.points: set[int] = set()
        self.first: list[tuple[Any, int, int]] = []
        self.value_of: Callable[[Any], Any] = lambda value: value
        self._keeper, self._policy, self._after_the_end = keeper, policy, after_the_end
        self._numbers: dict[Any, int] = {}
        self._outcome_numbers: dict[Any, int] = {}
        self._faults: dict[tuple[str, Site | None], int] = {}
        self._waiting: list[tuple[float, int]] = []
        self._expected: list[float] = []

    @property
    def unexplored(self) -> int:
        """How many situations have not been worked out."""
        return sum(node.edges is None for node in self.nodes)

    def begin(self, cells: Sequence[Any], procedure: str, arguments: tuple[Any, ...], memory: Any) -> int:
        """Run a procedure up to its first question; the node, or `~outcome`."""
        machine = self.machine
        machine.M[:] = cells
        machine.M[FUEL] = STEP_FUEL
        self.runs += 1
        key = ("procedure", procedure, False)
        try:
            if self.module.stops(key):
                machine.push(procedure, *arguments)
                if machine.run():
                    start = self._reach(memory)
                    self._expect(start, 1.0)
                    return start
            else:
                machine.value = machine.call(procedure, *arguments)
        except Finished as finished:
            return self._end(finished.result)
        except Fault as fault:
            return self._fault(fault)
        return self._outcome(machine.value)

    def explore(self, budget: Budget) -> None:
        """Work out what follows, the likeliest situations first, until all is known or the budget spent."""
        begin = time.process_time()
        waiting, nodes = self._waiting, self.nodes
        look = self.runs + STEPS_BETWEEN_LOOKS
        while waiting:
            if len(nodes) > budget.situations or self.runs > budget.steps:
                return
            if self.runs >= look and time.process_time() - begin > budget.seconds:
                return
            look = self.runs + STEPS_BETWEEN_LOOKS if self.runs >= look else look
            _, number = heapq.heappop(waiting)
            node = nodes[number]
            if node.edges is None and self._is_small(node, budget):
                self._work_out(number, node)

    def _is_small(self, node: Node, budget: Budget) -> bool:
        """Whether the outcomes of what is asked are few enough to follow them all."""
        if node.asked[0] >= 0:
            return True
        count = asked.outcome_count(self.module.program.points[~node.asked[0]], node.asked)
        return count <= min(budget.steps - self.runs, MOST_OUTCOMES)

    def _work_out(self, number: int, node: Node) -> None:
        """Find what follows one node, for every answer."""
        machine, keeper = self.machine, self._keeper
        cells = machine.M
        question = node.asked
        answers: Iterable[Any]
        if question[0] < 0:
            point = self.module.program.points[~question[0]]
            answers = ((answer, weight, node.memory) for answer, weight in asked.outcomes(point, question))
        else:
            keeper.put(machine, node)
            machine.asked, machine.choosing = question, node.choosing
            answers = list(self._policy(machine, question, node.memory))
        edges: dict[int, int] = {}
        total = 0
        expected = self._expected[number]
        for answer, weight, memory in answers:
            keeper.put(machine, node)
            cells[FUEL] = STEP_FUEL
            self.runs += 1
            try:
                if machine.run(answer):
                    follower = self._reach(memory)
                else:
                    follower = self._outcome(machine.value)
            except Finished as finished:
                follower = self._end(finished.result)
            except Fault as fault:
                follower = self._fault(fault)
            if not number:
                self.first.append((answer, weight, follower))
            edges[follower] = edges.get(follower, 0) + weight
            total += weight
        node.edges, node.total = list(edges.items()), total
        node.cells = node.stack = node.late = ()
        for follower, weight in node.edges:
            if follower >= 0 and self.nodes[follower].edges is None:
                self._expect(follower, expected * weight / total)

    def _expect(self, number: int, more: float) -> None:
        """Put a node into the queue, again if it has become much likelier."""
        before = self._expected[number]
        self._expected[number] = after = before + more
        if after >= 2 * before:
            heapq.heappush(self._waiting, (-after, number))

    def _reach(self, memory: Any) -> int:
        """The number of the node in which the machine has stopped."""
        key, node = self._keeper.take(self.machine, memory)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.nodes)
            self.nodes.append(node)
            self._expected.append(0.0)
            routine, label = node.stack[-1][:2]
            point = self.module.cuts[routine].labels[label]
            assert point is not None
            self.sites.add(point.site)
            if node.asked[0] < 0:
                self.points.add(~node.asked[0])
        return number

    def _outcome(self, value: Any) -> int:
        value = self.value_of(value)
        number = self._outcome_numbers.get(value)
        if number is None:
            number = self._outcome_numbers[value] = len(self.outcomes)
            self.outcomes.append(value)
        return ~number

    def _end(self, result: Any) -> int:
        self.machine.stack.clear()
        try:
            return self._outcome(self._after_the_end(self.machine.M, result))
        except Fault as fault:
            return self._fault(fault)

    def _fault(self, fault: Fault) -> int:
        self.machine.stack.clear()
        self.machine.late.clear()
        key = (fault.name, fault.site)
        if key not in self._faults:
            self._faults[key] = len(self.outcomes)
            self.outcomes.append(FaultOutcome(fault.name, fault.site, fault.message))
        return ~self._faults[key]
