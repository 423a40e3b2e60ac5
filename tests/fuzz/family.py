"""What a family of inputs is, and one run of an input under limits of time and memory."""

from __future__ import annotations

import contextlib
import random
import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

MEMORY = 4 * 1024**3
"""Bytes of address space of a fuzzing process."""


@dataclass(frozen=True)
class Family:
    """One kind of input, how to make one, and what must hold of it.

    Attributes:
        generate: Makes an input from random numbers and nothing else.
        run: Gives an input to rulekit; any exception that leaves it is a failure.
        weight: Inputs of this family among `sum(weights)`.
        seconds: CPU seconds that one input may take.
    """

    name: str
    generate: Callable[[random.Random], bytes]
    run: Callable[[bytes], None]
    weight: int
    seconds: float = 10


class Broken(Exception):
    """A promise that rulekit has not kept; the first argument names it, the second shows it."""


class OverTime(BaseException):
    """An input takes more CPU time than its family allows; no `except Exception` of rulekit may keep it."""


@dataclass(frozen=True)
class Failure:
    """Why an input fails; two with one `signature` probably have one cause."""

    signature: str
    detail: str


def expect(holds: bool, promise: str, evidence: object = "") -> None:
    """Raise `Broken` if a promise does not hold."""
    if not holds:
        raise Broken(promise, repr(evidence)[:2000])


def failure_of(family: Family, data: bytes) -> Failure | None:
    """Run one input; None if all promises hold."""
    try:
        with limited(family.seconds):
            family.run(data)
    except KeyboardInterrupt:
        raise
    except Broken as broken:
        return Failure(f"broken: {broken.args[0]}", broken.args[1])
    except BaseException as error:
        return Failure(f"{type(error).__name__} at {_place(error)}", _text(error))
    return None


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `OverTime` inside after so many CPU seconds of this process."""
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.5)  # again, should somebody have kept the first
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def limit_memory() -> None:
    """Let this process have `MEMORY` bytes of address space at most."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


def _stop(number: int, frame: FrameType | None) -> None:
    raise OverTime


def _place(error: BaseException) -> str:
    """The innermost function of rulekit that an exception came through, else the innermost of all."""
    frames: list[Any] = traceback.extract_tb(error.__traceback__, -400)
    own = [frame for frame in frames if "/rulekit/" in frame.filename.replace("\\", "/")]
    if isinstance(error, OverTime | RecursionError | MemoryError):
        own = own[:6]  # where it ends is a matter of chance
    if not frames:
        return "nowhere"
    frame = (own or frames)[-1]
    return f"{frame.filename.rpartition('/rulekit/')[2]}:{frame.name}"


def _text(error: BaseException) -> str:
    lines = traceback.format_exception(type(error), error, error.__traceback__, limit=-25)
    return "".join(lines)[-6000:]
