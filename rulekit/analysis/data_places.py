"""Where data files say what is fixed: the cell behind a field of a member."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.ruleset import PopulationData, RowData

LookUp = tuple[str, tuple[int, ...]]
"""A static table and the keys it was asked for."""


@frozen
class DataCell:
    """A cell: where it is, whose it is, and its column."""

    span: Span
    name: str
    column: str


class DataPlaces:
    """Finds rows and cells of one rule set's data."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._world = compiled.model.world
        self._of: dict[tuple[str, int], tuple[PopulationData, RowData]] = {}
        for name, population in compiled.names.populations.items():
            file = compiled.data.files.get(population.source or "")
            data = file.populations.get(name) if file is not None else None
            members = self._world.kind_members(name)
            if data is not None and len(data.rows) == len(members):
                pairs = zip(members, data.rows, strict=True)
                self._of |= {(population.sort, member): (data, row) for member, row in pairs}

    def order(self, domain: str, member: int) -> tuple[str, int, int]:
        """Members in the order of their rows."""
        row = self._of.get((domain, member))
        return (row[1].span.file, row[1].span.line, member) if row else ("", 0, member)

    def cell(self, table: str, keys: tuple[int, ...]) -> DataCell | None:
        """The cell that a look-up in a static table has read, if a data file holds it."""
        if not keys:
            return None
        for (kind, field), info in self._world.fields.items():
            if info.store != table:
                continue
            domain = self._world.kinds[kind].domain
            place = self._of.get((domain, keys[0]))
            if place is None or not self._world.kinds[kind].members >> keys[0] & 1:
                continue
            data, row = place
            if field in data.columns:
                name = self._world.domains[domain].titles[keys[0]]
                return DataCell(row.cells[data.columns.index(field)].span, name, field)
        return None

    def read_of(self, domain: str, member: int, reads: Iterable[LookUp]) -> Span | None:
        """The cell of a member that was looked at last, else its row."""
        place = self._of.get((domain, member))
        if place is None:
            return None
        of_it = [self.cell(table, keys) for table, keys in reads if keys[:1] == (member,)]
        cells = [cell for cell in of_it if cell is not None and cell.span.file == place[1].span.file]
        return cells[-1].span if cells else place[1].cells[0].span
