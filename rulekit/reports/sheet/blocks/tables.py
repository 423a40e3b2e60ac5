"""Printed tables, with the odds of their rows where a sheet asks for them; tables of data files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from rulekit.base.source import Span
from rulekit.reports.sheet.blocks.compact import (
    ResultGrid,
    dash_columns,
    result_grid,
    spare_rows,
    without_constant_columns,
    without_empty_references,
)
from rulekit.reports.sheet.blocks.data import MemberRow, data_table, is_soft, members, soft_note
from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.content.wording import signed_number
from rulekit.reports.sheet.model.document import (
    ColumnKind,
    Head,
    Matrix,
    Run,
    Runs,
    SheetColumn,
    SheetLine,
    SheetRow,
    Status,
    TableBlock,
    refs,
    strong,
    text,
)
from rulekit.ruleset.model import TableData
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.tables import Cell, Column, TableRow
from rulekit.syntax.tree.types import NamedType

NOTHING = text("–")
NUMBERS = ("int", "signed", "range", "hyphen", "ratio", "nothing")


def table(
    ctx: Context, name: str, title: str = "", roll: str = "", odds: Mapping[str, int] | None = None
) -> TableBlock | Matrix | None:
    """A table of the rule set; a matrix if all its values are yes or no; None if it is empty.

    Args:
        roll: The roll whose chances follow the rows.
        odds: Headings of columns of chances, and what is added to the roll in each.
    """
    if name in ctx.compiled.names.externs:
        return data_file_table(ctx, ctx.compiled.names.externs[name], title)
    declared = ctx.compiled.names.tables.get(name)
    if declared is None or not declared.rows or _is_hook(declared) or not ctx.applies.at(declared.span):
        return None
    block = _Maker(ctx, declared, roll, odds or {}).table(title)
    return block if block.rows else None


def chances_needed(ctx: Context, roll: str, *, least: bool) -> TableBlock:
    """Return the chance of a roll to be at most each number, or at least it."""
    chances = totals(ctx.compiled.names.rolls[roll], 0)
    heads = [SheetColumn(text(ctx.catalogue("needed-least" if least else "needed-most")), "key")]
    heads += [SheetColumn(text(str(number)), "odds") for number in chances]
    needed = ([c for n, c in chances.items() if (n >= at if least else n <= at)] for at in chances)
    cells = ((Run("odds", chance_text(sum(some, Fraction(0)))),) for some in needed)
    row = SheetRow((strong(ctx.catalogue("chance")), *cells))
    title = ctx.words.title("roll", roll)
    return TableBlock(Head(f"chances:{roll}", title), tuple(heads), (row,))


class _Maker:
    def __init__(self, ctx: Context, made: i.Table, roll: str, odds: Mapping[str, int]) -> None:
        self._ctx, self._table, self._odds = ctx, made, odds
        declared = ctx.compiled.declared.tables.get(made.name.text)
        self._declared = {row.span: row for row in declared.rows} if declared else {}
        self._header, *self._rows = made.rows
        self._cites = any(row.cite for row in self._rows)
        self._chances = [totals(ctx.compiled.names.rolls[roll], added) for added in odds.values()]
        self._matrix = any(cell.kind != "names" for cell in self._header.cells) or len(
            self._header.cells
        ) > len(made.params) + max(len(made.columns), 1)
        self._matrix |= any(cell.parts for row in self._rows for cell in row.cells)
        self._across = self._key_across()

    def table(self, title: str) -> TableBlock | Matrix:
        ctx, table = self._ctx, self._table
        grid = None if self._odds or self._matrix or not self._is_of_base() else self._result_grid()
        if grid is not None:
            return self._grid(grid, title)
        rows = tuple(self._all())
        columns = [self._column(number, cell) for number, cell in enumerate(self._header.cells)]
        columns += [SheetColumn(text(heading), "odds") for heading in self._odds]
        if self._cites:
            columns.append(SheetColumn(text(ctx.catalogue("see")), "ref"))
        head = self._head(title, (*ctx.words.numbers_cited(table.cite), *self._shared_references))
        kinds = {cell.kind for row in self._rows for cell in row.cells[self._keys :]}
        empty = set[int]() if self._matrix else set(dash_columns(self._rows, self._keys))
        if empty:
            columns = [column for place, column in enumerate(columns) if place not in empty]
            rows = tuple(_without_cells(row, empty) for row in rows)
        if kinds == {"flag"}:
            return without_empty_references(Matrix(head, tuple(columns), rows))
        block = without_empty_references(TableBlock(head, tuple(columns), rows))
        return without_constant_columns(block, ctx.catalogue("always")) if self._is_of_base() else block

    def _is_of_base(self) -> bool:
        """Return whether no option changes the table, so that its rows have no bars and tags."""
        return not self._ctx.force.tags_on(("table", self._table.name.text))

    def _result_grid(self) -> ResultGrid | None:
        return result_grid([row for row in self._rows if self._holds(row)], self._keys)

    def _grid(self, grid: ResultGrid, title: str) -> TableBlock:
        """The results as rows; the values of the first key head the columns."""
        words, table = self._ctx.words, self._table
        first, second, result = (
            _capital(words.name(cell.names[0].text)) if cell.names else "" for cell in self._header.cells
        )
        columns = [SheetColumn(text(result), "key")]
        columns += [SheetColumn(self._cell(cell), "text", f"{second} / {first}") for cell in grid.columns]
        enum = self._enum_of(2)
        rows = (
            SheetRow((strong("".join(run.text for run in self._cell(row, enum))), *map(self._cell, cells)))
            for row, cells in grid.rows
        )
        cites = (table.cite, *(row.cite for row in self._rows if not words.references))
        return TableBlock(self._head(title, words.numbers_cited(*cites)), tuple(columns), tuple(rows))

    def _head(self, title: str, see: Sequence[str]) -> Head:
        name = self._table.name.text
        return Head(
            f"table:{name}",
            title or self._ctx.words.title("table", name),
            tuple(dict.fromkeys(see)),
            self._ctx.force.tags_at(self._table.span),
            notes=tuple(self._notes()),
        )

    @cached_property
    def _shared_references(self) -> tuple[str, ...]:
        """The headings that all rows cite, which are given once, above the table."""
        words = self._ctx.words
        rows = [words.numbers_cited(row.cite) for row in self._rows if self._holds(row) and row.cite]
        if not words.references or not rows:
            return ()
        return tuple(number for number in rows[0] if all(number in row for row in rows))

    def _column(self, number: int, cell: Cell) -> SheetColumn:
        key = number < self._keys
        words = self._ctx.words
        title = self._cell(cell)
        group = _capital(words.name(self._across)) if self._across and not key else ""
        if cell.kind == "names" and (key or not self._matrix):
            title = text(_capital(words.name(cell.names[0].text)))
        elif cell.kind == "names":
            title = text(_capital("".join(run.text for run in title)))
        kinds = {row.cells[number].kind for row in self._rows if number < len(row.cells)}
        kind: ColumnKind = "key" if key else "number" if kinds <= set(NUMBERS) else "text"
        return SheetColumn(title, kind, group)

    def _key_across(self) -> str:
        """The key whose numbers, months or odds head columns; empty for members, which need no title."""
        model = self._ctx.compiled.model.tables.get(self._table.name.text)
        heads = {cell.column_name for cell in self._header.cells}
        if model is None or all(cell.names for cell in self._header.cells):
            return ""
        return next((name for key in model.keys if (name := model.params[key].name) not in heads), "")

    @property
    def _keys(self) -> int:
        """The number of key columns: a matrix has one less, because its last key is the header."""
        if self._across:
            names = {param.name.text for param in self._table.params}
            return sum(cell.column_name in names for cell in self._header.cells)
        params = len(self._table.params)
        return max(params - 1, 1) if self._matrix else params

    def _all(self) -> Iterator[SheetRow]:
        ctx = self._ctx
        brought_by = ctx.force.brought_by(self._table.span)
        shared = self._shared_references
        spare = frozenset[Span]()
        if not self._matrix and self._is_of_base():
            spare = spare_rows(self._rows, self._keys)
        for row in self._rows:
            if not self._holds(row) or row.span in spare:
                continue
            option = ctx.force.brought_by(row.span)
            old = self._declared.get(row.span)
            status: Status = ""
            by: tuple[str, ...] = ()
            if option is not None and option is not brought_by:
                status, by = "added", (ctx.force.tag(option),)
            elif old is not None and old != row:
                changed = next(
                    (c.span for c, o in zip(row.cells, old.cells, strict=False) if c != o), row.span
                )
                status, by = "changed", ctx.force.tags_at(changed)
            cells = [self._shown_cell(number, cell) for number, cell in enumerate(row.cells)]
            if status == "changed" and old is not None and ctx.struck:
                yield self._struck_row(old, by)
            cells += [(Run("odds", chance),) for chance in self._odds_of(row)]
            if self._cites:
                numbers = ctx.words.numbers_cited(row.cite)
                own = "".join(run.text for run in cells[0])  # a heading that the row begins with
                cells.append(refs(tuple(number for number in numbers if number not in (*shared, own))))
            yield SheetRow(tuple(cells), (), by, status)
        if ctx.struck:
            yield from self._gone()

    def _gone(self) -> Iterator[SheetRow]:
        now = {row.span for row in self._rows}
        tags = self._ctx.force.tags_on(("table", self._table.name.text))
        for row in list(self._declared.values())[1:]:
            if row.span not in now:
                yield self._struck_row(row, tags)

    def _struck_row(self, row: TableRow, tags: tuple[str, ...]) -> SheetRow:
        cells = [self._shown_cell(number, cell) for number, cell in enumerate(row.cells)]
        return SheetRow((*cells, *((),) * (len(self._odds) + self._cites)), (), tags, "removed")

    def _holds(self, row: TableRow) -> bool:
        if not self._ctx.applies.row(row.span):
            return False
        dated = (cell for cell in row.cells if cell.kind in ("date", "dates"))
        return all(
            self._ctx.holds(cell.low, cell.low if cell.kind == "date" else cell.high) for cell in dated
        )

    def _odds_of(self, row: TableRow) -> Iterator[str]:
        """The chance that the roll, with what is added, falls into a row."""
        cell = row.cells[0]
        for chances in self._chances:
            low, high = (cell.low, cell.low) if cell.kind == "int" else (cell.low, cell.high)
            hit = (c for n, c in chances.items() if (low is None or n >= low) and (high is None or n <= high))
            yield chance_text(sum(hit, Fraction(0)))

    # -- cells

    def _shown_cell(self, number: int, cell: Cell) -> Runs:
        if cell.parts:
            shown = ((*self._cell(part), *_marks(part)) for part in cell.parts)
            return tuple(run for place, runs in enumerate(shown) for run in (*text("/" * bool(place)), *runs))
        runs = self._cell(cell, self._enum_of(number))
        if cell.kind == "nothing" and number >= self._keys:
            runs = text(self._nothing(number))
        runs = (*runs, *_marks(cell))
        return tuple(Run("strong", r.text) if number < self._keys and r.kind == "text" else r for r in runs)

    def _cell(self, cell: Cell, enum: str = "") -> Runs:
        return _cell_runs(self._ctx, cell, open_below=self._from_least(), enum=enum)

    def _enum_of(self, number: int) -> str:
        """Return the enum whose members are in a column; empty for any other column."""
        head = self._header.cells[number].column_name if number < len(self._header.cells) else ""
        params = [param.type for param in self._table.params if param.name.text == head]
        results = [column.type for column in self._table.columns]
        types = params if number < self._keys else results if len(results) == 1 else ()
        names = (type_.name for type_ in types if isinstance(type_, NamedType))
        return next((name for name in names if name in self._ctx.compiled.names.enums), "")

    def _nothing(self, number: int) -> str:
        """Return the meaning of a dash in a column: as the sheet words it, or no effect if results have it.

        Where a key runs across, a dash stands for all results.
        """
        worded = self._ctx.words.own_title("table", f"{self._table.name.text} none")
        if worded:
            return worded
        columns = self._table.columns
        results = columns if self._matrix else columns[number - self._keys :][:1]
        has_no_effect = all(map(self._has_no_effect, results))
        return self._ctx.words.name("no_effect") if results and has_no_effect else "–"

    def _has_no_effect(self, result: Column) -> bool:
        """Return whether a result is an enum with the member `no_effect`."""
        enums = self._ctx.compiled.names.enums
        enum = enums.get(result.type.name) if isinstance(result.type, NamedType) else None
        return enum is not None and any(member.name.text == "no_effect" for member in enum.members)

    def _from_least(self) -> bool:
        """Return whether the key may be less than the least row says, so that it is open below."""
        first = [row.cells[0] for row in self._rows if row.cells[0].kind == "range"]
        return any(cell.high is None for cell in first) and not any(cell.low is None for cell in first)

    def _notes(self) -> Iterator[SheetLine]:
        words = self._ctx.words
        for note in self._table.notes:
            name = note.value.name.text if isinstance(note.value, x.Reference) else ""
            is_member = name and name not in {param.name.text for param in self._table.params}
            wording = words.name(name) if is_member else words.plain_words(note.value)
            condition = words.plain_words(note.condition) if note.condition is not None else ""
            if note.condition is not None:
                wording = f"{wording} ({condition})" if wording and condition else ""
            cited = words.rules(note.cite.ids) if note.cite else ""
            if not cited and not wording:
                key = f"note {self._table.name.text} {note.mark}"
                cited = words.own_title("note", key.removeprefix("note "))
                if not cited:
                    self._ctx.leave_out(
                        key, words.source_text(note.condition or note.value), self._table.span
                    )
            yield SheetLine(note.mark, text=text(cited or wording), see=words.numbers_cited(note.cite))
        for end in self._table.beyond:
            where = text(f"{self._ctx.catalogue(f'beyond-{end.side}')} ")
            shown = self._shown_cell(self._keys, end.cell)
            yield SheetLine("←" if end.side == "left" else "→", text=(*where, *shown))


def _without_cells(row: SheetRow, left_out: Set[int]) -> SheetRow:
    return replace(row, cells=tuple(cell for place, cell in enumerate(row.cells) if place not in left_out))


def _is_hook(made: i.Table) -> bool:
    """Return whether a table has nothing but what holds otherwise: it waits for rows of options."""
    return all(row.cells[0].kind == "otherwise" for row in made.rows[1:])


def _marks(cell: Cell) -> Runs:
    """The mark of a cell's note, if it has one."""
    return (Run("note", cell.mark),) if cell.mark else ()


