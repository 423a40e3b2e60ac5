"""The owner's rows of an extern table, by its declared keys and columns; what does not fit is told."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from rulekit.base.bits import members
from rulekit.base.source import Span
from rulekit.compiler.populate.cells import CellReader
from rulekit.compiler.typecheck.boxes import Box, of_positions
from rulekit.compiler.typecheck.choices import Choices
from rulekit.compiler.typecheck.covering import Shape
from rulekit.compiler.typecheck.joins import none_of
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.ruleset import Cell, DataFile, RowData
from rulekit.syntax.tree import items as i

_RANGE = re.compile(r"(-?\d+)?\.\.(-?\d+)?")
_MOST_NAMED = 120
"""Rows that a hint names; who is to write them wants to know each."""

_Unfilled = tuple[RowData, tuple[int, ...], tuple[str, ...]]
"""A row with empty cells, where it stands among all keys, and the columns that are empty."""


class OwnedRows(Choices):
    """Reads what the owner's files hold of extern tables."""

    def owner_rows(
        self, decl: i.ExternTable, shape: Shape, columns: tuple[t.Type, ...], file: DataFile
    ) -> dict[int, tuple[Value, ...]] | None:
        """The owner's rows by their position among all keys; None where the file does not fit."""
        name = decl.name.text
        data = file.tables.get(name)
        if data is None:
            self.ctx.tell(kinds.OWNER_COLUMN, f"`{file.file}` holds no table `{name}`", decl.span)
            return None
        keys = {param.name for param in shape.params}
        unnamed = next((column for column in data.columns if column not in keys), data.columns[-1])
        wanted = self.owner_columns(decl, shape, unnamed)
        results = wanted[len(shape.params) :]
        hint = f"its columns are {', '.join(wanted)}"
        label = Label(decl.span, "declared here")
        lacking = [column for column in wanted if column not in data.columns]
        if lacking:
            named = ", ".join(f"`{column}`" for column in lacking)
            message = f"`{name}` has no column{'s' if len(lacking) > 1 else ''} {named}"
            self.ctx.tell(kinds.OWNER_COLUMN, message, data.span, hint, label)
            return None
        more = [column for column in data.columns if column not in wanted]
        if more:
            message = f"no column `{more[0]}` is declared of `{name}`"
            self.ctx.tell(kinds.OWNER_COLUMN, message, data.span, hint, label)
            return None
        world = self.ctx.world
        cells = CellReader(world.domains, world.kinds, world.members, self.ctx.report)
        listed = self._listed(decl, shape)
        found: dict[int, tuple[Value, ...]] = {}
        first: dict[int, Span] = {}
        empty: list[_Unfilled] = []
        sound = True
        for row in data.rows:
            cell_of = dict(zip(data.columns, row.cells, strict=True))
            places = tuple(self._positions(shape, cell_of, cells))
            unfilled = [c for c, type_ in zip(results, columns, strict=True) if _is_empty(type_, cell_of[c])]
            if unfilled:
                empty.append((row, places[:1], tuple(unfilled)))
                values: list[Value | None] = [t.GAP for _ in results]
            else:
                values = [cells.read(type_, cell_of[c]) for c, type_ in zip(results, columns, strict=True)]
            read = tuple(value for value in values if value is not None)
            sound &= bool(places) and len(read) == len(values)
            beyond = [at for at in places if not self._within(listed, shape, at)]
            if beyond:
                message = f"{self._row_words(shape, beyond[0])} is none of the keys that are listed"
                self.ctx.tell(kinds.OWNER_KEY, message, row.span, None, label)
            twice = [at for at in places if at in first]
            if twice:
                where = self._row_words(shape, twice[0])
                again = Label(first[twice[0]], "its first row")
                self.ctx.tell(
                    kinds.DUPLICATE_ROW, f"{where} has two rows", row.span, "keep one of them", again
                )
            for at in places:
                first.setdefault(at, row.span)
                if len(read) == len(values):
                    found[at] = read
        if empty:
            self._tell_empty(decl, shape, empty, len(data.rows), len(results))
        if sound:
            self._complete(decl, shape, listed, found, data.span)
        return found

    def _listed(self, decl: i.ExternTable, shape: Shape) -> Box:
        """The keys that the table has: those of its `keys` lines, else all that can occur."""
        wanted = list(self.wanted(shape))
        lists = {name.text: cells for name, cells in decl.keys}
        for place, number in enumerate(shape.keys):
            param = shape.params[number]
            if param.name in lists and number not in shape.ratios:
                covered = [self._covers_key(cell, number, shape) for cell in lists[param.name]]
                wanted[place] &= of_positions(sorted({at for positions in covered for at in positions}))
        return tuple(wanted)

    def _within(self, listed: Box, shape: Shape, at: int) -> bool:
        return all(inside >> p & 1 for inside, p in zip(listed, self.split(shape, at), strict=True))

    def owner_columns(self, decl: i.ExternTable, shape: Shape, unnamed: str) -> list[str]:
        """The columns that the owner's table must have; a single result may be called as its owner likes."""
        return [*(param.name for param in shape.params), *(column.name or unnamed for column in decl.columns)]

    def _positions(self, shape: Shape, cell_of: Mapping[str, Cell], cells: CellReader) -> Iterator[int]:
        """Where a row stands among all keys: once, or for every number of a range (`1..3`, `9..`)."""
        places: list[tuple[int, ...]] = []
        for number in shape.keys:
            param = shape.params[number]
            cell = cell_of[param.name]
            if number in shape.ratios:
                places.append(self._odds(shape.ratios[number], cell))
            elif isinstance(param.type, t.Int) and isinstance(cell.value, str):
                places.append(self._range_of(param.type, cell))
            else:
                read = cells.read(param.type, cell)
                low = param.type.low if isinstance(param.type, t.Int | t.Month) else 0
                places.append((read - low,) if isinstance(read, int) else ())
        for combination in itertools.product(*places):
            at = 0
            for size, position in zip(shape.sizes, combination, strict=True):
                at = at * size + position
            yield at

    def _odds(self, declared: tuple[Fraction, ...], cell: Cell) -> tuple[int, ...]:
        above, _, below = str(cell.value).partition(":")
        fits = above.isdigit() and below.isdigit() and int(below) > 0
        value = Fraction(int(above), int(below)) if fits else None
        if value is None or value not in declared:
            self.ctx.tell(kinds.OWNER_KEY, f"`{cell.value}` is none of the declared odds", cell.span)
            return ()
        return (declared.index(value),)

    def _range_of(self, type_: t.Int, cell: Cell) -> tuple[int, ...]:
        found = _RANGE.fullmatch(str(cell.value))
        if found is None:
            self.ctx.tell(
                kinds.OWNER_KEY, f"`{cell.value}` is no number and no range such as `1..3`", cell.span
            )
            return ()
        low = int(found.group(1)) if found.group(1) else type_.low
        high = int(found.group(2)) if found.group(2) else type_.high
        if low < type_.low or high > type_.high or low > high:
            self.ctx.tell(kinds.OWNER_KEY, f"`{cell.value}` is not within {type_}", cell.span)
            return ()
        return tuple(range(low - type_.low, high - type_.low + 1))

    def _complete(
        self, decl: i.ExternTable, shape: Shape, listed: Box, found: dict[int, tuple[Value, ...]], at: Span
    ) -> None:
        combinations = range(math.prod(shape.sizes))
        missing = [at for at in combinations if at not in found and self._within(listed, shape, at)]
        if missing:
            where = self._row_words(shape, missing[0])
            more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
            message = f"the owner's `{decl.name.text}` has no row for {where}{more}"
            rows = _listed_words([self._short(shape, each) for each in missing])
            hint = f"add rows for {rows}" if len(missing) > 1 else "add the row"
            self.ctx.tell(kinds.OWNER_GAP, message, at, hint, Label(decl.span, "declared here"))

    def _tell_empty(
        self, decl: i.ExternTable, shape: Shape, empty: Sequence[_Unfilled], rows: int, columns: int
    ) -> None:
        """Cells that are there and hold nothing: one finding a table, at the first of them."""
        many = sum(len(unfilled) for _, _, unfilled in empty)
        cells = "a cell" if many == 1 else f"{many:,} cells"
        message = f"{cells} of the owner's `{decl.name.text}` {'is' if many == 1 else 'are'} empty"
        of: dict[tuple[str, ...], list[str]] = {}
        for row, places, unfilled in empty:
            name = self._short(shape, places[0]) if places else str(row.cells[0].plain)
            of.setdefault(unfilled, []).append(name)
        said = [
            f"{'all' if len(unfilled) == columns > 1 else ', '.join(f'`{each}`' for each in unfilled)} of "
            f"{'every row' if len(names) == rows > 1 else _listed_words(names)}"
            for unfilled, names in of.items()
        ]
        hint = f"fill in {'; '.join(said)}"
        self.ctx.tell(kinds.OWNER_GAP, message, empty[0][0].span, hint, Label(decl.span, "declared here"))

    def _row_words(self, shape: Shape, at: int) -> str:
        """One combination of keys, as the file must write it."""
        said = [self._word(shape, place, each) for place, each in enumerate(self.split(shape, at))]
        names = [shape.params[key].name for key in shape.keys]
        return ", ".join(f"{name} {value}" for name, value in zip(names, said, strict=True))

    def _short(self, shape: Shape, at: int) -> str:
        """The same; a table's only key needs no name."""
        return self._row_words(shape, at) if len(shape.keys) > 1 else self._word(shape, 0, at)

    def listed_words(self, decl: i.ExternTable, shape: Shape) -> tuple[tuple[str, ...], ...]:
        """For each key the values that the table has, as the file must write them."""
        listed = self._listed(decl, shape)
        return tuple(
            tuple(self._word(shape, place, at) for at in members(inside))
            for place, inside in enumerate(listed)
        )

    def _word(self, shape: Shape, place: int, position: int) -> str:
        """A value of a key by the name that data files use, which is not its title."""
        type_ = none_of(shape.params[shape.keys[place]].type)
        if isinstance(type_, t.Member):
            return self.ctx.world.domains[type_.domain].members[position].replace("_", " ")
        return self._value(shape, place, position)


def _is_empty(type_: t.Type, cell: Cell) -> bool:
    return cell.value is None and not isinstance(type_, t.Optional)


def _listed_words(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
