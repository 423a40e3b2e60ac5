"""One number for each answer that any choice of a game may ever get: the action space of its environments.

Each choice has a block, in the order of the rules: the members of the kind it asks for, or its numbers, then
`none` and `done` if it has them.  The numbering follows from the rules and options alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rulekit.ir import Choice
from rulekit.ir.semantics.records import Digit, digits_of, number_of
from rulekit.ir.types import (
    DONE,
    NONE,
    Flag,
    Int,
    ListOf,
    MapOf,
    Member,
    Month,
    Nothing,
    Optional,
    Ratio,
    Record,
    Row,
    SetOf,
    Text,
    Type,
)
from rulekit.runtime.chance import name_key
from rulekit.runtime.play.answering.spelling import SEVERAL, part_name
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.support.asked import Question

MARK: Final = np.dtype(np.int8)
"""Of a mask; a type, which numpy would look up for each new array."""

FEW: Final = 100
"""Legal actions that are written into a mask one by one."""

MOST: Final = 1_000_000
"""Actions of one game."""
MOST_NUMBERS: Final = 256
"""Numbers that a choice of a number has actions for, the lowest ones; higher answers have none."""


class Actions:
    """The numbers of one game's answers.

    A record is answered value by value: `so_far` are those that are chosen, each an action of its own.

    Attributes:
        size: How many there are.
        names: Of each number, the choice and the name of the answer; of a value of a record, the choice, the
            field and the name of the value.
    """

    def __init__(self, game: PreparedGame) -> None:
        """
        Raises:
            ValueError: There are more than a million.
        """
        self._answers: list[tuple[int, int, int]] = []
        self._blocks: list[tuple[dict[int, int], ...]] = []
        self._digits: list[tuple[Digit, ...]] = []
        self._game, names = game, []
        kinds = {kind.name: kind.members for kind in game.program.kinds}
        sizes = game.program.by_name.sizes
        for number, choice in enumerate(game.program.choices):
            kind = choice.option.type
            inner = kind.of if isinstance(kind, Optional) else kind
            types = inner.types if isinstance(inner, Record) else (inner,)
            blocks = []
            for place, one in enumerate(types):
                values = [*_values(one, kinds, sizes), *(_ends(choice) if not place else ())]
                first = len(self._answers)
                blocks.append({value: first + at for at, value in enumerate(values)})
                self._answers += [(number, place, value) for value in values]
                names += [self._name(choice, place, value) for value in values]
                if len(names) > MOST:
                    raise ValueError(f"`{choice.name}` has too many answers: more than {MOST:,} actions")
            self._blocks.append(tuple(blocks))
            self._digits.append(digits_of(inner, sizes) if isinstance(inner, Record) else ())
        self.size, self.names = len(names), tuple(names)

    def _name(self, choice: Choice, place: int, value: int) -> tuple[str, ...]:
        kind = choice.option.type
        inner = kind.of if isinstance(kind, Optional) else kind
        if isinstance(inner, Record) and value >= 0:
            return choice.name, inner.names[place], str(self._game.naming.to_json(inner.types[place], value))
        return choice.name, part_name(self._game.naming, choice, value)

    def legal(self, asked: Question, so_far: Sequence[int] = ()) -> list[int]:
        """The numbers of the legal answers to an open question, of those that have one."""
        number, values = asked[0], asked[3]
        block, digits = self._blocks[number][len(so_far)], self._digits[number]
        if not digits:
            try:
                return list(map(block.__getitem__, values))
            except KeyError:  # a number beyond those that have actions
                return [block[value] for value in values if value in block]
        digit, before = digits[len(so_far)], digits[: len(so_far)]
        offered = {
            digit.value(value)
            for value in values
            if value >= 0
            and all(one.value(value) == known for one, known in zip(before, so_far, strict=True))
        }
        ends = [value for value in values if value < 0 and not so_far]
        return [block[value] for value in (*sorted(offered), *ends) if value in block]

    def mask(self, asked: Question, so_far: Sequence[int] = ()) -> npt.NDArray[np.int8]:
        """A new array of `size` numbers: 1 for each legal action, else 0."""
        legal = self.legal(asked, so_far)
        if len(legal) > FEW:
            mask = np.zeros(self.size, MARK)
            mask[legal] = 1
            return mask
        marks = bytearray(self.size)  # for a few actions, quicker than an array that is written by a list
        for action in legal:
            marks[action] = 1
        return np.frombuffer(marks, MARK)

    def act(
        self, asked: Question, action: int, so_far: Sequence[int] = ()
    ) -> tuple[int | None, tuple[int, ...]]:
        """The answer that an action gives to an open question, or None and the values of a record so far.

        Raises:
            ValueError: The action belongs to another choice, or to another value of a record.
        """
        number, place, value = self._answers[action]
        if number != asked[0] or place != len(so_far):
            raise ValueError(f"action {action} is not an answer here: {' '.join(self.names[action])}")
        digits = self._digits[number]
        if not digits or value < 0:
            return value, ()
        values = (*so_far, value)
        return (number_of(digits, values), ()) if len(values) == len(digits) else (None, values)

    @property
    def most_values(self) -> int:
        """How many values the longest record has; 1 if there are no records."""
        return max((len(blocks) for blocks in self._blocks), default=1)

    @property
    def digest(self) -> str:
        """A text that is equal for equal numberings: keep it with what was learned from one."""
        return f"{name_key(repr(self.names)):016x}"

    @property
    def as_json(self) -> dict[str, Any]:
        """The numbering as JSON: its digest, and the choice and answer of each number, in order."""
        return {"format": 1, "digest": self.digest, "actions": [list(name) for name in self.names]}


def _values(kind: Type, kinds: Mapping[str, int], sizes: Mapping[str, int]) -> Iterator[int]:
    """Every value of a type that an answer, or a value of a record, may have."""
    match kind:
        case SetOf(of=Member(domain=domain)):  # the parts of a split
            yield from range(1, sizes[domain] + 1)
        case Flag():
            yield from (0, 1)
        case Int() | Month():
            yield from range(kind.low, min(kind.high, kind.low + MOST_NUMBERS) + 1)
        case Member():
            mask = kinds.get(kind.name, -1)
            yield from (number for number in range(sizes[kind.domain]) if mask >> number & 1)
        case SetOf() | ListOf() | MapOf() | Optional() | Record() | Row() | Text() | Ratio() | Nothing():
            yield from range(1, MOST_NUMBERS + 1)


def _ends(choice: Choice) -> Iterator[int]:
    """The answers `none` and `done`, of a choice that may have them."""
    if choice.verb not in ("decide", "number", "split", "share"):
        yield NONE
    if choice.verb in SEVERAL:
        yield DONE
