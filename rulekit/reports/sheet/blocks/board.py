"""The board: a schematic map, or a table of its spaces; tracks; what holds when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulekit.reports.sheet.blocks.data import MemberRow, members, soft_note
from rulekit.reports.sheet.blocks.tables import said_cell
from rulekit.reports.sheet.content.context import Context, Tell
from rulekit.reports.sheet.model.document import (
    Area,
    ColumnKind,
    Head,
    Land,
    Map,
    MapSite,
    Run,
    Runs,
    SheetColumn,
    SheetRow,
    Stretch,
    TableBlock,
    Timeline,
    Track,
    refs,
    strong,
    text,
)
from rulekit.reports.sheet.model.settings import BlockSpec, MapSpec, SiteSpec
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.types import RangeType

LABELS = ("right", "left", "above", "below", "below-left")


def tracks(ctx: Context, spec: BlockSpec) -> TableBlock | None:
    """States with a range that something is counted on, with where they begin."""
    rows = []
    for name, store in ctx.compiled.names.stores.items():
        wanted = name in spec.what if spec.what else store.sort == "track"
        if not wanted or not isinstance(store.type, RangeType):
            continue
        begins = ctx.words.said(store.initial) if store.initial is not None else str(store.type.low)
        see = refs(ctx.words.cited(store.cite))
        ends = (str(store.type.low).replace("-", "−"), str(store.type.high).replace("-", "−"))
        rows.append(SheetRow((strong(ctx.words.title("track", name)), *map(text, ends), text(begins), see)))
    word = ctx.catalogue
    heads: tuple[tuple[str, ColumnKind], ...] = (
        ("track", "key"), ("from", "number"), ("to", "number"), ("begins", "number"), ("see", "ref"),
    )  # fmt: skip
    columns = tuple(SheetColumn(text(word(key)), kind) for key, kind in heads)
    return TableBlock(Head("tracks", spec.title or word("tracks")), columns, tuple(rows)) if rows else None


# ---------------------------------------------------------------- the map


def drawn(ctx: Context, spec: MapSpec, block: BlockSpec, tell: Tell) -> Map | None:
    """The map as the set draws it; what it draws and the data do not have is told."""
    found = {member.name: member for member in members(ctx, spec.kind)}
    if not found:
        tell("kind with data", spec.kind, (*ctx.compiled.names.populations,))
        return None
    for name in spec.areas:
        if name not in found:
            tell(spec.kind, name, (*found,))
    areas = tuple(_area(ctx, spec, found[name]) for name in spec.areas if name in found)
    sites: list[MapSite] = []
    doubtful = any(m.soft(field) for m in found.values() for field in spec.values)
    for each in spec.sites:
        known = {member.name: member for member in members(ctx, each.kind)}
        for name in each.places:
            if name not in known:
                tell(each.kind, name, (*known,))
        sites += (_site(ctx, each, known[name]) for name in each.places if name in known)
    land = tuple(Land(name, *_numbers(place, 2)[:2]) for name, place in spec.land.items())
    word = ctx.catalogue
    borders = (
        (area.name, ", ".join(ctx.words.name(b.replace(" ", "_")) for b in area.borders)) for area in areas
    )
    alt = " ".join((word("map"), *(word("map-touches", name, others) + "." for name, others in borders)))
    population = ctx.compiled.names.populations[spec.kind]
    see = ctx.words.cited(population.cite)[:3]
    notes = (soft_note(ctx),) if doubtful else ()
    head = Head("map", block.title or ctx.words.title("kind", spec.kind), see, wide=True, notes=notes)
    return Map(head, spec.width, spec.height, areas, tuple(sites), land, tuple(_key(ctx, spec)), alt)


def _key(ctx: Context, spec: MapSpec) -> Iterator[tuple[str, str]]:
    """Return the key of a map; marks for a side use the side's name on this sheet."""
    for mark, said in spec.key.items():
        who = ctx.side(mark)
        yield ctx.sides[who.sides[0]].name if who else mark, said


def _numbers(said: Sequence[str], count: int) -> tuple[float, ...]:
    return (*(float(each) for each in said[:count]), *(0.0,) * (count - len(said)))


def _area(ctx: Context, spec: MapSpec, member: MemberRow) -> Area:
    place = spec.areas[member.name]
    x, y, width, height, right, down = _numbers(place, 6)
    values = tuple(_value(ctx, member, field, side) for field, side in spec.values.items())
    owner = ctx.side(str(member.values.get(spec.owner))) if spec.owner else None
    borders = tuple(str(each) for each in member.values.get(spec.borders) or ())
    side = owner.sides[0] if owner else None
    return Area(member.title, x, y, width, height, values, side, (right, down), borders)


