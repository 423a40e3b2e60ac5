"""Pieces: rosters, arrivals by turn, and counters with what is printed on both their sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from rulekit.reports.sheet.blocks.data import (
    MemberRow,
    data_table,
    enum_fields,
    fields_of,
    is_soft,
    members,
    population,
    selected_members,
    wide_head,
)
from rulekit.reports.sheet.content.context import Context, Tell, existing
from rulekit.reports.sheet.content.wording import plain
from rulekit.reports.sheet.model.document import (
    Counter,
    Counters,
    Head,
    Piece,
    Roster,
    Run,
    Runs,
    SheetLine,
    Stand,
    strong,
    text,
)
from rulekit.reports.sheet.model.settings import BlockSpec
from rulekit.reports.sheet.reachability.guess import number
from rulekit.reports.sheet.render.plain import Plain
from rulekit.runtime.support.wording import texts_of
from rulekit.syntax.tree.types import RangeType


def roster(ctx: Context, spec: BlockSpec, tell: Tell) -> Roster | None:
    """Pieces of some kinds as counters, by a field."""
    kinds = _kinds_with_data(ctx, spec, tell)
    return _Maker(ctx, spec, kinds).roster() if kinds else None


def arrivals(ctx: Context, spec: BlockSpec, tell: Tell) -> Roster | None:
    """Pieces of some kinds by the turn in which they arrive."""
    kinds = _kinds_with_data(ctx, spec, tell)
    return _Maker(ctx, spec, kinds).arrivals() if kinds else None


def _kinds_with_data(ctx: Context, spec: BlockSpec, tell: Tell) -> Sequence[str]:
    kinds = existing(tell, "kind", spec.what, ctx.compiled.names.populations)
    return [kind for kind in kinds if population(ctx, kind) is not None]


class _Maker:
    """Makes one block.

    It reads: `factors` (what is printed on a piece, in order), `circled` (the field that says
    which of them have a circle), `by` (what rows are for), `at` (what columns are for), `across` (columns
    with the values that belong to each), `where` (fields that must be so), `gone` (a turn of leaving), `home`
    (the field that those share who arrive and leave in one place), `now` (the state that counts the turns),
    `type` (the field that says of what sort a piece is).
    """

    def __init__(self, ctx: Context, spec: BlockSpec, kinds: Sequence[str]) -> None:
        self._ctx, self._spec, self._kinds = ctx, spec, kinds
        self._factors = spec.lists.get("factors") or _numbers_of(ctx, kinds[0])
        self._circled = spec.texts.get("circled", "")
        self._doubtful = False
        self._type = _type_field(ctx, spec, kinds[0]) if self._factors else spec.texts.get("type", "")

    @cached_property
    def _all(self) -> Sequence[tuple[str, MemberRow]]:
        chosen = {kind: selected_members(self._ctx, self._spec, kind) for kind in self._kinds}
        return [(kind, member) for kind, members in chosen.items() for member in members]

    def _head(self, id_: str, title: str) -> Head:
        cites = [self._ctx.compiled.names.populations[kind].cite for kind in self._kinds]
        return wide_head(self._ctx, id_, self._spec.title or title, cites, doubtful=self._doubtful)

    # -- rosters

    def roster(self) -> Roster | None:
        """All pieces, by a field."""
        by = self._spec.texts.get("by", "")
        if self._ctx.applies.later and by and not self._is_read(by):
            return None
        rows: dict[str, list[tuple[str, MemberRow]]] = {}
        for kind, member in self._all:
            value = member.values.get(by) if by else None
            side = f"{member.side}" if member.side is not None else ""
            rows.setdefault(f"{side}\t{'' if value is None else value}", []).append((kind, member))
        shown = []
        for key, pieces in rows.items():
            side, _, value = key.partition("\t")
            title: Runs = (Run("side", side), Run("text", " ")) if side else ()
            title = (*title, *strong(self._ctx.words.name(value) if value else ""))
            shown.append((title, (Stand((), self._pieces(pieces)),)))
        if not shown:
            return None
        called = self._ctx.words.title("kind", self._kinds[0])
        return Roster(self._head(f"roster:{self._kinds[0]}", called), self._factor_names(), (), tuple(shown))

    def _is_read(self, field: str) -> bool:
        """Return whether any rule that applies reads a field of the data: a set-up that is over does not."""
        world = self._ctx.compiled.model.world
        stores = {info.store for kind in self._kinds if (info := world.field(kind, field)) is not None}
        return not stores.isdisjoint(self._ctx.applies.keys)

    def _factor_names(self) -> tuple[str, ...]:
        return tuple(self._ctx.words.name(factor) for factor in self._factors)

    # -- arrivals

    def arrivals(self) -> Roster | None:
        """Pieces by the turn and the place of their arrival."""
        ctx, spec = self._ctx, self._spec
        by, at, gone = (spec.texts.get(key, "") for key in ("by", "at", "gone"))
        across = spec.maps.get("across") or _values(ctx, self._kinds, at)
        columns = [(name, frozenset(values)) for name, values in across.items()]
        first, last = self._first(), self._last()
        later = [(kind, m) for kind, m in self._all if plain(m.name) not in ctx.applies.placed]
        turns: dict[int, list[list[tuple[str, MemberRow]]]] = {}
        leaving: dict[int, list[list[MemberRow]]] = {}
        for kind, member in later:
            place = next((n for n, (_, v) in enumerate(columns) if str(member.values.get(at)) in v), None)
            turn = member.values.get(by)
            if place is not None and isinstance(turn, int) and first <= turn <= last:
                turns.setdefault(turn, [[] for _ in columns])[place].append((kind, member))
        for _, member in self._all:
            left = member.values.get(gone)
            if gone and isinstance(left, int) and max(first, 1) <= left <= last:
                leaving.setdefault(left, [[] for _ in columns])[self._home(member, columns, at)].append(
                    member
                )
        rows = []
        for turn in sorted({*turns, *leaving}):
            stands = []
            for place in range(len(columns)):
                pieces = self._pieces(turns.get(turn, [[]] * len(columns))[place])
                gone_now = leaving.get(turn, [[]] * len(columns))[place]
                if gone_now:
                    names = tuple(self._name_line(member, (gone,)) for member in gone_now)
                    pieces = (*pieces, Piece(names, ctx.catalogue("leaves"), ()))
                stands.append(Stand((), pieces))
            rows.append((self._turn(turn), tuple(stands)))
        titles = tuple(self._column(name) for name, _ in columns)
        head = self._head(
            "arrivals", ctx.words.own_title("arrivals", "") or ctx.words.title("kind", self._kinds[0])
        )
        return Roster(head, self._factor_names(), titles, tuple(rows)) if rows else None

    def _home(self, member: MemberRow, columns: Sequence[tuple[str, frozenset[str]]], at: str) -> int:
        """The column in which a piece leaves: where those arrive that have the same home, or the last."""
        home = self._spec.texts.get("home", "")
        alike = [m for _, m in self._all if m.values.get(home) == member.values.get(home)]
        for other in alike:
            for place, (_, values) in enumerate(columns):
                if str(other.values.get(at)) in values:
                    if str(member.values.get(at)) in values or member.values.get(at) is None:
                        return place
        return len(columns) - 1

    def _column(self, name: str) -> Runs:
        for _, member in self._all:
            if self._ctx.words.name(str(member.values.get(self._spec.texts.get("at", "")))) in name:
                return (
                    (Run("side", str(member.side)), Run("text", f" {name}"))
                    if member.side is not None
                    else text(name)
                )
        return text(name)

    def _turn(self, turn: int) -> Runs:
        words = self._dates().get(str(turn), "")
        return (*strong(str(turn)), *((Run("faint", f" {words}"),) if words else ()))

    def _dates(self) -> Mapping[str, str]:
        """Return the entries of an owner's table by turn, if the specification names one."""
        table = data_table(self._ctx, self._spec.texts.get("rows", ""))
        rows = table.rows if table is not None else ()
        return {str(row.cells[0].plain): str(row.cells[1].plain) for row in rows}

    def _first(self) -> int:
        """Return the first turn of the block; none before a scenario, or a month, begins."""
        turns = self._spec.texts.get("now", "")
        begins = self._ctx.applies.begins.get(turns, 0)
        now = self._ctx.applies.now.get(turns)
        if isinstance(now, frozenset):
            begins = min(map(number, now))
        return max(int(self._spec.texts.get("since", "0")), begins if isinstance(begins, int) else 0)

    def _last(self) -> int:
        """The last turn there is: a value of the rules that `upto` names."""
        now = self._ctx.applies.now.get(self._spec.texts.get("now", ""))
        if isinstance(now, frozenset):
            return max(map(number, now))
        last = self._ctx.value(self._spec.texts.get("upto", ""))
        return 1_000_000 if last is None else last

    # -- pieces

    def _pieces(self, found: Sequence[tuple[str, MemberRow]]) -> tuple[Piece, ...]:
        """Merge pieces with the same factors; pieces without any are counted."""
        same: dict[Any, list[MemberRow]] = {}
        counted: dict[str, list[MemberRow]] = {}
        for kind, member in found:
            if all(factor in member.values for factor in self._factors):
                runs = _factor_runs(self._ctx, self._factors, member.values, member.values.get(self._circled))
                same.setdefault((runs, self._sort(member)), []).append(member)
            else:
                counted.setdefault(kind, []).append(member)
        pieces = [
            Piece(
                tuple(self._name_line(m, ()) for m in some),
                self._ctx.words.name(type_) if type_ else "",
                runs,
            )
            for (runs, type_), some in same.items()
        ]
        for kind, some in counted.items():
            self._doubtful |= any(m.soft(self._spec.texts.get("by", "")) for m in some)
            words = self._ctx.words.title("kind", kind)
            pieces.append(
                Piece((SheetLine(text=text(f"{len(some)} {words}" if len(some) > 1 else words)),), "", ())
            )
        return tuple(pieces)

    def _sort(self, member: MemberRow) -> str:
        """Return the type of a piece, unless its name contains it."""
        type_ = str(member.values.get(self._type) or "")
        return "" if self._ctx.words.name(type_) == member.title else type_

    def _name_line(self, member: MemberRow, more: Sequence[str]) -> SheetLine:
        fields = (*self._factors, *(more or (self._spec.texts.get("by", ""),)))
        soft = any(member.soft(field) for field in fields if field)
        self._doubtful |= soft
        return SheetLine(text=text(member.title), soft=soft)


