"""How questions are answered by somebody who looks for trouble: by lot, seldom, always alike, never."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from rulekit.analysis.explore.course import Course, CourseAnswer, Habit, Key
from rulekit.ir.types import NONE
from rulekit.runtime import chance
from rulekit.runtime.codegen.choices.parts import DONE

WAYS = ("by-lot", "seldom", "alike", "by-lot", "declining", "grown", "grown")
LUCK = ("fair", "high", "fair", "low", "mixed")
"""One after the other, game by game; their numbers share no divisor, so that each way meets each luck."""


class HabitMemory:
    """What earlier games did: how often each answer was given, and which games came to something new."""

    def __init__(self) -> None:
        self.given: Counter[tuple[Key, int]] = Counter()
        self.sites: set[int] = set()
        self.grown: list[Course] = []

    def note(self, course: Course) -> None:
        """Keep what there is to learn from a game."""
        self.given.update((answer.key, answer.value) for answer in course.answers)
        new = course.sites - self.sites
        if new:
            self.sites |= new
            if course.fault is None:
                self.grown.append(course)


def habit(way: str, seed: str, memory: HabitMemory, number: int) -> tuple[Habit, Course | None]:
    """The habit of one game, and the game that it sets out from, if it goes its way at first."""
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
    """What was answered least often so far."""

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
    """The same place among the options whenever a choice is asked."""
    return lambda key, options, number: options[chance.uniform(base, key[0], 997) * len(options) // 997]


def _declining(base: int) -> Habit:
    """Nothing, no, or enough, where that is allowed."""
    by_lot = _by_lot(base)

    def answer(key: Key, options: Sequence[int], number: int) -> int:
        return next((none for none in (NONE, DONE, 0) if none in options), by_lot(key, options, number))

    return answer


def _after(answers: Sequence[CourseAnswer], then: Habit) -> Habit:
    """Answers that were given before, as long as they fit; then another habit."""

    def answer(key: Key, options: Sequence[int], number: int) -> int:
        if number < len(answers) and answers[number].key == key and answers[number].value in options:
            return answers[number].value
        return then(key, options, number)

    return answer


class Keyed:
    """Answers by what is asked for the how-manieth time, and a default for all others."""

    def __init__(self, answers: dict[tuple[Key, int], int], default: Callable[[Sequence[int]], int]) -> None:
        self.answers, self.default = answers, default
        self._asked: Counter[Key] = Counter()

    def __call__(self, key: Key, options: Sequence[int], number: int) -> int:
        value = self.answers.get((key, self._asked[key]))
        self._asked[key] += 1
        return value if value in options and value is not None else self.default(options)


def answers_by_question(answers: Sequence[CourseAnswer]) -> dict[tuple[Key, int], int]:
    """Answers by what was asked for the how-manieth time."""
    asked: Counter[Key] = Counter()
    by_question = {}
    for answer in answers:
        by_question[answer.key, asked[answer.key]] = answer.value
        asked[answer.key] += 1
    return by_question


def first(options: Sequence[int]) -> int:
    """The first option."""
    return options[0]


def last(options: Sequence[int]) -> int:
    """The last option."""
    return options[-1]


def least(options: Sequence[int]) -> int:
    """Nothing, no, or enough, where that is allowed; else the first option."""
    return next((none for none in (NONE, DONE, 0) if none in options), options[0])
