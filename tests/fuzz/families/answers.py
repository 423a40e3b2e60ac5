"""Answer files and logs, damaged; a game is played with them."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rulekit.agents import BadScript, play, scripted
from rulekit.runtime.play import Fault, Refused
from tests.fuzz import shapes
from tests.fuzz.bundle import folder_of
from tests.fuzz.family import Family, expect
from tests.fuzz.game_input import game_and_rest, some_game, with_game
from tests.fuzz.mutation import spoil, to_bytes
from tests.unit.runtime.play.games import game

START = {"kind": "start", "format": 1, "set": "ferry", "seed": "1", "options": [], "answers": 0}


@cache
def logs(name: str) -> Sequence[Mapping[str, Any]]:
    """The beginning of a log: its first line, answers, and some other events."""
    session, chance = game(name).start(1), random.Random(1)
    while session.machine.asked is not None and session.answered < 12:
        session.choose(chance.choice(session.machine.asked[3]))
    events = [{"kind": event.kind, "subject": event.subject, **event.fields} for event in session.events[:12]]
    return [START, *events, *({"kind": "answer", **entry} for entry in session.log)]


def generate(chance: random.Random) -> bytes:
    """Return the name of a game, and JSON lines."""
    name = some_game(chance)
    entries: list[Any] = list(logs(name))
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        entries = shapes.spoil(entries, chance)
        if not isinstance(entries, list):
            entries = [entries]
    text = "".join(shapes.as_json(entry) + "\n" for entry in entries)
    if chance.random() < 0.2:
        text = spoil(text, chance, 2)
    return with_game(name, to_bytes(text, chance))


def run(data: bytes) -> None:
    """Play with the answers: they fit, or are refused, and the session stays sound."""
    name, raw = game_and_rest(data)
    if not name:
        return
    with folder_of({"answers.jsonl": raw}) as folder:
        session = game(name).start(1)
        try:
            script = scripted(folder / "answers.jsonl")
            play(session, script)
        except (BadScript, Fault) as error:
            expect(bool(str(error)), "a refusal says why")
        for answer in [entry.get("value") for entry in _entries(raw)][:3]:
            try:
                if isinstance(answer, int | str):
                    session.choose(answer)
            except Refused as refused:
                expect(bool(str(refused)), "a refusal says why")
            except Fault:
                break
        saved = json.loads(json.dumps(session.save()))
        expect(saved == game(name).restore(saved).save(), "the session can be saved", saved)


def _entries(raw: bytes) -> list[dict[str, Any]]:
    entries = []
    for line in raw.split(b"\n"):
        try:
            entries.append(json.loads(line))
        except (ValueError, RecursionError):
            continue
    return [entry for entry in entries if isinstance(entry, dict)]


FAMILY = Family("answers", generate, run, weight=90)
