"""The answers to choices: legal ones by value and by name, and those of a log as JSON, and back.

Each answer of a log is worked out once, however often it was given.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from rulekit.base.bits import mask_of, members
from rulekit.base.frozen import frozen
from rulekit.ir import Choice, Program
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import Int, Record
from rulekit.runtime.play.answering.spelling import part_name, read_part, shown_part
from rulekit.runtime.play.saved.saves import SaveError, short
from rulekit.runtime.support.lots import Lot, lots_of

MOST_REMEMBERED: Final = 10_000
"""Legal answers to one choice that are remembered."""


@frozen
class LegalAnswer:
    """One legal answer to a decision.

    Attributes:
        value: Its value as the IR has it.
        name: Its name; of a record, the names of its values with arrows between them; of several things that
            chance gives, their names with commas between them.
        parts: The names of the values of a record, or of several things that chance gives; else its name.
    """

    value: Any
    name: str
    parts: tuple[str, ...]


class _AnswersByValue(dict[int, LegalAnswer]):
    """The answers to one choice by value, each made when it is first needed."""

    def __init__(self, naming: Naming, choice: Choice, parts: int) -> None:
        super().__init__()
        self._naming, self._choice, self._parts = naming, choice, parts

    def __missing__(self, value: int) -> LegalAnswer:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        name = part_name(self._naming, self._choice, value, self._parts)
        parts: tuple[str, ...] = (name,)
        if isinstance(self._choice.option.type, Record) and value >= 0:
            parts = tuple(map(str, shown_part(self._naming, self._choice, value).values()))
        answer = self[value] = LegalAnswer(value, name, parts)
        return answer


class LegalAnswers:
    """The legal answers to one program's choices."""

    def __init__(self, program: Program, naming: Naming) -> None:
        self._program, self._naming = program, naming
        self._known: dict[tuple[int, int], _AnswersByValue] = {}

    def of_values(self, choice: int, parts: int, values: tuple[int, ...]) -> tuple[LegalAnswer, ...]:
        """The answers with these values; for `split`, `parts` is how many parts there are."""
        known = self._known.get((choice, parts))
        if known is None:
            known = _AnswersByValue(self._naming, self._program.choices[choice], parts)
            self._known[choice, parts] = known
        return tuple(map(known.__getitem__, values))


MOST_ANSWERS: Final = 20_000
"""Answers that are remembered, of each kind."""

Answer = tuple[int, int | None, Any]
"""The choice, the item that was asked for, and the value; of chance as `support.asked.Question` has it."""

ANSWER: Final = 3
"""Entries of one answer on a tape."""


class AnswerCodec:
    """Writes and reads the answers of one program's games."""

    def __init__(self, program: Program, naming: Naming) -> None:
        self.program = program
        self.naming = naming
        self._numbers = {choice.name: number for number, choice in enumerate(program.choices)}
        self._shown: dict[Answer, dict[str, Any]] = {}
        self._read: dict[Any, Answer] = {}

    @cached_property
    def _lots(self) -> Mapping[str, Lot]:
        return lots_of(self.program)

    def to_json(self, choice: int, item: int | None, value: Any) -> dict[str, Any]:
        """An answer as JSON."""
        answer = self._shown.get((choice, item, value))
        if answer is None:
            if len(self._shown) >= MOST_ANSWERS:
                self._shown.clear()
            answer = self._shown[choice, item, value] = self._entry(choice, item, value)
        return answer.copy()

    def _entry(self, number: int, item: int | None, value: Any) -> dict[str, Any]:
        if number < 0:
            return self._outcome(number, item, value)
        choice = self.program.choices[number]
        of_item = choice.item_type
        answer = {"choice": choice.name, "value": shown_part(self.naming, choice, value)}
        if item is not None and of_item is not None:
            answer["item"] = self.naming.to_json(of_item, item)
        return answer

    def _outcome(self, number: int, count: int | None, value: Any) -> dict[str, Any]:
        """An answer of chance as JSON: a sum, a thing, or a list of things."""
        point = self.program.points[~number]
        if not point.dice:
            thing = self._lots[point.name].thing
            several = value if isinstance(value, tuple) else None if count is None else members(value)
            if several is None:
                value = self.naming.to_json(thing, value)
            else:
                value = [self.naming.to_json(thing, one) for one in several]
        return {"chance": point.name, "value": value}

    def read(self, entry: Mapping[str, Any]) -> Answer:
        """An answer from JSON that fits the schema of saves.

        Raises:
            SaveError, NamingError: The program does not know the answer.
        """
        value, item = entry["value"], entry.get("item")
        # True is equal to 1, and is another answer.
        named = (entry.get("choice"), entry.get("chance"))
        key = (named, value, type(value), item, type(item), "item" in entry)
        try:
            answer = self._read.get(key)
        except TypeError:
            return self._answer(entry)
        if answer is None:
            if len(self._read) >= MOST_ANSWERS:
                self._read.clear()
            answer = self._read[key] = self._answer(entry)
        return answer

    def _answer(self, entry: Mapping[str, Any]) -> Answer:
        if "chance" in entry:
            return self._chance(entry["chance"], entry["value"])
        number = self._numbers.get(entry.get("choice", ""))
        if number is None:
            raise SaveError(f"unknown choice `{short(entry.get('choice'))}`")
        choice = self.program.choices[number]
        kind = choice.item_type
        item = self.naming.read(kind, entry["item"]) if "item" in entry and kind is not None else None
        return number, item, read_part(self.naming, choice, entry["value"])

    def _chance(self, name: Any, value: Any) -> Answer:
        number = next((n for n, point in enumerate(self.program.points) if point.name == name), None)
        if number is None or not self.program.points[number].dice and name not in self._lots:
            raise SaveError(f"unknown point `{short(name)}`")
        point = self.program.points[number]
        if point.dice:
            low = point.dice * point.lowest
            sums = Int(low, low + point.dice * (point.sides - 1))
            return ~number, point.dice, self.naming.read(sums, value)
        lot = self._lots[point.name]
        if not isinstance(value, list):
            return ~number, None, self.naming.read(lot.thing, value)
        things = tuple(self.naming.read(lot.thing, one) for one in value)
        return (~number, None, things) if lot.orders else (~number, len(things), mask_of(things))
