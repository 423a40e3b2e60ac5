"""The sources of chance of one game: the generator's streams for a seed, and what is given in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, NoReturn

from rulekit.base.frozen import frozen
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import NOT_GIVEN, Fault
from rulekit.ir.semantics.names import NamingError
from rulekit.runtime import chance
from rulekit.runtime.codegen.assemble import GeneratedModule


@frozen
class GivenChance:
    """Dice and draws in place of those of the seed.

    Attributes:
        dice: The first faces of rolls, by the roll's name.
        lots: The first things of draws and shuffles, by the point's number: a thing for each word that the
            generator would take, so that of a shuffle the last thing follows.
        draws: The lots as they were given, for saves.
        strict: Whether nothing may come from the seed.
    """

    dice: Mapping[str, Sequence[int]] = field(default_factory=dict)
    lots: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    draws: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    strict: bool = False

    def __bool__(self) -> bool:
        return bool(self.dice or self.lots or self.strict)


class _GivenDice:
    """Dice of which the first are known."""

    def __init__(self, faces: Sequence[int], rest: Any) -> None:
        self._faces, self._rest = tuple(faces), rest

    def __getitem__(self, number: int) -> int:
        face: int = self._faces[number] if number < len(self._faces) else self._rest[number]
        return face


class _NoDice:
    """Dice that nobody has given."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, number: int) -> NoReturn:
        raise Fault(NOT_GIVEN, texts.die_not_given(self._name, str(number + 1)))


class Streams:
    """The generator's streams for one seed: dice by point, and the bases of draws and shuffles.

    Everything in it follows from program, seed and what was given, so that clones share it.

    Attributes:
        lots: For points of draws and shuffles with given things, these; `draw` and `mix` take them.
    """

    def __init__(self, module: GeneratedModule, seed: int | str, given: GivenChance | None = None) -> None:
        """`given`: dice and draws in place of those of the seed.

        Raises:
            NamingError: Dice are given that the rules do not have; the message says which.
        """
        self.seed = chance.seed_number(seed)
        self.given = given or GivenChance()
        points, name = module.program.points, module.program.name
        self._names = [point.name for point in points]
        self.bases = [chance.stream_base(seed, f"{name}.{point.name}") for point in points]
        self.dice: list[Any] = [
            chance.Dice(base, point.sides, point.lowest) if point.dice else {}
            for point, base in zip(points, self.bases, strict=True)
        ]
        strict = self.given.strict
        self.lots = {n: () for n, point in enumerate(points) if strict and not point.dice} | dict(
            self.given.lots
        )
        numbers = {point.name: number for number, point in enumerate(points) if point.dice}
        for roll, faces in self.given.dice.items():
            if roll not in numbers:
                raise NamingError(f"there is no roll `{roll}`")
            point = points[numbers[roll]]
            for face in faces:
                if not point.lowest <= face < point.lowest + point.sides:
                    raise NamingError(f"`{roll}` has no {face} on its {point.sides} sides")
        for roll, number in numbers.items():
            given_faces = self.given.dice.get(roll, ())
            if given_faces or strict:
                rest = _NoDice(roll) if strict else self.dice[number]
                self.dice[number] = _GivenDice(given_faces, rest)

    def draw(self, point: int, position: int, things: tuple[int, ...], count: int) -> tuple[int, ...]:
        """Some of the things, the given ones first, in the order drawn; fewer than all."""
        taken = self._given_lot(point, position, things, count)
        left = tuple(one for one in things if one not in taken)
        more = chance.draw(self.bases[point], position + len(taken), left, count - len(taken))
        return taken + more

    def mix(self, point: int, position: int, things: tuple[int, ...]) -> tuple[int, ...]:
        """At least two things in an order that begins with the given ones."""
        taken = self._given_lot(point, position, things, len(things) - 1)
        left = tuple(one for one in things if one not in taken)
        return taken + chance.shuffle(self.bases[point], position + len(taken), left)

    def _given_lot(self, point: int, position: int, things: tuple[int, ...], count: int) -> tuple[int, ...]:
        name, taken = self._names[point], self.lots[point][position : position + count]
        if len(set(taken)) < len(taken) or not set(taken) <= set(things):
            raise Fault(NOT_GIVEN, texts.impossible_thing(name))
        if self.given.strict and len(taken) < count:
            raise Fault(NOT_GIVEN, texts.things_not_given(name, str(count), str(len(taken))))
        return taken

    def count_unused(self, counters: Mapping[str, int], cells: list[Any]) -> dict[str, int]:
        """How many of the given dice and things each point has not used; `counters` are their addresses."""
        given = {name: len(faces) for name, faces in self.given.dice.items()}
        given |= {self._names[point]: len(things) for point, things in self.given.lots.items()}
        left = {name: number - cells[counters[name]] for name, number in given.items()}
        return {name: number for name, number in left.items() if number > 0}
