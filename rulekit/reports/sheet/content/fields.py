"""Names of fields in the wishes of a set: those that nothing has are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulekit.reports.sheet.blocks.data import fields_of, population
from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.model.settings import Wish

SORTS = ("fields", "roster", "arrivals", "board", "counters")
"""Sorts of blocks that name fields of kinds."""
_ONE = ("by", "at", "circled", "gone", "home", "type", "number", "borders", "owner")
_SEVERAL = ("factors", "back", "columns", "values")
_KEYS = ("where", "marks", "values")
Missing = Callable[[str, str, Sequence[str]], None]
"""Told of a kind, or several, the name of a field that none has, and those that they have."""


def check_fields(ctx: Context, wish: Wish, tell: Missing) -> None:
    """Tells the fields that a wish names and its kinds do not have."""
    kinds = [kind for kind in wish.what if kind in ctx.compiled.names.populations]
    if wish.sort not in SORTS or not kinds or "numbers" in wish.texts:
        return
    known: dict[str, None] = {}
    for kind in kinds:
        found = population(ctx, kind)
        known |= dict.fromkeys(found.columns[1:] if found else ())
        known |= dict.fromkeys(fields_of(ctx, kind))
    for name in dict.fromkeys(_named(wish)):
        if name not in known:
            tell(kinds[0], name, (*known,))


def _named(wish: Wish) -> Iterator[str]:
    for key in _ONE:
        if wish.texts.get(key):
            yield wish.texts[key]
    for key in _SEVERAL:
        yield from (name for name in wish.lists.get(key, ()) if name)
    for key in _KEYS:
        yield from wish.maps.get(key, {})
    if wish.sort == "fields" and wish.texts.get("where"):
        yield wish.texts["where"]
