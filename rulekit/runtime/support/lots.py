"""The points of draws and shuffles, and given things as words of the generator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import DrawLot, DrawTop, ForEach, Program, Shuffle, Stmt, walk
from rulekit.ir.semantics.names import Naming, NamingError
from rulekit.ir.types import ListOf, Optional, SetOf, Type


@frozen
class Lot:
    """One point of draws or shuffles.

    Attributes:
        point: Its number.
        thing: The type of what is drawn.
        orders: Whether it puts things in order, and draws none.
    """

    point: int
    thing: Type
    orders: bool

    def read(self, naming: Naming, given: Sequence[Any]) -> tuple[int, ...]:
        """The given things: names in the order drawn; of an order, a list of all its things.

        A list in it holds things that are drawn at once.

        Raises:
            NamingError: Something cannot be drawn.
        """
        return given_words(given, partial(naming.read, self.thing), orders=self.orders)


def given_words(given: Sequence[Any], read: Callable[[Any], int], *, orders: bool) -> tuple[int, ...]:
    """The given things as words; the last thing of an order takes none, for it follows from the others."""
    words: list[int] = []
    for entry in given:
        several = isinstance(entry, list | tuple)
        if orders and not several:
            raise NamingError(f"expected a list of all things in their order, found `{entry}`")
        values = list(map(read, entry if several else [entry]))
        words += values[:-1] if orders else values
    return tuple(words)


def lots_of(program: Program) -> dict[str, Lot]:
    """The points of draws and shuffles, by name."""
    numbers = {point.name: number for number, point in enumerate(program.points)}
    lots: dict[str, Lot] = {}
    for procedure in program.procedures:
        for stmt in walk.statements(procedure.body):
            for name, kind, orders in _points_of(program, stmt):
                lots[name] = Lot(numbers[name], kind, orders)
    return lots


def _points_of(program: Program, stmt: Stmt) -> Iterator[tuple[str, Type, bool]]:
    states = program.by_name.states
    if isinstance(stmt, DrawLot):
        yield stmt.point, _thing(stmt.over.type), False
    elif isinstance(stmt, DrawTop) and isinstance(states[stmt.state].type, SetOf):
        yield stmt.point, _thing(states[stmt.state].type), False
    elif isinstance(stmt, Shuffle):
        yield stmt.point, _thing(states[stmt.state].type), True
    elif isinstance(stmt, ForEach) and stmt.order is not None and stmt.order.kind == "lot":
        yield stmt.order.name, _thing(stmt.over.type), True


def _thing(kind: Type) -> Type:
    """The type of one thing of a collection."""
    if isinstance(kind, SetOf | ListOf):
        return kind.of
    return _thing(kind.of) if isinstance(kind, Optional) else kind
