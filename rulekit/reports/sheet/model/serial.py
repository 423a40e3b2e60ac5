"""Sheets as JSON: what renderers in other languages read, with its schema."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Iterator
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rulekit.reports.sheet.model import document
from rulekit.reports.sheet.model.document import Block, Sheet, kind_of

FORMAT = 1
_KINDS = {kind: kind_of(kind) for kind in get_args(Block)}
SIMPLE: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def to_json(sheet: Sheet) -> dict[str, Any]:
    """A sheet as plain data; a block says under `is` what it is."""
    return {"format": FORMAT, **_plain(sheet)}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if not dataclasses.is_dataclass(value):
        return value
    kind = _KINDS.get(type(value))
    made = {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return {"is": kind, **made} if kind else made


def numbers_in(block: Block) -> Iterator[str]:
    """Every printed number in a block."""

    def look(value: Any) -> Iterator[str]:
        if isinstance(value, tuple):
            for each in value:
                yield from look(each)
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

    return (number for number in dict.fromkeys(look(block)) if number)


def schema() -> dict[str, Any]:
    """The JSON schema of sheets, made from their classes."""
    definitions: dict[str, Any] = {}
    _described(Sheet, definitions)
    definitions["Sheet"]["properties"]["format"] = {"const": FORMAT}
    definitions["Sheet"]["required"].insert(0, "format")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:rulekit:schema:sheet",
        "title": "A reference sheet",
        "description": "Written by `rulekit sheet SET -o FILE.json`; renderers read this and nothing else.",
        "$ref": "#/$defs/Sheet",
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def schema_text() -> str:
    """The schema as it stands in its file."""
    return json.dumps(schema(), indent=1) + "\n"


def _described(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, inner = get_origin(kind), get_args(kind)
    if kind in SIMPLE:
        return {"type": SIMPLE[kind]}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_described(each, definitions) for each in inner]}
    if origin is tuple:
        if inner[-1] is Ellipsis:
            return {"type": "array", "items": _described(inner[0], definitions)}
        items = [_described(each, definitions) for each in inner]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}
        hints = get_type_hints(kind)
        names = [field.name for field in dataclasses.fields(kind)]
        properties = {field: _described(hints[field], definitions) for field in names}
        if kind in _KINDS:
            properties = {"is": {"const": _KINDS[kind]}, **properties}
        definitions[name] = {
            "description": " ".join((kind.__doc__ or "").split("\n\n")[0].split()),
            "type": "object",
            "required": list(properties),
            "additionalProperties": False,
            "properties": properties,
        }
    return {"$ref": f"#/$defs/{name}"}
