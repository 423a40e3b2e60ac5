"""Ctrl-C and its like: play stops at a decision, saves, says how to go on; nothing is half-written."""

from __future__ import annotations

import json
import os
import pty
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.unit.cli.running import COMMAND, FERRY, alone, environment, rulekit, usual_signals


@pytest.fixture
def long_ferry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ferry for 600 days: a game that lasts long enough to be stopped."""
    folder = tmp_path_factory.mktemp("sets") / "ferry"
    shutil.copytree(FERRY, folder)
    text = (folder / "ferry.rules").read_text()
    for old, new in (
        ("repeat 4 times", "repeat 600 times"),
        ("1..5 = 1", "1..601 = 1"),
        ("0..9", "0..9999"),
    ):
        assert old in text
        text = text.replace(old, new)
    (folder / "ferry.rules").write_text(text)
    return folder


BEGUN = "begun\n"
SAYING_SO = "import sys, rulekit.__main__ as m; print('begun', file=sys.stderr, flush=True); m.main()"
"""What is run says when it is ours: before that, Python itself is what a signal stops."""


@contextmanager
def started(*arguments: str | Path, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """A command that has begun, and runs while the test looks on."""
    process = subprocess.Popen(
        [*COMMAND[:-1], SAYING_SO, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(),
        cwd=cwd,
        preexec_fn=usual_signals,
    )
    try:
        assert process.stderr is not None
        assert BEGUN == process.stderr.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


def command_in(text: str) -> list[str]:
    """The arguments of the command that goes on, from what was said at the end."""
    (line,) = [line for line in text.splitlines() if line.startswith("Game saved. To resume: ")]
    program, *arguments = shlex.split(line.removeprefix("Game saved. To resume: "))
    assert "rulekit" == program
    return arguments


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_running_game_is_saved_and_gone_on_with(number: int, long_ferry: Path, tmp_path: Path) -> None:
    """The command that is named ends the game, and its log is that of the game without a break."""
    play = ("play", long_ferry, "--agents", "random", "--seed", "5", "--log")
    with started(*play, "broken.jsonl", cwd=tmp_path) as process:
        assert process.stdout is not None
        for _ in range(50):
            process.stdout.readline()
        assert [] == [path for path in tmp_path.iterdir() if not path.name.startswith(".")]
        process.send_signal(number)
        _, said = process.communicate(timeout=60)

    assert 128 + number == process.returncode
    assert "Traceback" not in said
    assert ["broken.jsonl", "ferry.rulekit-save.json"] == sorted(path.name for path in tmp_path.iterdir())
    told = alone(*command_in(said), cwd=tmp_path)
    whole = alone(*play, "whole.jsonl", cwd=tmp_path)
    assert (0, 0) == (told.code, whole.code)
    assert (tmp_path / "whole.jsonl").read_bytes() == (tmp_path / "broken.jsonl").read_bytes()
    assert whole.out.splitlines()[-1] == told.out.splitlines()[-1]


def test_at_a_question(tmp_path: Path) -> None:
    """Whoever is asked may stop just as well."""
    with started("play", FERRY, "--seed", "4", cwd=tmp_path) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write("south\n")
        process.stdin.flush()
        seen = ""
        while "landing (Heron)" not in seen:
            seen = process.stderr.readline()
        while not seen.endswith("> "):
            seen += process.stderr.read(1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)

    assert 130 == process.returncode
    resumed = alone(*command_in(said), cwd=tmp_path)
    assert "? Red: landing (Heron)" in resumed.err


def test_a_second_time_does_not_wait(long_ferry: Path, tmp_path: Path) -> None:
    """Two signals, or more, in a row: the command ends all the same, without a traceback."""
    with started("play", long_ferry, "--agents", "random", "--log", "x", cwd=tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the game is played
        for _ in range(5):
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            time.sleep(0.002)
        _, said = process.communicate(timeout=60)

    assert process.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in said or process.returncode == -signal.SIGINT
    assert {"x", "ferry.rulekit-save.json"} >= {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("verb", ["check", "test", "coverage", "compile"])
def test_other_verbs_end_at_once(verb: str, long_ferry: Path, tmp_path: Path) -> None:
    """With nothing half-written."""
    extra = {"compile": ["-o", "made.json"], "coverage": ["--games", "100000"]}.get(verb, [])
    with started(verb, long_ferry, *extra, cwd=tmp_path) as process:
        time.sleep(0.2)  # somewhere on its way, wherever that is on this machine
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)

    assert process.returncode in (0, 130, -signal.SIGINT), said
    for path in tmp_path.iterdir():
        json.loads(path.read_text())


@pytest.mark.parametrize("signalled", [True, False])
def test_a_terminal_that_is_closed(tmp_path: Path, signalled: bool) -> None:
    """The game is saved, though nobody reads where; whether the signal comes, or writing fails first."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "play", str(FERRY), "--seed", "4"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=environment(),
        cwd=tmp_path,
        start_new_session=True,
        preexec_fn=usual_signals,
    )
    os.close(follower)
    seen = b""
    while b"> " not in seen.split(b"Landings")[-1]:
        seen += os.read(leader, 1000)
    os.close(leader)
    if signalled:
        process.send_signal(signal.SIGHUP)
    process.wait(timeout=60)

    assert ["ferry.rulekit-save.json"] == [path.name for path in tmp_path.iterdir()]
    assert (
        0
        == rulekit("play", FERRY, "--agents", "random", "--resume", tmp_path / "ferry.rulekit-save.json").code
    )
