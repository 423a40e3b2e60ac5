"""The meaning of dice: the row of a table that the rules read next, or the result of their procedure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir.reachable import functions_called
from rulekit.ir.semantics.effects import read_by
from rulekit.ir.semantics.names import NamingError
from rulekit.ir.types import Member, Optional, Type
from rulekit.ir.walk import blocks, expressions, free, nodes, statements
from rulekit.runtime.play.beginning.given import Given, set_cells
from rulekit.runtime.play.events import Event
from rulekit.runtime.play.prepared import PreparedGame

TABLE: Final = "table:"
"""Prefix of the names of printed tables in a program."""

Known = Callable[[frozenset[str]], Given | None]
"""Gives the present values of some states; None if a reader does not know all of them."""


@frozen
class DiceMeaning:
    """The meaning of a roll.

    Attributes:
        of: `table effect` or `result test_speed`: where it is from.
        value: A row's name, or the result of the procedure, as JSON.
        domain: The domain of the name; empty for other values.
    """

    of: str
    value: Any
    domain: str


@frozen
class _RollUse:
    """An expression in which the rules use a roll.

    Attributes:
        of: As in `DiceMeaning`.
        value: The expression.
        states: The states that it depends on.
        names: Locals that it reads, in order.
        arguments: For each of them its number among the arguments of the roll; None for the roll itself.
    """

    of: str
    value: ir.Expr
    states: frozenset[str]
    names: tuple[str, ...]
    arguments: tuple[int | None, ...]


class DiceMeanings:
    """Tells what rolls mean, where that depends on the dice, on what a roll is about, and on known states.

    Args:
        known: Gives the present values of states.
    """

    def __init__(self, game: PreparedGame, known: Known) -> None:
        self._game, self._known = game, known

    def of(self, event: Event) -> DiceMeaning | None:
        """The meaning of a roll that a reader sees whole."""
        reading = self._readings.get(event.site)
        if reading is None or "raw" not in event.fields:
            return None
        fields, game = event.fields, self._game
        about = tuple(fields.get("arguments", {}).values())
        params = game.program.by_name.points[event.subject].params
        rolled = fields.get("result", fields["raw"])
        given = self._known(reading.states)
        if given is None:
            return None
        try:
            values = [
                rolled if at is None else game.naming.read(params[at].type, about[at])
                for at in reading.arguments
            ]
            cells = game.module.layout.initial()
            set_cells(game.named_values, cells, given)
            number = game.module.expression(reading.value, reading.names)(cells, *values)
            value = game.naming.to_json(reading.value.type, number)
        except (NamingError, ValueError, IndexError, KeyError, TypeError):  # no such row
            return None
        return DiceMeaning(reading.of, value, _domain(reading.value.type))

    @cached_property
    def _readings(self) -> dict[ir.Site, _RollUse]:
        program = self._game.program
        readings = {}
        for procedure in program.procedures:
            for roll, after in _rolls(procedure.body):
                reading = self._look_up(roll, after) or self._result(procedure, roll, after)
                if reading is not None:
                    readings[program.sites[roll.site]] = reading
        return readings

    def _look_up(self, roll: ir.Roll, after: ir.Block) -> _RollUse | None:
        """The first look-up with a roll in the statements after it, if its result is a name."""
        rolled = _roll_local(roll)
        for stmt in statements(after):
            for e in expressions(stmt):
                for node in nodes(e):
                    table = _table(node)
                    if table and rolled in free(node):
                        return self._reading(f"table {table}", node, roll) if _domain(node.type) else None
        return None

    def _result(self, procedure: ir.Procedure, roll: ir.Roll, after: ir.Block) -> _RollUse | None:
        """The result of a procedure right after a roll."""
        for stmt in after:
            if (
                isinstance(stmt, ir.Return)
                and stmt.value is not None
                and _roll_local(roll) in free(stmt.value)
            ):
                own = procedure.name.partition("'")[0]
                return self._reading(f"result {own}", stmt.value, roll)
        return None

    def _reading(self, of: str, value: ir.Expr, roll: ir.Roll) -> _RollUse | None:
        """The use of a roll in an expression, if that needs nothing but what the event of the roll tells."""
        known: dict[str, int | None] = {
            one.name: at for at, one in enumerate(roll.arguments) if isinstance(one, ir.Local)
        }
        known[_roll_local(roll)] = None
        names = tuple(sorted(free(value)))
        if not known.keys() >= set(names):
            return None
        bodies = [function.body for function in functions_called(self._game.program, value)]
        states = frozenset(state for body in (value, *bodies) for e in nodes(body) for state in read_by(e))
        return _RollUse(of, value, states, names, tuple(known[name] for name in names))


def _roll_local(roll: ir.Roll) -> str:
    """The local that holds what modifiers make of a roll."""
    return (roll.local or roll.raw).name


def _rolls(block: ir.Block) -> Iterator[tuple[ir.Roll, ir.Block]]:
    """Each roll of a block, with the statements that follow it there."""
    for at, stmt in enumerate(block):
        if isinstance(stmt, ir.Roll):
            yield stmt, block[at + 1 :]
        for inner in blocks(stmt):
            yield from _rolls(inner)


def _table(e: ir.Expr) -> str:
    """The name of the printed table that an expression looks up; empty for other expressions."""
    name = e.table if isinstance(e, ir.Static) else e.function if isinstance(e, ir.Apply) else ""
    return name.removeprefix(TABLE) if name.startswith(TABLE) else ""


def _domain(kind: Type) -> str:
    """The domain of a name or of none; empty for other types."""
    inner = kind.of if isinstance(kind, Optional) else kind
    return inner.domain if isinstance(inner, Member) else ""
