"""A client of `rulekit serve --stdio`, without rulekit itself: plays a game, or runs the conformance script.

python rulekit_client.py play vitp [SEED]
python rulekit_client.py conform ../../schemas/session.conformance.jsonl
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

COMMAND = ["rulekit", "serve", "--stdio"]


class Refusal(Exception):
    """An error that the server answered with."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.error = error


class Client:
    """Sends requests, one at a time; `changes` has the notifications that came meanwhile."""

    def __init__(self, command: list[str]) -> None:
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._id = 0
        self.changes: list[dict[str, Any]] = []

    def send(self, message: str) -> None:
        """Send one line."""
        assert self._server.stdin is not None
        self._server.stdin.write(message.encode() + b"\n")
        self._server.stdin.flush()

    def read(self) -> dict[str, Any]:
        """Read one message."""
        assert self._server.stdout is not None
        line = self._server.stdout.readline()
        if not line:
            raise EOFError("the server has ended")
        message: dict[str, Any] = json.loads(line)
        return message

    def call(self, method: str, **params: Any) -> Any:
        """Return the result of a request; an error is raised as `Refusal`."""
        self._id += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}))
        while (message := self.read()).get("id") != self._id:
            self.changes.append(message["params"])
        if "error" in message:
            raise Refusal(message["error"])
        return message["result"]

    def close(self) -> int:
        """End the server's input, and wait for it."""
        assert self._server.stdin is not None and self._server.stdout is not None
        self._server.stdin.close()
        self._server.stdout.close()
        return self._server.wait()


def play(client: Client, game: str, seed: int) -> Any:
    """Play a game at random, each side in its own seat; return its result."""
    dice = random.Random(seed)
    client.call("initialize", protocol=[1], client="example in Python")
    opened = client.call("session/start", game=game, seed=seed)
    seats = {side: client.call("session/join", token=token) for side, token in opened["seats"].items()}
    while not any(seat["over"] for seat in seats.values()):
        side = next(side for side, seat in seats.items() if seat["decision"] is not None)
        answer = dice.choice(seats[side]["decision"]["answers"])["name"]
        revision = seats[side]["revision"]
        client.call("session/choose", token=opened["seats"][side], answer=answer, revision=revision)
        for change in client.changes:
            seats[change["seat"]] = change
        client.changes.clear()
    return next(iter(seats.values()))["result"]


def conform(client: Client, script: Path) -> int:
    """Run recorded exchanges; return how many of the messages that came are others than those recorded."""
    known: dict[str, Any] = {}
    wrong = 0
    for line in script.read_text(encoding="utf-8").splitlines():
        step = json.loads(line)
        if "send" in step:
            client.send(json.dumps(_filled(step["send"], known)))
        elif "raw" in step:
            client.send(step["raw"])
        else:
            came = client.read()
            if not _fits(step["expect"], came, known):
                wrong += 1
                print(f"expected {json.dumps(step['expect'])}\nfound    {json.dumps(came)}", file=sys.stderr)
    return wrong


def _filled(value: Any, known: dict[str, Any]) -> Any:
    """A recorded value with what stands for its names, such as `$host`."""
    if isinstance(value, str) and value.startswith("$"):
        return known[value]
    if isinstance(value, list):
        return [_filled(one, known) for one in value]
    if isinstance(value, dict):
        return {key: _filled(one, known) for key, one in value.items()}
    return value


def _fits(expected: Any, came: Any, known: dict[str, Any]) -> bool:
    """Whether a value is the recorded one; a name such as `$host` stands for what it was first."""
    if isinstance(expected, str) and expected.startswith("$"):
        return known.setdefault(expected, came) == came
    if isinstance(expected, dict) and isinstance(came, dict):
        return expected.keys() <= came.keys() and all(_fits(expected[k], came[k], known) for k in expected)
    if isinstance(expected, list) and isinstance(came, list):
        return len(expected) == len(came) and all(map(_fits, expected, came, [known] * len(came)))
    return type(expected) is type(came) and bool(expected == came)


def main(arguments: list[str]) -> int:
    """Run what the command line says."""
    match arguments:
        case ["play", game, *seed]:
            client = Client([*COMMAND, game])
            print(play(client, game, int(seed[0]) if seed else 1))
            return client.close()
        case ["conform", script]:
            client = Client(COMMAND)
            wrong = conform(client, Path(script))
            print(f"{wrong} messages differ")
            return client.close() or min(wrong, 1)
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
