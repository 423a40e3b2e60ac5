"""Boards: where squares and hexes are, and the fields that follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulekit.base.bits import mask_of, member_ids
from rulekit.compiler.grid import CLOCKWISE, Grid, GridPoint, Shape
from rulekit.compiler.names import Names
from rulekit.compiler.populate.coordinates import COORDINATE, DIRECTION, coordinates, labels, numbers
from rulekit.compiler.populate.fields import fields_of
from rulekit.compiler.populate.members import WorldDraft, add_domain, name_span, named_cell
from rulekit.compiler.world import FieldInfo
from rulekit.diagnostics import Diagnostic, Label, Report
from rulekit.diagnostics.kinds import IMPOSSIBLE_BOARD
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name
from rulekit.syntax.tree.types import NamedType

# ---------------------------------------------------------------- spaces


def add_boards(draft: WorldDraft, names: Names, report: Report) -> None:
    """Lay out the boards, and add the enum of the directions that they have."""
    for kind, item in names.populations.items():
        if item.board is not None:
            spots = _coordinates(kind, item, draft, report)
            board = draft.boards[kind] = _board(kind, item.board, {spot.text: n for n, spot in spots.items()})
            _report_strangers(board, item.board, spots, draft, report)
    used = {way for board in draft.boards.values() for way in board.ways}
    if used:
        members = tuple(way for way in CLOCKWISE if way in used)
        titles = tuple(way.replace("_", " ") for way in members)
        span = names.populations[next(iter(draft.boards))].name.span
        add_domain(draft, DIRECTION, "enum", members, titles, "enum", span)


def _coordinates(kind: str, item: i.Population, draft: WorldDraft, report: Report) -> dict[int, Name]:
    """The coordinate of each member, where it is written: a cell of the data, else the member's name.

    Of two members with one coordinate, which is reported, only the first is there.
    """
    listed = {member.name.text: member.span for member in item.members}
    names = {n: draft.simple["space", n] for n in member_ids(draft.kinds[kind].members)}
    spots = {n: Name(listed.get(name, item.span), name) for n, name in names.items()}
    for n, row in draft.rows[kind]:
        cell = named_cell(draft.data[kind], row, COORDINATE)
        if cell is not None and cell.value is not None:
            spots[n] = Name(cell.span, str(cell.plain))
        else:
            spots[n] = Name(name_span(draft.data[kind], row), names[n])
    first: dict[str, Name] = {}
    for n, spot in list(spots.items()):
        other = first.setdefault(spot.text, spot)
        if other is not spot:
            message = f"two members of `{kind}` have the coordinate `{spot.text}`"
            label = Label(other.span, "the other one")
            report.add(Diagnostic(IMPOSSIBLE_BOARD, message, spot.span, (label,), "correct or remove one"))
            del spots[n]
    return spots


def _board(kind: str, decl: i.BoardDecl, spaces: Mapping[str, int]) -> Grid:
    lines = decl.stagger.rpartition(" ")[2]
    shape: Shape = "square" if not lines else "hex in rows" if lines in ("row", "rows") else "hex in columns"
    columns, rows = numbers(decl.columns), numbers(decl.rows)

    def x_of(column: int, row: int) -> int:
        x = columns.index(column)
        return 2 * x + _shift(decl.stagger, row, rows.index(row)) if shape == "hex in rows" else x

    def y_of(column: int, row: int) -> int:
        y = rows.index(row)
        return 2 * y + _shift(decl.stagger, column, columns.index(column)) if shape == "hex in columns" else y

    spots = {
        spaces[name]: GridPoint(x_of(column, row), y_of(column, row), column, row)
        for name, column, row in coordinates(decl)
        if name in spaces
    }
    at = {(spot.x, spot.y): member for member, spot in spots.items()}
    below = tuple(
        (label, x_of(column, rows[-1])) for label, column in zip(labels(decl.columns), columns, strict=True)
    )
    beside = tuple((label, y_of(columns[0], row)) for label, row in zip(labels(decl.rows), rows, strict=True))
    return Grid(kind, shape, spots, at, below, beside)


def _shift(stagger: i.Stagger, number: int, position: int) -> int:
    """How many half hexes a line is set off: by the parity of its number, or each further than the last."""
    if stagger.startswith("each"):
        return position
    return number % 2 if stagger.startswith("odd") else 1 - number % 2


def _report_strangers(
    board: Grid, decl: i.BoardDecl, spots: Mapping[int, Name], draft: WorldDraft, report: Report
) -> None:
    """Report spaces that are not at a coordinate of the board."""
    unfilled: set[int] = set()
    if draft.kinds[board.kind].data and COORDINATE in draft.data[board.kind].columns:
        data = draft.data[board.kind]
        cells = ((n, named_cell(data, row, COORDINATE)) for n, row in draft.rows[board.kind])
        unfilled = {n for n, cell in cells if cell is not None and cell.value is None}
    for number, spot in spots.items():
        if number not in board.spots:
            known = [coordinate for coordinate, _, _ in coordinates(decl)]
            message = f"`{spot.text}` is not a coordinate of `{board.kind}`"
            hint = f"its coordinates are `{known[0]}` to `{known[-1]}`"
            finding = Diagnostic(IMPOSSIBLE_BOARD, message, spot.span, hint=hint)
            if number in unfilled:
                draft.unlocated.setdefault(board.kind, []).append(finding)
            else:
                report.add(finding)


# ---------------------------------------------------------------- lines


def add_lines(draft: WorldDraft, names: Names, report: Report) -> None:
    """Add the enums of lines: each member is named after both ends of its line."""
    for name, item in names.enums.items():
        if item.lines is None:
            continue
        board = draft.boards.get(item.lines.kind.text)
        lines = draft.lines[name] = tuple(board.lines(item.lines.length)) if board is not None else ()
        if board is None:
            message = f"`{item.lines.kind.text}` has no board"
            hint = "name a space kind that is declared with `squares` or `hexes`"
            report.add(Diagnostic(IMPOSSIBLE_BOARD, message, item.lines.kind.span, hint=hint))
        elif not lines or item.lines.length < 2:
            message = f"there are no lines of {item.lines.length} on the board of `{board.kind}`"
            hint = f"write a number from 2 to {max(len(board.columns), len(board.rows))}"
            report.add(Diagnostic(IMPOSSIBLE_BOARD, message, item.lines.span, hint=hint))
        spaces = draft.simple
        ends = [(spaces["space", line[0]], spaces["space", line[-1]]) for line in lines]
        members = tuple(f"{first}_{last}" for first, last in ends)
        titles = tuple(f"{first}-{last}" for first, last in ends)
        add_domain(draft, name, "enum", members, titles, "enum", item.span)


# ---------------------------------------------------------------- fields


def board_fields(draft: WorldDraft, names: Names) -> Iterator[FieldInfo]:
    """Yield the fields that follow from each board, except those that the author declares; those of lines."""
    for kind, board in draft.boards.items():
        item = names.populations[kind]
        own = {decl.name.text for decl in fields_of(item, names)}
        for name, type_ in _types(board).items():
            if name not in own:
                keys = (("direction", t.Member(DIRECTION, DIRECTION)),) if name == "step" else ()
                yield _field(item, name, keys, type_)
    for name in draft.lines:
        enum = names.enums[name]
        if enum.lines is not None and enum.lines.kind.text in draft.boards:
            yield _field(enum, "spaces", (), t.SetOf(t.Member("space", enum.lines.kind.text)))


def _field(
    item: i.Population | i.Enum, name: str, keys: tuple[tuple[str, t.Type], ...], type_: t.Type
) -> FieldInfo:
    """A fixed field as if it were declared where its kind is."""
    span, kind = item.name.span, item.name.text
    decl = i.FieldDecl(span, item.cite, Name(span, name), (), NamedType(span, kind), False, None, None)
    return FieldInfo(kind, name, keys, type_, False, "", decl)


def _types(board: Grid) -> dict[str, t.Type]:
    space, spots = t.Member("space", board.kind), board.spots.values()
    columns, rows = [spot.column for spot in spots] or [0], [spot.row for spot in spots] or [0]
    types: dict[str, t.Type] = {
        "column": t.Int(min(columns), max(columns)),
        "row": t.Int(min(rows), max(rows)),
        "neighbours": t.SetOf(space),
        "step": t.Optional(space),
    }
    return {**types, "diagonals": t.SetOf(space)} if board.shape == "square" else types


def add_board_values(draft: WorldDraft, fields: Iterable[FieldInfo]) -> None:
    """Add the values of the fields of boards where the data give no others."""
    for field in fields:
        values = draft.values[draft.fields[field.kind, field.name].store]
        if field.kind in draft.lines:
            values[:] = [mask_of(line) for line in draft.lines[field.kind]]
            continue
        board = draft.boards[field.kind]
        for member in board.spots:
            given = _values(board, member, field.name, draft.domains[DIRECTION].members)
            for place, value in enumerate(given, member * len(given)):
                values[place] = value if values[place] is None else values[place]


def _values(board: Grid, member: int, field: str, ways: tuple[str, ...]) -> list[int]:
    """The values of a field of a space, one for each of its keys."""
    if field == "step":
        ends = [board.step(member, way) for way in ways]
        return [t.NONE if end is None else end for end in ends]
    if field in ("neighbours", "diagonals"):
        return [mask_of(board.beside(member, diagonal=field == "diagonals"))]
    spot = board.spots[member]
    return [spot.column if field == "column" else spot.row]
