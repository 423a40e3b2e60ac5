"""Tells the modified values that statements work out, for games that are explained."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.ir import Apply, Expr, If, Op, Program, stmt, walk
from rulekit.ir.conditions import FLAG, conjunction, negation
from rulekit.ir.expr import Binding

MOST_TOLD: Final = 12
"""Most values that a statement tells."""
DEEPEST: Final = 8
"""How deep in definitions that call others the values may stand."""
LARGEST: Final = 400
"""Most nodes of a definition in which values are looked for."""

_SHORT: Final[Mapping[str, Callable[[Expr], Expr]]] = {
    "and": lambda part: part,
    "or": negation,
    "or_else": lambda part: Op("is_none", (part,), FLAG),
}
"""Operations that may stop early: the condition under which they go on after a part."""
_UNTOLD: Final = (stmt.ForEach, stmt.Repeat, stmt.ChooseEach, stmt.Tell)


def with_told_values(program: Program) -> Program:
    """Return the program with a `Tell` before each statement for every modified value that it works out.

    Left out are values for each member of a set or list, and those of loops and choices.
    """
    teller = _Teller(program)
    if not teller.modified:
        return program
    procedures = [replace(item, body=teller.block(item.body)) for item in program.procedures]
    return replace(program, procedures=tuple(procedures))


@frozen
class _Call:
    """A call of a modified function, with what must hold for it to be evaluated."""

    guard: tuple[Expr, ...]
    function: str
    arguments: tuple[Expr, ...]


class _Teller:
    """Finds calls of modified functions in the expressions of statements.

    Attributes:
        modified: The functions that modifiers change, each with the definition or table that it belongs to.
    """

    def __init__(self, program: Program) -> None:
        self.modified = {
            modifier.function: (modifier.of, modifier.point)
            for modifier in program.modifiers
            if modifier.of != "roll"
        }
        self._functions = program.by_name.functions
        self._numbers = count(1)
        self._calls: dict[str, bool] = {}

    def block(self, block: stmt.Block) -> stmt.Block:
        """Return the statements, each after the `Tell` of its values."""
        statements: list[stmt.Stmt] = []
        for one in block:
            statements += self._tells(one)
            statements.append(walk.map_parts(one, lambda e: e, self.block))
        return tuple(statements)

    def _tells(self, one: stmt.Stmt) -> Iterator[stmt.Stmt]:
        if isinstance(one, _UNTOLD):
            return
        parts = one.arguments if isinstance(one, stmt.Roll) else walk.expressions(one)
        calls = dict.fromkeys(call for part in parts for call in self._in(part, (), 0))
        for call in list(calls)[:MOST_TOLD]:
            of, point = self.modified[call.function]
            arguments = call.arguments if of == "define" else call.arguments[1:]
            yield stmt.Tell(of, point, call.function, arguments, conjunction(*call.guard), one.site)

    def _in(self, e: Expr, guard: tuple[Expr, ...], depth: int) -> Iterator[_Call]:
        """Yield the calls in an expression, which runs if the guard holds, in the order of evaluation."""
        if isinstance(e, If):
            yield from self._in(e.condition, guard, depth)
            yield from self._in(e.then, (*guard, e.condition), depth)
            yield from self._in(e.otherwise, (*guard, negation(e.condition)), depth)
        elif isinstance(e, Op) and e.op in _SHORT:
            for part in e.operands:
                yield from self._in(part, guard, depth)
                guard = (*guard, _SHORT[e.op](part))
        elif isinstance(e, Binding):
            yield from self._in(e.over, guard, depth)
        else:
            for part in walk.children(e):
                yield from self._in(part, guard, depth)
            if isinstance(e, Apply):
                yield from self._in_call(e, guard, depth)
                if e.function in self.modified:
                    yield _Call(guard, e.function, e.arguments)

    def _in_call(self, call: Apply, guard: tuple[Expr, ...], depth: int) -> Iterator[_Call]:
        """Yield the calls in the body of a function."""
        function = self._functions[call.function]
        if depth >= DEEPEST or not self._calls_modified(call.function) or walk.size(function.body) > LARGEST:
            return
        names = (param.name for param in function.params)
        values: Mapping[str, Expr] = dict(zip(names, call.arguments, strict=True))
        body = walk.with_fresh_locals(function.body, lambda name: f"{name}'told{next(self._numbers)}")
        yield from self._in(walk.substitute(body, values), guard, depth + 1)

    def _calls_modified(self, name: str) -> bool:
        """True if the body of a function calls a modified one, directly or through others."""
        if name not in self._calls:
            self._calls[name] = False
            called = [e.function for e in walk.nodes(self._functions[name].body) if isinstance(e, Apply)]
            self._calls[name] = any(one in self.modified or self._calls_modified(one) for one in called)
        return self._calls[name]