def said_cell(ctx: Context, cell: Cell) -> Runs:
    """A cell's value in words, apart from its table."""
    return _cell_runs(ctx, cell, open_below=False)


def _cell_runs(ctx: Context, cell: Cell, *, open_below: bool, enum: str = "") -> Runs:
    words, catalogue = ctx.words, ctx.catalogue
    match cell.kind:
        case "int":
            return text(str(cell.low).replace("-", "−"))
        case "signed":
            return text(signed_number(cell.low or 0))
        case "nothing":
            return text("–")
        case "hyphen":
            return text(f"{cell.low}–{cell.high}")
        case "range" if cell.high is None and words.texts.words(cell.span).endswith("+"):
            return text(f"{cell.low}+")
        case "range" if cell.low is None:
            return text(catalogue("or-less", cell.high))
        case "range" if cell.high is None:
            return text(catalogue("or-more", cell.low))
        case "range":
            if cell.low == 1 and open_below:
                return text(catalogue("or-less", cell.high))
            return text(f"{cell.low}–{cell.high}")
        case "names":
            return text(", ".join(words.name(name.text, enum) for name in cell.names))
        case "ratio":
            return text(f"{cell.low}:{cell.high}")
        case "flag":
            return (Run("yes" if cell.low else "no", ""),)
        case "date":
            return text(catalogue.month(cell.low or 0))
        case "dates":
            return text(words.stretch(cell.low, cell.high))
        case "otherwise":
            return text(catalogue("otherwise"))
        case "empty":
            return ()
        case _ if cell.expr is not None:
            return text(
                words.plain_words(cell.expr) or re.sub(r"(?<=\w)_(?=\w)", " ", words.source_text(cell.expr))
            )
        case _:
            return text(words.texts.words(cell.span).strip('"'))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def fields(
    ctx: Context, kind: str, columns: Sequence[str], title: str, where: str = "", upto: int | None = None
) -> TableBlock | None:
    """A table of the members of a kind with what the data say of them; doubtful facts carry a ring.

    Args:
        columns: Fields of the kind; one with keys gives a column for each key.
        upto: The last key of a field with keys that matters.
        where: A field without which a member is left out: where it is nothing, empty or 0 throughout.
    """
    listed = members(ctx, kind)
    if not listed:
        return None
    heads, rows, doubtful = _spread(ctx, listed, columns, where, upto)
    key = SheetColumn(text(ctx.words.title("kind", kind)), "key")
    notes = (soft_note(ctx),) if doubtful else ()
    population = ctx.compiled.names.populations[kind]
    fields = [f for f in population.fields if f.name.text in columns]
    see = ctx.words.numbers_cited(*(f.cite for f in fields))
    return TableBlock(
        Head(f"fields:{kind}", title or ctx.words.title("kind", kind), see, notes=notes), (key, *heads), rows
    )


