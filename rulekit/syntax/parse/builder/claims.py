"""From trees of the grammar to our own: claims and errata."""

from __future__ import annotations

from typing import Any

from rulekit.syntax.parse.builder.base import (
    RULES,
    Builder,
    Node,
    builds,
    children,
    first,
    item,
    plain,
    text_of,
    word,
)
from rulekit.syntax.parse.builder.choices import example
from rulekit.syntax.parse.builder.items import clauses
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

_OUTSIDE = ("name", "params", "needed", "claim_kind", "cite")


def _content(b: Builder, node: Node) -> Any:
    return next(b.build(part) for part in children(node) if part.data not in _OUTSIDE)


RULES |= {
    "claim": item(i.Claim, content=_content),
    "claim_case": item(i.Claim, content=lambda b, node: example(b, node, b.head(node).text)),
    "claim_holds": plain(i.Stated, word="holds"),
    "claim_always": plain(i.Stated, word="always"),
    "claim_never": plain(i.Stated, word="never"),
    "claim_see": plain(i.Pointer),
    "claim_before": plain(i.Before),
    "point_cited": plain(i.Point, word="cited", name=None),
    "point_procedure": plain(i.Point, word="procedure"),
    "point_choice": plain(i.Point, word="choice"),
    "point_roll": plain(i.Point, word="roll"),
    "point_step": item(i.Point, word="step", cite=None),
}


@builds("claim_ruling")
def ruling(b: Builder, node: Node) -> i.Ruling:
    choice, kind, condition, *rest = children(node)
    test = b.build(condition)
    norm = i.Norm(b.span(node), None, word(kind), None, test, clauses(b, rest))
    return i.Ruling(b.span(node), b.name(choice), norm)


@builds("claim_named")
def named(b: Builder, node: Node) -> i.Named:
    return i.Named(b.span(node), text_of(node))


# ---------------------------------------------------------------- errata


def readings(rule: str) -> Any:
    """Reads the readings on some lines: an expression, or words, and the citation of the line."""

    def read(b: Builder, node: Node) -> Any:
        lines = [line for line in children(node) if line.data == rule]
        return tuple((_reading(b, line), b.cite(line)) for line in lines)

    return read


def _reading(b: Builder, line: Node) -> x.Expr | str:
    reading = b.build_in(line)
    return reading.text if isinstance(reading, x.TextLiteral) else reading


def reason(b: Builder, node: Node) -> str:
    """The reasons of the lines of a node."""
    return " ".join(text_of(line) for line in children(node) if line.data == "reason_line")


def _settles(b: Builder, node: Node) -> tuple[Any, ...]:
    return tuple(name for line in children(node) if line.data == "settles_line" for name in b.names(line))


def author(b: Builder, node: Node) -> str:
    """The name after `by`; empty without one."""
    line = first(node, "by_line") or first(node, "by_author")
    return b.head(line).text if line else ""


RULES["errata"] = item(
    i.Errata,
    printed=readings("printed_line"),
    play=readings("play_line"),
    settles=_settles,
    by=author,
    reason=reason,
)
