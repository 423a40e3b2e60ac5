"""The answers that a player may give to a choice, by value and by name."""

from __future__ import annotations

from typing import Final

from rulekit.base.frozen import frozen
from rulekit.ir import Choice, Program
from rulekit.ir.semantics.names import Naming
from rulekit.runtime.play.events import part_name

MOST_REMEMBERED: Final = 10_000
"""Legal answers to one choice that are remembered."""


@frozen
class LegalAnswer:
    """One legal answer to a decision: its value as the IR has it, and its name."""

    value: int
    name: str


class _AnswersByValue(dict[int, LegalAnswer]):
    """The answers to one choice by value, each made when it is first needed."""

    def __init__(self, naming: Naming, choice: Choice, parts: int) -> None:
        super().__init__()
        self._naming, self._choice, self._parts = naming, choice, parts

    def __missing__(self, value: int) -> LegalAnswer:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        answer = self[value] = LegalAnswer(value, part_name(self._naming, self._choice, value, self._parts))
        return answer


class LegalAnswers:
    """The legal answers to one program's choices."""

    def __init__(self, program: Program, naming: Naming) -> None:
        self._program, self._naming = program, naming
        self._known: dict[tuple[int, int], _AnswersByValue] = {}

    def named(self, choice: int, parts: int, values: tuple[int, ...]) -> tuple[LegalAnswer, ...]:
        """The answers with these values; for `split`, `parts` is how many parts there are."""
        known = self._known.get((choice, parts))
        if known is None:
            known = _AnswersByValue(self._naming, self._program.choices[choice], parts)
            self._known[choice, parts] = known
        return tuple(map(known.__getitem__, values))