def _spread(
    ctx: Context, found: Sequence[MemberRow], columns: Sequence[str], where: str, upto: int | None
) -> tuple[tuple[SheetColumn, ...], tuple[SheetRow, ...], bool]:
    heads: list[SheetColumn] = []
    of: list[str] = []
    keyed: dict[str, list[str]] = {}
    for column in columns:
        values = [row.values.get(column) for row in found]
        keys = list(dict.fromkeys(k for value in values if isinstance(value, dict) for k in value))
        if upto is not None:
            keys = [k for k in keys if not str(k).isdecimal() or int(k) <= upto]
        keyed[column] = keys
        of += [column] * max(len(keys), 1)
        if keys:
            heads += [SheetColumn(text(str(k)), "number", _capital(ctx.words.name(column))) for k in keys]
        else:
            numbers = all(isinstance(value, int) for value in values)
            heads.append(SheetColumn(text(_capital(ctx.words.name(column))), "number" if numbers else "text"))
    rows, doubtful = [], False
    facts = ((m, m.values.get(where)) for m in found)
    known = [m for m, v in facts if not where or (any(v.values()) if isinstance(v, dict) else v)]
    all_soft = {c for c in columns if known and all(m.soft(c) for m in known if m.values.get(c) is not None)}
    heads = [
        replace(h, title=(*h.title, Run("text", "°"))) if c in all_soft else h
        for c, h in zip(of, heads, strict=True)
    ]
    for member in known:
        side = () if member.side is None else (Run("side", str(member.side)), *text(" "))
        cells: list[Runs] = [(*side, *strong(member.title))]
        for column in columns:
            value, soft = member.values.get(column), member.soft(column)
            doubtful |= soft
            if keyed[column]:
                if soft and column not in all_soft:
                    cells[0] = (*cells[0], *text("°"))
                inner = value if isinstance(value, dict) else {}
                cells += [member.cell(ctx, inner.get(k)) for k in keyed[column]]
                continue
            cells.append((*member.cell(ctx, value), *(text("°") if soft and column not in all_soft else ())))
        rows.append(SheetRow(tuple(cells)))
    return tuple(heads), tuple(rows), doubtful


