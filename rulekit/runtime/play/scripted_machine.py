"""A machine that plays an example: dice and lots are those that are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from rulekit.ir import Example, Point
from rulekit.ir.semantics.faults import Unfed
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Machine, Streams

_T = TypeVar("_T")


class _FedDice:
    """The dice of one point, as the example gives them."""

    def __init__(self, point: Point, numbers: Sequence[int]) -> None:
        self.point = point
        self.numbers = numbers

    def __getitem__(self, number: int) -> int:
        if number >= len(self.numbers):
            given = len(self.numbers) or "none"
            raise Unfed(f"`{self.point.name}` rolls die {number + 1}, but the example gives {given}")
        face, lowest = self.numbers[number], self.point.lowest
        if not lowest <= face < lowest + self.point.sides:
            raise Unfed(f"`{self.point.name}` cannot roll {face}: it has {self.point.sides} sides")
        return face


class FedMachine(Machine):
    """A machine that takes dice and draws from the example once `fed` is set, and tests the one promise
    that the example says to be broken.
    """

    __slots__ = ("drawn", "fed", "tested")

    def __init__(self, module: GeneratedModule, streams: Streams, cells: list[Any]) -> None:
        super().__init__(module, streams, cells)
        self.fed = False
        self.drawn: dict[str, list[int]] = {}
        self.tested: int | None = None

    def feed(self, example: Example) -> None:
        """Take everything from the example from now on."""
        points, layout = self.module.program.points, self.module.layout
        dice = merged(example.dice)
        self.dice = [_FedDice(point, dice.get(point.name, ())) for point in points]
        self.drawn = merged(example.draws)
        for address in layout.counters.values():
            self.M[address] = 0
        self.fed = True
        if example.breaks is not None:
            promises = [each.name for each in self.module.program.invariants]
            self.tested = promises.index(example.breaks.name)

    def check(self, numbers: Iterable[int]) -> None:
        if self.tested is not None and self.tested in numbers:
            super().check((self.tested,))

    def draw(self, point: int, things: tuple[int, ...], count: int) -> tuple[int, ...]:
        if not self.fed:
            return super().draw(point, things, count)
        name = self.module.program.points[point].name
        queue = self.drawn.get(name, [])
        if len(queue) < count:
            raise Unfed(f"`{name}` draws {count}, but the example gives {len(queue) or 'none'}")
        taken = tuple(queue[:count])
        del queue[:count]
        if len(set(taken)) < count or not set(taken) <= set(things):
            raise Unfed(f"the example gives `{name}` something that cannot be drawn")
        return taken

    def mix(self, point: int, things: tuple[int, ...]) -> tuple[int, ...]:
        if not self.fed:
            return super().mix(point, things)
        return self.draw(point, things, len(things))


def merged(lines: Iterable[tuple[str, Iterable[_T]]]) -> dict[str, list[_T]]:
    """The given values by name; several lines for one name are taken in order."""
    found: dict[str, list[_T]] = {}
    for name, given in lines:
        found.setdefault(name, []).extend(given)
    return found
