"""Routines as plain Python functions: choices call the agent, control flow is Python's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from rulekit.runtime.codegen.module_writer import Lines, PyLine, RoutineKey
from rulekit.runtime.codegen.routines import flow as f
from rulekit.runtime.codegen.routines.flow import Flow, Node, Routine
from rulekit.runtime.support.build import MOST_NESTING, TooLarge

MOST_DEPTH = 80
"""Levels of indentation; CPython takes a hundred."""


def function(name: str, routine: Routine, called: Callable[[RoutineKey], str]) -> Lines:
    """The routine as a function; `called` gives the names of the routines it calls."""
    params = ", ".join(("S", "M", *routine.params))
    lines = [PyLine(0, f"def {name}({params}):", routine.site)]
    lines += [PyLine(1, text, routine.site) for text in routine.prologue]
    printed = Native(called).flow(routine.flow, 1)
    return lines + (printed or ([] if routine.prologue else [PyLine(1, "pass", routine.site)]))


class Native:
    """Prints flows as structured Python; `leave` is how a function gives its value back."""

    def __init__(self, called: Callable[[RoutineKey], str], leave: str = "return {}") -> None:
        self.called = called
        self.leave = leave
        self._loops = 0

    def flow(self, flow: Flow, depth: int) -> Lines:
        """The nodes of a flow, one after the other."""
        if depth > MOST_DEPTH:
            raise TooLarge(f"statements are nested more than {MOST_DEPTH} deep")
        lines: Lines = []
        for node in flow:
            lines += self.node(node, depth)
        return lines

    def node(self, node: Node, depth: int) -> Lines:
        """One node."""
        match node:
            case f.Code():
                return [PyLine(line.depth + depth, line.text, line.site) for line in node.lines]
            case f.Branch():
                return self._branch(node, depth)
            case f.Each():
                return self._loop(f"for {node.var} in {node.values}:", node.body, depth, node.site)
            case f.Times():
                return self._loop(f"for _ in range({node.count}):", node.body, depth, node.site)
            case f.While():
                return self._loop(f"while {node.test}:", node.body, depth, node.site)
            case f.Break():
                return [PyLine(depth, "break", node.site)]
            case f.Continue():
                return [PyLine(depth, "continue", node.site)]
            case f.Exit():
                return [PyLine(depth, self.leave.format(node.value), node.site)]
            case f.Invoke():
                arguments = ", ".join(("S", "M", *node.arguments))
                target = "" if node.target is None else f"{node.target} = "
                return [PyLine(depth, f"{target}{self.called(node.routine)}({arguments})", node.site)]
            case f.Ask():
                ask = f"A({node.choice}, {node.side}, {node.item}, {node.options})"
                return [
                    PyLine(depth, f"{node.target} = {ask}", node.site),
                    PyLine(depth, f"if {node.target} not in {node.options}: illegal()", node.site),
                ]
            case f.Inlined():
                return self.flow(node.flow, depth)
            case _:
                assert_never(node)

    def _branch(self, node: f.Branch, depth: int) -> Lines:
        then = self.flow(node.then, depth + 1)
        otherwise = self.flow(node.otherwise, depth + 1)
        if not then:
            if not otherwise:
                return []
            return [PyLine(depth, f"if not ({node.test}):", node.site), *otherwise]
        lines = [PyLine(depth, f"if {node.test}:", node.site), *then]
        return lines + ([PyLine(depth, "else:", node.site), *otherwise] if otherwise else [])

    def _loop(self, head: str, body: Flow, depth: int, site: int) -> Lines:
        self._loops += 1
        if self._loops > MOST_NESTING:
            raise TooLarge(f"loops are nested more than {MOST_NESTING} deep")
        lines = [PyLine(depth, head, site), *self.flow(body, depth + 1)]
        self._loops -= 1
        return lines if len(lines) > 1 else [*lines, PyLine(depth + 1, "pass", site)]
