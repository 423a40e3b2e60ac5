"""Items that no play reaches, each with the reason: a procedure without a caller, a choice never asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rulekit.analysis.reach.finder import Place, edges
from rulekit.compiler.driver import Compiled
from rulekit.syntax.tree import items as i

_Item = i.Procedure | i.Choice | i.Roll | i.Define | i.Table | i.ExternTable | i.Modifier

_ITEMS = {
    "procedures": "is never run",
    "choices": "is never asked",
    "rolls": "is never rolled",
    "defines": "is never read",
    "tables": "is never read",
    "externs": "is never read",
}
"""The mappings of items that only play makes useful, with what is missing where no other item names one."""


def unreached_places(compiled: Compiled, reached: Collection[Place]) -> Iterator[Place]:
    """Yield the items that play does not reach, in the order of the files."""
    for space in (*_ITEMS, "modifiers"):
        yield from ((space, name) for name in getattr(compiled.names, space) if (space, name) not in reached)


def item_at(compiled: Compiled, place: Place) -> _Item:
    """Return an item that play does not reach."""
    item: _Item = getattr(compiled.names, place[0])[place[1]]
    return item


def reasons_of(compiled: Compiled, reached: Collection[Place]) -> Mapping[Place, str]:
    """Return for each item that play does not reach what is missing, in words."""
    return {place: reason(compiled, cause) for place, cause in causes_of(compiled, reached).items()}


def causes_of(compiled: Compiled, reached: Collection[Place]) -> Mapping[Place, Place]:
    """Return for each item that play does not reach the first cause: another such item, or itself.

    Where only items that are not reached themselves use it, the last one of the chain keeps play from it.
    """
    places = list(unreached_places(compiled, reached))
    users = _users(compiled, places)
    return {place: _first_cause(place, users) for place in places}


def _users(compiled: Compiled, places: Collection[Place]) -> Mapping[Place, Place]:
    """Return for each unreached item another one that uses it, if there is one."""
    users: dict[Place, Place] = {}
    unreached, used_by = set(places), edges(compiled.names, compiled.workspace.trees)
    for user in places:
        for place in used_by(user):
            if place in unreached and place != user:
                users.setdefault(place, user)
    return users


def _first_cause(place: Place, users: Mapping[Place, Place]) -> Place:
    """The item at the end of the chain of users, or where it comes round."""
    passed = {place}
    while (user := users.get(place)) is not None and user not in passed:
        passed.add(user)
        place = user
    return place


def reason(compiled: Compiled, place: Place) -> str:
    """Return what is missing for play to reach an item that is its own first cause."""
    space, name = place
    item = item_at(compiled, place)
    shown = f"{i.word_of(item)} `{compiled.names.declared.get(name, name)}`"
    if isinstance(item, i.Modifier):
        return f"{shown} modifies what play does not reach"
    if name in compiled.names.declared:
        return f"{shown} is replaced"
    return f"{shown} {_ITEMS[space]}"
