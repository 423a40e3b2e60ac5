"""The methods of the protocol, in the order in which a client needs them."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

import rulekit
from rulekit.base.resources import contract
from rulekit.runtime.serve.methods import METHODS
from tests.unit.serve.hosts import Client, host_of, loaded

BID = """
enum Side: Red, Blue
state bids(side): 0..9, known to side
roll dig: d6
choice bid(side) by side:                               [2.1]
    number from 0 to 3
    forbid answer = 2                                   [2.2]
    secret
choice dive(side) by side:                              [2.3]
    decide
procedure bidding:
    choose bid(side) for each side in Side as offered   [2.1]
    for each side in Side: set bids(side) to offered(side)
sequence play:
    do bidding
    choose dive(Red) as deep
    when deep: roll dig as found                        [2.3]
    choose dive(Blue) as again
    reveal bids(Red)
"""


def bidding() -> rulekit.Game:
    """A small game of secret bids."""
    from rulekit.testing import MANIFEST, compile_text, manifest

    compiled = compile_text(BID, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert compiled.program is not None, compiled.findings
    return rulekit.Game(compiled.program)


def opened(client: Client, game: str = "vitp", **more: Any) -> dict[str, Any]:
    """A session that is started."""
    started: dict[str, Any] = client.call("session/start", game=game, **{"seed": 7, **more})
    assert "error" not in started, started
    return started


def code(answer: dict[str, Any]) -> int:
    """The code of an error."""
    number: int = answer["error"]["code"]
    return number


def test_contract_and_methods_are_the_same() -> None:
    """Each method is in the contract with the parameters of its function, and the other way round."""
    listed = {method["name"]: method for method in contract("session")["methods"]}
    notes = {name for name, method in listed.items() if method.get("x-notification")}

    assert {"session/changed"} == notes
    assert listed.keys() - notes == METHODS.keys()
    for name, function in METHODS.items():
        _, *params = inspect.signature(function).parameters.values()
        required = {param.name for param in params if param.default is inspect.Parameter.empty}
        assert {param.name for param in params} == {param["name"] for param in listed[name]["params"]}
        assert required == {param["name"] for param in listed[name]["params"] if param.get("required")}


def test_versions() -> None:
    """A client and the server agree on one, or there is an error that names those there are."""
    client = Client(host_of(vitp="vitp"))

    assert 1 == client.call("initialize", protocol=[1, 2])["protocol"]
    assert {"protocol": [1]} == client.call("initialize", protocol=[2])["error"]["data"]
    assert [{"game": "vitp", "title": "a game"}] == client.call("game/list")["games"]


def test_a_seat_plays() -> None:
    """It sees its decision with titles, answers it, and hears what has changed."""
    client = Client(host_of(vitp="vitp"))
    seats = opened(client)["seats"]
    joined = client.call("session/join", token=seats["Japan"], language="de")
    other = client.call("session/join", token=seats["Allies"])
    standing = client.call("session/choose", token=seats["Japan"], answer="Akagi", revision=0)
    client.call("session/answer", token=seats["Japan"], answers=["done", "Indonesia"], revision=1)
    mine = [change for change in client.changes if change["seat"] == "Japan"]

    assert ("raid_force", "Japan") == (joined["decision"]["choice"], joined["decision"]["side"])
    assert other["decision"] is None and other["view"]["states"].keys() == joined["view"]["states"].keys()
    assert 1 == standing["revision"] and 3 == len(mine)
    assert [{"value": "Akagi"}] == mine[0]["decision"]["so_far"]
    assert {"state": "place", "keys": ["Kaga"], "before": "Yokosuka", "after": "Indonesia"} in mine[2][
        "cells"
    ]
    assert any("Indonesien" in line["text"] and "Kaga" in line["who"] for line in mine[2]["lines"])
    assert all(change["decision"] is None for change in client.changes if change["seat"] == "Allies")


def test_stale_answers_are_refused() -> None:
    """A double click, or a second window, has no effect."""
    client = Client(host_of(vitp="vitp"))
    started = opened(client)
    client.call("session/choose", token=started["host"], answer="Akagi", revision=0)
    for method, more in (("choose", {"answer": "Kaga"}), ("answer", {"answers": ["Kaga"]}), ("undo", {})):
        stale = client.call(f"session/{method}", token=started["host"], revision=0, **more)
        assert -32001 == code(stale) and {"revision": 1} == stale["error"]["data"]
    assert 1 == client.call("session/look", token=started["host"])["revision"]


def test_a_seat_counts_its_own_revisions() -> None:
    """It answers with the revision that its last message had, whatever the session's is."""
    client = Client(host_of(bid=bidding()))
    started = opened(client, "bid")
    seats = {side: client.call("session/join", token=token) for side, token in started["seats"].items()}
    for side, answer in (("Red", 3), ("Blue", 1), ("Red", True), ("Blue", False)):
        token, revision = started["seats"][side], seats[side]["revision"]
        if revision:
            stale = client.call("session/choose", token=token, answer=answer, revision=revision - 1)
            assert -32001 == code(stale) and {"revision": revision} == stale["error"]["data"]
        client.call("session/choose", token=token, answer=answer, revision=revision)
        seats |= {change["seat"]: change for change in client.changes}
    assert all(seat["over"] for seat in seats.values())


