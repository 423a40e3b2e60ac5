"""Ctrl-C from the first moment to the last: the process ends with 130, and never shows a traceback.

While the program loads, and after the command, Ctrl-C ends the process at once; in between it is raised.
When the interpreter shuts down, nothing is left to end, and Ctrl-C is ignored.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
from collections.abc import Iterator

STOPPED = 130
"""Exit code after Ctrl-C."""


def take_over() -> None:
    """Let Ctrl-C end this process at once, unless it is ignored or has a handler of its own."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end_at_once)
        # The interpreter would restore the system's handler, which kills the process.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def raised() -> Iterator[None]:
    """Raise Ctrl-C as a KeyboardInterrupt inside, where it would end this process at once."""
    ours = signal.getsignal(signal.SIGINT) is _end_at_once
    try:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, _end_at_once)


def is_interruption(error: BaseException | None) -> bool:
    """Return whether an error is Ctrl-C, or was caused by it, as one that an import wraps."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _end_at_once(number: int, frame: object) -> None:
    os._exit(STOPPED)