def _type_field(ctx: Context, spec: BlockSpec, kind: str) -> str:
    """The field that says of what sort a piece is: the first one that is an enum, unless one is named."""
    sorts = (field for field, enum in enum_fields(ctx, kind, own=True) if enum != ctx.side_kind)
    return spec.texts.get("type", "") or next(sorts, "")


def _factor_runs(ctx: Context, fields: Iterable[str], values: Mapping[str, Any], circled: Any) -> Runs:
    """The values of fields as they are printed on a piece, those of some of them in a circle."""
    names = {name.lower() for field in circled or () for name in (str(field), ctx.words.name(str(field)))}
    return tuple(
        Run(
            "circled" if names & {field.lower(), ctx.words.name(field).lower()} else "factor",
            str(values[field]).replace("-", "−"),
        )
        for field in fields
        if values.get(field) is not None
    )


def _numbers_of(ctx: Context, kind: str) -> tuple[str, ...]:
    """The fields of a kind that are small numbers and do not change, and so may be printed on a piece."""
    data = population(ctx, kind)
    printed = {
        name
        for name, field in fields_of(ctx, kind).items()
        if not field.changes and isinstance(field.type, RangeType) and not field.params
    }
    return tuple(column for column in (data.columns if data else ()) if column in printed)


def _values(ctx: Context, kinds: Sequence[str], field: str) -> Mapping[str, tuple[str, ...]]:
    values = (member.values.get(field) for kind in kinds for member in members(ctx, kind))
    texts = dict.fromkeys(str(value) for value in values if value is not None)
    return {ctx.words.of_data(words): (words,) for words in texts}


