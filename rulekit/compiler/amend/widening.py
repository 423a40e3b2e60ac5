"""Amendments of types: a wider range of a parameter, a field, a state, a result; more groups; other dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulekit.base.source import Span
from rulekit.compiler.amend.classes import add_classes
from rulekit.compiler.amend.draft import IMPOSSIBLE, Draft
from rulekit.compiler.amend.step import Work
from rulekit.compiler.amend.targets import SPACES, Reached
from rulekit.compiler.names import Widening
from rulekit.diagnostics import Diagnostic, Label
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.types import RangeType, TypeExpr

TYPED = ("parameter", "field", "column", "result", "state")
"""What has a type of its own that can be widened."""


def amend_types(draft: Draft, works: Sequence[Work]) -> None:
    """`widen X to TYPE`, `widen group X to at most N`; of several the widest holds."""
    by_thing: dict[Reached, list[Work]] = {}
    for work in works:
        if not work.force.always:
            hint = "put it into a variant of its own, in force always: by itself it changes no play"
            draft.tell_impossible(work.amendment, "a type is one for the whole game", hint)
        elif work.reached.word == "group" or work.reached.word in TYPED:
            by_thing.setdefault(work.reached, []).append(work)
        else:
            hint = "`widen parameter N of procedure X`, `field N of piece X`, `result of define X`, `state X`"
            draft.tell_impossible(work.amendment, f"a {work.reached.word} has no type to be widened", hint)
    for reached, acting in by_thing.items():
        if reached.word == "group":
            _groups(draft, reached, acting)
        else:
            _widen(draft, reached, acting)


def _groups(draft: Draft, reached: Reached, works: list[Work]) -> None:
    groups = draft.space("groups")
    group: i.Group = groups[reached.name]
    for work in works:
        if work.amendment.most is None or work.amendment.most < group.most:
            hint = f"write `widen group {reached.name} to at most N`, with no less than {group.most}"
            draft.tell_impossible(work.amendment, "of groups there can be more", hint)
    most = max((group.most, *(work.amendment.most or 0 for work in works)))
    groups[reached.name] = replace(group, most=most)


def _widen(draft: Draft, reached: Reached, works: list[Work]) -> None:
    items = draft.space(SPACES[reached.of or reached.word])
    item = items[reached.name]
    old = _typed(item, reached)
    if old is None:
        work = works[0]
        draft.tell_impossible(
            work.amendment,
            f"`{reached.name}` declares no result, so it has whatever range its values need",
            "take this out",
        )
        return
    told: list[tuple[Work, TypeExpr]] = []
    for work in works:
        if work.amendment.type is None:
            draft.tell_impossible(work.amendment, "a type is wanted", "write `to TYPE`, as in `to 0..6`")
            continue
        told.append((work, work.amendment.type))
        before = (old, *(type_ for _, type_ in told[:-1] if not _numbers(type_, work.amendment.type)))
        for other in before:
            draft.widened.append(Widening(_narrower(work, reached, other.span), other, work.amendment.type))
    if told:
        items[reached.name] = _with(item, reached, _widest([type_ for _, type_ in told]))


def _numbers(*types: TypeExpr) -> bool:
    return all(isinstance(type_, RangeType) for type_ in types)


def _widest(types: list[TypeExpr]) -> TypeExpr:
    """The range that holds all; of other types the last, which is tested to hold the others."""
    ranges = [type_ for type_ in types if isinstance(type_, RangeType)]
    if len(ranges) < len(types):
        return types[-1]
    return replace(ranges[-1], low=min(r.low for r in ranges), high=max(r.high for r in ranges))


def _narrower(work: Work, reached: Reached, before: Span) -> Diagnostic:
    what = f"`{reached.inner}` of `{reached.name}`" if reached.inner else f"`{reached.name}`"
    message = f"this does not hold all that {what} held before"
    hint = "write a type that does: whoever uses it counts on the old values"
    label = Label(before, "held before")
    return Diagnostic(IMPOSSIBLE, message, work.amendment.span, (label,), hint)


def _typed(item: Any, reached: Reached) -> i.Param | TypeExpr | None:
    """The type that something has; of a parameter the parameter, whose name may say it."""
    match reached.word:
        case "parameter":
            found: i.Param = next(p for p in item.params if p.name.text == reached.inner)
            return found
        case "field":
            type_: TypeExpr = next(f.type for f in item.fields if f.name.text == reached.inner)
            return type_
        case "column":
            column: i.Column = next(c for c in item.columns if c.name == reached.inner)
            return column.type
        case "result" if isinstance(item, i.Table | i.ExternTable):
            one: TypeExpr | None = item.columns[0].type if not item.columns[0].name else None
            return one
        case "result":
            result: TypeExpr | None = item.result
            return result
        case _:
            stored: TypeExpr = item.type
            return stored


def _with(item: Any, reached: Reached, type_: TypeExpr) -> Any:
    """The item with another type for a part of it."""
    match reached.word:
        case "parameter":
            params = (replace(p, type=type_) if p.name.text == reached.inner else p for p in item.params)
            return replace(item, params=tuple(params))
        case "field":
            fields = (replace(f, type=type_) if f.name.text == reached.inner else f for f in item.fields)
            return replace(item, fields=tuple(fields))
        case "column":
            columns = (replace(c, type=type_) if c.name == reached.inner else c for c in item.columns)
            return replace(item, columns=tuple(columns))
        case "result" if isinstance(item, i.Table | i.ExternTable):
            return replace(item, columns=(replace(item.columns[0], type=type_),))
        case "result":
            return replace(item, result=type_)
        case _:
            return replace(item, type=type_)


def amend_roll(draft: Draft, work: Work) -> None:
    """`set roll X to 2d6`; `add to roll X:` with `stack` lines."""
    amendment, name = work.amendment, work.reached.name
    if amendment.op == "add" and amendment.stacking:
        add_classes(draft, work)
        return
    if amendment.op != "set" or amendment.dice is None or not work.force.always:
        hint = f"`set roll {name} to 2d6`, in force always; or its modifiers, and the classes they stack in"
        draft.tell_impossible(amendment, f"only the dice of `{name}` can be amended", hint)
        return
    rolls = draft.space("rolls")
    dice, sides, lowest = amendment.dice
    rolls[name] = replace(rolls[name], dice=dice, sides=sides, lowest=lowest)
