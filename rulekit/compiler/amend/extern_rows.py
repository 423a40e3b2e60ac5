"""Tables whose numbers are the owner's, and which a variant gives rows of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit.compiler.names import Names
from rulekit.syntax.tree import items as i

DOWN = "down"
"""How a table that has rows of its own rounds odds."""


def with_own_rows(names: Names) -> Names:
    """The names in which an extern table that a variant replaces for the whole game is a table like others.

    It has no rows yet, only the head that it will have; its owner's file is not asked for.  One that rounds
    odds otherwise than tables do stays as it is.
    """
    given = {table.name.text: head for table, head in _replaced(names) if table.rounding == DOWN}
    if not given:
        return names
    made = {name: _table(names.externs[name], head) for name, head in given.items()}
    rest = {name: table for name, table in names.externs.items() if name not in given}
    return replace(names, tables={**names.tables, **made}, externs=rest)


def _replaced(names: Names) -> Iterator[tuple[i.ExternTable, i.TableRow]]:
    """Extern tables that are replaced, with the head of what replaces them."""
    for variant in names.variants.values():
        for amendment in variant.amendments:
            name = amendment.address.name
            if amendment.op == "replace" and amendment.address.word == "table" and amendment.rows:
                if name is not None and name.text in names.externs and not variant.force:
                    yield names.externs[name.text], amendment.rows[0]


def _table(table: i.ExternTable, head: i.TableRow) -> i.Table:
    return i.Table(table.span, table.cite, table.name, table.params, table.columns, (head,), ())
