"""Maps as a rule set draws them, and boards of hexes, or of boxes with lines between those that touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from rulekit.compiler.grid import Grid, Shape
from rulekit.reports.sheet.blocks.data import MemberRow, members, selected_members, side_fields, wide_head
from rulekit.reports.sheet.content.context import Context, Tell, existing
from rulekit.reports.sheet.content.wording import plain
from rulekit.reports.sheet.layout.board_layout import MOST, ROOT, WIDE, Point, Way, arrange, grid, hexes, near
from rulekit.reports.sheet.model.document import (
    Area,
    Board,
    Land,
    Map,
    MapSite,
    Run,
    Runs,
    SheetError,
    Spot,
    text,
)  # fmt: skip
from rulekit.reports.sheet.model.settings import BlockSpec, MapSpec, SiteSpec
from rulekit.syntax.tree.types import NamedType, SetType

LABELS = ("right", "left", "above", "below", "below-left")
SHAPES: Mapping[str, Literal["disc", "diamond"]] = {"disc": "disc", "diamond": "diamond"}

SHAPES_OF_BOARDS: Mapping[Shape, Literal["hex", "pointed", "square"]] = {
    "square": "square", "hex in rows": "pointed", "hex in columns": "hex",
}  # fmt: skip


# ---------------------------------------------------------------- maps


def drawn_map(ctx: Context, spec: MapSpec, block: BlockSpec, tell: Tell) -> Map | None:
    """The map as the set draws it; report names that are not in the data."""
    known = {member.name: member for member in members(ctx, spec.kind)}
    if not known:
        tell("kind with data", spec.kind, (*ctx.compiled.names.populations,))
        return None
    areas = tuple(_area(ctx, spec, known[name]) for name in existing(tell, spec.kind, (*spec.areas,), known))
    sites: list[MapSite] = []
    doubtful = any(m.soft(field) for m in known.values() for field in spec.values)
    for site in spec.sites:
        known = {member.name: member for member in members(ctx, site.kind)}
        places = existing(tell, site.kind, (*site.places,), known)
        sites += (_site(ctx, site, known[name]) for name in places)
    land = tuple(Land(name, *_numbers(place, 2)) for name, place in spec.land.items())
    word = ctx.catalogue
    borders = ((area.name, ", ".join(area.borders)) for area in areas)
    alt = " ".join((word("map"), *(word("map-touches", name, others) + "." for name, others in borders)))
    cite = ctx.compiled.names.populations[spec.kind].cite
    title = block.title or ctx.words.title("kind", spec.kind)
    head = wide_head(ctx, "map", title, [cite], doubtful=doubtful)
    return Map(head, spec.width, spec.height, areas, tuple(sites), land, _key(ctx, spec.key), alt)


def _key(ctx: Context, key: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the key of a map or board; marks for a side use the side's name on this sheet."""
    owners = ((mark, ctx.side(mark), words) for mark, words in key.items())
    return tuple((mark if side is None else ctx.sides[side].name, words) for mark, side, words in owners)


def _numbers(cells: Sequence[str], count: int) -> tuple[float, ...]:
    return (*(float(cell) for cell in cells[:count]), *(0.0,) * (count - len(cells)))


def _area(ctx: Context, spec: MapSpec, member: MemberRow) -> Area:
    place = spec.areas[member.name]
    x, y, width, height, right, down = _numbers(place, 6)
    values = tuple(_value(ctx, member, field, side) for field, side in spec.values.items())
    side = ctx.side(member.values.get(spec.owner))
    borders = tuple(map(ctx.words.of_data, member.values.get(spec.borders) or ()))
    return Area(member.title, x, y, width, height, values, side, (right, down), borders)


def _value(ctx: Context, member: MemberRow, field: str, side: str) -> Runs:
    place = ctx.side(side)
    mark = text(side) if place is None else (Run("side", str(place)),)
    soft = text("°") if member.soft(field) else ()
    return (*mark, Run("strong", str(member.values.get(field))), *soft)


def _site(ctx: Context, spec: SiteSpec, member: MemberRow) -> MapSite:
    place = spec.places[member.name]
    x, y = _numbers(place, 2)
    owner = ctx.side(member.values.get(spec.owner))
    label = next((name for name in LABELS if name in place[2:]), "right")
    shape = "diamond" if spec.shape == "diamond" else "disc"
    title = str(member.values.get("title") or member.title)
    return MapSite(title, x, y, shape, owner, label)  # type: ignore[arg-type]


# ---------------------------------------------------------------- boards


