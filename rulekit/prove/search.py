"""Trying every situation that makes a difference, and no other.

A condition is worked out from nothing; where it reads something that is not settled yet, the first value of
it is taken and noted.  If the condition does not hold in the end, the note made last takes its next value
and the condition is worked out again.  What is never read is never tried; when no note has a next value,
no situation is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from rulekit.interpret.faults import Fault
from rulekit.prove.answers import Answer, Cell, Never, Seen, Unknown

BUDGET: Final = 200_000
"""Readings and members looked at, in one search, before it is given up."""


GUESSES: Final = 32
"""Situations drawn by lot before all are tried in order: most conditions that can hold do in one of them."""
GUESSED: Final = 0.2
"""The share of the budget that may go into these."""


class Spent(Exception):
    """The budget of a search is used up."""


class Opaque(Exception):
    """Something was read of which not all values can be listed."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class _Note:
    """A reading: its values in the order of trying, and which is tried now."""

    cell: Cell
    values: Sequence[Any]
    at: int = 0


class Search:
    """The readings of one situation after the other."""

    def __init__(self, budget: int = BUDGET) -> None:
        self.known: dict[Cell, Any] = {}
        self.left = budget
        self.tried = 0
        self._notes: list[_Note] = []
        self._met = 0
        self._guess: Callable[[Sequence[Any]], Any] | None = None

    def spend(self, amount: int = 1) -> None:
        """Use up some of the budget.

        Raises:
            Spent: There is none left.
        """
        self.left -= amount
        if self.left < 0:
            raise Spent

    def read(self, cell: Cell, values: Callable[[], Sequence[Any]]) -> Any:
        """The value of a cell in the present situation; `values` lists those it may have, if it is new."""
        self.spend()
        if cell in self.known:
            return self.known[cell]
        if self._guess is not None:
            value = self._guess(values())
        else:
            if self._met == len(self._notes):
                self._notes.append(_Note(cell, values()))
            note = self._notes[self._met]
            self._met += 1
            value = note.values[note.at]
        self.known[cell] = value
        return value

    def answer(self, holds: Callable[[], bool], restart: Callable[[], None] = lambda: None) -> Answer:
        """Whether a condition can hold.

        Args:
            holds: Works the condition out by `read`; where it faults it does not hold.
            restart: Called before each new situation.
        """
        try:
            for guess in (None, *self._guesses()):
                self._guess = guess
                if self._try(holds, restart):
                    return Seen(dict(self.known))
                if guess is None and not self._go_on():
                    return Never(self.tried)
            self._guess = None
            while True:
                if self._try(holds, restart):
                    return Seen(dict(self.known))
                if not self._go_on():
                    return Never(self.tried)
        except Spent:
            return Unknown("budget", self.tried)
        except Opaque as opaque:
            return Unknown(opaque.reason, self.tried)

    def _try(self, holds: Callable[[], bool], restart: Callable[[], None]) -> bool:
        """Whether the condition holds in one more situation."""
        self.known, self._met = {}, 0
        restart()
        self.tried += 1
        self.spend()
        try:
            return holds()
        except (Fault, IndexError, KeyError, ZeroDivisionError):
            return False

    def _guesses(self) -> Iterator[Callable[[Sequence[Any]], Any]]:
        """Ways of guessing, always the same: the first value of everything more or less often."""
        budget = self.left
        for number in range(GUESSES):
            yield _guess(Random(number), (0.5, 0.9, 0.0, 0.98)[number % 4])
            if self.left < budget * (1 - GUESSED):
                return

    def _go_on(self) -> bool:
        """Give the note made last its next value; false if all values of all notes have been tried."""
        del self._notes[self._met :]
        while self._notes:
            note = self._notes[-1]
            note.at += 1
            if note.at < len(note.values):
                return True
            self._notes.pop()
        return False


def _guess(draw: Random, plain: float) -> Callable[[Sequence[Any]], Any]:
    """A way of guessing that takes the first value in this share of cases."""
    return lambda values: values[0] if draw.random() < plain else draw.choice(values)
