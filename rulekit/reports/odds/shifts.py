"""By how much options shift the chances of questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.diagnostics import Diagnostic, RulesError
from rulekit.reports.odds.asking import QUESTION, Asker, NoOdds
from rulekit.reports.odds.table import decimal, number_text
from rulekit.runtime.odds.distribution import (
    Distribution,
    Interval,
    NoNumber,
    Number,
    is_number,
    text_of,
)
from rulekit.runtime.odds.graph import Budget

BUDGET = Budget(seconds=10.0)
"""Work for each question by each of the rules; the part beyond it makes the answer bounded."""


class BadQuestions(ValueError):
    """Questions that cannot be answered; `line` is the line of the mistake, or 0."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@frozen
class OddsShift:
    """The answer to one question by two rules.

    Attributes:
        question: The name of its claim, or the title of its example.
        measure: The question as it is written.
        word: `chance` or `mean`.
        before, now: The distributions without and with the options.
    """

    question: str
    measure: str
    word: str
    before: Distribution
    now: Distribution

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield lines for people: the rows that differ, before, now, and the shift."""
        for what, before, now in self._numbers():
            if self._shows_means():
                yield what, _mean_text(before), _mean_text(now), _shift_text(before, now, 1, "")
            else:
                yield what, number_text(before), number_text(now), _shift_text(before, now, 100, " points")

    def _shows_means(self) -> bool:
        values = [value for part in (self.before, self.now) for value in part]
        return self.word == "mean" or all(map(is_number, values))

    def _numbers(self) -> Iterator[tuple[str, Number, Number]]:
        if self._shows_means():
            try:
                yield f"mean {self.measure}", self.before.mean, self.now.mean
                return
            except NoNumber:
                pass
        shifts = self.before.compare(self.now)
        if all(isinstance(shift.value, bool) for shift in shifts):
            yield f"chance {self.measure}", self.before.chance(True), self.now.chance(True)
            return
        for shift in shifts:
            yield f"{self.measure}: {text_of(shift.value)}", shift.one, shift.other

    def json(self) -> dict[str, Any]:
        """All of it as plain data; distributions as in `schemas/odds.schema.json`."""
        shifts = [
            {"value": text_of(shift.value), "shift": float(shift.other - shift.one)}
            for shift in self.before.compare(self.now)
            if isinstance(shift.one, Fraction) and isinstance(shift.other, Fraction)
        ]
        return {
            "question": self.question,
            "word": self.word,
            "measure": self.measure,
            "before": self.before.json(),
            "now": self.now.json(),
            "shifts": shifts,
        }


def shifts_in(
    text: str,
    folder: Path,
    *,
    options: Iterable[str],
    against: Iterable[str],
    overlays: Sequence[Path],
    agents: str = "first-legal",
) -> list[OddsShift]:
    """Return the shifts of the questions in a text of claims and examples.

    Args:
        options: The options that are in force, and `against` those before.

    Raises:
        BadQuestions: The text has a mistake, or a question cannot be answered.
        RulesError: The rule set has findings that stop it.
    """
    before, now = (
        _answers(text, Asker(folder, options=chosen, overlays=overlays), agents)
        for chosen in (against, options)
    )
    return [
        OddsShift(name, one.names[0], word, one, other)
        for (name, word, one), (_, _, other) in zip(before, now, strict=True)
    ]


def _answers(text: str, asker: Asker, agents: str) -> list[tuple[str, str, Distribution]]:
    try:
        return [
            (name, measure.word, chances) for name, measure, chances in asker.answers(text, agents, BUDGET)
        ]
    except NoOdds as error:
        raise BadQuestions(str(error)) from error
    except RulesError as error:
        mistake = _first_in_questions(error.diagnostics)
        if mistake is None:
            raise
        hint = f"; {mistake.hint}" if mistake.hint else ""
        raise BadQuestions(f"{mistake.message}{hint}", mistake.span.line) from error


def _first_in_questions(findings: Iterable[Diagnostic]) -> Diagnostic | None:
    return next((finding for finding in findings if finding.span.file == QUESTION), None)


def table_of(shifts: Iterable[OddsShift]) -> Iterator[str]:
    """Yield the lines of a table: each question with its measures before, now, and their shift."""
    rows = [("", "before", "now", "shift")]
    heads: dict[int, str] = {}
    last = ""
    for shift in shifts:
        if shift.question != last:
            heads[len(rows)] = last = shift.question
        rows += shift.rows()
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        if number in heads:
            yield heads[number]
        cells = [row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]
        yield f"  {'  '.join(cells)}".rstrip()


def _mean_text(number: Number) -> str:
    match number:
        case Fraction():
            return decimal(number)
        case Interval(low=low, high=high):
            return f"{decimal(low)} to {decimal(high)}"
        case _:
            return decimal(number.value)


def _shift_text(before: Number, now: Number, scale: int, unit: str) -> str:
    """A difference in words; of bounded numbers the least and the greatest."""
    if isinstance(before, Fraction) and isinstance(now, Fraction):
        shift = scale * (now - before)
        return f"{'+' if shift > 0 else ''}{_rounded_text(shift, scale)}{unit}" if shift else "the same"
    low, high = (
        scale * (part - other) for part, other in zip(_ends(now), reversed(_ends(before)), strict=True)
    )
    return f"{_rounded_text(low, scale)} to {_rounded_text(high, scale)}{unit}"


def _rounded_text(number: Fraction, scale: int) -> str:
    return f"{float(number):.1f}" if scale == 100 else decimal(number)


def _ends(number: Number) -> tuple[Fraction, Fraction]:
    return (number, number) if isinstance(number, Fraction) else (Fraction(number.low), Fraction(number.high))
