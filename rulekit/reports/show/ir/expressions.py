"""Expressions and values of the IR as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from fractions import Fraction
from typing import assert_never

from rulekit import ir
from rulekit.base.bits import members
from rulekit.ir import types as t
from rulekit.ir.expr import OpName, Value
from rulekit.ir.program import Key

_IDENTIFIER = re.compile(r"[^\W\d][\w.:'+-]*")


class Binding(IntEnum):
    """How tightly the parts of a text hold together; a looser text inside a tighter one gets parentheses."""

    OPEN = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    SUM = 5
    PRODUCT = 6
    PREFIX = 7
    ATOM = 8


B = Binding

INFIX: dict[OpName, tuple[str, Binding, Binding, Binding]] = {
    "or": ("or", B.OR, B.OR, B.AND),
    "and": ("and", B.AND, B.AND, B.NOT),
    "eq": ("=", B.COMPARISON, B.SUM, B.SUM),
    "ne": ("is not", B.COMPARISON, B.SUM, B.SUM),
    "lt": ("<", B.COMPARISON, B.SUM, B.SUM),
    "le": ("<=", B.COMPARISON, B.SUM, B.SUM),
    "gt": (">", B.COMPARISON, B.SUM, B.SUM),
    "ge": (">=", B.COMPARISON, B.SUM, B.SUM),
    "has": ("in", B.COMPARISON, B.SUM, B.SUM),
    "list_has": ("in", B.COMPARISON, B.SUM, B.SUM),
    "within": ("within", B.COMPARISON, B.SUM, B.SUM),
    "add": ("+", B.SUM, B.SUM, B.PRODUCT),
    "sub": ("-", B.SUM, B.SUM, B.PRODUCT),
    "union": ("+", B.SUM, B.SUM, B.PRODUCT),
    "diff": ("-", B.SUM, B.SUM, B.PRODUCT),
    "mul": ("*", B.PRODUCT, B.PRODUCT, B.PREFIX),
    "mod": ("mod", B.PRODUCT, B.PRODUCT, B.PREFIX),
    "inter": ("&", B.PRODUCT, B.PRODUCT, B.PREFIX),
    "or_else": ("otherwise", B.OPEN, B.OR, B.OR),
}
"""Symbol, own binding, and what the left and the right operand must at least have."""

SHAPES: dict[OpName, tuple[str, Binding, tuple[Binding, ...]]] = {
    "not": ("not {}", B.NOT, (B.NOT,)),
    "neg": ("-{}", B.PREFIX, (B.ATOM,)),
    "count": ("count of {}", B.PREFIX, (B.ATOM,)),
    "is_none": ("{} is none", B.COMPARISON, (B.SUM,)),
    "is_empty": ("{} is empty", B.COMPARISON, (B.SUM,)),
    "div_down": ("{} / {} rounded down", B.COMPARISON, (B.PREFIX, B.PREFIX)),
    "div_up": ("{} / {} rounded up", B.COMPARISON, (B.PREFIX, B.PREFIX)),
    "div_nearest": ("{} / {} rounded to nearest", B.COMPARISON, (B.PREFIX, B.PREFIX)),
    "single": ("{{{}}}", B.ATOM, (B.OPEN,)),
    "no_map": ("{{}}", B.ATOM, ()),
    "map_get": ("{}({})", B.ATOM, (B.ATOM, B.OPEN)),
    "map_with": ("{} with {}: {}", B.OPEN, (B.ATOM, B.SUM, B.OPEN)),
}
"""Pattern, own binding, and what operands must at least have.  Any other operation looks like a call."""


class Expressions:
    """Writes the expressions of one program."""

    def __init__(self, program: ir.Program) -> None:
        self._domains = program.by_name.domains
        self._kinds: dict[tuple[str, int], str] = {}
        for kind in reversed(program.kinds):
            self._kinds[kind.domain, kind.members] = kind.name

    def text(self, e: ir.Expr, least: Binding = B.OPEN) -> str:
        """An expression on one line, in parentheses if it binds less tightly than `least`."""
        text, own = self._with_binding(e)
        return f"({text})" if own < least else text

    def _with_binding(self, e: ir.Expr) -> tuple[str, Binding]:
        match e:
            case ir.Const():
                text = self.value(e.type, e.value)
                return text, B.SUM if text.startswith("-") or " - " in text else B.ATOM
            case ir.Local():
                return name_text(e.name), B.ATOM
            case ir.Static():
                return self.cell(e.table, e.keys) + ("?" if e.fallible else ""), B.ATOM
            case ir.Read():
                return self.cell(e.state, e.keys), B.ATOM
            case ir.Flagged():
                return f"{name_text(e.state)}[{', '.join([*map(self.text, e.keys), '*'])}]", B.ATOM
            case ir.At():
                word = "at any of" if e.many else "at"
                return f"pieces {word} {self.text(e.space, B.ATOM)}", B.PREFIX
            case ir.Apply():
                return self.call(e.function, e.arguments), B.ATOM
            case ir.Op():
                return self._operation(e)
            case ir.If():
                parts = self.text(e.then, B.OR), self.text(e.condition, B.OR), self.text(e.otherwise, B.OPEN)
                return f"{parts[0]} when {parts[1]} otherwise {parts[2]}", B.OPEN
            case ir.Filter():
                return f"{self._each(e)} where {self.text(e.body, B.OR)}", B.OPEN
            case ir.Best():
                return f"{self._each(e)} with {e.kind} {self.text(e.key, B.OR)}", B.OPEN
            case ir.Linked():
                return self._linked_text(e), B.OPEN
            case ir.BestWay():
                return self._way_text(e), B.OPEN
            case ir.Fold():
                return self._fold(e), B.OPEN
            case _:
                assert_never(e)

    def _operation(self, e: ir.Op) -> tuple[str, Binding]:
        inner = e.operands[0] if e.operands else None
        if e.op == "not" and isinstance(inner, ir.Op) and inner.op in ("is_none", "is_empty"):
            word = inner.op.partition("_")[2]
            return f"{self.text(inner.operands[0], B.SUM)} is not {word}", B.COMPARISON
        if e.op in INFIX:
            symbol, own, left, right = INFIX[e.op]
            first, second = e.operands
            return f"{self.text(first, left)} {symbol} {self.text(second, right)}", own
        if e.op in SHAPES:
            pattern, own, least = SHAPES[e.op]
            return pattern.format(*map(self.text, e.operands, least)), own
        operands = [self.text(operand) for operand in e.operands]
        if e.op == "list_of":
            return f"[{', '.join(operands)}]", B.ATOM
        detail = [f'"{e.detail}"'] if e.detail else []
        return f"{e.op}({', '.join([*operands, *detail])})", B.ATOM

    def _each(self, e: ir.Binding) -> str:
        return f"{name_text(e.var.name)} in {self.text(e.over, B.SUM)}"

    def _linked_text(self, e: ir.Linked) -> str:
        return f"{self._each(e)} linked to {self.text(e.start, B.SUM)} {self._steps(e)}"

    def _way_text(self, e: ir.BestWay) -> str:
        start, goal = self.text(e.start, B.SUM), self.text(e.goal, B.SUM)
        return f"cheapest way from {start} to {goal} through {self._each(e)} {self._steps(e)}"

    def _steps(self, e: ir.Linked | ir.BestWay) -> str:
        within = "" if e.within is None else f" within {self.text(e.within, B.SUM)}"
        return f"by {self.text(e.relation, B.SUM)}{within}"

    def _fold(self, e: ir.Fold) -> str:
        match e.kind:
            case "any" | "all" | "no":
                word = {"any": "some", "all": "every", "no": "no"}[e.kind]
                return f"{word} {self._each(e)} has {self.text(e.body, B.OR)}"
            case "total" | "lowest" | "highest" | "join" | "map" | "grouped":
                return f"{e.kind} {self.text(e.body, B.SUM)} for {self._each(e)}"
            case _:
                assert_never(e.kind)

    def cell(self, name: str, keys: Iterable[ir.Expr]) -> str:
        """A cell of a state or a table: `hits[Red]`; without keys the name alone."""
        inside = ", ".join(map(self.text, keys))
        return f"{name_text(name)}[{inside}]" if inside else name_text(name)

    def call(self, name: str, arguments: Iterable[ir.Expr]) -> str:
        """A call of a function, procedure, choice or point of chance."""
        return f"{name_text(name)}({', '.join(map(self.text, arguments))})"

    # -- values

    def value(self, kind: t.Type, value: Value) -> str:
        """A constant of a type; `none`, `gap` (no row of a printed table) and `done` (of an answer) too."""
        if value == t.NONE:
            return "none"
        if value == t.DONE:
            return "done"
        if value == t.GAP:
            return "gap"
        match kind:
            case t.Optional(of=of):
                return self.value(of, value)
            case t.Flag():
                return "true" if value else "false"
            case t.Month():
                return t.month_text(_number(value))
            case t.Ratio():
                return t.ratio_text(value if isinstance(value, Fraction) else Fraction(_number(value)))
            case t.Member(domain=domain):
                return name_text(self._domains[domain].members[_number(value)])
            case t.SetOf(of=of):
                return self._set(of, _number(value))
            case t.ListOf(of=of):
                assert isinstance(value, tuple)
                return f"[{', '.join(self.value(of, item) for item in value)}]"
            case t.Row():
                return f"row {value}"
            case t.Text():
                return f'"{value}"'
            case t.Int() | t.MapOf() | t.Record() | t.Nothing():
                return str(value)
            case _:
                assert_never(kind)

    def _set(self, of: t.Member | t.Int, mask: int) -> str:
        """A kind's name for all its members; else the members, or the kind without those it lacks."""
        if isinstance(of, t.Int):
            return self._member_list(of, mask)
        known = self._kinds.get((of.domain, mask))
        if known is not None and mask:
            return known
        whole = next(
            (mask_ for (d, mask_), name in self._kinds.items() if (d, name) == (of.domain, of.name)), 0
        )
        lacking = whole & ~mask
        if mask & ~whole == 0 and lacking.bit_count() * 3 < mask.bit_count():
            return f"{of.name} - {self._member_list(of, lacking)}"
        return self._member_list(of, mask)

    def _member_list(self, of: t.Member | t.Int, mask: int) -> str:
        return f"{{{', '.join(self.value(of, number) for number in members(mask))}}}"

    def members(self, of: t.SetOf, mask: int) -> str:
        """All members of a mask, by name."""
        return self._member_list(of.of, mask)

    def key(self, key: Key, number: int) -> str:
        """A value of a key: a member's name, or a number."""
        return name_text(self._domains[key].members[number]) if isinstance(key, str) else str(number)

    def key_values(self, key: Key) -> range:
        """All values of a key, in order."""
        low, high = (0, len(self._domains[key].members) - 1) if isinstance(key, str) else key
        return range(low, high + 1)


def name_text(name: str) -> str:
    """A name as the rules write it: in single quotes if it has spaces."""
    return name if _IDENTIFIER.fullmatch(name) else f"'{name}'"


def key_text(key: Key) -> str:
    """Return the range of a key: `Side`, or `0..6`."""
    return name_text(key) if isinstance(key, str) else f"{key[0]}..{key[1]}"


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value