def totals(roll: i.Roll, added: int) -> Mapping[int, Fraction]:
    """How likely each total of a roll is, with a number added to it."""
    chances = {added: Fraction(1)}
    for _ in range(roll.dice):
        following: dict[int, Fraction] = {}
        for total, chance in chances.items():
            for face in range(roll.lowest, roll.lowest + roll.sides):
                following[total + face] = following.get(total + face, Fraction(0)) + chance / roll.sides
        chances = following
    return chances


def chance_text(chance: Fraction) -> str:
    """A chance with three places; 0 and 1 only where it is exactly that."""
    if chance in (0, 1):
        return str(chance)
    thousandths = min(max(round(chance * 1000), 1), 999)
    return f".{thousandths:03d}"


def data_file_table(ctx: Context, made: i.ExternTable, title: str) -> TableBlock | None:
    """An `extern` table as its data file has it; a note where its numbers are the owner's."""
    if not ctx.applies.at(made.span):
        return None
    data = data_table(ctx, made.name.text)
    name = made.name.text
    called = title or ctx.words.title("table", name)
    see = ctx.words.numbers_cited(made.cite)
    if data is None:
        keys = [p.name.text for p in made.params]
        columns = tuple(SheetColumn(text(_capital(ctx.words.name(key))), "key") for key in keys)
        note = SheetLine(text=text(ctx.catalogue("owner")))
        return TableBlock(Head(f"table:{name}", called, see, notes=(note,)), columns, ())
    soft = [is_soft(row) and not data.sampler for row in data.rows]
    made_up = SheetLine(text=text(ctx.catalogue("made-up")))
    notes = (made_up,) if data.sampler else (soft_note(ctx),) if any(soft) else ()
    head = Head(f"table:{name}", called, see, notes=notes)
    if _is_grid(data):
        return _grid(ctx, data, soft, head)
    rows = tuple(
        SheetRow(tuple(_cell(ctx, cell.plain, n, data.keys, soft=doubt) for n, cell in enumerate(row.cells)))
        for row, doubt in zip(data.rows, soft, strict=True)
    )
    kinds = [_kind(data, n) for n in range(len(data.columns))]
    columns = tuple(
        SheetColumn(text(_capital(ctx.words.name(column))), kind)
        for column, kind in zip(data.columns, kinds, strict=True)
    )
    return TableBlock(head, columns, rows)


