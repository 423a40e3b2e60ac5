"""Frozen records as plain JSON and back, by the types of their fields: for caches, not for other programs."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_plain(value: object) -> Any:
    """Return a record as a list of its fields, a tuple as a list, a member of an enum as its value."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [to_plain(part) for part in value]
    if is_dataclass(value):
        return [to_plain(getattr(value, field.name)) for field in fields(value)]
    return value


def from_plain(kind: type[T], plain: object) -> T:
    """Return the record that `to_plain` was given.

    Raises:
        ValueError, KeyError: `plain` is none of this kind.
    """
    annotation: Any = kind
    record: T = _decoder(annotation)(plain)
    return record


@cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    """Return what decodes values of a type: a record, a tuple, one or None, a literal, an enum, a scalar."""
    origin, parts = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        decoders = [_decoder(hints[field.name]) for field in fields(kind)]
        record: Any = kind
        return lambda plain: record(*_each(decoders, plain))
    if origin is tuple and parts[1:] == (...,):
        item = _decoder(parts[0])
        return lambda plain: tuple(map(item, _checked(list, plain)))
    if origin is tuple:
        decoders = [_decoder(part) for part in parts]
        return lambda plain: tuple(_each(decoders, plain))
    if origin in (Union, types.UnionType):
        (some,) = (_decoder(part) for part in parts if part is not type(None))
        return lambda plain: None if plain is None else some(plain)
    if origin is Literal:
        words = {word: word for word in parts}
        return lambda plain: words[_checked(str, plain)]
    if issubclass(kind, Enum):
        return lambda plain: kind(plain)
    return lambda plain: _checked(kind, plain)


def _each(decoders: list[Callable[[Any], Any]], plain: object) -> list[Any]:
    parts = zip(decoders, _checked(list, plain), strict=True)
    return [decode(part) for decode, part in parts]


def _checked(kind: type[T], plain: object) -> T:
    if not isinstance(plain, kind):
        raise ValueError(f"expected {kind.__name__}, found {plain!r}")
    return plain
