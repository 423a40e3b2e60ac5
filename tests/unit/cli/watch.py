"""Runs commands in this process and records every file that one opens; started on its own, never imported.

Usage: `python watch.py RECORD < COMMANDS`: a line of input for each command, a line of the record for each
file: the command's number and the path, links followed as the system does.
"""

from __future__ import annotations

import os
import shlex
import sys
from typing import Any

_PLAIN_OPEN = os.open
_record = _PLAIN_OPEN(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
_number, _folder = 0, ""


def _open(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    global _folder
    _folder = os.readlink(f"/proc/self/fd/{dir_fd}") if dir_fd is not None else ""
    try:
        return _PLAIN_OPEN(path, flags, mode, dir_fd=dir_fd)
    finally:
        _folder = ""


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("open", "os.scandir", "os.listdir") and not isinstance(arguments[0], int):
        path = os.fsdecode(arguments[0] or ".")
        place = path if os.path.isabs(path) else os.path.join(_folder or os.getcwd(), path)
        os.write(_record, f"{_number}\t{os.path.realpath(place)}\n".encode("utf-8", "surrogateescape"))


def main() -> None:
    global _number
    commands = sys.stdin.read().splitlines()
    from rulekit.base import files  # noqa: F401  # it asks whether `os.open` takes `dir_fd`, so before it is replaced

    os.open = _open
    sys.addaudithook(_watch)
    from rulekit.cli import main as rulekit

    for words in commands:
        try:
            rulekit(shlex.split(words))
        except SystemExit as end:
            print(f"RK-END {_number} {end.code}", flush=True)
        else:
            print(f"RK-END {_number} 0", flush=True)
        _number += 1


main()
