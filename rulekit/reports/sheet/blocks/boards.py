"""A board of a kind of spaces: as hexes, or as boxes with lines between those that touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from rulekit.reports.sheet.blocks.data import MemberRow, members, side_fields, soft_note
from rulekit.reports.sheet.content.context import Context, Tell
from rulekit.reports.sheet.layout.board_layout import MOST, WIDE, Way, arranged, hexes, near
from rulekit.reports.sheet.model.document import Board, Head, Run, Runs, SheetError, Spot, text
from rulekit.reports.sheet.model.settings import BlockSpec
from rulekit.syntax.tree.types import NamedType, SetType

SHAPES: Mapping[str, Literal["disc", "diamond"]] = {"disc": "disc", "diamond": "diamond"}


def board(ctx: Context, spec: BlockSpec, tell: Tell) -> Iterator[Board]:
    """Make the boards of a specification: one for each kind that has members in the data."""
    for kind in spec.what:
        if kind not in ctx.compiled.names.populations:
            tell("kind", kind, (*ctx.compiled.names.populations,))
            continue
        found = _Maker(ctx, spec, kind, tell).board()
        if found is not None:
            yield found


class _Maker:
    """Makes one board.

    It reads: `borders` (the field with what a space touches), `owner`, `values` and `marks`
    (fields that are printed on a space), `places` (columns and rows, or points) or `number` (the field in
    which four figures give column and row), `where` (fields that must be so), `shape`, `key`.
    """

    def __init__(self, ctx: Context, spec: BlockSpec, kind: str, tell: Tell) -> None:
        self._ctx, self._spec, self._kind = ctx, spec, kind
        self._borders = spec.texts.get("borders", "") or _touching(ctx, kind)
        self._owners = spec.lists.get("owner") or side_fields(ctx, kind)
        self._places = spec.maps.get("places", {})
        wanted = spec.maps.get("where", {})
        known = members(ctx, kind)
        for name in self._places:
            if name not in {m.name for m in known}:
                tell(kind, name, [m.name for m in known])
        self._found = tuple(
            member
            for member in known
            if all(str(member.values.get(field)) in values for field, values in wanted.items())
            and (not self._places or member.name in self._places)
        )

    def board(self) -> Board | None:
        found = self._found
        number = self._spec.texts.get("number", "")
        if number:
            found = tuple(m for m in found if _figures(m.values.get(number)))
        if not found:
            return None
        ways = _ways(found, self._borders)
        if len(found) > MOST and not self._places and not number:
            many = f"`{self._kind}` has {len(found)} members, and a layout is worked out for {MOST} at most"
            raise SheetError(f"{many}; say where they are under `places`")
        hexed = self._spec.texts.get("shape", "hex" if number else "box") == "hex"
        if hexed:
            cells = [_cell(m, number, self._places) for m in found]
            points, width, height = hexes(cells)
            far = [way for way in ways if not near(points, way)]
            drawn: tuple[Way, ...] = ()
            beside = ((a, b) for b in range(len(found)) for a in range(b) if near(points, (a, b)))
            closed = tuple(pair for pair in beside if pair not in set(ways)) if ways else ()
        else:
            given = [_numbers(self._places[m.name]) for m in found] if self._places else None
            labels = [len(m.title) for m in found]
            (points, height), width = arranged(labels, ways, given), WIDE
            drawn, closed, far = ways, (), []
        also = [[found[sum(way) - n].title for way in far if n in way] for n in range(len(found))]
        spots = tuple(self._spot(m, *p, also=a) for m, p, a in zip(found, points, also, strict=True))
        fields = (*(field for field, _ in self._labels()), *self._spec.maps.get("marks", {}))
        doubtful = any(m.soft(field) for m in found for field in fields)
        ctx, word = self._ctx, self._ctx.catalogue
        said = (word("map-touches", s.name, ", ".join(s.touches)) + "." for s in spots if s.touches)
        title = self._spec.title or ctx.words.title("kind", self._kind)
        see = ctx.words.cited(ctx.compiled.names.populations[self._kind].cite)[:3]
        notes = (soft_note(ctx),) if doubtful else ()
        head = Head(f"board:{self._kind}", title, see, wide=True, notes=notes)
        alt = " ".join((word("map"), *said))
        shape: Literal["hex", "box"] = "hex" if hexed else "box"
        return Board(head, shape, width, height, spots, drawn, closed, tuple(self._key()), alt)

    def _spot(self, member: MemberRow, x: float, y: float, also: Sequence[str]) -> Spot:
        spec = self._spec
        owner = next((member.values[f] for f in self._owners if member.values.get(f)), None)
        who = self._ctx.side(str(owner)) if owner else None
        values = tuple(self._value(member, field, label) for field, label in self._labels())
        marks = tuple(
            SHAPES.get(shape[0], "disc")
            for field, shape in spec.maps.get("marks", {}).items()
            if member.values.get(field)
        )
        touches = tuple(self._ctx.words.name(str(b).replace(" ", "_")) for b in _names(member, self._borders))
        side = who.sides[0] if who else None
        shown = tuple(value for value in values if value)
        return Spot(member.title, x, y, shown, side, marks, touches, tuple(also))

    def _labels(self) -> list[tuple[str, str]]:
        """The fields that are printed, each with a word before it."""
        labelled = [(field, " ".join(said)) for field, said in self._spec.maps.get("values", {}).items()]
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

    def _key(self) -> Iterator[tuple[str, str]]:
        for mark, said in self._spec.maps.get("key", {}).items():
            who = self._ctx.side(mark)
            yield self._ctx.sides[who.sides[0]].name if who else mark, ", ".join(said)


def _touching(ctx: Context, kind: str) -> str:
    """The field of a kind of spaces that says which of them it touches."""
    for field in ctx.compiled.names.populations[kind].fields:
        inner = field.type.of if isinstance(field.type, SetType) else None
        if isinstance(inner, NamedType) and inner.name == kind and not field.changes and not field.params:
            return field.name.text
    return ""


def _names(member: MemberRow, field: str) -> Sequence[str]:
    found = member.values.get(field) or ()
    return tuple(map(str, found)) if isinstance(found, tuple | list) else (str(found),)


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
    """Column and row of a hex."""
    if member.name in places:
        column, row = _numbers(places[member.name])
        return int(column), int(row)
    figures = _figures(member.values.get(number))
    return (int(figures[:2]), int(figures[2:])) if figures else (0, 0)


def _numbers(said: Sequence[str]) -> tuple[float, float]:
    numbers = [float(each) for each in said[:2]]
    return (numbers + [0.0, 0.0])[0], (numbers + [0.0, 0.0])[1]
