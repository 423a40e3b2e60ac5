"""The search: games by the habits of a tester, one after the other, and their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rulekit.analysis.explore.course import (
    Course,
    CourseAnswer,
    GivenDice,
    Habit,
    Key,
    LoadedDice,
    Luck,
    Player,
)
from rulekit.analysis.explore.rounds import MOST_LOOKED
from rulekit.ir import Point, Program
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import DONE, NONE
from rulekit.runtime import chance

MOST_ANSWERS = 10_000
"""Answers of one game before it is stopped."""
MOST_COURSES = 2_000
"""Courses that a game may take for all of them to be played."""

Signature = tuple[str, str]
"""The identity of a fault: its kind, and its place or the promise that it breaks."""


@dataclass(slots=True)
class ScenarioSearch:
    """The results for one scenario.

    `all_played`: every course of the game was played.  `shortest`: for each fault the game with the fewest
    answers.  `unended`: some of the games that were stopped.  `wanting`: the message about a missing file of
    the owner.  `tired`: the work was used up before all games were played.
    """

    scenario: str | None
    games: int = 0
    ended: int = 0
    left: int = 0
    all_played: bool = False
    wanting: str = ""
    tired: bool = False
    sites: set[int] = field(default_factory=set)
    shortest: dict[Signature, Course] = field(default_factory=dict)
    unended: list[Course] = field(default_factory=list)

    def note(self, course: Course) -> None:
        """Keep the results of a game."""
        self.games += 1
        self.left += course.left
        if course.left and len(self.unended) < MOST_LOOKED:
            self.unended.append(course)
        self.sites |= course.sites
        if course.fault is None:
            self.ended += not course.left
            return
        if course.fault.name == "missing-data":
            self.wanting = self.wanting or course.fault.message
            return
        signature = sign(course.fault)
        best = self.shortest.get(signature)
        if best is None or size(course) < size(best):
            self.shortest[signature] = course


def scenarios(program: Program) -> Sequence[str | None]:
    """The names of all scenarios; None alone where the set has none."""
    return [scenario.name for scenario in program.scenarios] or [None]


def sign(fault: Fault) -> Signature:
    """The identity of a fault."""
    if fault.name == "broken-invariant" or fault.site is None:
        return fault.code, fault.message
    return fault.code, f"{fault.site.file}:{fault.site.line}:{fault.site.column}"


def size(course: Course) -> tuple[int, int]:
    """The length of a game: its answers, then its dice."""
    return len(course.answers), sum(map(len, course.faces.values()))


def search_scenario(player: Player, scenario: str | None, games: int, seed: str) -> ScenarioSearch:
    """Play games of one scenario: every course if there are few, else so many games."""
    search = ScenarioSearch(scenario)
    if _all_courses(player, search, seed, min(MOST_COURSES, 40 * games)):
        search.all_played = True
        return search
    memory = HabitMemory()
    search.games = search.ended = search.left = 0  # the trial is not a search; its faults are kept
    for number in range(games):
        if player.tired:
            search.tired = True
            break
        own = f"{seed}.{number}"
        answers, before = habit(WAYS[number % len(WAYS)], own, memory, number)
        luck: Luck = LoadedDice(own, LUCK[number % len(LUCK)])
        if before is not None:
            luck, own = GivenDice(before.faces), before.seed
        course = player.play(scenario, own, answers, luck)
        search.note(course)
        memory.note(course)
        if search.wanting and not course.answers:
            break
    return search


class _Branches:
    """A walk through all courses: each answer and each die is a branch."""

    def __init__(self) -> None:
        self.taken: list[int] = []
        self.open: list[int] = []
        self.at = 0

    def turn(self, ways: int) -> int:
        """Return which of so many ways to take here."""
        if self.at == len(self.taken):
            self.taken.append(0)
            self.open.append(ways)
        way = self.taken[self.at]
        self.at += 1
        return way

    def next(self) -> bool:
        """Go on to the next course; false if there is none."""
        del self.taken[self.at :], self.open[self.at :]
        self.at = 0
        while self.taken:
            self.taken[-1] += 1
            if self.taken[-1] < self.open[-1]:
                return True
            self.taken.pop()
            self.open.pop()
        return False

    def answer(self, key: Key, options: Sequence[int], number: int) -> int:
        return options[self.turn(len(options))] if len(options) > 1 else options[0]

    def die(self, point: Point, number: int) -> int:
        return self.turn(point.sides)


def _all_courses(player: Player, search: ScenarioSearch, seed: str, most: int) -> bool:
    """Play every course; false if there are too many, or draws, which cannot all be tried."""
    branches = _Branches()
    spent, enough = 0, player.left * 4 // 5
    for _ in range(most):
        course = player.play(search.scenario, f"{seed}.0", branches.answer, branches.die)
        search.note(course)
        spent += len(branches.taken) + 1
        if course.left or course.drawn or search.wanting or player.left < enough:
            return False
        if not branches.next():
            return True
        if spent > most * 4:
            return False
    return False


WAYS = ("by-lot", "seldom", "alike", "by-lot", "declining", "grown", "grown")
LUCK = ("fair", "high", "fair", "low", "mixed")
"""Used in turn, game by game; their numbers share no divisor, so that each way meets each luck."""


class HabitMemory:
    """Earlier games: how often each answer was given, and which games reached a new site."""

    def __init__(self) -> None:
        self.given: Counter[tuple[Key, int]] = Counter()
        self.sites: set[int] = set()
        self.grown: list[Course] = []

    def note(self, course: Course) -> None:
        """Learn from a game."""
        self.given.update((answer.key, answer.value) for answer in course.answers)
        new = course.sites - self.sites
        if new:
            self.sites |= new
            if course.fault is None:
                self.grown.append(course)


def habit(way: str, seed: str, memory: HabitMemory, number: int) -> tuple[Habit, Course | None]:
    """Return the habit of one game, and the earlier game that it follows at first, if any."""
    base = chance.stream_base(seed, "habit")
    match way:
        case "seldom":
            return _seldom(base, memory), None
        case "alike":
            return _alike(base), None
        case "declining":
            return _declining(base), None
        case "grown" if memory.grown:
            course = memory.grown[-1 - number % len(memory.grown)]
            cut = chance.uniform(base, 0, len(course.answers) + 1)
            return _after(course.answers[:cut], _seldom(base, memory)), course
        case _:
            return _by_lot(base), None


def _by_lot(base: int) -> Habit:
    return lambda key, options, number: options[chance.uniform(base, number, len(options))]


def _seldom(base: int, memory: HabitMemory) -> Habit:
    """The answer given least often so far."""

    def answer(key: Key, options: Sequence[int], number: int) -> int:
        if len(options) == 1:
            return options[0]
        fewest = min(memory.given[key, value] for value in options)
        seldom = [value for value in options if memory.given[key, value] == fewest]
        value = seldom[chance.uniform(base, number, len(seldom))]
        memory.given[key, value] += 1  # within one game, too
        return value

    return answer


def _alike(base: int) -> Habit:
    """The same place among the options of a choice."""
    return lambda key, options, number: options[chance.uniform(base, key[0], 997) * len(options) // 997]


def _declining(base: int) -> Habit:
    """`none`, no, or done, where that is legal."""
    by_lot = _by_lot(base)

    def answer(key: Key, options: Sequence[int], number: int) -> int:
        return next((none for none in (NONE, DONE, 0) if none in options), by_lot(key, options, number))

    return answer


def _after(answers: Sequence[CourseAnswer], then: Habit) -> Habit:
    """Earlier answers as long as they fit; then another habit."""

    def answer(key: Key, options: Sequence[int], number: int) -> int:
        if number < len(answers) and answers[number].key == key and answers[number].value in options:
            return answers[number].value
        return then(key, options, number)

    return answer
