"""Routines as plain Python functions: choices call the agent, control flow is Python's own.

Python takes a hundred levels of indentation and twenty loops inside one another.  What is nested deeper goes
into functions inside the routine's function, which share its variables and say how they were left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, assert_never

from rulekit.runtime.codegen.module_writer import Lines, PyLine, RoutineKey
from rulekit.runtime.codegen.routines import flow as f
from rulekit.runtime.codegen.routines.flow import Flow, Node, Routine

MOST_DEPTH: Final = 40
"""Levels of indentation in one Python function, without those around blocks of `frames`."""

MOST_LOOPS: Final = 12
"""Loops inside loops of one Python function, without those in which a choice may stop; CPython takes 20."""

BROKEN, NEXT = "1", "2"
"""The result of an inner function that leaves, or goes on with, the loop around its call."""


def function(name: str, routine: Routine, called: Callable[[RoutineKey], str]) -> Lines:
    """The routine as a function; `called` gives the names of the routines it calls."""
    params = ", ".join(("S", "M", *routine.params))
    lines = [PyLine(0, f"def {name}({params}):", routine.site)]
    lines += [PyLine(1, text, routine.site) for text in routine.prologue]
    native = Native(called)
    printed = native.flow(routine.flow, 1)
    lines += native.inner_functions(routine.params)
    return lines + (printed or ([] if routine.prologue else [PyLine(1, "pass", routine.site)]))


class Native:
    """Prints the flows of one function as structured Python."""

    def __init__(self, called: Callable[[RoutineKey], str]) -> None:
        self.called = called
        self._inner: list[Lines] = []
        self._is_inner = False
        self._loops = 0

    def inner_functions(self, params: Sequence[str]) -> Lines:
        """The functions inside the routine's, which must be there before the flows that were printed."""
        texts = [line.text for lines in self._inner for line in lines]
        unset = sorted(f.variables(*texts) - set(params))
        first = [PyLine(1, f"{' = '.join(unset)} = None", -1)] if unset else []
        return first + [line for lines in self._inner for line in lines]

    def flow(self, flow: Flow, depth: int) -> Lines:
        """The nodes of a flow, one after the other."""
        if flow and (depth > MOST_DEPTH or self._loops > MOST_LOOPS):
            return self._apart(flow, depth)
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
                return [PyLine(depth, "break" if self._in_loop else f"return {BROKEN}", node.site)]
            case f.Continue():
                return [PyLine(depth, "continue" if self._in_loop else f"return {NEXT}", node.site)]
            case f.Exit():
                value = f"({node.value},)" if self._is_inner else node.value
                return [PyLine(depth, f"return {value}", node.site)]
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
            case f.AskChance():
                raise AssertionError(node)  # direct code takes chance from its streams
            case f.Inlined():
                return self.flow(node.flow, depth)
            case _:
                assert_never(node)

    @property
    def _in_loop(self) -> bool:
        """Whether what is printed belongs to a loop of the same Python function."""
        return self._loops > 0 or not self._is_inner

    def _branch(self, node: f.Branch, depth: int) -> Lines:
        then = self.flow(node.then, depth + 1)
        if not then:
            otherwise = self.flow(node.otherwise, depth + 1)
            return [PyLine(depth, f"if not ({node.test}):", node.site), *otherwise] if otherwise else []
        lines = [PyLine(depth, f"if {node.test}:", node.site), *then]
        last = node
        while isinstance(branch := last.otherwise[0] if len(last.otherwise) == 1 else None, f.Branch):
            then = self.flow(branch.then, depth + 1)
            if not then:
                break
            lines += [PyLine(depth, f"elif {branch.test}:", branch.site), *then]
            last = branch
        otherwise = self.flow(last.otherwise, depth + 1)
        return lines + ([PyLine(depth, "else:", last.site), *otherwise] if otherwise else [])

    def _loop(self, head: str, body: Flow, depth: int, site: int) -> Lines:
        self._loops += 1
        lines = [PyLine(depth, head, site), *self.flow(body, depth + 1)]
        self._loops -= 1
        return lines if len(lines) > 1 else [*lines, PyLine(depth + 1, "pass", site)]

    def _apart(self, flow: Flow, depth: int) -> Lines:
        """The call of a function inside this one with a flow, and what follows from how it was left.

        These lines have no site, so that reports of faults see the statement inside alone.
        """
        around, self._loops, self._is_inner = (self._loops, self._is_inner), 0, True
        body = self.flow(flow, 2)
        self._loops, self._is_inner = around
        if not body:
            return []
        name = f"b{len(self._inner)}"
        shared = sorted(f.variables(*(line.text for line in body)))
        header = [PyLine(1, f"def {name}():", -1)]
        header += [PyLine(2, f"nonlocal {', '.join(shared)}", -1)] if shared else []
        self._inner.append([*header, *body])
        leaving: dict[str, Node] = {}
        for node in f.leaving(flow):
            match node:
                case f.Break():
                    leaving[f"j == {BROKEN}"] = f.Break(-1)
                case f.Continue():
                    leaving[f"j == {NEXT}"] = f.Continue(-1)
                case f.Exit():
                    leaving["j"] = f.Exit("j[0]", -1)
        lines = [PyLine(depth, f"j = {name}()" if leaving else f"{name}()", -1)]
        for test in sorted(leaving, reverse=True):
            lines += [PyLine(depth, f"if {test}:", -1), *self.node(leaving[test], depth + 1)]
        return lines
