"""Whether the rows of a table cover every combination of its keys once; one finding a cause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from fractions import Fraction

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.typecheck.boxes import Box, Cover, of_positions, runs, volume
from rulekit.compiler.typecheck.definitions import Definitions
from rulekit.compiler.typecheck.joins import mask, none_of
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name

Keys = tuple[tuple[int, ...], ...]
MOST_TOLD = 5
"""Findings of one kind about one table."""
MOST_NAMED = 4
"""Members that a combination of keys is told by."""


@frozen
class Line:
    """One line of look-up: which numbers of each key it covers, and its result cells."""

    keys: Keys
    cells: tuple[i.Cell, ...]
    row: i.TableRow

    @property
    def place(self) -> Span:
        """Where its row stands, without the end of the line."""
        end = self.row.cells[-1].span
        return replace(self.row.span, end_line=end.end_line, end_column=end.end_column)


@frozen
class Shape:
    """A table's keys: parameters that head columns (or run across), and the values each has in order."""

    params: tuple[ir.Param, ...]
    keys: tuple[int, ...]
    sizes: tuple[int, ...]
    ratios: dict[int, tuple[Fraction, ...]]

    def ordered(self, place: int) -> bool:
        """Whether the values of a key have an order: numbers, months, odds."""
        key = self.keys[place]
        return key in self.ratios or isinstance(self.params[key].type, t.Int | t.Month)


