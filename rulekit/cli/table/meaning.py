"""Resolution of typed answers: by name, by number in the list, or by the beginning of a word."""

from __future__ import annotations

from typing import Any

from rulekit.ir.types import Member, Optional
from rulekit.runtime.narrate import Words
from rulekit.runtime.play import Decision, LegalAnswer, Session

COMMANDS = ("undo", "save", "show", "why", "quit", "q", "exit", "help")
"""Words that are no beginnings of names."""


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
            return decision.legal_answers[place - 1] if 1 <= place <= len(decision.legal_answers) else None
        named = self.answers(decision, text)
        return named[0] if len(named) == 1 else None

    def answers(self, decision: Decision, text: str) -> list[LegalAnswer]:
        """The legal answers that may be meant: one if it is named, else all with a word that begins so."""
        wanted = _folded(text)
        said = [(answer, self._called(answer.name)) for answer in decision.legal_answers]
        exact = [answer for answer, names in said if wanted in names]
        if exact or wanted in COMMANDS:
            return exact[:1]
        return [answer for answer, names in said if _begins(names, wanted)]

    def _called(self, name: str) -> set[str]:
        """Return the name and the title of a member, folded."""
        return {_folded(name), _folded(self._words.name(name))}

    def name(self, session: Session, text: str) -> str:
        """The member that is meant of all that might be asked for, legal or not; else the text as a name."""
        known = {each: self._called(each) for each in candidates(session)}
        wanted = _folded(text)
        meant = [each for each, names in known.items() if wanted in names]
        meant = meant or [each for each, names in known.items() if _begins(names, wanted)]
        return meant[0] if len(meant) == 1 else "_".join(text.split())


def has_meaning(session: Session, name: str) -> bool:
    """Return whether an answer has a meaning there: not every choice can be ended, or declined."""
    asked = session.machine.asked
    choice = None if asked is None else session.game.program.choices[asked[0]]
    match name:
        case "done":
            return choice is not None and choice.verb == "pick_set"
        case "none":
            return choice is not None and choice.able != "must"
        case _:
            return True


def candidates(session: Session) -> list[str]:
    """The names of everything of the kind that is asked for."""
    asked = session.machine.asked
    if asked is None:
        return []
    kind: Any = session.game.program.choices[asked[0]].option.type
    if isinstance(kind, Optional):
        kind = kind.of
    if not isinstance(kind, Member):
        return []
    domain = session.game.naming.domains[kind.domain]
    named = session.game.naming.kinds.get(kind.name)
    members = named.members if named is not None and named.domain == kind.domain else -1
    return [name for number, name in enumerate(domain.members) if members >> number & 1]


def numbers(decision: Decision) -> bool:
    """Return whether the legal answers are numbers, which are typed as they are."""
    return any(answer.name.lstrip("-").isdecimal() for answer in decision.legal_answers)


def _folded(name: str) -> str:
    return name.replace("_", " ").casefold()


def _begins(names: set[str], wanted: str) -> bool:
    """Return whether a name, or a word in it, begins so."""
    return any(f" {name}".find(f" {wanted}") >= 0 for name in names)
