"""Runs a command again and again, each time with another operation on files failing; started on its own.

Usage: `python failing.py fail|kill WORDS STEP`, in a working folder: nothing fails in the first run; in the
next the first operation, then the one STEP further, until a run ends without meeting it.  With `kill`, the
process is killed there instead.  Prints what was wrong, line by line, and at last the number of runs.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rulekit.base import files  # noqa: F401  # it asks which functions take `dir_fd`, so before they are replaced
from rulekit.cli import main as rulekit

HERE = os.path.realpath(".")
FUNCTIONS = ("open", "scandir", "replace", "link", "chmod", "mkdir", "fstat", "stat", "readlink")
METHODS = ("read", "write", "flush", "close")
OLD = b"what was there before\n"
NUMBERS = (errno.EIO, errno.ENOSPC, errno.EACCES)


class Fault:
    """Which operation fails or is never begun; `met` once it has."""

    number, count, met, kills = 0, 0, "", False


def _tick(operation: str, place: str) -> None:
    Fault.count += 1
    if Fault.count == Fault.number:
        Fault.met = f"{operation} {place}"
        if Fault.kills:
            os.kill(os.getpid(), signal.SIGKILL)
        number = NUMBERS[Fault.number % len(NUMBERS)]
        raise OSError(number, os.strerror(number))


def _place(path: Any, dir_fd: int | None) -> str:
    """The path of an argument, if it is in the working folder; else nothing."""
    try:
        folder = HERE if dir_fd is None else os.readlink.__wrapped__(f"/proc/self/fd/{dir_fd}")  # type: ignore[attr-defined]
        path = (
            os.readlink.__wrapped__(f"/proc/self/fd/{path}") if isinstance(path, int) else os.fsdecode(path)
        )  # type: ignore[attr-defined]
    except (OSError, TypeError):
        return ""
    place = os.path.join(folder, path)
    return place if place.startswith(HERE + os.sep) else ""


def _failing(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(path: Any, *arguments: Any, **named: Any) -> Any:
        if place := _place(path, named.get("dir_fd")):
            _tick(name, place)
        return real(path, *arguments, **named)

    call.__wrapped__ = real  # type: ignore[attr-defined]
    return call


class _File:
    """A file whose methods may fail; a `close` that fails has closed it all the same."""

    def __init__(self, file: Any, place: str) -> None:
        self._file, self._place = file, place

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._file, name)
        if name not in METHODS:
            return real

        def call(*arguments: Any) -> Any:
            if name == "close":
                real()
            _tick(name, self._place)
            return None if name == "close" else real(*arguments)

        return call

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._file)


def _open(path: Any, *arguments: Any, **named: Any) -> Any:
    place = _place(path, None)
    if place:
        _tick("open", place)
    file = _REAL_OPEN(path, *arguments, **named)
    return _File(file, place) if place else file


_REAL_OPEN = io.open


def _replace_functions() -> None:
    for name in FUNCTIONS:
        setattr(os, name, _failing(name, getattr(os, name)))
    builtins.open = io.open = _open  # type: ignore[assignment]
    os.fdopen = _open


def _run(words: str) -> tuple[int | str, str]:
    """Run the command; its exit code, or what escaped, and what it says."""
    out, err = io.StringIO(), io.StringIO()
    code: int | str = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            rulekit(shlex.split(words))
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
        except BaseException as error:
            code = f"{type(error).__name__}: {error}"
    return code, out.getvalue() + err.getvalue()


def _run_and_kill(words: str) -> bool:
    """Run the command in a fork until it is killed; whether it was."""
    child = os.fork()
    if not child:
        Fault.kills = True
        _run(words)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _content(folder: str) -> dict[str, bytes]:
    paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in paths}


def _restore(outputs: dict[str, bytes], copy: str) -> None:
    for folder in ("set", "out", "cache"):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(copy, "set")
    for name in ("out", "cache"):
        os.mkdir(name)
    for number, name in enumerate(outputs):
        os.makedirs(os.path.dirname(name), exist_ok=True)
        if number % 2 == 0:
            Path(name).write_bytes(OLD)


def _wrong_words(code: int | str, err: str, usual: int | str) -> Iterator[str]:
    if code not in (usual, 1, 2):
        yield f"ends with {code}"
    if "Traceback" in err or "Errno" in err:
        yield f"says {err!r}"
    if code != usual and not err.strip():
        yield "says nothing"


def _wrong_files(whole: dict[str, bytes], rules: list[dict[str, bytes]]) -> Iterator[str]:
    for name, content in _content("out").items():
        if content != OLD and content != whole.get(name) and "saved" not in name:
            yield f"leaves {name} with {len(content)} bytes"
    for name, content in _content("set").items():
        if content not in [before.get(name) for before in rules]:
            yield f"leaves {name} in the rule set with {len(content)} bytes"


def main() -> None:
    kills, words, step = sys.argv[1] == "kill", sys.argv[2], int(sys.argv[3])
    shutil.copytree("set", "temporary/original")
    before = _content("set")
    usual, said = _run(words)
    if isinstance(usual, str):
        print(f"without a fault: {usual}")
    whole, rules = _content("out"), [before, _content("set")]
    runs, number = 0, 1
    while True:
        _restore(whole, "temporary/original")
        Fault.number, Fault.count, Fault.met = number, 0, ""
        if kills:
            met, wrong = "killed" if _run_and_kill(words) else "", []
            Fault.number = 0
            if any(name.endswith(".part") for name in os.listdir("out")):
                _run(words)  # it removes what the other has left
        else:
            code, err = _run(words)
            met, Fault.number = Fault.met, 0
            wrong = [*_wrong_words(code, err, usual)]
        if not met:
            break
        runs += 1
        for fault in (*wrong, *_wrong_files(whole, rules)):
            print(f"{number} {met}: {fault}")
        number += step
    print(f"{runs} runs, usually {usual}")


_replace_functions()
main()
