"""Control flow between statements and Python, from which both control forms are printed.

A `Flow` is a list of nodes over Python variables.  Only `Invoke` and `Ask` may stop at a choice; `direct`
prints both as calls, `frames` cuts the function at them.  Each node says which variables it reads and
which it sets; `Liveness` works out which a frame must keep.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

from rulekit.ir.types import Type
from rulekit.runtime.codegen.module_writer import Lines, PyLine

Names = frozenset[str]
NOTHING: Names = frozenset()


@dataclass(slots=True)
class Code:
    """Lines that run one after the other and never stop; `sets` are set on every path."""

    lines: Lines
    reads: Names = NOTHING
    sets: Names = NOTHING


@dataclass(slots=True)
class Branch:
    """One of two flows."""

    test: str
    reads: Names
    then: Flow
    otherwise: Flow
    site: int


@dataclass(slots=True)
class Each:
    """Once for each of `values`, bound to `var`; `list` and `index` hold the place where a form needs it."""

    var: str
    values: str
    reads: Names
    body: Flow
    site: int
    list: str
    index: str


@dataclass(slots=True)
class Times:
    """So many times; `left` holds the place where the form needs it."""

    count: str
    reads: Names
    body: Flow
    site: int
    left: str


@dataclass(slots=True)
class While:
    """As long as the test holds, which is tested before each run."""

    test: str
    reads: Names
    body: Flow
    site: int


@dataclass(slots=True)
class Break:
    """Leave the innermost loop."""

    site: int


@dataclass(slots=True)
class Continue:
    """Go on with the innermost loop's next run."""

    site: int


@dataclass(slots=True)
class Exit:
    """Leave the function."""

    value: str
    reads: Names
    site: int


@dataclass(slots=True)
class Invoke:
    """Run a routine that may stop; `routine` is its key in the module, `label` the name of this place.

    `late` means that it is in a `together` block.
    """

    routine: tuple[str, str, bool]
    arguments: tuple[str, ...]
    target: str | None
    reads: Names
    site: int
    label: str
    steps: tuple[str, ...] = ()
    late: bool = False


@dataclass(slots=True)
class Ask:
    """Ask one part of a choice: stops, or calls the agent; the texts are Python expressions."""

    choice: int
    side: str
    item: str
    options: str
    target: str
    reads: Names
    site: int
    label: str


@dataclass(slots=True)
class Inlined:
    """A choice asked in the place of its call, of which saves still speak; `flow` sets the target."""

    call: Invoke
    flow: Flow

    @property
    def site(self) -> int:
        return self.call.site


Node = Code | Branch | Each | Times | While | Break | Continue | Exit | Invoke | Ask | Inlined
Flow = list[Node]


@dataclass(slots=True)
class Variable:
    """A Python variable that may have to be kept: its name in saves and its type."""

    python: str
    name: str
    type: Type


@dataclass(slots=True)
class Routine:
    """A procedure or a choice, lowered; `key` is what kind it is, its name, and whether its writes wait."""

    key: tuple[str, str, bool]
    params: tuple[str, ...]
    variables: dict[str, Variable]
    flow: Flow
    prologue: tuple[str, ...]
    site: int
    stops: bool
    labels: list[str] = field(default_factory=list)


def stops(flow: Iterable[Node]) -> bool:
    """Whether a flow may stop at a choice."""
    for node in flow:
        match node:
            case Invoke() | Ask() | Inlined():
                return True
            case Branch():
                if stops(node.then) or stops(node.otherwise):
                    return True
            case Each() | Times() | While():
                if stops(node.body):
                    return True
            case _:
                pass
    return False


def gives_nothing(flow: Iterable[Node]) -> bool:
    """Whether a routine with this flow never gives a value back."""
    for node in flow:
        match node:
            case Exit():
                if node.value != "None":
                    return False
            case Branch():
                if not gives_nothing((*node.then, *node.otherwise)):
                    return False
            case Each() | Times() | While():
                if not gives_nothing(node.body):
                    return False
            case _:
                pass
    return True


def line(text: str, site: int, depth: int = 0) -> PyLine:
    """One line at the depth of its flow."""
    return PyLine(depth, text, site)


@dataclass
class Liveness:
    """Backward over a flow; `after` holds, for each stop, what is read later and not set before."""

    after: dict[int, Names] = field(default_factory=dict)
    _leaving: list[Names] = field(default_factory=list)
    _going_on: list[Names] = field(default_factory=list)

    def flow(self, flow: Flow, out: Names) -> Names:
        """The variables needed before a flow, if `out` is needed after it."""
        for node in reversed(flow):
            out = self.node(node, out)
        return out

    def node(self, node: Node, out: Names) -> Names:
        """The variables needed before one node."""
        match node:
            case Code():
                return out - node.sets | node.reads
            case Branch():
                return self.flow(node.then, out) | self.flow(node.otherwise, out) | node.reads
            case Each():
                kept = frozenset((node.list, node.index)) if stops(node.body) else NOTHING
                return self._loop(node.body, out, kept, frozenset((node.var,))) - kept | node.reads
            case Times():
                kept = frozenset((node.left,)) if stops(node.body) else NOTHING
                return self._loop(node.body, out, kept, NOTHING) - kept | node.reads
            case While():
                return self._loop(node.body, out, node.reads, NOTHING) | node.reads
            case Break():
                return self._leaving[-1]
            case Continue():
                return self._going_on[-1]
            case Exit():
                return node.reads
            case Invoke() | Ask():
                set_here = NOTHING if node.target is None else frozenset((node.target,))
                self.after[id(node)] = out - set_here
                return out - set_here | node.reads
            case Inlined():
                target = node.call.target
                self.after[id(node.call)] = out - (NOTHING if target is None else frozenset((target,)))
                return self.flow(node.flow, out)
            case _:
                assert_never(node)

    def _loop(self, body: Flow, out: Names, kept: Names, bound: Names) -> Names:
        """The variables needed at the head of a loop; `kept` is read at each turn, `bound` set at each."""
        head = out | kept
        while True:
            self._leaving.append(out)
            self._going_on.append(head)
            needed = head | self.flow(body, head) - bound
            self._leaving.pop()
            self._going_on.pop()
            if needed == head:
                return head
            head = needed
