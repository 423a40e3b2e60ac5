"""One wish for a block to the blocks that it gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.base.source import Span
from rulekit.reports.sheet.blocks import board, boards, counters, lists, norms, pieces, tables
from rulekit.reports.sheet.blocks import modifiers as modified
from rulekit.reports.sheet.blocks import outline as outlined
from rulekit.reports.sheet.blocks.data import population
from rulekit.reports.sheet.content.context import Context, Tell
from rulekit.reports.sheet.model.document import Block, Head, List
from rulekit.reports.sheet.model.settings import Settings, Wish

_NAMELESS = frozenset(("sequence", "options", "authors", "meeting", "glossary", "index"))
"""Sorts of blocks that tell nothing of what they name."""


def make(ctx: Context, settings: Settings, wish: Wish, tell: Tell, *, short: bool) -> Iterator[Block]:
    """The blocks that a wish gives: none where nothing of it is in force."""
    for found in _made(ctx, settings, wish, tell, short):
        if found is not None:
            yield found


def look_at(ctx: Context, settings: Settings, wish: Wish, tell: Tell) -> None:
    """Tell what a wish names that is not there, with as little of its blocks as can be made for that."""
    if wish.sort in ("rules", "examples"):
        _rules(ctx, wish.what, tell)
    elif wish.sort == "norms":
        for rules in wish.maps.get("groups", {}).values():
            _rules(ctx, rules, tell)
    elif wish.sort not in _NAMELESS:
        for _ in _made(ctx, settings, wish, tell, False):
            pass


def _made(ctx: Context, settings: Settings, wish: Wish, tell: Tell, short: bool) -> Iterator[Block | None]:
    names = ctx.compiled.names
    match wish.sort:
        case "sequence":
            yield outlined.sequence(ctx, wish.what, short=short, leave=wish.lists.get("leave", ()))
        case "rules":
            ids = _rules(ctx, wish.what, tell)
            if ids:
                yield lists.rules(ctx, ids, wish.title, wish.lists.get("leave", ()))
        case "table":
            odds = {heading: int(added[0] or 0) for heading, added in wish.maps.get("odds", {}).items()}
            roll = wish.texts.get("roll", "")
            if odds:
                _known("roll", (roll,), (*names.rolls,), tell)
            for name in _known("table", wish.what, (*names.tables, *names.externs), tell):
                sound = roll in names.rolls
                yield tables.table(ctx, name, wish.title, roll, odds if sound else {})
        case "modifiers":
            known = _known("roll", wish.what, (*names.rolls, *names.defines), tell)
            yield modified.modifiers(ctx, known, wish.title) if known or not wish.what else None
        case "norms":
            groups = [(case, _rules(ctx, rules, tell)) for case, rules in wish.maps.get("groups", {}).items()]
            yield norms.of_rules(
                ctx, groups, wish.what[0] if wish.what else "", wish.lists.get("may_not", ())
            )
        case "choices":
            known = _known("choice", wish.what, (*names.choices,), tell)
            yield norms.of_choices(ctx, known, wish.title) if known or not wish.what else None
        case "fields":
            for kind in _known("kind", wish.what, (*names.populations,), tell):
                columns = wish.lists.get("columns") or _all_fields(ctx, kind)
                last = ctx.value(wish.texts.get("upto", ""))
                yield tables.fields(ctx, kind, columns, wish.title, wish.texts.get("where", ""), last)
        case "options":
            for option, block in lists.options(ctx):
                yield block
                own = [n for n, made in names.tables.items() if ctx.force.brought_by(made.span) is option]
                yield from _brought(ctx, own)
        case "authors":
            yield lists.authors(ctx)
        case "examples":
            ids = _rules(ctx, wish.what, tell)
            yield lists.examples(ctx, ids, wish.title) if ids else None
        case "meeting":
            yield lists.meeting(ctx)
        case "errata":
            yield lists.errata(ctx, _known("errata entry", wish.what, (*ctx.compiled.declared.errata,), tell))
        case "glossary":
            yield lists.glossary(ctx)
        case "index":
            yield List(Head("index", ctx.catalogue("index")), (), True)  # its lines come last of all
        case "board":
            yield from boards.board(ctx, wish, tell)
        case "counters":
            yield from counters.counters(ctx, wish, tell)
        case _:
            yield from board.blocks(ctx, settings, wish, tell)
            yield from pieces.blocks(ctx, wish, tell)


def _brought(ctx: Context, own: Sequence[str]) -> Iterator[Block | None]:
    """The tables that an option brought; those of which months are the key as bars over the years."""
    over_years = tuple(name for name in own if board.dated(ctx.compiled.names.tables[name]))
    if over_years:
        wish = Wish("timeline", over_years, Span("", 1, 1, 1, 1))
        yield board.timeline(ctx, wish, lambda *_: None)
    for name in own:
        if name not in over_years:
            yield tables.table(ctx, name)


def _known(what: str, wanted: Sequence[str], known: Sequence[str], tell: Tell) -> tuple[str, ...]:
    """Those of some names that are there; the others are told."""
    for name in wanted:
        if name not in known:
            tell(what, name, known)
    return tuple(name for name in wanted if name in known)


def _rules(ctx: Context, wanted: Sequence[str], tell: Tell) -> tuple[str, ...]:
    for each in wanted:
        if not ctx.words.selected(each):
            tell("printed rule", each, (*ctx.words.printed,))
    return tuple(each for each in wanted if ctx.words.selected(each))


def _all_fields(ctx: Context, kind: str) -> tuple[str, ...]:
    found = population(ctx, kind)
    rows = found.rows if found else ()
    said = [
        (c, {repr(row.cells[n].plain) for row in rows}) for n, c in enumerate(found.columns if found else ())
    ]
    return tuple(column for column, values in said[1:] if column != "title" and values - {"None", "()"})
