"""Expressions worked out before play: beginnings of states, fixed fields, answers in examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from rulekit import ir
from rulekit.ir import types as t
from rulekit.ir.expr import Value

Look = Callable[[str, tuple[int, ...]], Value | None]


class NotConstant(Exception):
    """The expression reads something that only play can tell."""


def constant(made: ir.Expr, locals_: Mapping[str, Value], look: Look) -> Value:
    """The value of an expression over constants, the locals given, and static tables (`look`).

    Raises:
        NotConstant: It reads state, calls a function, or is of a form that beginnings do not need.
    """
    match made:
        case ir.Const():
            return made.value
        case ir.Local() if made.name in locals_:
            return locals_[made.name]
        case ir.Static():
            keys = tuple(_number(constant(key, locals_, look)) for key in made.keys)
            found = look(made.table, keys)
            if found is None:
                raise NotConstant
            return found
        case ir.If():
            branch = made.then if constant(made.condition, locals_, look) else made.otherwise
            return constant(branch, locals_, look)
        case ir.Op():
            return _operation(made, [constant(part, locals_, look) for part in made.operands])
        case _:
            raise NotConstant


def _number(value: Value) -> int:
    if isinstance(value, int):
        return int(value)
    raise NotConstant


def _operation(made: ir.Op, parts: list[Value]) -> Value:
    if made.op == "list_of":
        return tuple(_number(part) for part in parts)
    if made.op in ("eq", "ne"):
        return (parts[0] == parts[1]) == (made.op == "eq")
    if made.op == "ratio":
        return Fraction(_number(parts[0]), _number(parts[1]))
    simple = WORKED.get(made.op)
    if simple is None:
        raise NotConstant
    return simple(*(_number(part) for part in parts))


WORKED: Mapping[str, Callable[..., int | bool]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "div_down": lambda a, b: a // b,
    "div_up": lambda a, b: -(-a // b),
    "div_nearest": lambda a, b: (2 * a + b) // (2 * b),
    "mod": lambda a, b: a % b,
    "smaller": min,
    "larger": max,
    "abs": abs,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "and": lambda a, b: bool(a and b),
    "or": lambda a, b: bool(a or b),
    "not": lambda a: not a,
    "single": lambda a: 1 << a,
    "union": lambda a, b: a | b,
    "inter": lambda a, b: a & b,
    "diff": lambda a, b: a & ~b,
    "has": lambda a, b: bool(b >> a & 1),
    "count": lambda a: a.bit_count(),
    "is_empty": lambda a: a == 0,
    "within": lambda a, b: a & ~b == 0,
    "is_none": lambda a: a == t.NONE,
    "or_else": lambda a, b: b if a == t.NONE else a,
}
