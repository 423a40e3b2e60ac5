"""The values that a condition of an example compares, where the condition does not hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rulekit import ir
from rulekit.analysis.claims.words import comparison_of, source_text, words_of_value
from rulekit.compiler.driver import Compiled
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import Flag
from rulekit.runtime.play.examples import Examples
from rulekit.syntax.tree import expr as x

_TESTS = ("eq", "ge", "le", "has", "is_none", "is_empty", "list_has", "map_has", "within")
"""Operations that test their first operand."""

Pair = tuple[x.Expr, ir.Expr]
"""An expression as written and as compiled."""
Side = tuple[x.Expr, str, ir.Expr]
"""An expression as written, the verb before its value, and the value as compiled."""


def unmet_values(compiled: Compiled, example: ir.Example, site: int) -> list[str]:
    """Return `WRITTEN is VALUE` for each side of the first comparison of a condition that does not hold."""
    number = next(number for number, (_, at) in enumerate(example.then) if at == site)
    decl = compiled.names.examples[example.name]
    lines = sorted((then for then in decl.then if then.condition is not None), key=lambda then: then.after)
    condition = lines[number].condition
    assert condition is not None
    moment = _Moment(compiled.program, example, number)
    parts = list(_conjuncts(condition, moment.condition))
    flags = moment.values(_guard([part for _, part in parts])) if len(parts) > 1 else [False]
    unmet = next((part for part, holds in zip(parts, flags, strict=False) if not holds), None)
    if unmet is None:
        return []
    sides = [side for side in _sides(*unmet) if not isinstance(side[2], ir.Const)]
    values = moment.values([value for _, _, value in sides]) if sides else ()
    naming = Naming(compiled.program)
    return [
        f"`{source_text(compiled, node.span)}` {verb} {words_of_value(naming.to_json(side.type, value))}"
        for (node, verb, side), value in zip(sides, values, strict=False)
    ]


class _Moment:
    """The moment at which one condition of an example is tested."""

    def __init__(self, program: ir.Program, example: ir.Example, number: int) -> None:
        when = program.by_name.procedures[example.when]
        self.condition = example.then[number][0]
        if number < example.between:
            place, let = next(
                (place, stmt)
                for place, stmt in enumerate(when.body)
                if isinstance(stmt, ir.Let) and stmt.local == self.condition
            )
            self.condition = let.value
            when = replace(when, body=when.body[:place])
        kept = [item for item in program.procedures if not item.name.startswith("example:")]
        given = program.by_name.procedures[example.given]
        self._program = replace(program, procedures=(*kept, given, when))
        self._example = replace(
            example, between=0, refused=(), fault=False, breaks=None, asks="", site=example.site
        )

    def values(self, parts: Sequence[ir.Expr]) -> Sequence[Any]:
        """The values of some expressions; none if they have no value."""
        example = replace(self._example, then=tuple((part, self._example.site) for part in parts))
        return Examples(replace(self._program, examples=(example,))).outcome(example)


def _conjuncts(node: x.Expr, e: ir.Expr) -> Iterator[Pair]:
    """The conditions that `and` joins."""
    if isinstance(node, x.Logic) and node.op == "and" and isinstance(e, ir.Op) and len(e.operands) == 2:
        yield from _conjuncts(node.left, e.operands[0])
        yield from _conjuncts(node.right, e.operands[1])
    else:
        yield node, e


def _guard(parts: Sequence[ir.Expr]) -> list[ir.Expr]:
    """Each condition, not evaluated where one before it does not hold."""
    guarded = [parts[0]]
    for part in parts[1:]:
        guarded.append(ir.If(guarded[-1], part, ir.Const(False, Flag()), Flag()))
    return guarded


def _sides(node: x.Expr, e: ir.Expr) -> list[Side]:
    """The values that a condition compares, in the order in which they are written."""
    while isinstance(node, x.Not):
        node = node.value
    while isinstance(e, ir.Op) and e.op == "not":
        e = e.operands[0]
    members = comparison_of(e) if isinstance(node, x.Quantified) else None
    if members is not None:
        return [(node, "is false for", members)]
    if not isinstance(e, ir.Op):
        return []
    if isinstance(node, x.Compare):
        return [(side, "is", value) for side, value in zip((node.left, node.right), e.operands, strict=False)]
    test = e.operands[-1] if e.op == "and" else e
    if not (isinstance(node, x.Is | x.In) and isinstance(test, ir.Op) and test.op in _TESTS):
        return []
    if isinstance(node, x.In):
        return [(node.value, "is", test.operands[0])]
    verb = "is at" if isinstance(node.predicate, x.AtPredicate) else "is"
    return [(node.subject, verb, test.operands[0])]
