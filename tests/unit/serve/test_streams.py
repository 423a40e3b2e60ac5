"""Whole sessions through the protocol: equal to direct play, and blind to what a seat may not know."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from rulekit.base.resources import rules_folder
from rulekit.runtime.play import Game
from rulekit.runtime.serve.rooms import Room
from tests.unit.runtime.play.test_views import hands, hide, public
from tests.unit.serve.hosts import Client, host_of, loaded

SESSIONS = int(os.environ.get("RULEKIT_SESSIONS", "25"))
"""Sessions of each set in the slow test."""

SETS = sorted(path.parent.name for path in rules_folder().glob("*/ruleset.yaml"))


def through_the_protocol(name: str, seed: int, most: int) -> tuple[list[Any], list[Any], Any]:
    """The events, the values and the standing of a random session, as a client of its host has them."""
    client = Client(host_of(game=name), validated=False)
    started = client.call("session/start", game="game", seed=seed)
    joined = client.call("session/join", token=started["host"])
    events = client.call("session/events", token=started["host"])["events"]
    cells = {
        (name, json.dumps(keys)): v for name, rows in joined["view"]["states"].items() for keys, v in rows
    }
    draw, decision = random.Random(seed), joined["decision"]
    standing: dict[str, Any] = {}
    for number in range(most):
        if decision is None:
            break
        answer = draw.choice(decision["answers"])["name"]
        standing = client.call("session/choose", token=started["host"], answer=answer, revision=number)
        (change,) = client.changes
        client.changes.clear()
        decision = change["decision"]
        events += change["events"]
        for cell in change["cells"]:
            _set(cells, cell)
    return (
        events,
        sorted(cells.items(), key=repr),
        {key: standing[key] for key in ("revision", "over", "result")},
    )


def _set(cells: dict[tuple[str, str], Any], cell: dict[str, Any]) -> None:
    """Write a changed value where it belongs; a flag, into the list of those that have it."""
    whole = (cell["state"], json.dumps(cell["keys"]))
    if whole in cells:
        cells[whole] = cell["after"]
        return
    *outer, last = cell["keys"]
    marked = cells[cell["state"], json.dumps(outer)]
    marked.append(last) if cell["after"] else marked.remove(last)


def directly(name: str, seed: int, most: int) -> tuple[list[Any], list[Any], Any]:
    """The same of a session that is played directly."""
    session, draw = loaded(name).start(seed), random.Random(seed)
    for _ in range(most):
        if session.decision is None:
            break
        session.choose(draw.choice(session.decision.legal_answers))
    events = json.loads(json.dumps([event.as_json for event in session.events]))
    cells = {(name, json.dumps(keys)): value for name, rows in session.states.items() for keys, value in rows}
    standing = {"revision": session.revision, "over": session.over, "result": session.result}
    return events, sorted(json.loads(json.dumps(list(cells.items()))), key=repr), standing


def compare(name: str, seed: int, most: int) -> None:
    """Hold one against the other; flags may come in another order."""
    (events, cells, standing), (own_events, own_cells, own_standing) = (
        through_the_protocol(name, seed, most),
        directly(name, seed, most),
    )
    assert events == own_events
    assert standing == own_standing

    def ordered(some: list[Any]) -> list[Any]:
        plain = json.loads(json.dumps(some))
        return sorted(
            ([key, sorted(v, key=repr) if isinstance(v, list) else v] for key, v in plain), key=repr
        )

    kinds = {state.name for state in loaded(name).program.states if str(state.type).startswith("list")}
    assert [c for c in ordered(cells) if c[0][0] not in kinds] == [
        c for c in ordered(own_cells) if c[0][0] not in kinds
    ]


@pytest.mark.parametrize("name", SETS)
def test_the_protocol_plays_as_sessions_do(name: str) -> None:
    """The events are the same, and the changed cells add up to the same state."""
    for seed in range(2):
        compare(name, seed, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_many_sessions_of_each_set(name: str) -> None:
    """Event by event; of the two shorter games, one to its end.

    `RULEKIT_SESSIONS=100` plays so many of each set, in place of 25.
    """
    for seed in range(SESSIONS):
        compare(name, seed, 100_000 if seed == 0 and name in ("vitp", "fcn") else 60)


def merged(heard: list[str]) -> list[Any]:
    """Messages, with all notifications that follow one another as one.

    How many they are tells when other sides answered, which is no secret at a table.
    """
    rows: list[Any] = []
    for message in map(json.loads, heard):
        if "method" not in message:
            rows.append(message)
            continue
        last = rows[-1] if rows and "events" in rows[-1] else {}
        change, cells = message["params"], {}
        for cell in (*last.get("cells", ()), *change["cells"]):
            place = (cell["state"], json.dumps(cell["keys"]))
            first = cells.get(place, cell)
            ends = {"before": first.get("before", "?"), "after": cell.get("after", "?")}
            cells[place] = {"state": cell["state"], "keys": cell["keys"], **ends}
        lists = {key: [*last.get(key, ()), *change[key]] for key in ("events", "shown", "lines")}
        counts = {
            (c["state"], json.dumps(c["keys"])): c for c in (*last.get("counts", ()), *change["counts"])
        }
        kept = [cells[place] for place in sorted(cells) if cells[place]["before"] != cells[place]["after"]]
        whole = {**change, **lists, "cells": kept, "counts": [counts[place] for place in sorted(counts)]}
        rows[-1:] = [whole] if last else [*rows[-1:], whole]
    return rows


def streams(seed: int, hidden: int) -> Iterator[tuple[list[str], Any]]:
    """All messages of Blue up to each of its decisions, and what was answered in public.

    Games with one seed and other hidden values are one to Blue.
    """
    game: Game = hands()
    host = host_of(hands=game)
    session, draw = game.start(seed), random.Random(hidden)
    hide(session, "Blue", draw)
    session.machine.M[game.module.layout.slots["bag"].base] |= 1  # a draw from nothing is a fault
    room: Room = host.add_room(session)
    client = Client(host)
    token = room.sides["Blue"].token
    client.call("session/join", token=token)
    while (asked := session.decision) is not None:
        if asked.side == "Blue":
            _ask_everything(client, token, game)
            yield client.heard[:], public(session)
            ordered = random.Random(f"{seed} {session.view('Blue').events}")
        else:
            secret = game.module.facts.choices[asked.choice].secret and asked.choice != "offer"
            ordered = draw if secret else random.Random(f"{seed} {asked.choice} {asked.part}")
        preferred = {name: ordered.random() for name in ("none", "done", "yes", "no", *"ABCDXYZ", *"012345")}
        if asked.side == "Grey" and seed % 4:
            preferred |= {"none": 1.0, "done": 1.0}
        best = max((answer.name for answer in asked.legal_answers), key=lambda name: preferred[name])
        if asked.side == "Blue":
            client.call("session/choose", token=token, answer=best)
        else:
            session.choose(best)
    _ask_everything(client, token, game)
    yield client.heard[:], public(session)


def _ask_everything(client: Client, token: str, game: Game) -> None:
    """Ask whatever a seat can ask: views, logs, reasons, values, and what it may not do."""
    for method in ("look", "events", "lines", "refused", "save", "log"):
        client.call(f"session/{method}", token=token)
    client.call("session/choose", token=token, answer="nobody at all")
    for name in ("A", "B", "C", "D", "none", "done", 7, None):
        client.call("session/why", token=token, answer=name, language="de")
    for name in game.named_values.signatures:
        for keys in ([], ["A"], ["Grey"], ["Blue"], ["P"]):
            client.call("session/value", token=token, name=name, keys=keys)


def test_a_stream_does_not_depend_on_what_is_hidden() -> None:
    """Games that differ only in what Blue may not know give Blue's seat the same messages, byte for byte."""
    compared = 0
    for seed in range(8):
        for one, other in zip(streams(seed, 2 * seed), streams(seed, 2 * seed + 1), strict=False):
            if one[1] != other[1]:
                break  # from here on the public answers differ
            assert merged(one[0]) == merged(other[0])
            compared += 1
    assert compared > 40


@pytest.mark.parametrize("name", ["pacwar", "atp"])
def test_other_hidden_values_change_no_message(name: str) -> None:
    """In games of the sets that hide something, each seat's messages at a moment are the same."""
    game = loaded(name)
    session, draw = game.start(1), random.Random(1)
    changed = 0
    for answers in range(40):
        if session.decision is None:
            break
        if answers % 13 == 0:
            for side in game.naming.domains[game.program.sides].members:
                other = session.clone()
                changed += hide(other, side, draw)
                assert _everything(session, side) == _everything(other, side)
        session.choose(draw.choice(session.decision.legal_answers))
    assert changed > 0


def _everything(session: Any, side: str) -> list[str]:
    host = host_of()
    client = Client(host, validated=False)
    seat = host.add_room(session).sides[side]
    own = session.decision is not None and session.decision.side == side
    for method in ("join", "look", "events", "lines", "refused", "save"):
        if not own or method in ("look", "events", "lines"):  # its legal answers may depend on hidden values
            client.call(f"session/{method}", token=seat.token)
    return client.heard
