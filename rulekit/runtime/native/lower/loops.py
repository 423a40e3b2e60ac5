"""Expressions that walk a collection, in the place where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulekit.ir import Best, BestWay, Expr, Filter, Fold, Linked, Local, walk
from rulekit.ir.expr import Binding
from rulekit.ir.semantics.faults import NOT_A_VALUE
from rulekit.ir.steps import MOST_COST
from rulekit.ir.types import ListOf, MapOf, SetOf, Type
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import maps
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.lowerer import NONE_WORD, Lowerer
from rulekit.runtime.native.lower.memory import CELL, mask_words
from rulekit.runtime.native.lower.ways.cheapest import WaySearch
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
        case BestWay():
            return WaySearch(x, e, loop.charge).words()


class _Loop:
    """One loop while it is lowered."""

    def __init__(self, x: Lowerer, e: Binding, price: int) -> None:
        self.x, self.build, self.e, self.price = x, x.build, e, price
        body = walk.inner(e)
        assert body is not None
        self.body = body
        self.outer = dict(x.names)
        self.shared: list[tuple[Local, Expr]] = []
        """Locals for parts of the body that occur more than once, to be bound in each run."""
        if not isinstance(e, Linked | BestWay) and not x.unit.optimised.plain:
            self._share()

    def _share(self) -> None:
        """Work out before the loop what is dear and the same for all, once for each what is read often."""
        context, known, var = self.x.unit.optimised.context, walk.free(self.e), self.e.var.name
        for number, part in enumerate(sharing.invariant(context, self.body, known)):
            self._bind(self._local(f"#same {number} {var}", part), part)
        for number, part in enumerate(sharing.common(context, (self.body,), known | {var}, 1)):
            self.shared.append((self._local(f"#shared {number} {var}", part), part))

    def _local(self, name: str, part: Expr) -> Local:
        """A local in the place of a part of the body."""
        local = Local(name, part.type)
        self.body = walk.with_parts_replaced(self.body, {part: local})
        return local

    def _bind(self, local: Local, part: Expr) -> None:
        """Bind a local; a list or map gets room of its own, because a function uses its room again."""
        words = self.x.words(part)
        if isinstance(part.type, ListOf | MapOf):
            whole = self.x.temporary(part.type)
            self.x.keep((whole, None), words, part.type)
            words = (b.address(whole),)
        self.x.names[local.name] = self.build.bind_all(words, "shared")

    def _begin_run(self, words: Words) -> None:
        """Bind the variable of the loop, and all parts that are shared."""
        self.x.names[self.e.var.name] = words
        for local, part in self.shared:
            self._bind(local, part)

    @contextmanager
    def walk(self, over: Expr) -> Iterator[tuple[Words, str]]:
        """Write the body of a loop over a collection, with the variable in sight."""
        x = self.x
        if isinstance(over.type, ListOf):
            whole = x.once(over)
            self.charge(lir.Load(0, whole))
            with x.items(whole, over.type) as (item, label):
                self._begin_run(item)
                yield item, label
        else:
            words = x.build.bind_all(x.words(over)) if self.price else x.words(over)
            self.charge(b.count(words))
            with x.members(words, "each") as (member, label):
                self._begin_run((member,))
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
        self.build.unite(result, self.x.bit_words(member, len(result)))

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
                return (self._groups(e),)

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
            self.build.unite(result, b.pad(self.x.words(self.body), len(result)))
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
        buffer = x.temporary(e.type, "map")
        maps.empty(x, e.type, buffer)
        with self.walk(e.over) as ((member, *_), _):
            maps.put(x, e.type, b.address(buffer), member, x.words(self.body))
        return b.address(buffer)

    def _groups(self, e: Fold) -> lir.Expr:
        """A list of sets: the members for which the body is 0, those for which it is 1, and so on."""
        assert isinstance(e.type, ListOf)
        x, build, kind = self.x, self.build, e.type
        size = x.unit.shapes.words(kind.of)
        buffer = x.temporary(kind, "groups")
        build.emit(lir.LowRun("clear", (b.address(buffer), lir.Num(x.unit.shapes.room(kind)))))
        x.store((buffer, None), (lir.Num(kind.most),))
        with self.walk(e.over) as ((member, *_), _):
            group = x.once(self.body)
            with build.when(b.binary("ne", group, NONE_WORD)):
                beyond = b.binary(
                    "or", b.binary("lt_s", group, lir.ZERO), b.binary("ge_s", group, lir.Num(kind.most))
                )
                x.fail_if(beyond, NOT_A_VALUE)
                at = build.bind(b.times(group, CELL * size))
                own = tuple(lir.Load(buffer + CELL * (1 + n), at) for n in range(size))
                x.store((buffer + CELL, at), b.each("or", own, x.bit_words(member, size)))
        return b.address(buffer)

    def best(self, e: Best) -> Words:
        """Those with the lowest or highest key."""
        result = self.nothing(e.type)
        ends = self.build.variables(self.x.number_as(NONE_WORD, e.key.type), "end")
        with self.walk(e.over) as ((member, *_), _):
            key = self.build.bind_all(self.x.words(self.body))
            better = b.compare("lt_s" if e.kind == "lowest" else "gt_s", key, b.gets(ends))
            fresh = b.binary("or", b.binary("eq", lir.Get(ends[0]), NONE_WORD), better)
            with self.build.when(fresh):
                self.build.set_all(ends, key)
                for local in result:
                    self.build.set(local, lir.ZERO)
            with self.build.when(b.compare("eq", key, b.gets(ends))):
                self.include(result, member)
        return b.gets(result)

    def flood(self, e: Linked) -> Words:
        """A flood from the start; each round takes the step from what the last one added."""
        x, build = self.x, self.build
        if isinstance(e.relation.type, ListOf):
            return self._reached_at_cost(e, e.relation.type)
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
            build.set_all(front, fresh)
            build.unite(result, b.gets(front))
        return b.each("and", b.gets(result), over)

    def _reached_at_cost(self, e: Linked, kind: ListOf) -> Words:
        """A flood by steps that cost 0, 1 and so on: the cheapest first, from buckets by cost.

        A step costs less than there are buckets, so that these go round.
        """
        x, build = self.x, self.build
        count, buckets = x.unit.shapes.words(e.type), kind.most
        over = build.bind_all(b.pad(x.words(e.over), count))
        start = build.bind_all(b.pad(x.words(e.start), count))
        self.charge(b.count(b.each("or", over, start)))
        most = lir.Num(MOST_COST) if e.within is None else x.once(e.within)
        waiting = x.unit.buffer(build.name, build.fresh("waiting"), buckets * count)
        build.emit(lir.LowRun("clear", (b.address(waiting), lir.Num(buckets * count))))
        x.store((waiting, None), start)
        nothing = tuple(lir.ZERO for _ in range(count))
        reached = build.variables(nothing, "reached")
        spent, place, idle = build.variables((lir.ZERO, lir.ZERO, lir.ZERO), "spent")
        with build.loop("costs") as label:
            done = b.binary(
                "or",
                b.binary("ge_s", lir.Get(idle), lir.Num(buckets)),
                b.binary("gt_s", lir.Get(spent), most),
            )
            with build.when(done):
                build.emit(lir.LowBreak(label))
            at = build.bind(b.times(lir.Get(place), count * CELL))
            bucket = tuple(lir.Load(waiting + CELL * n, at) for n in range(count))
            some = build.bind(b.zero(b.zero(b.any_word(bucket))))
            build.set(idle, b.pick(some, lir.ZERO, b.plus(lir.Get(idle), 1)))
            front = build.variables(b.without(bucket, b.gets(reached)), "front")
            x.store((waiting, at), nothing)
            with build.loop("front") as inner:
                with build.when(b.zero(b.any_word(b.gets(front)))):
                    build.emit(lir.LowBreak(inner))
                self.build.unite(reached, b.gets(front))
                free = build.variables(nothing, "free")
                with x.members(b.gets(front), "each") as (member, _):
                    x.names[e.var.name] = (member,)
                    groups = x.once(e.relation)
                    self._wait(groups, free, (waiting, place, buckets), over)
                x.names = self.outer
                fresh = b.without(b.each("and", b.gets(free), over), b.gets(reached))
                build.set_all(front, fresh)
            build.set(spent, b.plus(lir.Get(spent), 1))
            build.set(place, b.plus(lir.Get(place), 1))
            with build.when(b.binary("ge_s", lir.Get(place), lir.Num(buckets))):
                build.set(place, lir.ZERO)
        return b.each("and", b.gets(reached), over)

    def _wait(
        self, groups: lir.Expr, free: tuple[str, ...], buckets: tuple[int, str, int], over: Words
    ) -> None:
        """Take what steps for nothing reach, and let the rest wait until its cost is spent."""
        build, count = self.build, len(free)
        waiting, place, many = buckets
        at = build.variables((lir.ZERO,), "cost")[0]
        with build.loop("steps") as label:
            with build.when(b.binary("ge_s", lir.Get(at), lir.Load(0, groups))):
                build.emit(lir.LowBreak(label))
            there = build.bind(b.add(groups, b.times(lir.Get(at), count * CELL)))
            group = build.bind_all(tuple(lir.Load(CELL * (1 + n), there) for n in range(count)))
            with build.when(b.zero(lir.Get(at))):
                self.build.unite(free, group)
            with build.when(lir.Get(at)):
                where = build.bind(b.add(lir.Get(place), lir.Get(at)))
                where = b.pick(b.binary("ge_s", where, lir.Num(many)), b.plus(where, -many), where)
                to = build.bind(b.times(where, count * CELL))
                old = tuple(lir.Load(waiting + CELL * n, to) for n in range(count))
                self.x.store((waiting, to), b.each("or", old, b.each("and", group, over)))
            build.set(at, b.plus(lir.Get(at), 1))

    def _beyond(self, e: Linked, front: Words, count: int) -> Words:
        """All that some members touch."""
        x, build = self.x, self.build
        beyond = build.variables(tuple(lir.ZERO for _ in range(count)), "beyond")
        with x.members(front, "each") as (member, _):
            x.names[e.var.name] = (member,)
            build.unite(beyond, b.pad(x.words(e.relation), count))
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
