"""The state of a session as numbers, as a side sees it, kept up to date from the events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rulekit.base.bits import member_ids
from rulekit.ir.types import ListOf, Member, SetOf
from rulekit.runtime.play import Session
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.support.layout import Slots

UNSEEN: Final = -(2**30)
"""Stands for a value that the side may not see."""

MOST_WRITTEN_OUT: Final = 5_000
"""Numbers that sets or lists of one state may take."""

Numbers = npt.NDArray[np.int32]


class Observer:
    """Writes the state of one game's sessions as numbers.

    In the order of the rules: of each value one number (members by their number, none is -1); of a set or a
    flag, 0 or 1 for each member; of a list or stack of members, the place of each, from 1, or 0; of another
    list, its length.  If this makes more than 5,000 numbers of a state, each of its sets and lists is one
    number: how many it has.  The last numbers say what is asked: for each choice 0 or 1, the number of the
    side, that of the item or -1, and the values of a record that are chosen so far, each -1 before.

    Attributes:
        size: How many numbers there are.
        spans: Of each state, where its numbers begin and end.
    """

    def __init__(self, game: PreparedGame, most_values: int = 1) -> None:
        layout = game.module.layout
        self._game, self._first, self._end = game, layout.first_state, layout.first_derived
        self._places: dict[int, tuple[int, int, int]] = {}
        self._sights: dict[int, tuple[tuple[int, int], ...]] = {}
        self.spans: dict[str, tuple[int, int]] = {}
        self.size = 0
        for slots in layout.slots.values():
            width, sort = _width(slots, game)
            for cell in range(slots.size):
                self._places[slots.base + cell] = (self.size + cell * width, width, sort)
            self.spans[slots.state.name] = (self.size, self.size + slots.size * width)
            self.size += slots.size * width
        self._question = self.size
        self._choices = len(game.program.choices)
        self._blank_question = np.array([0] * self._choices + [-1] * (1 + most_values), np.int32)
        self._questions: dict[tuple[int, int], Numbers] = {}
        self.size += len(self._blank_question)

    def start(self, session: Session) -> Observation:
        """The numbers of a session, as it is now."""
        return Observation(self, session)

    def write(
        self, numbers: Numbers, cells: list[Any], addresses: Iterable[int], written: dict[int, int]
    ) -> None:
        """Write the values of some cells.

        Args:
            written: The members that are written of sets, as masks by address; brought up to date.
        """
        for address in addresses:
            start, width, sort = self._places[address]
            value = cells[address]
            if sort == PLAIN:
                numbers[start] = value if isinstance(value, int) and -(2**31) < value < 2**31 else 0
            elif sort == BITS:
                if changed := value ^ written.get(address, 0):
                    written[address] = value
                    for bit in member_ids(changed):
                        numbers[start + bit] = value >> bit & 1
            elif sort == NUMBER:
                numbers[start] = value.bit_count()
            elif sort == PLACES:
                numbers[start : start + width] = 0
                for place, member in enumerate(value, 1):
                    numbers[start + member] = place
            else:
                numbers[start] = len(value)

    def ask(self, numbers: Numbers, session: Session, so_far: Sequence[int]) -> None:
        """Write what is asked, and the values of a record that are chosen."""
        asked, first = session.machine.asked, self._question + self._choices
        if asked is None or asked[0] < 0:
            numbers[self._question :] = self._blank_question
            return
        number, side, item, _ = asked
        question = self._questions.get((number, side))
        if question is None:
            question = self._questions[number, side] = self._blank_question.copy()
            question[number], question[self._choices] = 1, side
        numbers[self._question :] = question
        if isinstance(item, int):
            numbers[first + 1] = item
        for place, value in enumerate(so_far, first + 2):
            numbers[place] = value

    def sight_of(self, session: Session, side: int) -> list[Any]:
        """Everything that decides which values a side may see: where it is equal, they are the same."""
        spans, cells = self._sights.get(side), session.machine.M
        if spans is None:
            spans = self._sights[side] = tuple(sorted(set(self._spans_of_sight(side))))
        return [cells[span[0]] if span[1] == 1 else cells[span[0] : sum(span)] for span in spans]

    def _spans_of_sight(self, side: int) -> Iterator[tuple[int, int]]:
        """Yield the cells on which the sight of a side depends: an address, and how many cells from there."""
        layout = self._game.module.layout
        for name in self._game.hidden_from(side).states:
            revealed, known = layout.revealed.get(name), layout.slots[name].state.known_to
            if revealed is not None:
                yield revealed.address, 1
            for read in () if known is None else self._game.module.facts.reads(known.sides):
                own = layout.slots.get(read)
                if own is not None:
                    yield own.base, own.size

    def unseen(self, session: Session, side: int) -> npt.NDArray[np.intp]:
        """The places of the numbers that a side may not see."""
        sight = session.sight(side)
        places: list[int] = []
        for name in sight.hidden:
            slots = self._game.module.layout.slots[name]
            for keys, address in slots.each():
                start, width, _ = self._places[address]
                if slots.bits is None:
                    places += [] if sight.sees(slots, keys) else range(start, start + width)
                    continue
                low = slots.bits.low
                places += [start + bit for bit in range(width) if not sight.sees(slots, (*keys, bit + low))]
        return np.array(places, np.intp)

    @property
    def addresses(self) -> range:
        """All cells of states."""
        return range(self._first, self._end)


PLAIN, BITS, PLACES, LENGTH, NUMBER = range(5)


def _members(kind: SetOf | ListOf, sizes: Mapping[str, int]) -> int:
    """How many members a set or list may have."""
    return sizes[kind.of.domain] if isinstance(kind.of, Member) else 1


def _width(slots: Slots, game: PreparedGame) -> tuple[int, int]:
    """How many numbers stand for a value of a state, and how they are written."""
    kind, sizes = slots.state.type, game.program.by_name.sizes
    if slots.bits is not None:
        return slots.bits.size, BITS
    if isinstance(kind, SetOf | ListOf) and slots.size * _members(kind, sizes) > MOST_WRITTEN_OUT:
        return 1, LENGTH if isinstance(kind, ListOf) else NUMBER
    if isinstance(kind, SetOf):
        return (sizes[kind.of.domain] if isinstance(kind.of, Member) else kind.of.high + 1), BITS
    if isinstance(kind, ListOf):
        return (sizes[kind.of.domain], PLACES) if isinstance(kind.of, Member) else (1, LENGTH)
    return 1, PLAIN


class Observation:
    """The numbers of one session: after answers, only what has changed is written anew."""

    def __init__(self, observer: Observer, session: Session) -> None:
        self._observer, self._session = observer, session
        self._numbers: Numbers = np.zeros(observer.size, np.int32)
        self._read, self._waits = len(session.trace), True
        self._unseen: dict[int, tuple[list[Any], npt.NDArray[np.intp]]] = {}
        self._sets: dict[int, int] = {}
        observer.write(self._numbers, session.machine.M, observer.addresses, self._sets)

    def numbers(self, side: int, so_far: Sequence[int] = ()) -> Numbers:
        """Return the state as a side sees it now, a new array of `size` numbers."""
        session, observer, read = self._session, self._observer, self._read
        self._read = len(session.trace)
        if self._read != read:
            touched = session.game.touched.addresses(session.trace.since(read))
            cells = observer.addresses if self._waits else set(touched)
            observer.write(self._numbers, session.machine.M, cells, self._sets)
        self._waits = bool(session.machine.late)
        observer.ask(self._numbers, session, so_far)
        numbers = self._numbers.copy()
        if session.game.hidden_from(side).states:
            sight = observer.sight_of(session, side)
            if side not in self._unseen or self._unseen[side][0] != sight:
                self._unseen[side] = (sight, observer.unseen(session, side))
            numbers[self._unseen[side][1]] = UNSEEN
        return numbers