def _value(ctx: Context, member: MemberRow, field: str, side: str) -> Runs:
    who = ctx.side(side)
    mark = (Run("side", str(who.sides[0])),) if who else text(side)
    soft = text("°") if member.soft(field) else ()
    return (*mark, Run("strong", str(member.values.get(field))), *soft)


def _site(ctx: Context, spec: SiteSpec, member: MemberRow) -> MapSite:
    place = spec.places[member.name]
    x, y = _numbers(place, 2)
    owner = ctx.side(str(member.values.get(spec.owner))) if spec.owner else None
    label = next((name for name in LABELS if name in place[2:]), "right")
    shape = "diamond" if spec.shape == "diamond" else "disc"
    title = str(member.values.get("title") or member.title)
    return MapSite(title, x, y, shape, owner.sides[0] if owner else None, label)  # type: ignore[arg-type]


# ---------------------------------------------------------------- what holds when


def timeline(ctx: Context, spec: BlockSpec, tell: Tell) -> Timeline | None:
    """Tables of which months are the key, as bars over the years."""
    tables = ctx.compiled.names.tables
    for name in spec.what:
        if name not in tables:
            tell("table", name, (*tables,))
    wanted = [tables[name] for name in spec.what if name in tables] or [
        t for t in tables.values() if dated(t)
    ]
    wanted = [table for table in wanted if dated(table) and ctx.applies.at(table.span)]
    ends = [month for table in wanted for row in table.rows[1:] for month in _ends(row) if month is not None]
    if not ends:
        return None
    first, last = min(ends) - 1, max(ends) + 2
    calendars = ctx.compiled.names.calendars.values()
    first = max([first, *(c.first for c in calendars)])
    last = min([max(last, first + 11), *(c.last for c in calendars)])
    made = tuple(_track(ctx, table, first, last) for table in wanted)
    options = dict.fromkeys(tag for table in wanted for tag in ctx.force.tags_at(table.span))
    see = ctx.words.cited(*(table.cite for table in wanted))
    several = ", ".join(track.title[0].text for track in made)
    head = Head(f"timeline:{wanted[0].name.text}", spec.title or several, see, tuple(options), wide=True)
    return Timeline(head, first, last, made)


def dated(table: i.Table) -> bool:
    """Return whether months are all that the rows of a table are found by."""
    rows = table.rows[1:]
    kinds = {row.cells[0].kind for row in rows}
    return bool(rows) and kinds <= {"date", "dates"} and all(len(row.cells) == 2 for row in rows)


def _ends(row: i.TableRow) -> tuple[int | None, int | None]:
    cell = row.cells[0]
    return cell.low, cell.low if cell.kind == "date" else cell.high


def _track(ctx: Context, table: i.Table, first: int, last: int) -> Track:
    shown = [(row, said_cell(ctx, row.cells[1])) for row in table.rows[1:]]
    known: list[str] = []
    stretches = []
    for row, said in shown:
        low, high = _ends(row)
        begin, end = (
            max(low if low is not None else first, first),
            min(high if high is not None else last, last),
        )
        if begin > end or not ctx.holds(low, high) or not ctx.applies.row(row.span):
            continue
        plain = "".join(run.text for run in said)
        if plain not in known and plain not in ("–", "0"):
            known.append(plain)
        level = known.index(plain) + 1 if plain in known else 0
        stretches.append(Stretch(begin, end, said, _short(ctx.words.cited(row.cite)), level))
    most = max((each.level for each in stretches), default=0)
    rising = _size(shown[-1][1]) > _size(shown[0][1])
    levels = tuple(_leveled(each, most, rising) for each in stretches)
    return Track(text(ctx.words.title("table", table.name.text)), levels, ctx.force.tags_at(table.span))


def _short(numbers: Sequence[str]) -> tuple[str, ...]:
    """Numbers without a chapter that is a word, which the block's head gives."""
    return tuple(n if n[:1].isdigit() else f".{n.rpartition('.')[2]}" for n in numbers)


def _size(said: Runs) -> int:
    digits = "".join(c for run in said for c in run.text if c.isdigit())
    return int(digits) if digits else 0


def _leveled(stretch: Stretch, most: int, rising: bool) -> Stretch:
    """Stronger tints for what is further from nothing, 4 at most."""
    if stretch.level == 0 or most == 0:
        return stretch
    rank = stretch.level if rising else most - stretch.level + 1
    return replace(stretch, level=max(1, round(4 * rank / most)))
