"""Control flow between statements and Python, from which both control forms are printed.

A `Flow` is a list of nodes over Python variables.  Only `Invoke`, `Ask` and `AskChance` may stop; `direct`
prints the first two as calls, `frames` cuts the function at all three.  The text of a node says what it reads
and sets, because variables, and nothing else, are named `v0`, `v1` and so on; `Liveness` works out which a
frame keeps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import lru_cache
from typing import assert_never

from rulekit.base.frozen import frozen
from rulekit.ir.types import Type
from rulekit.runtime.codegen.module_writer import Lines, PyLine, RoutineKey

Names = frozenset[str]
NOTHING: Names = frozenset()


@frozen
class Code:
    """Lines that run one after the other and never stop."""

    lines: Lines


@frozen
class Branch:
    """One of two flows."""

    test: str
    then: Flow
    otherwise: Flow
    site: int


@frozen
class Each:
    """Once for each of `values`, bound to `var`; `list` and `index` hold the place where a form needs it."""

    var: str
    values: str
    body: Flow
    site: int
    list: str
    index: str


@frozen
class Times:
    """So many times; `left` holds the place where the form needs it."""

    count: str
    body: Flow
    site: int
    left: str


@frozen
class While:
    """As long as the test holds, which is tested before each run."""

    test: str
    body: Flow
    site: int


@frozen
class Break:
    """Leave the innermost loop."""

    site: int


@frozen
class Continue:
    """Go on with the innermost loop's next run."""

    site: int


@frozen
class Exit:
    """Leave the function."""

    value: str
    site: int


@frozen
class Invoke:
    """Run a routine that may stop; `label` is the name of this place.

    `late` means that it is in a `together` block.
    """

    routine: RoutineKey
    arguments: tuple[str, ...]
    target: str | None
    site: int
    label: str
    steps: tuple[str, ...] = ()
    late: bool = False


@frozen
class Ask:
    """Ask one part of a choice: stops, or calls the agent; the texts are Python expressions."""

    choice: int
    side: str
    item: str
    options: str
    target: str
    site: int
    label: str


@frozen
class AskChance:
    """Ask for what chance gives at a point; only in builds whose chance is asked.

    `kind` is one of `support.asked`; `count` and `things` are Python expressions.
    """

    point: int
    kind: int
    count: str
    things: str
    target: str
    site: int
    label: str
    late: bool
    steps: tuple[str, ...] = ()


@frozen
class Inlined:
    """A choice asked in the place of its call, of which saves still speak; `flow` sets the target."""

    call: Invoke
    flow: Flow

    @property
    def site(self) -> int:
        return self.call.site


Node = Code | Branch | Each | Times | While | Break | Continue | Exit | Invoke | Ask | AskChance | Inlined
Flow = list[Node]


@frozen
class Variable:
    """A Python variable that may have to be kept: its name in saves and its type.

    `counts_budget`: it only counts the runs of a loop that has no limit of its own (spec 14.3).
    """

    python: str
    name: str
    type: Type
    counts_budget: bool = False


@frozen
class Routine:
    """A procedure or a choice, lowered."""

    key: RoutineKey
    params: tuple[str, ...]
    variables: dict[str, Variable]
    flow: Flow
    prologue: tuple[str, ...]
    site: int
    stops: bool


def bodies(node: Node) -> tuple[Flow, ...]:
    """The flows in a node; not those of a choice asked in the place of its call."""
    match node:
        case Branch():
            return (node.then, node.otherwise)
        case Each() | Times() | While():
            return (node.body,)
        case Code() | Break() | Continue() | Exit() | Invoke() | Ask() | AskChance() | Inlined():
            return ()
        case _:
            assert_never(node)


def nodes(flow: Iterable[Node]) -> Iterator[Node]:
    """All nodes of a flow, also those inside others."""
    for node in flow:
        yield node
        for body in bodies(node):
            yield from nodes(body)


def stops(flow: Iterable[Node]) -> bool:
    """True if a flow may stop at a choice or, where it is asked, at chance."""
    return any(isinstance(node, Invoke | Ask | AskChance | Inlined) for node in nodes(flow))


def leaving(flow: Iterable[Node], *, loop: bool = True) -> Iterator[Break | Continue | Exit]:
    """The nodes of a flow that leave it: for its function, or for a `loop` around it."""
    for node in flow:
        if isinstance(node, Exit) or loop and isinstance(node, Break | Continue):
            yield node
        for body in bodies(node):
            yield from leaving(body, loop=loop and isinstance(node, Branch))


def gives_nothing(flow: Iterable[Node]) -> bool:
    """True if a routine with this flow never gives a value back."""
    return all(node.value == "None" for node in nodes(flow) if isinstance(node, Exit))


def line(text: str, site: int, depth: int = 0) -> PyLine:
    """One line at the depth of its flow."""
    return PyLine(depth, text, site)


def code(site: int, *texts: str) -> Code:
    """Lines of one site."""
    return Code([PyLine(0, text, site) for text in texts])


VARIABLE = re.compile(r"\bv\d+\b")
_TARGETS = re.compile(r"(?:v\d+(?:, v\d+)* = )+")
_CONDITIONAL = re.compile(r"\s|(?:if|elif|else|for|try|except)\b")


def variables(*texts: str) -> Names:
    """The variables that occur in texts."""
    return frozenset(name for text in texts for name in VARIABLE.findall(text))


@lru_cache(maxsize=4096)
def _effects(text: str) -> tuple[tuple[Names, Names], ...]:
    """Return the variables that each statement of a line sets for sure, and those it reads; backward."""
    surely = not _CONDITIONAL.match(text)
    effects: list[tuple[Names, Names]] = []
    for part in reversed(text.split("; ")):
        targets = _TARGETS.match(part)
        value = part if targets is None else part[targets.end() :]
        effects.append((variables(targets[0]) if targets and surely else NOTHING, variables(value)))
    return tuple(effects)


@frozen
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
                return self._code(node, out)
            case Branch():
                return self.flow(node.then, out) | self.flow(node.otherwise, out) | variables(node.test)
            case Each():
                kept = frozenset((node.list, node.index)) if stops(node.body) else NOTHING
                return self._loop(node.body, out, kept, variables(node.var)) - kept | variables(node.values)
            case Times():
                kept = frozenset((node.left,)) if stops(node.body) else NOTHING
                return self._loop(node.body, out, kept, NOTHING) - kept | variables(node.count)
            case While():
                tested = variables(node.test)
                return self._loop(node.body, out, tested, NOTHING) | tested
            case Break():
                return self._leaving[-1]
            case Continue():
                return self._going_on[-1]
            case Exit():
                return variables(node.value)
            case Invoke():
                return self._stop(node, node.target, out) | variables(*node.arguments)
            case Ask():
                return self._stop(node, node.target, out) | variables(node.side, node.item, node.options)
            case AskChance():
                return self._stop(node, node.target, out) | variables(node.count, node.things)
            case Inlined():
                self._stop(node.call, node.call.target, out)
                return self.flow(node.flow, out)
            case _:
                assert_never(node)

    def _code(self, node: Code, out: Names) -> Names:
        for one in reversed(node.lines):
            for sets, reads in _effects(one.text):
                out = (out if one.depth else out - sets) | reads
        return out

    def _stop(self, node: Invoke | Ask | AskChance, target: str | None, out: Names) -> Names:
        """Note what is needed after a stop, which sets its target; it is needed before the stop, too."""
        self.after[id(node)] = needed = out - variables(target or "")
        return needed

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
