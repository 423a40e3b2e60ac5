"""What a decision is about: the choice's own arguments."""

from __future__ import annotations

from typing import Any

from rulekit.narrate.lines import Asked
from rulekit.narrate.words import Words
from rulekit.play import Decision, Session
from rulekit.types import Member, Optional, SetOf


def arguments(session: Session) -> dict[str, Any]:
    """The arguments of the choice that is open, as JSON by parameter; empty if none is."""
    asked = session.machine.asked
    if asked is None:
        return {}
    params = session.game.program.choices[asked[0]].params
    naming = session.game.naming
    return {
        param.name: naming.shown(param.type, value)
        for param, value in zip(params, session.machine.choosing, strict=True)
    }


def about(session: Session, decision: Decision, words: Words) -> Asked:
    """The arguments in words, without sets and without the side that decides: `Alpha, North`."""
    asked = session.machine.asked
    if asked is None:
        return Asked()
    types = {param.name: param.type for param in session.game.program.choices[asked[0]].params}
    said, names = [], []
    for name, value in arguments(session).items():
        kind = types[name]
        inner = kind.of if isinstance(kind, Optional) else kind
        if value is None or isinstance(inner, SetOf) or value == decision.side:
            continue
        if isinstance(value, str | int | list):
            said.append(words.value(value, inner.domain if isinstance(inner, Member) else ""))
        if isinstance(value, str):
            names.append(value)
    return Asked(", ".join(said), frozenset(names))
