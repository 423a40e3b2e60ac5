"""Which variables a flow still needs at each place where it may stop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from rulekit.runtime.codegen.routines.flow import (
    NOTHING,
    Ask,
    Branch,
    Break,
    Call,
    Code,
    Continue,
    Each,
    Flow,
    Inlined,
    Names,
    Node,
    Return,
    Times,
    While,
    stops,
)


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
            case Return():
                return node.reads
            case Call() | Ask():
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
            found = head | self.flow(body, head) - bound
            self._leaving.pop()
            self._going_on.pop()
            if found == head:
                return head
            head = found
