"""How choices are answered where odds are worked out; see `graph.Policy`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Program
from rulekit.ir.types import DONE, NONE
from rulekit.runtime.machine.machine import Agent, Machine
from rulekit.runtime.odds.graph import Answers, Policy, Unanswered
from rulekit.runtime.support.asked import Question
from rulekit.runtime.support.given import GivenPart


def first_legal(machine: Machine, question: Question, memory: Any) -> Answers:
    """The first legal answer."""
    return ((question[3][0], 1, memory),)


def any_legal(machine: Machine, question: Question, memory: Any) -> Answers:
    """Every legal answer, each as likely."""
    return ((option, 1, memory) for option in question[3])


@frozen
class OpenChoice:
    """A choice that is left open, of one side; `NONE` is any."""

    choice: int
    side: int = NONE

    def asked_by(self, question: Question) -> bool:
        """Whether a question asks it."""
        return question[0] == self.choice and self.side in (NONE, question[1])


class GivenAnswers:
    """Takes the answers that an example gives, and leaves all others to another policy.

    It remembers, for each choice, the parts that have not been used.  A part is used for the item that it
    names, or for the next one.  To a choice that is left open, it gives every legal answer.

    Attributes:
        start: Its memory at the beginning.
        used: The choices, by number, for which a given answer was taken.
        others: Those that were left to the other policy.
    """

    def __init__(
        self,
        program: Program,
        answers: Mapping[str, Sequence[GivenPart]],
        otherwise: Policy | None,
        left_open: OpenChoice | None = None,
    ) -> None:
        self._choices, self._otherwise, self._open = program.choices, otherwise, left_open
        self.used: set[int] = set()
        self.others: set[int] = set()
        numbers = {choice.name: number for number, choice in enumerate(program.choices)}
        self.start = tuple(
            sorted((numbers[name], tuple(parts)) for name, parts in answers.items() if name in numbers)
        )

    def __call__(self, machine: Machine, question: Question, memory: Any) -> Answers:
        """
        Raises:
            Unanswered: Nobody answers this, or the given answer is not legal.
        """
        number = question[0]
        queue = dict(memory).get(number, ())
        name = self._choices[number].name
        place = place_for(queue, question[2])
        if place is None:
            if self._open is not None and self._open.asked_by(question):
                return any_legal(machine, question, memory)
            if self._otherwise is None:
                raise nobody_answers(name)
            self.others.add(number)
            return self._otherwise(machine, question, memory)
        value = value_of_part(name, queue[place], question)
        self.used.add(number)
        left = queue[:place] + queue[place + 1 :]
        return ((value, 1, tuple((n, left if n == number else parts) for n, parts in memory)),)


class AnswersInTurn:
    """An agent that does the same in one game after the other, each of which `begin` begins.

    Attributes:
        used: As of `GivenAnswers`, and `others`.
    """

    def __init__(
        self, program: Program, answers: Mapping[str, Sequence[GivenPart]], otherwise: Agent | None
    ) -> None:
        self._choices, self._answers, self._otherwise = program.choices, answers, otherwise
        self._left: dict[str, list[GivenPart]] = {}
        self.used: set[int] = set()
        self.others: set[int] = set()

    def begin(self) -> None:
        """Make all given answers unused."""
        self._left = {name: list(parts) for name, parts in self._answers.items()}

    def __call__(self, choice: int, side: int, item: Any, options: tuple[int, ...]) -> int:
        """
        Raises:
            Unanswered: Nobody answers this, or the given answer is not legal.
        """
        name = self._choices[choice].name
        queue = self._left.get(name, [])
        place = place_for(queue, item)
        if place is not None:
            self.used.add(choice)
            return value_of_part(name, queue.pop(place), (choice, side, item, options))
        if self._otherwise is None:
            raise nobody_answers(name)
        self.others.add(choice)
        return self._otherwise(choice, side, item, options)


def place_for(queue: Sequence[GivenPart], item: Any) -> int | None:
    """The first part that is for an item, or for whatever comes next; None if there is none."""
    return next((n for n, (part, _) in enumerate(queue) if len(part) < 2 or part[0] == item), None)


def value_of_part(name: str, given: GivenPart, question: Question) -> int:
    """The value of a given part, which must be a legal answer.

    Raises:
        Unanswered: It is not, or another side is asked.
    """
    part, by = given
    value = part[-1] if part else DONE
    if value not in question[3]:
        raise Unanswered(f"an answer given to `{name}` is not legal in every situation that asks for it")
    if by not in (NONE, question[1]):
        raise Unanswered(f"`{name}` is asked of another side than the answers say")
    return value


def nobody_answers(name: str) -> Unanswered:
    """The error of a choice that is asked and not answered."""
    return Unanswered(f"`{name}` is asked, and has no answer")
