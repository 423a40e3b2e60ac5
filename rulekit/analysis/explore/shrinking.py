"""Shortening a game that ends in a fault to the answers that it needs.

Answers are kept by question and its number, so that those that are left still fit when others go; a default
answers the other questions.  (Zeller and Hildebrandt, Simplifying and isolating
failure-inducing input, 2002.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from rulekit.analysis.explore.course import Course, CourseAnswer, GivenDice, Habit, Key, Player
from rulekit.analysis.explore.search import sign, size
from rulekit.ir.types import DONE, NONE

TRIALS = 300
"""Games that are played to make one shorter."""

Answers = dict[tuple[Key, int], int]


class _Trials:
    """The shortest known game that ends in one fault."""

    def __init__(self, player: Player, course: Course) -> None:
        assert course.fault is not None
        self.player, self.best = player, course
        self.signature = sign(course.fault)
        self.left = TRIALS

    def holds(self, habit: Habit) -> Course | None:
        """The game with other answers, if it ends in the same fault and is not longer than the best."""
        if self.left <= 0 or self.player.tired:
            return None
        self.left -= 1
        luck = GivenDice(self.best.faces)
        course = self.player.play(self.best.scenario, self.best.seed, habit, luck)
        same = course.fault is not None and sign(course.fault) == self.signature
        return course if same and size(course) <= size(self.best) else None


def shrink(player: Player, course: Course) -> Course:
    """Return a game with the same fault, and fewer answers if possible."""
    trials = _Trials(player, course)
    for default in (first, last, least):
        _fewer(trials, default)
    while _another_way(trials):
        pass
    return trials.best


def _fewer(trials: _Trials, default: Callable[[Sequence[int]], int]) -> None:
    """Leave answers out, in ever smaller pieces."""
    answers = answers_by_question(trials.best.answers)
    width = len(answers)
    while width and trials.left > 0:
        shorter = False
        for start in range(0, len(answers), width):
            entries = list(answers.items())
            kept: Answers = dict(entries[:start] + entries[start + width :])
            course = trials.holds(Keyed(kept, default))
            if course is not None:
                trials.best, answers, shorter = course, kept, True
                break
        width = min(width, len(answers)) if shorter else width // 2


def _another_way(trials: _Trials) -> bool:
    """Change one answer, if that leads to the fault sooner; false if none does."""
    answers = trials.best.answers
    length = size(trials.best)
    for number, answer in enumerate(answers):
        for value in answer.options:
            if value == answer.value or trials.left <= 0:
                continue
            changed = answers_by_question((*answers[:number], *answers[number:]))
            place = list(changed)[number]
            changed[place] = value
            course = trials.holds(Keyed(changed, first))
            if course is not None and size(course) < length:
                trials.best = course
                return True
    return False


class Keyed:
    """Answers by question and its number, and a default for all others."""

    def __init__(self, answers: dict[tuple[Key, int], int], default: Callable[[Sequence[int]], int]) -> None:
        self.answers, self.default = answers, default
        self._asked: Counter[Key] = Counter()

    def __call__(self, key: Key, options: Sequence[int], number: int) -> int:
        value = self.answers.get((key, self._asked[key]))
        self._asked[key] += 1
        return value if value in options and value is not None else self.default(options)


def answers_by_question(answers: Sequence[CourseAnswer]) -> dict[tuple[Key, int], int]:
    """Answers by question and its number."""
    numbers: Counter[Key] = Counter()
    by_question = {}
    for answer in answers:
        by_question[answer.key, numbers[answer.key]] = answer.value
        numbers[answer.key] += 1
    return by_question


def first(options: Sequence[int]) -> int:
    """The first answer."""
    return options[0]


def last(options: Sequence[int]) -> int:
    """The last answer."""
    return options[-1]


def least(options: Sequence[int]) -> int:
    """`none`, no, or done, where that is legal; else the first answer."""
    return next((none for none in (NONE, DONE, 0) if none in options), options[0])
