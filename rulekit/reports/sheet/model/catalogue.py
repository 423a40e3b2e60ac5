"""The sheet's own words, by a key of each; rule sets bring their own wording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Literal

from rulekit.base.frozen import frozen

ENGLISH: Mapping[str, str] = {
    "reference": "Reference sheets",
    "one-page": "Everything on one page",
    "sheet": "Sheet",
    "of": "of",
    "continued": "continued",
    "sequence": "Sequence of play",
    "step": "Step",
    "who": "Who",
    "do": "Do this",
    "roll": "Roll",
    "see": "See",
    "instead": "{} instead",
    "then": "{}, then {}",
    "turns": "by turns",
    "together": "together",
    "either": "the owner",
    "tables": "Tables",
    "modifiers": "Modifiers by roll",
    "value": "",
    "applies": "Applies when",
    "always": "always",
    "add": "Add all that apply.",
    "sum": "{}: add all",
    "highest": "{}: the highest only",
    "lowest": "{}: the lowest only",
    "once": "{}: counts once",
    "exclusive": "{}: one at most",
    "at-most": "at most {}",
    "at-least": "at least {}",
    "doubled": "× {}",
    "halved": "½",
    "choices": "Choices and their limits",
    "case": "Case",
    "may": "Permissions",
    "may-not": "Prohibitions",
    "required": "Required: {}",
    "not-allowed": "Not allowed: {}",
    "options": "Options in force",
    "none": "none",
    "in-force": "Options in force",
    "changed": "changed by an option in force; the tag names it",
    "owner": "values in your own copy",
    "soft": "reconstructed: check against your own copy",
    "errata": "Where the booklet contradicts itself",
    "printed": "Printed",
    "played": "Played",
    "point": "Question",
    "why": "Why",
    "glossary": "Glossary",
    "meaning": "Meaning",
    "index": "Printed rules",
    "pieces": "Pieces",
    "piece": "Name",
    "touches": "Adjacent to",
    "tracks": "Tracks",
    "track": "Track",
    "from": "From",
    "to": "To",
    "begins": "Begins",
    "otherwise": "otherwise",
    "or-less": "{} or less",
    "or-more": "{} or more",
    "until": "until {}",
    "since": "from {}",
    "yes": "yes",
    "no": "no",
    "addition": "addition",
    "change": "change",
    "optional_rule": "optional rule",
    "reason": "Why",
    "turn": "Turn",
    "leaves": "leaves",
    "scenario": "Scenario",
    "map": "Schematic map.",
    "map-touches": "{} is adjacent to {}",
    "by": "by",
    "authors": "Authors",
    "examples": "Examples",
    "tag": "Tag",
    "in-force-here": "In force here",
    "meeting": "Where options interact",
    "prevails": "{} takes precedence over {}",
    "beside": "{} and {} combine",
    "contents": "Contents",
    "months": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "month": "{} {}",
    "as-table": "As a table",
    "amount": "Value",
    "may-or-not": "Choices",
    "area": "Area",
    "sites": "Places",
    "type": "Type",
    "front": "Front",
    "back": "Back",
    "count": "Number",
    "group": "Group",
    "is-changed": "changed",
    "is-added": "added",
    "is-removed": "removed",
    "and": "{} and {}",
    "or": "{} or {}",
    "not": "not {}",
    "is": "{} is {}",
    "is-not": "{} is not {}",
    "in": "{} in {}",
    "not-in": "{} not in {}",
    "at": "at {}",
    "of-what": "{} of {}",
    "its": "its {}",
    "empty": "empty",
    "if": "if {}",
    "unless": "unless {}",
    "not-if": "not if {}",
}

RIGHT_TO_LEFT = ("ar", "fa", "he", "ur", "yi")


@frozen
class SetMessages:
    """A rule set's own wording in one language.

    Attributes:
        names: What its names, and titles of its items (`table effect`), are.
        rules: Its printed rules, by their numbers.
        texts: What else stands on its sheets, by how it is in English.
        direction: Which way it is read; empty for the usual one.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    direction: str = ""


class Messages:
    """The words of one language; those that are not there are English, and listed by `missing`."""

    def __init__(
        self,
        language: str = "en",
        words: Mapping[str, str] | None = None,
        messages: SetMessages | None = None,
    ) -> None:
        self.language = language
        self.messages = messages or SetMessages()
        self._words = ENGLISH if words is None else words
        self.fell_back: dict[str, dict[str, str]] = {"names": {}, "rules": {}}

    def lacks(self, part: str, key: str, english: str) -> str:
        """The English wording of something that the language has none for; kept in mind."""
        if self.language.partition("-")[0] != "en":
            self.fell_back[part].setdefault(key, english)
        return english

    def __call__(self, key: str, *parts: object) -> str:
        """The words for a key, with what belongs into their gaps."""
        text = self._words.get(key) or ENGLISH[key]
        return text.format(*parts) if parts else text

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """Which way the language is read."""
        said = self.messages.direction
        turned = said == "rtl" or not said and self.language.partition("-")[0] in RIGHT_TO_LEFT
        return "rtl" if turned else "ltr"

    def month(self, month: int) -> str:
        """A month, `12 * year + month - 1`."""
        return self("month", self("months").split()[month % 12], month // 12)

    def small(self, title: str) -> str:
        """A title as it stands inside a sentence; German nouns keep their capitals."""
        return title if self.language.partition("-")[0] == "de" else title.lower()

    def missing(self) -> Iterator[str]:
        """Keys that this language has no words for."""
        return (key for key, english in ENGLISH.items() if english and key not in self._words)

    def all(self) -> tuple[tuple[str, str], ...]:
        """Every word with its key, for renderers."""
        return tuple((key, self(key)) for key in ENGLISH)
