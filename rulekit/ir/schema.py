"""The JSON schema of programs, made from the classes of the IR, so that it cannot lag behind them.

`schemas/ir.schema.json` is what `text` gives; a test compares the two.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, get_args

from rulekit.base.tagged import Definitions, Json
from rulekit.ir.expr import Expr
from rulekit.ir.program import FORMAT, Program
from rulekit.ir.serial import MOST_DIGITS, tag_of
from rulekit.ir.stmt import Stmt
from rulekit.ir.types import Scalar, SetOf, Type

NUMBER = "^-?(0|[1-9][0-9]*)$"
WHOLE = {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": NUMBER, "maxLength": MOST_DIGITS}]}
RATIO = {"type": "array", "prefixItems": [WHOLE, WHOLE], "items": False, "minItems": 2}
SCALARS: dict[Any, Json] = {
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


def schema() -> Json:
    """The schema."""
    definitions = Definitions(tag_of, SCALARS, _union, tag_of)
    definitions.schema_of(Program)
    definitions.by_name["Program"]["properties"]["format"] = {"const": FORMAT}
    return definitions.document(
        "Program",
        id="https://rulekit.invalid/schemas/ir.schema.json",
        title="The intermediate representation of a rule set",
        description="Written by `rulekit compile`. Every object says under `is` what it is.",
    )


def _union(definitions: Definitions, parts: tuple[Any, ...]) -> Json:
    """A union: plain values first, then the classes by their names."""
    classes: list[Any] = [part for part in parts if dataclasses.is_dataclass(part)]
    others = [definitions.schema_of(part) for part in parts if part not in classes]
    if len(classes) >= SHARED:
        tags = sorted(tag_of(part) for part in classes)
        name = NAMED.get(frozenset(classes), "Or".join(tags))
        others.append(definitions.define(name, lambda: _any_of(definitions, classes)))
    else:
        others += map(definitions.schema_of, classes)
    return {"anyOf": others} if len(others) > 1 else others[0]


def _any_of(definitions: Definitions, classes: Iterable[type]) -> Json:
    """One of some classes: the tag under `is` decides which it must be."""
    branches = [
        {"if": {"properties": {"is": {"const": tag_of(part)}}}, "then": definitions.schema_of(part)}
        for part in sorted(classes, key=tag_of)
    ]
    return {
        "type": "object",
        "required": ["is"],
        "properties": {"is": {"enum": sorted(map(tag_of, classes))}},
        "allOf": branches,
    }


if __name__ == "__main__":
    print(text(), end="")
