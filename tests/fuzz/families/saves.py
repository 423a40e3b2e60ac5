"""Saved games, damaged in their structure or their bytes.  They are restored, and played on."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rulekit.cli.files import from_json
from rulekit.runtime.play import Fault, Game, SaveError, Session
from tests.fuzz import shapes
from tests.fuzz.family import Family, expect
from tests.fuzz.game_input import game_and_rest, some_game, with_game
from tests.fuzz.mutation import spoil, to_bytes
from tests.unit.runtime.play.games import game

MOST_ANSWERS = 3
"""Answers after a save."""


@cache
def saves(name: str) -> Sequence[Mapping[str, Any]]:
    """Saves of three games: some decisions of each, and its end."""
    kept: list[Mapping[str, Any]] = []
    for seed in range(3):
        session, chance = game(name).start(seed), random.Random(seed)
        while session.machine.asked is not None and session.answered < 60:
            if session.answered % 5 < 2:
                kept.append(json.loads(json.dumps(session.save(log=session.answered % 2 == 0))))
            session.choose(chance.choice(session.machine.asked[3]))
        kept.append(json.loads(json.dumps(session.save())))
    return kept


def generate(chance: random.Random) -> bytes:
    """Return the name of a game and a save, each on a line."""
    name = some_game(chance)
    value: Any = chance.choice(saves(name))
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        value = shapes.spoil(value, chance)
    if isinstance(value, dict) and chance.random() < 0.2:  # parts of two saves
        other = chance.choice(saves(name))
        value = {**value, **{key: other[key] for key in other if chance.random() < 0.3}}
    text = shapes.as_json(value)
    if chance.random() < 0.15:
        text = spoil(text, chance, 2)
    return with_game(name, to_bytes(text, chance))


def run(data: bytes) -> None:
    """Restore a save: it is refused, or is a session like any other, whose save says the same."""
    name, raw = game_and_rest(data)
    if not name:
        return
    try:
        value = from_json(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return
    if not isinstance(value, dict):
        return
    played = game(name)
    try:
        session = played.restore(value)
    except SaveError as error:
        expect("\n" not in str(error) and len(str(error)) < 2000, "a refusal is a sentence", str(error))
        return
    check_session(played, session, zlib.crc32(data))


def check_session(played: Game, session: Session, number: int) -> None:
    """Check that saving and restoring change nothing, at once and after some answers; then go back."""
    chance = random.Random(number)
    for _ in range(MOST_ANSWERS):
        saved = _plain(session.save())
        again = played.restore(saved)
        expect(saved == _plain(again.save()), "a save says what the one before said", saved)
        if chance.random() < 0.4:
            _check_views(played, session)
        if session.machine.asked is None:
            break
        options = session.machine.asked[3]
        expect(bool(options), "a decision has legal answers", saved)
        answer = chance.choice(options)
        ends = [_choose(session, answer), _choose(again, answer)]
        expect(ends[0] == ends[1], "a restored session goes on as the other", saved)
        if ends[0]:
            break
        expect(_without_log(session) == _without_log(again), "a restored session comes to the same", saved)
        if chance.random() < 0.3:
            after = _plain(session.save())
            expect(session.undo(past_chance=True), "an answer can be taken back", saved)
            expect(saved == _plain(session.save()), "what is taken back is as before", saved)
            session.choose(answer)
            expect(after == _plain(session.save()), "the same answer has the same end", saved)


def _choose(session: Session, answer: int) -> str:
    """Answer; return the fault, if there is one, after which the session is as before."""
    before = session.save()
    try:
        session.choose(answer)
    except Fault as fault:
        expect(before == session.save(), "a fault changes nothing", before)
        return f"{fault.code} {fault.name}"
    return ""


def _without_log(session: Session) -> dict[str, Any]:
    return _plain(session.save(log=False))


def _check_views(played: Game, session: Session) -> None:
    domain = played.program.by_name.domains.get(played.program.sides)
    for side in domain.members if domain is not None else ():
        json.dumps(session.view(side).save())


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


FAMILY = Family("save", generate, run, weight=180)
