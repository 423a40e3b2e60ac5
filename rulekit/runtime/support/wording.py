"""The words of play in one language: of reasons, and of the game log.

A rule set's own names are printed titles, or what a message file has for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.ir import Program
from rulekit.ir.types import Member, Text, TextValue

ENGLISH: Final[Mapping[str, str]] = {
    # -- facts, of which the subject may be left out where it is the answer itself
    "is": "{} is {}",
    "not": "not {}",
    "is-not": "{}, not {}",
    "does-not": "does not {}",
    "do-not": "do not {}",
    "does": "{} {} {}",
    "only": "{}, only {}",
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
    "way": "cheapest way from {} to {}",
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
    # -- reasons
    "not-legal": "it is not a legal answer",
    "not-candidate": "it is not among the candidates",
    "answered-already": "it is in the answer already",
    "number-from-to": "expected a number from {} to {}",
    "at-most-here": "at most {} for this one",
    "pick-at-least": "at least {} must be picked; so far {}",
    "pick-at-most": "at most {} can be picked",
    "must-answer": "this choice cannot be declined",
    "declined-if-able": "it can be declined only if there is no other legal answer",
    "given-already": "given to {} already; at most {} each",
    "none-given": "none can be given",
    "no-completion": "no further answers could complete it",
    "no-completion-under": "no further answers could complete it under this",
    "forbidden": "forbidden",
    "forbidden-whole": "forbidden by the answer as a whole",
    "required-otherwise": "required otherwise",
    "required-otherwise-whole": "required otherwise by the answer as a whole",
    "permits-only-others": "this permits only other answers",
    "only-with": "legal only together with: {}",
    # -- the game log: side and choice, answers, rolls
    "side-choice": "{}, {}",
    "says": "{}: {}",
    "only-choice": "{} (only legal choice)",
    "part": "{} {}",
    "new": "new {}",
    "to-each": "{} -> {}",
    "roll-for": "{} for {}",
    "dice-each": "{} ({} each)",
    "dice-mean": "{} → {}",
    "run": "{} to {}",
    # -- the game log: changes
    "change": "{} {}",
    "are": "{} are {}",
    "no-longer": "no longer {}",
    "moved": "to {}",
    "dissolved": "dissolved",
    "added": "{}: {} added",
    "taken-out": "{}: {} taken out",
    "put-top": "{}: {} put on top",
    "put-under": "{}: {} put underneath",
    "drawn": "{}: {} drawn",
    "drawn-at-random": "{} drawn at random: {}",
    "shuffled": "{} shuffled",
    "revealed": "{} revealed: {}",
    "flag-revealed": "{} (revealed)",
    "still": "{} still {}",
    "up": "up",
    "down": "down",
    "to-number": "to {}",
    # -- the game log: what a reader may not know
    "hidden": "hidden",
    "drawn-in-secret": "drawn in secret",
    "rolled-in-secret": "rolled in secret",
    "shown-in-secret": "shown in secret",
    # -- chance that is asked
    "chance": "chance",
    # -- the game log: modifiers
    "applies-not": "{}: not, `{}`",
    "applies-but": "{}: {}, but {} counts one of them",
    "times": "times {}",
    "half": "half",
    "becomes": "becomes {}",
    "at-most": "at most {}",
    "at-least": "at least {}",
    "changed": "{} → {}",
    "column-left": "{}: {} column to the left",
    "column-right": "{}: {} column to the right",
    "columns-left": "{}: {} columns to the left",
    "columns-right": "{}: {} columns to the right",
    # -- the game log: headings and the end
    "continued": "{} (continued)",
    "ends": "the game ends",
    "ends-with": "the game ends: {}",
    "no-result": "no result",
}
"""Every word of play by its key; a message file may have others in its part `play`."""


@frozen
class Speech:
    """The words of one language, as message files have them.

    Attributes:
        language: Its code.
        words: Words by the keys of `ENGLISH`; those that are missing are English.
        names: Words for names of the rules, and for titles such as `step 5.2`.
        rules: The printed rules by their numbers.
        texts: Words for all other texts, by the English.
        direction: `ltr` or `rtl`.
        quiet: States whose changes the game log leaves out.
    """

    language: str = "en"
    words: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    direction: str = "ltr"
    quiet: frozenset[str] = frozenset()


BEFORE: Final = "#before"
"""A local that no rule has: the members of a loop that had their turn."""

AUXILIARIES: Final = ("has", "may", "can")
"""First words of names of conditions that are said in another way than `Akagi is not damaged`."""

VERBS: Final = frozenset(
    (
        "answer attack begin belong block border carry close come connect contain control cost count cover "
        "cross cut defend defeat destroy earn end enter exceed exert expect face fight fit fly follow get "
        "give go hold join keep kill know lack lead leave let lie like live look lose make match meet miss "
        "need operate overlap overrun own pass pay reach remain repair rest sail say screen see serve share "
        "show sink sit spread stand start stay stop supply support suit take threaten touch travel use want "
        "win work"
    ).split()
)
"""Verbs that a name of a condition or a set may begin with, as in `fits_in` and `touches`."""


class Wording:
    """The words of play for one program in one language; by default English."""

    def __init__(self, program: Program, speech: Speech | None = None) -> None:
        self.speech = speech or Speech()
        self.language = self.speech.language
        self._words, self._names, self._texts = self.speech.words, self.speech.names, self.speech.texts
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
        return self.own_of(name) or self.text(plain(name.rpartition(".")[2]))

    def own_of(self, name: str, suffix: str = "") -> str:
        """The words of the rule set for a name, of a field with its kind or without; empty if it has none."""
        return self.own(name + suffix) or self.own(name.rpartition(".")[2] + suffix)

    def value_of(self, state: str, value: object) -> str:
        """The words of the rule set for a value of a state, such as `deck none`; empty if it has nothing."""
        name = "none" if value is None else value
        return self.own_of(state, f" {name}") if isinstance(name, str) else ""

    def own(self, key: str) -> str:
        """The words of the rule set for a key such as `table effect none`; empty if it has nothing."""
        return self._names.get(key, "")

    def is_quiet(self, state: str) -> bool:
        """Return whether the game log leaves the changes of a state out."""
        return state in self.speech.quiet or state.rpartition(".")[2] in self.speech.quiet

    def text(self, english: str) -> str:
        """A text of the rules in this language, if it has it."""
        return self._texts.get(english, english)

    def title(self, kind: str, name: str, english: str = "") -> str:
        """The title of a step, scenario, option and the like; else its name in plain words.

        The wording of a name alone, which may be that of a state, replaces no title that the rules write.
        """
        for known in (f"{kind} {name}", *([] if english else [name])):
            if known in self._names:
                return self._names[known]
        return self.text(english or plain(name))

    def predicate(self, name: str, *, holds: bool, many: bool = False) -> tuple[str, bool]:
        """A condition as a predicate of one thing or `many`, and whether it needs an `is`: `not damaged`."""
        word = self.name(name)
        negated = "" if holds else self.own_of(name, " not")
        if negated:
            return negated, False
        verb, _, rest = word.partition(" ")
        if not self._is_english:
            return (word if holds else self("not", word)), True
        if verb in AUXILIARIES and rest:
            return self(verb if holds else f"{verb}-not", rest), False
        if verb == "is" and rest:
            return (rest if holds else self("not", rest)), True
        base = base_of(verb)
        if base:
            plural = f"{base} {rest}".rstrip()
            if holds:
                return (plural if many else word), False
            return self("do-not" if many else "does-not", plural), False
        return (word if holds else self("not", word)), True

    def verb(self, name: str) -> str:
        """The first word of a name in the third person, if that is a verb: `touches`; else empty."""
        verb = self.name(name).partition(" ")[0]
        return verb if self._is_english and base_of(verb) else ""

    @property
    def _is_english(self) -> bool:
        return self.language.partition("-")[0] == "en"

    def member(self, domain: str, number: int) -> str:
        """The title of a member."""
        known = self._domains[domain]
        name = known.members[number]
        if name in self._names:
            return self._names[name]
        title = known.titles[number] if number < len(known.titles) else ""
        return self.text(title if title and title != name else plain(name))

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


def base_of(verb: str) -> str:
    """The infinitive of a known verb in the third person, `supply` of `supplies`; else empty."""
    stems = {verb.removesuffix("s"), verb.removesuffix("es"), verb.removesuffix("ies") + "y"}
    return next((stem for stem in stems if stem != verb and stem in VERBS), "")


def plain(name: str) -> str:
    """A name as words: one that the compiler has made of another is called like that."""
    return name.removeprefix("table:").partition("'")[0].replace("_", " ").strip()


def texts_of(program: Program) -> dict[tuple[str, str], dict[str, str]]:
    """Return the texts on each member of a domain that has any, by its fields, those that are not empty."""
    texts: dict[tuple[str, str], dict[str, str]] = {}
    for table in program.statics:
        owner, _, field = table.name.partition(".")
        if not isinstance(table.type, Text) or len(table.keys) != 1 or not field or ":" in owner:
            continue
        domain = program.by_name.domains[str(table.keys[0])]
        for name, value in zip(domain.members, table.values, strict=True):
            if isinstance(value, TextValue) and value.text:
                texts.setdefault((domain.name, name), {})[field] = value.text
    return texts
