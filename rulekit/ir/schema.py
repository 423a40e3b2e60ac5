"""The JSON schema of programs, made from the classes of the IR, so that it cannot lag behind them.

`schemas/ir.schema.json` is what `text` gives; a test compares the two.
"""

from __future__ import annotations

import dataclasses
import json
import types
from fractions import Fraction
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rulekit.ir.expr import Expr
from rulekit.ir.program import FORMAT, Program
from rulekit.ir.serial import MOST_DIGITS, tag_of
from rulekit.ir.stmt import Stmt
from rulekit.ir.types import Scalar, SetOf, Type

NUMBER = "^-?(0|[1-9][0-9]*)$"
WHOLE = {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": NUMBER, "maxLength": MOST_DIGITS}]}
RATIO = {"type": "array", "prefixItems": [WHOLE, WHOLE], "items": False, "minItems": 2}
SCALARS: dict[Any, dict[str, Any]] = {
    int: WHOLE,
    bool: {"type": "boolean"},
    str: {"type": "string"},
    type(None): {"type": "null"},
    Fraction: {
        "type": "object",
        "required": ["ratio"],
        "additionalProperties": False,
        "properties": {"ratio": RATIO},
    },
}
SHARED = 3
"""A union of at least so many classes gets a definition of its own."""


NAMED = {
    frozenset(get_args(Expr)): "Expr",
    frozenset(get_args(Stmt)): "Stmt",
    frozenset(get_args(Type)): "Type",
    frozenset(get_args(Scalar)): "Scalar",
    frozenset((*get_args(Scalar), SetOf)): "Item",
}
"""Names of unions in the schema."""


def text() -> str:
    """The schema as its file holds it."""
    return json.dumps(schema(), indent=1) + "\n"


def schema() -> dict[str, Any]:
    """The schema."""
    definitions: dict[str, Any] = {}
    _class(Program, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://rulekit.invalid/schemas/ir.schema.json",
        "title": "The intermediate representation of a rule set",
        "description": "Written by `rulekit compile`. Every object says under `is` what it is.",
        "$ref": "#/$defs/Program",
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def _class(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """A reference to the definition of a class, which is made with all that it refers to."""
    name = tag_of(kind)
    if name not in definitions:
        definitions[name] = {}
        hints = get_type_hints(kind)
        names = [field.name for field in dataclasses.fields(kind)]
        properties = {field: _described(hints[field], definitions) for field in names}
        if kind is Program:
            properties["format"] = {"const": FORMAT}
        definitions[name] = {
            "description": " ".join((kind.__doc__ or "").split("\n\n")[0].split()),
            "type": "object",
            "required": ["is", *names],
            "additionalProperties": False,
            "properties": {"is": {"const": name}, **properties},
        }
    return {"$ref": f"#/$defs/{name}"}


def _described(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type annotation."""
    if dataclasses.is_dataclass(kind):
        return _class(kind, definitions)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is tuple and len(parts) == 2 and parts[1] is Ellipsis:
        return {"type": "array", "items": _described(parts[0], definitions)}
    if origin is tuple:
        each = [_described(part, definitions) for part in parts]
        return {"type": "array", "prefixItems": each, "items": False, "minItems": len(parts)}
    if origin in (Union, types.UnionType):
        return _alternatives(parts, definitions)
    return SCALARS[kind]


def _alternatives(parts: tuple[Any, ...], definitions: dict[str, Any]) -> dict[str, Any]:
    """A union: what is no class first, for it is told apart at a glance; then the classes, by their name."""
    classes = [part for part in parts if dataclasses.is_dataclass(part)]
    others = [_described(part, definitions) for part in parts if part not in classes]
    if len(classes) >= SHARED:
        others.append(_union(classes, definitions))
    else:
        others += [_class(part, definitions) for part in classes]
    return {"anyOf": others} if len(others) > 1 else others[0]


def _union(classes: list[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """A reference to the definition of a union: the name under `is` decides which class it must be."""
    names = sorted(part.__name__ for part in classes)
    name = NAMED.get(frozenset(classes), "Or".join(names))
    if name not in definitions:
        definitions[name] = {}
        branches = []
        for part in sorted(classes, key=lambda part: str(part.__name__)):
            test = {"properties": {"is": {"const": part.__name__}}}
            branches.append({"if": test, "then": _class(part, definitions)})
        definitions[name] = {
            "type": "object",
            "required": ["is"],
            "properties": {"is": {"enum": names}},
            "allOf": branches,
        }
    return {"$ref": f"#/$defs/{name}"}


if __name__ == "__main__":
    print(text(), end="")
