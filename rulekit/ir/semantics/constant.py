"""Evaluation of expressions before play: beginnings of states, fixed fields, answers in examples, facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final, NoReturn, assert_never

from rulekit import ir
from rulekit.base.bits import mask_of, members
from rulekit.ir.program import Key, span_of
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import NOT_A_VALUE, Fault
from rulekit.ir.semantics.operations import Sizes, meaning_of
from rulekit.ir.types import GAP, NONE

Locals = Mapping[str, Any]
MOST_WALKED: Final = 1_000_000
"""The members that sets and quantifiers of one evaluator may visit."""


class NotConstant(Exception):
    """The expression reads something that only play can tell."""


def look_up(table: ir.StaticTable, keys: Iterable[int], sizes: Sizes) -> Any:
    """Return the entry of a table for these keys, each of which is tested before the next one is evaluated.

    Raises:
        Fault: The table has no row for them, or its numbers are in a missing file of the owner.
    """
    position = 0
    for domain, key in zip(table.keys, keys, strict=True):
        low, high = span_of(domain, sizes)
        if not low <= key <= high:
            raise outside(table, domain)
        position = position * (high - low + 1) + key - low
    if table.missing:
        raise Fault("missing-data", f"`{table.name}` needs owner data: the file `{table.missing}` is missing")
    if table.values[position] == GAP:
        raise outside(table, (0, 0))
    return table.values[position]


def outside(table: ir.StaticTable, domain: Key) -> Fault:
    """Return the fault of a key outside its domain; outside a domain of members, the key is none."""
    if isinstance(domain, str):
        return Fault(NOT_A_VALUE, texts.NO_VALUE)
    return Fault("no-row", f"`{table.name}` has no row for these keys")


class Constants:
    """Evaluates expressions over constants, known locals and static tables.

    `tables` may grow while it is used: fixed fields are made one after another.
    """

    def __init__(self, tables: Mapping[str, ir.StaticTable], sizes: Sizes) -> None:
        self.tables, self.sizes = tables, sizes
        self._walked = 0

    def value(self, e: ir.Expr, known: Locals) -> Any:
        """Return the value of an expression.

        Raises:
            NotConstant: It is of a form that is not evaluated here (see `other`).
            Fault: It has no value, as in a division by zero.
        """
        match e:
            case ir.Const():
                return e.value
            case ir.Local():
                return known[e.name] if e.name in known else self.refuse()
            case ir.Static():
                return self.look_up(e.table, (self.value(key, known) for key in e.keys))
            case ir.If():
                return self.value(e.then if self.value(e.condition, known) else e.otherwise, known)
            case ir.Op(op="and" | "or"):
                decides = e.op == "or"
                return any(bool(self.value(part, known)) is decides for part in e.operands) is decides
            case ir.Op(op="or_else", operands=(first, second)):
                value = self.value(first, known)
                return self.value(second, known) if value == NONE else value
            case ir.Op():
                return meaning_of(e, self.sizes)(*[self.value(part, known) for part in e.operands])
            case ir.Filter():
                return mask_of(one for one, holds in self.each(e.over, e.var, e.body, known) if holds)
            case ir.Fold(kind="any" | "all" | "no" | "total" | "lowest" | "highest" | "join"):
                return self._fold(e, known)
            case (
                ir.Read() | ir.Flagged() | ir.At() | ir.Apply() | ir.Fold() | ir.Best() | ir.Linked()
                | ir.BestWay()
            ):  # fmt: skip
                return self.other(e, known)
            case _:
                assert_never(e)

    def _fold(self, e: ir.Fold, known: Locals) -> Any:
        values = (value for _, value in self.each(e.over, e.var, e.body, known))
        match e.kind:
            case "any":
                return any(values)
            case "all":
                return all(values)
            case "no":
                return not any(values)
            case "total":
                return sum(values)
            case "join":
                return reduce(or_, values, 0)
            case _:
                return (min if e.kind == "lowest" else max)(values, default=NONE)

    def each(self, over: ir.Expr, var: ir.Local, body: ir.Expr, known: Locals) -> Iterator[tuple[int, Any]]:
        """Yield each member of a set, or item of a list, with the value of the body for it."""
        whole = self.value(over, known)
        for one in whole if isinstance(whole, tuple) else members(whole):
            self._walked += 1
            if self._walked > MOST_WALKED:
                raise Fault("budget", f"the values before play take more than {MOST_WALKED:,} steps")
            yield one, self.value(body, {**known, var.name: one})

    def other(self, e: ir.Expr, known: Locals) -> Any:
        """Return the value of an expression that reads state, calls a function or looks for ways."""
        self.refuse()

    def refuse(self) -> NoReturn:
        """Refuse an expression whose value only play can tell."""
        raise NotConstant

    def look_up(self, name: str, keys: Iterable[int]) -> Any:
        """Return an entry of a static table."""
        table = self.tables.get(name)
        return look_up(table, keys, self.sizes) if table is not None else self.refuse()