def board(ctx: Context, spec: BlockSpec, tell: Tell) -> Iterator[Board]:
    """Make the boards of a specification: one for each kind that has members in the data."""
    for kind in existing(tell, "kind", spec.what, ctx.compiled.names.populations):
        drawn = _BoardMaker(ctx, spec, kind, tell).board()
        if drawn is not None:
            yield drawn


class _BoardMaker:
    """Makes one board.

    It reads: `borders` (the field with what a space touches), `owner`, `values` and `marks`
    (fields that are printed on a space), `places` (columns and rows, or points) or `number` (the field in
    which four figures give column and row), `where` (fields that must be so), `window` (two opposite
    corners of what is printed of a declared board), `shape`, `key`.
    """

    def __init__(self, ctx: Context, spec: BlockSpec, kind: str, tell: Tell) -> None:
        self._ctx, self._spec, self._kind = ctx, spec, kind
        self._borders = spec.texts.get("borders", "") or _touching(ctx, kind)
        self._owners = spec.lists.get("owner") or side_fields(ctx, kind)
        self._places = spec.maps.get("places", {})
        existing(tell, kind, (*self._places,), (member.name for member in members(ctx, kind)))
        self._grid = ctx.compiled.model.world.boards.get(kind)
        chosen = selected_members(ctx, spec, kind)
        if self._grid is not None and not chosen and not ctx.compiled.names.populations[kind].source:
            titles = ctx.compiled.model.world.domains["space"].titles
            names = _names_on(ctx, self._grid)
            chosen = tuple(MemberRow(name, titles[number], {}, None, {}) for number, name in names.items())
        shown = tuple(m for m in chosen if not self._places or m.name in self._places)
        self._members = self._in_window(shown, tell)

    def _in_window(self, shown: tuple[MemberRow, ...], tell: Tell) -> tuple[MemberRow, ...]:
        """The spaces of a declared board between the two that `window` names."""
        corners = existing(tell, self._kind, self._spec.lists.get("window", ()), (m.name for m in shown))
        if self._grid is None or len(corners) != 2:
            return shown
        cells = _cells(self._ctx, self._grid, shown)
        across, down = zip(*map(cells.__getitem__, corners), strict=True)
        (left, right), (top, bottom) = sorted(across), sorted(down)
        inside = {name for name, (x, y) in cells.items() if left <= x <= right and top <= y <= bottom}
        return tuple(m for m in shown if m.name in inside)

    def board(self) -> Board | None:
        spaces = self._members
        number = self._spec.texts.get("number", "")
        if number:
            spaces = tuple(m for m in spaces if _figures(m.values.get(number)))
        if not spaces:
            return None
        ways = _ways(spaces, self._borders)
        declared = self._grid if not self._places and not number else None
        if len(spaces) > MOST and not self._places and not number and declared is None:
            many = f"`{self._kind}` has {len(spaces)} members, but rulekit places at most {MOST} by itself"
            raise SheetError(f"{many}; give their places under `places`")
        hexed = self._spec.texts.get("shape", "hex" if number else "box") == "hex"
        shape = SHAPES_OF_BOARDS[declared.shape] if declared is not None else "hex" if hexed else "box"
        if shape != "box":
            if declared is not None:
                cells = _cells(self._ctx, declared, spaces)
                points, width, height = grid(declared.shape, [cells[m.name] for m in spaces])
            else:
                points, width, height = hexes([_cell(m, number, self._places) for m in spaces])
            apart = 2.0 if shape == "square" else ROOT
            far = [way for way in ways if not near(points, way, apart)]
            drawn: tuple[Way, ...] = ()
            beside = ((a, b) for b in range(len(spaces)) for a in range(b) if near(points, (a, b), apart))
            closed = tuple(pair for pair in beside if pair not in set(ways)) if ways else ()
        else:
            given = [_point(self._places[m.name]) for m in spaces] if self._places else None
            labels = [len(m.title) for m in spaces]
            (points, height), width = arrange(labels, ways, given), WIDE
            drawn, closed, far = ways, (), []
        also = [[spaces[sum(way) - n].title for way in far if n in way] for n in range(len(spaces))]
        spots = tuple(self._spot(m, *p, also=a) for m, p, a in zip(spaces, points, also, strict=True))
        fields = (*(field for field, _ in self._labels()), *self._spec.maps.get("marks", {}))
        doubtful = any(m.soft(field) for m in spaces for field in fields)
        ctx, word = self._ctx, self._ctx.catalogue
        words = (word("map-touches", s.name, ", ".join(s.touches)) + "." for s in spots if s.touches)
        title = self._spec.title or ctx.words.title("kind", self._kind)
        cite = ctx.compiled.names.populations[self._kind].cite
        head = wide_head(ctx, f"board:{self._kind}", title, [cite], doubtful=doubtful)
        span = f"{spaces[0].title} – {spaces[-1].title}." if declared is not None else ""
        alt = " ".join((word("map"), *([span] if span else []), *words))
        return Board(head, shape, width, height, spots, drawn, closed, self._key(), alt)

    def _spot(self, member: MemberRow, x: float, y: float, also: Sequence[str]) -> Spot:
        spec = self._spec
        side = self._ctx.side(next((member.values[f] for f in self._owners if member.values.get(f)), None))
        values = tuple(self._value(member, field, label) for field, label in self._labels())
        values += tuple(_ticks(member, field, keys) for field, keys in spec.maps.get("ticks", {}).items())
        marks = tuple(
            SHAPES.get(shape[0], "disc")
            for field, shape in spec.maps.get("marks", {}).items()
            if member.values.get(field)
        )
        touches = tuple(map(self._ctx.words.of_data, _names(member, self._borders)))
        shown = tuple(value for value in values if value)
        return Spot(member.title, x, y, shown, side, marks, touches, tuple(also))

    def _labels(self) -> list[tuple[str, str]]:
        labelled = [(field, " ".join(words)) for field, words in self._spec.maps.get("values", {}).items()]
        return labelled or [(field, "") for field in self._spec.lists.get("values", ())]

    def _value(self, member: MemberRow, field: str, label: str) -> Runs:
        value = member.values.get(field)
        if value in (None, (), False):
            return ()
        if value is True:
            return text(self._ctx.words.name(field))
        soft = text("°") if member.soft(field) else ()
        before = text(f"{label} ") if label else ()
        return (*before, *(Run("strong", run.text) for run in member.cell(self._ctx, value)), *soft)

    def _key(self) -> tuple[tuple[str, str], ...]:
        marks = self._spec.maps.get("key", {})
        return _key(self._ctx, {mark: ", ".join(words) for mark, words in marks.items()})


