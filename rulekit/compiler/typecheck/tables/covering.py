"""Report combinations of keys that no row of a table covers, or two rows; one finding for each cause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulekit.base.frozen import frozen
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.tables.boxes import Box, TableCover, volume
from rulekit.compiler.typecheck.tables.shape import TableLine, TableShape
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import same

MOST_TOLD = 5
"""Findings of one kind about one table."""
Overlap = tuple[int, int, Box]
"""Two rows and the combinations that both cover."""


def report_cover(
    ctx: CheckContext, decl: i.Table, shape: TableShape, lines: tuple[TableLine, ...], *, whole: bool
) -> None:
    """Report gaps and overlaps, as one finding where they touch; `whole`: all rows could be read."""
    table = _Table(decl, shape, lines, shape.cover(lines))
    overlaps = table.cover.overlaps()
    gaps = table.cover.gaps() if whole else []
    boxes = [*gaps, *(box for _, _, box in overlaps)]
    groups = sorted(table.cover.groups(boxes), key=lambda group: -max(volume(boxes[n]) for n in group))
    single = sum(all(n < len(gaps) for n in group) for group in groups) == 1
    reported = {True: 0, False: 0}
    for group in groups:
        missing = [gaps[n] for n in group if n < len(gaps)]
        double = [overlaps[n - len(gaps)] for n in group if n >= len(gaps)]
        reported[bool(double)] += 1
        if reported[bool(double)] <= MOST_TOLD:
            ctx.findings.add(table.overlap(double, missing) if double else table.gap(missing, single=single))


@frozen
class _Table:
    """A table with what its rows cover."""

    decl: i.Table
    shape: TableShape
    lines: tuple[TableLine, ...]
    cover: TableCover

    def gap(self, missing: Sequence[Box], *, single: bool) -> Diagnostic:
        """The finding of combinations that no row covers; `single`: the table has no other such finding."""
        largest = self.cover.grown(max(missing, key=volume))
        where = self.shape.words(self.cover, largest)
        more = sum(map(volume, missing)) - volume(largest)
        name = self.decl.name.text
        labels, edits = self._edits(missing, range(len(self.lines)), gap=True)
        message = f"no row of `{name}` covers {where}" + (f" and {more} more" if more else "")
        hint = edits or "add a row; `otherwise` in an input column matches everything else"
        key = (f"table {name}", *(() if single else (where,)))
        return Diagnostic(kinds.TABLE_GAP, message, self.decl.span, labels, hint, key=key)

    def overlap(self, double: Sequence[Overlap], missing: Sequence[Box]) -> Diagnostic:
        """The finding of combinations that two rows cover, and of gaps beside them."""
        unequal = [pair for pair in double if not same(self.lines[pair[0]].cells, self.lines[pair[1]].cells)]
        kind = kinds.TABLE_OVERLAP if unequal else kinds.SAME_RESULT_TWICE
        first, second, box = max(unequal or double, key=lambda pair: volume(pair[2]))
        where = self.shape.words(self.cover, box)
        message = f"rows overlap at {where}" + ("" if unequal else " with the same result")
        hint: str | None = "start each row where the previous one ends"
        if missing:
            largest = max(missing, key=volume)
            message += f", and no row covers {self.shape.words(self.cover, largest)}"
            hint = "extend one of them to the gap"
        else:
            rows = sorted({number for one, other, _ in double for number in (one, other)})
            _, edits = self._edits([box for _, _, box in double], rows, gap=False)
            hint = edits or ("remove one of them" if not unequal else hint)
        labels = (Label(self.lines[first].place, "also covered here"),)
        key = (f"table {self.decl.name.text}", where)
        return Diagnostic(kind, message, self.lines[second].place, labels, hint, key=key)

    def _edits(
        self, boxes: Sequence[Box], rows: Iterable[int], *, gap: bool
    ) -> tuple[tuple[Label, ...], str | None]:
        """Edges of rows that may be misread; moving any one of them settles the whole finding."""
        labels, edits = [], []
        for number in rows:
            for axis, position, begins in self.cover.edge_moves(boxes, number, gap=gap):
                value = self.shape.value(axis, position)
                word = "start" if begins else "end"
                name = self.shape.params[self.shape.keys[axis]].name
                head = f" ({name})" if len(self.shape.keys) > 1 else ""
                span = self.lines[number].place
                edits.append(f"{word} the row on line {span.line} at {value}{head}")
                labels.append(Label(span, f"should this {word} at {value}?"))
        return tuple(labels), ", or ".join(edits) or None
