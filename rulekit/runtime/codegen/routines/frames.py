"""Routines cut where they stop: position and live variables are kept in a frame, a plain tuple.

A frame is `(routine, label, variables...)`.  As long as nothing stops, routines call each
other as Python functions do, and there are no frames.  One that asks puts a frame with all it needs on the
stack and gives back `STOP`; so does its caller then, under that one, and so on, the outermost last.  With the
answer they are run again from their frames, the innermost first.  Loops and branches without a stop inside
stay Python's own; `dispatch` prints the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.runtime.codegen.module_writer import Lines, PyLine, RoutineKey
from rulekit.runtime.codegen.routines import flow as f
from rulekit.runtime.codegen.routines.direct import Native
from rulekit.runtime.codegen.routines.dispatch import WHOLE, Block, Dispatch, Goto, Region
from rulekit.runtime.codegen.routines.flow import Flow, Node, Routine, Variable
from rulekit.runtime.codegen.statements.scope import REGISTERS

FIRST_SLOT = 2
GIVEN = ("S", "M", "T")
"""The first parameters of every routine that may stop: the machine, its state, and the consumer of events."""

SHORT = 16
"""Lines that are written more than once, where a choice may be asked or not, to save a jump."""

MOST_COPIES: Final = 8
"""Short blocks that are written one after the other in this way."""

Frame = tuple[Any, ...]
"""See the module."""

MOST_DEPTH: Final = 20
"""Levels of branches in one block; deeper ones are blocks of their own."""

MOST_REGIONS: Final = 6
"""Loops with a stop inside one another that are Python's; deeper ones go round by jumps of the one around."""

Loop = f.Each | f.Times | f.While
Stopping = f.Invoke | f.Ask | f.AskChance


class Stop:
    """Given back by a routine that waits."""

    def __repr__(self) -> str:
        return "STOP"


STOP: Final = Stop()


@frozen
class StopPoint:
    """A place where a routine stops: its name, what its frame holds there, and the steps around it.

    `kept` gives slot and variable; `calls` is the key of the routine whose frame must be above it, or None
    where a choice or a point of chance waits for an answer; `late` says that a `together` block is open
    there.  Where a choice is asked in the place of its call, `instead` is the label of that call.
    """

    name: str
    kept: tuple[tuple[int, Variable], ...]
    calls: RoutineKey | None
    target: Variable | None
    steps: tuple[str, ...]
    site: int
    late: bool
    instead: int | None = None


@frozen
class Cut:
    """A routine's shape in frames: how long its frame is, and its labels by number (0 is its start).

    `unset` are variables that may not have been set yet where they are kept.
    """

    key: RoutineKey
    params: tuple[Variable, ...]
    size: int
    labels: tuple[StopPoint | None, ...]
    unset: frozenset[str]


