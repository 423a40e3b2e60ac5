"""The file of a simulation: a line for what is played, then one for each run of games that was played.

A line is written at once: after a kill, all lines count except perhaps the last one, which has no end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from rulekit.base.files import UnreadableFile, read_named
from rulekit.runtime.simulation.tally import Tally, tally_of

FORMAT: Final = 1
MOST: Final = 2**30
"""Bytes of such a file."""

WORDS: Final = {
    "rules": "rules or data",
    "options": "options",
    "scenario": "scenario",
    "measures": "measures",
    "agents": "agents",
    "seed": "seed",
}
"""Differences between two simulations, in words."""


class BadSimulation(ValueError):
    """A file that is not the file of this simulation; the message says why."""


class SimulationFile:
    """Keeps the games that were played, so that they need not be played again.

    Attributes:
        tally: All games in the file.
        played: Their numbers, as ranges `first` to before `end`.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        """Read the file, if there is one.

        Raises:
            BadSimulation: It is of another simulation, or not of any.
        """
        self.tally, self.played = Tally(), list[tuple[int, int]]()
        self._path = path
        head = {"kind": "simulation", "format": FORMAT, **identity}
        self._whole = (_line(head)).encode()
        text = self._existing()
        if text:
            self._take(text, head)
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        """Open the file for more, without the part of a line that a kill may have left.

        Raises:
            BadSimulation: It cannot be written, or another process writes it.
        """
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            self._file = os.fdopen(handle, "r+b")
            if not _lock(self._file):
                self._file.close()
                raise BadSimulation(f"another simulation writes `{self._path}`; wait for its end")
            self._file.truncate(len(self._whole) if self.played else 0)
            self._file.seek(0, os.SEEK_END)
            if not self.played:
                self._file.write(self._whole)
                self._file.flush()
        except OSError as error:
            raise BadSimulation(f"cannot write `{self._path}`: {(error.strerror or '').lower()}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, first: int, end: int, plain: Any) -> None:
        """Write the tally of some games, as plain JSON.

        Raises:
            BadSimulation: The disk refuses it.
        """
        assert self._file is not None
        try:
            self._file.write(_line({"games": [first, end], "ends": plain}).encode())
            self._file.flush()
        except OSError as error:
            raise BadSimulation(f"cannot write `{self._path}`: {(error.strerror or '').lower()}") from error

    def _existing(self) -> bytes:
        if not os.path.lexists(self._path):
            return b""
        try:
            return read_named(self._path, MOST)
        except UnreadableFile as error:
            raise BadSimulation(f"`{self._path}` {error.strerror}") from error

    def _take(self, text: bytes, head: Mapping[str, Any]) -> None:
        lines = text.split(b"\n")[:-1]  # what follows the last end of a line is not whole
        known = _object(lines[0]) if lines else {}
        if known.get("kind") != "simulation":
            raise BadSimulation(f"`{self._path}` exists and is not the file of a simulation; not replaced")
        other = [words for name, words in WORDS.items() if known.get(name) != head[name]]
        if known.get("format") != FORMAT or other:
            what = ", ".join(other) or "format"
            raise BadSimulation(f"`{self._path}` is of another simulation: it has other {what}")
        for number, line in enumerate(lines[1:], 2):
            entry = _object(line)
            try:
                first, end = entry["games"]
                self.tally.update(tally_of(entry["ends"]))
                self.played.append((int(first), int(end)))
            except (KeyError, TypeError, ValueError) as error:
                raise BadSimulation(f"`{self._path}`:{number} is damaged") from error
        self._whole = b"\n".join(lines) + b"\n"


def _lock(file: IO[bytes]) -> bool:
    """Lock a file for this process, where there are locks; false if another process has done so."""
    try:
        import fcntl  # not on Windows

        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return True
    return True


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
