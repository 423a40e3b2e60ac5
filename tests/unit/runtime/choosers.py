"""Random choices over the small world: every verb, with random norms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulekit import ir
from rulekit.ir import types as t
from tests.unit.runtime.make import FLAG, PIECE, PIECES, SIDE, SMALL, SPACE, choice, const, local, op

if TYPE_CHECKING:
    from tests.unit.runtime.worlds import Maker

NUMBER = t.Int(-1000, 1000)
PARTS = t.ListOf(PIECES, 8)
ORDER = t.ListOf(PIECE, 8)


class Chooser:
    """Makes random choices."""

    def __init__(self, maker: Maker) -> None:
        self.maker = maker
        self.pick = maker.pick
        self.number = maker.number

    def choice(self, name: str) -> ir.Choice:
        """A choice of any verb."""
        verb = self.pick(
            "pick_one",
            "pick_record",
            "pick_set",
            "assign",
            "assign_set",
            "split",
            "arrange",
            "share",
            "decide",
            "number",
        )
        params = tuple(ir.Param(f"{name}.{n}", self.pick(PIECE, SIDE)) for n in range(self.number(0, 1)))
        scope = [local(param.name, param.type) for param in params]
        decider = self.maker.expr(SIDE, scope, 1)
        make = self.number_ if verb == "number" else getattr(self, verb)
        made: ir.Choice = make(name, scope, params=params, decider=decider, site=self.maker.site())
        return made

    def candidates(self, scope: list[ir.Local]) -> ir.Expr:
        return self.pick(const(self.number(0, 31), PIECES), self.maker.pieces(scope, 2))

    def norms(
        self, scope: list[ir.Local], parts: list[ir.Local], answer: list[ir.Local], sets: bool = False
    ) -> tuple[ir.Norm, ...]:
        """Norms of all sorts: final, with a cover, read off the finished answer, on declining."""
        return tuple(self.norm(scope, parts, answer, sets, n) for n in range(self.number(0, 2)))

    def norm(
        self, scope: list[ir.Local], parts: list[ir.Local], answer: list[ir.Local], sets: bool, n: int
    ) -> ir.Norm:
        maker = self.maker
        word = self.pick("forbid", "forbid", "require", "permit")
        seen = [*scope, *parts] if maker.chance(85) else scope
        test = maker.flag(seen, 2)
        cover = whole = None
        if sets and word != "permit" and maker.chance(40):
            cover = self.pick(const(self.number(0, 31), PIECES), maker.pieces(scope, 1))
        elif answer and word != "permit" and maker.chance(40):
            whole = self.whole([*scope, *parts], answer)
        return ir.Norm(f"norm_{n}", word, test, cover, whole, True, maker.site())

    def whole(self, scope: list[ir.Local], answer: list[ir.Local]) -> ir.Expr:
        """A test of the finished answer."""
        one = answer[self.number(0, len(answer) - 1)]
        match one.type:
            case t.SetOf():
                return self.pick(
                    op(
                        self.pick("le", "ge", "eq"),
                        op("count", one, type=NUMBER),
                        const(self.number(0, 3), NUMBER),
                    ),
                    op("within", const(self.number(0, 31), PIECES), one),
                    op("eq", op("inter", one, self.maker.pieces(scope, 1), type=PIECES), const(6, PIECES)),
                    op("is_empty", op("inter", one, self.maker.pieces(scope, 1), type=PIECES)),
                    op("le", self.total(one), const(self.number(0, 8), NUMBER)),
                )
            case t.ListOf(of=t.SetOf()):
                return op(
                    self.pick("le", "ge"), op("length", one, type=NUMBER), const(self.number(1, 3), NUMBER)
                )
            case t.ListOf():
                return op("eq", op("item", one, const(1), type=PIECE), const(self.number(0, 4), PIECE))
            case t.MapOf(value=t.SetOf()):
                key = const(self.number(0, 4), PIECE)
                got = op("map_get", one, key, type=PIECES)
                number = const(self.number(0, 2), NUMBER)
                test = self.pick(
                    op(self.pick("le", "ge", "eq"), op("count", got, type=NUMBER), number),
                    op("has", const(self.number(0, 4), PIECE), got),
                    op("within", const(self.number(0, 31), PIECES), got),
                )
                return op("and", op("map_has", one, key), test)
            case _:
                key = const(self.number(0, 4), PIECE)
                got = op("map_get", one, key, type=one.type.value)  # type: ignore[union-attr]
                value = const(self.number(0, 4), one.type.value)  # type: ignore[union-attr]
                return op("and", op("map_has", one, key), op("eq", got, value))

    def total(self, over: ir.Local) -> ir.Expr:
        var = self.maker.fresh("t", PIECE)
        return ir.Fold("total", over, var, ir.Static("piece.power", (var,), SMALL), NUMBER)

    def declining(self, scope: list[ir.Local], able: str) -> tuple[ir.Norm, ...]:
        if able == "must" or not self.maker.chance(20):
            return ()
        test = self.maker.flag(scope, 1)
        return (
            ir.Norm("no_declining", "forbid", test, None, None, False, self.maker.site(), declining=True),
        )

    # ------------------------------------------------------------ verbs

    def pick_one(self, name: str, scope: list[ir.Local], **more: Any) -> ir.Choice:
        option = self.maker.fresh("option", PIECE)
        able = self.pick("must", "none", "if_able")
        norms = self.norms(scope, [option], []) + self.declining(scope, able)
        return choice(
            name,
            "pick_one",
            option=option,
            candidates=self.candidates(scope),
            able=able,
            norms=norms,
            answer=PIECE if able == "must" else t.Optional(PIECE),
            **more,
        )

    def pick_record(self, name: str, scope: list[ir.Local], **more: Any) -> ir.Choice:
        fields: list[tuple[ir.Local, ir.Expr]] = []
        kinds = [self.pick(PIECE, SPACE, t.Int(1, 3)) for _ in range(self.number(2, 3))]
        for kind in kinds:
            local = self.maker.fresh("part", kind)
            seen = [*scope, *(known for known, _ in fields)]
            fields.append((local, self.candidates_of(kind, self.pick(scope, seen))))
        able = self.pick("must", "none", "if_able")
        locals_ = [local for local, _ in fields]
        norms = self.norms(scope, locals_, []) + self.declining(scope, able)
        kind = t.Record(tuple(local.name for local in locals_), tuple(kinds))
        return choice(
            name, "pick_record", option=self.maker.fresh("record", kind), fields=tuple(fields), able=able,
            norms=norms, answer=kind if able == "must" else t.Optional(kind), **more,
        )  # fmt: skip

    def candidates_of(self, kind: t.Type, scope: list[ir.Local]) -> ir.Expr:
        """A set of pieces, spaces or numbers."""
        match kind:
            case t.Member(domain="piece"):
                return self.candidates(scope)
            case t.Member():
                return self.maker.spaces(scope, 1)
            case _:
                numbers = t.SetOf(t.Int(1, 3))
                return self.pick(const(0b1110, numbers), const(0b0100, numbers), const(0b1010, numbers))

    def pick_set(self, name: str, scope: list[ir.Local], **more: Any) -> ir.Choice:
        option, chosen = self.maker.fresh("option", PIECE), self.maker.fresh("chosen", PIECES)
        able = self.pick("must", "must", "none", "if_able")
        low = self.pick(None, const(1, t.Int(1, 1)), const(self.number(0, 3), SMALL))
        high = self.pick(None, const(self.number(1, 4), SMALL))
        norms = self.norms(scope, [option], [chosen], sets=True) + self.declining(scope, able)
        candidates = self.candidates(scope)
        return choice(
            name, "pick_set", option=option, chosen=chosen, candidates=candidates, low=low, high=high,
            able=able, norms=norms, answer=PIECES, **more,
        )  # fmt: skip

    def assign(self, name: str, scope: list[ir.Local], **more: Any) -> ir.Choice:
        item, option = self.maker.fresh("item", PIECE), self.maker.fresh("option", PIECE)
        able = self.pick("must", "none", "if_able")
        answer = t.MapOf(PIECE, PIECE if able == "must" else t.Optional(PIECE))
        chosen, assigned = self.maker.fresh("chosen", PIECES), self.maker.fresh("assigned", answer)
        seen = self.pick(scope, [*scope, item])
        norms = self.norms(
            scope, [option, item] if seen is not scope else [option], [chosen, assigned], sets=True
        )
        norms += self.declining(seen, able)
        items = const(self.pick(0b00001, 0b00110, 0b10011, 0b01110), PIECES)
        each = self.pick(None, None, const(1, SMALL), const(2, SMALL))
        candidates = self.candidates(seen)
        return choice(
            name, "assign", item=item, option=option, chosen=chosen, assigned=assigned, items=items,
            candidates=candidates, able=able, norms=norms, answer=answer, each=each, **more,
        )  # fmt: skip

    def assign_set(self, name: str, scope: list[ir.Local], **more: Any) -> ir.Choice:
        item, option = self.maker.fresh("item", PIECE), self.maker.fresh("option", PIECE)
        able = self.pick("must", "none", "if_able")
        answer = t.MapOf(PIECE, PIECES)
        chosen, assigned = self.maker.fresh("chosen", PIECES), self.maker.fresh("assigned", answer)
        seen = self.pick(scope, [*scope, item])
        parts = [option, item] if seen is not scope else [option]
        norms = self.norms(scope, parts, [chosen, assigned], sets=True) + self.declining(seen, able)
        power = ir.Static("piece.power", (item,), SMALL)
        low = self.pick(None, const(1, t.Int(1, 1)), const(2, SMALL), power if seen is not scope else None)
        high = self.pick(None, const(self.number(1, 3), SMALL), low)
        return choice(
            name, "assign_set", item=item, option=option, chosen=chosen, assigned=assigned,
            items=const(self.pick(0b00001, 0b00110, 0b10010), PIECES), low=low, high=high, able=able,
            candidates=const(self.pick(0b00111, 0b11010, 0b00011, 0b01110), PIECES) if self.maker.chance(50)
            else self.candidates(seen),
            each=self.pick(None, None, const(1, SMALL), const(2, SMALL)), norms=norms, answer=answer, **more,
        )  # fmt: skip

    def split(self, name: str, scope: list[ir.Local], **more: Any) -> ir.Choice:
        option, chosen = self.maker.fresh("part", PIECES), self.maker.fresh("chosen", PARTS)
        norms = self.norms(scope, [option], [chosen])
        candidates = const(self.pick(0, 0b00001, 0b00110, 0b10011, 0b11011), PIECES)
        low = self.pick(None, const(self.number(1, 2), SMALL))
        high = const(self.number(1, 4), SMALL)
        return choice(
            name, "split", option=option, chosen=chosen, candidates=candidates, low=low, high=high,
            norms=norms, answer=PARTS, **more,
        )  # fmt: skip

    def arrange(self, name: str, scope: list[ir.Local], **more: Any) -> ir.Choice:
        option, chosen = self.maker.fresh("option", PIECE), self.maker.fresh("chosen", ORDER)
        before = self.maker.fresh("before", t.Optional(PIECE))
        norms = self.norms(scope, [option], [chosen])
        if self.maker.chance(40):
            test = op("eq", before, const(self.number(0, 4), PIECE))
            norms += (
                ir.Norm(
                    "follows",
                    "forbid",
                    op("and", test, self.maker.flag([*scope, option], 1)),
                    None,
                    None,
                    True,
                    0,
                ),
            )
        candidates = const(self.pick(0, 0b00001, 0b00110, 0b10011, 0b11011), PIECES)
        return choice(
            name, "arrange", option=option, chosen=chosen, before=before, candidates=candidates, norms=norms,
            answer=ORDER, **more,
        )  # fmt: skip

    def share(self, name: str, scope: list[ir.Local], **more: Any) -> ir.Choice:
        item, option = self.maker.fresh("item", PIECE), self.maker.fresh("amount", SMALL)
        answer = t.MapOf(PIECE, SMALL)
        chosen = self.maker.fresh("chosen", answer)
        norms = self.norms(scope, [item, option], [chosen])
        items = const(self.pick(0, 0b00001, 0b00110, 0b10011), PIECES)
        high = self.pick(None, const(2, SMALL), ir.Static("piece.power", (item,), SMALL))
        return choice(
            name, "share", item=item, option=option, chosen=chosen, items=items, high=high,
            total=const(self.number(0, 4), SMALL), norms=norms, answer=answer, **more,
        )  # fmt: skip

    def decide(self, name: str, scope: list[ir.Local], **more: Any) -> ir.Choice:
        option = self.maker.fresh("answer", FLAG)
        norms = self.norms(scope, [option], [])
        return choice(name, "decide", option=option, norms=norms, answer=FLAG, **more)

    def number_(self, name: str, scope: list[ir.Local], **more: Any) -> ir.Choice:
        option = self.maker.fresh("answer", NUMBER)
        norms = self.norms(scope, [option], [])
        low = self.number(-2, 2)
        ends = const(low, t.Int(low, low)), const(low + self.number(-1, 4), NUMBER)
        return choice(
            name, "number", option=option, low=ends[0], high=ends[1], norms=norms, answer=NUMBER, **more
        )
