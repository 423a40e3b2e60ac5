"""The printed statements that a finding about a booklet compares, and the reading that is played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.base.source import Span

IN_EXAMPLE: Final = "in the example: "
"""The beginning of a situation that is a worked example, with its lines; messages are too short for it."""


@frozen
class PrintedStatement:
    """A printed rule that contradicts another.

    Attributes:
        rule: Its number, as citations give it.
        section: The heading in the booklet; empty if the list has none.
        page: The page there; empty if the list has none.
        summary: The list's summary of it; empty if it is not listed.
        words: Its text on this point, if an errata entry has it.
    """

    rule: str
    section: str
    page: str
    summary: str
    words: str

    @property
    def place(self) -> str:
        """Where to read it: `orders.50, Engage Order, page 12`."""
        page = self.page and f"page {self.page}"
        return ", ".join(filter(None, (self.rule, self.section, page)))

    @property
    def line(self) -> str:
        """Its place and its text; of a reading without a printed rule only the text."""
        return f"{self.place}: {self.text}" if self.place else self.text

    @property
    def text(self) -> str:
        """Its words on this point, then its summary."""
        if self.words and self.summary:
            return f'"{self.words}" (summary: {self.summary})'
        return self.summary or f'"{self.words}"'


@frozen
class PlayedReading:
    """The reading that an errata entry declares as played, with its rules, its authority and its reason."""

    errata: str
    text: str
    rules: tuple[str, ...]
    by: str
    reason: str

    @property
    def words(self) -> str:
        """The reading and its reason: `the chart [3.1]; the text is older (by House)`."""
        cited = f" [{', '.join(self.rules)}]" if self.rules else ""
        by = f" (by {self.by})" if self.by else ""
        return f"{self.text}{cited}{f': {self.reason}' if self.reason else ''}{by}"


@frozen
class Conflict:
    """A printed statement that the rules contradict.

    Attributes:
        printed: The statement, each of its printed rules.
        against: The printed rules that say otherwise, as far as they are known.
        instead: The behaviour of the rules.
        situation: An example of when: `when turn = 2`, `at the start of the game`, or a worked example; empty
            if they always do.
        rule: The rule to look at, if there is one.
        played: The reading that is played, if an errata entry settles it.
    """

    printed: tuple[PrintedStatement, ...]
    against: tuple[PrintedStatement, ...]
    instead: str
    situation: str
    rule: Span | None
    played: PlayedReading | None

    def remarks(self) -> Iterator[tuple[str, str]]:
        """Each statement that is known and the reading that is played, with a word for what it is."""
        for word, statements in (("printed", self.printed), ("against", self.against)):
            for statement in statements:
                if statement.words or statement.summary:
                    yield word, statement.line
        if self.situation.startswith(IN_EXAMPLE):
            yield "situation", self.situation
        if self.played is not None:
            yield "played", self.played.words


def outcome(instead: str, situation: str) -> str:
    """Return what the rules do instead, with an example of when that fits in a sentence."""
    if not situation or situation.startswith(IN_EXAMPLE):
        return instead
    return f"{instead}{'; for example,' if situation.startswith('when ') else ''} {situation}"


def citation(statements: Iterable[PrintedStatement]) -> str:
    """Return the numbers of printed rules with their sections: `Guns [guns.3, guns.5], Hits [hits.1]`."""
    rules: dict[str, list[str]] = {}
    for statement in statements:
        rules.setdefault(statement.section, []).append(statement.rule)
    return ", ".join(f"{section} [{', '.join(numbers)}]".lstrip() for section, numbers in rules.items())
