"""The end of a session for learning programs: its rewards, and faults that cut it short."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.runtime.play import Fault, Session

Reward = Callable[[Session, str], float]
"""The reward of a side at the end of a game."""


def won_or_lost(session: Session, side: str) -> float:
    """1 for the side that the game's result names, -1 for the others; 0 if it names none."""
    sides = session.game.program.by_name.domains[session.game.program.sides].members
    return 0.0 if session.result not in sides else 1.0 if session.result == side else -1.0


def answer(session: Session, value: Any) -> str | None:
    """Answer a session; return the fault that stops it, if the rules cannot go on."""
    try:
        session.choose(value)
    except Fault as fault:
        return str(fault)
    return None
