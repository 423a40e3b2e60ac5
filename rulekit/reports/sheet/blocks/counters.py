"""Pictures of counters: pieces with what is printed on both their sides, markers with their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulekit.reports.sheet.blocks.data import MemberRow, enum_fields, members, population, soft_note
from rulekit.reports.sheet.blocks.pieces import numbers_of
from rulekit.reports.sheet.content.context import Context, Tell
from rulekit.reports.sheet.model.document import Counter, Counters, Head, Run, Runs, strong
from rulekit.reports.sheet.model.settings import BlockSpec
from rulekit.reports.sheet.render.plain import Plain
from rulekit.ruleset.model import ON_TRUST


def counters(ctx: Context, spec: BlockSpec, tell: Tell) -> Iterator[Counters]:
    """Make a block of pictures for the kinds, or enums, of a specification."""
    names = ctx.compiled.names
    known = (*names.populations, *names.enums)
    for name in spec.what:
        if name not in known:
            tell("kind or enum", name, known)
    made = _Maker(ctx, spec, [name for name in spec.what if name in known]).counters()
    if made is not None:
        yield made


class _Maker:
    """Makes one block.

    It reads: `factors` (what is printed, in order), `back` (the same for the other side),
    `circled`, `type`, `by` (what groups are for), `where`, and `numbers`: a table of the data whose first
    column names a piece, with factors in its columns.
    """

    def __init__(self, ctx: Context, spec: BlockSpec, kinds: Sequence[str]) -> None:
        self._ctx, self._spec, self._kinds = ctx, spec, kinds
        self._doubtful = False
        self._table = _table(ctx, spec.texts.get("numbers", ""))

    def counters(self) -> Counters | None:
        ctx = self._ctx
        groups: dict[Runs, dict[tuple[Any, ...], Counter]] = {}
        for title, counter in self._all():
            alike = groups.setdefault(title, {})
            key = (counter.name, counter.type, counter.side, counter.front, counter.back)
            count = alike[key].count + 1 if key in alike else 1
            alike[key] = Counter(*key, count, counter.soft)
        if not groups:
            return None
        first = self._kinds[0]
        cited = ctx.compiled.names.populations.get(first) or ctx.compiled.names.enums.get(first)
        see = ctx.words.cited(cited.cite)[:3] if cited is not None else ()
        notes = (soft_note(ctx),) if self._doubtful else ()
        called = self._spec.title or ctx.words.title("kind", first)
        head = Head(f"counters:{first}", called, see, wide=True, notes=notes)
        made = tuple((t, tuple(found.values()), self._said(found.values())) for t, found in groups.items())
        factors = tuple(ctx.words.name(f) for f in self._spec.lists.get("factors") or self._usual(first))
        return Counters(head, factors, made)

    def _usual(self, kind: str) -> tuple[str, ...]:
        return numbers_of(self._ctx, kind) if kind in self._ctx.compiled.names.populations else ()

    def _all(self) -> Iterator[tuple[Runs, Counter]]:
        names = self._ctx.compiled.names
        for kind in self._kinds:
            if kind in names.enums:
                for each in names.enums[kind].members:
                    name = self._ctx.words.name(each.name.text)
                    yield (), Counter(name[:1].upper() + name[1:], "", None, (), (), 1, False)
            elif population(self._ctx, kind) is None:
                world = self._ctx.compiled.model.world
                titles = world.domains[world.kinds[kind].domain].titles
                for number in world.kind_members(kind):
                    yield (), Counter(self._plain(titles[number], kind), "", None, (), (), 1, False)
            else:
                yield from self._of(kind)

    def _plain(self, title: str, kind: str) -> str:
        """A name without the number that tells one of many alike from the others."""
        return self._ctx.words.title("kind", kind) if title.rstrip("0123456789 _") != title else title

    def _of(self, kind: str) -> Iterator[tuple[Runs, Counter]]:
        spec = self._spec
        types = [f for f, enum in enum_fields(self._ctx, kind, own=True) if enum != self._ctx.side_kind]
        type_ = spec.texts.get("type", "") or next(iter(types), "")
        wanted = spec.maps.get("where", {})
        factors = spec.lists.get("factors") or self._usual(kind)
        by = spec.texts.get("by", "")
        for member in members(self._ctx, kind):
            if not all(str(member.values.get(f)) in values for f, values in wanted.items()):
                continue
            if self._table is not None and member.name not in self._table[0]:
                continue
            value = member.values.get(by) if by else None
            side = (Run("side", str(member.side)),) if member.side is not None and by else ()
            title: Runs = (*side, *((Run("text", " "),) if side else ()), *strong(_word(self._ctx, value)))
            sort = _word(self._ctx, member.values.get(type_))
            sort = "" if sort == member.title else sort
            front = self._printed(member, factors)
            back = self._printed(member, spec.lists.get("back", ()))
            soft = self._soft(member, (*factors, *spec.lists.get("back", ())))
            self._doubtful |= soft
            yield title, Counter(member.title, sort, member.side, front, back, 1, soft)

    def _printed(self, member: MemberRow, fields: Sequence[str]) -> Runs:
        values = self._table[0][member.name] if self._table is not None else member.values
        circled = member.values.get(self._spec.texts.get("circled", "")) or ()
        named = {str(each).lower() for each in circled}
        named |= {self._ctx.words.name(str(each)).lower() for each in circled}
        return tuple(
            Run("circled" if field.lower() in named else "factor", str(values[field]).replace("-", "−"))
            for field in fields
            if values.get(field) is not None
        )

    def _soft(self, member: MemberRow, fields: Sequence[str]) -> bool:
        if self._table is not None:
            return member.name in self._table[1]
        return any(member.soft(field) for field in fields)

    def _said(self, found: Iterator[Counter] | Any) -> str:
        """Return the text alternative for the pictures of a group."""
        plain = Plain.of_words(self._ctx.catalogue.all())
        return "; ".join(
            " ".join(each for each in (f"{c.count} ×" if c.count > 1 else "", c.name, c.type) if each)
            + (f": {plain.runs(c.front)}" if c.front else "")
            + (f" / {plain.runs(c.back)}" if c.back else "")
            for c in found
        )


def _word(ctx: Context, value: Any) -> str:
    return "" if value is None or isinstance(value, dict) else ctx.words.name(str(value).replace(" ", "_"))


def _table(ctx: Context, name: str) -> tuple[Mapping[str, Mapping[str, Any]], frozenset[str]] | None:
    """A table of the data by its first column, and the rows that nobody vouches for; None without a name."""
    if not name:
        return None
    for file in ctx.compiled.data.files.values():
        if file is not None and name in file.tables:
            found = file.tables[name]
            rows = {
                str(row.cells[0].plain): {
                    column: cell.plain for column, cell in zip(found.columns, row.cells, strict=True)
                }
                for row in found.rows
            }
            soft = {str(row.cells[0].plain) for row in found.rows if set(row.confidence) & set(ON_TRUST)}
            return rows, frozenset(soft)
    return {}, frozenset()
