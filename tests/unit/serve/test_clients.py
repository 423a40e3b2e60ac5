"""Clients in other languages: recorded exchanges, and whole games over standard input and output."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.running import ROOT
from tests.unit.serve.hosts import Client, host_of

SCRIPT = "../../schemas/session.conformance.jsonl"
CLIENTS = ROOT / "examples" / "clients"


def _asked(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


REQUESTS: tuple[dict[str, Any] | str, ...] = (
    _asked(1, "initialize", protocol=[1], client="conformance"),
    _asked(2, "initialize", protocol=[99]),
    _asked(3, "session/start", game="vitp", seed=7),
    _asked(4, "session/join", token="$3"),
    _asked(5, "session/join", token="$4", language="de"),
    _asked(6, "session/choose", token="$3", answer="Akagi", revision=0),
    _asked(7, "session/choose", token="$3", answer="Kaga", revision=0),
    _asked(8, "session/choose", token="$4", answer="Kaga", revision=1),
    _asked(9, "session/why", token="$3", answer="Nevada"),
    _asked(10, "session/answer", token="$3", answers=["done", "Coral_Sea"], revision=1),
    _asked(11, "session/choose", token="$3", answer="Indonesia"),
    _asked(12, "session/undo", token="$3"),
    _asked(13, "session/undo", token="$4"),
    _asked(14, "session/value", token="$4", name="speed_now", keys=["Kaga"]),
    _asked(15, "session/value", token="$4", name="sped_now", keys=["Kaga"]),
    _asked(16, "session/join", token="$4", since=1),
    _asked(17, "session/save", token="$4"),
    _asked(18, "session/log", token="$2"),
    _asked(19, "session/restore", game="vitp", save={"format": 1}),
    _asked(20, "session/choose", token="nobody", answer="Akagi"),
    _asked(21, "launch"),
    _asked(22, "session/start", gane="vitp"),
    '{"jsonrpc":"2.0","id":23,"method":"initialize"',
    "[]",
    '{"jsonrpc":"2.0","method":"initialize"}',
    _asked(24, "session/close", token="$2"),
    _asked(25, "session/look", token="$3"),
    _asked(26, "session/start", game="vitp", chance="asked", position="find_groups", seed=7),
    _asked(27, "session/join", token="$10"),
    _asked(28, "session/join", token="$7"),
    _asked(29, "session/choose", token="$8", answer=6),
    _asked(30, "session/choose", token="$7", answer=7),
    _asked(31, "session/choose", token="$7", answer=6, revision=0),
    _asked(32, "session/choose", token="$10", answer=6),
    _asked(33, "session/start", game="vitp", chance="thrown"),
)
"""Requests, and texts that are none.

`$1` to `$5` are the first session, its host, Japan, the Allies and watchers; `$6` to `$10` those of the
second, which asks for chance.
"""

LEFT_OUT = ("view", "server", "methods", "lines")
"""Keys of responses that change with the rules; the recorded messages are without them."""


def recorded() -> str:
    """Each request, and the messages that come of it, one JSON object a line."""
    client, rows = Client(host_of(vitp="vitp")), []
    for request in REQUESTS:
        rows.append({"raw": request} if isinstance(request, str) else {"send": request})
        client.heard.clear()
        client.connection.receive(request if isinstance(request, str) else json.dumps(request))
        rows += [{"expect": _shortened(json.loads(text))} for text in client.heard]
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)


def _shortened(message: Any) -> Any:
    if isinstance(message, dict):
        return {key: _shortened(value) for key, value in message.items() if key not in LEFT_OUT}
    return [_shortened(one) for one in message] if isinstance(message, list) else message


def test_the_conformance_script_is_what_the_server_does(golden: Callable[[str, str], None]) -> None:
    """Whoever changes an answer of the protocol sees it here first."""
    golden(SCRIPT, recorded())


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command, cwd=CLIENTS, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=600
    )


COMMANDS = {
    "Python": (sys.executable, "rulekit_client.py"),
    "Node": (shutil.which("node") or "node", "rulekit_client.mjs"),
}


@pytest.mark.slow
@pytest.mark.parametrize("language", COMMANDS)
def test_a_client_conforms(language: str) -> None:
    """It reads and writes every recorded message."""
    done = _run(*COMMANDS[language], "conform", "../../schemas/session.conformance.jsonl")
    assert (0, "0 messages differ\n", "") == (done.returncode, done.stdout, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("language", COMMANDS)
def test_a_client_finds_what_differs(language: str, tmp_path: Path) -> None:
    """A recorded message that is another is counted, and shown."""
    script = (ROOT / "schemas" / "session.conformance.jsonl").read_text(encoding="utf-8")
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(script.replace('"code":-32601', '"code":-32600'), encoding="utf-8")
    done = _run(*COMMANDS[language], "conform", str(wrong))
    assert (1, "1 messages differ\n") == (done.returncode, done.stdout)
    assert "-32601" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("language", COMMANDS)
def test_a_client_plays_a_whole_game(language: str) -> None:
    """Each side in its own seat."""
    done = _run(*COMMANDS[language], "play", "vitp", "3")
    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.strip() in ("Allies", "Japan")


def test_the_server_ends_with_its_input() -> None:
    """Lines that are no messages get errors, empty ones nothing."""
    lines = b'\n{"jsonrpc":"2.0","id":1,"method":"game/list"}\n\xff\n'
    done = subprocess.run(
        [sys.executable, "-m", "rulekit", "serve", "--stdio", "vitp"],
        input=lines,
        capture_output=True,
        cwd=ROOT,
    )
    first, second = map(json.loads, done.stdout.splitlines())

    assert (0, b"") == (done.returncode, done.stderr)
    assert [{"game": "vitp", "title": "Victory in the Pacific"}] == first["result"]["games"]
    assert -32700 == second["error"]["code"]
    asked = subprocess.run(
        [sys.executable, "-m", "rulekit", "serve"], capture_output=True, text=True, cwd=ROOT
    )
    assert 2 == asked.returncode and "--stdio" in asked.stderr
