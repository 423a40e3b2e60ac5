"""Frozen records: dataclasses that are quick to declare and quick to make.

A program of rules has some hundreds of kinds of node, and each process that checks one declares them all.
`dataclasses.dataclass(frozen=True, slots=True)` compiles six methods for each; here one is compiled, the
others are shared.  See docs/decisions/0018.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

_C = TypeVar("_C", bound=type)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: _C) -> _C:
    """Make a class of annotated fields a frozen dataclass with slots.

    `dataclasses.fields`, `replace` and `match` take it as any other; copies and pickles are as one expects.
    Fields are equal in order, and hashed so; `field` may give a default or what makes one, and nothing else.
    A class that inherits from such a one must be such a one.
    """
    if not cls.__doc__:
        # Else it would be worked out of the signature, which takes longer than all the rest.
        cls.__doc__ = f"{cls.__name__}({', '.join(cls.__dict__.get('__annotations__', ()))})"
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    own: tuple[Field[Any], ...] = fields(made)
    names = tuple(each.name for each in own)
    values = _values(names)

    def equal(self: object, other: object) -> bool:
        if self is other:
            return True
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    methods: dict[str, Any] = {
        "__eq__": equal,
        "__hash__": lambda self: hash(values(self)),
        "__repr__": _repr,
        "__reduce__": lambda self: (made, values(self)),
    }
    for name, method in methods.items():
        if name not in cls.__dict__ or cls.__dict__[name] is None:  # `__eq__` alone takes `__hash__` away
            setattr(made, name, method)
    made.__init__ = _init(made, own)
    made.__setattr__ = made.__delattr__ = _refuse
    return made  # type: ignore[no-any-return]


def _init(cls: type, own: tuple[Field[Any], ...]) -> Callable[..., None]:
    """The method that takes the fields, compiled so that it is as quick as one written by hand."""
    around: dict[str, Any] = {}
    taken, lines = ["self"], []
    for number, each in enumerate(own):
        around[f"set_{number}"] = getattr(cls, each.name).__set__
        value = each.name
        if each.default_factory is not MISSING:
            around[f"make_{number}"] = each.default_factory
            around["MISSING"] = MISSING
            taken.append(f"{each.name}=MISSING")
            value = f"make_{number}() if {each.name} is MISSING else {each.name}"
        elif each.default is not MISSING:
            around[f"default_{number}"] = each.default
            taken.append(f"{each.name}=default_{number}")
        else:
            taken.append(each.name)
        lines.append(f" set_{number}(self, {value})")
    exec(f"def __init__({', '.join(taken)}):\n" + "\n".join(lines or [" pass"]), around)
    made: Callable[..., None] = around["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _values(names: tuple[str, ...]) -> Callable[[object], tuple[Any, ...]]:
    """What gives the values of the fields, in order."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda self: ()
    name = names[0]
    return lambda self: (getattr(self, name),)


def _repr(self: Any) -> str:
    said = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self))
    return f"{type(self).__qualname__}({said})"


def _refuse(self: object, name: str, *value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot change field {name!r}")
