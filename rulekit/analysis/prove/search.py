"""Trying every situation that makes a difference, and no other.

A condition is worked out from nothing; where it reads something that is not settled yet, the first value of
it is taken and noted.  If the condition does not hold in the end, the last note that it failed because of
takes its next value, and the condition is worked out again.  What is never read is never tried, what did
not matter to a failure is not changed; when no note is left to change, no situation is left.

Why a condition failed is known from `why`: whoever works out a part of it leaves there what the part's value
depends on, and takes out what turned out not to matter (the operands before the one that failed).
(Prosser, Hybrid algorithms for the constraint satisfaction problem, 1993: conflict-directed backjumping.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base.frozen import frozen
from rulekit.ir.semantics.faults import Fault

Cell = tuple[str, tuple[int, ...]]
"""Something that a condition reads: a state and its keys, or a parameter and no keys (with one, a member of
the set, or the value for a key of the map, that the parameter is)."""

CellValues = Mapping[Cell, Any]
"""A situation in which a condition holds; cells that it does not name do not matter to the condition.

Parts of the condition that need not be read may fault there, so `situation` replays it before it is shown.
"""

Answer = Proved | Refuted[CellValues] | Undecided
"""Proved: the condition never holds, whatever the state; everything it may read has been tried."""


BUDGET: Final = 200_000
"""Readings and members looked at, in one search, before it is given up."""
GUESSES: Final = 24
"""Situations drawn by lot at first: most conditions that can hold do in one of them."""
WALKS, STEPS = 8, 80
"""Walks from such situations, and the steps of each, after some have been tried in order."""
PLAIN: Final = (1.0, 0.9, 0.5, 0.0)
"""How often such situations have the first value of what they read."""
PLAINER: Final = 400
"""Situations that are tried to make one plainer that was drawn by lot."""
LEAST: Final = 5_000
"""The budget of each of these."""
AT_FIRST, BY_LOT = 0.1, 0.6
"""Shares of the budget after which walks begin, and end."""


_UNKNOWN: Final = object()


class BudgetSpent(Exception):
    """The budget of a search is used up."""


class Opaque(Exception):
    """Something was read of which not all values can be listed."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class _Note:
    """A reading: its values in the order of trying, which is tried now, and what the others failed of."""

    cell: Cell
    values: Sequence[Any]
    at: int = 0
    why: set[Cell] = field(default_factory=set)


@frozen
class _Situations:
    """The condition, and what is to be done before each situation."""

    holds: Callable[[], bool]
    restart: Callable[[], None]


