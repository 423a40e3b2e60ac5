"""Loops of statements over the members of a set or the items of a list, in the order that they ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from rulekit.ir import Best, Block, Expr, Filter, ForEach, Local
from rulekit.ir.types import ListOf, Ratio, SetOf
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import lists
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.drawing import Drawing
from rulekit.runtime.native.lower.lowerer import Place
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.unit import ModuleUnit


class Body(Protocol):
    """The procedure around a loop."""

    x: RoutineLowerer
    unit: ModuleUnit
    drawing: Drawing

    def run(self, label: str, body: Block) -> None:
        """Lower the body of a loop."""

    def ask(self, choice: str, arguments: tuple[lir.Expr, ...]) -> Words:
        """Ask a choice; its answer."""


def for_each(body: Body, stmt: ForEach) -> None:
    """Once for each member of a set or item of a list."""
    if stmt.order is not None and stmt.order.kind == "chosen":
        _each_chosen(body, stmt)
    elif isinstance(stmt.over.type, ListOf):
        x = body.x
        kept = x.temporary(stmt.over.type, "items")
        x.keep((kept, None), x.words(stmt.over), stmt.over.type)
        _each_listed(body, stmt, kept, stmt.over.type)
    elif stmt.order is not None or stmt.alternating is not None:
        kind, kept = _in_order(body, stmt)
        _each_listed(body, stmt, kept, kind)
    else:
        _each_member(body, stmt)


def _charge(body: Body, stmt: ForEach, runs: lir.Expr) -> None:
    """Take all runs from the budget, if there are any."""
    price = body.unit.optimised.prices.of_runs(stmt)
    if price:
        runs = body.x.build.bind(runs)
        with body.x.build.when(runs):
            body.x.pay(runs, price)


def _each_member(body: Body, stmt: ForEach) -> None:
    x = body.x
    words = x.build.bind_all(x.words(stmt.over))
    _charge(body, stmt, b.count(words))
    with x.members(words, "each") as (member, label):
        x.bind_local(stmt.var, (member,))
        body.run(label, stmt.body)


def _each_listed(body: Body, stmt: ForEach, kept: int, kind: ListOf) -> None:
    """The items of a list that stays as it is."""
    x = body.x
    if stmt.alternating is not None:
        _turns(body, stmt, kept)
        return
    _charge(body, stmt, lir.Load(kept))
    with x.items(b.address(kept), kind) as (item, label):
        x.bind_local(stmt.var, item)
        body.run(label, stmt.body)


def _turns(body: Body, stmt: ForEach, kept: int) -> None:
    """Members take turns until a whole round finds nobody who can."""
    x, build = body.x, body.x.build
    assert stmt.alternating is not None
    index, idle = build.variables((lir.ZERO, lir.ZERO), "turn")
    price = body.unit.optimised.prices.of_runs(stmt)
    length = lir.Load(kept)
    with build.loop("turns") as label:
        with build.when(b.binary("ge_s", lir.Get(idle), length)):
            build.emit(lir.LowBreak(label))
        x.bind_local(stmt.var, (lir.Load(kept + CELL, b.times(lir.Get(index), CELL)),))
        build.set(index, b.plus(lir.Get(index), 1))
        with build.when(b.binary("ge_s", lir.Get(index), length)):
            build.set(index, lir.ZERO)
        if price:
            x.pay(lir.ONE, price)
        able = x.one(stmt.alternating)
        with build.when(b.zero(able)):
            build.set(idle, b.plus(lir.Get(idle), 1))
            build.emit(lir.LowNext(label))
        build.set(idle, lir.ZERO)
        body.run(label, stmt.body)


# ------------------------------------------------------------ orders


def _in_order(body: Body, stmt: ForEach) -> tuple[ListOf, int]:
    """The members in the order that the loop asks for, as a list in a buffer."""
    x, order = body.x, stmt.order
    assert isinstance(stmt.over.type, SetOf)
    of = stmt.over.type.of
    kind = ListOf(of, 64 * x.unit.shapes.words(stmt.over.type))
    buffer = x.temporary(kind, "order")
    words = x.build.bind_all(x.words(stmt.over))
    if order is None:
        lists.list_members(x, words, buffer)
    elif order.kind == "first":
        _ahead(x, words, order.keys, buffer)
    else:
        lists.list_members(x, words, buffer)
        ratios = any(isinstance(number.type, Ratio) for _, number in order.numbers)
        numbers = x.temporary(replace(kind, of=Ratio()) if ratios else kind, "numbers")
        for end, number in reversed(order.numbers):
            _sort(x, stmt.var, number, (buffer, numbers), highest=end == "highest")
        if order.kind == "lot" and order.ranks:
            _mix_equals(body, stmt, buffer)
        elif order.kind == "lot":
            body.drawing.mix(x, order.name, b.address(buffer), lir.Load(buffer))
    return kind, buffer


def _mix_equals(body: Body, stmt: ForEach, buffer: int) -> None:
    """Put members that are equal by the loop's numbers into random order, group by group."""
    x, build, order = body.x, body.x.build, stmt.order
    assert order is not None
    start = build.variables((lir.ZERO,), "start")[0]
    with build.loop("groups") as label:
        with build.when(b.binary("ge_s", lir.Get(start), lir.Load(buffer))):
            build.emit(lir.LowBreak(label))
        first = _numbers_of(x, stmt, buffer, lir.Get(start))
        end = build.variables((b.plus(lir.Get(start), 1),), "end")[0]
        with build.loop("group") as inner:
            with build.when(b.binary("ge_s", lir.Get(end), lir.Load(buffer))):
                build.emit(lir.LowBreak(inner))
            others = _numbers_of(x, stmt, buffer, lir.Get(end))
            with build.when(b.any_word(b.each("xor", first, others))):
                build.emit(lir.LowBreak(inner))
            build.set(end, b.plus(lir.Get(end), 1))
        before = build.bind(b.add(b.times(lir.Get(start), CELL), b.address(buffer)))
        length = build.bind(b.binary("sub", lir.Get(end), lir.Get(start)))
        body.drawing.mix(x, order.name, before, length)
        build.set(start, lir.Get(end))


