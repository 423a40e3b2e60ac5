"""Ctrl-C at any moment from the first line of ours on: no traceback, code 130, no file left.

Python's own start, before it runs a line of ours, is not covered: there it ends with its own words.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.unit.cli.commands import COMMANDS, working_folder
from tests.unit.cli.running import COMMAND, environment, usual_signals

READY = "import os; from rulekit.base.interrupts import take_over; take_over(); os.write(1, b'!'); "
COMMAND_READY = [*COMMAND[:-1], READY + COMMAND[-1]]
MOST = 0.4
"""Seconds until the last interruption; the commands here take longer on no machine that we know."""


def interrupted(words: str, after: float, folder: Path) -> tuple[int, str]:
    """Interrupt a command so many seconds after it has begun; return its code and its standard error."""
    process = subprocess.Popen(
        [*COMMAND_READY, *words.split()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment(RULEKIT_CACHE=str(folder / "cache"), TMPDIR=str(folder / "temporary")),
        preexec_fn=usual_signals,
    )
    assert process.stdout is not None
    assert b"!" == os.read(process.stdout.fileno(), 1)
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    return process.returncode, err.decode()


def faults(name: str, moments: int, folder: Path) -> list[str]:
    """What is wrong if a command is interrupted at so many moments, more of them early."""
    folder = working_folder(folder)
    saved, wrong = {"saved.json"}, []
    for number in range(moments):
        after = MOST * (number / moments) ** 2
        code, err = interrupted(COMMANDS[name], after, folder)
        if code not in (130, 0, 1) or "Traceback" in err or "Exception" in err:
            wrong.append(f"after {after:.3f} s: {code} {err}")
        left = [path.name for path in (folder / "out").rglob("*") if path.name.endswith(".part")]
        if left or any(
            path.stat().st_size == 0 for path in (folder / "out").iterdir() if path.name not in saved
        ):
            wrong.append(f"after {after:.3f} s: leaves {left or 'an empty file'}")
        if code != 130:
            break  # it had ended
    return wrong


@pytest.mark.parametrize(("name", "moments"), [("check", 8), ("play", 8), ("sheet csv", 6)])
def test_an_early_interruption_is_quiet(name: str, moments: int, tmp_path: Path) -> None:
    """In the first tenth of a second above all, while modules load."""
    assert [] == faults(name, moments, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["check json", "compile"])
def test_an_interruption_at_any_moment_is_quiet(name: str, tmp_path: Path) -> None:
    """At more moments, of more commands."""
    assert [] == faults(name, 25, tmp_path)
