"""Rolls that, with all that modifies them, leave the range of what they are given to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulekit import ir
from rulekit.frozen import frozen
from rulekit.ir import walk
from rulekit.prove.prover import Prover
from rulekit.prove.situation import Situation, looked_for
from rulekit.types import Flag, Int, Type

BUDGET: Final = 40_000
FLAG: Final = Flag()


@frozen
class Beyond:
    """A use of a roll, and a situation in which it comes to less than `low` or more than `high` there.

    `use` says what it is given to; `end` is the bound that it passes.  `because` are the modifiers that do
    it: the first that does so alone, else all of the roll's.
    """

    roll: ir.Roll
    use: str
    end: int
    above: bool
    site: int
    situation: Situation
    because: tuple[ir.Modifier, ...]


@frozen
class _Use:
    """A number that is held to a range, where it is made of one roll's result."""

    roll: ir.Roll
    value: ir.Op
    given: tuple[ir.Expr, ...]
    site: int


def beyond(prover: Prover, procedure: ir.Procedure) -> Iterator[Beyond]:
    """The uses of modified rolls in a procedure that can be out of range.

    Asked are uses that read one roll and nothing else that is bound in the procedure; conditions around them
    count as far as they read no state, which might have changed between.
    """
    bound = [stmt for stmt in walk.statements(procedure.body) if isinstance(stmt, ir.Roll) and stmt.local]
    names = [stmt.local.name for stmt in bound if stmt.local is not None]
    rolls = {
        stmt.local.name: stmt
        for stmt in bound
        if stmt.local is not None and stmt.modified is not None and names.count(stmt.local.name) == 1
    }
    if not rolls:
        return
    for use in _uses(procedure.body, rolls, ()):
        for above in (False, True):
            found = _beyond(prover, use, above=above)
            if found is not None:
                yield found


def _beyond(prover: Prover, use: _Use, *, above: bool) -> Beyond | None:
    value, low, high = use.value.operands
    end = high if above else low
    if not isinstance(end, ir.Const) or not isinstance(end.value, int):
        return None
    kind = value.type
    if isinstance(kind, Int) and not (kind.high > end.value if above else kind.low < end.value):
        return None
    roll = use.roll
    assert roll.local is not None and roll.modified is not None
    test: ir.Expr = ir.Op("gt" if above else "lt", (value, end), FLAG)
    if use.given:
        test = ir.Op("and", (*use.given, test), FLAG)
    test = walk.substitute(test, {roll.local.name: roll.modified})
    modifiers = tuple(each for each in prover.program.modifiers if each.point == roll.point)
    for alone in modifiers:
        idle = [_idle(other, roll) for other in modifiers if other is not alone]
        situation = _situation(prover, ir.Op("and", (*idle, test), FLAG) if idle else test, roll)
        if situation is not None:
            return Beyond(roll, use.value.detail, end.value, above, use.site, situation, (alone,))
    situation = _situation(prover, test, roll)
    if situation is None:
        return None
    return Beyond(roll, use.value.detail, end.value, above, use.site, situation, modifiers)


def _idle(modifier: ir.Modifier, roll: ir.Roll) -> ir.Expr:
    """That a modifier does not act on a roll."""
    if not modifier.acts:
        return ir.Const(False, FLAG)
    kind = Int(0, len(modifier.clauses))
    clause = ir.Apply(modifier.acts, (roll.raw, *roll.arguments), kind)
    return ir.Op("ne", (clause, ir.Const(0, kind)), FLAG)


def _situation(prover: Prover, test: ir.Expr, roll: ir.Roll) -> Situation | None:
    params = [_renamed(ir.Param(name, type_), roll) for name, type_ in _locals(test).items()]
    test = walk.substitute(test, {roll.raw.name: ir.Local("rolled", roll.raw.type)})
    found = looked_for(prover, params, test, BUDGET)
    return found if isinstance(found, Situation) else None


def _renamed(param: ir.Param, roll: ir.Roll) -> ir.Param:
    return ir.Param("rolled", param.type) if param.name == roll.raw.name else param


def _locals(test: ir.Expr) -> dict[str, Type]:
    wanted = walk.free(test)
    nodes = (node for node in walk.nodes(test) if isinstance(node, ir.Local) and node.name in wanted)
    return {node.name: node.declared or node.type for node in nodes}


def _uses(block: ir.Block, rolls: Mapping[str, ir.Roll], given: tuple[ir.Expr, ...]) -> Iterator[_Use]:
    """The uses of rolls in a block, each with the conditions around it."""
    for stmt in block:
        for e in walk.expressions(stmt):
            yield from _within(e, rolls, given, stmt.site)
        if isinstance(stmt, ir.When):
            denied = ir.Op("not", (stmt.condition,), FLAG)
            known = _steady(stmt.condition)
            yield from _uses(stmt.then, rolls, (*given, stmt.condition) if known else given)
            yield from _uses(stmt.otherwise, rolls, (*given, denied) if known else given)
        else:
            for inner in walk.blocks(stmt):
                yield from _uses(inner, rolls, given)


def _within(
    e: ir.Expr, rolls: Mapping[str, ir.Roll], given: tuple[ir.Expr, ...], site: int
) -> Iterator[_Use]:
    if isinstance(e, ir.If):
        denied = ir.Op("not", (e.condition,), FLAG)
        yield from _within(e.condition, rolls, given, site)
        yield from _within(e.then, rolls, (*given, e.condition), site)
        yield from _within(e.otherwise, rolls, (*given, denied), site)
        return
    if isinstance(e, ir.Op) and e.op == "ranged":
        names = walk.free(e.operands[0])
        if len(names) == 1 and (name := min(names)) in rolls:
            yield _Use(rolls[name], e, given, site)
    for part in walk.children(e):
        yield from _within(part, rolls, given, site)


def _steady(condition: ir.Expr) -> bool:
    """Whether a condition reads no state, and so holds as long as what it reads of locals stays."""
    return not any(isinstance(n, ir.Read | ir.Flagged | ir.At | ir.Apply) for n in walk.nodes(condition))
