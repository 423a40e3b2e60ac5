"""Choices of one part asked by the routine that wants the answer, without a frame of their own.

The choice's flow takes the place of the call, over variables of the caller.  Saves do not tell: the caller
waits, as they have it, where the choice was called, and a restore asks through the choice's own frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.ir.types import Nothing
from rulekit.runtime.codegen.choices.lowering import OPENED
from rulekit.runtime.codegen.module_writer import PyLine
from rulekit.runtime.codegen.routines import flow as f
from rulekit.runtime.codegen.routines.flow import Flow, Node, Routine, Variable

MOST_LINES: Final = 60
"""Lines of the largest choice that is inlined."""


def inline_choices(routine: Routine, choice: Callable[[str], Routine]) -> Routine:
    """The routine with all choices inlined that may be; `choice` gives a choice's routine by its name."""
    maker = _Inliner(routine, choice)
    flow = maker.flow(routine.flow)
    prologue = tuple(dict.fromkeys((*routine.prologue, *maker.prologue)))
    return replace(routine, flow=flow, prologue=prologue, variables=maker.variables)


def _simple(routine: Routine) -> bool:
    """Whether a choice asks one part, and ends at its end."""
    *before, last = routine.flow
    inside = list(f.nodes(before))
    asks = sum(isinstance(node, f.Ask) for node in inside)
    plain = all(isinstance(node, f.Ask | f.Branch | f.Code) for node in inside)
    lines = sum(len(node.lines) for node in inside if isinstance(node, f.Code))
    return asks == 1 and plain and isinstance(last, f.Exit) and lines <= MOST_LINES


@dataclass
class _Inliner:
    """Rewrites one routine."""

    routine: Routine
    choice: Callable[[str], Routine]

    def __post_init__(self) -> None:
        self.variables = dict(self.routine.variables)
        self.prologue: list[str] = []

    def flow(self, flow: Flow) -> Flow:
        """The nodes, calls of simple choices replaced."""
        return [self._node(node) for node in flow]

    def _node(self, node: Node) -> Node:
        match node:
            case f.Invoke():
                choice = self.choice(node.routine[1]) if node.routine[0] == "choice" else None
                return node if choice is None or not _simple(choice) else self._inline(node, choice)
            case f.Branch():
                return replace(node, then=self.flow(node.then), otherwise=self.flow(node.otherwise))
            case f.Each() | f.Times() | f.While():
                return replace(node, body=self.flow(node.body))
            case f.Code() | f.Break() | f.Continue() | f.Exit() | f.Ask() | f.AskChance() | f.Inlined():
                return node

    def _inline(self, call: f.Invoke, choice: Routine) -> f.Inlined:
        """A call as the choice's own flow."""
        names: dict[str, str] = {}
        flow: Flow = []
        for param, argument in zip(choice.params, call.arguments, strict=True):
            if f.VARIABLE.fullmatch(argument):
                names[param] = argument
            else:
                names[param] = self._fresh()
                flow.append(f.code(call.site, f"{names[param]} = {argument}"))
        last = choice.flow[-1]
        assert isinstance(last, f.Exit)
        if call.target is not None and call.target not in names.values():
            names[last.value] = call.target
        for name in choice.variables:
            if name not in names:
                names[name] = self._fresh()
        flow += _Renamer(names).flow(choice.flow[:-1])
        answer = names[last.value]
        if call.target is not None and call.target != answer:
            flow.append(f.code(call.site, f"{call.target} = {answer}"))
        self.prologue += choice.prologue
        return f.Inlined(call, flow)

    def _fresh(self) -> str:
        """A variable that saves never hold."""
        python = f"v{len(self.variables)}"
        self.variables[python] = Variable(python, f"#{python}", Nothing())
        return python


@frozen
class _Renamer:
    """Puts other variables in the place of a flow's."""

    names: Mapping[str, str]

    def flow(self, flow: Flow) -> Flow:
        return [self._node(node) for node in flow]

    def _text(self, text: str) -> str:
        return f.VARIABLE.sub(lambda name: self.names[name[0]], text)

    def _node(self, node: Node) -> Node:
        match node:
            case f.Code():
                kept = (one for one in node.lines if one.text != OPENED)
                return f.Code([PyLine(one.depth, self._text(one.text), one.site) for one in kept])
            case f.Branch():
                then, otherwise = self.flow(node.then), self.flow(node.otherwise)
                return f.Branch(self._text(node.test), then, otherwise, node.site)
            case f.Ask():
                texts = map(self._text, (node.side, node.item, node.options, node.target))
                side, item, options, target = texts
                return replace(node, side=side, item=item, options=options, target=target)
            case (
                f.Each()
                | f.Times()
                | f.While()
                | f.Break()
                | f.Continue()
                | f.Exit()
                | f.Invoke()
                | f.AskChance()
                | f.Inlined()
            ):
                raise AssertionError(node)  # `_simple` lets none through