# ---------------------------------------------------------------- counters


def counters(ctx: Context, spec: BlockSpec, tell: Tell) -> Counters | None:
    """Make a block of pictures for the kinds, or enums, of a specification."""
    names = ctx.compiled.names
    kinds = existing(tell, "kind or enum", spec.what, (*names.populations, *names.enums))
    tables = spec.lists.get("numbers", ())
    known = existing(tell, "table", tables, (*names.externs, *_tables_of_data(ctx)))
    in_use = [name for name in known if name not in names.externs or ctx.applies.at(names.externs[name].span)]
    if not kinds or tables and not in_use:
        return None
    return _CounterMaker(ctx, spec, kinds, next(iter(in_use), "")).counters()


class _CounterMaker:
    """Makes a block of pictures.

    It reads: `factors` (what is printed, in order), `back` (the same for the other side),
    `circled`, `type`, `by` (what groups are for), `where`.

    Args:
        numbers: A table of the data whose first column names a piece, with factors in its columns; where the
            owner's copy alone has it, counters are without factors.
    """

    def __init__(self, ctx: Context, spec: BlockSpec, kinds: Sequence[str], numbers: str) -> None:
        self._ctx, self._spec, self._kinds, self._numbers = ctx, spec, kinds, numbers
        self._doubtful = False
        self._table = _table(ctx, numbers)
        self._texts = texts_of(ctx.compiled.program)

    def counters(self) -> Counters | None:
        ctx = self._ctx
        groups: dict[Runs, dict[tuple[Any, ...], Counter]] = {}
        for title, counter in sorted(self._all(), key=lambda pair: self._rank(pair[0])):
            alike = groups.setdefault(title, {})
            key = (counter.name, counter.type, counter.side, counter.front, counter.back, counter.words)
            count = alike[key].count + 1 if key in alike else 1
            alike[key] = replace(counter, count=count)
        if not groups:
            return None
        first = self._kinds[0]
        cited = ctx.compiled.names.populations.get(first) or ctx.compiled.names.enums.get(first)
        cites = [] if cited is None else [cited.cite]
        named = ctx.words.own_title("table", self._numbers) if self._numbers else ""
        called = self._spec.title or named or ctx.words.title("kind", first)
        head = wide_head(ctx, f"counters:{first}", called, cites, doubtful=self._doubtful)
        if note := self._owners_note():
            head = replace(head, notes=(*head.notes, SheetLine(text=text(note))))
        pictures = tuple(
            (t, tuple(alike.values()), self._alternative(alike.values())) for t, alike in groups.items()
        )
        factors = tuple(ctx.words.name(f) for f in self._spec.lists.get("factors") or self._usual(first))
        return Counters(head, factors, pictures, _size(self._spec))

    def _owners_note(self) -> str:
        """Return the note on numbers that the owner's copy has; empty if the set has them."""
        if not self._numbers:
            return ""
        if self._table is None:
            return self._ctx.catalogue("owner")
        table = data_table(self._ctx, self._numbers)
        return self._ctx.catalogue("made-up") if table is not None and table.sampler else ""

    def _rank(self, title: Runs) -> tuple[int, int]:
        """The place of a group: by its side, then as the enum that groups are for has its members."""
        sides = [int(run.text) for run in title if run.kind == "side"]
        words = "".join(run.text for run in title if run.kind == "strong")
        by = self._spec.texts.get("by", "")
        fields = dict(pair for kind in self._kinds if kind in self._ctx.compiled.names.populations
                      for pair in enum_fields(self._ctx, kind))  # fmt: skip
        enum = self._ctx.compiled.names.enums.get(fields.get(by, ""))
        members = [self._ctx.words.name(m.name.text, enum.name.text) for m in enum.members] if enum else []
        return (sides or [-1])[0], members.index(words) if words in members else len(members)

    def _usual(self, kind: str) -> tuple[str, ...]:
        return _numbers_of(self._ctx, kind) if kind in self._ctx.compiled.names.populations else ()

    def _all(self) -> Iterator[tuple[Runs, Counter]]:
        names = self._ctx.compiled.names
        for kind in self._kinds:
            if kind in names.enums:
                for member in names.enums[kind].members:
                    name = self._ctx.words.name(member.name.text, kind)
                    yield (), Counter(name[:1].upper() + name[1:], "", None, (), (), 1, False)
            elif population(self._ctx, kind) is None:
                world = self._ctx.compiled.model.world
                titles = world.domains[world.kinds[kind].domain].titles
                names_of = world.domains[world.kinds[kind].domain].members
                for number in world.kind_members(kind):
                    words = self._words(kind, names_of[number])
                    yield (), Counter(self._plain(titles[number], kind), "", None, (), (), 1, False, words)
            else:
                yield from self._of(kind)

    def _plain(self, title: str, kind: str) -> str:
        """A name without the number that distinguishes identical pieces."""
        return self._ctx.words.title("kind", kind) if title.rstrip("0123456789 _") != title else title

    def _of(self, kind: str) -> Iterator[tuple[Runs, Counter]]:
        spec = self._spec
        type_ = _type_field(self._ctx, spec, kind)
        factors = spec.lists.get("factors") or self._usual(kind)
        by = spec.texts.get("by", "")
        for member in selected_members(self._ctx, spec, kind):
            if self._table is not None and member.name not in self._table[0]:
                continue
            value = member.values.get(by) if by else None
            side = (Run("side", str(member.side)),) if member.side is not None and by else ()
            title: Runs = (*side, *((Run("text", " "),) if side else ()), *strong(_word(self._ctx, value)))
            sort = _word(self._ctx, member.values.get(type_))
            sort = "" if sort == member.title else sort
            front = self._side_runs(member, factors)
            back = self._side_runs(member, spec.lists.get("back", ()))
            soft = self._soft(member, (*factors, *spec.lists.get("back", ())))
            self._doubtful |= soft
            words = self._words(kind, "_".join(member.name.split()))
            yield title, Counter(member.title, sort, member.side, front, back, 1, soft, words)

    def _words(self, kind: str, name: str) -> tuple[Runs, ...]:
        """The paragraphs of a member's texts."""
        domain = self._ctx.compiled.model.world.kinds[kind].domain
        texts = self._texts.get((domain, name)) or self._texts.get((domain, f"{kind}.{name}"), {})
        return tuple(
            text(row.strip()) for words in texts.values() for row in words.splitlines() if row.strip()
        )

    def _side_runs(self, member: MemberRow, fields: Sequence[str]) -> Runs:
        if self._numbers and self._table is None:
            return ()
        values = self._table[0][member.name] if self._table is not None else member.values
        circled = member.values.get(self._spec.texts.get("circled", ""))
        return _factor_runs(self._ctx, fields, values, circled)

    def _soft(self, member: MemberRow, fields: Sequence[str]) -> bool:
        if self._numbers:
            return self._table is not None and member.name in self._table[1]
        return any(member.soft(field) for field in fields)

    def _alternative(self, found: Iterator[Counter] | Any) -> str:
        plain = Plain.of_words(self._ctx.catalogue.all())
        return "; ".join(
            " ".join(filter(None, (f"{c.count} ×" if c.count > 1 else "", c.name, c.type)))
            + (f": {plain.runs(c.front)}" if c.front else "")
            + (f" / {plain.runs(c.back)}" if c.back else "")
            + "".join(f". {plain.runs(paragraph)}" for paragraph in c.words)
            for c in found
        )


def _tables_of_data(ctx: Context) -> Iterator[str]:
    files = (file for file in ctx.compiled.data.files.values() if file is not None)
    return (name for file in files for name in file.tables)


def _size(spec: BlockSpec) -> float:
    words = spec.texts.get("size", "0")
    return float(words) if words.replace(".", "", 1).isdecimal() else 0


def _word(ctx: Context, value: Any) -> str:
    return "" if value is None or isinstance(value, dict) else ctx.words.of_data(value)


def _table(ctx: Context, name: str) -> tuple[Mapping[str, Mapping[str, Any]], frozenset[str]] | None:
    table = data_table(ctx, name) if name else None
    if table is None:
        return None
    rows = {
        str(row.cells[0].plain): dict(zip(table.columns, (cell.plain for cell in row.cells), strict=True))
        for row in table.rows
    }
    return rows, frozenset(
        str(row.cells[0].plain) for row in table.rows if is_soft(row) and not table.sampler
    )
