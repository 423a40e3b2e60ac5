"""Words for the values that conditions compare, and examples for claims that do not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rulekit import ir
from rulekit.analysis.prove.situation import Situation
from rulekit.base.language import quoted_name
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import ClaimModel, RulingModel
from rulekit.ir.conditions import negation
from rulekit.ir.types import SetOf
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.claims import Stated

_COMPARISONS = ("eq", "lt", "le", "gt", "ge")
_BOUNDS = {"=": "", "<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least "}
_MOST = 4
"""Members that are named."""


def comparison_of(condition: ir.Expr) -> ir.Expr | None:
    """Return the expression that a condition compares; of a quantifier the members for which it is false."""
    match condition:
        case ir.Op(op="not", operands=(ir.Op(op="is_none", operands=(first,)),)):
            return first
        case ir.Op(op=op, operands=(first, *_)) if op in (*_COMPARISONS, "is_none"):
            return None if isinstance(first, ir.Const) else first
        case ir.Fold(kind="all", over=over, var=var, body=body) if isinstance(over.type, SetOf):
            return ir.Filter(over, var, negation(body), over.type)
        case ir.Fold(kind="no", over=over, var=var, body=body) if isinstance(over.type, SetOf):
            return ir.Filter(over, var, body, over.type)
        case (
            ir.Const() | ir.Local() | ir.Static() | ir.Read() | ir.Flagged() | ir.At() | ir.Apply() | ir.Op()
            | ir.If() | ir.Filter() | ir.Fold() | ir.Best() | ir.Linked() | ir.BestWay()
        ):  # fmt: skip
            return None


def denial(compiled: Compiled, condition: x.Expr, value: str | None = None) -> str:
    """Return words for the outcome that contradicts a condition; `value`: the compared value, if known."""

    def text(node: x.Expr | x.Predicate) -> str:
        return source_text(compiled, node.span)

    if value is not None and isinstance(condition, x.Quantified):
        return f"`{text(condition)}` is false for {value}"
    if value is not None and isinstance(condition, x.Compare):
        return f"`{text(condition.left)}` is {value}, not {_BOUNDS[condition.op]}{text(condition.right)}"
    if value is not None and isinstance(condition, x.Is):
        if isinstance(condition.predicate, x.AtPredicate):
            value = "nowhere" if value == "none" else f"at {value}"
        instead = "" if condition.negated else f", not {text(condition.predicate)}"
        return f"`{text(condition.subject)}` is {value}{instead}"
    return f"`{text(condition)}` is false"


def words_of_value(shown: Any) -> str:
    """A value in words."""
    if isinstance(shown, list):
        more = len(shown) - _MOST
        return (", ".join(map(str, shown[:_MOST])) or "nothing") + (f" and {more} more" if more > 0 else "")
    return "none" if shown is None else str(shown)


def source_text(compiled: Compiled, span: Span) -> str:
    """The text at a span, on one line."""
    return " ".join(" ".join(compiled.rule_set.rows(span)).split())


def example_lines(compiled: Compiled, claim: ClaimModel, seen: Situation | None) -> tuple[str, ...]:
    """Return an example in which the claim's condition is false; no lines if it cannot be written.

    `seen`: the situation; None if it is the beginning.
    """
    content = claim.decl.content if isinstance(claim.decl, i.Claim) else None
    if not isinstance(content, Stated):
        return ()
    given, arguments = (seen.departures, seen.arguments) if seen else ((), {})
    condition = f"({_text_of(compiled, content.condition.span, arguments)})"
    conditions = [condition if content.word == "never" else f"not {condition}"]
    if content.when is not None:
        conditions.insert(0, f"({_text_of(compiled, content.when.span, arguments)})")
    return (*(f"given {line}" for line in given), f"then {' and '.join(conditions)}")


def ruling_examples(compiled: Compiled, ruling: RulingModel, seen: Situation) -> Iterator[tuple[str, ...]]:
    """Yield examples in which a choice accepts an answer that is claimed to be refused, or the reverse."""
    choice = compiled.model.choices[ruling.choice]
    assert ruling.norm is not None
    arguments = ", ".join(seen.arguments[param.name] for param in choice.params)
    asked = f"{quoted_name(choice.name)}({arguments})" if choice.params else quoted_name(choice.name)
    drawn = [local for local, _ in choice.fields] or [choice.option]
    values = (seen.arguments[local.name] for local in drawn)
    answer = "none" if ruling.norm.declining else " -> ".join(values)
    if choice.item is not None:
        answer = f"{seen.arguments[choice.item.name]} -> {answer}"
    head = (*(f"given {line}" for line in seen.departures), f"when choose {asked}")
    if ruling.word != "permit":
        several = choice.verb in ("pick_set", "assign_set")
        done = ", done" if several and not ruling.norm.declining else ""
        yield (*head, f"answers {quoted_name(choice.name)}: {answer}{done}", "then true")
        return
    prefix = f"{compiled.rule_set.manifest.prefix}."
    for norm in choice.norms:
        for rule in compiled.model.sites[norm.site].rules[:1]:
            cited = f"then refused by [{rule.removeprefix(prefix)}]"
            yield (*head, f"answers {quoted_name(choice.name)}: {answer}", cited)


def _text_of(compiled: Compiled, span: Span, arguments: Mapping[str, str]) -> str:
    """The text of an expression on one line, with values in the place of parameters."""
    text = " ".join(row.split("#")[0].strip() for row in compiled.rule_set.rows(span))
    if not arguments:
        return text
    shown = {name: f"({value})" if " " in value else value for name, value in arguments.items()}
    names = "|".join(map(re.escape, shown))
    return re.sub(rf"(?<![.\w'])(?:{names})(?![\w'])", lambda match: shown[match.group()], text)
