"""The choice that is open in a session: where it stands, and which of its parts are answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulekit.runtime.codegen.routines.frames import Frame, Label
from rulekit.runtime.play.trace import Entry

if TYPE_CHECKING:
    from rulekit.runtime.play.session import Session


def label(session: Session, frame: Frame) -> Label | None:
    """The place where a frame waits."""
    number, place = int(frame[0]), int(frame[1])
    return session.game.module.cuts[number].labels[place]


def opened(session: Session) -> int:
    """How long the trace was when the open choice began to be asked."""
    if session.machine.asked is None or _inlined(session):
        return len(session.trace)
    return session.trace.base + session.machine.opened


def _inlined(session: Session) -> bool:
    """Whether the open choice has one part, and no frame of its own."""
    found = label(session, session.machine.stack[-1])
    return found is not None and found.instead is not None


def parts(session: Session) -> list[tuple[Entry, str]]:
    """The events of the open choice's parts, each with its kind."""
    kind = session.game.teller.kind
    kinds = ((entry, kind(entry).kind) for entry in session.traced(opened(session)))
    return [(entry, word) for entry, word in kinds if word in ("answer", "forced")]
