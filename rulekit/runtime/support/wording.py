"""The words of play in one language: of reasons, and of the game log.

A rule set's own names are printed titles, or what a message file has for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulekit.ir import Program
from rulekit.ir.types import Member

ENGLISH: Final[Mapping[str, str]] = {
    # -- facts, of which the subject may be left out where it is the answer itself
    "is": "{} is {}",
    "not": "not {}",
    "is-not": "{}, not {}",
    "less": "{}, less than {}",
    "more": "{}, more than {}",
    "not-less": "{}, not less than {}",
    "not-more": "{}, not more than {}",
    "in": "in {}",
    "not-in": "not in {}",
    "at": "at {}",
    "at-not": "at {}, not at {}",
    "off-board": "off the board",
    "off-board-not": "off the board, not at {}",
    "no-such": "no {}",
    "some-such": "{}: {}",
    "no-such-where": "no {}: {}",
    "not-lowest": "{}, the lowest is {}",
    "not-highest": "{}, the highest is {}",
    "not-linked": "no way from {}",
    "too-far": "{} steps from {}, at most {}",
    "further": "more than {} steps from {}",
    "has": "has {}",
    "has-not": "has no {}",
    "may": "may {}",
    "may-not": "may not {}",
    "can": "can {}",
    "can-not": "cannot {}",
    "formed": "formed",
    "before": "those chosen before",
    # -- expressions
    "and": "{} and {}",
    "or": "{} or {}",
    "of-what": "{} of {}",
    "with": "{} ({})",
    "where": "{} where {}",
    "best": "{} with {} {}",
    "pieces-at": "{} at {}",
    "pieces": "pieces",
    "without": "{} without {}",
    "among": "{} in {}",
    "linked": "{} linked to {}",
    "count-of": "number of {}",
    "fold": "{} of {} for {}",
    "every": "every {}: {}",
    "some": "some {}: {}",
    "otherwise": "{} otherwise {}",
    "items": "{} and {} more",
    "none": "none",
    "yes": "yes",
    "no": "no",
    "nothing": "nothing",
    "months": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "month": "{} {}",
}
"""Every word of play by its key; a message file may have others in its part `play`."""


BEFORE: Final = "#before"
"""A local that no rule has: the members of a loop that had their turn."""

VERBS: Final = ("has", "may", "can")
"""First words of names of conditions that are said in another way than `Akagi is not damaged`."""


class Wording:
    """The words of play for one program in one language.

    Args:
        words: Words by the keys of `ENGLISH`; those that are missing are English.
        names: Words for names of the rules.
        texts: Words for their English titles.
    """

    def __init__(
        self,
        program: Program,
        language: str = "en",
        words: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        self.language = language
        self._words, self._names, self._texts = words or {}, names or {}, texts or {}
        self._domains = program.by_name.domains
        self._kinds: dict[tuple[str, int], str] = {}
        for kind in reversed(program.kinds):
            self._kinds[kind.domain, kind.members] = kind.name

    def __call__(self, key: str, *parts: object) -> str:
        """The words for a key, with what belongs into their gaps."""
        text = self._words.get(key) or ENGLISH[key]
        return text.format(*parts) if parts else text

    def name(self, name: str) -> str:
        """A name of the rules in plain words: of a field without its kind."""
        if name.startswith("exists:"):
            return self("formed")
        if name == BEFORE:
            return self("before")
        for known in (name, name.rpartition(".")[2]):
            if known in self._names:
                return self._names[known]
        text = plain(name.rpartition(".")[2])
        return self._texts.get(text, text)

    def predicate(self, name: str, *, holds: bool) -> tuple[str, bool]:
        """A condition of one thing as a predicate, and whether `is` belongs before it: `not damaged`."""
        word = self.name(name)
        verb, _, rest = word.partition(" ")
        if verb in VERBS and rest and self.language.partition("-")[0] == "en":
            return self(verb if holds else f"{verb}-not", rest), False
        return (word if holds else self("not", word)), True

    def member(self, domain: str, number: int) -> str:
        """The title of a member."""
        known = self._domains[domain]
        name = known.members[number]
        if name in self._names:
            return self._names[name]
        title = known.titles[number] if number < len(known.titles) and known.titles[number] else plain(name)
        return self._texts.get(title, title)

    def kind(self, of: Member, mask: int) -> str:
        """The kind that has exactly these members; empty if there is none."""
        known = self._kinds.get((of.domain, mask)) if mask else None
        return "" if known is None else self.name(known)

    def month(self, number: int) -> str:
        """A month, `12 * year + month - 1`."""
        return self("month", self("months").split()[number % 12], number // 12)

    def list_of(self, texts: list[str], most: int) -> str:
        """Some texts one after the other, so many at most; the others are counted."""
        if not texts:
            return self("nothing")
        shown = ", ".join(texts[:most])
        return shown if len(texts) <= most else self("items", shown, len(texts) - most)


def plain(name: str) -> str:
    """A name as words: one that the compiler has made of another is called like that."""
    return name.removeprefix("table:").partition("'")[0].replace("_", " ")
