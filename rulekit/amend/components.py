"""Amendments of components: more members, more fields, another beginning."""

from __future__ import annotations

from dataclasses import replace

from rulekit.amend.draft import Draft, Force
from rulekit.syntax import items as i

_SPACES = {
    "enum": "enums",
    "kind": "unions",
    "piece": "populations",
    "space": "populations",
    "group": "groups",
}


def amend_component(draft: Draft, amendment: i.Amendment, force: Force) -> None:
    """`add to enum X: A, B`, `add to piece X:` with fields."""
    address = amendment.address
    assert address.name is not None
    space = draft.space(_SPACES[address.word])
    found = space.get(address.name.text)
    if found is None:
        draft.tell_missing(address.name, space, address.word)
        return
    if not force.always:
        draft.tell_impossible(
            amendment,
            f"`{address.name.text}` has its members and fields for the whole game",
            "take out `in force`, and put the condition where they are used",
        )
        return
    if amendment.op != "add":
        draft.tell_impossible(
            amendment, f"members and fields can be added to `{address.name.text}`, nothing else"
        )
        return
    name = address.name.text
    if amendment.members:
        if isinstance(found, i.KindUnion):
            space[name] = replace(found, kinds=(*found.kinds, *amendment.members))
            return
        if isinstance(found, i.Group) or (isinstance(found, i.Population) and found.source is not None):
            draft.tell_impossible(
                amendment, f"the members of `{name}` come from data", "lay a data file over it"
            )
            return
        more = tuple(i.Member(member.span, member, "", amendment.cite) for member in amendment.members)
        space[name] = replace(found, members=(*found.members, *more))
    if amendment.fields:
        if isinstance(found, i.Enum):
            draft.tell_impossible(amendment, f"the enum `{name}` has no fields")
            return
        space[name] = replace(found, fields=(*found.fields, *amendment.fields))


def amend_state(draft: Draft, amendment: i.Amendment, force: Force) -> None:
    """`set state X to E`: another beginning."""
    address = amendment.address
    assert address.name is not None
    stores = draft.space("stores")
    found = stores.get(address.name.text)
    if found is None:
        draft.tell_missing(address.name, stores, address.word)
        return
    case = amendment.cases[0] if amendment.op == "set" and amendment.cases else None
    if not isinstance(case, i.Case) or not force.always:
        hint = f"`set {address.word} {address.name.text} to VALUE`, in force always, says where it begins"
        draft.tell_impossible(amendment, f"only the beginning of `{address.name.text}` can be amended", hint)
        return
    if draft.once("stores", address.name.text, force, amendment.span):
        stores[address.name.text] = replace(found, initial=case.value)
