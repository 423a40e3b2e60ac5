"""Running the command line: in this process where that will do, else in one of its own."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from rulekit.cli import main

ROOT = Path(__file__).parents[3]
DUEL = ROOT / "tests" / "sets" / "duel"
FERRY = ROOT / "tests" / "sets" / "ferry"
COMMAND = [sys.executable, "-c", "from rulekit.__main__ import main; main()"]


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it said to whom."""

    code: int
    out: str
    err: str


def rulekit(*arguments: str | Path, typed: str | None = None) -> Ran:
    """Run a command in this process; an exception that leaves it is a failure of the test.

    Args:
        typed: What is typed; None is a standard input that is closed.
    """
    out, err, code = io.StringIO(), io.StringIO(), 0
    given = (
        None
        if typed is None
        else io.TextIOWrapper(io.BytesIO(typed.encode("utf-8", "surrogateescape")), "utf-8")
    )
    streams = mock.patch.object(sys, "stdin", given)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), streams:
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Ran(code, out.getvalue(), err.getvalue())


def environment(**more: str) -> dict[str, str]:
    """Where a command runs that is started on its own: this checkout, no colour, any hash seed."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def usual_signals() -> None:
    """Signals as at a terminal, for a child: who runs the tests in the background has some ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def driven(
    driver: str, *arguments: str | Path, folder: Path, lines: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a driver of this folder, a program that runs commands, in a working folder of `commands`."""
    done = subprocess.run(
        [sys.executable, ROOT / "tests/unit/cli" / driver, *arguments],
        input=lines,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(RULEKIT_CACHE=str(folder / "cache"), TMPDIR=str(folder / "temporary")),
        timeout=300,
    )
    assert 0 == done.returncode, done.stderr
    return done


def alone(
    *arguments: str | Path,
    typed: str = "",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = 60,
) -> Ran:
    """Run a command in a process of its own, with pipes for input and output; `timeout` in seconds."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(**(env or {})),
        cwd=cwd,
        timeout=timeout,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
