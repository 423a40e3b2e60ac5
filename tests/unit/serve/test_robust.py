"""Messages at random: every one that asks gets a response, no session is lost, nothing goes wrong inside."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from rulekit.base.resources import contract
from tests.unit.serve.hosts import Client, host_of
from tests.unit.serve.test_protocol import bidding

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 2**70, 1.5, "", "none", "done", "Red", "Blue", "bid", "$1", "$2", "$3"),
    *([], [[]], ["Red"], {}, {"a": None}, {"value": 1}, "\u202e", "\ud800", "x" * 2000, "bids", "de", "xx"),
)


def message(draw: random.Random, tokens: list[str], methods: list[dict[str, Any]]) -> str:
    """A message: mostly a request with parameters that fit more or less, now and then anything."""
    method = draw.choice(methods)
    params: dict[str, Any] = {}
    for param in method["params"]:
        if param.get("required") or draw.random() < 0.3:
            params[param["name"]] = _parameter(draw, param["name"], tokens)
    if draw.random() < 0.05:
        params[str(draw.choice(ODD))] = draw.choice(ODD)
    request: dict[str, Any] = {"jsonrpc": "2.0", "id": draw.randrange(100), "method": method["name"]}
    request["params"] = params
    if draw.random() < 0.03:
        request[draw.choice(list(request))] = draw.choice(ODD)
    text = json.dumps(request)
    if draw.random() < 0.03:
        at = draw.randrange(len(text))
        text = text[:at] + draw.choice(["", '"', "}", "\x00", "[", "é"]) + text[at + draw.randrange(3) :]
    return text


def _parameter(draw: random.Random, name: str, tokens: list[str]) -> Any:
    if draw.random() < 0.15:
        return draw.choice(ODD)
    match name:
        case "token":
            return draw.choice(tokens)
        case "answer":
            return draw.choice([0, 1, 2, 3, True, False, "yes", "no", "none", "2"])
        case "answers":
            return [draw.choice([0, 1, 3, True, False]) for _ in range(draw.randrange(3))]
        case "revision" | "since":
            return draw.randrange(6)
        case "game":
            return "bid"
        case "name":
            return draw.choice(["bids", "dig", "play"])
        case "keys":
            return draw.choice([[], ["Red"], ["Blue"], ["Red", "Blue"]])
        case "language":
            return draw.choice(["en", "de", "ja", "xx"])
        case "save":
            return draw.choice([{}, {"format": 1}])
        case _:
            return draw.choice(ODD)


def bombard(seed: int, messages: int) -> None:
    """Send so many messages to one host, and follow its sessions."""
    draw, host = random.Random(seed), host_of(bid=bidding())
    client = Client(host, validated=False)
    methods = [method for method in contract("session")["methods"] if not method.get("x-notification")]
    tokens: list[str] = []
    for number in range(messages):
        if number % 500 == 0:
            started = client.call("session/start", game="bid", seed=number)
            tokens = [started["host"], started["host"], *started["seats"].values()]
            room = host.seat(tokens[0]).room
        text = message(draw, tokens, methods)
        client.heard.clear()
        client.changes.clear()
        before = room.session.revision
        client.connection.receive(text)
        for heard in client.heard:
            came = json.loads(heard)
            assert came.get("error", {}).get("code") != -32603, (text, heard)
            assert ("result" in came) + ("error" in came) + ("method" in came) == 1
        assert len([heard for heard in client.heard if '"id"' in heard[:40]]) <= 1
        assert room.session.revision >= before
        if number % 500 == 499:
            _still_plays(room.session)


def _still_plays(session: Any) -> None:
    """A session goes on to its end, whatever was sent."""
    for _ in range(10):
        if session.decision is not None:
            session.choose(session.decision.legal_answers[0])
    assert session.over


def test_messages_at_random() -> None:
    """Two thousand."""
    bombard(1, 2_000)


@pytest.mark.slow
def test_a_hundred_thousand_messages() -> None:
    """From ten beginnings."""
    for seed in range(2, 12):
        bombard(seed, 10_000)
