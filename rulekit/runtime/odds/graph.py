"""All situations that can follow from one, each run once for every answer of chance or a policy."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from math import inf, lcm
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.ir import Site
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.odds.combining import Joint, TooMany, combine, groups_of, product_of
from rulekit.runtime.odds.deferring import UNKNOWN, KernelSource, OddsMachine
from rulekit.runtime.odds.nodes import Keeper, Node
from rulekit.runtime.odds.pending import NUMBER, Element, Kernel, Unresolved, decided_by
from rulekit.runtime.support import asked
from rulekit.runtime.support.asked import Question
from rulekit.runtime.support.build import STEP_FUEL
from rulekit.runtime.support.layout import FUEL
from rulekit.runtime.support.state_changes import store_indexed
from rulekit.runtime.support.together import ADD, MARK

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


Edges = list[tuple[int, int]]
"""The nodes that follow something, by number, and the outcomes as `~n`, each with its weight."""


class _Landing(Exception):
    """Calls that are pending at a node must be worked out before it can go on."""

    def __init__(self, element: Element) -> None:
        super().__init__()
        self.element = element


class Graph:
    """The situations that follow from a start; `explore` finds them.

    Attributes:
        nodes: All situations, by number; the first is the start, before anything is run.
        outcomes: Where it can end, by number: the value that the procedure gave, a fault, an end of the game.
            In edges, outcome number n is `~n`.
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
        source: KernelSource | None = None,
    ) -> None:
        """`after_the_end` gives the value of a game that has ended, from its cells and its result."""
        self.module = module
        self.machine = OddsMachine(module, source)
        self.nodes: list[Node] = []
        self.outcomes: list[Any] = [FaultOutcome("endless", None, "a loop goes round for ever"), LEFT]
        self.runs = 0
        self.sites: set[int] = set()
        self.points: set[int] = set()
        self.first: list[tuple[Any, int, int]] = []
        self.value_of: Callable[[Any], Any] = lambda value: value
        self._keeper, self._policy, self._after_the_end = keeper, policy, after_the_end
        self._source = source
        self._numbers: dict[Any, int] = {}
        self._outcome_numbers: dict[Any, int] = {}
        self._faults: dict[tuple[str, Site | None], int] = {}
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

        start.edges, start.total = self._join([(1, self._step(run, (), memory))])
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
                parts = [(1, self._land(node, landing.element))]
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
        except Unresolved as unknown:
            element = unknown.element
        for same in (element, (~element[0], element[1])):  # what waited for the end of a block has come to it
            if any(same in self._kernel(number).elements for number, _ in pending):
                raise _Landing(same)
        if machine.deferred and any(element in self._kernel(number).elements for number in machine.pending):
            machine.cut_at = machine.deferred
            return self._run(run, memory)
        raise Unresolved(element)

    def _run(self, run: Callable[[], bool], memory: Any) -> Edges:
        machine = self.machine
        machine.M[FUEL] = STEP_FUEL
        self.runs += 1
        try:
            if run():
                return [(self._reach(memory), 1)]
            return self._ends(machine.value)
        except Finished as finished:
            machine.stack.clear()
            try:
                return self._ends(self._after_the_end(machine.M, finished.result))
            except Fault as fault:
                return [(self._fault(fault), 1)]
        except Fault as fault:
            return [(self._fault(fault), 1)]

    def _kernel(self, number: int) -> Kernel:
        assert self._source is not None
        return self._source.kernel(number)

    def _expect(self, number: int, more: float) -> None:
        """Put a situation into the queue, again if it has become much likelier."""
        before = self._expected[number]
        self._expected[number] = after = before + more
        if after >= 2 * before:
            heapq.heappush(self._waiting, (-after, number))

    def _reach(self, memory: Any) -> int:
        """The number of the situation in which the machine has stopped."""
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
            if node.asked[0] < 0 and node.asked[1] != asked.CUT:
                self.points.add(~node.asked[0])
        return number

    # ------------------------------------------------------------ what is pending

    def _groups(self, pending: Iterable[tuple[int, int]]) -> list[list[tuple[Kernel, int]]]:
        return groups_of((self._kernel(number), count) for number, count in pending)

    def _land(self, node: Node, element: Element) -> Edges:
        """A situation for everything that the pending calls which may change something come to.

        Raises:
            TooMany: There are too many of them.
        """
        machine, keeper = self.machine, self._keeper
        group = next(g for g in self._groups(node.pending) if any(element in k.elements for k, _ in g))
        joint = combine(group)
        numbers = {kernel.number for kernel, _ in group}
        rest = tuple(entry for entry in node.pending if entry[0] not in numbers)
        bare = Node(node.cells, node.stack, node.late, node.asked, node.choosing, (), node.memory)
        edges = []
        for values, weight in joint.weights.items():
            keeper.put(machine, bare)
            machine.asked, machine.choosing = node.asked, node.choosing
            self._add(joint, values)
            machine.put_off(rest)
            edges.append((self._reach(node.memory), weight))
        return edges

    def _add(self, joint: Joint, values: Sequence[int]) -> None:
        """Make the changes that pending calls come to."""
        M, layout = self.machine.M, self.module.layout
        for (cell, bit), value in zip(joint.elements, values, strict=True):
            if not value:
                continue
            if cell < 0:
                entry = (ADD, ~cell, value, -1) if bit == NUMBER else (MARK, ~cell, 1 << bit, -1)
                self.machine.late += entry
            elif bit == NUMBER:
                store_indexed(layout, M, None, cell, M[cell] + value)
            else:
                M[cell] |= 1 << bit

    # ------------------------------------------------------------ ends

    def _ends(self, value: Any) -> Edges:
        """The outcomes of a value, in which something may be unknown."""
        pending = self.machine.pending
        if not pending or not isinstance(value, tuple) or not any(type(part) in UNKNOWN for part in value):
            return [(self._outcome(self.value_of(value)), 1)]
        parts = [decided_by(part) for part in value]
        wanted = frozenset(part[0] for part in parts if part is not None)
        assert self._source is not None
        parts_wanted = [(self._source.part(number, wanted), count) for number, count in pending.items()]
        groups = groups_of((kernel, count) for kernel, count in parts_wanted if kernel.elements)
        joint = product_of([combine(group) for group in groups])
        columns = dict(zip(joint.elements, zip(*joint.weights, strict=True), strict=True))
        known: list[Iterable[Any]] = []
        for part, read in zip(value, parts, strict=True):
            if read is None:
                known.append(repeat(part, len(joint.weights)))
            else:
                element, base, shift = read
                column = columns[element]
                known.append([base + (v << shift) for v in column] if base or shift else column)
        numbers = self._outcomes([self.value_of(values) for values in zip(*known, strict=True)])
        return list(zip(numbers, joint.weights.values(), strict=True))

    def _outcome(self, value: Any) -> int:
        number = self._outcome_numbers.get(value)
        if number is None:
            number = self._outcome_numbers[value] = len(self.outcomes)
            self.outcomes.append(value)
        return ~number

    def _outcomes(self, values: Sequence[Any]) -> list[int]:
        """The numbers of many outcomes."""
        known = self._outcome_numbers
        fresh = [value for value in dict.fromkeys(values) if value not in known]
        known.update(zip(fresh, range(len(self.outcomes), len(self.outcomes) + len(fresh)), strict=True))
        self.outcomes += fresh
        return [~known[value] for value in values]

    def _fault(self, fault: Fault) -> int:
        self.machine.stack.clear()
        self.machine.late.clear()
        key = (fault.name, fault.site)
        if key not in self._faults:
            self._faults[key] = len(self.outcomes)
            self.outcomes.append(FaultOutcome(fault.name, fault.site, fault.message))
        return ~self._faults[key]
