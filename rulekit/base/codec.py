"""Values of a type annotation as plain JSON, and back: the one codec of cached results.

A frozen record is the list of its fields, in order.  Where an annotation allows several kinds of list, the
last entry is the number of the alternative.  Each decoded value has the type that its annotation names, or
`decode` raises.  See docs/decisions/0025.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType
from typing import Any, Generic, Literal, TypeVar, Union, cast, get_args, get_origin

from rulekit.base.frozen import frozen

V = TypeVar("V")
Convert = Callable[[Any, Any], Any]
"""Makes plain JSON of a value, or a value of plain JSON; the second argument is the context."""


@frozen
class Encoding:
    """How values of one class are written: by `encode`, as JSON of one class, which `decode` reads.

    JSON of the class `same`, if there is one, is the value itself; the last entry of a list is the number of
    its decoder in `alternatives`.  Both spare calls of `decode` for most values.
    """

    value: type
    plain: type
    encode: Convert
    decode: Convert
    same: type | None = None
    alternatives: Sequence[Convert] = ()


class Codec(Generic[V]):
    """Writes and reads the values of one annotation.

    Args:
        hint: The annotation: of records, tuples, mappings by text, enums, literal texts and plain values.
        leaves: Forms of some classes, which may use the context that callers hand in.
    """

    def __init__(self, hint: Any, *leaves: Encoding) -> None:
        self._hint = hint
        self._forms: dict[Any, Encoding] = {leaf.value: leaf for leaf in leaves}

    def encode(self, value: V, context: Any = None) -> Any:
        """Return the value as plain JSON."""
        return self._form(self._hint).encode(value, context)

    def decode(self, plain: Any, context: Any = None) -> V:
        """Return the value that was encoded.

        Raises:
            ValueError, TypeError, IndexError, KeyError, AttributeError: `plain` is not such a value.
        """
        value: V = self._form(self._hint).decode(plain, context)
        return value

    def _form(self, hint: Any) -> Encoding:
        form = self._forms.get(hint)
        if form is None:
            form = self._forms[hint] = self._make(hint)
        return form

    def _make(self, hint: Any) -> Encoding:
        origin, parts = get_origin(hint), get_args(hint)
        if origin is Literal:
            return _as_is(str, parts)
        if origin in (Union, types.UnionType):
            return _union([self._form(part) for part in parts])
        if origin is tuple:
            forms = [self._form(part) for part in parts if part is not Ellipsis]
            return _sequence(forms[0]) if Ellipsis in parts else _tuple(forms)
        if origin is not None and issubclass(origin, Mapping):
            return _mapping(self._form(parts[1]))
        if is_dataclass(hint):
            return self._record(cast(type, hint))
        if issubclass(hint, Enum):
            return Encoding(hint, str, lambda value, context: value.value, lambda plain, context: hint(plain))
        return _as_is(hint)

    def _record(self, cls: type) -> Encoding:
        """Return the form of a record; each of its functions is compiled when it is first called."""
        writer: list[Convert] = []
        reader: list[Convert] = []

        def encode(value: Any, context: Any) -> Any:
            if not writer:
                writer.append(_record_writer(self._fields(cls)))
            return writer[0](value, context)

        def decode(plain: Any, context: Any) -> Any:
            if not reader:
                reader.append(_record_reader(cls, list(self._fields(cls).values())))
            return reader[0](plain, context)

        return Encoding(cls, list, encode, decode)

    def _fields(self, cls: type) -> Mapping[str, Encoding]:
        """Return the forms of a record's fields, in order."""
        hints = _hints(cls)
        return {field.name: self._form(hints[field.name]) for field in fields(cast(Any, cls))}


def _hints(cls: type) -> dict[str, Any]:
    """Return the types of a record's fields; `typing.get_type_hints` takes three times as long."""
    hints: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        around = vars(sys.modules[base.__module__])
        for name, hint in base.__dict__.get("__annotations__", {}).items():
            hints[name] = eval(hint, around) if isinstance(hint, str) else hint
    return hints


