"""A situation that was found: as a state and arguments to play, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rulekit import ir
from rulekit.interpret import tabulate
from rulekit.interpret.layout import Slots
from rulekit.interpret.naming import Naming
from rulekit.interpret.plan import Plan
from rulekit.prove import Cell
from rulekit.types import NONE, Flag, Member, Optional, SetOf, Type

MOST_TOLD: Final = 5
"""Values that a situation is told by."""
_PARAMETER, _HAS = "parameter ", " has"


class Situation:
    """What a search has settled; all else is as the game begins."""

    def __init__(self, plan: Plan, params: Sequence[ir.Param], cells: Mapping[Cell, Any]) -> None:
        self._plan, self._params, self._cells = plan, params, cells
        self._naming = Naming(plan.program)

    # -- to play

    def state(self) -> list[Any]:
        """The state."""
        layout = self._plan.layout
        made = layout.initial()
        for name, keys, value in self._settled():
            slots, member = layout.slots[name.removesuffix(_HAS)], None
            if name.endswith(_HAS):
                *first, member = keys
                address = slots.address(tuple(first))
            elif slots.bits is not None:
                *first, last = keys
                address, member = slots.address(tuple(first)), last - slots.bits.low
            else:
                address = slots.address(keys)
            if member is None:
                made[address] = value
            else:
                made[address] = made[address] & ~(1 << member) | bool(value) << member
        layout.derive(made)
        return made

    def arguments(self) -> list[Any]:
        """The arguments; one that was not read is any."""
        return [self._argument(param) for param in self._params]

    def _argument(self, param: ir.Param) -> Any:
        name = _PARAMETER + param.name
        if isinstance(param.type, SetOf):
            cells = self._cells.items()
            return sum(1 << keys[-1] for (cell, keys), value in cells if cell == name + _HAS and value)
        if (name, ()) in self._cells:
            return self._cells[name, ()]
        plain = param.type.of if isinstance(param.type, Optional) else param.type
        if isinstance(plain, Flag) or tabulate.domain(plain) is None:
            return 0
        return min(tabulate.allowed(self._plan, plain))

    def _settled(self) -> Iterator[tuple[str, tuple[int, ...], Any]]:
        """Cells of the state with their values."""
        for (name, keys), value in self._cells.items():
            if not name.startswith(_PARAMETER):
                yield name, keys, value

    # -- in words

    def begins(self) -> bool:
        """Whether the state is that of the beginning."""
        return not list(self._changed())

    def told(self) -> str:
        """The parameters, and what is otherwise than as the game begins."""
        arguments = zip(self._params, self.arguments(), strict=True)
        said = [self._said(param.name, param.type, value) for param, value in arguments]
        said += [self._cell(name, keys, value) for name, keys, value in self._changed()]
        more = len(said) - MOST_TOLD
        return ", ".join(said[:MOST_TOLD]) + (f" and {more} more" if more > 0 else "")

    def _changed(self) -> Iterator[tuple[str, tuple[int, ...], Any]]:
        begins = self._plan.layout.initial()
        for name, keys, value in self._settled():
            slots = self._plan.layout.slots[name.removesuffix(_HAS)]
            if value != _begins(begins, slots, name, keys):
                yield name, keys, value

    def _cell(self, name: str, keys: tuple[int, ...], value: Any) -> str:
        state = self._plan.layout.slots[name.removesuffix(_HAS)].state
        if name.endswith(_HAS) and isinstance(state.type, SetOf):
            thing = self._naming.shown(state.type.of, keys[-1])
            where = _called(state.name, self._naming.keys(state.keys, keys[:-1]))
            return f"{thing} {'in' if value else 'not in'} {where}"
        shown = self._naming.keys(state.keys, keys)
        if state.name == "place":
            where = "nowhere" if value == NONE else f"at {self._naming.member('space', value)}"
            return f"{shown[0]} {where}"
        return self._said(_called(state.name, shown), state.type, value)

    def _said(self, called: str, kind: Type, value: Any) -> str:
        """One value as a condition."""
        if isinstance(kind, Flag):
            return called if value else f"not {called}"
        if value == NONE:
            return f"{called} is none"
        plain = kind.of if isinstance(kind, Optional) else kind
        shown = self._naming.shown(plain, value)
        if isinstance(plain, SetOf):
            return f"{called} = {{{', '.join(map(str, shown))}}}"
        return f"{called} is {shown}" if isinstance(plain, Member) else f"{called} = {shown}"


def _begins(begins: list[Any], slots: Slots, name: str, keys: tuple[int, ...]) -> Any:
    if name.endswith(_HAS):
        return bool(begins[slots.address(keys[:-1])] >> keys[-1] & 1)
    if slots.bits is not None:
        return bool(begins[slots.address(keys[:-1])] >> keys[-1] - slots.bits.low & 1)
    return begins[slots.address(keys)]


def _called(name: str, keys: Sequence[object]) -> str:
    """A cell as the language calls it: `Alpha.damage`, `lead(Red)`."""
    plain = name.rsplit(".", 1)
    if len(plain) == 2 and keys:
        return f"{keys[0]}.{plain[1]}" + (f"({', '.join(map(str, keys[1:]))})" if len(keys) > 1 else "")
    return name + (f"({', '.join(map(str, keys))})" if keys else "")