class Cutter:
    """Cuts one routine."""

    def __init__(
        self,
        routine: Routine,
        index: Callable[[RoutineKey], int],
        called: Callable[[RoutineKey], str],
        silent: Set[RoutineKey],
    ) -> None:
        """`index` and `called` give number and name of a routine; those that are `silent` give no value."""
        self.routine = routine
        self.silent = silent
        self.index = index
        self.called = called
        self.native = Native(called)
        self.blocks: list[Block] = []
        self.regions = [Region(WHOLE, 0, None)]
        self._region = WHOLE
        self.labels: dict[int, StopPoint] = {}
        self._asking: tuple[int, f.Invoke] | None = None
        """The label and the call of the inlined choice that is being cut."""
        self._returns: list[tuple[StopPoint, str | None, int]] = []
        """Labels at which only a restore arrives, with an answer: where to keep it, and where to go on.

        They have the numbers behind all blocks, so that one test tells that it is none of them.
        """
        self._copied: dict[int, tuple[Flow, int | None]] = {}
        """Blocks that are so short that they are written again wherever something goes on there."""
        self._unwritten: set[int] = set()
        """Those of them that nothing has jumped to yet."""
        self._copies = 0
        """How many of them are being written one after the other."""
        self._loops: list[tuple[int, int]] = []
        self.liveness = f.Liveness()
        self.first = self.liveness.flow(routine.flow, frozenset())
        kept = set(self.first)
        for names in self.liveness.after.values():
            kept |= names
        others = sorted(kept - set(routine.params), key=lambda name: int(name[1:]))
        self.slots = {name: FIRST_SLOT + i for i, name in enumerate((*routine.params, *others))}

    def cut(self, name: str) -> tuple[Lines, Cut]:
        """The function, and the shape of its frames."""
        start = self._new()
        self._flow(self.routine.flow, start, 0, None)
        lines = self._print(name)
        labels = [self._place_label(self.labels.get(number)) for number in range(len(self.blocks))]
        labels += [label for label, _, _ in self._returns]
        params = tuple(self.routine.variables[param] for param in self.routine.params)
        unset = self.first - set(self.routine.params)
        return lines, Cut(self.routine.key, params, FIRST_SLOT + len(self.slots), tuple(labels), unset)

    def _place_label(self, label: StopPoint | None) -> StopPoint | None:
        """A label with the number of the one that stands for it in saves, now that all blocks are known."""
        if label is None or label.instead is None:
            return label
        return replace(label, instead=len(self.blocks) + label.instead)

    # ------------------------------------------------------------ blocks

    def _new(self) -> int:
        self.blocks.append(Block(self._region))
        return len(self.blocks) - 1

    def _put(self, block: int, depth: int, text: str, site: int) -> None:
        self.blocks[block].lines.append(PyLine(depth, text, site))

    def _jump(self, block: int, depth: int, to: int, site: int) -> None:
        self.blocks[to].jumps += 1
        self.blocks[block].lines.append(Goto(depth, to, site))

    def _flow(self, flow: Flow, block: int, depth: int, then: int | None) -> None:
        """Write a flow into a block; its end goes on at `then`, or ends the routine."""
        for place, node in enumerate(flow):
            if isinstance(node, f.Break | f.Continue):
                head, end = self._loops[-1]
                self._jump(block, depth, end if isinstance(node, f.Break) else head, node.site)
                return
            if isinstance(node, f.Exit):
                self._put(block, depth, f"return {node.value}", node.site)
                return
            if f.stops([node]) or _leaves(node):
                self._cut_node(node, flow[place + 1 :], block, depth, then)
                return
            self.blocks[block].lines.extend(self.native.node(node, depth))
        site = self.routine.site
        if then is None:
            self._put(block, depth, "return None", site)
        elif then in self._copied and self._copies < MOST_COPIES:
            self._copies += 1
            self._flow(self._copied[then][0], block, depth, self._copied[then][1])
            self._copies -= 1
        else:
            self._jump(block, depth, then, site)
            if then in self._unwritten:
                self._unwritten.remove(then)
                self._flow(self._copied[then][0], then, 0, self._copied[then][1])

    def _cut_node(self, node: Node, rest: Flow, block: int, depth: int, then: int | None) -> None:
        """A node with a stop inside, and what follows it."""
        match node:
            case f.Branch():
                after = self._after(rest, then)
                self._put(block, depth, f"if {node.test}:", node.site)
                self._deeper(node.then, block, depth + 1, after)
                self._put(block, depth, "else:", node.site)
                self._deeper(node.otherwise, block, depth + 1, after)
            case f.Each():
                listed = "" if node.values == node.list else f"{node.list} = {node.values}; "
                self._put(block, depth, f"{listed}{node.index} = 0", node.site)
                self._cut_loop(node, f"{node.index} < len({node.list})", rest, block, depth, then)
            case f.Times():
                self._put(block, depth, f"{node.left} = {node.count}", node.site)
                self._cut_loop(node, f"{node.left} > 0", rest, block, depth, then)
            case f.While():
                self._cut_loop(node, node.test, rest, block, depth, then)
            case f.Inlined():
                self._cut_choice(node, rest, block, depth, then)
            case f.Invoke() | f.Ask() | f.AskChance():
                self._stop(node, rest, block, depth, then)
            case f.Code() | f.Break() | f.Continue() | f.Exit():
                raise AssertionError(node)  # nothing inside them stops

    def _deeper(self, flow: Flow, block: int, depth: int, then: int | None) -> None:
        """Write one side of a branch, in a block of its own where that would be too deep."""
        if depth > MOST_DEPTH:
            own = self._new()
            self._jump(block, depth, own, self.routine.site)
            block, depth = own, 0
        self._flow(flow, block, depth, then)

    def _after(self, rest: Flow, then: int | None) -> int | None:
        """The block for the rest; none of its own if there is no rest."""
        if not rest:
            return then
        after = self._new()
        if self._short(rest):
            self._copied[after] = (rest, then)
            self._unwritten.add(after)
        else:
            self._flow(rest, after, 0, then)
        return after

    def _cut_loop(self, node: Loop, test: str, rest: Flow, block: int, depth: int, then: int | None) -> None:
        end = self._new()
        around = self._region
        if len(self._loops) < MOST_REGIONS:
            self._region = len(self.regions)
            head = self._new()
            self.regions.append(Region(around, head, end))
        else:
            head = self._new()
        self._jump(block, depth, head, node.site)
        self._put(head, 0, f"if {test}:", node.site)
        match node:
            case f.Each():
                step = f"{node.var} = {node.list}[{node.index}]; {node.index} += 1"
                self._put(head, 1, step, node.site)
            case f.Times():
                self._put(head, 1, f"{node.left} -= 1", node.site)
            case f.While():
                pass
        self._loops.append((head, end))
        self._flow(node.body, head, 1, head)
        self._loops.pop()
        self._put(head, 0, "else:", node.site)
        self._jump(head, 1, end, node.site)
        self._region = around
        self._flow(rest, end, 0, then)

    # ------------------------------------------------------------ stops

    def _cut_choice(self, node: f.Inlined, rest: Flow, block: int, depth: int, then: int | None) -> None:
        """A choice in the place of its call; a restore asks it in a frame of its own and comes back."""
        behind = then
        if rest or then is None or then in self._copied:
            behind = self._new()
            self._flow(rest, behind, 0, then)
        assert behind is not None
        onward = then if not rest and then in self._copied else behind
        if rest and self._short(rest):
            self._copied[behind] = (rest, then)
        self.blocks[behind].resumed = True
        label = self._label(node.call, self._slots_of(self.liveness.after[id(node.call)]))
        self._asking = (len(self._returns), node.call)
        self._returns.append((label, node.call.target, behind))
        self._flow(node.flow, block, depth, onward)
        self._asking = None

    def _stop(self, node: Stopping, rest: Flow, block: int, depth: int, then: int | None) -> None:
        resume = self._new()
        self.blocks[resume].resumed = True
        kept = self._slots_of(self.liveness.after[id(node)])
        names = {name for name, _ in kept}
        slots = (name if name in names else "None" for name in self.slots)
        own = ", ".join((str(self.index(self.routine.key)), str(resume), *slots))
        if isinstance(node, f.Invoke):
            arguments = ", ".join((*GIVEN, "None", "None", *node.arguments))
            call = f"{self.called(node.routine)}({arguments})"
            wait = f"S.stack.insert(S.depth, ({own})); return STOP"
            if node.target is None and node.routine in self.silent:
                self._put(block, depth, f"if {call}: {wait}", node.site)
            else:
                self._put(block, depth, f"v = {call}", node.site)
                self._put(block, depth, f"if v is STOP: {wait}", node.site)
            if self._short(rest):
                if node.target is not None:
                    self._put(block, depth, f"{node.target} = v", node.site)
                self._flow(rest, block, depth, then)
            else:
                self._jump(block, depth, resume, node.site)
        else:
            if isinstance(node, f.Ask):
                asked = f"({node.choice}, {node.side}, {node.item}, {node.options})"
            else:
                asked = f"({~node.point}, {node.kind}, {node.count}, {node.things})"
            self._put(block, depth, f"S.asked = {asked}; S.depth = len(S.stack)", node.site)
            self._put(block, depth, f"S.stack.append(({own})); return STOP", node.site)
        self.labels[resume] = self._label(node, kept)
        if node.target is not None:
            self._put(resume, 0, f"{node.target} = v", node.site)
        self._flow(rest, resume, 0, then)

    def _short(self, rest: Flow) -> bool:
        """Whether what follows a choice is so short that it may be written more than once."""
        native = Native(self.called)
        return not f.stops(rest) and sum(len(native.node(node, 0)) for node in rest) <= SHORT

    def _label(self, node: Stopping, kept: list[tuple[str, int]]) -> StopPoint:
        variables = self.routine.variables
        instead, call = (None, node) if isinstance(node, f.Invoke) else self._asking or (None, None)
        within = node if isinstance(node, f.AskChance) else call
        steps = () if within is None else within.steps
        calls = node.routine if isinstance(node, f.Invoke) else None
        late = not isinstance(node, f.Ask) and (node.late or self.routine.key[2])
        target = None if node.target is None else variables[node.target]
        slots = tuple((slot, variables[name]) for name, slot in kept)
        return StopPoint(node.label, slots, calls, target, steps, node.site, late, instead)

    def _slots_of(self, names: frozenset[str]) -> list[tuple[str, int]]:
        return [(name, slot) for name, slot in self.slots.items() if name in names]

    # ------------------------------------------------------------ text

    def _print(self, name: str) -> Lines:
        site = self.routine.site
        printed = Dispatch(self.blocks, self.regions, site)
        params = ", ".join((*GIVEN, "v", "f", *(f"{param}=None" for param in self.routine.params)))
        lines = [PyLine(0, f"def {name}({params}):", site)]
        lines += [PyLine(1, text, site) for text in self.routine.prologue if text != REGISTERS["T"]]
        lines += self.native.inner_functions(self.routine.params)
        lines.append(PyLine(1, "if f is None:", site))
        unset = [f"{name} = " for name, _ in self._slots_of(self.first) if name not in self.routine.params]
        if unset:
            lines.append(PyLine(2, f"{''.join(unset)}None", site))
        return [*lines, *printed.start(2), PyLine(1, "else:", site), *self._load(), *printed.rest(1)]

    def _load(self) -> Lines:
        """Load the frame, all of it at once; variables that the label does not need are none."""
        site = self.routine.site
        lines = [PyLine(2, f"{', '.join(('_', 'p', *self.slots))} = f", site)]
        if self._returns:
            lines.append(PyLine(2, f"if p >= {len(self.blocks)}:", site))
        word = "if"
        for number, (_, target, behind) in enumerate(self._returns, len(self.blocks)):
            answer = "" if target is None else f"{target} = v; "
            lines.append(PyLine(3, f"{word} p == {number}: {answer}p = {behind}", site))
            word = "elif"
        return lines


def _leaves(node: Node) -> bool:
    """Whether a part that does not stop may leave or go on with a loop around it."""
    return any(not isinstance(part, f.Exit) for part in f.leaving([node]))
