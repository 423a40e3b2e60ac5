"""Answers typed ahead: to the next questions in order, for named things, for all the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulekit.runtime.play import Decision, Session

CHANCE = ("roll", "draw", "take", "shuffle")
"""Kinds of events after which a person knows more than when the input was typed."""


class TypedAhead:
    """Answers to the questions of one choice and side, as long as nothing is rolled or drawn between them."""

    def __init__(self) -> None:
        self._next: list[str] = []
        self._named: dict[str, str] = {}
        self._rest = ""
        self._for, self._at = ("", ""), 0

    def begin(self, session: Session, decision: Decision) -> None:
        """Take what is added from now on as input for this choice and side."""
        self._for, self._at = (decision.choice, decision.side), session.event_count

    def add(self, answers: Collection[str]) -> None:
        """Add answers to the next questions, one after the other."""
        self._next += answers

    def name(self, things: Collection[str], answer: str) -> None:
        """Add one answer to the questions about each of some things."""
        self._named |= dict.fromkeys(things, answer)

    def repeat(self, answer: str) -> None:
        """Set the answer to all questions that have no other."""
        self._rest = answer

    def left_over(self, session: Session, decision: Decision) -> Iterator[str]:
        """Yield and forget answers that are not for a question like this; a repeated answer just ends."""
        if (decision.choice, decision.side) != self._for or any(
            event.kind in CHANCE for event in session.events_from(self._at)
        ):
            yield from self._next
            yield from self._named
            self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._next.clear()
        self._named.clear()
        self._rest = ""

    @property
    def repeated(self) -> str:
        """The answer to all questions that have no other; empty if there is none."""
        return self._rest

    def take(self, about: Collection[str]) -> str:
        """Return what answers a question about some things; empty if the person is to be asked."""
        named = next((name for name in about if name in self._named), None)
        if named is not None:
            return self._named.pop(named)
        return self._next.pop(0) if self._next else self._rest
