"""All situations that can follow from one, each run once for every answer of chance or a policy."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterable, Sequence
from math import inf, lcm
from typing import Any, Final, Protocol

from rulekit.base.frozen import frozen
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.odds.combining import TooMany
from rulekit.runtime.odds.deferring import KernelSource, OddsMachine
from rulekit.runtime.odds.landing import classes_of
from rulekit.runtime.odds.nodes import Keeper, Node
from rulekit.runtime.odds.pending import Kernel, Pending, Unresolved
from rulekit.runtime.odds.reading import FaultOutcome
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


class EndReader(Protocol):
    """Gives the outcomes of a game that has come to an end, with their weights.

    Both may raise `Unresolved`, `TooMany` and `Fault`.
    """

    def at_end(self, machine: OddsMachine, value: Any) -> Sequence[tuple[Any, int]]:
        """Return the outcomes at the end of the procedure, which gave this value."""

    def after_the_end(self, machine: OddsMachine, result: Any) -> Sequence[tuple[Any, int]]:
        """Return the outcomes of a game that has ended with a result."""


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


Edges = list[tuple[int, int]]
"""The nodes that follow something, by number, and the outcomes as `~n`, each with its weight."""


class _Landing(Exception):
    """Calls that are pending at a node must be worked out before it can go on."""

    def __init__(self, look: Unresolved) -> None:
        super().__init__()
        self.look = look


class Graph:
    """The situations that follow from a start; `explore` finds them.

    Attributes:
        nodes: All situations, by number; the first is the start, before anything is run.
        outcomes: Where it can end, by number: the value that the procedure gave, a fault, an end of the game.
            In edges, outcome number n is `~n`.
        runs: How many steps were run.
        sites: Where chance and choices were asked; `points` are the points of chance among them.
        first: Each answer to the first question, with its weight and what follows.
        open: Each answer to a choice that is left open with what follows, by the number of its situation.
    """

    def __init__(
        self,
        module: GeneratedModule,
        keeper: Keeper,
        policy: Policy,
        reader: EndReader,
        source: KernelSource | None = None,
        leaves_open: Callable[[Question], bool] | None = None,
    ) -> None:
        """`leaves_open` says of which choices the answers are kept apart, to choose among them later."""
        self.module = module
        self.machine = OddsMachine(module, source)
        self.nodes: list[Node] = []
        self.outcomes: list[Any] = [FaultOutcome("endless-loop", None, "a loop goes round for ever"), LEFT]
        self.runs = 0
        self.sites: set[int] = set()
        self.points: set[int] = set()
        self.first: list[tuple[Any, int, int]] = []
        self.open: dict[int, list[tuple[int, Edges]]] = {}
        self._keeper, self._policy, self._reader = keeper, policy, reader
        self._source, self._leaves_open = source, leaves_open
        self._numbers: dict[Any, int] = {}
        self._outcome_numbers: dict[Any, int] = {}
        self._waiting: list[tuple[float, int]] = []
        self._expected: list[float] = []

    # ------------------------------------------------------------ exploring

    def begin(
        self,
        cells: Sequence[Any],
        procedure: str,
        arguments: tuple[Any, ...],
        memory: Any,
        *,
        late: bool = False,
    ) -> int:
        """Run a procedure up to its first question; the number of the start."""
        self.machine.M[:] = cells
        return self.begin_here(procedure, arguments, memory, late=late)

    def begin_here(
        self, procedure: str, arguments: tuple[Any, ...], memory: Any, *, late: bool = False
    ) -> int:
        """The same, with the cells of the machine as they are."""
        key, machine = ("procedure", procedure, late), self.machine
        keeper, before = self._keeper, self._keeper.cells(machine)
        start = Node((), (), (), (0, 0, None, ()), (), (), memory)
        self.nodes.append(start)
        self._expected.append(1.0)

        def run() -> bool:
            keeper.put_cells(machine, before)
            machine.stack.clear()
            machine.late.clear()
            machine.put_off(())
            if self.module.stops(key):
                machine.stack.append(self.module.frame(key, arguments))
                return machine.run()
            function = self.module.routine(key)
            try:
                machine.value = function(machine, machine.M, *arguments)
            except Exception as error:
                raise machine.fault(error) from error
            return False

        try:
            start.edges, start.total = self._join([(1, self._step(run, (), memory))])
        except TooMany:
            return 0
        for follower, weight in start.edges:
            if follower >= 0:
                self._expect(follower, weight / start.total)
        return 0

    def explore(self, budget: Budget) -> None:
        """Work out what follows, the likeliest situations first, until all is known or the budget spent."""
        waiting, nodes = self._waiting, self.nodes
        begin = time.thread_time() if waiting and budget.seconds < inf else 0.0
        look = self.runs + (STEPS_BETWEEN_LOOKS if budget.seconds < inf else budget.steps)
        while waiting:
            if len(nodes) > budget.situations or self.runs > budget.steps:
                return
            if self.runs >= look and time.thread_time() - begin > budget.seconds:
                return
            look = self.runs + STEPS_BETWEEN_LOOKS if self.runs >= look else look
            _, number = heapq.heappop(waiting)
            node = nodes[number]
            if node.edges is None and self._is_small(node, budget):
                self._work_out(number, node)

    def _is_small(self, node: Node, budget: Budget) -> bool:
        """Whether the outcomes of what is asked are few enough to follow them all."""
        if node.asked[0] >= 0 or node.asked[1] == asked.CUT:
            return True
        count = asked.outcome_count(self.module.program.points[~node.asked[0]], node.asked)
        return count <= min(budget.steps - self.runs, MOST_OUTCOMES)

    def _work_out(self, number: int, node: Node) -> None:
        """Find what follows one situation, for every answer."""
        try:
            parts = self._parts(number, node)
        except _Landing as landing:
            try:
                parts = [(1, self._land(node, landing.look))]
            except TooMany:
                return
        except TooMany:
            return
        edges, total = self._join(parts)
        node.edges, node.total = edges, total
        node.cells = node.stack = node.late = ()
        expected = self._expected[number]
        for follower, weight in edges:
            if follower >= 0 and self.nodes[follower].edges is None:
                self._expect(follower, expected * weight / total)

    def _parts(self, number: int, node: Node) -> list[tuple[int, Edges]]:
        """For each answer its weight, and what follows it.

        Raises:
            _Landing: Something that is pending at the node must be known before.
        """
        machine, keeper, question = self.machine, self._keeper, node.asked
        answers: Answers
        if question[0] >= 0:
            keeper.put(machine, node)
            machine.asked, machine.choosing = question, node.choosing
            answers = list(self._policy(machine, question, node.memory))
        elif question[1] == asked.CUT:
            answers = ((0, 1, node.memory),)
        else:
            point = self.module.program.points[~question[0]]
            answers = ((answer, weight, node.memory) for answer, weight in asked.outcomes(point, question))
        parts = []
        for answer, weight, memory in answers:

            def run(answer: Any = answer) -> bool:
                keeper.put(machine, node)
                return machine.run(answer)

            followers = self._step(run, node.pending, memory)
            parts.append((weight, followers))
            if number == 1 and len(followers) == 1:
                self.first.append((answer, weight, followers[0][0]))
        if question[0] >= 0 and self._leaves_open is not None and self._leaves_open(question):
            given = [answer for answer, _, _ in answers]
            self.open[number] = list(zip(given, [follows for _, follows in parts], strict=True))
        return parts

    def _join(self, parts: Sequence[tuple[int, Edges]]) -> tuple[Edges, int]:
        """The edges for parts of these weights, and the weight of all."""
        if len(parts) == 1:
            ((share, edges),) = parts
            if share == 1:
                return edges, sum([weight for _, weight in edges])
        totals = [sum(weight for _, weight in edges) for _, edges in parts]
        common = lcm(*totals)
        joined: dict[int, int] = {}
        for (share, edges), total in zip(parts, totals, strict=True):
            factor = share * (common // total)
            for follower, weight in edges:
                joined[follower] = joined.get(follower, 0) + factor * weight
        return list(joined.items()), common * sum(share for share, _ in parts)

    def _step(self, run: Callable[[], bool], pending: Sequence[tuple[int, int]], memory: Any) -> Edges:
        """Run to the next stop or the end, and return the nodes and outcomes there.

        Raises:
            _Landing: Something that was pending before must be known.
            Unresolved: Something must be known that only an outer graph knows.
        """
        machine = self.machine
        machine.cut_at = 0
        try:
            return self._run(run, memory)
        except Unresolved as unresolved:
            look = unresolved.with_traceback(None)  # its frames would be garbage in a cycle
        before, cut = dict(pending), machine.deferred
        # It must be known of a call that this step has put off: stop after the last of these, or an earlier
        # one if something that was pending has been overwritten by then.
        while cut and any(
            count > before.get(number, 0) and look.element in self._kernel(number).elements
            for number, count in machine.pending.items()
        ):
            machine.cut_at = cut
            try:
                return self._run(run, memory)
            except Unresolved as unresolved:
                look = unresolved.with_traceback(None)
            cut -= 1
        element = look.element
        if any(element in self._kernel(number).elements for number in before):
            raise _Landing(look)
        late = (~element[0], element[1])  # what waited for the end of a block has come to it
        if any(late in self._kernel(number).elements for number in before):
            raise _Landing(Unresolved(late))
        raise look

    def _run(self, run: Callable[[], bool], memory: Any) -> Edges:
        machine = self.machine
        machine.M[FUEL] = STEP_FUEL
        self.runs += 1
        try:
            if run():
                return [(self._reach(memory), 1)]
            return self._ends(self._reader.at_end(machine, machine.value))
        except Finished as finished:
            machine.stack.clear()
            try:
                return self._ends(self._reader.after_the_end(machine, finished.result))
            except Fault as fault:
                return self._fault(fault)
        except Fault as fault:
            return self._fault(fault)

    def _kernel(self, number: int) -> Kernel:
        assert self._source is not None
        return self._source.kernel(number)

    def _expect(self, number: int, more: float) -> None:
        """Put a situation into the queue, again if it has become much likelier."""
        before = self._expected[number]
        self._expected[number] = after = before + more
        if after >= 2 * before:
            heapq.heappush(self._waiting, (-after, number))

    def _reach(self, memory: Any, later: Pending = ()) -> int:
        """The number of the situation in which the machine has stopped; `later` as of `Keeper.take`."""
        key, node = self._keeper.take(self.machine, memory, later)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.nodes)
            self.nodes.append(node)
            self._expected.append(0.0)
            routine, label = node.stack[-1][:2]
            point = self.module.cuts[routine].labels[label]
            assert point is not None
            self.sites.add(point.site)
            if node.asked[0] < 0 and node.asked[1] != asked.CUT:
                self.points.add(~node.asked[0])
        return number

    def _land(self, node: Node, look: Unresolved) -> Edges:
        """Return a situation for each class of outcomes that a look at something pending tells apart.

        Raises:
            TooMany: There are too many outcomes.
        """
        machine, keeper = self.machine, self._keeper
        assert self._source is not None
        bare = Node(node.cells, node.stack, node.late, node.asked, node.choosing, (), node.memory)
        edges = []
        for part in classes_of(self._source, node.pending, look):
            keeper.put(machine, bare)
            machine.asked, machine.choosing = node.asked, node.choosing
            machine.change(part.sure)
            edges.append((self._reach(node.memory, part.pending), part.weight))
        return edges

    def sites_met(self) -> set[int]:
        """The sites where chance and choices were asked, and those of the points of chance themselves."""
        points = self.module.program.points
        return self.sites | {points[point].site for point in self.points}

    # ------------------------------------------------------------ ends

    def _ends(self, outcomes: Sequence[tuple[Any, int]]) -> Edges:
        """Return the edges to outcomes with these weights."""
        numbers, met = self._outcome_numbers, self.outcomes
        edges = []
        for outcome, weight in outcomes:
            number = numbers.setdefault(outcome, len(met))
            if number == len(met):
                met.append(outcome)
            edges.append((~number, weight))
        return edges

    def _fault(self, fault: Fault) -> Edges:
        self.machine.stack.clear()
        self.machine.late.clear()
        return self._ends([(FaultOutcome(fault.name, fault.site, fault.message), 1)])
