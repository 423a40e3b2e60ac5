"""The states that are hidden from a side, and what may depend on them (spec 4.9, 13.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from rulekit.ir import Choice, Const, Expr, Modifier, Op, State, walk
from rulekit.ir.conditions import FLAG, TRUE
from rulekit.ir.program import Known
from rulekit.ir.semantics.constant import Constants, NotConstant
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.types import Optional, SetOf


class HiddenFrom:
    """The states that are hidden from one side, at any moment.

    Reveals are left out: they end, and are of single values.
    """

    def __init__(self, facts: Facts, side: int) -> None:
        self.side = side
        self._facts = facts

    @cached_property
    def states(self) -> frozenset[str]:
        """The states of which some value may be hidden from the side."""
        program = self._facts.program
        return frozenset(state.name for state in program.states if not self._always_knows(state.known_to))

    @property
    def counted(self) -> frozenset[str]:
        """Those of them that show how many things they hold."""
        return self.states & self._facts.counted

    @property
    def anything(self) -> bool:
        """True if anything may be hidden from the side: a state, an answer, a draw or a roll."""
        secret = any(choice.secret for choice in self._facts.choices.values())
        return bool(secret or self._facts.secret_draws or self.states)

    def _always_knows(self, known: Known | None) -> bool:
        if known is None:
            return True
        index = self._facts.program.by_name
        try:
            sides = Constants(index.statics, index.sizes).value(known.sides, {})
        except NotConstant:
            return False
        return bool(sides >> self.side & 1) if known.many else bool(sides == self.side)

    def knows(self, state: State, keys: Sequence[Expr]) -> Expr:
        """Return the condition under which the state names the side among those who know this value."""
        known = state.known_to
        if known is None or state.name not in self.states:
            return TRUE
        sides = walk.substitute(
            known.sides, {param.name: key for param, key in zip(known.params, keys, strict=False)}
        )
        return self.is_among(sides)

    def is_among(self, sides: Expr) -> Expr:
        """Return the condition under which the side is one of those after `known to`."""
        if isinstance(sides, Const) and isinstance(sides.value, int):
            many, value = isinstance(sides.type, SetOf), sides.value
            return Const(bool(value >> self.side & 1) if many else value == self.side, FLAG)
        kind = sides.type.of if isinstance(sides.type, SetOf | Optional) else sides.type
        return Op("has" if isinstance(sides.type, SetOf) else "eq", (Const(self.side, kind), sides), FLAG)

    def in_expression(self, e: Expr) -> frozenset[str]:
        """Return the states that an expression reads, calls included, and the side may not see in full."""
        return self.states & self._facts.reads(e)

    def in_choice(self, choice: Choice) -> frozenset[str]:
        """Return those on which the legal answers to a choice may depend."""
        return frozenset().union(*map(self.in_expression, choice_expressions(choice)))

    def in_modifier(self, modifier: Modifier) -> frozenset[str]:
        """Return those on which a modifier may depend."""
        functions = filter(None, (modifier.acts, modifier.number))
        return self.states & frozenset().union(*map(self._facts.function_reads, functions))


def varying_known(facts: Facts, state: State) -> Known | None:
    """Return who knows a state, if that may change in play; each change of such a state notes who knew it."""
    known = state.known_to
    return None if known is None or not facts.reads(known.sides) or facts.fallible(known.sides) else known


def choice_expressions(choice: Choice) -> Iterator[Expr]:
    """Yield everything on which the legal answers to a choice depend, its `let`s written out."""
    lets = walk.written_out(choice.lets)
    norms = (part for norm in choice.norms for part in (norm.test, norm.cover, norm.whole))
    parts = (*choice.asked, *(part for part in norms if part is not None))
    return (walk.substitute(part, lets) for part in parts)
