"""Recursion deeper than Python's usual thousand calls, for trees as deep as the language allows.

A process of our own raises the limit at its start.  A function of the library that needs more is called again
on a thread with a larger stack.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

USUAL_STACK: Final = 8 * 1024 * 1024
USUAL_CALLS: Final = 4_000
"""Calls within one another that a stack of the usual size takes: at most 1.7 KB for each in Python 3.11."""

STACK: Final = 256 * 1024 * 1024
"""Bytes of the larger stack; only those in use take memory."""
CALLS: Final = 100_000
"""Calls within one another that the larger stack takes."""


def allow_usual_depth() -> None:
    """Let this process use its stack, where it has one of the usual size or none that is bounded."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_STACK, getrlimit
    except ImportError:  # Windows, which gives a program less
        return
    size = getrlimit(RLIMIT_STACK)[0]
    if size == RLIM_INFINITY or size >= USUAL_STACK:
        sys.setrecursionlimit(max(USUAL_CALLS, sys.getrecursionlimit()))


def with_room(work: Callable[P, T]) -> Callable[P, T]:
    """Call a function without side effects again on a larger stack where the usual one does not suffice.

    Raises:
        RecursionError: It takes more than `CALLS` calls, or the system gives no such stack.
    """

    @wraps(work)
    def with_a_second_try(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return work(*args, **kwargs)
        except RecursionError:
            pass
        return _on_larger_stack(lambda: work(*args, **kwargs))

    return with_a_second_try


def _on_larger_stack(work: Callable[[], T]) -> T:
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=run, daemon=True)
        sys.setrecursionlimit(CALLS)
        thread.start()
        thread.join()
    except RuntimeError as error:
        raise RecursionError("no larger stack") from error
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
