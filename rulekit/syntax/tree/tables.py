"""Items as written: tables and their cells."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.syntax.tree.components import Param
from rulekit.syntax.tree.expr import Expr, Name, Way
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.types import TypeExpr


@frozen
class Cell:
    """One cell of a row.

    `kind` says what is written: `int`, `signed`, `nothing` (a dash), `range` (low, high; None is open),
    `hyphen` (two numbers: a range, or odds), `names`, `ratio`, `flag`, `date`, `dates`, `text`, `otherwise`,
    `expr`, `empty`, `parts`.
    """

    span: Span
    kind: str
    low: int | None
    high: int | None
    names: tuple[Name, ...]
    expr: Expr | None
    mark: str
    parts: tuple[Cell, ...] = ()
    """Results of a cell such as `A1/D2`; a cell with a single one has none."""

    @property
    def results(self) -> tuple[Cell, ...]:
        """The parts of a cell; without any, the cell itself."""
        return self.parts or (self,)

    @property
    def column_name(self) -> str:
        """The word by which an amendment names the column that this cell heads."""
        if self.names:
            return ", ".join(name.text for name in self.names)
        if self.kind == "ratio":
            return f"{self.low}:{self.high}"
        if self.low == self.high:
            return str(self.low)
        return "..".join("" if end is None else str(end) for end in (self.low, self.high))


@frozen
class TableRow:
    span: Span
    cite: Cite | None
    cells: tuple[Cell, ...]


@frozen
class Note:
    span: Span
    cite: Cite | None
    mark: str
    value: Expr
    condition: Expr | None


@frozen
class Column:
    """A result column; a table with one has it unnamed (`name` is empty)."""

    span: Span
    name: str
    type: TypeExpr


@frozen
class OddsRounding:
    """How odds between two columns or rows are rounded."""

    span: Span
    key: Name
    way: Way


@frozen
class Beyond:
    """The result where a shift leaves the table on one side."""

    span: Span
    side: Literal["left", "right"]
    cell: Cell


@frozen
class Table:
    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[Note, ...]
    rounding: OddsRounding | None = None
    beyond: tuple[Beyond, ...] = ()


@frozen
class ExternTable:
    """A table whose numbers are in the owner's file; `keys` lists the columns or rows it must have.

    `sampler` is the data file with the numbers to use without the owner's, if there is one.
    """

    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    columns: tuple[Column, ...]
    file: str
    sampler: str
    sampler_span: Span | None
    keys: tuple[tuple[Name, tuple[Cell, ...]], ...]
    rounding: OddsRounding | None
    rising: Name | None