def test_a_refusal_has_reasons() -> None:
    """Its terms, in the language asked for, and the legal answers if they are few."""
    client = Client(host_of(vitp="vitp"))
    japan = opened(client)["seats"]["Japan"]
    client.call("session/answer", token=japan, answers=["Akagi", "done"])
    refused = client.call("session/choose", token=japan, answer="Coral_Sea", language="de")["error"]
    why = client.call("session/why", token=japan, answer="Coral_Sea")
    listed = client.call("session/refused", token=japan, most=5)

    assert -32010 == refused["code"] and "Indonesia" in refused["data"]["legal"]
    assert refused["data"]["reasons"][0]["terms"][0]["text"].startswith("nicht in ")
    assert not why["legal"] and ["VITP.6.21", "VITP.6.22"] == why["reasons"][0]["terms"][0]["rules"]
    assert 5 == len(listed["refused"]) and listed["more"] > 0
    assert all(one["reason"]["text"] for one in listed["refused"])
    assert client.call("session/why", token=japan, answer="Indonesia") == {"legal": True, "reasons": []}
    assert -32010 == code(client.call("session/why", token=japan, answer="nowhere"))


def test_seats_are_kept_apart() -> None:
    """No side answers for another, sees its secrets, or gets what is the host's."""
    client = Client(host_of(bid=bidding()))
    started = opened(client, "bid")
    red, blue = started["seats"]["Red"], started["seats"]["Blue"]
    for token in (red, blue):
        client.call("session/join", token=token)
    client.call("session/choose", token=red, answer=3)
    before = [change for change in client.changes if change["seat"] == "Blue"]
    client.call("session/choose", token=blue, answer=1)

    assert -32013 == code(client.call("session/choose", token=blue, answer=1))
    assert -32013 == code(client.call("session/look", token="another"))
    for method in ("save", "log", "close"):
        assert -32013 == code(client.call(f"session/{method}", token=blue))
    assert {"hidden": True} == client.call("session/value", token=blue, name="bids", keys=["Red"])
    assert {"value": 3} == client.call("session/value", token=red, name="bids", keys=["Red"])
    assert {"value": 3} == client.call("session/value", token=started["host"], name="bids", keys=["Red"])
    assert before and "3" not in json.dumps([(change["events"], change["cells"]) for change in before])
    client.call("session/answer", token=started["host"], answers=[False, False])
    assert {"value": 3} == client.call("session/value", token=blue, name="bids", keys=["Red"])
    assert client.changes[-1]["over"]


def test_undo_belongs_to_the_one_who_answered() -> None:
    """Unless a die was rolled since; the host goes back past that, too."""
    client = Client(host_of(bid=bidding()))
    started = opened(client, "bid")
    red, blue, host = started["seats"]["Red"], started["seats"]["Blue"], started["host"]
    client.call("session/answer", token=host, answers=[3, 1])

    assert -32014 == code(client.call("session/undo", token=blue))  # secret answers were shown
    client.call("session/choose", token=red, answer=False)
    assert -32013 == code(client.call("session/undo", token=blue))
    assert "error" not in client.call("session/undo", token=red)
    client.call("session/choose", token=red, answer=True)
    assert -32014 == code(client.call("session/undo", token=red))
    assert -32013 == code(client.call("session/undo", token=red, past_chance=True))
    assert -32014 == code(client.call("session/undo", token=host))
    assert "error" not in client.call("session/undo", token=host, past_chance=True)
    assert "dive" == client.call("session/join", token=red)["decision"]["choice"]