def _numbers_of(x: RoutineLowerer, stmt: ForEach, buffer: int, place: lir.Expr) -> Words:
    """The numbers by which a loop orders the member at a place of a list."""
    assert stmt.order is not None
    before = x.names.get(stmt.var.name)
    member = x.build.bind(lir.Load(buffer + CELL, b.times(place, CELL)))
    x.names[stmt.var.name] = (member,)
    numbers = tuple(word for _, number in stmt.order.numbers for word in x.build.bind_all(x.words(number)))
    if before is not None:
        x.names[stmt.var.name] = before
    return numbers


def _ahead(x: RoutineLowerer, words: Words, heads: tuple[Expr, ...], buffer: int) -> None:
    """Some members first, as far as they are there, then the others."""
    build = x.build
    left = build.variables(words, "left")
    length = build.variables((lir.ZERO,), "length")[0]

    def take(member: lir.Expr) -> None:
        bits = build.bind_all(x.bit_words(member, len(left)))
        with build.when(b.any_word(b.each("and", b.gets(left), bits))):
            build.set(length, b.plus(lir.Get(length), 1))
            x.store((buffer, b.times(lir.Get(length), CELL)), (member,))
            for local, bit in zip(left, bits, strict=True):
                build.set(local, b.binary("xor", lir.Get(local), bit))

    for key in heads:
        if isinstance(key.type, SetOf):
            with x.members(x.words(key)) as (member, _):
                take(member)
            continue
        head = x.once(key)
        with build.when(b.binary("ge_s", head, lir.ZERO)):
            take(head)
    with x.members(b.gets(left)) as (member, _):
        build.set(length, b.plus(lir.Get(length), 1))
        x.store((buffer, b.times(lir.Get(length), CELL)), (member,))
    x.store((buffer, None), (lir.Get(length),))


