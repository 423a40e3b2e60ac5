"""Programs as JSON, and back, without loss; `schema` describes what is written.

Generic over the dataclasses of the IR: an object carries its class under `is` and its fields by name.
Numbers beyond 2^53 are decimal text, because readers in other languages have only doubles; ratios as
`{"ratio": [above, below]}`.  Read by other back ends; written by `rulekit compile`.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rulekit.base import tagged
from rulekit.ir.program import FORMAT, NamedSet, Program

SAFE = 2**53
"""Numbers up to here are numbers in JSON; others are text."""

MOST_DIGITS = 100_000


class SerialError(ValueError):
    """JSON that is not a program; the message says where."""


def to_json(value: Program) -> dict[str, Any]:
    """Return the program as JSON."""
    program: dict[str, Any] = tagged.to_json(value, tag_of, _plain)
    return program


def from_json(data: object) -> Program:
    """Return the program that `to_json` wrote.

    Raises:
        SerialError: It is not a program, or has another format.
    """
    if isinstance(data, dict) and data.get("format") != FORMAT:
        raise SerialError(f"unsupported program format {data.get('format')!r} (expected {FORMAT})")
    try:
        program: Program = _reader(Program)(data, "program")
    except RecursionError:
        raise SerialError("the program is nested too deeply") from None
    return program


# ---------------------------------------------------------------- out


def _plain(value: Any) -> Any:
    """Return a plain value as JSON."""
    if isinstance(value, Fraction):
        return {"ratio": [_plain(value.numerator), _plain(value.denominator)]}
    if isinstance(value, int) and not isinstance(value, bool) and not -SAFE <= value <= SAFE:
        return _digits(value)
    return value


def tag_of(kind: type) -> str:
    """Return what an object of a class is in the JSON."""
    return "Kind" if kind is NamedSet else kind.__name__


def _digits(value: int) -> str:
    """Return decimal digits, however many; Python refuses to write very long numbers by itself."""
    sign, rest, parts = ("-" if value < 0 else ""), abs(value), []
    while rest:
        rest, part = divmod(rest, 10**4000)
        parts.append(str(part).zfill(4000))
    return sign + "".join(reversed(parts)).lstrip("0")


def _number(text: str) -> int:
    """Return a number from its digits, however many."""
    number = 0
    digits = text.removeprefix("-")
    for start in range(0, len(digits), 4000):
        part = digits[start : start + 4000]
        number = number * 10 ** len(part) + int(part)
    return -number if text.startswith("-") else number


# ---------------------------------------------------------------- in

Reader = Callable[[Any, str], Any]


@cache
def _reader(kind: Any) -> Reader:
    """Return the reader for values of a type annotation."""
    if dataclasses.is_dataclass(kind):
        return _object_reader(kind)
    origin = get_origin(kind)
    if origin is Literal:
        return _literal_reader(get_args(kind))
    if origin is tuple:
        return _tuple_reader(get_args(kind))
    if origin in (Union, types.UnionType):
        return _union_reader(get_args(kind))
    if kind is int:
        return _whole
    if kind is Fraction:
        return _ratio
    return _plain_reader(kind, {bool: "true or false", str: "text", type(None): "null"}[kind])


def _fail(where: str, wanted: str, found: object) -> typing.NoReturn:
    text = repr(found)
    raise SerialError(f"{where}: expected {wanted}, found {text if len(text) <= 40 else f'{text[:37]}...'}")


def _object_reader(kind: Any) -> Reader:
    names = [field.name for field in dataclasses.fields(kind)]
    hints = get_type_hints(kind)

    def read(data: Any, where: str) -> Any:
        if not isinstance(data, dict) or data.get("is") != tag_of(kind):
            _fail(where, f"an object that is a {tag_of(kind)}", data)
        if len(data) != len(names) + 1:
            _fail(where, f"exactly the fields of a {tag_of(kind)}", sorted(map(str, data)))
        values = {}
        for name in names:
            if name not in data:
                _fail(where, f"the field `{name}`", sorted(map(str, data)))
            values[name] = _reader(hints[name])(data[name], f"{where}.{name}")
        return kind(**values)

    return read


def _literal_reader(words: tuple[Any, ...]) -> Reader:
    def read(data: Any, where: str) -> Any:
        if not isinstance(data, str) or data not in words:
            _fail(where, f"one of {', '.join(map(str, words))}", data)
        return data

    return read


def _tuple_reader(parts: tuple[Any, ...]) -> Reader:
    def each(data: Any, where: str) -> Any:
        if not isinstance(data, list):
            _fail(where, "a list", data)
        reader = _reader(parts[0])
        return tuple(reader(one, f"{where}[{place}]") for place, one in enumerate(data))

    def exact(data: Any, where: str) -> Any:
        if not isinstance(data, list) or len(data) != len(parts):
            _fail(where, f"a list of {len(parts)}", data)
        pairs = enumerate(zip(data, parts, strict=True))
        return tuple(_reader(part)(one, f"{where}[{place}]") for place, (one, part) in pairs)

    return each if len(parts) == 2 and parts[1] is Ellipsis else exact


def _union_reader(parts: tuple[Any, ...]) -> Reader:
    """Return the reader of a union: the shapes of its parts differ."""
    classes: dict[str, Any] = {part.__name__: part for part in parts if dataclasses.is_dataclass(part)}  # type: ignore[union-attr]
    others = [part for part in parts if not dataclasses.is_dataclass(part)]

    def read(data: Any, where: str) -> Any:
        if isinstance(data, dict) and "is" in data:
            part = classes.get(data["is"]) if isinstance(data["is"], str) else None
            return _reader(part)(data, where) if part is not None else _fail(where, _expects(parts), data)
        for part in others:
            if _fits(part, data):
                return _reader(part)(data, where)
        _fail(where, _expects(parts), data)

    return read


def _expects(parts: tuple[Any, ...]) -> str:
    return "one of " + ", ".join(getattr(part, "__name__", str(part)) for part in parts)


def _fits(part: Any, data: Any) -> bool:
    """True if JSON looks like a value of an annotation other than a class of the IR."""
    if part is int:
        return isinstance(data, int | str) and not isinstance(data, bool)
    return isinstance(data, _SHAPES[get_origin(part) or part])


_SHAPES: Mapping[Any, type] = {
    tuple: list, Literal: str, type(None): type(None), bool: bool, Fraction: dict, str: str
}  # fmt: skip


def _whole(data: Any, where: str) -> int:
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    digits = data.removeprefix("-") if isinstance(data, str) and len(data) <= MOST_DIGITS else ""
    return _number(data) if digits.isdecimal() and digits.isascii() else _fail(where, "a number", data)


def _plain_reader(kind: type, words: str) -> Reader:
    return lambda data, where: data if isinstance(data, kind) else _fail(where, words, data)


def _ratio(data: Any, where: str) -> Fraction:
    parts = data.get("ratio") if isinstance(data, dict) and len(data) == 1 else None
    if not isinstance(parts, list) or len(parts) != 2:
        _fail(where, "a ratio", data)
    above, below = _whole(parts[0], where), _whole(parts[1], where)
    return Fraction(above, below) if below > 0 else _fail(where, "a ratio", data)
