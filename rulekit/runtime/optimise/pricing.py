"""A program in which everything that pays for its work has a name, and the price of each.

Before any pass: each loop of an expression that pays becomes a function of its own, so that its price has a
name to be kept by.  What may pay may end in a fault, so that the passes neither drop, double nor move it; and
the same is paid at the same places whatever they do to the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from rulekit.ir import (
    Apply,
    Block,
    Choice,
    Expr,
    ForEach,
    Function,
    Local,
    Norm,
    Param,
    Procedure,
    Program,
    walk,
)
from rulekit.ir.expr import Binding
from rulekit.ir.semantics.work import Work
from rulekit.ir.stmt import Repeat, Stmt


class Prices:
    """The prices of one program, in units of the budget. Parts that are in no table pay nothing.

    Attributes:
        program: The program with its paying loops as functions.
        loops: For each run of such a function's loop.
        functions: For each call of another function.
    """

    def __init__(self, program: Program) -> None:
        self._work, self._written = Work(program), program.by_name
        self.loops: dict[str, int] = {}
        names = (item.name for item in program.functions)
        self.functions = {name: price for name in names if (price := self._work.price_of_function(name))}
        self._new: list[Function] = []
        self._runs: dict[int, int] = {}
        self.promises = [self._work.price_of_test(item.body) for item in program.invariants]
        functions = [replace(item, body=self.outline(item.body, item.site)) for item in program.functions]
        procedures = [replace(item, body=self._block(item.body)) for item in program.procedures]
        choices = map(self.outline_choice, program.choices)
        invariants = [replace(item, body=self.outline(item.body, item.site)) for item in program.invariants]
        self.program = replace(
            program,
            procedures=tuple(procedures),
            choices=tuple(choices),
            invariants=tuple(invariants),
            functions=(*functions, *self._new),
        )

    def of_procedure(self, name: str) -> int:
        """Return what a run of a procedure costs."""
        return self._work.price_of_procedure(name)

    def of_choice(self, name: str) -> int:
        """Return what asking a choice costs, without its parts."""
        return self._work.price_of_choice(self._written.choices[name])

    def of_part(self, name: str) -> int:
        """Return what each part of an answer costs."""
        return self._work.price_of_part(self._written.choices[name])

    def of_norms(self, name: str) -> tuple[int, int]:
        """Return what judging an answer costs, once and by part, where legal answers are searched for."""
        return self._work.price_of_norms(self._written.choices[name])

    def of_runs(self, loop: ForEach | Repeat) -> int:
        """Return the price of each run of a loop that the passes have left in a procedure."""
        return self._runs[id(loop)]

    def note_loops(self, procedure: Procedure) -> None:
        """Give the loops of a procedure after the passes the prices that they have as written.

        The passes put procedures without loops in the place of their calls, and keep the order of loops.
        """
        written, kept = _loops(self._written.procedures[procedure.name].body), _loops(procedure.body)
        for before, after in zip(written, kept, strict=True):
            self._runs[id(after)] = self._work.price_of_runs(before)

    # ------------------------------------------------------------ paying loops as functions

    def outline(self, e: Expr, site: int) -> Expr:
        """Return the expression with its paying loops as calls."""
        if not isinstance(e, Binding):
            return walk.rebuild(e, tuple(self.outline(part, site) for part in walk.children(e)))
        price = self._work.price_of_loop(e)
        loop = walk.rebuild(e, tuple(self.outline(part, site) for part in walk.children(e)))
        return self._as_function(loop, price, site) if price else loop

    def _as_function(self, loop: Expr, price: int, site: int) -> Apply:
        name = f"loop {len(self.loops)}"
        free = walk.free(loop)
        nodes = (node for node in walk.nodes(loop) if isinstance(node, Local) and node.name in free)
        kinds = {node.name: node.declared or node.type for node in nodes}
        params = tuple(Param(local, kinds[local]) for local in sorted(kinds))
        self.loops[name] = price
        self._new.append(Function(name, params, loop.type, loop, site))
        return Apply(name, tuple(Local(param.name, param.type) for param in params), loop.type)

    def outline_choice(self, choice: Choice) -> Choice:
        """Return a choice with the paying loops of its expressions as calls."""
        change = partial(self.outline, site=choice.site)
        default = None if choice.default is None else change(choice.default)
        return replace(
            choice.with_asked(change),
            decider=change(choice.decider),
            lets=tuple((local, change(value)) for local, value in choice.lets),
            norms=tuple(_changed_norm(norm, change) for norm in choice.norms),
            default=default,
        )

    def paying(self) -> list[Function]:
        """Return all functions of the program that pay."""
        self._new = []
        return [
            item for item in self.program.functions if item.name in self.loops or item.name in self.functions
        ]

    def take_new(self) -> list[Function]:
        """Return the functions made since the last time."""
        new, self._new = self._new, []
        return new

    def _block(self, block: Block) -> Block:
        return tuple(map(self._statement, block))

    def _statement(self, stmt: Stmt) -> Stmt:
        return walk.map_parts(stmt, partial(self.outline, site=stmt.site), self._block)


def _changed_norm(norm: Norm, change: Callable[[Expr], Expr]) -> Norm:
    cover, whole = (None if e is None else change(e) for e in (norm.cover, norm.whole))
    return replace(norm, test=change(norm.test), cover=cover, whole=whole)


def _loops(block: Block) -> Iterable[ForEach | Repeat]:
    return (stmt for stmt in walk.statements(block) if isinstance(stmt, ForEach | Repeat))
