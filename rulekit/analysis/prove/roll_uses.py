"""Where the result of a roll is held to a range: in the procedure that rolls, and where it is handed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir import walk
from rulekit.ir.memo import Trees
from rulekit.ir.types import Flag, Member, SetOf

_FLAG = Flag()
_LEAVING = (ir.Leave, ir.Next, ir.Return, ir.Finish)
Rolls = Mapping[str, ir.Roll]
"""Rolls by the local that has their result."""


@frozen
class Use:
    """A number that is held to a range, where it is made of one roll's result, the local `name`.

    `given` holds wherever it is; `plain`: nothing else is read that is bound outside, and the roll itself is
    modified.  `certain`: `given` is all that is asked before it comes to this.
    """

    roll: ir.Roll
    name: str
    value: ir.Op
    given: tuple[ir.Expr, ...]
    site: int
    plain: bool
    certain: bool


@frozen
class _Way:
    """What holds at a place: conditions that read no state; `certain`: there are no others."""

    rolls: Rolls
    params: frozenset[str]
    given: tuple[ir.Expr, ...] = ()
    certain: bool = True
    inside: tuple[str, ...] = ()

    def when(self, condition: ir.Expr) -> _Way:
        """The same where a condition holds, too."""
        if _steady(condition):
            return replace(self, given=(*self.given, condition))
        return replace(self, certain=False)

    def unless(self, condition: ir.Expr) -> _Way:
        """The same where it does not."""
        return self.when(ir.Op("not", (condition,), _FLAG))


class Rolled:
    """The uses of rolls in one program.

    Args:
        trees: What is known of trees of the program.
    """

    def __init__(self, program: ir.Program, trees: Trees | None = None) -> None:
        self._procedures = program.by_name.procedures
        self._trees = trees or Trees()
        self._met: dict[str, ir.Procedure | None] = {}

    def uses(self, procedure: ir.Procedure) -> Sequence[Use]:
        """Those of the rolls of a procedure.

        Those that are not plain and certain are left out: it takes more than this to know what comes to them.
        """
        known = self._trees.get("uses", procedure)
        if known is None or any(self._procedures.get(name) is not callee for name, callee in known[0]):
            self._met = {}
            uses = tuple(self._uses(procedure))
            known = tuple(self._met.items()), uses
            self._trees.put("uses", procedure, known)
        result: Sequence[Use] = known[1]
        return result

    def _uses(self, procedure: ir.Procedure) -> Iterator[Use]:
        bound = [stmt for stmt in walk.statements(procedure.body) if isinstance(stmt, ir.Roll)]
        names = [_result_name(stmt) for stmt in bound]
        rolls = {_result_name(stmt): stmt for stmt in bound if names.count(_result_name(stmt)) == 1}
        if rolls:
            params = frozenset(param.name for param in procedure.params)
            way = _Way(rolls, params, inside=(procedure.name,))
            yield from (use for use in self._block(procedure.body, way) if use.plain or use.certain)

    def _block(self, block: ir.Block, way: _Way) -> Iterator[Use]:
        for stmt in block:
            for e in walk.expressions(stmt):
                yield from _within(e, way, stmt.site)
            if isinstance(stmt, ir.When):
                yield from self._block(stmt.then, way.when(stmt.condition))
                yield from self._block(stmt.otherwise, way.unless(stmt.condition))
                if _leaves(stmt.then):
                    way = way.unless(stmt.condition)
                elif _leaves(stmt.otherwise):
                    way = way.when(stmt.condition)
                elif any(_leaves((part,)) for part in walk.statements((*stmt.then, *stmt.otherwise))):
                    way = replace(way, certain=False)
                continue
            for inner in walk.blocks(stmt):
                yield from self._block(inner, way)
            if isinstance(stmt, ir.Do):
                yield from self._uses_in_call(stmt, way)

    def _uses_in_call(self, stmt: ir.Do, way: _Way) -> Iterator[Use]:
        """The uses in a procedure that gets a result as it is."""
        callee = self._met[stmt.procedure] = self._procedures.get(stmt.procedure)
        if callee is None or callee.name in way.inside:
            return
        rolls: dict[str, ir.Roll] = {}
        for param, argument in zip(callee.params, stmt.arguments, strict=True):
            if isinstance(argument, ir.Local) and argument.name in way.rolls:
                rolls[param.name] = way.rolls[argument.name]
        rebound = {inner.local.name for inner in walk.statements(callee.body) if isinstance(inner, ir.Let)}
        if not rolls or rebound & set(rolls):
            return
        there = _Way(rolls, frozenset(), (), way.certain and not way.given, (*way.inside, callee.name))
        yield from (replace(use, plain=False) for use in self._block(callee.body, there))

    def members(self, procedure: ir.Procedure, name: str) -> int | None:
        """The members that a parameter has in play; all of its type where nobody does the procedure.

        None: that depends on more than is looked at.
        """
        number = next(n for n, param in enumerate(procedure.params) if param.name == name)
        members, called = 0, False
        for what, argument in self._arguments.get(procedure.name, {}).get(number, ()):
            called = True
            if what is None:
                return None
            members |= what if argument is None else 1 << argument
        return members if called else -1

    @cached_property
    def _arguments(self) -> Mapping[str, Mapping[int, list[tuple[int | None, int | None]]]]:
        """For each procedure and parameter what it gets: members, or one, or (None) nobody knows."""
        gets: dict[str, dict[int, list[tuple[int | None, int | None]]]] = {}

        def look(block: ir.Block, loops: Mapping[str, int], *, sure: bool) -> None:
            for stmt in block:
                if isinstance(stmt, ir.Do):
                    own = gets.setdefault(stmt.procedure, {})
                    for number, argument in enumerate(stmt.arguments):
                        own.setdefault(number, []).append(
                            _argument_value(argument, loops) if sure else (None, None)
                        )
                inner = dict(loops)
                if isinstance(stmt, ir.ForEach) and isinstance(stmt.over, ir.Const):
                    if isinstance(stmt.over.value, int) and stmt.alternating is None:
                        inner[stmt.var.name] = stmt.over.value
                for part in walk.blocks(stmt):
                    look(part, inner, sure=sure and not isinstance(stmt, ir.When))
                sure = sure and not any(_leaves((inside,)) for inside in walk.statements((stmt,)))

        for procedure in self._procedures.values():
            if not procedure.name.startswith("example:"):
                look(procedure.body, {}, sure=True)
        return gets


def _argument_value(argument: ir.Expr, loops: Mapping[str, int]) -> tuple[int | None, int | None]:
    if isinstance(argument, ir.Const) and isinstance(argument.value, int):
        return 0, argument.value
    if isinstance(argument, ir.Local) and argument.name in loops:
        return loops[argument.name], None
    return None, None


def _result_name(stmt: ir.Roll) -> str:
    return stmt.raw.name if stmt.local is None else stmt.local.name


def _leaves(block: ir.Block) -> bool:
    return bool(block) and isinstance(block[-1], _LEAVING)


def _within(e: ir.Expr, way: _Way, site: int) -> Iterator[Use]:
    if isinstance(e, ir.If):
        yield from _within(e.condition, way, site)
        yield from _within(e.then, way.when(e.condition), site)
        yield from _within(e.otherwise, way.unless(e.condition), site)
        return
    if isinstance(e, ir.Op) and e.op == "ranged":
        names = walk.free(e.operands[0])
        of = names & set(way.rolls)
        if len(of) == 1 and names - of <= way.params:
            (name,) = of
            roll = way.rolls[name]
            plain = len(names) == 1 and roll.modified is not None
            certain = way.certain and _steady(e.operands[0])
            yield Use(roll, name, e, way.given, site, plain, certain)
    for part in walk.children(e):
        yield from _within(part, way, site)


def _steady(e: ir.Expr) -> bool:
    """Whether an expression reads no state, and so keeps its value while locals stay."""
    return not any(isinstance(n, ir.Read | ir.Flagged | ir.At | ir.Apply) for n in walk.nodes(e))


def among(param: ir.Param, members: int) -> ir.Expr | None:
    """That a parameter is one of some members; None where any will do."""
    if members < 0 or not isinstance(param.type, Member):
        return None
    return ir.Op("has", (ir.Local(param.name, param.type), ir.Const(members, SetOf(param.type))), _FLAG)
