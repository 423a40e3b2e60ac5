"""The board: a schematic map, or a table of areas; tracks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulekit.sheet.context import Context
from rulekit.sheet.document import Block, Column, Head, Row, Run, Table
from rulekit.sheet.settings import Settings, Wish
from rulekit.sheet.wording import strong, text
from rulekit.syntax.types import RangeType

Tell = Callable[[str, str, Sequence[str]], None]


def blocks(ctx: Context, settings: Settings, wish: Wish, tell: Tell) -> Iterator[Block | None]:
    """The blocks of a wish for something of the board."""
    match wish.sort:
        case "tracks":
            yield tracks(ctx, wish)
        case _:
            return


def tracks(ctx: Context, wish: Wish) -> Table | None:
    """States with a range that something is counted on, with where they begin."""
    rows = []
    for name, store in ctx.compiled.names.stores.items():
        wanted = name in wish.what if wish.what else store.sort == "track"
        if not wanted or not isinstance(store.type, RangeType):
            continue
        begins = ctx.words.said(store.initial) if store.initial is not None else str(store.type.low)
        refs = tuple(Run("ref", number) for number in ctx.words.cited(store.cite))
        ends = (str(store.type.low).replace("-", "−"), str(store.type.high).replace("-", "−"))
        rows.append(Row((strong(ctx.words.title("track", name)), *map(text, ends), text(begins), refs)))
    word = ctx.catalogue
    heads = (("track", "key"), ("from", "number"), ("to", "number"), ("begins", "number"), ("see", "ref"))
    columns = tuple(Column(text(word(key)), kind) for key, kind in heads)  # type: ignore[arg-type]
    return Table(Head("tracks", wish.title or word("tracks")), columns, tuple(rows)) if rows else None
