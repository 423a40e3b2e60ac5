"""Sheets as JSON for renderers in other languages, with its schema."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any, TypeVar, get_args

from rulekit.base import tagged
from rulekit.reports.sheet.model import document
from rulekit.reports.sheet.model.document import Block, Sheet, kind_of

FORMAT = 1
_KINDS = {kind: kind_of(kind) for kind in get_args(Block)}
SIMPLE: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def to_json(sheet: Sheet) -> dict[str, Any]:
    """A sheet as plain data; a block says under `is` what it is."""
    return {"format": FORMAT, **tagged.to_json(sheet, _KINDS.get, lambda value: value)}


def numbers_in(block: Block) -> Iterator[str]:
    """Every printed number in a block."""

    def look(value: Any) -> Iterator[str]:
        if isinstance(value, tuple):
            for part in value:
                yield from look(part)
        elif isinstance(value, document.Run):
            if value.kind == "ref":
                yield value.text
        elif dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                inner = getattr(value, field.name)
                if field.name == "number" and isinstance(inner, str):
                    yield inner
                elif field.name == "see":
                    yield from inner
                elif isinstance(inner, tuple) or dataclasses.is_dataclass(inner):
                    yield from look(inner)

    return (number for number in dict.fromkeys(look(block)) if any(map(str.isalnum, number)))


T = TypeVar("T")


def values_in(value: Any, kind: type[T]) -> Iterator[T]:
    """Yield every value of a class in a part of the document, in order, with those inside of others."""
    if isinstance(value, kind):
        yield value
    if isinstance(value, tuple):
        for part in value:
            yield from values_in(part, kind)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from values_in(getattr(value, field.name), kind)


def schema() -> dict[str, Any]:
    """The JSON schema of sheets, made from their classes."""
    definitions = tagged.Definitions(
        _KINDS.get,
        {kind: {"type": name} for kind, name in SIMPLE.items()},
        lambda definitions, parts: {"anyOf": [definitions.schema_of(part) for part in parts]},
    )
    definitions.schema_of(Sheet)
    definitions.by_name["Sheet"]["properties"]["format"] = {"const": FORMAT}
    definitions.by_name["Sheet"]["required"].insert(0, "format")
    return definitions.document(
        "Sheet",
        id="urn:rulekit:schema:sheet",
        title="A reference sheet",
        description="Written by `rulekit sheet SET -o FILE.json`; renderers read this and nothing else.",
    )


def schema_text() -> str:
    """The schema as its file has it."""
    return json.dumps(schema(), indent=1) + "\n"
