"""Tables as printed: the head's keys, and which keys each row covers."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.typecheck.covering import Covering, Line, Shape
from rulekit.compiler.typecheck.joins import mask, none_of
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i

FLAG = t.Flag()
MAX_CELLS = 200_000
"""Combinations of keys of one table (spec 6.6)."""


class Shapes(Covering):
    """Reads heads and key cells; `whole` says whether every row of the table at hand could be read."""

    whole = True

    # -- the head

    def _lines(
        self, decl: i.Table, params: tuple[ir.Param, ...], results: int
    ) -> tuple[Shape, tuple[Line, ...]]:
        """The shape of the keys, and every row (each cell of it, where a key runs across) as a line."""
        head, *rows = decl.rows
        by_name = {param.name: index for index, param in enumerate(params)}
        down: list[int | None] = []
        across: dict[int, tuple[int, tuple[int, ...]]] = {}
        for place, cell in enumerate(head.cells):
            named = cell.names[0].text if len(cell.names) == 1 else ""
            if named in by_name:
                down.append(by_name[named])
                continue
            down.append(None)
            key = self._across(cell, params, decl) if results == 1 else None
            if key is not None:
                across[place] = key
        keys = self._key_order(decl, head, [d for d in down if d is not None], across)
        ratios = {
            key: self._ratio_columns(decl, rows, down.index(key))
            for key in keys
            if isinstance(params[key].type, t.Ratio)
        }
        sizes = tuple(
            len(ratios[key]) if key in ratios else self._values_of(params[key].type, decl.span)
            for key in keys
        )
        if math.prod(sizes) > MAX_CELLS:
            message = f"{math.prod(sizes):,} combinations of keys, at most {MAX_CELLS:,}"
            self.ctx.fail(kinds.TABLE_SIZE, message, decl.span, "give the keys smaller ranges")
        shape = Shape(params, keys, sizes, ratios)
        lines: list[Line] = []
        self.whole = True
        for row in rows:
            if len(row.cells) != len(head.cells):
                self.whole = False
                message = f"this row has {len(row.cells)} cells, and the head has {len(head.cells)}"
                self.ctx.tell(kinds.TABLE_SHAPE, message, row.span, None, Label(head.span, "the head"))
                continue
            lines += self._row_lines(decl, row, down, across, shape, results)
        return shape, self._with_rest(lines, shape)

    def _across(
        self, cell: i.Cell, params: tuple[ir.Param, ...], decl: i.Table
    ) -> tuple[int, tuple[int, ...]] | None:
        """Which key's members a head cell names, and which they are."""
        if not cell.names:
            return None
        for index, param in enumerate(params):
            type_ = none_of(param.type)
            if isinstance(type_, t.Member):
                found = [self._members(name.text, type_) for name in cell.names]
                if all(found):
                    return index, tuple(n for numbers in found for n in numbers)
        return None

    def _members(self, name: str, type_: t.Member) -> tuple[int, ...]:
        """The members of a type that a name in a cell stands for: one, or all of a kind."""
        world = self.ctx.world
        inside = mask(world, type_)
        kind = world.kinds.get(name)
        for domain, number in world.members.get(name, ()):
            if domain == type_.domain and inside >> number & 1:
                return (number,)
        if kind is not None and kind.domain == type_.domain and kind.members & inside:
            return tuple(n for n in range(inside.bit_length()) if kind.members & inside & 1 << n)
        return ()

    def _key_order(
        self, decl: i.Table, head: i.TableRow, down: list[int], across: dict[int, tuple[int, tuple[int, ...]]]
    ) -> tuple[int, ...]:
        runs = {key for key, _ in across.values()}
        if len(runs) > 1:
            self.ctx.fail(kinds.TABLE_SHAPE, "only one key can run across", head.span)
        if len(set(down)) != len(down):
            self.ctx.fail(kinds.TABLE_SHAPE, "a key heads two columns", head.span)
        if runs & set(down):
            self.ctx.fail(kinds.TABLE_SHAPE, "a key heads a column and runs across too", head.span)
        if not down and not runs:
            names = ", ".join(param.name.text for param in decl.params)
            self.ctx.fail(
                kinds.TABLE_SHAPE, "no column is headed by a key", head.span, f"the keys are {names}"
            )
        return tuple(sorted({*down, *runs}))

    def _values_of(self, type_: t.Type, span: Span) -> int:
        """How many values a key has."""
        match type_:
            case t.Int() | t.Month():
                return type_.high - type_.low + 1
            case t.Flag():
                return 2
            case t.Member():
                return len(self.ctx.world.domains[type_.domain].members)
            case _:
                self.ctx.fail(kinds.TABLE_SHAPE, f"a `{type_}` cannot be a table's key", span)

    def _ratio_columns(self, decl: i.Table, rows: list[i.TableRow], place: int) -> tuple[Fraction, ...]:
        """The odds that a table prints, ascending: what is looked up is rounded to one of them."""
        found = set()
        for row in rows:
            cell = row.cells[place]
            if cell.kind != "ratio" or not cell.high:
                self.ctx.fail(kinds.TABLE_SHAPE, "odds such as `3:1` are wanted", cell.span)
            found.add(Fraction(cell.low or 0, cell.high))
        return tuple(sorted(found))

    # -- the rows

    def _row_lines(
        self,
        decl: i.Table,
        row: i.TableRow,
        down: list[int | None],
        across: dict[int, tuple[int, tuple[int, ...]]],
        shape: Shape,
        results: int,
    ) -> list[Line]:
        """One line a row; with a key across, one a result cell."""
        keys: dict[int, tuple[int, ...]] = {}
        with self.ctx.mending():
            for place, key in enumerate(down):
                if key is not None:
                    keys[key] = self._covers_key(row.cells[place], key, shape)
            if across:
                lines = []
                for place, (key, members) in across.items():
                    whole = tuple(members if k == key else keys[k] for k in shape.keys)
                    lines.append(Line(whole, (row.cells[place],), row))
                return lines
            cells = tuple(cell for place, cell in enumerate(row.cells) if down[place] is None)
            if len(cells) != results:
                hint = "each result column needs its head"
                self.ctx.fail(
                    kinds.TABLE_SHAPE, f"{len(cells)} results where {results} are declared", row.span, hint
                )
            return [Line(tuple(keys[k] for k in shape.keys), cells, row)]
        self.whole = False
        return []

    def _tell_outside(self, type_: t.Int | t.Month, key: str, cell: i.Cell) -> NoReturn:
        """Report a key that is none of a table's, or of the calendar's months, and give the table up."""
        low, high = map(t.month_text if isinstance(type_, t.Month) else str, (type_.low, type_.high))
        message = f"this is not within {low}..{high}, the values of `{key}`"
        hint = "what is outside the calendar never comes" if isinstance(type_, t.Month) else None
        self.ctx.fail(kinds.TABLE_SHAPE, message, cell.span, hint)

    def _covers_key(self, cell: i.Cell, key: int, shape: Shape) -> tuple[int, ...]:
        """The positions of a key's values that a cell covers; empty stands for the rest (`otherwise`)."""
        type_ = shape.params[key].type
        size = shape.sizes[shape.keys.index(key)]
        if cell.kind == "otherwise":
            return ()
        if cell.kind == "nothing":
            return tuple(range(size))
        if key in shape.ratios:
            return (shape.ratios[key].index(Fraction(cell.low or 0, cell.high or 1)),)
        if isinstance(type_, t.Int | t.Month) and cell.kind in ("int", "signed", "range", "date", "dates"):
            low = type_.low if cell.low is None else cell.low
            high = type_.high if cell.high is None else cell.high
            if low > high or low < type_.low or high > type_.high:
                self._tell_outside(type_, shape.params[key].name, cell)
            return tuple(range(low - type_.low, high - type_.low + 1))
        if isinstance(type_, t.Flag) and cell.kind == "flag":
            return (int(cell.low == 1),)
        if isinstance(type_, t.Member) and cell.names:
            found: list[int] = []
            for name in cell.names:
                members = self._members(name.text, type_)
                if not members:
                    known = self.ctx.world.domains[type_.domain].members
                    message = f"no `{type_}` is called `{name.text}`"
                    self.ctx.fail(kinds.UNKNOWN_NAME, message, name.span, self.ctx.near(name.text, known))
                found += members
            return tuple(found)
        self.ctx.fail(
            kinds.TABLE_SHAPE, f"this is no `{type_}`, which `{shape.params[key].name}` is", cell.span
        )

    def _with_rest(self, lines: list[Line], shape: Shape) -> tuple[Line, ...]:
        """`otherwise` in a key column stands for the values that no other row names there."""
        made = []
        for line in lines:
            keys = list(line.keys)
            for place, numbers in enumerate(keys):
                if not numbers:
                    taken = {n for other in lines for n in other.keys[place]}
                    keys[place] = tuple(n for n in range(shape.sizes[place]) if n not in taken)
            made.append(replace(line, keys=tuple(keys)))
        return tuple(made)

    # -- dense

    def _dense(self, decl: i.Table, shape: Shape, lines: tuple[Line, ...]) -> list[int]:
        """For every combination of keys the number of its line, or -1; of several lines the first."""
        self.tell_cover(decl, shape, lines, whole=self.whole)
        dense = [-1] * math.prod(shape.sizes)
        for number in reversed(range(len(lines))):
            for combination in itertools.product(*lines[number].keys):
                at = 0
                for size, position in zip(shape.sizes, combination, strict=True):
                    at = at * size + position
                dense[at] = number
        return dense
