"""Amendments of tables: more rows, other rows, fewer; other cells.

While variants are not always in force, amended tables stand beside the base, one for every combination of
conditions that may hold, and a look-up takes the one that holds then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Draft, Patch, conjunction
from rulekit.compiler.amend.targets import column_names
from rulekit.compiler.names import Names
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

MOST_CONDITIONS = 5
"""Conditions under which one table may change (spec 11.4)."""

Rows = list[tuple[Span, i.TableRow]]
"""Rows, each with the place of the row that it stands for."""


def amend_tables(draft: Draft, patches: Sequence[Patch]) -> None:
    """`add to table X:`; `replace`, `remove row K of table X`; `set cell C of row K of table X to V`;
    `replace table X:`."""
    by_table: dict[str, list[Patch]] = {}
    for patch in patches:
        if _possible(draft, patch):
            by_table.setdefault(patch.target.name, []).append(patch)
    for name, changes in by_table.items():
        _amend(draft, name, changes)


def _possible(draft: Draft, patch: Patch) -> bool:
    amendment, hint = patch.amendment, None
    if patch.target.word == "cell":
        is_possible = amendment.op == "set" and bool(amendment.cases)
        message, hint = "a cell can only be set", "write `set cell C of row K of table X to V`"
    elif patch.target.word == "row":
        is_possible = amendment.op == "remove" or (amendment.op == "replace" and bool(amendment.rows))
        message = "a row can only be removed, or replaced by rows"
    else:
        is_possible = amendment.op == "add" or (amendment.op == "replace" and bool(amendment.rows))
        message = "a table can only get more rows, or have all rows replaced"
        hint = "name a row with `row KEY of table X`"
    if not is_possible:
        draft.refuse(amendment, message, hint)
    return is_possible


def _amend(draft: Draft, name: str, patches: list[Patch]) -> None:
    conditions: list[x.Expr] = []
    when = [patch.condition() for patch in patches]
    for condition in when:
        if condition is not None and condition not in conditions:
            conditions.append(condition)
    if len(conditions) > MOST_CONDITIONS:
        message = f"`{name}` changes under more than {MOST_CONDITIONS} conditions"
        draft.refuse(patches[-1].amendment, message, "use one table with an input for the case")
        return
    tables = draft.space("tables")
    base: i.Table = tables[name]
    others: list[tuple[i.Clause, str]] = []
    for held in sorted(range(1 << len(conditions)), key=lambda held: -held.bit_count()):
        holding = [condition for number, condition in enumerate(conditions) if held >> number & 1]
        pairs = list(zip(patches, when, strict=True))
        amended = _with_patches(base, [patch for patch, test in pairs if test is None or test in holding])
        both = conjunction(holding)
        if both is None:
            tables[name] = amended
            continue
        other = draft.free("tables", f"{name}'{held}")
        tables[other] = replace(amended, name=x.Name(amended.name.span, other))
        where = next(patch.amendment for patch, test in pairs if test in holding)
        others.append((i.WhenClause(where.span, where.cite, both), other))
    if others:
        draft.alternatives[name] = tuple(others)


def _with_patches(table: i.Table, patches: list[Patch]) -> i.Table:
    """The table with amendments worked in: what is added to it in any case, the others in their order.

    The first note whose condition holds counts, so the notes of a variant that is over others come first.
    """
    head, *rest = table.rows
    adding = [patch.amendment for patch in patches if patch.amendment.op == "add"]
    added = [row for amendment in adding for row in amendment.rows]
    more = tuple(note for amendment in reversed(adding) for note in amendment.notes)
    rows: Rows = [(row.span, row) for row in (*rest, *added)]
    notes = (*table.notes, *more)
    for patch in patches:
        amendment, place = patch.amendment, patch.target.part
        if patch.target.word == "cell":
            rows = [
                (at, _with_cell(row, head, patch) if place in (at, row.span) else row) for at, row in rows
            ]
        elif patch.target.word == "row":
            assert place is not None
            first = next((n for n, (at, row) in enumerate(rows) if place in (at, row.span)), len(rows))
            rows = [(at, row) for at, row in rows if place not in (at, row.span)]
            rows[first:first] = [(place, row) for row in amendment.rows]
        elif amendment.op == "replace":
            head, *rest = amendment.rows
            rows = [(row.span, row) for row in (*rest, *added)]
            notes = (*amendment.notes, *more)
    return replace(table, rows=(head, *(row for _, row in rows)), notes=notes)


def _with_cell(row: i.TableRow, head: i.TableRow, patch: Patch) -> i.TableRow:
    (case,) = patch.amendment.cases
    assert isinstance(case, i.Case)
    heads = (patch.target.inner in column_names(cell) for cell in head.cells)
    cells = (
        i.Cell(case.value.span, "expr", None, None, (), case.value, cell.mark) if meant else cell
        for cell, meant in zip(row.cells, heads, strict=False)
    )
    return replace(row, cells=tuple(cells))


# -- owner data


def with_own_rows(names: Names) -> Names:
    """The names in which an extern table that a variant replaces for the whole game is a table like others.

    It has no rows yet, only the head that it will have; its owner's file is not asked for.
    """
    given = {table.name.text: head for table, head in _replaced_externs(names)}
    if not given:
        return names
    own = {
        name: i.Table(old.span, old.cite, old.name, old.params, old.columns, (head,), (), old.rounding)
        for name, head in given.items()
        for old in (names.externs[name],)
    }
    rest = {name: table for name, table in names.externs.items() if name not in given}
    return replace(names, tables={**names.tables, **own}, externs=rest)


def _replaced_externs(names: Names) -> Iterator[tuple[i.ExternTable, i.TableRow]]:
    """Extern tables that are replaced, with the head of what replaces them."""
    for variant in names.variants.values():
        for amendment in variant.amendments:
            name = amendment.address.name
            if amendment.op == "replace" and amendment.address.word == "table" and amendment.rows:
                if name is not None and name.text in names.externs and not variant.force:
                    yield names.externs[name.text], amendment.rows[0]