class Covering(Definitions):
    """Tells gaps and overlaps of tables."""

    def cover(self, shape: Shape, lines: Sequence[Line]) -> Cover:
        """The rows as boxes of what can occur."""
        wanted = self.wanted(shape)
        rows = tuple(
            tuple(of_positions(key) & part for key, part in zip(line.keys, wanted, strict=True))
            for line in lines
        )
        return Cover(rows, wanted, tuple(map(shape.ordered, range(len(shape.keys)))))

    def wanted(self, shape: Shape) -> Box:
        """What can occur: a key over some members of a domain needs only those."""
        wanted = []
        for key, size in zip(shape.keys, shape.sizes, strict=True):
            type_ = shape.params[key].type
            wanted.append(mask(self.ctx.world, type_) if isinstance(type_, t.Member) else (1 << size) - 1)
        return tuple(wanted)

    def tell_cover(self, decl: i.Table, shape: Shape, lines: Sequence[Line], *, whole: bool) -> None:
        """Gaps and overlaps that touch are one finding; `whole`: all rows could be read."""
        cover = self.cover(shape, lines)
        pairs = cover.overlaps()
        gaps = cover.gaps() if whole else []
        boxes = [*gaps, *(box for _, _, box in pairs)]
        told = [0, 0]
        groups = sorted(cover.groups(boxes), key=lambda group: -max(volume(boxes[n]) for n in group))
        alone = sum(all(n < len(gaps) for n in group) for group in groups) == 1
        for group in groups:
            missing = [gaps[n] for n in group if n < len(gaps)]
            double = [pairs[n - len(gaps)] for n in group if n >= len(gaps)]
            told[bool(double)] += 1
            if told[bool(double)] > MOST_TOLD:
                continue
            if double:
                self._tell_overlap(decl, shape, lines, cover, double, missing)
            else:
                self._tell_gap(decl, shape, lines, cover, missing, alone=alone)

    def _tell_gap(
        self,
        decl: i.Table,
        shape: Shape,
        lines: Sequence[Line],
        cover: Cover,
        missing: Sequence[Box],
        *,
        alone: bool,
    ) -> None:
        largest = cover.grown(max(missing, key=volume))
        where = self.words(shape, cover, largest)
        more = sum(map(volume, missing)) - volume(largest)
        hint = "add a row; `otherwise` in a key column stands for all that is left"
        labels, edits = self._mended(shape, lines, cover, missing, range(len(lines)), gap=True)
        message = f"no row of `{decl.name.text}` covers {where}" + (f" and {more} more" if more else "")
        names = () if alone else (where,)
        key = (f"table {decl.name.text}", *names)
        self.ctx.report.add(Diagnostic(kinds.TABLE_GAP, message, decl.span, labels, edits or hint, key=key))

    def _tell_overlap(
        self,
        decl: i.Table,
        shape: Shape,
        lines: Sequence[Line],
        cover: Cover,
        double: Sequence[tuple[int, int, Box]],
        missing: Sequence[Box],
    ) -> None:
        unequal = [pair for pair in double if not _equal(lines[pair[0]], lines[pair[1]])]
        kind = kinds.TABLE_OVERLAP if unequal else kinds.SAME_RESULT_TWICE
        first, second, box = max(unequal or double, key=lambda pair: volume(pair[2]))
        where = self.words(shape, cover, box)
        message = f"two rows cover {where}" + ("" if unequal else ", with one result")
        hint: str | None = "let each row begin where the one before ends"
        labels: tuple[Label, ...] = (Label(lines[first].place, "also covered here"),)
        if missing:
            message += f", and none covers {self.words(shape, cover, max(missing, key=volume))}"
            hint = "let one of them cover what none does"
        else:
            rows = sorted({number for one, other, _ in double for number in (one, other)})
            _, edits = self._mended(shape, lines, cover, [box for _, _, box in double], rows, gap=False)
            hint = edits or ("drop one of them" if not unequal else hint)
        key = (f"table {decl.name.text}", where)
        self.ctx.report.add(Diagnostic(kind, message, lines[second].place, labels, hint, key=key))

    def _mended(
        self,
        shape: Shape,
        lines: Sequence[Line],
        cover: Cover,
        boxes: Sequence[Box],
        rows: Iterable[int],
        *,
        gap: bool,
    ) -> tuple[tuple[Label, ...], str | None]:
        """The edges of rows that may have been misread, each of which mends all of it alone."""
        labels, orders = [], []
        for number in rows:
            for axis, position, begins in cover.mending(boxes, number, gap=gap):
                value = self._value(shape, axis, position)
                word = "begin" if begins else "end"
                name = shape.params[shape.keys[axis]].name
                head = f" ({name})" if len(shape.keys) > 1 else ""
                span = lines[number].place
                orders.append(f"let the row of line {span.line} {word} at {value}{head}")
                labels.append(Label(span, f"this may have to {word} at {value}"))
        return tuple(labels), ", or ".join(orders) or None

    def words(self, shape: Shape, cover: Cover, box: Box) -> str:
        """A box in the table's own words; keys that may be anything are left out."""
        said = [
            f"{shape.params[key].name} {self._stretches(shape, place, box[place])}"
            for place, key in enumerate(shape.keys)
            if box[place] != cover.wanted[place]
        ]
        return ", ".join(said) or "anything"

    def at_words(self, shape: Shape, at: int) -> str:
        """One combination of keys, by its number, with every key."""
        positions = self.split(shape, at)
        said = [self._value(shape, place, position) for place, position in enumerate(positions)]
        names = [shape.params[key].name for key in shape.keys]
        return ", ".join(f"{name} {value}" for name, value in zip(names, said, strict=True))

    def split(self, shape: Shape, at: int) -> tuple[int, ...]:
        """The positions of a combination along each key, from its number."""
        found = []
        for size in reversed(shape.sizes):
            at, position = divmod(at, size)
            found.append(position)
        return tuple(reversed(found))

    def _stretches(self, shape: Shape, place: int, positions: int) -> str:
        if shape.ordered(place):
            ends = [
                tuple(dict.fromkeys(self._value(shape, place, end) for end in ends))
                for ends in runs(positions)
            ]
            month = isinstance(shape.params[shape.keys[place]].type, t.Month)
            said = [(" to " if month else "..").join(each) for each in ends]
        else:
            said = [
                self._value(shape, place, n) for low, high in runs(positions) for n in range(low, high + 1)
            ]
        more = len(said) - MOST_NAMED
        return " or ".join(said[:MOST_NAMED]) + (f" or {more} more" if more > 0 else "")

    def _value(self, shape: Shape, place: int, position: int) -> str:
        """A value of a key in the table's own words."""
        key = shape.keys[place]
        type_ = shape.params[key].type
        if key in shape.ratios:
            ratio = shape.ratios[key][position]
            return f"{ratio.numerator}:{ratio.denominator}"
        if isinstance(type_, t.Int | t.Month):
            return self.ctx.world.text(type_, type_.low + position)
        if isinstance(type_, t.Flag):
            return ("false", "true")[position]
        return self.ctx.world.text(none_of(type_), position)


def _equal(one: Line, other: Line) -> bool:
    """Whether two lines say the same, word for word."""
    return [*map(_said, one.cells)] == [*map(_said, other.cells)]


def _said(node: object) -> object:
    """What is written, without its place."""
    match node:
        case Name():
            return node.text
        case tuple():
            return tuple(map(_said, node))
        case Span():
            return None
        case _ if hasattr(node, "__dataclass_fields__"):
            parts = fields(node)  # type: ignore[arg-type]  # it has fields
            return type(node), tuple(_said(getattr(node, part.name)) for part in parts)
        case _:
            return node