def _is_grid(data: TableData) -> bool:
    """Return whether a table has two keys, and a row for each pair of their values."""
    pairs = {(row.cells[0].plain, row.cells[1].plain) for row in data.rows} if data.keys == 2 else set()
    return len(pairs) == len(data.rows) == len({a for a, _ in pairs}) * len({b for _, b in pairs}) > 0


def _grid(ctx: Context, data: TableData, soft: Sequence[bool], head: Head) -> TableBlock:
    """A table with two keys as a grid: the key with fewer values heads the columns.

    Several results share a cell, and a note names them in their order.  A ring for all rows is at the head.
    A note says what one column has in every row.
    """
    all_soft = all(soft)
    values = [list(dict.fromkeys(row.cells[key].plain for row in data.rows)) for key in range(2)]
    across = 0 if len(values[0]) < len(values[1]) else 1
    down = 1 - across
    letters = [ctx.words.own_title("flag", column) for column in data.columns[2:]]
    cells: dict[tuple[Any, Any], Runs] = {}
    for row, doubt in zip(data.rows, soft, strict=True):
        place = row.cells[down].plain, row.cells[across].plain
        runs = _results(ctx, [cell.plain for cell in row.cells[2:]], letters)
        cells[place] = (*runs, *text("°" * (doubt and not all_soft)))
    names = [_capital(ctx.words.name(column)) for column in data.columns]
    numbers = len(data.columns) == 3 and _kind(data, 2) == "number"
    columns = [SheetColumn(text(names[down] + "°" * all_soft), "key")]
    for value in values[across]:
        title = _cell(ctx, value, 2, 2, soft=False)
        columns.append(SheetColumn(title, "number" if numbers else "text", names[across]))
    if len(data.columns) > 3:
        named = [(letter, ctx.words.name(c)) for letter, c in zip(letters, data.columns[2:], strict=True)]
        order = " / ".join(name for letter, name in named if not letter)
        flags = (f"{letter} {name}" for letter, name in named if letter)
        note = SheetLine(text=text(", ".join(filter(None, (order, *flags)))))
        head = replace(head, notes=(note, *head.notes))
    rows = (
        SheetRow((_cell(ctx, key, 0, 2, soft=False), *(cells[key, value] for value in values[across])))
        for key in values[down]
    )
    return without_constant_columns(TableBlock(head, tuple(columns), tuple(rows)), ctx.catalogue("always"))