class Search:
    """The readings of one situation after the other."""

    def __init__(self, budget: int = BUDGET) -> None:
        self.known: dict[Cell, Any] = {}
        self.left = budget
        self.tried = 0
        self.why: list[Cell] = []
        self._notes: list[_Note] = []
        self._met = 0
        self._guess: _Guess | None = None
        self._plainly = False

    def spend(self, amount: int = 1) -> None:
        """Use up some of the budget.

        Raises:
            Spent: There is none left.
        """
        self.left -= amount
        if self.left < 0:
            raise BudgetSpent

    def read(self, cell: Cell, values: Callable[[], Sequence[Any]], met: Callable[[Cell, Any], None]) -> Any:
        """The value of a cell in the present situation.

        Args:
            values: Lists those that it may have; called if it is new.
            met: Called with the cell and its value, if it is new.
        """
        self.left -= 1
        if self.left < 0:
            raise BudgetSpent
        self.why.append(cell)
        known = self.known
        value = known.get(cell, _UNKNOWN)
        if value is not _UNKNOWN:
            return value
        guess = self._guess
        if guess is not None:
            value = guess(cell, values(), self._plainly)
        else:
            if self._met == len(self._notes):
                self._notes.append(_Note(cell, values()))
            note = self._notes[self._met]
            self._met += 1
            value = note.values[note.at]
        known[cell] = value
        met(cell, value)
        return value

    def answer(
        self,
        holds: Callable[[], bool],
        restart: Callable[[], None],
        *,
        shown: bool,
        most: float = 1.0,
    ) -> Answer:
        """Whether a condition can hold.

        Args:
            holds: Works the condition out by `read`; where it faults it does not hold.
            restart: Called before each new situation.
            shown: Whether somebody will see the situation: then it is made as plain as can be.
            most: The share of the budget that is used.
        """
        situations = _Situations(holds, restart)
        whole = self.left
        try:
            if self._by_lot(situations, walks=GUESSES, steps=1):
                return self._refute(situations, shown=shown)
            for share, walks in ((AT_FIRST, WALKS), (most, 0)):
                answer = self._in_order(situations, whole * (1 - share))
                if answer is not None:
                    return answer
                if walks and self._by_lot(situations, walks, STEPS, whole * (1 - min(BY_LOT, most))):
                    return self._refute(situations, shown=shown)
            raise BudgetSpent
        except BudgetSpent:
            return Undecided("budget", self.tried)
        except Opaque as opaque:
            return Undecided(opaque.reason, self.tried)

    def looked_at(
        self,
        holds: Callable[[], bool],
        restart: Callable[[], None],
        cells: Mapping[Cell, Any],
        *,
        shown: bool,
    ) -> Refuted[CellValues] | None:
        """The situation that somebody proposes, if the condition holds in it; see `answer`."""
        situations = _Situations(holds, restart)
        self._guess = _Guess(Random(0), 1.0, cells)
        self.left = max(self.left, LEAST)
        try:
            return self._refute(situations, shown=shown) if self._try(situations) else None
        except (BudgetSpent, Opaque):
            return None

    def _refute(self, situations: _Situations, *, shown: bool) -> Refuted[CellValues]:
        """The situation that was drawn by lot; if it is to be shown, with the first values that will do."""
        cells = dict(self.known)
        if not shown or self._guess is None:
            return Refuted(cells)
        values, tries = dict(self._guess.values), 0
        for cell in list(cells):
            for value in values[cell]:
                if cell not in cells or value == cells[cell] or tries == PLAINER:
                    break
                tries += 1
                self._guess = _Guess(Random(0), 1.0, {**cells, cell: value})
                self.left = max(self.left, LEAST)
                try:
                    plainer = self._try(situations)
                except BudgetSpent:
                    plainer = False
                if plainer:
                    cells = dict(self.known)
                    values.update(self._guess.values)
                    break
        return Refuted(cells)

    def _in_order(self, situations: _Situations, least: float) -> Proved | Refuted[CellValues] | None:
        """The answer by trying one situation after the other; None if the budget runs short first."""
        self._guess = None
        while self.left >= least:
            if self._try(situations):
                return Refuted(dict(self.known))
            if not self._go_on():
                return Proved(self.tried)
        return None

    def _by_lot(self, situations: _Situations, walks: int, steps: int, least: float = 0) -> bool:
        """Whether one of some situations drawn by lot, always the same, will do.

        Each is walked on from: a cell that the failure was because of gets another value, the others stay.
        (Selman, Kautz and Cohen, Noise strategies for improving local search, 1994.)
        """
        for number in range(walks):
            draw = Random(number)
            settled: dict[Cell, Any] = {}
            guess = self._guess = _Guess(draw, PLAIN[number % len(PLAIN)], settled)
            for _ in range(steps):
                if self.left < least:
                    return False
                if self._try(situations):
                    return True
                mattered = [cell for cell in dict.fromkeys(self.why) if len(guess.values[cell]) > 1]
                if not mattered:
                    break
                cell = draw.choice(mattered)
                settled.update(self.known)
                settled[cell] = draw.choice([v for v in guess.values[cell] if v != self.known[cell]])
        return False

    def _try(self, situations: _Situations) -> bool:
        """Whether the condition holds in one more situation."""
        self.known, self._met = {}, 0
        self.why.clear()
        situations.restart()
        self.tried += 1
        self.spend()
        try:
            return situations.holds()
        except (Fault, IndexError, KeyError, ZeroDivisionError):
            self.why[:] = self.known  # whatever was read may have led there
            return False

    def keeps(self, promises: Sequence[Callable[[Any], bool]], arguments: Any) -> bool:
        """Whether promises hold too; what only they read has its first value where the rest was guessed."""
        self._plainly = True
        start = len(self.why)
        try:
            for promise in promises:
                middle = len(self.why)
                if not promise(arguments):
                    del self.why[start:middle]
                    return False
        finally:
            self._plainly = False
        return True

    def _go_on(self) -> bool:
        """Give the last note that mattered its next value; false if there is none left to change."""
        del self._notes[self._met :]
        why = set(self.why)
        while self._notes:
            note = self._notes.pop()
            if note.cell not in why:
                continue
            why.discard(note.cell)
            note.why |= why
            note.at += 1
            if note.at < len(note.values):
                self._notes.append(note)
                return True
            why = note.why
        return False


class _Guess:
    """Values by lot: those settled before, else the first of all (in this share of cases) or any."""

    def __init__(self, draw: Random, plain: float, settled: Mapping[Cell, Any]) -> None:
        self.values: dict[Cell, Sequence[Any]] = {}
        self._draw, self._random = draw, draw.random
        self._plain = plain
        self._settled = settled

    def __call__(self, cell: Cell, values: Sequence[Any], plainly: bool) -> Any:
        self.values[cell] = values
        if self._settled and cell in self._settled:
            return self._settled[cell]
        if plainly or self._random() < self._plain:
            return values[0]
        return self._draw.choice(values)
