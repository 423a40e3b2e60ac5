"""Whatever operation on a file fails, whenever a process is killed: one sentence, nothing half-written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli.commands import COMMANDS, WRITING, working_folder
from tests.unit.cli.running import COMMAND, ROOT, Ran, environment

PATCHING = ("check fix",)
"""They write in the rule set."""
THREADED = "sheet pdf"
"""Its typesetter has threads, without which a fork of the process that has run it cannot go on."""


def faults(how: str, name: str, step: int, folder: Path) -> list[str]:
    """What is wrong if each operation of a command fails in turn, or every one of `step`."""
    folder = working_folder(folder.resolve())
    done = subprocess.run(
        [sys.executable, ROOT / "tests/unit/cli/failing.py", how, COMMANDS[name], str(step)],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(RULEKIT_CACHE=str(folder / "cache"), TMPDIR=str(folder / "temporary")),
        timeout=300,
    )
    assert 0 == done.returncode, done.stderr
    *wrong, last = done.stdout.splitlines()
    assert int(last.split()[0]) > 0, last
    return wrong


@pytest.mark.parametrize("name", ["check", "play"])
def test_an_operation_that_fails(name: str, tmp_path: Path) -> None:
    """Of each of these commands, some operations."""
    assert [] == faults("fail", name, 23, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "explain finding"])
def test_every_operation_that_fails(name: str, tmp_path: Path) -> None:
    """Of every command that reads or writes, every eleventh operation."""
    assert [] == faults("fail", name, 11, tmp_path)


@pytest.mark.parametrize("name", ["sheet csv"])
def test_a_process_that_is_killed(name: str, tmp_path: Path) -> None:
    """The outputs are whole or as they were, and nothing is beside them."""
    assert [] == faults("kill", name, 17, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in (*WRITING, *PATCHING) if name != THREADED])
def test_a_process_that_is_killed_anywhere(name: str, tmp_path: Path) -> None:
    """Of every command that writes, at every seventh operation."""
    assert [] == faults("kill", name, 7, tmp_path)


# ---------------------------------------------------------------- what the system refuses

DROPS_RIGHTS = """
import ctypes, os
if os.geteuid() == 0:  # an ordinary user may not read what its mode forbids; nor may this process
    header, rights = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    assert ctypes.CDLL(None).capset(header, rights) == 0
"""


def ordinary(*arguments: str, folder: Path) -> Ran:
    """Run a command as a user without special rights."""
    done = subprocess.run(
        [COMMAND[0], "-c", DROPS_RIGHTS + COMMAND[2], *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(RULEKIT_CACHE=str(folder / "cache")),
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("verb", ["check", "play", "options"])
def test_a_folder_that_may_not_be_read(verb: str, tmp_path: Path) -> None:
    """The command cannot run, and says why."""
    folder = working_folder(tmp_path)
    (folder / "set").chmod(0)
    ran = ordinary(verb, "set", folder=folder)
    (folder / "set").chmod(0o700)

    assert 2 == ran.code
    assert "permission" in ran.out + ran.err


@pytest.mark.parametrize("arguments", [("check",), ("check", "--fix"), ("compile",)])
def test_a_file_that_may_not_be_read(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """So is a file of the set."""
    folder = working_folder(tmp_path)
    (folder / "set" / "ferry.rules").chmod(0)
    ran = ordinary(*arguments, "set", folder=folder)

    assert 2 == ran.code
    assert "permission" in ran.out + ran.err


def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    """The reason is the system's."""
    folder = working_folder(tmp_path)
    (folder / "out").chmod(0o500)
    ran = ordinary("compile", "set", "-o", "out/program.json", folder=folder)

    assert 2 == ran.code
    assert "rulekit: cannot write `out/program.json`: permission denied\n" == ran.err


@pytest.mark.parametrize("words", ["check set", "play set --agents random --seed 1", "--version"])
def test_a_disk_that_is_full(words: str, tmp_path: Path) -> None:
    """An output that takes nothing ends the command with 2."""
    folder = working_folder(tmp_path)
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, *words.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=environment(),
            timeout=60,
        )

    assert 2 == done.returncode
    assert "no space left on device" in done.stderr and "Traceback" not in done.stderr
