"""Whatever operation on a file fails, whenever a process is killed: one sentence, nothing half-written."""

from __future__ import annotations

import itertools
import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rulekit.cli.files import write_whole
from tests.unit.cli.commands import COMMANDS, WRITING, working_folder
from tests.unit.cli.running import COMMAND, Ran, driven, environment

PATCHING = ("check fix",)
"""They write in the rule set."""
THREADED = "sheet pdf"
"""Its typesetter has threads, without which a fork of the process that has run it cannot go on."""


def faults(how: str, name: str, step: int, folder: Path) -> list[str]:
    """What is wrong if each operation of a command fails in turn, or every one of `step`."""
    folder = working_folder(folder.resolve())
    done = driven("failing.py", how, COMMANDS[name], str(step), folder=folder)
    *wrong, last = done.stdout.splitlines()
    assert int(last.split()[0]) > 0, last
    return wrong


@pytest.mark.parametrize("name", ["check", "play"])
def test_an_operation_that_fails(name: str, tmp_path: Path) -> None:
    """Of each of these commands, some operations."""
    assert [] == faults("fail", name, 23, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("explain finding", "serve")])
def test_every_operation_that_fails(name: str, tmp_path: Path) -> None:
    """Of every command that reads or writes files of its own accord, every eleventh operation."""
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


@pytest.mark.parametrize("name", ["compile", "sheet html", "play"])
def test_a_disk_that_fills(name: str, tmp_path: Path) -> None:
    """An output that does not fit is not there at all."""
    folder = working_folder(tmp_path)
    done = subprocess.run(
        [*COMMAND, *COMMANDS[name].split()],
        capture_output=True,
        text=True,
        cwd=folder,
        # Python itself leaves cut modules where a file may not grow.
        env=environment(RULEKIT_CACHE=str(folder / "cache"), PYTHONDONTWRITEBYTECODE="1"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700)),
        timeout=60,
    )

    assert (2, True) == (done.returncode, done.stderr.endswith(": file too large\n"))
    assert [] == list((folder / "out").iterdir())


# ---------------------------------------------------------------- streams, caches, other systems


def ends(words: str, folder: Path, *, closed: tuple[int, ...] = ()) -> Ran:
    """Run a command with some of its standard streams closed."""

    def close() -> None:
        for number in closed:
            os.close(number)

    done = subprocess.run(
        [*COMMAND, *words.split()],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(RULEKIT_CACHE=str(folder / "cache")),
        preexec_fn=close,
        timeout=60,
    )
    assert "Traceback" not in done.stderr + done.stdout
    assert "Exception" not in done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


CLOSED = [closed for size in (1, 2, 3) for closed in itertools.combinations((0, 1, 2), size)]


@pytest.mark.parametrize("closed", CLOSED)
def test_streams_that_are_closed(closed: tuple[int, ...], tmp_path: Path) -> None:
    """The command runs all the same."""
    folder = working_folder(tmp_path)

    assert ends(COMMANDS["options"], folder).code == ends(COMMANDS["options"], folder, closed=closed).code


@pytest.mark.slow
@pytest.mark.parametrize("name", ["check", "play", "run", "sheet csv", "compile"])
def test_closed_streams_of_other_commands(name: str, tmp_path: Path) -> None:
    """Of commands that read, write files, and play."""
    folder = working_folder(tmp_path)
    usual = ends(COMMANDS[name], folder).code
    assert {usual} == {ends(COMMANDS[name], folder, closed=closed).code for closed in CLOSED}


def _spoil_text(path: Path) -> None:
    path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n" + b"[" * 100_000)


def _spoil_bits(path: Path) -> None:
    content = bytearray(path.read_bytes())
    if content:
        content[len(content) * 2 // 3] ^= 4
    path.write_bytes(content)


def _spoil_kind(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "spoil",
    [_spoil_text, *(pytest.param(spoil, marks=pytest.mark.slow) for spoil in (_spoil_bits, _spoil_kind))],
)
def test_caches_that_are_damaged(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    """The answer is that without a cache."""
    folder = working_folder(tmp_path)
    first = ends("check set --output-format json", folder)
    kept = [path for path in (folder / "cache").rglob("*") if path.is_file()]
    for path in kept:
        spoil(path)
    second = ends("check set --output-format json", folder)

    assert kept
    assert (first.code, first.out) == (second.code, second.out)


def test_a_system_without_unnamed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs are written beside their places, and put there whole."""
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    (tmp_path / "a.txt").write_text("old")
    write_whole(str(tmp_path / "a.txt"), "new")

    assert ["new"] == [path.read_text() for path in tmp_path.iterdir()]
