"""Random programs over the small world: expressions by type, statements with their locals, choices, norms."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st

from rulekit import ir
from rulekit.ir import types as t
from tests.unit.runtime.make import (
    COLOR,
    FIGHT,
    FLAG,
    PIECE,
    PIECES,
    PILE,
    SHIP,
    SIDE,
    SITES,
    SMALL,
    SPACE,
    SPACES,
    STATES,
    const,
    local,
    op,
    program,
    read,
    words,
)

Draw = Any
NUMBER = t.Int(-1000, 1000)
MARKS = t.MapOf(PIECE, SMALL)
"""Maps that statements change."""
SIDES = t.SetOf(SIDE)
_SIDE, _PIECE, _NUMBER = local("its side", SIDE), local("its piece", PIECE), local("its number", t.Int(1, 3))


def _either(flag: ir.Expr) -> ir.Expr:
    """One side or both, by a flag of the state."""
    return ir.If(flag, const(0b10, SIDES), const(0b11, SIDES), SIDES)


KNOWN = {
    "pile": ir.program.Known((), read("owner", const(0, SPACE)), False),
    "track": ir.program.Known((), read("owner", const(1, SPACE)), False),
    "seen": ir.program.Known((_SIDE, _PIECE), _either(read("marked", _PIECE)), True),
    "score": ir.program.Known((_SIDE, _NUMBER), _either(read("open")), True),
    "held": ir.program.Known((_SIDE,), _SIDE, False),
    "place": ir.program.Known((_PIECE,), _either(read("marked", _PIECE)), True),
}
"""Who may see states; for all but `held`, other states say it."""


@dataclass
class Maker:
    """Makes one random program; `draw` is hypothesis's."""

    draw: Draw
    functions: list[ir.Function] = field(default_factory=list)
    choices: list[ir.Choice] = field(default_factory=list)
    procedures: list[ir.Procedure] = field(default_factory=list)
    names: int = 0
    calm: bool = False
    """Whether nothing is made that may fault: norms are judged in no set order."""

    def pick(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def number(self, low: int, high: int) -> int:
        found: int = self.draw(st.integers(low, high))
        return found

    def chance(self, percent: int) -> bool:
        return self.number(1, 100) <= percent

    def fresh(self, name: str, kind: t.Type) -> ir.Local:
        self.names += 1
        return ir.Local(f"{name}{self.names}", kind)

    def site(self) -> int:
        return self.number(0, SITES - 1)

    # ------------------------------------------------------------ expressions

    def expr(self, kind: t.Type, scope: list[ir.Local], depth: int) -> ir.Expr:
        """An expression of a type."""
        known = [one for one in scope if one.type == kind]
        if known and self.chance(50):
            return known[self.number(0, len(known) - 1)]
        made = [f for f in self.functions if f.result == kind and depth > 0 and not self.calm]
        if made and self.chance(30):
            function = made[self.number(0, len(made) - 1)]
            arguments = tuple(self.expr(param.type, scope, depth - 1) for param in function.params)
            return ir.Apply(function.name, arguments, kind)
        if depth > 0 and self.chance(12):
            parts = (
                self.flag(scope, depth - 1),
                self.expr(kind, scope, depth - 1),
                self.expr(kind, scope, depth - 1),
            )
            return ir.If(*parts, kind)
        match kind:
            case t.Flag():
                return self.flag(scope, depth)
            case t.Int():
                return self.whole(kind, scope, depth)
            case t.SetOf(of=t.Member(domain="piece")):
                return self.pieces(scope, depth)
            case t.SetOf():
                return self.spaces(scope, depth)
            case t.ListOf():
                return self.listed(scope, depth)
            case t.Member():
                return self.member(kind, scope, depth)
            case _:
                raise AssertionError(kind)

    def flag(self, scope: list[ir.Local], depth: int) -> ir.Expr:
        if depth <= 0:
            return self.pick(const(True, FLAG), const(False, FLAG), ir.Read("open", (), FLAG))
        n = depth - 1
        e = self.expr
        match self.number(0, 14):
            case 14:
                return self.meetings(scope, n)
            case 0:
                return op(
                    self.pick("and", "or"), self.flag(scope, n), self.flag(scope, n), self.flag(scope, n)
                )
            case 1:
                return op("not", self.flag(scope, n))
            case 2 | 3:
                sign = self.pick("lt", "le", "gt", "ge", "eq", "ne")
                return op(sign, e(NUMBER, scope, n), e(NUMBER, scope, n))
            case 4:
                kind = self.pick(PIECE, SIDE, COLOR, SPACE)
                return op(self.pick("eq", "ne"), e(kind, scope, n), e(kind, scope, n))
            case 5:
                return op("has", e(PIECE, scope, n), e(PIECES, scope, n))
            case 6:
                return op(self.pick("is_empty"), e(self.pick(PIECES, SPACES), scope, n))
            case 7:
                return op("within", e(PIECES, scope, n), e(PIECES, scope, n))
            case 8:
                return ir.Read("marked", (e(PIECE, scope, n),), FLAG)
            case 9:
                return ir.Read("seen", (e(SIDE, scope, n), e(PIECE, scope, n)), FLAG)
            case 10:
                var = self.fresh("x", PIECE)
                body = self.flag([*scope, var], n)
                return ir.Fold(self.pick("any", "all", "no"), e(PIECES, scope, n), var, body, FLAG)
            case 11:
                place = ir.Read("place", (e(PIECE, scope, n),), t.Optional(SPACE))
                return self.pick(
                    op("is_none", place),
                    op("eq", place, e(SPACE, scope, n)),
                    op("has", place, e(SPACES, scope, n)),
                )
            case 12:
                return ir.Read("level", (const(self.number(2, 5), t.Int(2, 5)),), FLAG)
            case _:
                return op("list_has", e(PIECE, scope, n), e(PILE, scope, n))

    def meetings(self, scope: list[ir.Local], depth: int) -> ir.Expr:
        """Whether one set meets constants, one after the other, and what else stands between."""
        over, cases = self.expr(PIECES, scope, depth), self.chance(30)
        tests: list[ir.Expr] = []
        for _ in range(self.number(2, 3)):
            meeting = op("inter", over, const(self.number(1, 30), PIECES), type=PIECES)
            empty = op("is_empty", meeting)
            tests.append(self.pick(empty, op("not", empty), op("not", empty)))
        tests.insert(self.number(0, len(tests)), self.flag(scope, depth))
        if not cases:
            return op(self.pick("and", "or"), *tests)
        found = tests[0]
        for test in tests[1:]:
            found = ir.If(test, const(True, FLAG), found, FLAG)
        return found

    def whole(self, kind: t.Int, scope: list[ir.Local], depth: int) -> ir.Expr:
        if kind == SMALL:
            return self.small(scope, depth)
        if depth <= 0:
            value = self.number(-3, 6)
            return self.pick(
                const(value, t.Int(value, value)),
                ir.Read("track", (), t.Int(-3, 3)),
                ir.Read("turn", (), t.Int(0, 20)),
            )
        n = depth - 1
        e = self.expr
        match self.number(0, 9):
            case 0 | 1:
                a, b = e(SMALL, scope, n), e(SMALL, scope, n)
                return op(self.pick("add", "sub", "mul", "smaller", "larger"), a, b, type=NUMBER)
            case 2:
                return op(self.pick("neg", "abs"), e(SMALL, scope, n), type=NUMBER)
            case 3:
                name = self.pick("div_down", "div_up", "div_nearest", "mod")
                by = self.pick(const(2), const(-3), const(4), const(2) if self.calm else e(SMALL, scope, n))
                return op(name, e(SMALL, scope, n), by, type=NUMBER)
            case 4:
                return op("count", e(self.pick(PIECES, SPACES), scope, n), type=NUMBER)
            case 5:
                var = self.fresh("x", PIECE)
                body = self.expr(SMALL, [*scope, var], n)
                if self.chance(30):
                    other = self.fresh("y", PIECE)
                    kept = ir.Fold("map", const(31, PIECES), var, body, t.MapOf(PIECE, SMALL))
                    got = op("map_get", kept, other, type=SMALL)
                    return ir.Fold("total", e(PIECES, scope, n), other, got, NUMBER)
                return ir.Fold("total", e(PIECES, scope, n), var, body, NUMBER)
            case 6:
                key = const(self.number(1, 3), t.Int(1, 3))
                return ir.Read("score", (e(SIDE, scope, n), key), t.Int(-20, 20))
            case 7:
                return op("length", e(PILE, scope, n), type=NUMBER)
            case 8:
                var = self.fresh("x", PIECE)
                body = self.expr(SMALL, [*scope, var], n)
                fold = ir.Fold(
                    self.pick("lowest", "highest"), e(PIECES, scope, n), var, body, t.Optional(SMALL)
                )
                return op("or_else", fold, const(7), type=NUMBER)
            case _:
                return self.small(scope, n)

    def small(self, scope: list[ir.Local], depth: int) -> ir.Expr:
        """A number 0..5."""
        if depth <= 0:
            return const(self.number(0, 5), SMALL)
        n = depth - 1
        maps = [one for one in scope if one.type == MARKS]
        if maps and self.chance(30):
            kept = maps[0], self.expr(PIECE, scope, n)
            got = op("map_get", *kept, type=SMALL)
            faults = not self.calm and self.chance(20)
            return got if faults else ir.If(op("map_has", *kept), got, const(2), SMALL)
        match self.number(0, 3):
            case 0:
                return ir.Static("piece.power", (self.expr(PIECE, scope, n),), SMALL)
            case 1:
                return ir.Read("damage", (self.expr(PIECE, scope, n),), SMALL)
            case 2 if not self.calm:
                key = self.pick(const(self.number(1, 6), t.Int(1, 6)), self.expr(SMALL, scope, n))
                return ir.Static("chart", (key, self.expr(COLOR, scope, n)), SMALL, True)
            case _:
                return const(self.number(0, 5), SMALL)

    def member(self, kind: t.Member, scope: list[ir.Local], depth: int) -> ir.Expr:
        if kind == PIECE and self.chance(30):
            known = [one for one in scope if one.type == SHIP]
            if known:
                return known[0]
        records = [one for one in scope if isinstance(one.type, t.Record) and kind in one.type.types]
        if records and self.chance(50):
            record = records[0].type
            assert isinstance(record, t.Record)
            places = [place for place, of in enumerate(record.types) if of == kind]
            name = record.names[self.pick(*places)]
            return ir.Op("field", (records[0],), kind, name)
        if depth > 0 and self.chance(40):
            n = depth - 1
            if kind == SIDE:
                return ir.Static("piece.side", (self.expr(PIECE, scope, n),), SIDE)
            if kind == COLOR:
                raised = op("successor", self.expr(COLOR, scope, n), type=t.Optional(COLOR))
                return op("or_else", raised, const(0, COLOR), type=COLOR)
            if kind == PIECE and not self.calm and self.chance(30):
                return op("only", self.expr(PIECES, scope, n), type=PIECE)
        size = {"piece": 3 if kind == SHIP else 5, "Side": 2, "Color": 3, "space": 3, "Fight": 2}[kind.domain]
        return const(self.number(0, size - 1), kind)

    def pieces(self, scope: list[ir.Local], depth: int) -> ir.Expr:
        if depth <= 0:
            return const(self.number(0, 31), PIECES)
        n = depth - 1
        e = self.expr
        match self.number(0, 14):
            case 12:
                return self.unhurt(scope, n)
            case 13:
                var = self.fresh("x", PIECE)
                at = ir.Read("place", (var,), t.Optional(SPACE))
                return ir.Filter(e(PIECES, scope, n), var, op("has", at, e(SPACES, scope, n)), PIECES)
            case 0:
                name = self.pick("union", "inter", "diff")
                return op(name, e(PIECES, scope, n), e(PIECES, scope, n), type=PIECES)
            case 1:
                return op("single", e(PIECE, scope, n), type=PIECES)
            case 2:
                return ir.At(e(SPACE, scope, n), False, PIECES)
            case 3:
                return ir.At(e(SPACES, scope, n), True, PIECES)
            case 4:
                return ir.Flagged("marked", (), PIECES)
            case 5:
                return ir.Flagged("seen", (e(SIDE, scope, n),), PIECES)
            case 6 | 7:
                var = self.fresh("x", PIECE)
                return ir.Filter(e(PIECES, scope, n), var, self.flag([*scope, var], depth), PIECES)
            case 8:
                var = self.fresh("x", PIECE)
                key = self.expr(SMALL, [*scope, var], n)
                return ir.Best(self.pick("lowest", "highest"), e(PIECES, scope, n), var, key, PIECES)
            case 9:
                return ir.Read("held", (e(SIDE, scope, n),), PIECES)
            case 10:
                return op("to_set", e(PILE, scope, n), type=PIECES)
            case 14:
                var = self.fresh("x", PIECE)
                return ir.Fold("join", e(PIECES, scope, n), var, e(PIECES, [*scope, var], n), PIECES)
            case _:
                return const(self.number(0, 31), PIECES)

    def costing(self, relation: ir.Expr, scope: list[ir.Local], depth: int) -> ir.Expr:
        """A relation with costs, which may be none; from some spaces nothing is touched."""
        to = self.fresh("t", SPACE)
        inside = [*scope, to]
        free = op("is_none", ir.Read("owner", (to,), t.Optional(SIDE)))
        closed = self.pick(free, op("has", to, self.expr(SPACES, scope, depth)))
        none = const(t.NONE, t.Optional(SMALL))
        cost = self.pick(const(self.number(0, SMALL.high), SMALL), self.expr(SMALL, inside, depth))
        if self.chance(50):
            cost = ir.If(closed, none, cost, t.Optional(SMALL))
        kind = t.ListOf(SPACES, SMALL.high + 1)
        grouped = ir.Fold("grouped", relation, to, cost, kind)
        nothing = ir.Const((0,) * kind.most, kind)
        return self.pick(grouped, ir.If(self.expr(FLAG, scope, depth), grouped, nothing, kind))

    def unhurt(self, scope: list[ir.Local], depth: int) -> ir.Expr:
        """The pieces whose damage passes a test that reads nothing else that changes."""
        var = self.fresh("x", PIECE)
        damage = ir.Read("damage", (var,), SMALL)
        power = ir.Static("piece.power", (var,), SMALL)
        test = op(self.pick("lt", "ge", "eq"), damage, self.pick(power, const(self.number(0, 3), SMALL)))
        if self.chance(30):
            test = op("and", op("gt", damage, const(0, SMALL)), test)
        return ir.Filter(self.expr(PIECES, scope, depth), var, self.pick(test, op("not", test)), PIECES)

    def spaces(self, scope: list[ir.Local], depth: int) -> ir.Expr:
        if depth <= 0:
            return const(self.number(0, 7), SPACES)
        n = depth - 1
        e = self.expr
        match self.number(0, 7):
            case 7:
                return self.beside(scope, n)
            case 5:
                var = self.fresh("s", SPACE)
                meeting = op(
                    "inter", ir.Static("space.near", (var,), SPACES), e(SPACES, scope, n), type=SPACES
                )
                touched = op("is_empty", meeting)
                test = self.pick(touched, op("not", touched))
                return ir.Filter(e(SPACES, scope, n), var, test, SPACES)
            case 6:
                var = self.fresh("s", SPACE)
                owner = ir.Read("owner", (var,), t.Optional(SIDE))
                nobody = op("is_none", owner)
                return ir.Filter(e(SPACES, scope, n), var, self.pick(nobody, op("not", nobody)), SPACES)
            case 0:
                return ir.Static("space.near", (e(SPACE, scope, n),), SPACES)
            case 1:
                return op(
                    self.pick("union", "inter", "diff"), e(SPACES, scope, n), e(SPACES, scope, n), type=SPACES
                )
            case 2:
                var = self.fresh("s", SPACE)
                relation: ir.Expr = ir.Static("space.near", (var,), SPACES)
                within = self.pick(None, e(SMALL, scope, n))
                if self.chance(50):
                    relation = self.costing(relation, [*scope, var], n)
                    if self.chance(50):
                        ends = e(SPACES, scope, n), e(SPACES, scope, n), e(SPACES, scope, n)
                        way = ir.BestWay(*ends, var, relation, within, t.ListOf(SPACE, 3))
                        return op("to_set", way, type=SPACES)
                return ir.Linked(e(SPACES, scope, n), e(SPACES, scope, n), var, relation, within, SPACES)
            case 3:
                var = self.fresh("s", SPACE)
                owner = ir.Read("owner", (var,), t.Optional(SIDE))
                return ir.Filter(e(SPACES, scope, n), var, op("eq", owner, e(SIDE, scope, n)), SPACES)
            case _:
                return const(self.number(0, 7), SPACES)

    def beside(self, scope: list[ir.Local], depth: int) -> ir.Expr:
        """The spaces beside one of a set, by a relation that only some have, which a test before it tells."""
        var, one = self.fresh("s", SPACE), self.fresh("s", SPACE)
        known = ir.Local(var.name, t.Member("space", "Coast"), SPACE)
        relation = ir.Static("space.beside", (known,), SPACES)
        some = self.expr(SPACES, scope, depth)
        touched = ir.Fold("any", some, one, op("has", one, relation), FLAG)
        apart, having = (op("has", var, const(spaces, SPACES)) for spaces in (0b100, 0b011))
        test = self.pick(op("or", apart, touched), op("and", having, touched))
        return ir.Filter(self.expr(SPACES, scope, depth), var, test, SPACES)

    def listed(self, scope: list[ir.Local], depth: int) -> ir.Expr:
        if depth <= 0:
            return ir.Read("pile", (), PILE)
        n = depth - 1
        match self.number(0, 3):
            case 0:
                return op("list_of", self.expr(PIECE, scope, n), self.expr(PIECE, scope, n), type=PILE)
            case 1:
                return op("rest", self.expr(PILE, scope, n), type=PILE)
            case 2:
                return op("to_list", self.expr(PIECES, scope, n), type=PILE)
            case _:
                return ir.Read("pile", (), PILE)

    # ------------------------------------------------------------ statements

    def block(self, scope: list[ir.Local], depth: int, *, loops: int = 0, late: bool = False) -> ir.Block:
        found: list[ir.Stmt] = []
        scope = list(scope)
        for _ in range(self.number(1, 4)):
            found.append(self.statement(scope, depth, loops, late))
        return tuple(found)

    def statement(self, scope: list[ir.Local], depth: int, loops: int, late: bool) -> ir.Stmt:
        """A statement; what it binds joins the scope."""
        kind = self.number(0, 27)
        if depth > 0 and kind < 9:
            return self.compound(kind, scope, depth - 1, loops, late)
        if kind < 13 and self.choices:
            return self.asking(scope)
        if kind < 15 and self.procedures:
            return self.calling(scope)
        if kind < 20:
            return self.changing(scope, late)
        return self.other(kind, scope, loops)

    def compound(self, kind: int, scope: list[ir.Local], depth: int, loops: int, late: bool) -> ir.Stmt:
        site = self.site()
        match kind:
            case 0 | 1:
                then = self.block(scope, depth, loops=loops, late=late)
                otherwise = self.block(scope, depth, loops=loops, late=late) if self.chance(50) else ()
                return ir.When(self.flag(scope, 2), then, otherwise, site)
            case 2 | 3:
                return self.for_each(scope, depth, loops, late, site)
            case 4:
                count = op("smaller", self.expr(SMALL, scope, 1), const(3), type=t.Int(0, 3))
                return ir.Repeat(
                    "times", count, None, self.block(scope, depth, loops=loops + 1, late=late), site
                )
            case 5:
                test = op("lt", ir.Read("turn", (), t.Int(0, 20)), const(self.number(0, 5)))
                bump = ir.Write("add", "turn", (), const(1), site, check=True)
                body = (bump, *self.block(scope, depth, loops=loops + 1, late=late))
                return ir.Repeat(self.pick("while", "until"), test, const(3), body, site)
            case 6 if not late:
                return ir.Together(self.block(scope, depth, loops=loops, late=True), site)
            case 7:
                body = self.block(scope, depth, loops=loops, late=late)
                return ir.Step(f"step_{site}", "step", "", body, site)
            case _:
                return self.changing(scope, late)

    def for_each(self, scope: list[ir.Local], depth: int, loops: int, late: bool, site: int) -> ir.Stmt:
        var = self.fresh("each", PIECE)
        inner = [*scope, var]
        if self.chance(15):
            return ir.ForEach(
                var,
                self.expr(PILE, scope, 1),
                None,
                self.block(inner, depth, loops=loops + 1, late=late),
                site,
            )
        over = self.pieces(scope, 2)
        order = None
        if self.chance(40):
            order = self.pick(
                ir.Order("first", (self.expr(PIECE, scope, 1), self.pieces(scope, 1))),
                ir.Order("ranked", (self.expr(SMALL, inner, 2),), ranks=(self.pick("lowest", "highest"),)),
                ir.Order(
                    "ranked",
                    (self.expr(SMALL, inner, 2), self.expr(SMALL, inner, 1)),
                    ranks=("highest", self.pick("lowest", "highest")),
                ),
                ir.Order("lot", (), "mix"),
                ir.Order("lot", (self.expr(SMALL, inner, 2),), "mix", ("highest",)),
            )
        body = self.block(inner, depth, loops=loops + 1, late=late)
        if not late and self.chance(15):
            can = op("lt", ir.Read("damage", (var,), SMALL), const(self.number(0, 2)))
            hurt = ir.Write("add", "damage", (var,), const(1), site, check=True)
            return ir.ForEach(var, over, order, (hurt, *body), site, can)
        return ir.ForEach(var, over, order, body, site)

    def changing(self, scope: list[ir.Local], late: bool) -> ir.Stmt:
        site = self.site()
        e = self.expr
        piece = e(PIECE, scope, 1)
        match self.number(0, 15):
            case 0:
                kind = self.pick("add", "subtract")
                return ir.Write(kind, "damage", (piece,), e(SMALL, scope, 1), site, check=True)
            case 1:
                return ir.Write("set", "damage", (piece,), e(SMALL, scope, 2), site)
            case 2:
                kind = self.pick("set", "add", "subtract")
                return ir.Write(kind, "track", (), e(NUMBER, scope, 2), site, clamp=True)
            case 3:
                return ir.Write(self.pick("mark", "unmark"), "marked", (piece,), None, site)
            case 4:
                return ir.Write("set", "marked", (piece,), self.flag(scope, 2), site)
            case 5:
                return ir.Write(self.pick("mark", "unmark"), "seen", (e(SIDE, scope, 1), piece), None, site)
            case 6:
                return ir.Write("set", "open", (), self.flag(scope, 2), site)
            case 7:
                owner = self.pick(const(t.NONE, t.Optional(SIDE)), e(SIDE, scope, 1))
                return ir.Write("set", "owner", (e(SPACE, scope, 1),), owner, site)
            case 8:
                kind = self.pick("set", "include", "exclude")
                return ir.Write(kind, "held", (e(SIDE, scope, 1),), self.pieces(scope, 2), site)
            case 9:
                return ir.Write(self.pick("append", "drop"), "pile", (), piece, site)
            case 10:
                state, keys = self.pick(("marked", ()), ("seen", (e(SIDE, scope, 1),)))
                return ir.MarkAll(state, keys, self.pieces(scope, 2), self.chance(50), site)
            case 11:
                space = self.pick(e(SPACE, scope, 1), const(t.NONE, t.Optional(SPACE)))
                return ir.Place(piece, False, space, site)
            case 12:
                return ir.Place(self.pieces(scope, 2), True, e(SPACE, scope, 1), site)
            case 13:
                key = const(self.number(1, 3), t.Int(1, 3))
                return ir.Write(
                    "add", "score", (e(SIDE, scope, 1), key), e(NUMBER, scope, 1), site, check=True
                )
            case 14:
                many = self.chance(50)
                value = self.pick(self.pieces(scope, 1), e(PILE, scope, 1)) if many else piece
                return ir.Put("pile", (), value, many, self.chance(50), site)
            case _:
                key = const(self.number(2, 5), t.Int(2, 5))
                return ir.Write(self.pick("mark", "unmark"), "level", (key,), None, site)

    def other(self, kind: int, scope: list[ir.Local], loops: int) -> ir.Stmt:
        site = self.site()
        match kind:
            case 20:
                raw, got = self.fresh("raw", t.Int(1, 6)), self.fresh("roll", NUMBER)
                modified = op("add", raw, self.expr(SMALL, scope, 2), type=NUMBER)
                scope += [got]
                return ir.Roll(
                    "die", (self.expr(PIECE, scope, 0),), raw, got, self.pick(modified, None), site
                )
            case 21:
                raw = self.fresh("raw", NUMBER)
                scope.append(raw)
                return ir.Roll("pair", (), raw, None, None, site, self.known(scope))
            case 22:
                one = self.chance(50)
                target = self.fresh("drawn", PIECE if one else PIECES)
                made = ir.DrawLot(
                    "lot",
                    self.expr(SMALL, scope, 0),
                    self.pieces(scope, 2),
                    one,
                    target,
                    site,
                    self.known(scope),
                )
                scope.append(target)
                return made
            case 23:
                return self.taking(scope, site)
            case 24:
                if self.chance(50):
                    return self.group(scope, site)
                return self.pick(
                    ir.Shuffle("mix", "pile", (), site),
                    ir.Say(self.line(scope), site),
                    self.reveal(scope, site),
                )
            case 25 if loops:
                return self.pick(ir.Leave(site), ir.Next(site))
            case 26 if self.chance(15):
                return self.pick(
                    ir.Return(None, site),
                    ir.Finish(self.expr(SIDE, scope, 0), site),
                    ir.Fail("missing-data", "a gap", site),
                )
            case 27 if self.chance(30):
                return self.map_change(scope, site)
            case _:
                kind_of = self.pick(FLAG, NUMBER, PIECE, PIECES, SPACES, SIDE, PILE, SMALL, t.Text())
                value = self.line(scope) if kind_of == t.Text() else self.expr(kind_of, scope, 3)
                target = self.fresh("let", kind_of)
                scope.append(target)
                return ir.Let(target, value, site)

    def map_change(self, scope: list[ir.Local], site: int) -> ir.Stmt:
        """A new local map, or one with another value for a key."""
        maps = [one for one in scope if one.type == MARKS]
        if not maps:
            target = self.fresh("map", MARKS)
            scope.append(target)
            return ir.Let(target, op("no_map", type=MARKS), site)
        target, value = maps[0], self.expr(SMALL, scope, 2)
        return ir.Let(target, op("map_with", target, self.expr(PIECE, scope, 1), value, type=MARKS), site)

    def line(self, scope: list[ir.Local]) -> ir.Expr:
        """A text: one that is written, that of a piece, or either."""
        known = [one for one in scope if one.type == t.Text()]
        of_piece = ir.Static("piece.words", (self.expr(PIECE, scope, 1),), t.Text())
        either = ir.If(self.flag(scope, 1), of_piece, words("else"), t.Text())
        return self.pick(words("a line"), of_piece, either, *known)

    def reveal(self, scope: list[ir.Local], site: int) -> ir.Stmt:
        """A reveal of a set, list, number or flag, to all or to some."""
        side, piece = self.expr(SIDE, scope, 1), self.expr(PIECE, scope, 1)
        state, keys = self.pick(
            ("held", (side,)), ("pile", ()), ("track", ()), ("marked", (piece,)), ("seen", (side, piece))
        )
        return ir.Reveal(state, keys, site, self.known(scope))

    def known(self, scope: list[ir.Local]) -> ir.Expr | None:
        """Who sees a draw or roll: all, one side, or some."""
        locals_ = [one for one in scope if one.type == SIDE]
        return self.pick(None, const(self.number(0, 1), SIDE), const(self.number(0, 3), SIDES), *locals_)

    def taking(self, scope: list[ir.Local], site: int) -> ir.Stmt:
        one = self.chance(50)
        count = self.expr(SMALL, scope, 0)
        if self.chance(50):
            target = self.fresh("top", PIECE if one else PILE)
            made = ir.DrawTop("mix", "pile", (), count, one, target, site, self.known(scope))
        else:
            target = self.fresh("top", PIECE if one else PIECES)
            made = ir.DrawTop("lot", "held", (self.expr(SIDE, scope, 1),), count, one, target, site)
        scope.append(target)
        return made

    def group(self, scope: list[ir.Local], site: int) -> ir.Stmt:
        known = [one for one in scope if one.type == FIGHT]
        if known and self.chance(60):
            return self.pick(
                ir.Dissolve("Fight", known[0], site),
                ir.Write("include", "crew", (known[0],), self.pieces(scope, 1), site),
                ir.Write("unmark", "keen", (known[0],), None, site),
            )
        target = self.fresh("fight", FIGHT)
        scope.append(target)
        return ir.Form("Fight", target, site)

    def calling(self, scope: list[ir.Local]) -> ir.Stmt:
        item = self.procedures[self.number(0, len(self.procedures) - 1)]
        arguments = tuple(self.expr(param.type, scope, 1) for param in item.params)
        if item.result == t.Nothing() or self.chance(30):
            return ir.Do(item.name, arguments, None, self.site())
        target = self.fresh("got", item.result)
        made = ir.Do(item.name, arguments, target, self.site())
        scope.append(target)
        return made

    def asking(self, scope: list[ir.Local]) -> ir.Stmt:
        item = self.choices[self.number(0, len(self.choices) - 1)]
        if item.name.startswith("next"):
            return self.changing(scope, False)
        if item.params and item.answer in (PIECE, FLAG) and self.chance(20):
            var = self.fresh("of", PIECE)
            answers = self.fresh("answers", t.MapOf(PIECE, item.answer))
            arguments = tuple(self.expr(p.type, [*scope, var], 1) for p in item.params)
            return ir.ChooseEach(item.name, arguments, var, self.pieces(scope, 1), answers, self.site())
        arguments = tuple(self.expr(param.type, scope, 1) for param in item.params)
        target = self.fresh("answer", item.answer)
        made = ir.Choose(item.name, arguments, target, self.site())
        if item.answer in (PIECE, PIECES, FLAG, NUMBER, PILE) or isinstance(item.answer, t.Record):
            scope.append(target)
        return made

    # ------------------------------------------------------------ the program

    def function(self, name: str) -> ir.Function:
        params = tuple(
            ir.Param(f"{name}.{n}", self.pick(PIECE, SIDE, SPACE, SMALL)) for n in range(self.number(0, 2))
        )
        scope = [local(param.name, param.type) for param in params]
        kind = self.pick(FLAG, NUMBER, PIECES, SPACES, SMALL, SIDE)
        return ir.Function(name, params, kind, self.expr(kind, scope, 3), self.site())

    def procedure(self, name: str) -> ir.Procedure:
        params = tuple(
            ir.Param(f"{name}.{n}", self.pick(PIECE, SIDE, SMALL, PIECES)) for n in range(self.number(0, 2))
        )
        scope = [local(param.name, param.type) for param in params]
        result = self.pick(t.Nothing(), SMALL, PIECES)
        body = self.block(scope, 3)
        if result != t.Nothing():
            body = (*map(self.with_result(result), body), ir.Return(self.expr(result, scope, 1), self.site()))
        return ir.Procedure(name, params, result, params, body, self.site())

    def with_result(self, kind: t.Type) -> Any:
        """Returns inside a procedure with a result give one."""

        def change(stmt: ir.Stmt) -> ir.Stmt:
            from rulekit.ir.walk import map_parts

            if isinstance(stmt, ir.Return):
                return replace(stmt, value=self.expr(kind, [], 0))
            return map_parts(stmt, lambda e: e, lambda block: tuple(map(change, block)))

        return change

    def made(self) -> ir.Program:
        """The whole program."""
        from tests.unit.runtime.choosers import Chooser

        for number in range(self.number(0, 3)):
            self.functions.append(self.function(f"f{number}"))
        for number in range(self.number(0, 3)):
            self.calm = True
            self.choices.append(Chooser(self).choice(f"c{number}"))
            self.calm = False
        for number in range(self.number(1, 4)):
            self.procedures.append(self.procedure(f"p{number}"))
        setup = ir.Place(const(0b01011, PIECES), True, const(self.number(0, 2), SPACE), 0)
        entry = ir.Procedure("play", (), t.Nothing(), (), (setup, *self.block([], 3)), 0)
        functions, choices = tuple(self.functions), tuple(self.choices)
        known = KNOWN if self.chance(50) else {}
        states = tuple(replace(item, known_to=known.get(item.name)) for item in STATES.values())
        return program(*self.procedures, entry, functions=functions, choices=choices, states=states)


@st.composite
def programs(draw: Draw) -> ir.Program:
    """Random programs."""
    return Maker(draw).made()
