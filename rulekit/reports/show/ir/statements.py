"""Statements of the IR as indented lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.reports.show.ir.expressions import Binding, Expressions, name_text


@frozen
class IrLine:
    """A line of the text.

    Attributes:
        depth: How many blocks are around it.
        site: The index of its site in the program; None for a line that belongs to the one above it.
    """

    depth: int
    text: str
    site: int | None = None


class Statements:
    """Writes blocks of one program."""

    def __init__(self, expressions: Expressions) -> None:
        self._x = expressions

    def block(self, block: ir.Block, depth: int = 0) -> Iterator[IrLine]:
        """The lines of a block; an empty one is `nothing`."""
        if not block:
            yield IrLine(depth, "nothing")
        for statement in block:
            yield from self._statement(statement, depth)

    def _statement(self, s: ir.Stmt, depth: int) -> Iterator[IrLine]:
        if isinstance(s, ir.When):
            yield from self._when(s, depth)
        elif isinstance(s, ir.ForEach | ir.Repeat | ir.Together | ir.Step):
            yield IrLine(depth, f"{self._head(s)}:", s.site)
            yield from self.block(s.body, depth + 1)
        else:
            yield IrLine(depth, self._simple(s), s.site)

    def _when(self, s: ir.When, depth: int) -> Iterator[IrLine]:
        yield IrLine(depth, f"when {self._x.text(s.condition)}:", s.site)
        yield from self.block(s.then, depth + 1)
        rest = s.otherwise
        while len(rest) == 1 and isinstance(rest[0], ir.When):
            yield IrLine(depth, f"otherwise when {self._x.text(rest[0].condition)}:", rest[0].site)
            yield from self.block(rest[0].then, depth + 1)
            rest = rest[0].otherwise
        if rest:
            yield IrLine(depth, "otherwise:")
            yield from self.block(rest, depth + 1)

    def _head(self, s: ir.ForEach | ir.Repeat | ir.Together | ir.Step) -> str:
        match s:
            case ir.ForEach():
                word = "for each" if s.alternating is None else "alternating"
                over = f"{word} {self._binding(s.var)} in {self._x.text(s.over, Binding.SUM)}"
                order = "" if s.order is None else f", {self._order(s.order)}"
                while_ = "" if s.alternating is None else f", while {self._x.text(s.alternating)}"
                return over + order + while_
            case ir.Repeat():
                limit = "" if s.limit is None else f", at most {self._x.text(s.limit)} times"
                control = self._x.text(s.control)
                return f"repeat {control} times" if s.kind == "times" else f"repeat {s.kind} {control}{limit}"
            case ir.Together():
                return "together"
            case ir.Step():
                return f'{s.word} {name_text(s.name)} "{s.title}"'
            case _:
                assert_never(s)

    def _order(self, order: ir.Order) -> str:
        parts = [f"by {end} {self._x.text(number)}" for end, number in order.numbers]
        match order.kind:
            case "first":
                parts.append(f"{', '.join(map(self._x.text, order.keys))} first")
            case "ranked":
                pass
            case "lot":
                parts.append(f"by lot at {name_text(order.name)}")
            case "chosen":
                sides = ", ".join(map(self._x.text, order.sides))
                parts.append(f"as {sides} chooses with {name_text(order.name)}")
            case _:
                assert_never(order.kind)
        return ", ".join(parts)

    def _simple(
        self,
        s: ir.Let | ir.Write | ir.MarkAll | ir.Place | ir.Leave | ir.Next | ir.Return | ir.Do | ir.Roll
        | ir.DrawLot | ir.DrawTop | ir.Put | ir.Shuffle | ir.Form | ir.Dissolve | ir.Choose | ir.ChooseEach
        | ir.Reveal | ir.Say | ir.Tell | ir.Finish | ir.Fail,
    ) -> str:  # fmt: skip
        x = self._x
        match s:
            case ir.Let():
                return f"let {self._binding(s.local)} = {x.text(s.value)}"
            case ir.Write():
                return self._write(s)
            case ir.MarkAll():
                word = "mark" if s.on else "unmark"
                return f"{word} all of {x.text(s.members)} in {x.cell(s.state, s.keys)}"
            case ir.Place():
                pieces = ("all of " if s.many else "") + x.text(s.pieces, Binding.SUM)
                return f"move {pieces} to {x.text(s.space)}"
            case ir.Leave():
                return "leave"
            case ir.Next():
                return "next"
            case ir.Return():
                return "return" if s.value is None else f"result {x.text(s.value)}"
            case ir.Do():
                return f"do {x.call(s.procedure, s.arguments)}{self._as(s.local)}"
            case ir.Roll():
                return self._roll(s)
            case ir.DrawLot():
                number = "one" if s.one else x.text(s.count, Binding.SUM)
                return (
                    f"draw {number} by lot from {x.text(s.over)} at {name_text(s.point)}"
                    f"{self._as(s.local)}{self._knowers(s.known)}"
                )
            case ir.DrawTop():
                number = "one" if s.one else x.text(s.count, Binding.SUM)
                return (
                    f"draw {number} from {x.cell(s.state, s.keys)} at {name_text(s.point)}"
                    f"{self._as(s.local)}{self._knowers(s.known)}"
                )
            case ir.Put():
                value = ("all of " if s.many else "") + x.text(s.value)
                return f"put {value} {'on top of' if s.top else 'under'} {x.cell(s.state, s.keys)}"
            case ir.Shuffle():
                return f"shuffle {x.cell(s.state, s.keys)} at {name_text(s.point)}"
            case ir.Form():
                return f"form {name_text(s.domain)}{self._as(s.local)}"
            case ir.Dissolve():
                return f"dissolve {name_text(s.domain)} {x.text(s.group)}"
            case ir.Choose():
                return f"choose {x.call(s.choice, s.arguments)}{self._as(s.local)}"
            case ir.ChooseEach():
                asked = x.call(s.choice, s.arguments)
                return (
                    f"choose {asked} for each {self._binding(s.var)} in {x.text(s.over)}{self._as(s.local)}"
                )
            case ir.Reveal():
                return f"reveal {x.cell(s.state, s.keys)}{self._knowers(s.known)}"
            case ir.Say():
                return f"say {x.text(s.text)}"
            case ir.Tell():
                return f"tell of {s.of} {name_text(s.point)}"
            case ir.Finish():
                return "finish" if s.result is None else f"finish {x.text(s.result)}"
            case ir.Fail():
                return f'fail {s.reason} "{s.detail}"' if s.detail else f"fail {s.reason}"
            case _:
                assert_never(s)

    def _write(self, s: ir.Write) -> str:
        cell = self._x.cell(s.state, s.keys)
        value = "" if s.value is None else self._x.text(s.value)
        ends = ", within its range" if s.clamp else ", checked" if s.check else ""
        match s.op:
            case "set":
                return f"set {cell} to {value}{ends}"
            case "add" | "include" | "append":
                return f"{s.op} {value} to {cell}{ends}"
            case "subtract" | "exclude" | "drop":
                return f"{s.op} {value} from {cell}{ends}"
            case "mark" | "unmark":
                return f"{s.op} {cell}{ends}"
            case _:
                assert_never(s.op)

    def _knowers(self, sides: ir.Expr | None) -> str:
        return "" if sides is None else f", known to {self._x.text(sides)}"

    def _roll(self, s: ir.Roll) -> str:
        rolled = f"roll {self._x.call(s.point, s.arguments)}{self._as(s.raw)}{self._knowers(s.known)}"
        if s.local is None or s.modified is None:
            return rolled
        return f"{rolled}, modified as {self._binding(s.local)} = {self._x.text(s.modified)}"

    def _binding(self, local: ir.Local) -> str:
        return f"{name_text(local.name)}: {local.type}"

    def _as(self, local: ir.Local | None) -> str:
        return "" if local is None else f" as {self._binding(local)}"

    def lets(self, bound: Iterable[tuple[ir.Local, ir.Expr]], depth: int) -> Iterator[IrLine]:
        """Locals that are bound before anything else is evaluated."""
        for local, value in bound:
            yield IrLine(depth, f"let {self._binding(local)} = {self._x.text(value)}")
