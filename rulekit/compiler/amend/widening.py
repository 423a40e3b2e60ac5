"""Amendments of types: a wider range of a parameter, a field, a state, a result; more groups; other dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Draft
from rulekit.compiler.amend.modifiers import add_classes
from rulekit.compiler.amend.patch import Patch
from rulekit.compiler.amend.targets import SPACES, Target
from rulekit.compiler.names import Widening
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.types import RangeType, TypeExpr

TYPED = ("parameter", "field", "column", "result", "state")
"""What has a type of its own that can be widened."""


def amend_types(draft: Draft, patches: Sequence[Patch]) -> None:
    """`widen X to TYPE`, `widen group X to at most N`; of several the widest holds."""
    by_thing: dict[Target, list[Patch]] = {}
    for patch in patches:
        if not patch.activation.always:
            hint = "use a separate variant, in force always: alone it does not change play"
            draft.refuse(patch.amendment, "a type cannot change during the game", hint)
        elif patch.target.word == "group" or patch.target.word in TYPED:
            by_thing.setdefault(patch.target, []).append(patch)
        else:
            hint = "widen a `parameter N of X`, `field N of X`, `result of X` or `state X`"
            draft.refuse(patch.amendment, f"a {patch.target.word} has no type to widen", hint)
    for target, active in by_thing.items():
        if target.word == "group":
            _groups(draft, target, active)
        else:
            _widen(draft, target, active)


def _groups(draft: Draft, target: Target, patches: list[Patch]) -> None:
    groups = draft.space("groups")
    group: i.Group = groups[target.name]
    for patch in patches:
        if patch.amendment.most is None or patch.amendment.most < group.most:
            hint = f"write `widen group {target.name} to at most N`, with at least {group.most}"
            draft.refuse(patch.amendment, "only the number of groups can be raised", hint)
    most = max((group.most, *(patch.amendment.most or 0 for patch in patches)))
    groups[target.name] = replace(group, most=most)


def _widen(draft: Draft, target: Target, patches: list[Patch]) -> None:
    items = draft.space(SPACES[target.of or target.word])
    item = items[target.name]
    old = _typed(item, target)
    if old is None:
        patch = patches[0]
        draft.refuse(
            patch.amendment,
            f"`{target.name}` declares no result, so its range follows from its values",
            "remove this",
        )
        return
    widened: list[tuple[Patch, TypeExpr]] = []
    for patch in patches:
        if patch.amendment.type is None:
            draft.refuse(patch.amendment, "missing type", "add one, for example `to 0..6`")
            continue
        widened.append((patch, patch.amendment.type))
        before = (old, *(type_ for _, type_ in widened[:-1] if not _numbers(type_, patch.amendment.type)))
        for other in before:
            draft.widened.append(Widening(_narrower(patch, target, other.span), other, patch.amendment.type))
    if widened:
        items[target.name] = _with(item, target, _widest([type_ for _, type_ in widened]))


def _numbers(*types: TypeExpr) -> bool:
    return all(isinstance(type_, RangeType) for type_ in types)


def _widest(types: list[TypeExpr]) -> TypeExpr:
    """The range that holds all; of other types the last, which is tested to hold the others."""
    ranges = [type_ for type_ in types if isinstance(type_, RangeType)]
    if len(ranges) < len(types):
        return types[-1]
    return replace(ranges[-1], low=min(r.low for r in ranges), high=max(r.high for r in ranges))


def _narrower(patch: Patch, target: Target, before: Span) -> Diagnostic:
    what = f"`{target.inner}` of `{target.name}`" if target.inner else f"`{target.name}`"
    message = f"this does not include every value that {what} had before"
    hint = "write a type that does: other rules rely on the old values"
    label = Label(before, "the type before")
    return Diagnostic(kinds.IMPOSSIBLE_AMENDMENT, message, patch.amendment.span, (label,), hint)


def _typed(item: Any, target: Target) -> i.Param | TypeExpr | None:
    """The type that something has; of a parameter the parameter, whose name may say it."""
    match target.word:
        case "parameter":
            param: i.Param = next(p for p in item.params if p.name.text == target.inner)
            return param
        case "field":
            type_: TypeExpr = next(f.type for f in item.fields if f.name.text == target.inner)
            return type_
        case "column":
            column: i.Column = next(c for c in item.columns if c.name == target.inner)
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


def _with(item: Any, target: Target, type_: TypeExpr) -> Any:
    """The item with another type for a part of it."""
    match target.word:
        case "parameter":
            params = (replace(p, type=type_) if p.name.text == target.inner else p for p in item.params)
            return replace(item, params=tuple(params))
        case "field":
            fields = (replace(f, type=type_) if f.name.text == target.inner else f for f in item.fields)
            return replace(item, fields=tuple(fields))
        case "column":
            columns = (replace(c, type=type_) if c.name == target.inner else c for c in item.columns)
            return replace(item, columns=tuple(columns))
        case "result" if isinstance(item, i.Table | i.ExternTable):
            return replace(item, columns=(replace(item.columns[0], type=type_),))
        case "result":
            return replace(item, result=type_)
        case _:
            return replace(item, type=type_)


def amend_roll(draft: Draft, patch: Patch) -> None:
    """`set roll X to 2d6`; `add to roll X:` with `stack` lines."""
    amendment, name = patch.amendment, patch.target.name
    if amendment.op == "add" and amendment.stacking:
        add_classes(draft, patch)
        return
    if amendment.op != "set" or amendment.dice is None or not patch.activation.always:
        hint = f"write `set roll {name} to 2d6`, in force always, or amend its modifiers and stacking classes"
        draft.refuse(amendment, f"only the dice of `{name}` can be amended", hint)
        return
    rolls = draft.space("rolls")
    dice, sides, lowest = amendment.dice
    rolls[name] = replace(rolls[name], dice=dice, sides=sides, lowest=lowest)