def _ticks(member: MemberRow, field: str, keys: Sequence[str]) -> Runs:
    """A box for each key: ticked if the field has it; nothing if it has none of them."""
    value = member.values.get(field)
    has = {str(part) for part in (value if isinstance(value, tuple | list | dict) else (value,))}
    return tuple(Run("ticked" if key in has else "open", key) for key in keys) if has & set(keys) else ()


def _cells(ctx: Context, declared: Grid, spaces: Sequence[MemberRow]) -> dict[str, tuple[int, int]]:
    """The steps to the right and down of spaces of a declared board, by their names."""
    names = _names_on(ctx, declared)
    cells = {names[number]: (spot.x, spot.y) for number, spot in declared.spots.items()}
    return {space.name: cells[plain(space.name)] for space in spaces}


def _names_on(ctx: Context, declared: Grid) -> dict[int, str]:
    """The names of the spaces of a declared board, as words."""
    names = ctx.compiled.model.world.domains["space"].members
    return {number: plain(names[number].removeprefix(f"{declared.kind}.")) for number in declared.spots}


def _touching(ctx: Context, kind: str) -> str:
    """The field of a kind of spaces that says which of them it touches."""
    for field in ctx.compiled.names.populations[kind].fields:
        inner = field.type.of if isinstance(field.type, SetType) else None
        if isinstance(inner, NamedType) and inner.name == kind and not field.changes and not field.params:
            return field.name.text
    return ""


def _names(member: MemberRow, field: str) -> Sequence[str]:
    value = member.values.get(field) or ()
    return tuple(map(str, value)) if isinstance(value, tuple | list) else (str(value),)


def _ways(found: Sequence[MemberRow], borders: str) -> tuple[tuple[int, int], ...]:
    """Pairs of those that touch, each once."""
    at = {member.name: n for n, member in enumerate(found)}
    pairs = {
        (min(n, at[other]), max(n, at[other]))
        for n, member in enumerate(found)
        for other in _names(member, borders)
        if other in at and at[other] != n
    }
    return tuple(sorted(pairs))


def _figures(value: object) -> str:
    """The first four figures in a row; a number has as many."""
    run = ""
    for c in f"{value:04d} " if isinstance(value, int) else f"{value} ":
        if c.isdecimal():
            run += c
        elif len(run) == 4:
            return run
        else:
            run = ""
    return ""


def _cell(member: MemberRow, number: str, places: Mapping[str, Sequence[str]]) -> tuple[int, int]:
    if member.name in places:
        column, row = _point(places[member.name])
        return int(column), int(row)
    figures = _figures(member.values.get(number))
    return (int(figures[:2]), int(figures[2:])) if figures else (0, 0)


def _point(place: Sequence[str]) -> Point:
    x, y = _numbers(place, 2)
    return x, y
