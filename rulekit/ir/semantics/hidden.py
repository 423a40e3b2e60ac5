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
        kind = sides.type.of if isinstance(sides.type, SetOf | Optional) else sides.type
        return Op("has" if known.many else "eq", (Const(self.side, kind), sides), FLAG)

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


def choice_expressions(choice: Choice) -> Iterator[Expr]:
    """Yield everything on which the legal answers to a choice depend, its `let`s written out."""
    lets = walk.written_out(choice.lets)
    parts = [choice.items, choice.candidates, choice.low, choice.high, choice.total, choice.each]
    parts += [part for norm in choice.norms for part in (norm.test, norm.cover, norm.whole)]
    return (walk.substitute(part, lets) for part in parts if part is not None)
