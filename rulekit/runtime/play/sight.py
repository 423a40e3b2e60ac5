"""The knowledge of a side: values, and expressions and choices that depend on values hidden from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from rulekit.ir import Apply, Choice, Expr, Flagged, Modifier, Read, walk
from rulekit.ir.program import Known
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.support.layout import Slots


class Sight:
    """The knowledge of a side at a moment."""

    def __init__(self, moment: Moment, side: int) -> None:
        self.moment = moment
        self.side = side
        self._module = moment.game.module
        self._facts = moment.game.module.facts

    def sees(self, slots: Slots, keys: tuple[int, ...]) -> bool:
        """True if the side may see the value for these keys now."""
        layout = self._module.layout
        mask = layout.revealed.get(slots.state.name)
        if mask is not None and self.moment.machine.M[mask] >> slots.revealed_bit(keys) & 1:
            return True
        return self.is_told(slots, keys)

    def is_told(self, slots: Slots, keys: tuple[int, ...]) -> bool:
        """True if the state names the side among those who know; a write ends what a reveal has shown."""
        known = slots.state.known_to
        return known is None or self._is_among(known, keys[: len(known.params)])

    def _is_among(self, known: Known, keys: tuple[int, ...]) -> bool:
        names = tuple(param.name for param in known.params)[: len(keys)]
        sides = self._module.expression(known.sides, names)(self.moment.machine.M, *keys)
        return bool(sides >> self.side & 1) if known.many else sides == self.side

    # ------------------------------------------------------------ expressions

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The states of which some value may be hidden from the side."""
        states = self._module.program.states
        return frozenset(state.name for state in states if not self._always_knows(state.known_to))

    def _always_knows(self, known: Known | None) -> bool:
        if known is None:
            return True
        if walk.free(known.sides) or self._facts.reads(known.sides):
            return False
        return self._is_among(known, ())

    def may_hide(self, e: Expr) -> bool:
        """True if an expression reads a state of which the side may not see everything."""
        return not self.hidden.isdisjoint(self._facts.reads(e))

    def choice_may_hide(self, choice: Choice) -> bool:
        """True if the legal answers to a choice may depend on what the side may not see."""
        return any(map(self.may_hide, choice_expressions(choice)))

    def modifier_may_hide(self, modifier: Modifier) -> bool:
        """True if a modifier may depend on what the side may not see."""
        reads = map(self._facts.function_reads, filter(None, (modifier.acts, modifier.number)))
        return any(not self.hidden.isdisjoint(states) for states in reads)

    def follows(self, e: Expr, values: Mapping[str, Any]) -> bool:
        """True if an expression, for these values of its locals, reads only what the side may see.

        Keys that follow from `values` are evaluated; a function, or a loop over members, that reads
        a hidden state counts as reading all of it.
        """
        bound = {local.name for node in walk.nodes(e) if (local := walk.bound_local(node)) is not None}
        outer = {name: value for name, value in values.items() if name not in bound}
        for node in walk.nodes(e):
            if isinstance(node, Read | Flagged):
                if node.state in self.hidden and not self._reads_seen(node, outer):
                    return False
            elif isinstance(node, Apply) and not self.hidden.isdisjoint(
                self._facts.function_reads(node.function)
            ):
                return False
        return True

    def _reads_seen(self, node: Read | Flagged, values: Mapping[str, Any]) -> bool:
        """True if the side may see the value that is read, whose keys must follow from the values."""
        slots = self._module.layout.slots[node.state]
        keys = []
        for key in node.keys:
            names = tuple(sorted(walk.free(key)))
            if not values.keys() >= set(names):
                return False
            try:
                value = self._module.expression(key, names)(self.moment.machine.M, *map(values.get, names))
            except Exception:
                return False
            keys.append(value)
        return len(keys) == len(slots.state.keys) and self.sees(slots, tuple(keys))


def choice_expressions(choice: Choice) -> Iterator[Expr]:
    """Everything on which the legal answers to a choice depend, its `let`s written out."""
    lets = walk.written_out(choice.lets)
    parts = [choice.items, choice.candidates, choice.low, choice.high, choice.total, choice.each]
    parts += [part for norm in choice.norms for part in (norm.test, norm.cover, norm.whole)]
    return (walk.substitute(part, lets) for part in parts if part is not None)
