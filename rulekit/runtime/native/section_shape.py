"""The shape of a module's names, which every host checks before it reads them (specification, chapter 15.1).

`hosts/js/rulekit.mjs` has the same shape for hosts in JavaScript; a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

Shape = str | list[Any] | dict[str, Any]
"""The kind of a value, or the shapes of its parts; `"*"` stands before or for any number of equal ones.

`domain` is a text that names a domain or is empty, `type` a type of 15.7. A member whose name ends in `?` may
be missing.
"""

FIELD: Final[Shape] = ["text", "domain", "number", "number", "number"]
NAMED: Final[Shape] = ["*", ["text", "number"]]
TEXTS: Final[Shape] = ["*", "text"]
SECTION: Final[dict[str, Shape]] = {
    "domains": {"*": TEXTS},
    "stops": "flag",
    "title": "text",
    "options": TEXTS,
    "scenarios": ["*", {"name": "text", "title": "text"}],
    "choices": ["*", {
        "name": "text", "side": "domain", "item": "domain", "options": "domain", "rules": TEXTS,
        "secret": "flag", "fields?": ["*", FIELD],
    }],
    "points": ["*", {
        "name": "text", "low?": "number", "high?": "number", "things?": "domain", "orders?": "flag",
    }],
    "result": "domain",
    "faults": TEXTS,
    "messages": ["*", ["text", ["*", "type"]]],
    "texts": TEXTS,
    "sites": {"*": ["text", TEXTS, "text", "number", "number"]},
    "states": {"*": {"at": "number", "step": "number", "cells": "number", "of": "domain", "open": "flag"}},
    "cells": ["*", ["number", "number", "text", "number"]],
    "events?": ["*", {
        "kind": "text", "subject": "text", "site": "number", "keys?": ["*", "domain"], "fields": NAMED,
        "arguments?": NAMED, "open?": "flag",
    }],
    "types?": ["*", "type"],
}  # fmt: skip
TYPES: Final[Mapping[str, list[Shape]]] = {
    "number": [], "flag": [], "month": [], "text": [], "ratio": [], "nothing": [], "member": ["domain"],
    "record": [["*", FIELD]], "optional": ["type"], "part": ["type"], "set": ["number", "type"],
    "list": ["number", "type"], "map": ["number", "number", "number", "domain", "type"],
}  # fmt: skip
KINDS: Final[Mapping[str, type]] = {"text": str, "number": int, "flag": bool}


def misfit(names: Mapping[str, Any]) -> str | None:
    """Return the place of the first value that is missing or of a wrong kind, such as `choices.0.side`."""
    return next(_misfits(names, SECTION, names), None)


def _misfits(value: Any, shape: Shape, names: Mapping[str, Any]) -> Iterator[str]:
    """The places within a value that do not have their shape; its own is empty."""
    match shape:
        case "domain":
            fits = isinstance(value, str) and (not value or value in names["domains"])
            yield from () if fits else ("",)
        case "type":
            sort = value[0] if isinstance(value, list) and value else None
            about = TYPES.get(sort) if isinstance(sort, str) else None
            yield from ("",) if about is None else _misfits(value, ["text", *about], names)
        case str():
            yield from () if type(value) is KINDS[shape] else ("",)
        case ["*", part_shape]:
            yield from _parts(value, [part_shape] * len(value), names) if isinstance(value, list) else ("",)
        case list():
            fits = isinstance(value, list) and len(value) == len(shape)
            yield from _parts(value, shape, names) if fits else ("",)
        case _ if not isinstance(value, dict):
            yield ""
        case {"*": part_shape}:
            for name, part in value.items():
                yield from _within(name, part, part_shape, names)
        case _:
            for key, part_shape in shape.items():
                name = key.removesuffix("?")
                if name in value or name == key:
                    yield from _within(name, value.get(name), part_shape, names)


def _parts(value: list[Any], shapes: list[Shape], names: Mapping[str, Any]) -> Iterator[str]:
    for place, (part, shape) in enumerate(zip(value, shapes, strict=True)):
        yield from _within(str(place), part, shape, names)


def _within(name: str, part: Any, shape: Shape, names: Mapping[str, Any]) -> Iterator[str]:
    return (f"{name}.{place}".rstrip(".") for place in _misfits(part, shape, names))
