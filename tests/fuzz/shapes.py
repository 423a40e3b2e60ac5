"""Values of JSON at random: as a schema has them, spoiled at one place, written as YAML in many styles."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any, Final

from tests.fuzz.mutation import ODD_TEXTS

Json = Any
ODD_VALUES: Final = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        7,
        19,
        2**31,
        2**63,
        2**64,
        -(2**63),
        10**18,
        10**19,
        10**400,
        1.5,
        1e300,
    ),
    *("", "0", "1", "none", "true", "x", "\0", "\x1b[2J", "\u202e", "\ud800", "x" * 300, "Jan 1942", "1:2"),
    *([], {}, [[]], [None], {"": None}, {"value": 1}, [1, 2, 3], {"a": {"b": {"c": []}}}, [[[[[[[[]]]]]]]]),
)
"""Values that no schema allows in most places."""
WORDS: Final = (
    *(
        "a",
        "Red",
        "Ship",
        "n",
        "1",
        "7.2",
        "as-printed",
        "printed",
        "missing",
        "x.yaml",
        "data/a.yaml",
        "play",
    ),
    *(
        "RK402",
        "0.2",
        "#ff0000",
        "#ab",
        "Title: x",
        "a b",
        "-",
        "é",
        "漢",
        "yes",
        "~",
        "d6",
        "*",
        "0x1F",
        "1e5",
    ),
)


def of_schema(schema: Mapping[str, Any], chance: random.Random) -> Json:
    """Return a value that a JSON schema has room for; not everything in a schema is heeded."""
    return _Maker(schema, chance).value(schema, 0)


class _Maker:
    def __init__(self, root: Mapping[str, Any], chance: random.Random) -> None:
        self._root, self._chance = root, chance

    def value(self, schema: Mapping[str, Any], depth: int) -> Json:
        chance = self._chance
        if "$ref" in schema:
            target: Any = self._root
            for part in schema["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            return self.value(target, depth)
        for name in ("anyOf", "oneOf"):
            if name in schema:
                return self.value(chance.choice(schema[name]), depth)
        if "if" in schema:
            return self.value(
                {**schema["if"], **schema["then"]} if chance.random() < 0.5 else schema["else"], depth
            )
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return chance.choice(schema["enum"])
        kinds = schema.get("type", "object" if "properties" in schema else "string")
        kind = kinds if isinstance(kinds, str) else chance.choice(kinds)
        if depth > 6 and kind in ("array", "object"):
            return None
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, depth)
            case "integer" | "number":
                low = schema.get("minimum", schema.get("exclusiveMinimum", -3))
                return chance.choice((low, low + 1, low + chance.randint(0, 40), schema.get("maximum", 5)))
            case "boolean":
                return chance.random() < 0.5
            case "null":
                return None
        return self._text(schema)

    def _object(self, schema: Mapping[str, Any], depth: int) -> Json:
        chance, required = self._chance, schema.get("required", ())
        own: Mapping[str, Any] = schema.get("properties", {})
        likely = chance.choice((0.1, 0.4, 0.8))
        value = {
            name: self.value(part, depth + 1)
            for name, part in own.items()
            if name in required or chance.random() < likely
        }
        others = schema.get("additionalProperties", False)
        if isinstance(others, Mapping):
            value |= {
                chance.choice(WORDS): self.value(others, depth + 1) for _ in range(chance.randint(0, 3))
            }
        return value

    def _array(self, schema: Mapping[str, Any], depth: int) -> Json:
        first = [self.value(part, depth + 1) for part in schema.get("prefixItems", ())]
        items = schema.get("items", {})
        if not isinstance(items, Mapping):
            return first
        return [*first, *(self.value(items, depth + 1) for _ in range(self._chance.choice((0, 1, 2, 2, 3))))]

    def _text(self, schema: Mapping[str, Any]) -> str:
        chance = self._chance
        match schema.get("pattern", ""):
            case "^#[0-9a-fA-F]{6}$":
                return f"#{chance.randrange(2**24):06x}"
            case "^[0-9]{1,4}\\.[0-9]{1,4}$":
                return "0.2"
        return chance.choice(WORDS)


# ---------------------------------------------------------------- spoiling


def spoil(value: Json, chance: random.Random) -> Json:
    """Return a copy with something else at one place, or without it, or with it twice."""
    place: list[Any] = []
    inner = value
    while isinstance(inner, dict | list) and inner and chance.random() < 0.85:
        key = chance.choice(list(inner)) if isinstance(inner, dict) else chance.randrange(len(inner))
        place.append(key)
        inner = inner[key]
    return _changed(value, place, chance)


def _changed(value: Json, place: list[Any], chance: random.Random) -> Json:
    if not place:
        return _other(value, chance)
    key, *rest = place
    if isinstance(value, dict):
        if not rest:
            match chance.randrange(6):
                case 0:
                    return {name: part for name, part in value.items() if name != key}
                case 1:
                    return {
                        chance.choice((*value, *WORDS)) if name == key else name: value[name]
                        for name in value
                    }
                case 2:
                    return {**value, key: chance.choice(list(value.values()))}
        return {**value, key: _changed(value[key], rest, chance)}
    if not rest:
        match chance.randrange(5):
            case 0:
                return [*value[:key], *value[key + 1 :]]
            case 1:
                return [*value[: key + 1], *value[key:]]
            case 2:
                return [*value[:key], chance.choice(value), *value[key + 1 :]]
    return [*value[:key], _changed(value[key], rest, chance), *value[key + 1 :]]


def _other(value: Json, chance: random.Random) -> Json:
    match value:
        case bool():
            return chance.choice((not value, *ODD_VALUES))
        case int() if chance.random() < 0.6:
            return value + chance.choice((-1, 1, -value, 10, -100, 2**40))
        case str() if chance.random() < 0.5:
            at = chance.randint(0, len(value))
            return value[:at] + chance.choice((*ODD_TEXTS, *WORDS)) + value[at + chance.randint(0, 1) :]
    return chance.choice(ODD_VALUES)


# ---------------------------------------------------------------- writing


def as_json(value: Json) -> str:
    """Return a value as JSON, on one line."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def as_yaml(value: Json, chance: random.Random) -> str:
    """Return a value as YAML, in any style at each place."""
    return "\n".join(_yaml(value, chance)) + ("\n" if chance.random() < 0.95 else "")


