"""The rows of data that contradict a claim: those that push a number over a bound, or differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from rulekit import ir
from rulekit.analysis.claims.verdict import Blame
from rulekit.analysis.data_places import DataPlaces, LookUp
from rulekit.base.bits import members
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import ClaimModel, Fact, Law, Model
from rulekit.compiler.world import Sizes
from rulekit.diagnostics import Label
from rulekit.ir.semantics.constant import Constants, Locals, NotConstant
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import Member, SetOf

MOST_STEPS: Final = 1_000_000


Reads = list[LookUp]


class FixedEvaluator(Constants):
    """Evaluates expressions that read no state, calls and walks over sets included.

    `read`: the cells looked up, in order; cleared by the caller.
    """

    def __init__(self, model: Model, statics: Mapping[str, ir.StaticTable]) -> None:
        super().__init__(statics, Sizes(model.world.domains))
        self._functions = model.functions
        self._steps = 0
        self.read: Reads = []

    def value(self, e: ir.Expr, known: Locals) -> Any:
        """The value of an expression; refused if it takes too long."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            self.refuse()
        return super().value(e, known)

    def other(self, e: ir.Expr, known: Locals) -> Any:
        """A call; refused if it reads state."""
        if isinstance(e, ir.Apply):
            return self.value(*self.enter(e, known))
        self.refuse()

    def enter(self, call: ir.Apply, known: Locals) -> tuple[ir.Expr, Locals]:
        """Return the body of the function that a call runs, with the values of its parameters."""
        function = self._functions.get(call.function)
        if function is None:
            self.refuse()
        given = (self.value(argument, known) for argument in call.arguments)
        return function.body, {param.name: value for param, value in zip(function.params, given, strict=True)}

    def members_where(
        self, over: ir.Expr, var: ir.Local, body: ir.Expr, known: Locals, *, holds: bool = True
    ) -> Iterator[int]:
        """The members of a set for which a test holds, or does not."""
        if not isinstance(over.type, SetOf):
            self.refuse()
        return (member for member, held in self.each(over, var, body, known) if bool(held) is holds)

    def look_up(self, name: str, keys: Iterable[int]) -> Any:
        """An entry of a static table, noted as read."""
        given = tuple(keys)
        value = super().look_up(name, given)
        self.read.append((name, given))
        return value


_TOO_MUCH: Final = {
    ("le", False): 0, ("lt", False): 0, ("gt", True): 0, ("ge", True): 0,
    ("ge", False): 1, ("gt", False): 1, ("lt", True): 1, ("le", True): 1,
}  # fmt: skip
"""The side of a comparison that is too large, by the comparison and whether it holds."""
MOST_SHOWN: Final = 8
"""Other rows that are shown."""

_Row = tuple[int, str, Reads]
"""A member, its domain, and the cells read for it."""