def _sort(x: RoutineLowerer, var: Local, number: Expr, at: tuple[int, int], *, highest: bool) -> None:
    """Sort a list by a number of its items; equal ones keep their order."""
    build = x.build
    items, numbers = at
    size = x.unit.shapes.words(number.type)
    before = x.names.get(var.name)

    def number_at(index: lir.Expr, back: int = 0) -> Place:
        """Where the number of an item stands, or that of the item before; the index is that of the item."""
        if size == 1:
            return (numbers - CELL * back, index)
        return (numbers, b.plus(b.times(index, size), -CELL * (size - 1 + size * back)))

    place = build.variables((lir.ZERO,), "place")[0]
    with build.loop("sort") as label:
        with build.when(b.binary("ge_s", lir.Get(place), lir.Load(items))):
            build.emit(lir.LowBreak(label))
        build.set(place, b.plus(lir.Get(place), 1))
        item = build.bind(lir.Load(items, b.times(lir.Get(place), CELL)))
        x.names[var.name] = (item,)
        own = build.bind_all(x.words(number))
        target = build.variables((b.times(lir.Get(place), CELL),), "target")[0]
        with build.loop("sink") as inner:
            first = b.binary("le_s", lir.Get(target), lir.Num(CELL))
            with build.when(first):
                build.emit(lir.LowBreak(inner))
            other = build.bind_all(x.load(number_at(lir.Get(target), back=1), number.type))
            with build.when(b.zero(b.compare("lt_s" if highest else "gt_s", other, own))):
                build.emit(lir.LowBreak(inner))
            x.store(number_at(lir.Get(target)), other)
            x.store((items, lir.Get(target)), (lir.Load(items - CELL, lir.Get(target)),))
            build.set(target, b.plus(lir.Get(target), -CELL))
        x.store(number_at(lir.Get(target)), own)
        x.store((items, lir.Get(target)), (item,))
    if before is not None:
        x.names[var.name] = before


def _each_chosen(body: Body, stmt: ForEach) -> None:
    """A side picks the next member each time, of those that have not had their turn."""
    x, build, order = body.x, body.x.build, stmt.order
    assert order is not None
    kind = stmt.over.type
    params = body.unit.facts.choices[order.name].params
    over = build.bind_all(x.words(stmt.over))
    left = build.variables(over if stmt.alternating is None else tuple(lir.ZERO for _ in over), "left")
    if stmt.alternating is None:
        _charge(body, stmt, b.count(b.gets(left)))
    offered: Expr = Local("members left", kind)
    for end, number in order.numbers:
        offered = Best(end, offered, stmt.var, number, kind)
    with build.loop("chosen") as label:
        if stmt.alternating is not None:
            _next_round(body, stmt, over, left)
        with build.when(b.zero(b.any_word(b.gets(left)))):
            build.emit(lir.LowBreak(label))
        x.names["members left"] = b.gets(left)
        values = (offered, *order.sides)[: len(params)]
        arguments = x.arguments(values, params)
        (answer,) = body.ask(order.name, arguments)
        x.bind_local(stmt.var, (answer,))
        member = x.names[stmt.var.name][0]
        with build.when(b.binary("lt_s", member, lir.ZERO)):
            build.emit(lir.LowBreak(label))
        taken = x.bit_words(member, len(left))
        for local, word in zip(left, b.without(b.gets(left), taken), strict=True):
            build.set(local, word)
        body.run(label, stmt.body)


def _next_round(body: Body, stmt: ForEach, over: Words, left: tuple[str, ...]) -> None:
    """Leave those who still can; if there is none, all who can have another turn."""
    x, build = body.x, body.x.build
    assert stmt.alternating is not None
    x.names["loop members"] = over
    able = Filter(Local("loop members", stmt.over.type), stmt.var, stmt.alternating, stmt.over.type)
    for local, word in zip(left, b.each("and", b.gets(left), x.words(able)), strict=True):
        build.set(local, word)
    with build.when(b.zero(b.any_word(b.gets(left)))):
        for local, word in zip(left, x.words(able), strict=True):
            build.set(local, word)
    price = body.unit.optimised.prices.of_runs(stmt)
    if price:
        x.pay(lir.ONE, price)
