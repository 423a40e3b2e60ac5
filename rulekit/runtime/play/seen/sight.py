"""The knowledge of a side: values, and expressions that follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rulekit.ir import Apply, Expr, Flagged, Read, walk
from rulekit.ir.semantics.effects import read_by
from rulekit.ir.semantics.hidden import HiddenFrom
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.support.layout import Slots


class _Hidden:
    """Stands for a value that a side may not see."""

    def __repr__(self) -> str:
        return "HIDDEN"

    def __reduce__(self) -> str:
        return "HIDDEN"


HIDDEN: Final = _Hidden()


class Sight:
    """The knowledge of a side, for a state that `cells` hold.

    Attributes:
        rules: The states that the rules hide from the side, at any moment.
    """

    def __init__(self, module: GeneratedModule, rules: HiddenFrom, cells: list[Any]) -> None:
        self.side, self.rules = rules.side, rules
        self._module, self._facts, self._cells = module, module.facts, cells

    def sees(self, slots: Slots, keys: tuple[int, ...]) -> bool:
        """True if the side may see the value for these keys now."""
        revealed = self._module.layout.revealed.get(slots.state.name)
        if revealed is not None:
            if revealed.shows(self._cells[revealed.address], slots, keys, self.side):
                return True
        return self.is_told(slots, keys)

    def is_told(self, slots: Slots, keys: tuple[int, ...]) -> bool:
        """True if the state names the side among those who know; a write ends what a reveal has shown."""
        known = slots.state.known_to
        return known is None or bool(self._module.knowers(self._cells, known, keys) >> self.side & 1)

    # ------------------------------------------------------------ expressions

    @property
    def hidden(self) -> frozenset[str]:
        """The states of which some value may be hidden from the side."""
        return self.rules.states

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
                continue
            called = self._facts.function_reads(node.function) if isinstance(node, Apply) else ()
            if not self.hidden.isdisjoint((*read_by(node), *called)):
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
                value = self._module.expression(key, names)(self._cells, *map(values.get, names))
            except Exception:
                return False
            keys.append(value)
        return len(keys) == len(slots.state.keys) and self.sees(slots, tuple(keys))
