"""Ctrl-C while a game runs: play stops at the next decision, where the game can be saved.

A closed terminal (SIGHUP) and a request to end (SIGTERM) are taken alike.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType
from typing import Any

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class StopSignal(BaseException):
    """The game is to end here; `number` is that of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class Stopping:
    """Notes signals, and raises `StopSignal` at the next decision.

    While somebody is waited for, a signal stops at once; while rules run, it is kept until `look`.  The
    second one does not wait: it is a KeyboardInterrupt wherever it comes.
    """

    def __init__(self) -> None:
        self._seen: int | None = None
        self._waiting = False

    def look(self) -> None:
        """Stop here, if a signal has come.

        Raises:
            StopSignal: One has.
        """
        if self._seen is not None:
            raise StopSignal(self._seen)

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """While this is open, a signal stops at once."""
        self.look()
        self._waiting = True
        try:
            yield
        finally:
            self._waiting = False

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Take the signals; afterwards they do again what they did."""
        before: dict[int, Any] = {}
        for number in SIGNALS:
            if signal.getsignal(number) is signal.SIG_IGN:  # by nohup, or in the background: so it stays
                continue
            with contextlib.suppress(ValueError):  # not the main thread: signals are not ours there
                before[number] = signal.signal(number, self._note)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._waiting:
            self._waiting = False
            raise StopSignal(number)
        if self._seen is not None:
            raise KeyboardInterrupt
        self._seen = number
