"""A host in one process, and clients of it that hold every message against the contract."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

import jsonschema
from referencing import Registry, Resource

import rulekit
from rulekit.base.resources import contract, schema
from rulekit.runtime.play import Game
from rulekit.runtime.serve import Connection, Host


@cache
def loaded(name: str) -> Game:
    """A rule set as it is bundled."""
    return rulekit.load(name)


def host_of(**games: Game | str) -> Host:
    """A host of games, bundled ones by name; its tokens are `$1`, `$2` and so on."""
    tokens = count(1)

    def load(name: str, options: Any) -> Game:
        game = games[name]
        if not isinstance(game, str):
            return game
        return rulekit.load(game, options=options) if options else loaded(game)

    return Host(dict.fromkeys(games, "a game"), load, lambda: f"${next(tokens)}")


@cache
def _validator(method: str) -> Any:
    """The validator of a method's result, or of the parameters of a notification."""
    whole = contract("session")
    found = next(one for one in whole["methods"] if one["name"] == method)
    shape = found["result"]["schema"] if "result" in found else found["params"][0]["schema"]
    resources = [
        (f"{name}.schema.json", Resource.from_contents(schema(name)))
        for name in ("decision", "description", "save")
    ]
    registry: Any = Registry().with_resources(resources)
    text = json.dumps({**shape, "components": whole["components"]})
    return jsonschema.Draft202012Validator(json.loads(text), registry=registry)


class Client:
    """A client in the same process; `heard` has all messages that came, as text."""

    def __init__(self, host: Host, *, validated: bool = True) -> None:
        self.heard: list[str] = []
        self.changes: list[dict[str, Any]] = []
        self.connection = Connection(host, self._hear)
        self._validated, self._ids, self._came = validated, count(1), {}  # type: ignore[var-annotated]

    def _hear(self, text: str) -> None:
        self.heard.append(text)
        message = json.loads(text)
        assert message["jsonrpc"] == "2.0" and "\n" not in text and text.isascii()
        if "method" in message:
            if self._validated:
                _validator(message["method"]).validate(message["params"])
            self.changes.append(message["params"])
        else:
            self._came[message["id"]] = message

    def call(self, method: str, **params: Any) -> Any:
        """The result of a request, or its error object under `error`."""
        number = next(self._ids)
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.connection.receive(json.dumps(request))
        message = self._came.pop(number)
        if "error" in message:
            assert message["error"]["code"] != -32603, message
            return {"error": message["error"]}
        if self._validated:
            _validator(method).validate(message["result"])
        return message["result"]


Choose = Callable[[list[dict[str, Any]]], str]
