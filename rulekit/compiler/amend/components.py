"""Amendments of components, states and types: more members and fields, other values, wider ranges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Draft, Patch, either, value_set
from rulekit.compiler.amend.targets import PARTS, SPACES, Target, parts_of
from rulekit.compiler.names import Widening
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.types import RangeType, TypeExpr


def amend_component(draft: Draft, patch: Patch, item: Any) -> Any:
    """`add to enum X: A, B`, `add to piece X:` with fields."""
    amendment, name = patch.amendment, patch.target.name
    if not patch.activation.always:
        hint = "remove `in force`, and put the condition where they are used"
        draft.refuse(amendment, f"the members and fields of `{name}` cannot change during the game", hint)
        return item
    if amendment.op != "add":
        draft.refuse(amendment, f"only members and fields can be added to `{name}`")
        return item
    if amendment.members:
        if isinstance(item, i.KindUnion):
            return replace(item, kinds=(*item.kinds, *amendment.members))
        if isinstance(item, i.Population) and item.owner:
            known_names = {name.text for name in item.needed}
            needed = (name for name in amendment.members if name.text not in known_names)
            return replace(item, needed=(*item.needed, *needed))
        if isinstance(item, i.Group) or (isinstance(item, i.Population) and item.source is not None):
            hint = "override the data file with `--data`"
            draft.refuse(amendment, f"the members of `{name}` come from data", hint)
            return item
        if isinstance(item, i.Population) and item.board is not None and not item.members:
            hint = "an option can block some with a field, `state blocked: flag`"
            draft.refuse(amendment, f"all places on the board of `{name}` are members", hint)
            return item
        if isinstance(item, i.Enum) and item.lines is not None:
            draft.refuse(amendment, f"the members of `{name}` are the lines of a board")
            return item
        more = tuple(i.Member(member.span, member, "", amendment.cite) for member in amendment.members)
        item = replace(item, members=(*item.members, *more))
    if amendment.fields:
        if isinstance(item, i.Enum):
            draft.refuse(amendment, f"the enum `{name}` has no fields")
            return item
        known = {field.name.text: field.name.span for field in item.fields}
        hint = "rename one of them, or let one option exclude the other"
        draft.report_twice(f"`{name}` has", known, [field.name for field in amendment.fields], hint)
        item = replace(item, fields=(*item.fields, *amendment.fields))
    return item


def amend_calendar(draft: Draft, patch: Patch, calendar: i.Calendar) -> i.Calendar:
    """`set calendar X from M to M`: other ends; `set calendar X to E`: another month that it is now."""
    amendment, value = patch.amendment, value_set(patch.amendment)
    if value is not None:
        return replace(calendar, value=either(value, patch.activation.condition(), calendar.value))
    if amendment.months is not None and patch.activation.always:
        first, last = amendment.months
        return replace(calendar, first=first, last=last)
    hint = f"write `set calendar {patch.target.name} from Dec 1941 to Aug 1946`, in force always"
    draft.refuse(amendment, "only the ends of a calendar can be set, for the whole game", hint)
    return calendar


def amend_state(draft: Draft, patch: Patch, state: i.StateDecl) -> i.StateDecl:
    """`set state X to E`: another beginning."""
    amendment, name, value = patch.amendment, patch.target.name, value_set(patch.amendment)
    if value is not None and patch.activation.always:
        return replace(state, initial=value)
    hint = f"write `set {amendment.address.word} {name} to VALUE`, in force always"
    draft.refuse(amendment, f"only the starting value of `{name}` can be amended", hint)
    return state


# -- types

TYPED = ("parameter", "field", "column", "result", "state")
"""What has a type of its own that can be widened."""


def amend_types(draft: Draft, patches: Sequence[Patch]) -> None:
    """`widen X to TYPE`, `widen group X to at most N`, `widen procedure X to at most N deep`.

    Of several the widest holds.
    """
    by_thing: dict[Target, list[Patch]] = {}
    for patch in patches:
        if not patch.activation.always:
            hint = "use a separate variant, in force always: alone it does not change play"
            draft.refuse(patch.amendment, "a type cannot change during the game", hint)
        elif patch.target.word in ("group", "procedure", *TYPED):
            by_thing.setdefault(patch.target, []).append(patch)
        else:
            targets = "`parameter N of procedure X`, `field N of piece X`, `result of define X`"
            hint = f"widen a {targets} or `state X`"
            draft.refuse(patch.amendment, f"a {patch.target.word} has no type to widen", hint)
    for target, active in by_thing.items():
        if target.word == "group":
            _groups(draft, target, active)
        elif target.word == "procedure":
            _deepen(draft, target, active)
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


def _deepen(draft: Draft, target: Target, patches: list[Patch]) -> None:
    procedures = draft.space("procedures")
    procedure: i.Procedure = procedures[target.name]
    for patch in patches:
        if patch.amendment.deep is None or patch.amendment.deep < (procedure.deep or 0):
            hint = f"write `widen procedure {target.name} to at most N deep`"
            if procedure.deep is not None:
                hint += f", with at least {procedure.deep}"
            draft.refuse(patch.amendment, "only the depth of a procedure can be raised", hint)
    deep = max((procedure.deep or 0, *(patch.amendment.deep or 0 for patch in patches)))
    procedures[target.name] = replace(procedure, deep=deep or None)


def _widen(draft: Draft, target: Target, patches: list[Patch]) -> None:
    items = draft.space(SPACES[target.of or target.word])
    item = items[target.name]
    old = _type_of(item, target)
    if old is None:
        message = f"`{target.name}` declares no result, so its range follows from its values"
        draft.refuse(patches[0].amendment, message, "remove this")
        return
    types: list[TypeExpr] = []
    for patch in patches:
        new = patch.amendment.type
        if new is None:
            draft.refuse(patch.amendment, "missing type", "add one, for example `to 0..6`")
            continue
        for other in (old, *(type_ for type_ in types if not _numbers(type_, new))):
            draft.widened.append(Widening(_narrower(patch, target, other.span), other, new))
        types.append(new)
    if types:
        items[target.name] = _with(item, target, _widest(types))


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


def _type_of(item: Any, target: Target) -> i.Param | TypeExpr | None:
    """The type that something has; of a parameter the parameter, whose name may say it."""
    if target.word in PARTS:
        part = parts_of(target.word, item)[target.inner]
        param_or_type: i.Param | TypeExpr = part if isinstance(part, i.Param) else part.type
        return param_or_type
    if target.word == "result" and isinstance(item, i.Table | i.ExternTable):
        return None if item.columns[0].name else item.columns[0].type
    declared: TypeExpr | None = item.result if target.word == "result" else item.type
    return declared


def _with(item: Any, target: Target, type_: TypeExpr) -> Any:
    if target.word in PARTS:
        part = parts_of(target.word, item)[target.inner]
        parts = (replace(p, type=type_) if p is part else p for p in getattr(item, PARTS[target.word]))
        return replace(item, **{PARTS[target.word]: tuple(parts)})
    if target.word == "result" and isinstance(item, i.Table | i.ExternTable):
        return replace(item, columns=(replace(item.columns[0], type=type_),))
    return replace(item, **{"result" if target.word == "result" else "type": type_})
