"""What a peer says of a case: when it speaks up, if it does, and its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Heard(Enum):
    """When a peer tells that something is wrong: of the rules, only of what is asked just then, or never."""

    AT_ONCE = "at once"
    ON_CASE = "on its input"
    NEVER = "never"


class Complaint(Exception):
    """What a peer tells of the rules, or of one input."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one version of a case comes to with a peer."""

    heard: Heard
    words: str


Version = Callable[[], Said]


@dataclass(frozen=True, slots=True)
class Pair:
    """A case as a peer has it: the faulty rules and their twin."""

    faulty: Version
    twin: Version


def clean(words: object, most: int = 90) -> str:
    """A peer's words on one line, not too many of them."""
    line = " ".join(str(words).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


Ask = Callable[[Mapping[str, Any]], str]
"""Asks a peer about one input; gives what is odd about its answer, if anything is."""


def asked(load: Callable[[], Ask], inputs: Iterable[Mapping[str, Any]]) -> Said:
    """What a peer tells when it gets the rules, and when it is asked about every input.

    What it tells of whatever is asked, it tells at once.
    """
    try:
        ask = load()
    except Complaint as told:
        return Said(Heard.AT_ONCE, clean(told))
    told_of, odd, every = [], "", list(inputs)
    for given in every:
        try:
            odd = ask(given) or odd
        except Complaint as told:
            told_of.append(clean(told))
    if told_of:
        return Said(Heard.AT_ONCE if len(told_of) == len(every) else Heard.ON_CASE, told_of[0])
    return Said(Heard.NEVER, clean(odd or "an answer to everything"))
