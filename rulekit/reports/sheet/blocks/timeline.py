"""Tables by months, as bars over the years."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulekit.reports.sheet.blocks.tables import said_cell
from rulekit.reports.sheet.content.context import Context, Tell, existing
from rulekit.reports.sheet.model.document import Head, Runs, Stretch, Timeline, Track, text
from rulekit.reports.sheet.model.settings import BlockSpec
from rulekit.syntax.tree import items as i


def timeline(ctx: Context, spec: BlockSpec, tell: Tell) -> Timeline | None:
    """Tables of which months are the key, as bars over the years."""
    tables = ctx.compiled.names.tables
    wanted = [tables[name] for name in existing(tell, "table", spec.what, tables)] or tables.values()
    wanted = [table for table in wanted if is_dated(table) and ctx.applies.at(table.span)]
    ends = [month for table in wanted for row in table.rows[1:] for month in _ends(row) if month is not None]
    if not ends:
        return None
    first, last = min(ends) - 1, max(ends) + 2
    calendars = ctx.compiled.names.calendars.values()
    first = max([first, *(c.first for c in calendars)])
    last = min([max(last, first + 11), *(c.last for c in calendars)])
    tracks = tuple(_track(ctx, table, first, last) for table in wanted)
    options = dict.fromkeys(tag for table in wanted for tag in ctx.force.tags_at(table.span))
    see = ctx.words.numbers_cited(*(table.cite for table in wanted))
    several = ", ".join(track.title[0].text for track in tracks)
    head = Head(
        f"timeline:{wanted[0].name.text}", spec.title or several, see, tuple(options), wide=True,
        chapter=_chapter([stretch for track in tracks for stretch in track.stretches]),
    )  # fmt: skip
    return Timeline(head, first, last, tracks)


def is_dated(table: i.Table) -> bool:
    """Return whether months are all that the rows of a table are found by."""
    rows = table.rows[1:]
    kinds = {row.cells[0].kind for row in rows}
    return bool(rows) and kinds <= {"date", "dates"} and all(len(row.cells) == 2 for row in rows)


def _chapter(stretches: Sequence[Stretch]) -> str:
    """Return the chapter that all numbers share, if it is a word."""
    chapters = {number.rpartition(".")[0] for stretch in stretches for number in stretch.see}
    return next(iter(chapters)) if len(chapters) == 1 and not min(chapters)[:1].isdigit() else ""


def _ends(row: i.TableRow) -> tuple[int | None, int | None]:
    cell = row.cells[0]
    return cell.low, cell.low if cell.kind == "date" else cell.high


def _track(ctx: Context, table: i.Table, first: int, last: int) -> Track:
    shown = [(row, said_cell(ctx, row.cells[1])) for row in table.rows[1:]]
    known: list[str] = []
    stretches = []
    for row, words in shown:
        low, high = _ends(row)
        begin, end = (
            max(low if low is not None else first, first),
            min(high if high is not None else last, last),
        )
        if begin > end or not ctx.holds(low, high) or not ctx.applies.row(row.span):
            continue
        plain = "".join(run.text for run in words)
        if plain not in known and plain not in ("–", "0"):
            known.append(plain)
        level = known.index(plain) + 1 if plain in known else 0
        stretches.append(Stretch(begin, end, words, ctx.words.numbers_cited(row.cite), level))
    most = max((stretch.level for stretch in stretches), default=0)
    rising = _size(shown[-1][1]) > _size(shown[0][1])
    levels = tuple(_with_level(stretch, most, rising) for stretch in stretches)
    return Track(text(ctx.words.title("table", table.name.text)), levels, ctx.force.tags_at(table.span))


def _size(runs: Runs) -> int:
    digits = "".join(c for run in runs for c in run.text if c.isdigit())
    return int(digits) if digits else 0


def _with_level(stretch: Stretch, most: int, rising: bool) -> Stretch:
    """Stronger tints for what is further from nothing, 4 at most."""
    if stretch.level == 0 or most == 0:
        return stretch
    rank = stretch.level if rising else most - stretch.level + 1
    return replace(stretch, level=max(1, round(4 * rank / most)))