class BlameFinder:
    """Finds the cells of data that contradict a claim; not if the claim reads states."""

    def __init__(self, compiled: Compiled, program: ir.Program) -> None:
        self._fixed = FixedEvaluator(compiled.model, program.by_name.statics)
        self._rows = DataPlaces(compiled)

    def of(self, claim: ClaimModel, values: Mapping[str, Any]) -> Blame | None:
        """The rows that contradict a fact or law, for values of its parameters; None if there are none."""
        content = claim.content
        if not isinstance(content, Fact | Law):
            return None
        holds = isinstance(content, Law)
        test = content.breach if isinstance(content, Law) else content.condition
        try:
            self._fixed.value(test, values)
            return self._test(test, values, holds)
        except (NotConstant, Fault):
            return None

    def _test(self, e: ir.Expr, known: Locals, holds: bool) -> Blame | None:
        """The rows that make a test hold, or not hold."""
        match e:
            case ir.Op(op="not", operands=(inner,)):
                return self._test(inner, known, not holds)
            case ir.Op(op="and" | "or"):
                same = (part for part in e.operands if bool(self._fixed.value(part, known)) is holds)
                return next(filter(None, (self._test(part, known, holds) for part in same)), None)
            case ir.Apply():
                return self._test(*self._fixed.enter(e, known), holds)
            case ir.Fold(kind="all" | "any" | "no") if holds is (e.kind == "any"):
                wrong = self._members(e.over, e.var, e.body, known, holds=e.kind != "all")
                return self._blame(list(wrong), [], "this one")
            case ir.Op(operands=(first, second)) if (e.op, holds) in _TOO_MUCH:
                most = _TOO_MUCH[e.op, holds]
                return self._count((first, second)[most], (second, first)[most], known)
            case ir.Op(op="eq", operands=(first, second)) if not holds:
                return self._equal(first, second, known)
            case (
                ir.Const() | ir.Local() | ir.Static() | ir.Read() | ir.Flagged() | ir.At() | ir.Op() | ir.If()
                | ir.Filter() | ir.Fold() | ir.Best() | ir.Linked() | ir.BestWay()
            ):  # fmt: skip
                return None

    def _count(self, much: ir.Expr, bound: ir.Expr, known: Locals) -> Blame | None:
        """The rows counted beyond a bound, and the cells read for the bound."""
        counted = self._counted_rows(much, known)
        if counted is None:
            return self._blame_of_values(much, bound, known)
        limit = self._read(bound, known)
        rows = sorted(counted, key=lambda row: self._rows.order(row[1], row[0]))
        most = self._fixed.value(bound, known)
        over = rows[most:] if isinstance(most, int) and 0 <= most < len(rows) else rows[-1:]
        blame = self._blame(over, limit, f"{len(rows)} are counted, this one too")
        if blame is None:
            return None
        others = [row for row in rows if row not in over]
        return Blame(blame.at, blame.word, (*blame.others, *self._labels(others, "counted"))[:MOST_SHOWN])

    def _equal(self, first: ir.Expr, second: ir.Expr, known: Locals) -> Blame | None:
        """Of two sets the members that only one has; of two values the cells read for them."""
        if isinstance(first.type, SetOf) and isinstance(first.type.of, Member):
            one, other = self._fixed.value(first, known), self._fixed.value(second, known)
            if isinstance(first, ir.Filter):
                wrong = list(self._rows_of(first, one ^ other, known))
                return self._blame(wrong, [], "this one")
        return self._blame_of_values(first, second, known)

    def _blame_of_values(self, first: ir.Expr, second: ir.Expr, known: Locals) -> Blame | None:
        """The cells read for two values; no row is to blame for a count that is too low."""
        if any(self._counted_rows(operand, known) is not None for operand in (first, second)):
            return None
        return self._blame([], [*self._read(first, known), *self._read(second, known)], "")

    # -- members and their cells

    def _counted_rows(self, e: ir.Expr, known: Locals) -> list[_Row] | None:
        """The members that a number counts; None if it does not count."""
        match e:
            case ir.Apply():
                return self._counted_rows(*self._fixed.enter(e, known))
            case ir.If():
                branch = e.then if self._fixed.value(e.condition, known) else e.otherwise
                return self._counted_rows(branch, known)
            case ir.Op(op="count", operands=(ir.Filter() as kept,)):
                return list(self._members(kept.over, kept.var, kept.body, known, holds=True))
            case ir.Op(op="add" | "or_else"):
                parts = [self._counted_rows(operand, known) for operand in e.operands]
                rows = [part for part in parts if part is not None]
                return [row for part in rows for row in part] if rows else None
            case (
                ir.Const() | ir.Local() | ir.Static() | ir.Read() | ir.Flagged() | ir.At() | ir.Op()
                | ir.Filter() | ir.Fold() | ir.Best() | ir.Linked() | ir.BestWay()
            ):  # fmt: skip
                return None

    def _members(
        self, over: ir.Expr, var: ir.Local, body: ir.Expr, known: Locals, *, holds: bool
    ) -> Iterator[_Row]:
        of = over.type.of if isinstance(over.type, SetOf) else None
        if not isinstance(of, Member):
            raise NotConstant
        for member in self._fixed.members_where(over, var, body, known, holds=holds):
            yield member, of.domain, self._read(body, {**known, var.name: member})

    def _rows_of(self, kept: ir.Filter, which: int, known: Locals) -> Iterator[_Row]:
        of = kept.type.of if isinstance(kept.type, SetOf) else None
        assert isinstance(of, Member)
        for member in members(which):
            yield member, of.domain, self._read(kept.body, {**known, kept.var.name: member})

    def _read(self, e: ir.Expr, known: Locals) -> Reads:
        """The cells looked up for the value of an expression."""
        self._fixed.read.clear()
        self._fixed.value(e, known)
        return list(self._fixed.read)

    # -- places

    def _blame(self, wrong: list[_Row], cells: Reads, word: str) -> Blame | None:
        """The first place, with the others."""
        places = [*self._labels(wrong, word), *self._cells(cells)]
        if not places:
            return None
        first, *others = places
        return Blame(first.span, first.text, tuple(others[:MOST_SHOWN]))

    def _labels(self, rows: Iterable[_Row], word: str) -> Iterator[Label]:
        for number, domain, reads in rows:
            span = self._rows.read_of(domain, number, reads)
            if span is not None:
                yield Label(span, word)

    def _cells(self, reads: Reads) -> Iterator[Label]:
        for table, keys in dict.fromkeys(reads):
            cell = self._rows.cell(table, keys)
            if cell is not None:
                yield Label(cell.span, f"`{cell.column}` of {cell.name}")
