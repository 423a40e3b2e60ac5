"""Frozen records: dataclasses that are quick to declare and quick to make.

A program of rules has some hundreds of kinds of node, and each process that checks one declares them all.
`dataclasses.dataclass(frozen=True, slots=True)` compiles six methods for each; here all are shared, and
one that takes the fields has code of its own.  See docs/decisions/0018.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, NoReturn, TypeVar, dataclass_transform

_C = TypeVar("_C", bound=type)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: _C) -> _C:
    """Make a class of annotated fields a frozen dataclass with slots.

    `dataclasses.fields`, `replace`, `match`, copies and pickles work as usual.  Records are compared and
    hashed by their fields, in order; `field` may give a default or a default factory, and nothing else.  A
    subclass of a frozen class must be frozen.
    """
    if not cls.__doc__:
        # Else the signature would be worked out for it, which takes longer than all the rest.
        cls.__doc__ = f"{cls.__name__}({', '.join(cls.__dict__.get('__annotations__', ()))})"
    record: Any = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    own: tuple[Field[Any], ...] = fields(record)
    names = tuple(item.name for item in own)
    values = _values(names)

    def equal(self: object, other: object) -> bool:
        if self is other:
            return True
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    methods: dict[str, Any] = {
        "__eq__": equal,
        "__hash__": lambda self: hash(values(self)),
        "__repr__": _repr(names),
        "__reduce__": lambda self: (record, values(self)),
    }
    for name, method in methods.items():
        if name not in cls.__dict__ or cls.__dict__[name] is None:  # `__eq__` alone takes `__hash__` away
            setattr(record, name, method)
    record.__init__ = _init(record, own)
    record.__setattr__ = record.__delattr__ = _refuse
    return record  # type: ignore[no-any-return]


def _init(cls: type, own: tuple[Field[Any], ...]) -> Callable[..., None]:
    """Return the method that takes the fields, as quick as one written by hand."""
    around: dict[str, Any] = {"MISSING": MISSING}
    defaults: list[object] = []
    for number, item in enumerate(own):
        around[f"set_{number}"] = getattr(cls, item.name).__set__
        if item.default_factory is not MISSING:
            around[f"make_{number}"] = item.default_factory
            defaults.append(MISSING)
        elif item.default is not MISSING:
            defaults.append(item.default)
    code = _init_code(tuple(item.default_factory is not MISSING for item in own))
    code = code.replace(co_varnames=("self", *(item.name for item in own)))
    method = FunctionType(code, around, "__init__", tuple(defaults))
    method.__qualname__ = f"{cls.__qualname__}.__init__"
    return method


@functools.cache
def _init_code(made: tuple[bool, ...]) -> CodeType:
    """Return the code of the method for so many fields; `made` says of each whether it has a factory.

    Compiling it takes longer than all the rest, and hundreds of classes share a few dozen of these.
    """
    taken = ["self", *(f"value_{number}" for number in range(len(made)))]
    lines = [
        f" set_{n}(self, make_{n}() if value_{n} is MISSING else value_{n})"
        if factory
        else f" set_{n}(self, value_{n})"
        for n, factory in enumerate(made)
    ]
    around: dict[str, Any] = {}
    exec(f"def __init__({', '.join(taken)}):\n" + "\n".join(lines or [" pass"]), around)
    code: CodeType = around["__init__"].__code__
    return code


def _values(names: tuple[str, ...]) -> Callable[[object], tuple[Any, ...]]:
    """Return a function that returns the values of the fields, in order."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda self: ()
    name = names[0]
    return lambda self: (getattr(self, name),)


def _repr(names: tuple[str, ...]) -> Callable[[object], str]:
    """Return the method that names the fields and their values."""

    def text(self: object) -> str:
        parts = [f"{name}={getattr(self, name)!r}" for name in names]
        return f"{self.__class__.__qualname__}({', '.join(parts)})"

    return text


def _refuse(self: object, name: str, *value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot change field {name!r}")
