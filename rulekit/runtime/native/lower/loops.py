"""Expressions that walk a collection, in the place where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulekit.ir import Best, Expr, Filter, Fold, Linked, Local, walk
from rulekit.ir.expr import Binding
from rulekit.ir.types import ListOf, MapOf, SetOf, Type
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.lowerer import NONE_WORD, Lowerer
from rulekit.runtime.native.lower.memory import CELL, mask_words
from rulekit.runtime.native.refusals import CannotLower
from rulekit.runtime.optimise import sets, sharing


def value(x: Lowerer, e: Binding, price: int = 0) -> Words:
    """The value of an expression that is a loop; each of its runs is paid for, if it has a price."""
    loop = _Loop(x, e, price)
    match e:
        case Filter():
            return loop.filter(e)
        case Fold():
            return loop.fold(e)
        case Best():
            return loop.best(e)
        case Linked():
            return loop.flood(e)


class _Loop:
    """One loop while it is lowered."""

    def __init__(self, x: Lowerer, e: Binding, price: int) -> None:
        self.x, self.build, self.e, self.price = x, x.build, e, price
        body = walk.inner(e)
        assert body is not None
        self.body = body
        self.outer = dict(x.names)
        if not isinstance(e, Linked) and not x.unit.optimised.plain:
            self._take_out()

    def _take_out(self) -> None:
        """Work out before the loop what is dear and the same for all."""
        context = self.x.unit.optimised.context
        known = walk.free(self.e)
        for number, part in enumerate(sharing.invariant(context, self.body, known)):
            if isinstance(part.type, ListOf | MapOf):
                continue
            local = Local(f"#same {number} {self.e.var.name}", part.type)
            self.x.names[local.name] = self.build.bind_all(self.x.words(part), "same")
            self.body = walk.with_parts_replaced(self.body, {part: local})

    @contextmanager
    def walk(self, over: Expr) -> Iterator[tuple[Words, str]]:
        """Write the body of a loop over a collection, with the variable in sight."""
        x = self.x
        if isinstance(over.type, ListOf):
            whole = x.once(over)
            self.charge(lir.Load(0, whole))
            with x.items(whole, over.type) as (item, label):
                x.names[self.e.var.name] = item
                yield item, label
        else:
            words = x.build.bind_all(x.words(over)) if self.price else x.words(over)
            self.charge(b.count(words))
            with x.members(words, "each") as (member, label):
                x.names[self.e.var.name] = (member,)
                yield (member,), label
        x.names = self.outer

    def charge(self, runs: lir.Expr) -> None:
        """Take all runs from the budget, if there are any."""
        if self.price:
            runs = self.build.bind(runs)
            with self.build.when(runs):
                self.x.pay(runs, self.price)

    def include(self, result: Sequence[str], member: lir.Expr) -> None:
        """Put a member into a set that is being made."""
        for local, word in zip(result, self.x.bit_words(member, len(result)), strict=True):
            self.build.set(local, b.binary("or", lir.Get(local), word))

    def nothing(self, kind: Type, name: str = "found") -> tuple[str, ...]:
        """The locals of a set that is being made."""
        return self.build.variables(tuple(lir.ZERO for _ in range(self.x.unit.shapes.words(kind))), name)

    def filter(self, e: Filter) -> Words:
        """Those for which the body holds."""
        result = self.nothing(e.type)
        with self.walk(e.over) as ((member, *_), _):
            with self.build.when(self.x.one(self.body)):
                self.include(result, member)
        return b.gets(result)

    def fold(self, e: Fold) -> Words:
        """One value from all."""
        match e.kind:
            case "any" | "all" | "no":
                return (self._test(e),)
            case "total":
                return (self._total(e),)
            case "join":
                return self._join(e)
            case "lowest" | "highest":
                return (self._end(e),)
            case "map":
                return (self._map(e),)
            case "grouped":
                raise CannotLower("a way with costs", self.x.site)

    def _test(self, e: Fold) -> lir.Expr:
        result = self.build.variables((lir.Num(int(e.kind != "any")),), "test")[0]
        with self.walk(e.over) as (_, label):
            test = self.x.one(self.body)
            with self.build.when(b.zero(test) if e.kind == "all" else test):
                self.build.set(result, lir.Num(int(e.kind == "any")))
                self.build.emit(lir.LowBreak(label))
        return lir.Get(result)

    def _total(self, e: Fold) -> lir.Expr:
        self.x.unit.shapes.words(e.type)
        result = self.build.variables((lir.ZERO,), "total")[0]
        with self.walk(e.over):
            number = self.x.one(self.body)
            self.build.set(result, b.add(lir.Get(result), number))
        return lir.Get(result)

    def _join(self, e: Fold) -> Words:
        result = self.nothing(e.type)
        with self.walk(e.over):
            words = b.pad(self.x.words(self.body), len(result))
            for local, word in zip(result, words, strict=True):
                self.build.set(local, b.binary("or", lir.Get(local), word))
        return b.gets(result)

    def _end(self, e: Fold) -> lir.Expr:
        result = self.build.variables((NONE_WORD,), "end")[0]
        with self.walk(e.over):
            number = self.x.once(self.body)
            better = b.binary("lt_s" if e.kind == "lowest" else "gt_s", number, lir.Get(result))
            first = b.binary("eq", lir.Get(result), NONE_WORD)
            with self.build.when(b.binary("or", better, first)):
                self.build.set(result, number)
        return lir.Get(result)

    def _map(self, e: Fold) -> lir.Expr:
        assert isinstance(e.type, MapOf)
        x = self.x
        buffer, entry = x.temporary(e.type, "map"), CELL * x.unit.shapes.entry(e.type)
        room = lir.Num(x.unit.shapes.room(e.type))
        self.build.emit(lir.LowRun("clear", (lir.Num(buffer), room)))
        with self.walk(e.over) as ((member, *_), _):
            words = b.pad(x.words(self.body), x.unit.shapes.words(e.type.value))
            x.store((buffer, b.times(member, entry)), (lir.ONE, *words))
        return lir.Num(buffer)

    def best(self, e: Best) -> Words:
        """Those with the lowest or highest key."""
        result = self.nothing(e.type)
        end = self.build.variables((NONE_WORD,), "end")[0]
        with self.walk(e.over) as ((member, *_), _):
            key = self.x.once(self.body)
            better = b.binary("lt_s" if e.kind == "lowest" else "gt_s", key, lir.Get(end))
            fresh = b.binary("or", b.binary("eq", lir.Get(end), NONE_WORD), better)
            with self.build.when(fresh):
                self.build.set(end, key)
                for local in result:
                    self.build.set(local, lir.ZERO)
            with self.build.when(b.binary("eq", key, lir.Get(end))):
                self.include(result, member)
        return b.gets(result)

    def flood(self, e: Linked) -> Words:
        """A flood from the start; each round takes the step from what the last one added."""
        x, build = self.x, self.build
        if isinstance(e.relation.type, ListOf):
            raise CannotLower("a way with costs", x.site)
        count = x.unit.shapes.words(e.type)
        over = build.bind_all(b.pad(x.words(e.over), count))
        front = build.variables(b.pad(x.words(e.start), count), "front")
        result = build.variables(b.gets(front), "reached")
        self.charge(b.count(b.each("or", over, b.gets(front))))
        left = () if e.within is None else build.variables((x.one(e.within),), "left")
        rows = sets.rows(x.unit.optimised.context, e.relation, e.var)
        with build.loop("flood") as label:
            done = b.zero(b.any_word(b.gets(front)))
            if left:
                done = b.binary("or", done, b.binary("le_s", lir.Get(left[0]), lir.ZERO))
            with build.when(done):
                build.emit(lir.LowBreak(label))
            for name in left:
                build.set(name, b.plus(lir.Get(name), -1))
            if rows is not None and isinstance(e.type, SetOf):
                beyond = image(x, rows, b.gets(front), e.type)
            else:
                beyond = self._beyond(e, b.gets(front), count)
            fresh = b.without(b.each("and", beyond, over), b.gets(result))
            for local, word in zip(front, fresh, strict=True):
                build.set(local, word)
            for local, new in zip(result, front, strict=True):
                build.set(local, b.binary("or", lir.Get(local), lir.Get(new)))
        return b.each("and", b.gets(result), over)

    def _beyond(self, e: Linked, front: Words, count: int) -> Words:
        """All that some members touch."""
        x, build = self.x, self.build
        beyond = build.variables(tuple(lir.ZERO for _ in range(count)), "beyond")
        with x.members(front, "each") as (member, _):
            x.names[e.var.name] = (member,)
            for local, word in zip(beyond, b.pad(x.words(e.relation), count), strict=True):
                build.set(local, b.binary("or", lir.Get(local), word))
        x.names = self.outer
        return b.gets(beyond)


def image(x: Lowerer, rows: Sequence[int], words: Words, kind: Type) -> Words:
    """The union of fixed rows over the members of a set."""
    count = x.unit.shapes.words(kind)
    address = x.unit.rows((mask_words(row, count) for row in rows), count)
    result = x.build.variables(tuple(lir.ZERO for _ in range(count)), "image")
    with x.members(words) as (member, _):
        index = x.build.bind(b.times(member, count * CELL))
        for number, local in enumerate(result):
            x.build.set(local, b.binary("or", lir.Get(local), lir.Load(address + CELL * number, index)))
    return b.gets(result)