def _record_writer(forms: Mapping[str, Encoding]) -> Convert:
    """Return the function that writes a record, compiled like the one that reads it."""
    around = {f"encode_{n}": form.encode for n, form in enumerate(forms.values())}
    values = [
        f"value.{name}" if form.encode is _itself else f"encode_{n}(value.{name}, context)"
        for n, (name, form) in enumerate(forms.items())
    ]
    return _compile("write(value, context)", [f" return [{', '.join(values)}]"], around)


def _record_reader(cls: type, forms: Sequence[Encoding]) -> Convert:
    """Return the function that reads a record, compiled: a check may read 100,000 nodes of a game."""
    around: dict[str, Any] = {"cls": cls}
    lines, values = [], []
    for n, form in enumerate(forms):
        around |= {
            f"same_{n}": form.same,
            f"decode_{n}": form.decode,
            f"alternatives_{n}": form.alternatives,
        }
        lines.append(f" part_{n} = plain[{n}]")
        decode = f"alternatives_{n}[part_{n}[-1]]" if form.alternatives else f"decode_{n}"
        value = f"{decode}(part_{n}, context)"
        values.append(f"part_{n} if part_{n}.__class__ is same_{n} else {value}" if form.same else value)
    return _compile("read(plain, context)", [*lines, f" return cls({', '.join(values)})"], around)


def _compile(head: str, lines: Sequence[str], around: dict[str, Any]) -> Convert:
    exec(f"def {head}:\n" + "\n".join(lines), around)
    return cast(Convert, around[head.partition("(")[0]])


def _itself(value: Any, context: Any) -> Any:
    """The value, which is plain JSON."""
    return value


def _sequence(form: Encoding) -> Encoding:
    encode, decode = form.encode, form.decode
    return Encoding(
        tuple,
        list,
        lambda value, context: [encode(part, context) for part in value],
        lambda plain, context: tuple([decode(part, context) for part in plain]),
    )


def _tuple(forms: Sequence[Encoding]) -> Encoding:
    def encode(value: Any, context: Any) -> Any:
        return [form.encode(part, context) for form, part in zip(forms, value, strict=True)]

    def decode(plain: Any, context: Any) -> Any:
        return tuple([form.decode(part, context) for form, part in zip(forms, plain, strict=True)])

    return Encoding(tuple, list, encode, decode)


def _mapping(form: Encoding) -> Encoding:
    def all_by(convert: Convert) -> Convert:
        return lambda value, context: {key: convert(part, context) for key, part in value.items()}

    return Encoding(dict, dict, all_by(form.encode), all_by(form.decode))


def _union(forms: Sequence[Encoding]) -> Encoding:
    """Return the form of alternatives: the class of the JSON tells them apart, and lists have a number."""
    lists = [form for form in forms if form.plain is list]
    encoders = {form.value: form.encode for form in forms}
    if len(lists) > 1:
        encoders |= {form.value: _with_number(form.encode, number) for number, form in enumerate(lists)}
    alternatives = [form.decode for form in lists if len(lists) > 1]
    others = {form.plain: form.decode for form in forms if form.plain is not list}

    def encode(value: Any, context: Any) -> Any:
        return encoders[value.__class__](value, context)

    def decode(plain: Any, context: Any) -> Any:
        if lists and plain.__class__ is list:
            return (alternatives[plain[-1]] if alternatives else lists[0].decode)(plain, context)
        return others[plain.__class__](plain, context)

    same = NoneType if NoneType in others else None
    spared = alternatives if not others.keys() - {NoneType} else ()
    return Encoding(object, list if lists else object, encode, decode, same, spared)


def _with_number(encode: Convert, number: int) -> Convert:
    return lambda value, context: [*encode(value, context), number]


def _as_is(cls: type, allowed: Sequence[object] = ()) -> Encoding:
    """Return the form of values that are JSON themselves; of literal texts, those that are `allowed`."""

    def check(plain: Any, context: Any) -> Any:
        if plain.__class__ is not cls or (allowed and plain not in allowed):
            raise TypeError(f"expected {cls.__name__}")
        return plain

    return Encoding(cls, cls, _itself, check, None if allowed else cls)