def _results(ctx: Context, values: Sequence[Any], letters: Sequence[str]) -> Runs:
    """The results in a cell of a grid; of several, nothing is a dash, and is left out at the end.

    A flag with a letter of its own is that letter after the others, if it is set.
    """
    if len(values) == 1:
        return _result(ctx, values[0])
    others = [value for value, letter in zip(values, letters, strict=True) if not letter]
    shown = [NOTHING if value in (0, None) else _result(ctx, value) for value in others]
    flags = [letter for value, letter in zip(values, letters, strict=True) if letter and value]
    least = 0 if flags else 1
    while len(shown) > least and shown[-1] == NOTHING:
        shown.pop()
    numbers = tuple(run for n, runs in enumerate(shown) for run in (*text("/" * bool(n)), *runs))
    return (*numbers, *text(" " * bool(numbers and flags) + " ".join(flags))) or NOTHING


def _result(ctx: Context, value: Any) -> Runs:
    if isinstance(value, bool):
        return (Run("yes" if value else "no", ""),)
    return _cell(ctx, value, 2, 2, soft=False)


def _kind(found: TableData, number: int) -> ColumnKind:
    if number < found.keys:
        return "key"
    return "number" if all(isinstance(row.cells[number].plain, int) for row in found.rows) else "text"


def _cell(ctx: Context, value: Any, number: int, keys: int, *, soft: bool) -> Runs:
    words = "–" if value is None else str(value).replace("-", "−")
    if isinstance(value, str):
        words = value.replace("..", "–") if value[:1].isdigit() else ctx.words.name(value.replace(" ", "_"))
    elif isinstance(value, bool):
        words = ctx.catalogue("yes" if value else "no")
    ring = "°" if soft and number == 0 else ""
    return (Run("strong" if number < keys else "text", words + ring),)
