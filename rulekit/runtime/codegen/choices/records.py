"""The options of a pick of several names: all combinations, as records, in a function of their own."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.ir import Expr, Filter, Local, walk
from rulekit.ir.conditions import TRUE, conjunction, conjuncts
from rulekit.ir.semantics.records import Digit, digits_of
from rulekit.ir.types import Record
from rulekit.runtime.codegen.choices.parts import ChoiceScope
from rulekit.runtime.codegen.expressions.writer import Writer
from rulekit.runtime.codegen.routines.flow import Flow


def options(asking: ChoiceScope, target: str) -> Flow:
    """Set a variable to all legal combinations."""
    many, first = asking.fresh("many"), asking.choice.fields[0][1]
    paid = asking.pay(many)
    if paid:  # counted apart: to count may take from the budget as well
        text = asking.scope.writer(asking.site, first).text(first)
        paid = [asking.code(f"{many} = ({text}).bit_count()"), *paid]
    names = {local.name: f"x{number}" for number, (local, _) in enumerate(asking.choice.fields)}
    listing = asking.function("options", "", names, lambda writer: list(_loops(asking, writer, names)))
    return [*paid, asking.code(f"{target} = {listing}(M, {asking.own_text})")]


def _loops(asking: ChoiceScope, writer: Writer, names: dict[str, str]) -> Iterator[str]:
    """The lines of the function: a loop for each name but the last, whose values are added at once."""
    kind = asking.choice.option.type
    assert isinstance(kind, Record)
    digits = digits_of(kind, asking.scope.optimised.layout.sizes)
    sets = list(_legal(asking))
    yield "r = []"
    for depth, (local, legal) in enumerate(sets):
        name, indent = names[local.name], "    " * depth
        if depth < len(sets) - 1:
            yield f"{indent}for {name} in {writer.members(legal)}:"
        else:
            yield f"{indent}s = {writer.members(legal)}"
            yield f"{indent}r += [{_number(digits, list(names.values()))} for {name} in s]"
            yield f"{indent}few(r)"
    yield "return tuple(r)"


def _number(digits: tuple[Digit, ...], values: list[str]) -> str:
    """The record with some values, as text."""
    parts = [
        value if digit.weight == 1 else f"{value} * {digit.weight}"
        for digit, value in zip(digits, values, strict=True)
    ]
    shift = sum(digit.low * digit.weight for digit in digits)
    return " + ".join(parts) + (f" - {shift}" if shift > 0 else f" + {-shift}" if shift else "")


def _legal(asking: ChoiceScope) -> Iterator[tuple[Local, Expr]]:
    """Each name with the members that norms leave it, where these can tell from it and the names before it.

    Norms that may fault are left to the last name: one of them may rely on another.
    """
    optimised, left = asking.scope.optimised, conjuncts(asking.norms.option)
    keep_all = optimised.facts.fallible(asking.norms.option)
    later = {local.name for local, _ in asking.choice.fields}
    for local, among in asking.choice.fields:
        later.discard(local.name)
        now = [test for test in left if not walk.free(test) & later] if not (keep_all and later) else []
        left = [test for test in left if test not in now]
        test = conjunction(*now)
        yield local, among if test == TRUE else optimised.simple(Filter(among, local, test, among.type))