def test_a_lost_connection_catches_up() -> None:
    """With the changes after the last revision it knows; with the whole view if they are no longer kept."""
    host = host_of(vitp="vitp")
    first, second = Client(host), Client(host)
    japan = opened(first)["seats"]["Japan"]
    first.call("session/join", token=japan)
    first.call("session/choose", token=japan, answer="Akagi")
    first.connection.close()
    second.call("session/answer", token=japan, answers=["Kaga", "done"])
    joined = second.call("session/join", token=japan, since=1)

    assert 2 == len(joined["changes"]) and "view" not in joined
    assert joined["revision"] == joined["changes"][-1]["revision"] > joined["changes"][0]["revision"] > 1
    assert 1 == len(first.changes)
    assert [] == second.call("session/join", token=japan, since=joined["revision"])["changes"]
    assert "view" in second.call("session/join", token=japan, since=9999)
    second.call("session/leave", token=japan)
    second.call("session/undo", token=japan)
    assert [] == second.changes


def test_saves_and_positions() -> None:
    """A save goes on in other seats; a session begins at a step, in a state that is given."""
    client = Client(host_of(vitp="vitp"))
    started = opened(client)
    client.call("session/choose", token=started["host"], answer="Akagi")
    save = client.call("session/save", token=started["host"])["save"]
    again = client.call("session/restore", game="vitp", save=save)
    met = {"Akagi": "Marshall_Islands", "Lexington": "Marshall_Islands"}
    battle = opened(client, position="5.31", given={"place": met}, seed=3)

    assert again["notes"] == [] and 1 == again["revision"]
    assert client.call("session/log", token=again["host"])["log"] == [
        {"choice": "raid_force", "value": "Akagi"}
    ]
    joined = client.call("session/join", token=battle["host"])
    assert "slip_away" == joined["decision"]["choice"]
    assert -32012 == code(client.call("session/restore", game="vitp", save={**save, "stages": ["x"]}))
    assert -32012 == code(client.call("session/restore", game="vitp", save={}))
    client.call("session/close", token=again["host"])
    assert -32013 == code(client.call("session/look", token=again["host"]))


def test_positions_within_a_loop() -> None:
    """A position takes the member that a loop has come to, and needs it."""
    client = Client(host_of(vitp="vitp"))
    met = {"Akagi": "Marshall_Islands", "Lexington": "Marshall_Islands"}
    at = {"position": "land", "given": {"place": met}, "seed": 3}
    begun = opened(client, **at, locals={"area": "Marshall_Islands"})
    log = client.call("session/save", token=begun["host"])["save"]["at"]

    assert {"at": "land", "locals": {"area": "Marshall_Islands"}, "run": 1} == log
    for wrong in ({}, {"locals": {"area": "Mars"}}, {"locals": {"sea": 1}}, {"locals": [1]}, {"run": 0}):
        assert -32602 == code(client.call("session/start", game="vitp", **at, **wrong))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", -32700),
        ("{", -32700),
        ("[" * 100_000, -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"client":NaN}}', -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"session/start","params":{"seed":' + "9" * 5000 + "}}", -32700),
        ("[]", -32600),
        ("7", -32600),
        ('{"id":1,"method":"initialize"}', -32600),
        ('{"jsonrpc":"2.0","id":[],"method":"initialize"}', -32600),
        ('{"jsonrpc":"2.0","id":1,"method":"initialize","params":[]}', -32600),
        ('{"jsonrpc":"2.0","id":1,"method":"launch"}', -32601),
        ('{"jsonrpc":"2.0","id":1,"method":"session/start"}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"session/start","params":{"game":"chess"}}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"session/start","params":{"game":"bid","sead":1}}', -32602),
        (
            '{"jsonrpc":"2.0","id":1,"method":"session/start","params":{"game":"bid","dice":{"x":[1]}}}',
            -32602,
        ),
        ('{"jsonrpc":"2.0","id":1,"method":"game/describe","params":{"game":"bid","language":"xx"}}', -32602),
    ],
)
def test_messages_that_are_none(text: str, number: int) -> None:
    """Each gets one error with its code, and the connection goes on."""
    client = Client(host_of(bid=bidding()))
    client._came = {}
    client.connection.receive(text)
    (message,) = map(json.loads, client.heard)

    assert number == message["error"]["code"] and message["error"]["message"]
    assert "error" not in client.call("initialize")


