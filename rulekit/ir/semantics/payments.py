"""The least that the parts of a program pay, in any game (spec 14.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulekit.ir import expr as x
from rulekit.ir import stmt as s
from rulekit.ir import walk
from rulekit.ir.program import Program
from rulekit.ir.semantics.most_members import ENDLESS
from rulekit.ir.semantics.operations import LAZY
from rulekit.ir.semantics.work import Work

_LEAVING = (s.Leave, s.Next, s.Return, s.Finish, s.Fail)
_ASKING = (s.Choose, s.ChooseEach)


class LeastPayments:
    """The fewest units that each definition and procedure of a program pays in one step, itself included.

    Only what always runs counts: of two branches the cheaper, of a quantifier one member, nothing after a
    statement that may leave or ask. Sets that play makes may be empty.
    """

    def __init__(self, program: Program) -> None:
        self._names, self._work = program.by_name, Work(program)
        self._known: dict[tuple[str, str], int] = {}

    def function(self, name: str) -> int:
        """Return the units for each call of a function."""
        return self._units_of(
            ("function", name),
            lambda: self._work.price_of_function(name) + self._expression(self._names.functions[name].body),
        )

    def procedure(self, name: str) -> int:
        """Return the units for each run of a procedure before anything is asked."""
        return self._units_of(
            ("procedure", name),
            lambda: self._work.price_of_procedure(name) + self._block(self._names.procedures[name].body),
        )

    def _units_of(self, key: tuple[str, str], units: Callable[[], int]) -> int:
        """Return the units of a function or procedure; 0 where it calls itself."""
        if key not in self._known:
            self._known[key] = 0
            self._known[key] = min(units(), ENDLESS)
        return self._known[key]

    def _expression(self, e: x.Expr) -> int:
        parts = walk.children(e)
        match e:
            case x.If():
                either = min(self._expression(e.then), self._expression(e.otherwise))
                return self._expression(e.condition) + either
            case x.Filter() | x.Fold() | x.Best() | x.Linked() | x.BestWay():
                body = walk.inner(e)
                assert body is not None
                outside = self._all(part for part in parts if part is not body)
                return min(outside + self._loop(e, body), ENDLESS)
            case x.Apply():
                return min(self.function(e.function) + self._all(parts), ENDLESS)
            case x.Op() if e.op in LAZY:
                return self._expression(parts[0])
            case x.Op() | x.Static() | x.Const() | x.Local() | x.Read() | x.Flagged() | x.At():
                return self._all(parts)

    def _all(self, parts: Iterable[x.Expr]) -> int:
        return min(sum(map(self._expression, parts)), ENDLESS)

    def _loop(self, e: x.Binding, body: x.Expr) -> int:
        """The units for the runs of an expression's loop when it begins, and in the runs themselves."""
        members = _members(e.over)
        ends_early = (
            isinstance(e, x.Linked | x.BestWay) or isinstance(e, x.Fold) and e.kind in ("any", "all", "no")
        )
        runs = min(members, 1) if ends_early else members
        return members * self._work.price_of_loop(e) + runs * self._expression(body)

    def _block(self, block: s.Block) -> int:
        """The units for statements, up to the first that may leave or ask."""
        paid = 0
        for stmt in block:
            paid = min(paid + self._statement(stmt), ENDLESS)
            if self._may_stop(stmt):
                break
        return paid

    def _statement(self, stmt: s.Stmt) -> int:
        if isinstance(stmt, s.ForEach):
            runs = 0 if stmt.alternating is not None else _members(stmt.over)
            return self._expression(stmt.over) + self._runs(stmt, runs)
        if isinstance(stmt, s.Repeat):
            control = stmt.control
            fixed = stmt.kind == "times" and isinstance(control, x.Const)
            return self._runs(stmt, int(control.value)) if fixed else 0  # type: ignore[union-attr, arg-type]
        own = self._all(walk.expressions(stmt))
        if isinstance(stmt, s.When):
            return own + min(self._block(stmt.then), self._block(stmt.otherwise))
        if isinstance(stmt, s.Do):
            return min(own + self.procedure(stmt.procedure), ENDLESS)
        return min(own + sum(map(self._block, walk.blocks(stmt))), ENDLESS)

    def _runs(self, loop: s.ForEach | s.Repeat, runs: int) -> int:
        """The units for the runs of a statement's loop when it begins, and in the runs that are certain."""
        whole = min(runs, 1) if any(map(self._may_stop, loop.body)) else runs
        return min(runs * self._work.price_of_runs(loop) + whole * self._block(loop.body), ENDLESS)

    def _may_stop(self, stmt: s.Stmt) -> bool:
        """True if what comes after a statement may not run, or not in the same step."""
        inside = [stmt, *(part for block in walk.blocks(stmt) for part in walk.statements(block))]
        return any(
            isinstance(part, (*_LEAVING, *_ASKING)) or isinstance(part, s.Do) and self._asks(part.procedure)
            for part in inside
        )

    def _asks(self, name: str) -> bool:
        key = ("asks", name)
        if key not in self._known:
            self._known[key] = 0
            body = walk.statements(self._names.procedures[name].body)
            asks = any(
                isinstance(part, (*_ASKING, s.Finish))
                or isinstance(part, s.Do)
                and self._asks(part.procedure)
                for part in body
            )
            self._known[key] = int(asks)
        return bool(self._known[key])


def _members(over: x.Expr) -> int:
    """The members that a collection always has."""
    if isinstance(over, x.Const) and isinstance(over.value, int) and over.value >= 0:
        return over.value.bit_count()
    return 0
