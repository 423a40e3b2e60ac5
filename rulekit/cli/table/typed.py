"""The meaning of a typed text among names, titles, and the places of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.ir.types import Int, Member, Optional, Record, Type
from rulekit.runtime.narrate import Words
from rulekit.runtime.play import Decision, LegalAnswer, Session
from rulekit.runtime.play.answering.decisions import answers_without_norms
from rulekit.runtime.play.answering.spelling import ARROW, SEVERAL

COMMANDS = ("undo", "save", "show", "list", "why", "rest", "quit", "q", "exit", "help")
"""Words that never count as the beginning of a name."""

ENDS = ("done", "none")
"""Names of the answers that choose nothing, or nothing more; a question has one of them, or neither."""

ENDING = ("none", "done", "no")
"""Words that mean such an answer, where nothing else has the name."""

LOOKS = ("show", "list", "why", "save", "help", "?")
"""Commands after which answers that were typed ahead still hold."""

MOST_TRIED = 200
"""Candidates among which refused answers are looked for."""

MOST_NUMBERS = 1_000
"""Numbers that a typed text is compared with."""


class Meaning:
    """Finds what is meant among names and titles."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def answer(self, decision: Decision, text: str) -> LegalAnswer | None:
        """The answer that a text means: its name, its place in the list, or the beginning of its name."""
        if not text:
            return None
        if text.isdecimal() and not numbers(decision):
            place = int(text[:9])
            if 1 <= place <= len(decision.legal_answers):
                return decision.legal_answers[place - 1]
        named = self.answers(decision, text)
        return named[0] if len(named) == 1 else None

    def answers(self, decision: Decision, text: str) -> list[LegalAnswer]:
        """The legal answers that may be meant: one if it is named, else all with a word that begins so."""
        wanted = case_folded(text)
        if any(len(answer.parts) > 1 for answer in decision.legal_answers):
            wanted = " ".join(wanted.replace(ARROW.strip(), " ").split())
        choice = decision.choice
        named = [
            (answer, {*self._names_of(*answer.parts), case_folded(self._words.answer(choice, answer.name))})
            for answer in decision.legal_answers
        ]
        exact = [answer for answer, names in named if wanted in names]
        if not exact and wanted in ENDING:
            exact = [answer for answer, _ in named if answer.name in ENDS]
        if exact or wanted in COMMANDS:
            return exact[:1]
        return [answer for answer, names in named if _begins(names, wanted)]

    def _names_of(self, *parts: str) -> set[str]:
        titles = map(self._words.name, parts)
        return {" ".join(map(case_folded, parts)), " ".join(map(case_folded, titles))}

    def name(self, session: Session, text: str) -> str:
        """The answer that is meant of all that might be asked for, legal or not; else the text as a name."""
        kinds = asked_types(session)
        if len(kinds) < 2:
            return self._member(session, kinds, text) or "_".join(text.split())
        words = text.split(ARROW.strip()) if ARROW.strip() in text else text.split()
        for groups in _groups(words, len(kinds)):
            parts = [self._member(session, [kind], part) for kind, part in zip(kinds, groups, strict=True)]
            if all(parts):
                return ARROW.join(filter(None, parts))
        return "_".join(text.split())

    def thing(self, session: Session, text: str) -> str | None:
        """The only piece, space or other member that a text means by its name or the beginning of it."""
        kinds = [Member(domain.name, domain.name) for domain in session.game.program.domains]
        return self._member(session, kinds, text)

    def _member(self, session: Session, kinds: Sequence[Type], text: str) -> str | None:
        """The only member of a kind that a text may mean; a number as it is."""
        known = {member: self._names_of(member) for kind in kinds for member in members(session, kind)}
        wanted = case_folded(text.strip())
        meant = [name for name, names in known.items() if wanted in names]
        meant = meant or [name for name, names in known.items() if _begins(names, wanted)]
        return meant[0] if len(meant) == 1 else None


def has_meaning(session: Session, end: str) -> bool:
    """Return whether a choice can be ended, or declined, by `done` or `none`."""
    choice = session.choice
    if choice is None:
        return False
    return choice.verb in SEVERAL if end == "done" else choice.able != "must"


def asked_types(session: Session) -> tuple[Type, ...]:
    """The type that the question asks for; of a record, the types of its values."""
    asked = session.machine.asked
    if asked is None:
        return ()
    kind = session.game.program.choices[asked[0]].option.type
    return kind.types if isinstance(kind, Record) else (kind.of if isinstance(kind, Optional) else kind,)


def members(session: Session, kind: Type) -> list[str]:
    """The names of all values of a type of members or numbers."""
    if isinstance(kind, Int):
        return [str(number) for number in range(kind.low, min(kind.high, kind.low + MOST_NUMBERS) + 1)]
    if not isinstance(kind, Member):
        return []
    domain = session.game.naming.domains[kind.domain]
    named = session.game.naming.kinds.get(kind.name)
    those = named.members if named is not None and named.domain == kind.domain else -1
    return [name for number, name in enumerate(domain.members) if those >> number & 1]


def candidates(session: Session) -> list[str]:
    """The names of answers that norms may have ruled out, `MOST_TRIED` at most."""
    kinds, choice = asked_types(session), session.choice
    if choice is None or not choice.norms:
        return []
    if len(kinds) > 1:
        return list(answers_without_norms(session)[:MOST_TRIED])
    named = (members(session, kind) for kind in kinds if isinstance(kind, Member))
    return [name for names in named for name in names][:MOST_TRIED]


def _groups(words: Sequence[str], count: int) -> Iterator[list[str]]:
    """Words as so many texts, one after the other, in every way."""
    if count == 1:
        yield [" ".join(words)]
        return
    for first in range(1, len(words) - count + 2):
        yield from ([" ".join(words[:first]), *rest] for rest in _groups(words[first:], count - 1))


def numbers(decision: Decision) -> bool:
    """Return whether the legal answers are numbers, which are typed as they are."""
    return any(answer.name.lstrip("-").isdecimal() for answer in decision.legal_answers)


def case_folded(name: str) -> str:
    """A name as it is compared with what is typed: without underscores and capitals."""
    return name.replace("_", " ").casefold()


def _begins(names: set[str], wanted: str) -> bool:
    return any(f" {name}".find(f" {wanted}") >= 0 for name in names)
