"""The sides that know of an event at its moment: the last operand of some events (spec 13.3)."""

from __future__ import annotations

from rulekit.ir import Const, Expr, Local, State, walk
from rulekit.ir.semantics.hidden import varying_known
from rulekit.ir.types import Nothing, SetOf
from rulekit.runtime.codegen.expressions.writer import Writer
from rulekit.runtime.codegen.statements.scope import Field, RoutineScope
from rulekit.runtime.support.trace import KNOWN


def sides_field(
    scope: RoutineScope,
    sides: Expr | None,
    site: int,
    state: State | None = None,
    keys: tuple[Expr, ...] = (),
) -> list[Field]:
    """The operand for the `known to` of a draw, roll or reveal; none without it.

    `state`: the state that is revealed; the sides that know its value see the reveal, too.
    """
    if sides is None:
        return []
    if not scope.telling:
        return [(KNOWN, Nothing(), "")]
    text = sides_mask(scope, scope.writer(site, sides), sides)
    if state is not None and state.known_to is not None:
        known = state.known_to
        values = {param.name: key for param, key in zip(known.params, keys, strict=True)}
        named = scope.optimised.simple(walk.substitute(known.sides, values))
        text = f"{text} | {sides_mask(scope, scope.writer(site, named), named)}"
    return [(KNOWN, Nothing(), text)]


def state_field(
    scope: RoutineScope, state: str, keys: tuple[Expr, ...], site: int, members: Expr | None = None
) -> list[Field]:
    """The operand for a change of a state, if who knows it may change; of `members`, for each of them."""
    facts = scope.optimised.facts
    known = varying_known(facts, facts.states[state])
    if known is None:
        return []
    if not scope.telling:
        return [(KNOWN, Nothing(), "")]
    last = () if members is None else (Local("key m", known.params[-1].type),)
    values = {param.name: key for param, key in zip(known.params, (*keys, *last), strict=False)}
    sides = scope.optimised.simple(walk.substitute(known.sides, values))
    scope.names["key m"] = "m"
    text = sides_mask(scope, scope.writer(site, sides), sides)
    if members is not None:
        named = isinstance(members, Const)
        listed = scope.writer(site, members).members(members) if named else "BITS[x]"
        text = f"tuple([{text} for m in {listed}])"
    return [(KNOWN, Nothing(), text)]


def sides_mask(scope: RoutineScope, writer: Writer, sides: Expr) -> str:
    """Sides as a mask, where they are one side or none, too."""
    if isinstance(sides.type, SetOf):
        return writer.text(sides)
    return f"{scope.unit.helper('sides of one', _of_one)}({writer.text(sides)})"


def _of_one(side: int) -> int:
    return 1 << side if side >= 0 else 0
