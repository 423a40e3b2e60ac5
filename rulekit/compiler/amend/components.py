"""Amendments of components: more members, more fields, another beginning."""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiler.amend.draft import Draft, either
from rulekit.compiler.amend.patch import Patch
from rulekit.compiler.amend.targets import SPACES
from rulekit.syntax.tree import items as i


def amend_component(draft: Draft, patch: Patch) -> None:
    """`add to enum X: A, B`, `add to piece X:` with fields."""
    amendment, name = patch.amendment, patch.target.name
    space = draft.space(SPACES[patch.target.word])
    item = space[name]
    if not patch.activation.always:
        draft.refuse(
            amendment,
            f"the members and fields of `{name}` cannot change during the game",
            "remove `in force`, and put the condition where they are used",
        )
        return
    if amendment.op != "add":
        draft.refuse(amendment, f"only members and fields can be added to `{name}`")
        return
    if amendment.members:
        if isinstance(item, i.KindUnion):
            space[name] = replace(item, kinds=(*item.kinds, *amendment.members))
            return
        if isinstance(item, i.Group) or (isinstance(item, i.Population) and item.source is not None):
            draft.refuse(
                amendment, f"the members of `{name}` come from data", "override the data file with `--data`"
            )
            return
        more = tuple(i.Member(member.span, member, "", amendment.cite) for member in amendment.members)
        space[name] = replace(item, members=(*item.members, *more))
    if amendment.fields:
        if isinstance(item, i.Enum):
            draft.refuse(amendment, f"the enum `{name}` has no fields")
            return
        space[name] = replace(item, fields=(*item.fields, *amendment.fields))


def amend_calendar(draft: Draft, patch: Patch) -> None:
    """`set calendar X from M to M`: other ends; `set calendar X to E`: another month that it is now."""
    amendment, name = patch.amendment, patch.target.name
    calendars = draft.space("calendars")
    calendar: i.Calendar = calendars[name]
    case = amendment.cases[0] if amendment.op == "set" and amendment.cases else None
    if isinstance(case, i.Case):
        value = either(case.value, patch.activation.condition(), calendar.value)
        calendars[name] = replace(calendar, value=value)
    elif amendment.months is not None and patch.activation.always:
        first, last = amendment.months
        calendars[name] = replace(calendar, first=first, last=last)
    else:
        hint = f"write `set calendar {name} from Dec 1941 to Aug 1946`, in force always"
        draft.refuse(amendment, "only the ends of a calendar can be set, for the whole game", hint)


def amend_state(draft: Draft, patch: Patch) -> None:
    """`set state X to E`: another beginning."""
    amendment, name = patch.amendment, patch.target.name
    stores = draft.space("stores")
    case = amendment.cases[0] if amendment.op == "set" and amendment.cases else None
    if not isinstance(case, i.Case) or not patch.activation.always:
        hint = f"write `set {amendment.address.word} {name} to VALUE`, in force always"
        draft.refuse(amendment, f"only the starting value of `{name}` can be amended", hint)
        return
    stores[name] = replace(stores[name], initial=case.value)
