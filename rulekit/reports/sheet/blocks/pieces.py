"""Pieces: rosters, and arrivals by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulekit.reports.sheet.blocks.data import MemberRow, enum_fields, members, population, soft_note
from rulekit.reports.sheet.content.context import Context, Tell
from rulekit.reports.sheet.content.wording import plain
from rulekit.reports.sheet.model.document import (
    Block,
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
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.types import RangeType


def roster(ctx: Context, spec: BlockSpec, tell: Tell) -> Iterator[Block | None]:
    """Pieces of some kinds as counters, by a field."""
    maker = _maker(ctx, spec, tell)
    if maker is not None:
        yield maker.roster()


def arrivals(ctx: Context, spec: BlockSpec, tell: Tell) -> Iterator[Block | None]:
    """Pieces of some kinds by the turn in which they arrive."""
    maker = _maker(ctx, spec, tell)
    if maker is not None:
        yield maker.arrivals()


def _maker(ctx: Context, spec: BlockSpec, tell: Tell) -> _Maker | None:
    """Return a maker for the kinds that have data; report the unknown ones."""
    known = ctx.compiled.names.populations
    for kind in spec.what:
        if kind not in known:
            tell("kind", kind, (*known,))
    kinds = [kind for kind in spec.what if kind in known and population(ctx, kind) is not None]
    return _Maker(ctx, spec, kinds) if kinds else None


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
        self._factors = spec.lists.get("factors") or numbers_of(ctx, kinds[0])
        self._circled = spec.texts.get("circled", "")
        self._doubtful = False
        of_sort = [f for f, enum in enum_fields(ctx, kinds[0], own=True) if enum != ctx.side_kind]
        self._type = spec.texts.get("type", "") or next(iter(of_sort if self._factors else ()), "")

    @cached_property
    def _all(self) -> Sequence[tuple[str, MemberRow]]:
        """The pieces that are wanted, with their kinds."""
        wanted = self._spec.maps.get("where", {})
        return [
            (kind, member)
            for kind in self._kinds
            for member in members(self._ctx, kind)
            if all(str(member.values.get(field)) in values for field, values in wanted.items())
        ]

    def _head(self, id_: str, title: str) -> Head:
        ctx = self._ctx
        cites = [ctx.compiled.names.populations[kind].cite for kind in self._kinds]
        notes = (soft_note(ctx),) if self._doubtful else ()
        return Head(id_, self._spec.title or title, ctx.words.cited(*cites)[:3], wide=True, notes=notes)

    # -- rosters

    def roster(self) -> Roster | None:
        """All pieces, by a field."""
        by = self._spec.texts.get("by", "")
        rows: dict[str, list[tuple[str, MemberRow]]] = {}
        for kind, member in self._all:
            value = member.values.get(by) if by else None
            side = f"{member.side}" if member.side is not None else ""
            rows.setdefault(f"{side}\t{'' if value is None else value}", []).append((kind, member))
        made = []
        for key, found in rows.items():
            side, _, value = key.partition("\t")
            title: Runs = (Run("side", side), Run("text", " ")) if side else ()
            title = (*title, *strong(self._ctx.words.name(value) if value else ""))
            made.append((title, (Stand((), self._pieces(found)),)))
        if not made:
            return None
        called = self._ctx.words.title("kind", self._kinds[0])
        return Roster(self._head(f"roster:{self._kinds[0]}", called), self._called(), (), tuple(made))

    def _called(self) -> tuple[str, ...]:
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
                found = self._pieces(turns.get(turn, [[]] * len(columns))[place])
                gone_now = leaving.get(turn, [[]] * len(columns))[place]
                if gone_now:
                    names = tuple(self._named(member, (gone,)) for member in gone_now)
                    found = (*found, Piece(names, ctx.catalogue("leaves"), ()))
                stands.append(Stand((), found))
            rows.append((self._turn(turn), tuple(stands)))
        titles = tuple(self._column(name) for name, _ in columns)
        head = self._head(
            "arrivals", ctx.words.named("arrivals", "") or ctx.words.title("kind", self._kinds[0])
        )
        return Roster(head, self._called(), titles, tuple(rows)) if rows else None

    def _home(self, member: MemberRow, columns: Sequence[tuple[str, frozenset[str]]], at: str) -> int:
        """The column in which a piece leaves: where those arrive that have the same home, or the last."""
        home = self._spec.texts.get("home", "")
        alike = [m for _, m in self._all if m.values.get(home) == member.values.get(home)]
        for each in alike:
            for place, (_, values) in enumerate(columns):
                if str(each.values.get(at)) in values:
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
        said = self._dates().get(str(turn), "")
        return (*strong(str(turn)), *((Run("faint", f" {said}"),) if said else ()))

    def _dates(self) -> Mapping[str, str]:
        """Return the entries of an owner's table by turn, if the specification names one."""
        name = self._spec.texts.get("rows", "")
        for file in self._ctx.compiled.data.files.values():
            if file is not None and name in file.tables:
                return {str(row.cells[0].plain): str(row.cells[1].plain) for row in file.tables[name].rows}
        return {}

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
                runs = self._printed(member)
                same.setdefault((runs, self._sort(member)), []).append(member)
            else:
                counted.setdefault(kind, []).append(member)
        made = [
            Piece(tuple(self._named(m, ()) for m in some), self._ctx.words.name(type_) if type_ else "", runs)
            for (runs, type_), some in same.items()
        ]
        for kind, some in counted.items():
            self._doubtful |= any(m.soft(self._spec.texts.get("by", "")) for m in some)
            said = self._ctx.words.title("kind", kind)
            made.append(
                Piece((SheetLine(text=text(f"{len(some)} {said}" if len(some) > 1 else said)),), "", ())
            )
        return tuple(made)

    def _sort(self, member: MemberRow) -> str:
        """Return the type of a piece, unless its name contains it."""
        found = str(member.values.get(self._type) or "")
        return "" if self._ctx.words.name(found) == member.title else found

    def _printed(self, member: MemberRow) -> Runs:
        circled = member.values.get(self._circled) or ()
        titles = {self._ctx.words.name(str(each)).lower() for each in circled} | {
            str(e).lower() for e in circled
        }
        return tuple(
            Run("circled" if factor in titles or self._ctx.words.name(factor).lower() in titles else "factor",
                str(member.values[factor]))
            for factor in self._factors
        )  # fmt: skip

    def _named(self, member: MemberRow, more: Sequence[str]) -> SheetLine:
        fields = (*self._factors, *(more or (self._spec.texts.get("by", ""),)))
        soft = any(member.soft(field) for field in fields if field)
        self._doubtful |= soft
        return SheetLine(text=text(member.title), soft=soft)


def numbers_of(ctx: Context, kind: str) -> tuple[str, ...]:
    """The fields of a kind that are small numbers and do not change: what may be printed on a piece."""
    found = population(ctx, kind)
    names = ctx.compiled.names
    unions = [u for u in names.unions.values() if _within(ctx, kind, u)]
    fields = [*names.populations[kind].fields, *(f for union in unions for f in union.fields)]
    printed = {
        f.name.text for f in fields if not f.changes and isinstance(f.type, RangeType) and not f.params
    }
    return tuple(column for column in (found.columns if found else ()) if column in printed)


def _within(ctx: Context, kind: str, union: i.KindUnion) -> bool:
    unions = ctx.compiled.names.unions
    return any(k.text == kind or k.text in unions and _within(ctx, kind, unions[k.text]) for k in union.kinds)


def _values(ctx: Context, kinds: Sequence[str], field: str) -> Mapping[str, tuple[str, ...]]:
    """A column for each value of a field."""
    values = (member.values.get(field) for kind in kinds for member in members(ctx, kind))
    found = dict.fromkeys(str(value) for value in values if value is not None)
    return {ctx.words.name(value.replace(" ", "_")): (value,) for value in found}
