"""Random programs in which chance decides much, with few enough outcomes to list them all."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from rulekit import ir
from rulekit.ir import types as t
from tests.unit.runtime.make import FLAG, PIECE, SIDE, SITE, SMALL, const, op
from tests.unit.runtime.worlds import Draw, Maker

POINTS = (
    ir.Point("die", 1, 2, SITE),
    ir.Point("pair", 2, 2, SITE, lowest=0),
    ir.Point("lot", 0, 0, SITE),
    ir.Point("mix", 0, 0, SITE),
)


class Gambler(Maker):
    """Makes programs that roll often and use what they rolled."""

    def statement(self, scope: list[ir.Local], depth: int, loops: int, late: bool) -> ir.Stmt:
        match self.number(0, 14):
            case 0 | 1 | 2:
                return self.rolling(scope)
            case 3 | 4 | 5 | 11 | 12:
                return self.using(scope, depth, loops, late)
            case 6 | 10 if self.procedures:
                return self.calling(scope)
            case 7 if depth > 0:
                body = self.block(scope, depth - 1, loops=loops + 1, late=late)
                return ir.Repeat("times", const(self.number(1, 3), SMALL), None, body, self.site())
            case 8 if depth > 0 and not late:
                return ir.Together(self.block(scope, depth - 1, loops=loops, late=True), self.site())
            case 9 if depth > 0:
                return self.again(scope, depth - 1, loops, late)
            case 14:
                return self.overwriting(scope)
            case 13:
                return super().statement(scope, depth, loops, late)
            case _:
                return self.rolling(scope)

    def block(self, scope: list[ir.Local], depth: int, *, loops: int = 0, late: bool = False) -> ir.Block:
        scope = list(scope)
        return tuple(self.statement(scope, depth, loops, late) for _ in range(self.number(3, 5)))

    def rolling(self, scope: list[ir.Local]) -> ir.Stmt:
        """A roll, with or without a modifier, whose result is used later."""
        raw, got = self.fresh("raw", t.Int(0, 2)), self.fresh("roll", SMALL)
        modified = op(
            "smaller",
            const(5, SMALL),
            op("add", raw, const(self.number(0, 2), SMALL), type=SMALL),
            type=SMALL,
        )
        scope.append(got)
        return ir.Roll(self.pick("die", "pair"), (), raw, got, self.pick(modified, None), self.site())

    def rolled(self, scope: list[ir.Local]) -> ir.Expr:
        """What was rolled before, or any small number."""
        known = [one for one in scope if one.type == SMALL]
        return known[-1] if known and self.chance(80) else self.expr(SMALL, scope, 1)

    def using(self, scope: list[ir.Local], depth: int, loops: int, late: bool) -> ir.Stmt:
        """A change that depends on what was rolled."""
        number, site = self.rolled(scope), self.site()
        piece = const(self.number(0, 2), PIECE) if self.chance(70) else self.expr(PIECE, scope, 1)
        match self.number(0, 4):
            case 0 | 1:
                return ir.Write(self.pick("add", "subtract"), "damage", (piece,), number, site, check=True)
            case 2:
                key = const(self.number(1, 3), t.Int(1, 3))
                side = const(self.number(0, 1), SIDE)
                return ir.Write("add", "score", (side, key), number, site, check=True)
            case 3:
                test = op(self.pick("gt", "eq", "le"), number, const(self.number(0, 3), SMALL))
                mark = ir.Write("mark", "marked", (piece,), None, site)
                return ir.When(test, (mark,), (), site)
            case _:
                test = op(self.pick("gt", "eq"), number, const(self.number(1, 3), SMALL))
                inner = self.block(scope, max(depth - 1, 0), loops=loops, late=late)
                return ir.When(test, inner, (), site)

    def overwriting(self, scope: list[ir.Local]) -> ir.Stmt:
        """A change that does away with what was added before."""
        piece, side, site = const(self.number(0, 2), PIECE), const(self.number(0, 1), SIDE), self.site()
        match self.number(0, 3):
            case 0:
                return ir.Write("unmark", "marked", (piece,), None, site)
            case 1:
                return ir.Write("set", "damage", (piece,), self.rolled(scope), site, check=True)
            case 2:
                other = ir.Read("damage", (const(self.number(0, 2), PIECE),), SMALL)
                return ir.Write("set", "damage", (piece,), other, site, check=True)
            case _:
                return ir.MarkAll("seen", (side,), const(self.number(0, 31), t.SetOf(PIECE)), False, site)

    def again(self, scope: list[ir.Local], depth: int, loops: int, late: bool) -> ir.Stmt:
        """A loop that goes on until something was rolled, at most so often."""
        raw = self.fresh("raw", t.Int(0, 2))
        site = self.site()
        body = self.block(scope, depth, loops=loops + 1, late=late)
        roll = ir.Roll("die", (), raw, None, None, site)
        leave = ir.When(op("eq", raw, const(1, SMALL)), (ir.Leave(site),), (), site)
        always = const(True, FLAG)
        return ir.Repeat("while", always, const(self.number(1, 3), SMALL), (roll, leave, *body), site)

    def adding(self, name: str) -> ir.Procedure:
        """A procedure that rolls, adds to numbers and sets flags, and reads nothing of what it changes."""
        piece, side = ir.Param(f"{name}.0", PIECE), ir.Param(f"{name}.1", SIDE)
        target, owner = ir.Local(piece.name, PIECE), ir.Local(side.name, SIDE)
        raw, more = self.fresh("raw", t.Int(0, 2)), self.fresh("more", t.Int(0, 2))
        site = self.site()
        hurt = ir.Write("add", "damage", (target,), self.pick(more, raw, const(1, SMALL)), site, check=True)
        where = (owner, const(self.number(1, 3), t.Int(1, 3)))
        loss = ir.Write(self.pick("add", "subtract"), "score", where, raw, site, check=True)
        mark = ir.Write("mark", "marked", (target,), None, site)
        seen = ir.MarkAll("seen", (owner,), const(self.number(0, 31), t.SetOf(PIECE)), True, site)
        hits = op(self.pick("gt", "eq", "le"), raw, const(self.number(0, 2), SMALL))
        again = ir.Roll("die", (), more, None, None, site)
        then = (again, self.pick(hurt, loss), *self.pick((), (mark,), (seen,)))
        read = (e for s in then[1:] for e in ir.walk.expressions(s) if isinstance(e, ir.Local))
        if any(e.name == more.name for e in read):
            then = (again, *then[1:])
        body: ir.Block = (
            ir.Roll(self.pick("die", "pair"), (), raw, None, None, site),
            ir.When(hits, then, self.pick((), (loss,), (mark,)), site),
        )
        if self.chance(30):
            body = (ir.Repeat("times", const(self.number(1, 3), SMALL), None, body, site),)
        return ir.Procedure(name, (piece, side), t.Nothing(), (piece, side), body, site)

    def made(self) -> ir.Program:
        for number in range(self.number(0, 2)):
            self.procedures.append(self.adding(f"add{number}"))
        return replace(super().made(), points=POINTS)


@st.composite
def chancy_programs(draw: Draw) -> ir.Program:
    """Random programs."""
    return Gambler(draw).made()
