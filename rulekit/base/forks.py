"""Work shared with forks of this process, on systems that have them.

A fork has all data in memory, so that it pays for a tenth of a second of work.  A free process takes the next
piece of work from a pipe.  If a fork fails, this process does its pieces.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

LEAST: Final = 0.1
"""Seconds of work that pay for a fork, and for each one more."""
MOST_FORKS: Final = 3
_PLACE: Final = struct.Struct("<H")
MOST: Final = 4096
"""Pieces that can be shared: a pipe holds the numbers of so many."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def forks(pieces: int, seconds: float, jobs: int) -> int:
    """Return the number of forks for pieces that take so many `seconds` in all; this process works too."""
    able = hasattr(os, "fork") and hasattr(os, "sched_getaffinity") and threading.active_count() == 1
    most = min(jobs - 1, MOST_FORKS, pieces - 1, int(seconds / LEAST))
    return max(0, most) if able and pieces <= MOST else 0


def share_work(
    pieces: int, number: int, work: Callable[[int], Any], after: Callable[[], Any]
) -> tuple[dict[int, Any], list[Any]]:
    """Return the results by the number of each piece, and the last report of each fork.

    Args:
        number: The number of forks; see `forks`.
        work: Does the piece of a number; returns plain JSON.
        after: Called by each fork at its end; returns plain JSON.
    """
    places, left = os.pipe()
    os.write(left, b"".join(map(_PLACE.pack, range(pieces))))
    os.close(left)
    gc.freeze()  # nobody looks for garbage among what both have
    split: list[tuple[int, int]] = []
    try:
        for _ in range(number):
            split.append(_split(places, work, after))
        results = {place: work(place) for place in _take_places(places)}
        reports = [plain for pid, answers in split if (plain := _answer(answers)) is not None]
    finally:
        gc.unfreeze()
        os.close(places)
        for pid, answers in split:
            _end(pid, answers)
    for plain in reports:
        results.update((int(place), result) for place, result in plain["found"])
    results.update((place, work(place)) for place in range(pieces) if place not in results)
    return results, [plain["after"] for plain in reports]


def _take_places(places: int) -> Iterator[int]:
    """Yield the pieces that this process takes, each when it is asked for."""
    while len(taken := os.read(places, _PLACE.size)) == _PLACE.size:
        yield _PLACE.unpack(taken)[0]


def _split(places: int, work: Callable[[int], Any], after: Callable[[], Any]) -> tuple[int, int]:
    """Return a fork's process, and the pipe with its results."""
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return pid, read
    code = 1
    try:
        os.close(read)
        plain = {"found": [(place, work(place)) for place in _take_places(places)], "after": after()}
        with open(write, "wb") as pipe:
            pipe.write(json.dumps(plain, separators=(",", ":")).encode())
        code = 0
    finally:
        os._exit(code)  # the original ends as one should; nothing of it is to happen twice


def _answer(answers: int) -> Any:
    """Return the report of a fork when it has ended; None if it failed."""
    parts = []
    while part := os.read(answers, 1 << 20):
        parts.append(part)
    try:
        return json.loads(b"".join(parts))
    except ValueError:
        return None


def _end(pid: int, answers: int) -> None:
    """End a fork, if it has not ended."""
    with contextlib.suppress(OSError):
        os.close(answers)
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)  # one that has reported is gone already
    with contextlib.suppress(OSError):
        os.waitpid(pid, 0)