def test_a_notification_gets_no_response() -> None:
    """Whether it is carried out or not."""
    client = Client(host_of(bid=bidding()))
    client.connection.receive('{"jsonrpc":"2.0","method":"initialize"}')
    client.connection.receive('{"jsonrpc":"2.0","method":"launch"}')

    assert [] == client.heard


def test_an_error_names_what_was_meant() -> None:
    """A parameter, a game, a name."""
    client = Client(host_of(vitp="vitp"))
    host = opened(client)["host"]

    assert "did you mean `game`?" in client.call("session/start", gane="vitp")["error"]["message"]
    assert "did you mean `vitp`?" in client.call("session/start", game="vipt")["error"]["message"]
    assert "`speed_now`" in client.call("session/value", token=host, name="sped_now")["error"]["message"]
    assert loaded("vitp") is loaded("vitp")


def test_chance_is_asked_of_the_host() -> None:
    """Each die is a decision of the host's seat alone; the sides see the roll that comes of it."""
    client = Client(host_of(bid=bidding()))
    started = opened(client, "bid", chance="asked")
    host, red, watcher = started["host"], started["seats"]["Red"], started["watcher"]
    for token in (host, red, watcher):
        client.call("session/join", token=token)
    client.call("session/answer", token=host, answers=[3, 1, True])
    asked = client.changes[-1] if client.changes[-1]["seat"] is None else client.changes[-3]
    assert ("dig", "chance", "chance") == tuple(asked["decision"][k] for k in ("choice", "side", "verb"))
    assert [1] * 6 == asked["decision"]["chance"]["weights"]
    assert -32013 == code(client.call("session/choose", token=red, answer=4))
    assert -32010 == code(client.call("session/choose", token=host, answer=7))
    assert {"refused": [], "more": 0} == client.call("session/refused", token=host)
    client.changes.clear()
    client.call("session/choose", token=host, answer=4)
    rolls = {
        change["seat"]: [e for e in change["events"] if e["kind"] == "roll"] for change in client.changes
    }
    assert {None, "Red", ""} == rolls.keys()
    assert all(4 == roll["raw"] for (roll,) in rolls.values())
    assert {"chance": "dig", "value": 4} == client.call("session/log", token=host)["log"][-1]
    assert -32013 == code(client.call("session/undo", token=red))
    assert "error" not in client.call("session/undo", token=host, past_chance=True)
    saved = client.call("session/save", token=host)["save"]
    again = client.call("session/restore", game="bid", save=saved)
    assert "dig" == client.call("session/join", token=again["host"])["decision"]["choice"]


def test_a_watcher_sees_what_is_public() -> None:
    """Two games that differ in a secret bid alone give a watcher equal messages, until it is revealed."""
    streams = []
    for bids in ([3, 1], [1, 0]):
        client = Client(host_of(bid=bidding()))
        started = opened(client, "bid")
        joined = client.call("session/join", token=started["watcher"])
        client.call("session/choose", token=started["host"], answer=bids[0])
        events = client.call("session/events", token=started["watcher"])
        value = client.call("session/value", token=started["watcher"], name="bids", keys=["Red"])
        lines = client.call("session/lines", token=started["watcher"])
        look = client.call("session/look", token=started["watcher"])
        for method in ("save", "log", "close"):
            assert -32013 == code(client.call(f"session/{method}", token=started["watcher"]))
        assert -32013 == code(client.call("session/choose", token=started["watcher"], answer=1))
        assert -32013 == code(client.call("session/undo", token=started["watcher"]))
        streams.append(json.dumps([joined, list(client.changes), events, value, lines, look]))
        assert {"hidden": True} == value and None is joined["decision"]
        client.call("session/answer", token=started["host"], answers=[bids[1], False, False])
        shown = client.call("session/value", token=started["watcher"], name="bids", keys=["Red"])
        assert {"value": bids[0]} == shown
    assert streams[0] == streams[1]
