"""The custom section of a module, read without an engine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rulekit.runtime.native.section_shape import misfit
from rulekit.runtime.native.wasm import SECTION

HEAD = b"\x00asm\x01\x00\x00\x00"


class NotAModule(Exception):
    """The bytes are not a module that this host can play; the message says why."""


def names_of(content: bytes) -> dict[str, Any]:
    """Return what a module says of itself.

    Raises:
        NotAModule: The bytes are not WebAssembly, end too early, or do not hold a rule set.
    """
    if content[: len(HEAD)] != HEAD:
        raise NotAModule("not a WebAssembly 1.0 module")
    at = len(HEAD)
    while at < len(content):
        number = content[at]
        size, begin = _number(content, at + 1)
        at = begin + size
        if at > len(content):
            raise NotAModule("the module is cut off")
        if number == 0:
            length, start = _number(content, begin)
            if content[start : start + length] == SECTION.encode():
                return _json(content[start + length : at])
    raise NotAModule("a WebAssembly module, but not of a rule set")


def _json(content: bytes) -> dict[str, Any]:
    try:
        names = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise NotAModule("the module's names are damaged") from error
    if not isinstance(names, dict) or "rulekit" not in names:
        raise NotAModule("the module's names are damaged")
    return names


def check_names(names: Mapping[str, Any]) -> None:
    """Hold that a module says of itself all that its version asks for, and nothing of a wrong kind.

    Raises:
        NotAModule: Something is missing, or of another kind.
    """
    place = misfit(names)
    if place is not None:
        raise NotAModule(f"the module's names are damaged: `{place}` is missing or of a wrong kind")


def _number(content: bytes, at: int) -> tuple[int, int]:
    """A number in the variable-length form, and where it ends."""
    number = shift = 0
    while at < len(content) and shift < 35:
        byte = content[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return number, at
    raise NotAModule("the module is cut off")
