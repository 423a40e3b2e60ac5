"""One game played without stops: its answers, its dice, and its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from rulekit.analysis.explore.search_meter import SearchMeter
from rulekit.base.frozen import frozen
from rulekit.ir import Point, Program
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime import chance
from rulekit.runtime.codegen.assemble import GeneratedModule, generate
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.simulate import play, scenario_of
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.support.build import STEP_FUEL, Build
from rulekit.runtime.support.layout import FUEL

BUILD = Build(coverage=True, invariants=True)

MOST_WORK = 10_000_000_000
"""Units of work, and answers, of all games of one search."""

Key = tuple[int, Any]
"""A question: the number of the choice, and the item or None."""
Drawn = tuple[int, tuple[int, ...]]
"""The number of answers before a draw, and what it gave."""


@frozen
class CourseAnswer:
    """A question, its legal answers, and the answer."""

    key: Key
    options: tuple[int, ...]
    value: int


@frozen
class Course:
    """A game as it went.

    Attributes:
        seed: The seed of draws, and of dice beyond `faces`.
        faces: The results of the dice, by point, in order.
        fault: The fault that ended it, if any.
        sites: The sites that ran.
        left: Whether it was stopped before its end.
        drawn: The results of draws and shuffles, by point, in order: the number of answers before, and ids.
    """

    scenario: str | None
    seed: str
    answers: tuple[CourseAnswer, ...]
    faces: Mapping[str, tuple[int, ...]]
    fault: Fault | None
    sites: frozenset[int]
    left: bool
    drawn: Mapping[str, tuple[Drawn, ...]]


class Habit(Protocol):
    """Answers one question; `number` is how many were answered before."""

    def __call__(self, key: Key, options: Sequence[int], number: int) -> int:
        """One of the options."""


class Luck(Protocol):
    """How one die falls: a digit from 0 on, or None for what the seed gives."""

    def __call__(self, point: Point, number: int) -> int | None:
        """The digit of die `number` of a point."""


class _Left(Exception):
    """A game is stopped: it has had its number of answers."""


class _Dice:
    """The dice of one point, which note their results."""

    def __init__(self, point: Point, luck: Luck, fair: Any) -> None:
        self.point, self.luck, self.fair = point, luck, fair
        self.shown: dict[int, int] = {}

    def __getitem__(self, number: int) -> int:
        face = self.shown.get(number)
        if face is None:
            digit = self.luck(self.point, number)
            face = self.fair[number] if digit is None else self.point.lowest + digit
            self.shown[number] = face
        return face

    def faces(self) -> tuple[int, ...]:
        """All up to the last that was read."""
        return tuple(self[number] for number in range(max(self.shown, default=-1) + 1))


class _Noting(Machine):
    """A machine that notes the results of draws."""

    __slots__ = ("answers", "drawn")

    def __init__(self, module: GeneratedModule, streams: Streams, answers: Sequence[CourseAnswer]) -> None:
        super().__init__(module, streams, module.layout.initial())
        self.answers = answers
        self.drawn: dict[int, list[Drawn]] = {}

    def draw(self, point: int, things: tuple[int, ...], count: int) -> tuple[int, ...]:
        return self._note(point, super().draw(point, things, count))

    def mix(self, point: int, things: tuple[int, ...]) -> tuple[int, ...]:
        return self._note(point, super().mix(point, things))

    def _note(self, point: int, things: tuple[int, ...]) -> tuple[int, ...]:
        self.drawn.setdefault(point, []).append((len(self.answers), things))
        return things


class Player:
    """Plays games of one program, each from a beginning.

    `most`: the answers of a game before it is stopped.  `work`: the units of work of all games together.
    `meter` knows the longest searches of its games.
    """

    def __init__(self, program: Program, most: int, work: int = MOST_WORK) -> None:
        self.program, self.most = program, most
        self.module = generate(program, BUILD)
        self.meter = SearchMeter(self.module)
        self.left = work

    @property
    def tired(self) -> bool:
        """True if no work is left."""
        return self.left <= 0

    def play(self, scenario: str | None, seed: str, habit: Habit, luck: Luck) -> Course:
        """Play a game to its end, or until it is stopped."""
        module, answers = self.module, list[CourseAnswer]()
        streams = Streams(module, seed)

        def answer(choice: int, side: int, item: Any, options: Sequence[int]) -> int:
            self._refuel(machine)
            if len(answers) >= self.most or self.tired:
                raise _Left
            key = (choice, item)
            value = habit(key, options, len(answers))
            answers.append(CourseAnswer(key, tuple(options), value))
            return value

        machine = _Noting(module, streams, answers)
        machine.agent = answer
        dice = [
            _Dice(point, luck, fair) for point, fair in zip(self.program.points, streams.dice, strict=True)
        ]
        machine.dice = list(dice)
        machine.refuel(STEP_FUEL)
        module.forget()
        fault, left = None, False
        try:
            play(machine, scenario_of(self.program, scenario))
        except Fault as error:
            fault, left = (None, True) if isinstance(error.__cause__, _Left) else (error, False)
        except _Left:
            left = True
        self._refuel(machine)
        faces = {die.point.name: die.faces() for die in dice if die.shown}
        drawn = {self.program.points[number].name: tuple(given) for number, given in machine.drawn.items()}
        return Course(scenario, seed, tuple(answers), faces, fault, module.ran(), left, drawn)

    def _refuel(self, machine: Machine) -> None:
        """Count the work of a step, and give the next its budget."""
        self.left -= STEP_FUEL - machine.M[FUEL] + 1
        machine.refuel(STEP_FUEL)


class GivenDice:
    """Dice that fall as they fell before, and then as the seed has it."""

    def __init__(self, faces: Mapping[str, Sequence[int]]) -> None:
        self.faces = faces

    def __call__(self, point: Point, number: int) -> int | None:
        known = self.faces.get(point.name, ())
        return known[number] - point.lowest if number < len(known) else None


class LoadedDice:
    """Dice that show their ends more often than not: `high`, `low`, or (`mixed`) each point one of these."""

    def __init__(self, seed: str, way: str) -> None:
        self.seed, self.way = seed, way
        self._bases: dict[str, int] = {}

    def __call__(self, point: Point, number: int) -> int | None:
        if self.way == "fair":
            return None
        base = self._bases.get(point.name)
        if base is None:
            base = self._bases[point.name] = chance.stream_base(self.seed, f"luck.{point.name}")
        way = self.way
        if way == "mixed":
            way = ("high", "low", "fair")[chance.uniform(base, 0, 3)]
        if way == "fair" or chance.uniform(base, number + 1, 4) == 0:
            return None
        return point.sides - 1 if way == "high" else 0
