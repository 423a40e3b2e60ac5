"""Changes to an item outside its blocks: types, dice, deciders, verbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from rulekit.base.source import Span
from rulekit.compiler.names import name_of
from rulekit.ir.types import month_text
from rulekit.reports.show.rows import INDENT, RuleLine, Texts
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


def types(texts: Texts, old: i.Item, new: i.Item) -> Iterator[RuleLine]:
    """A line for each type that is wider now, and for other dice."""
    for what, span in _changed_types(old, new):
        yield texts.made(f"{INDENT}{what} is {texts.words(span)}", span)


def _changed_types(old: Any, new: Any) -> Iterator[tuple[str, Span]]:
    for part in ("params", "fields", "columns"):
        for before, now in zip(getattr(old, part, ()), getattr(new, part, ()), strict=False):
            if before.type != now.type:
                name = now.name if isinstance(now.name, str) else now.name.text
                yield name or "the result", now.type.span
    if not isinstance(old, i.StateDecl) and getattr(old, "result", None) != getattr(new, "result", None):
        yield "the result", new.result.span
    if isinstance(old, i.StateDecl) and old.type != new.type:
        yield f"the {old.sort}", new.type.span


def sizes(texts: Texts, old: i.Item, new: i.Item, variants: Iterable[i.Variant]) -> Iterator[RuleLine]:
    """A line for other dice, for more groups, or for other ends of a calendar."""
    amendments = (
        each for variant in variants for each in variant.amendments if each.dice or each.most or each.months
    )
    named = (each for each in amendments if each.address.name and each.address.name.text == name_of(old))
    span = next((each.span for each in named), old.span)
    if isinstance(old, i.Roll) and isinstance(new, i.Roll):
        if (old.dice, old.sides, old.lowest) != (new.dice, new.sides, new.lowest):
            zero = "" if new.lowest == 1 else f" from {new.lowest}"
            number = "" if new.dice == 1 else new.dice
            yield texts.made(f"{INDENT}rolls {number}d{new.sides}{zero}", span)
    if isinstance(old, i.Calendar) and isinstance(new, i.Calendar):
        if (old.first, old.last) != (new.first, new.last):
            yield texts.made(f"{INDENT}from {month_text(new.first)} to {month_text(new.last)}", span)
    if isinstance(old, i.Group) and isinstance(new, i.Group) and old.most != new.most:
        yield texts.made(f"{INDENT}at most {new.most}", span)


def classes(texts: Texts, old: i.Roll, new: i.Roll) -> Iterator[RuleLine]:
    """The lines of a roll, with the classes of modifiers that it has now."""
    now = {each.name.text: each for each in new.stacking}
    gone = [each for each in old.stacking if each != now.get(each.name.text)]
    lines = {line for each in gone for line in range(each.span.line, each.span.end_line + 1)}
    yield from (row for row in texts.block(old.span) if row.line not in lines)
    for each in new.stacking:
        if each not in old.stacking:
            limits = (("at most", each.most), ("at least", each.least))
            said = [f", {word} {texts.condition(limit)}" for word, limit in limits if limit is not None]
            yield texts.made(f"{INDENT}stack {each.name.text}: {each.policy}{''.join(said)}", each.span)


def decider(texts: Texts, old: i.Choice, new: i.Choice) -> Iterator[RuleLine]:
    """Lines for the present decider, each with its condition."""
    if new.decider != old.decider:
        yield from valued(texts, "decided by", new.decider, old.decider)


def valued(texts: Texts, said: str, value: x.Expr, base: x.Expr | None) -> Iterator[RuleLine]:
    """Lines for a present value, one for each condition that amendments put it under."""
    while isinstance(value, x.Conditional) and _put_in(value):
        text = f"{INDENT}{said} {texts.words(value.then.span)} when {texts.condition(value.condition)}"
        yield texts.made(text, value.span)
        value = value.fallback
    if value != base:
        yield texts.made(f"{INDENT}{said} {texts.words(value.span)}", value.span)


def for_a_while(verb: i.Verb) -> tuple[tuple[x.Expr, Span], ...]:
    """The conditions under which a verb asks about something else than at other times, and about what.

    The last that was put in stands first: it is the verb as it is written.
    """
    parts = (getattr(verb, field.name) for field in fields(verb))
    part = next((each for each in parts if isinstance(each, x.Conditional) and _put_in(each)), None)
    found: list[tuple[x.Expr, Span]] = []
    while part is not None:
        found.append((part.condition, part.then.span if found else verb.span))
        rest = part.fallback
        part = rest if isinstance(rest, x.Conditional) and _put_in(rest) else None
    return tuple(found)


def _put_in(value: x.Conditional) -> bool:
    """Return whether an amendment put a value under a condition; one that is written stands in brackets."""
    return value.span == value.then.span
