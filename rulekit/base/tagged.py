"""JSON with named fields for other programs: records as tagged objects, and the schema of them.

Both follow from the classes, so that they cannot lag behind them.  `rulekit.ir.serial` reads programs back.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

Json = dict[str, Any]
Tag = Callable[[type], str | None]
"""Gives what an object of a class is (`is`); None if its place says that already."""


def to_json(value: Any, tag_of: Tag, plain: Callable[[Any], Any]) -> Any:
    """Return tuples as lists, records as objects, and all other values as `plain` writes them."""
    if isinstance(value, tuple):
        return [to_json(part, tag_of, plain) for part in value]
    if not dataclasses.is_dataclass(value):
        return plain(value)
    tag = tag_of(cast(type, type(value)))
    members = {
        field.name: to_json(getattr(value, field.name), tag_of, plain) for field in dataclasses.fields(value)
    }
    return {"is": tag, **members} if tag else members


class Definitions:
    """The definitions that a schema needs, by name.

    Args:
        scalars: The schemas of values that are not records.
        union: Gives the schema of a union.
        name_of: Gives the name of the definition of a class.
    """

    def __init__(
        self,
        tag_of: Tag,
        scalars: Mapping[Any, Json],
        union: Callable[[Definitions, tuple[Any, ...]], Json],
        name_of: Callable[[type], str] = lambda cls: cls.__name__,
    ) -> None:
        self.by_name: dict[str, Json] = {}
        self._tag_of, self._scalars, self._union, self._name_of = tag_of, scalars, union, name_of

    def define(self, name: str, make: Callable[[], Json]) -> Json:
        """Return a reference to a definition, which is made once; it may refer to itself."""
        if name not in self.by_name:
            self.by_name[name] = {}
            self.by_name[name] = make()
        return {"$ref": f"#/$defs/{name}"}

    def schema_of(self, hint: Any) -> Json:
        """Return the schema of an annotation."""
        origin, parts = get_origin(hint), get_args(hint)
        if dataclasses.is_dataclass(hint):
            cls = cast(type, hint)
            return self.define(self._name_of(cls), lambda: self._object(cls))
        if origin is Literal:
            return {"enum": list(parts)}
        if origin is tuple and parts[1:] == (Ellipsis,):
            return {"type": "array", "items": self.schema_of(parts[0])}
        if origin is tuple:
            items = [self.schema_of(part) for part in parts]
            return {"type": "array", "prefixItems": items, "items": False, "minItems": len(parts)}
        return self._union(self, parts) if origin in (Union, types.UnionType) else self._scalars[hint]

    def _object(self, cls: Any) -> Json:
        tag, hints = self._tag_of(cls), get_type_hints(cls)
        properties = {"is": {"const": tag}} if tag else {}
        properties |= {field.name: self.schema_of(hints[field.name]) for field in dataclasses.fields(cls)}
        return {
            "description": " ".join((cls.__doc__ or "").split("\n\n")[0].split()),
            "type": "object",
            "required": list(properties),
            "additionalProperties": False,
            "properties": properties,
        }

    def document(self, root: str, **header: str) -> Json:
        """Return the whole schema of one of the definitions."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **{f"${name}" if name == "id" else name: text for name, text in header.items()},
            "$ref": f"#/$defs/{root}",
            "$defs": {name: self.by_name[name] for name in sorted(self.by_name)},
        }