def _yaml(value: Json, chance: random.Random) -> list[str]:
    if not isinstance(value, dict | list) or not value or chance.random() < 0.2:
        return [_flow(value, chance)]
    lines: list[str] = []
    parts = value.items() if isinstance(value, dict) else ((None, part) for part in value)
    for key, part in parts:
        head = "- " if key is None else f"{_scalar(key, chance)}: "
        inner = _yaml(part, chance)
        if len(inner) == 1 and (not isinstance(part, dict | list) or inner[0][:1] in "[{"):
            lines.append(head + inner[0])
        elif key is None and chance.random() < 0.7:
            lines += [f"- {inner[0]}", *(f"  {line}" for line in inner[1:])]
        else:
            lines += [head.rstrip(), *(f"  {line}" for line in inner)]
    if chance.random() < 0.02:
        lines.insert(chance.randint(0, len(lines)), chance.choice(("# why", "", "  ", "---", "...")))
    return lines


def _flow(value: Json, chance: random.Random) -> str:
    if isinstance(value, dict):
        pairs = (f"{_scalar(key, chance)}: {_flow(part, chance)}" for key, part in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_flow(part, chance) for part in value)}]"
    return _scalar(value, chance)


def _scalar(value: Json, chance: random.Random) -> str:
    if value is None:
        return chance.choice(("~", "null", ""))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value) if abs(value) < 10**300 else "9" * 300
    match chance.randrange(8):
        case 0 | 1:
            return json.dumps(value)
        case 2:
            return "'" + value.replace("'", "''") + "'"
    return value.encode("utf-8", "replace").decode()
