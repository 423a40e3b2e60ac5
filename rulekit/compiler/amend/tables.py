"""Amendments of tables: more rows, other rows, fewer; other cells.

While variants are not always in force, amended tables stand beside the base, one for every combination of
conditions that may hold, and a look-up takes the one that holds then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Draft
from rulekit.compiler.amend.step import Work
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

MOST_CONDITIONS = 5
"""Conditions under which one table may change (spec 11.4)."""

Rows = list[tuple[Span, i.TableRow]]
"""Rows, each with the place of the row that it stands for."""


def amend_tables(draft: Draft, works: Sequence[Work]) -> None:
    """`add to table X:`; `replace`, `remove row K of table X`; `set cell C of row K of table X to V`;
    `replace table X:`."""
    by_table: dict[str, list[Work]] = {}
    for work in works:
        if _possible(draft, work):
            by_table.setdefault(work.reached.name, []).append(work)
    for name, changes in by_table.items():
        _amend(draft, name, changes)


def _possible(draft: Draft, work: Work) -> bool:
    amendment = work.amendment
    if work.reached.word == "cell":
        if amendment.op == "set" and amendment.cases:
            return True
        draft.tell_impossible(amendment, "a cell can be set", "write `set cell C of row K of table X to V`")
        return False
    if work.reached.word == "row":
        if amendment.op == "remove" or (amendment.op == "replace" and amendment.rows):
            return True
        draft.tell_impossible(amendment, "a row can be removed, or replaced by rows")
        return False
    if amendment.op == "add" or (amendment.op == "replace" and amendment.rows):
        return True
    hint = "name one with `row KEY of table X`"
    draft.tell_impossible(amendment, "rows can be added to a table, or all of them replaced", hint)
    return False


def _amend(draft: Draft, name: str, works: list[Work]) -> None:
    """All amendments of one table."""
    conditions: list[x.Expr] = []
    when: list[int | None] = []  # for each work its condition's number
    for work in works:
        condition = work.force.condition(work.amendment.clauses)
        if condition is not None and condition not in conditions:
            conditions.append(condition)
        when.append(None if condition is None else conditions.index(condition))
    if len(conditions) > MOST_CONDITIONS:
        message = f"`{name}` changes under more than {MOST_CONDITIONS} conditions"
        draft.tell_impossible(works[-1].amendment, message, "make one table of it, with a key for the case")
        return
    tables = draft.space("tables")
    base: i.Table = tables[name]
    others: list[tuple[i.Clause, str]] = []
    for held in sorted(range(1 << len(conditions)), key=lambda held: -held.bit_count()):
        acting = [
            work for work, number in zip(works, when, strict=True) if number is None or held >> number & 1
        ]
        made = _changed(base, acting)
        if not held:
            tables[name] = made
            continue
        other = draft.free("tables", f"{name}'{held}")
        tables[other] = replace(made, name=x.Name(made.name.span, other))
        where = next(w.amendment for w, n in zip(works, when, strict=True) if n is not None and held >> n & 1)
        both: x.Expr | None = None
        for number, condition in enumerate(conditions):
            if held >> number & 1:
                both = condition if both is None else x.Logic(condition.span, "and", both, condition)
        assert both is not None
        others.append((i.WhenClause(where.span, where.cite, both), other))
    if others:
        draft.alternatives[name] = tuple(others)


def _changed(table: i.Table, works: list[Work]) -> i.Table:
    """The table with amendments worked in: what is added to it in any case, the others in their order."""
    head, *rest = table.rows
    adding = [work.amendment for work in works if work.amendment.op == "add"]
    added = [row for amendment in adding for row in amendment.rows]
    more = tuple(note for amendment in adding for note in amendment.notes)
    rows: Rows = [(row.span, row) for row in (*rest, *added)]
    notes = (*table.notes, *more)
    for work in works:
        amendment, place = work.amendment, work.reached.part
        if work.reached.word == "cell":
            rows = [(at, _with_cell(row, head, work) if at == place else row) for at, row in rows]
        elif work.reached.word == "row":
            assert place is not None
            first = next((number for number, (at, _) in enumerate(rows) if at == place), len(rows))
            rows = [row for row in rows if row[0] != place]
            rows[first:first] = [(place, row) for row in amendment.rows]
        elif amendment.op == "replace":
            head, *rest = amendment.rows
            rows = [(row.span, row) for row in (*rest, *added)]
            notes = (*amendment.notes, *more)
    return replace(table, rows=(head, *(row for _, row in rows)), notes=notes)


def _with_cell(row: i.TableRow, head: i.TableRow, work: Work) -> i.TableRow:
    """A row with another value under one head."""
    (case,) = work.amendment.cases
    assert isinstance(case, i.Case)
    heads = (work.reached.inner in (name.text for name in cell.names) for cell in head.cells)
    cells = (
        i.Cell(case.value.span, "expr", None, None, (), case.value, cell.mark) if meant else cell
        for cell, meant in zip(row.cells, heads, strict=False)
    )
    return replace(row, cells=tuple(cells))
