"""Tables: heads, cells and notes become dense look-ups; gaps and overlaps are found on the way."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from rulekit import ir
from rulekit import types as t
from rulekit.diagnostics import Label
from rulekit.ir.expr import Value
from rulekit.source import Span
from rulekit.syntax import items as i
from rulekit.typecheck import kinds
from rulekit.typecheck.definitions import Definitions
from rulekit.typecheck.context import Context, Signature
from rulekit.typecheck.joins import mask, none_of
from rulekit.typecheck.scope import Scope

FLAG = t.Flag()
MAX_CELLS = 200_000
"""Combinations of keys of one table (spec 6.6)."""
Keys = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of look-up: which numbers of each key it covers, and its result cells."""

    keys: Keys
    cells: tuple[i.Cell, ...]
    row: i.TableRow


@dataclass(frozen=True, slots=True)
class Shape:
    """A table's keys: parameters that head columns (or run across), and the values each has in order."""

    params: tuple[ir.Param, ...]
    keys: tuple[int, ...]
    sizes: tuple[int, ...]
    ratios: dict[int, tuple[Fraction, ...]]


class Tables(Definitions):
    """Makes a table's statics and its function `table:NAME`."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self.statics: dict[str, ir.StaticTable] = {}
        self.covered: dict[str, tuple[Shape, tuple[Line, ...]]] = {}

    def table_signature(self, name: str) -> Signature | None:
        decl = self.ctx.names.tables.get(name)
        if decl is None:
            return self.extern_signature(name)
        with self.ctx.entering(f"table {name}", decl.span):
            params = self.ctx.params(decl.params)
            columns = tuple(self.ctx.reader.read(column.type) for column in decl.columns)
            result = columns[0] if len(columns) == 1 and not decl.columns[0].name else t.Row(name)
            self.ctx.signatures[name] = Signature(params, result)
            with self.ctx.mending():
                self._make(decl, params, columns, result)
                self._alternatives(decl, params, result)
            return self.ctx.signatures[name]

    def _alternatives(self, decl: i.Table, params: tuple[ir.Param, ...], result: t.Type) -> None:
        """Where amended tables stand in for this one at times, its function asks which holds now."""
        name = decl.name.text
        others = self.ctx.names.alternatives.get(name, ())
        if not others:
            return
        function = f"table:{name}"
        base = self.ctx.functions[function]
        arguments = tuple(ir.Local(param.name, param.type) for param in params)
        self.keep(f"{function}'base", params, base.body, base.site, result)
        made: ir.Expr = ir.Apply(f"{function}'base", arguments, result)
        for clause, other in reversed(others):
            condition = self.applies((clause,), self.opening(function, params, None))
            assert condition is not None
            self.signature(other)
            made = ir.If(condition, ir.Apply(f"table:{other}", arguments, result), made, result)
        self.keep(function, params, made, base.site, result)

    def extern_signature(self, name: str) -> Signature | None:
        """Of an extern table; see `externs`."""
        raise NotImplementedError

    def _make(self, decl: i.Table, params: tuple[ir.Param, ...], columns: tuple[t.Type, ...], result: t.Type) -> None:
        name = decl.name.text
        shape, lines = self._lines(decl, params, len(columns))
        site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
        for line in lines:
            if line.row.cite is not None:
                self.ctx.site(name, self.ctx.rules(line.row.cite), line.row.span)
        dense = self._dense(decl, shape, lines)
        self.covered[name] = (shape, lines)
        scope = self.opening(f"table:{name}", params, decl.cite)
        if isinstance(result, t.Row):
            self._several(decl, shape, lines, dense, columns, scope, site)
        else:
            self._single(decl, shape, lines, dense, result, scope, site)

    # -- the head

    def _lines(self, decl: i.Table, params: tuple[ir.Param, ...], results: int) -> tuple[Shape, tuple[Line, ...]]:
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
        ratios = {key: self._ratio_columns(decl, rows, down.index(key)) for key in keys if isinstance(params[key].type, t.Ratio)}
        sizes = tuple(len(ratios[key]) if key in ratios else self._values_of(params[key].type, decl.span) for key in keys)
        shape = Shape(params, keys, sizes, ratios)
        lines: list[Line] = []
        for row in rows:
            if len(row.cells) != len(head.cells):
                message = f"this row has {len(row.cells)} cells, and the head has {len(head.cells)}"
                self.ctx.tell(kinds.TABLE_SHAPE, message, row.span, None, Label(head.span, "the head"))
                continue
            lines += self._row_lines(decl, row, down, across, shape, results)
        return shape, self._with_rest(lines, shape)

    def _across(self, cell: i.Cell, params: tuple[ir.Param, ...], decl: i.Table) -> tuple[int, tuple[int, ...]] | None:
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
            self.ctx.fail(kinds.TABLE_SHAPE, "no column is headed by a key", head.span, f"the keys are {names}")
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
                self.ctx.fail(kinds.TABLE_SHAPE, f"{len(cells)} results where {results} are declared", row.span, hint)
            return [Line(tuple(keys[k] for k in shape.keys), cells, row)]
        return []

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
                message = f"this is not within {type_.low}..{type_.high}, the values of `{shape.params[key].name}`"
                self.ctx.fail(kinds.TABLE_SHAPE, message, cell.span)
            return tuple(range(low - type_.low, high - type_.low + 1))
        if isinstance(type_, t.Flag) and all(name.text in ("yes", "no") for name in cell.names) and cell.names:
            return tuple(int(name.text == "yes") for name in cell.names)
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
        self.ctx.fail(kinds.TABLE_SHAPE, f"this is no `{type_}`, which `{shape.params[key].name}` is", cell.span)

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
        """For every combination of keys the number of its line, or -1."""
        total = 1
        for size in shape.sizes:
            total *= size
        if total > MAX_CELLS:
            hint = "give the keys smaller ranges"
            self.ctx.fail(kinds.TABLE_SIZE, f"{total:,} combinations of keys, at most {MAX_CELLS:,}", decl.span, hint)
        dense = [-1] * total
        overlaps: set[tuple[int, int]] = set()
        for number, line in enumerate(lines):
            for combination in itertools.product(*line.keys):
                at = 0
                for size, position in zip(shape.sizes, combination, strict=True):
                    at = at * size + position
                if dense[at] >= 0:
                    if (dense[at], number) not in overlaps:
                        overlaps.add((dense[at], number))
                        self._tell_overlap(shape, lines[dense[at]], line, combination)
                else:
                    dense[at] = number
        self._tell_gaps(decl, shape, dense)
        return dense

    def _tell_overlap(self, shape: Shape, first: Line, second: Line, at: tuple[int, ...]) -> None:
        where = self._words(shape, at)
        label = Label(first.row.span, "also covered here")
        message = f"two rows cover {where}"
        self.ctx.tell(kinds.TABLE_OVERLAP, message, second.row.span, "let each row begin where the one before ends", label)

    def _tell_gaps(self, decl: i.Table, shape: Shape, dense: list[int]) -> None:
        """One finding for all gaps of a table, with the first of them in words."""
        wanted = self._wanted(shape)
        missing = [at for at, number in enumerate(dense) if number < 0 and wanted(at)]
        if missing:
            where = self._words(shape, self._split(shape, missing[0]))
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            hint = "add a row; `otherwise` in a key column stands for all that is left"
            self.ctx.tell(kinds.TABLE_GAP, f"no row of `{decl.name.text}` covers {where}{more}", decl.span, hint)

    def _wanted(self, shape: Shape) -> Callable[[int], bool]:
        """Which combinations can occur: a key over some members of a domain needs only those."""
        inside = []
        for key in shape.keys:
            type_ = shape.params[key].type
            inside.append(mask(self.ctx.world, type_) if isinstance(type_, t.Member) else -1)

        def wanted(at: int) -> bool:
            positions = self._split(shape, at)
            return all(m < 0 or m >> p & 1 for m, p in zip(inside, positions, strict=True))

        return wanted

    def _split(self, shape: Shape, at: int) -> tuple[int, ...]:
        found = []
        for size in reversed(shape.sizes):
            at, position = divmod(at, size)
            found.append(position)
        return tuple(reversed(found))

    def _words(self, shape: Shape, at: tuple[int, ...]) -> str:
        """A combination of keys in the table's own words."""
        said = []
        for key, position in zip(shape.keys, at, strict=True):
            param = shape.params[key]
            type_ = param.type
            if key in shape.ratios:
                ratio = shape.ratios[key][position]
                text = f"{ratio.numerator}:{ratio.denominator}"
            elif isinstance(type_, t.Int | t.Month):
                text = self.ctx.world.text(type_, type_.low + position)
            elif isinstance(type_, t.Flag):
                text = ("no", "yes")[position]
            else:
                text = self.ctx.world.text(none_of(type_), position)
            said.append(f"{param.name} {text}")
        return ", ".join(said)

    # -- functions

    def index(self, shape: Shape, scope: Scope) -> tuple[ir.Expr, ...]:
        """The look-up's keys as expressions; odds are rounded to a printed column."""
        made: list[ir.Expr] = []
        for key in shape.keys:
            param = shape.params[key]
            value: ir.Expr = ir.Local(param.name, param.type)
            if key in shape.ratios:
                columns = ir.Const(shape.ratios[key], t.ListOf(t.Ratio(), len(shape.ratios[key])))  # type: ignore[arg-type]
                value = ir.Op("ratio_column", (value, columns), t.Int(0, len(shape.ratios[key]) - 1), "down")
            made.append(value)
        return tuple(made)

    def static_keys(self, shape: Shape) -> tuple[str | tuple[int, int], ...]:
        """How the keys stand in a static table."""
        made: list[str | tuple[int, int]] = []
        for key in shape.keys:
            type_ = shape.params[key].type
            if key in shape.ratios:
                made.append((0, len(shape.ratios[key]) - 1))
            elif isinstance(type_, t.Int | t.Month):
                made.append((type_.low, type_.high))
            elif isinstance(type_, t.Flag):
                made.append((0, 1))
            else:
                assert isinstance(type_, t.Member)
                made.append(type_.domain)
        return tuple(made)

    def _single(
        self, decl: i.Table, shape: Shape, lines: tuple[Line, ...], dense: list[int], result: t.Type, scope: Scope, site: int
    ) -> None:
        """A table with one result: its values at once, but for cells with notes and expressions."""
        name = decl.name.text
        values: list[Value] = []
        special: dict[int, ir.Expr] = {}
        for number, line in enumerate(lines):
            value = self._cell(line.cells[0], result, scope, decl)
            noted = self._noted(decl, line.cells[0], value, result, scope)
            values.append(value.value if isinstance(value, ir.Const) else t.GAP)
            if noted is not None:
                special[number] = noted
        keys, index = self.static_keys(shape), self.index(shape, scope)
        fallible = -1 in dense
        table = f"table:{name}"
        self.statics[table] = ir.StaticTable(table, keys, result, tuple(values[n] if n >= 0 else t.GAP for n in dense))
        body: ir.Expr = ir.Static(table, index, result, fallible)
        if special:
            rows = t.Int(-1, len(lines))
            self.statics[f"{table}.row"] = ir.StaticTable(f"{table}.row", keys, rows, tuple(dense))
            row = ir.Static(f"{table}.row", index, rows)
            for number, made in special.items():
                here = ir.Op("eq", (row, ir.Const(number, t.Int(number, number))), FLAG)
                body = ir.If(here, made, body, result)
        self.keep(table, shape.params, body, site, result)
        self.ctx.signatures[name] = Signature(shape.params, result)

    def _several(
        self,
        decl: i.Table,
        shape: Shape,
        lines: tuple[Line, ...],
        dense: list[int],
        columns: tuple[t.Type, ...],
        scope: Scope,
        site: int,
    ) -> None:
        """A table with several results: a look-up gives the row, and each column its value of a row.

        A row with notes is there once for each way its notes can turn out.
        """
        name, result = decl.name.text, t.Row(decl.name.text)
        values: list[list[Value]] = [
            [self._constant(cell, type_, scope, decl) for cell, type_ in zip(line.cells, columns, strict=True)]
            for line in lines
        ]
        picks: dict[int, ir.Expr] = {}
        for number, line in enumerate(lines):
            pick = self._variants(decl, line, number, values, columns, scope)
            if pick is not None:
                picks[number] = pick
        table, keys = f"table:{name}", self.static_keys(shape)
        stored = tuple(n if n >= 0 else t.GAP for n in dense)
        self.statics[table] = ir.StaticTable(table, keys, result, stored)
        found: ir.Expr = ir.Static(table, self.index(shape, scope), result, -1 in dense)
        body = found
        for number, pick in picks.items():
            here = ir.Op("eq", (found, ir.Const(number, result)), FLAG)
            body = ir.If(here, pick, body, result)
        for place, (column, type_) in enumerate(zip(decl.columns, columns, strict=True)):
            text = f"{table}.{column.name}"
            self.statics[text] = ir.StaticTable(
                text, ((0, len(values) - 1),), type_, tuple(row[place] for row in values)
            )
        self.keep(table, shape.params, body, site, result)

    def _constant(self, cell: i.Cell, type_: t.Type, scope: Scope, decl: i.Table) -> Value:
        made = self._cell(cell, type_, scope, decl)
        if isinstance(made, ir.Const):
            return made.value
        hint = "make it a table with one result, or a note"
        self.ctx.tell(kinds.TABLE_SHAPE, "an expression among several results", cell.span, hint)
        return t.GAP

    def _variants(
        self,
        decl: i.Table,
        line: Line,
        number: int,
        values: list[list[Value]],
        columns: tuple[t.Type, ...],
        scope: Scope,
    ) -> ir.Expr | None:
        """The row to take instead of `number`, depending on the notes at its cells."""
        noted = [
            (place, note)
            for place, cell in enumerate(line.cells)
            for note in decl.notes
            if cell.mark and note.mark == cell.mark
        ]
        if not noted:
            return None
        result = t.Row(decl.name.text)

        def pick(rest: list[tuple[int, i.Note]], row: int) -> ir.Expr:
            if not rest:
                return ir.Const(row, result)
            (place, note), *others = rest
            value = self.check(note.value, scope, columns[place])
            if not isinstance(value, ir.Const):
                self.ctx.fail(kinds.NOT_CONSTANT, "a note among several results needs a constant", note.value.span)
            changed = list(values[row])
            changed[place] = value.value
            values.append(changed)
            then = pick(others, len(values) - 1)
            if note.condition is None:
                return then
            return ir.If(self.flag(note.condition, scope), then, pick(others, row), result)

        return pick(noted, number)

    def _noted(
        self, decl: i.Table, cell: i.Cell, value: ir.Expr, type_: t.Type, scope: Scope
    ) -> ir.Expr | None:
        """A cell's value under its notes; None where it is a plain constant."""
        made = value
        for note in reversed([note for note in decl.notes if cell.mark and note.mark == cell.mark]):
            instead = self.check(note.value, scope, type_)
            if note.condition is None:
                made = instead
            else:
                made = ir.If(self.flag(note.condition, scope), instead, made, type_)
        if cell.mark and not any(note.mark == cell.mark for note in decl.notes):
            hint = f"add `note {cell.mark}: VALUE when CONDITION` under the rows"
            self.ctx.tell(kinds.TABLE_SHAPE, f"no note explains `{cell.mark}`", cell.span, hint)
        return None if isinstance(made, ir.Const) and made is value else made

    def _cell(self, cell: i.Cell, type_: t.Type, scope: Scope, decl: i.Table) -> ir.Expr:
        """A result cell as a value of its column's type."""
        want = none_of(type_)
        if cell.kind == "expr" and cell.expr is not None:
            return self.check(cell.expr, scope, type_)
        if cell.kind == "nothing":
            return self._said_nothing(cell, type_)
        if cell.kind in ("int", "signed") and isinstance(want, t.Int) and cell.low is not None:
            if not want.low <= cell.low <= want.high:
                self.ctx.fail(kinds.OUT_OF_RANGE, f"{cell.low} is not in {want}", cell.span)
            return ir.Const(cell.low, type_)
        if cell.kind == "date" and isinstance(want, t.Month) and cell.low is not None:
            return ir.Const(cell.low, type_)
        if cell.kind == "ratio" and isinstance(want, t.Ratio):
            return ir.Const(Fraction(cell.low or 0, cell.high or 1), type_)
        if cell.kind == "names" and isinstance(want, t.Flag) and cell.names[0].text in ("yes", "no"):
            return ir.Const(cell.names[0].text == "yes", type_)
        if cell.kind == "names" and isinstance(want, t.Member | t.SetOf):
            of = want if isinstance(want, t.Member) else want.of
            if isinstance(of, t.Member):
                return self._named_cell(cell, of, type_, isinstance(want, t.SetOf))
        if cell.kind == "empty":
            hint = "write `-` for no effect; an empty cell says nothing"
            self.ctx.fail(kinds.TABLE_SHAPE, "this row has an empty cell", cell.span, hint)
        self.ctx.fail(kinds.TABLE_SHAPE, f"this is no `{type_}`", cell.span)

    def _said_nothing(self, cell: i.Cell, type_: t.Type) -> ir.Expr:
        """`-`: no effect, said: the member `no_effect`, 0, none, or the empty set."""
        match type_:
            case t.Optional():
                return ir.Const(t.NONE, type_)
            case t.Flag():
                return ir.Const(False, type_)
            case t.Int() if type_.low <= 0 <= type_.high:
                return ir.Const(0, type_)
            case t.SetOf():
                return ir.Const(0, type_)
            case t.Member():
                found = self._members("no_effect", type_)
                if found:
                    return ir.Const(found[0], type_)
                hint = f"give `{type_}` a member `no_effect`, or write the result"
                self.ctx.fail(kinds.TABLE_SHAPE, f"`-` stands for nothing in `{type_}`", cell.span, hint)
            case _:
                self.ctx.fail(kinds.TABLE_SHAPE, f"`-` stands for nothing in `{type_}`", cell.span)

    def _named_cell(self, cell: i.Cell, of: t.Member, type_: t.Type, many: bool) -> ir.Expr:
        numbers: list[int] = []
        for name in cell.names:
            found = self._members(name.text, of)
            if not found or (len(found) > 1 and not many):
                known = self.ctx.world.domains[of.domain].members
                self.ctx.fail(kinds.UNKNOWN_NAME, f"no `{of}` is called `{name.text}`", name.span, self.ctx.near(name.text, known))
            numbers += found
        if many:
            return ir.Const(sum({1 << n for n in numbers}), type_)
        if len(numbers) > 1:
            self.ctx.fail(kinds.TABLE_SHAPE, "one result is wanted", cell.span)
        return ir.Const(numbers[0], type_)
