"""The kernels of calls that only add: each is worked out once, by a graph of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.ir import Write, walk
from rulekit.ir.semantics.outline import reads_of
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.odds.combining import TooMany, combine, groups_of
from rulekit.runtime.odds.deferring import UNKNOWN, OddsMachine, base_of, pending_of
from rulekit.runtime.odds.graph import Answers, Budget, Graph
from rulekit.runtime.odds.landing import Spread, join_spreads
from rulekit.runtime.odds.nodes import Keeper, Span, hashable, spans_of
from rulekit.runtime.odds.pending import (
    NUMBER,
    Deltas,
    Element,
    Kernel,
    Pending,
    UnknownFlags,
    UnknownNumber,
    Unresolved,
)
from rulekit.runtime.odds.weights import Weights, weigh
from rulekit.runtime.optimise.blind import DOWN, added_to, ways_of
from rulekit.runtime.support.asked import Question
from rulekit.runtime.support.layout import Slots
from rulekit.runtime.support.state_changes import span
from rulekit.runtime.support.together import ADD, MARK, entries

WORK: Final = Budget(situations=5_000, steps=50_000)
"""How far a call is followed; one that takes more is not put off."""

MOST_OUTCOMES: Final = 20_000
"""Things that a call may add, beyond which it is not put off."""


@frozen
class _Added:
    """A state that a call adds to: where its cells are, and what they hold when the call is worked out."""

    slots: Slots
    begin: int

    def elements(self, cells: tuple[Any, ...]) -> Iterator[tuple[Element, int]]:
        """Yield the changes of each number and flag."""
        begin, first = self.begin, self.slots.base
        if cells == (begin,) * len(cells):
            return
        number = span(self.slots.state) is not None
        for place in [place for place, value in enumerate(cells) if value != begin]:
            value = cells[place]
            if number:
                yield (first + place, NUMBER), value - begin
            else:
                yield from (
                    ((first + place, bit), 1) for bit in range(value.bit_length()) if value >> bit & 1
                )


@frozen
class _Call:
    """A call that may be put off: the procedure, and whether it runs in a `together` block.

    Attributes:
        reads: The cells that it may read and that may change.
        added: The states that it adds to.
        begins: The cells of these, and masks of them, at its beginning, each run with its first address.
        keeper: Takes the situations of the call alone.
    """

    procedure: str
    late: bool
    reads: tuple[Span, ...]
    added: tuple[_Added, ...]
    begins: tuple[tuple[int, list[Any]], ...]
    keeper: Keeper

    def at_end(self, machine: OddsMachine, value: Any) -> Sequence[tuple[Any, int]]:
        """Return the cells without pending additions, those that are pending, and those that wait."""
        M = machine.M
        if not machine.pending:
            cells = [tuple(M[a.slots.base : a.slots.base + a.slots.size]) for a in self.added]
        else:
            machine.expect_unknown()
            ranges = (range(a.slots.base, a.slots.base + a.slots.size) for a in self.added)
            cells = [tuple([base_of(M[cell], cell) for cell in cells]) for cells in ranges]
        return [((tuple(cells), pending_of(machine), tuple(machine.late)), 1)]

    def after_the_end(self, machine: OddsMachine, result: Any) -> Sequence[tuple[Any, int]]:
        """A call that only adds does not end the game."""
        raise AssertionError(result)


@frozen
class _WorkedOut:
    """The result of working a call out, and the sites of chance that it met."""

    result: Pending | Unresolved | None
    met: frozenset[int]


class Kernels:
    """Works out kernels, and remembers them, for one program.

    Attributes:
        met: The sites of chance in the calls that were put off, since it was last emptied.
    """

    def __init__(self, module: GeneratedModule) -> None:
        facts = module.facts
        everything = tuple(stmt for item in module.program.procedures for stmt in item.body)
        self._module = module
        self._written = facts.changes_in(everything)
        self._kernels: list[Kernel] = []
        self._numbers: dict[Any, int] = {}
        self.met: set[int] = set()
        self._memory: dict[Any, _WorkedOut] = {}
        self._parts: dict[tuple[int, frozenset[Element]], Kernel] = {}
        self._calls = [self._call(procedure, late) for _, procedure, late in module.deferrable]

    def _call(self, procedure: str, late: bool) -> _Call:
        facts, layout = self._module.facts, self._module.layout
        body = facts.procedures[procedure].body
        names = added_to(facts, body, late=late)
        assert names is not None
        statements = list(facts.statements_from(body))
        read = facts.closure(reads_of(*(e for stmt in statements for e in walk.expressions(stmt))))
        reads = tuple(spans_of(layout, sorted(read & self._written), derived=False))
        if late:  # its changes wait, and it reads the state before them
            return _Call(procedure, late, reads, (), (), Keeper(self._module, ()))
        falling = {s.state for s in statements if isinstance(s, Write) and ways_of(s) & DOWN}
        added, cells = [], layout.initial()
        for slots in (layout.slots[name] for name in sorted(names)):
            ends = span(slots.state)
            begin = 0
            if ends is not None:
                begin = ends[slots.state.name in falling]
            cells[slots.base : slots.base + slots.size] = [begin] * slots.size
            layout.derive_state(slots, cells)
            added.append(_Added(slots, begin))
        keeper = Keeper(self._module, names)
        begins = tuple((first, cells[first:end]) for first, end in keeper.spans)
        return _Call(procedure, late, reads, tuple(added), begins, keeper)

    def kernel(self, number: int) -> Kernel:
        """A kernel by its number."""
        return self._kernels[number]

    def added_by(self, machine: OddsMachine, call: int, arguments: tuple[Any, ...]) -> Pending | None:
        """Return what a call adds, as kernels and how often; None if it cannot be put off.

        Raises:
            Unresolved: The call reads something that is not known yet.
        """
        known, M = self._calls[call], machine.M
        key = (call, hashable(arguments), *[_sights(M[first:end]) for first, end in known.reads])
        if key not in self._memory:
            self._memory[key] = self._work_out(machine, known, arguments)
        worked_out = self._memory[key]
        if isinstance(worked_out.result, Unresolved):
            raise Unresolved(worked_out.result.element)
        self.met |= worked_out.met
        return worked_out.result

    def after_landing(self, kernel: Kernel) -> Kernel:
        """A kernel that waits for the end of a `together` block, as it is after that end."""
        weights = {
            tuple(sorted(((~cell, bit), delta) for (cell, bit), delta in deltas)): weight
            for deltas, weight in kernel.weights.items()
        }
        return self._kernels[self.intern(weights, late=False)]

    def part(self, number: int, wanted: frozenset[Element]) -> Kernel:
        """Return what a kernel adds to some elements, whatever it adds to others."""
        kernel = self._kernels[number]
        if kernel.elements <= wanted:
            return kernel
        key = (number, wanted)
        if key not in self._parts:
            weights: dict[Deltas, int] = {}
            for deltas, weight in kernel.weights.items():
                left = tuple([delta for delta in deltas if delta[0] in wanted])
                weights[left] = weights.get(left, 0) + weight
            self._parts[key] = self._kernels[self.intern(weights, late=kernel.late)]
        return self._parts[key]

    # ------------------------------------------------------------ working out

    def _work_out(self, machine: OddsMachine, call: _Call, arguments: tuple[Any, ...]) -> _WorkedOut:
        outer, self.met = self.met, set()
        try:
            result, sites = self._follow(machine, call, arguments)
            return _WorkedOut(result, frozenset(self.met | sites))
        finally:
            self.met = outer

    def _follow(
        self, machine: OddsMachine, call: _Call, arguments: tuple[Any, ...]
    ) -> tuple[Pending | Unresolved | None, set[int]]:
        """Follow every outcome of a call, and return its additions and the sites of chance that it met."""
        M = machine.M
        before = [(first, M[first : first + len(values)]) for first, values in call.begins]
        for first, values in call.begins:
            M[first : first + len(values)] = values
        graph = Graph(self._module, call.keeper, _nobody, call, self)
        graph.machine.M = M
        try:
            start = graph.begin_here(call.procedure, arguments, None, late=call.late)
            graph.explore(WORK)
            return self._additions(graph, weigh(graph, start), call), graph.sites_met()
        except Unresolved as unknown:
            return unknown, set()
        except (TooMany, _NotPutOff):
            return None, set()
        finally:
            for first, values in before:
                M[first : first + len(values)] = values

    def _additions(self, graph: Graph, ways: Weights, call: _Call) -> Pending:
        """Return what a call adds, from the ways in which it may end.

        Raises:
            _NotPutOff: It may end in another way, or there are too many ways.
            TooMany: There are too many ways.
        """
        ends = [(graph.outcomes[number], weight) for number, weight in ways.of.items() if weight]
        if not all(isinstance(end, tuple) for end, _ in ends):
            raise _NotPutOff
        if len(ends) == 1:
            (cells, pending, late), _ = ends[0]
            own = self._own(cells, late, call)
            if not own:
                return Pending(pending)
            more = self.intern({tuple(sorted(own.items())): 1}, late=call.late)
            return tuple(sorted((*pending, (more, 1))))
        parts = [
            (weight, self._spread(self._own(cells, late, call), pending))
            for (cells, pending, late), weight in ends
        ]
        weights, _ = join_spreads(parts)
        common = gcd(*weights.values())
        return ((self.intern({d: weight // common for d, weight in weights.items()}, late=call.late), 1),)

    def _spread(self, own: dict[Element, int], pending: Pending) -> Spread:
        """Return all that may have been added at one end: surely, and by what is pending there.

        Raises:
            _NotPutOff: There are too many ways.
            TooMany: There are too many ways.
        """
        spread: Spread = {tuple(sorted(own.items())): 1}, 1
        for group in groups_of((self._kernels[n], count) for n, count in pending):
            joint, (weights, total) = combine(group), spread
            if len(weights) * len(joint.weights) > MOST_OUTCOMES:
                raise _NotPutOff
            more: dict[Deltas, int] = {}
            for (before, weight), (values, share) in product(weights.items(), joint.weights.items()):
                sums = dict(before)
                for element, value in zip(joint.elements, values, strict=True):
                    had = sums.get(element, 0)
                    sums[element] = had + value if element[1] == NUMBER else had | value
                deltas: Deltas = tuple(sorted([item for item in sums.items() if item[1]]))
                more[deltas] = more.get(deltas, 0) + weight * share
            spread = more, total * joint.total
        return spread

    def _own(
        self, cells: tuple[tuple[Any, ...], ...], late: tuple[Any, ...], call: _Call
    ) -> dict[Element, int]:
        """Return what was added at one end, without what is pending there."""
        own: dict[Element, int] = {}
        for added, values in zip(call.added, cells, strict=True):
            own |= added.elements(values)
        for what, where, value, _ in entries(list(late)):
            if what == ADD:
                own[~where, NUMBER] = own.get((~where, NUMBER), 0) + value
            elif what == MARK:
                own |= {(~where, bit): 1 for bit in range(value.bit_length()) if value >> bit & 1}
            else:
                raise _NotPutOff
        return own

    def intern(self, weights: dict[Deltas, int], *, late: bool) -> int:
        """The number of the kernel with these weights."""
        key = (frozenset(weights.items()), late)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._kernels)
            self._kernels.append(kernel_of(number, weights, late=late))
        return number


def kernel_of(number: int, weights: dict[Deltas, int], *, late: bool) -> Kernel:
    values: dict[int, list[int]] = {}
    flags: dict[int, int] = {}
    for deltas in weights:
        for (cell, bit), value in deltas:
            if bit == NUMBER:
                values.setdefault(cell, []).append(value)
            else:
                flags[cell] = flags.get(cell, 0) | 1 << bit
    for added in values.values():
        added += [0] * (len(added) < len(weights))
    return Kernel(
        number,
        weights,
        sum(weights.values()),
        tuple((cell, min(added), max(added)) for cell, added in sorted(values.items())),
        tuple(sorted(flags.items())),
        late,
        frozenset(element for deltas in weights for element, _ in deltas),
    )


class _NotPutOff(Exception):
    """A call whose chances cannot be put off."""


def _nobody(machine: Machine, question: Question, memory: Any) -> Answers:
    raise AssertionError(question)  # what only adds asks nothing


def _sights(cells: list[Any]) -> tuple[Any, ...]:
    """Cells as a call may see them: of what is unknown, all that tests can tell."""
    if any(type(value) in UNKNOWN for value in cells):
        return tuple([_sight(value) for value in cells])
    return tuple(cells)


def _sight(value: Any) -> Any:
    match value:
        case UnknownNumber():
            return ("number", value.terms, value.base, value.low, value.high)
        case UnknownFlags():
            return ("flags", value.known, value.unknown)
        case _:
            return value
