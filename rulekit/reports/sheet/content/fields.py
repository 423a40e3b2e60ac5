"""Fields named in `sheet.yaml`: unknown ones are reported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulekit.reports.sheet.blocks.data import fields_of, population
from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.model.settings import BlockSpec

SORTS = ("fields", "roster", "arrivals", "board", "counters")
"""Sorts of blocks that name fields of kinds."""
_ONE = ("by", "at", "circled", "gone", "home", "type", "number", "borders", "owner")
_SEVERAL = ("factors", "back", "columns", "values")
_KEYS = ("where", "marks", "values")
Missing = Callable[[str, str, Sequence[str]], None]
"""Told of a kind, or several, the name of a field that none has, and those that they have."""


def check_fields(ctx: Context, spec: BlockSpec, tell: Missing) -> None:
    """Reports the fields that a specification names and its kinds lack."""
    kinds = [kind for kind in spec.what if kind in ctx.compiled.names.populations]
    if spec.sort not in SORTS or not kinds or "numbers" in spec.texts:
        return
    known: dict[str, None] = {}
    for kind in kinds:
        found = population(ctx, kind)
        known |= dict.fromkeys(found.columns[1:] if found else ())
        known |= dict.fromkeys(fields_of(ctx, kind))
    for name in dict.fromkeys(_named(spec)):
        if name not in known:
            tell(kinds[0], name, (*known,))


def _named(spec: BlockSpec) -> Iterator[str]:
    for key in _ONE:
        if spec.texts.get(key):
            yield spec.texts[key]
    for key in _SEVERAL:
        yield from (name for name in spec.lists.get(key, ()) if name)
    for key in _KEYS:
        yield from spec.maps.get(key, {})
    if spec.sort == "fields" and spec.texts.get("where"):
        yield spec.texts["where"]
