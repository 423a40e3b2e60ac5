"""Statements of chance: rolls, draws and shuffles from the streams of the seed."""

from __future__ import annotations

from rulekit.ir import DrawLot, DrawTop, Roll, Shuffle
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.types import ListOf, SetOf
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.changes import hide, learn
from rulekit.runtime.native.lower.library import ModuleStreams, die_name
from rulekit.runtime.native.lower.lowerer import Place, address_of
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.messages import Why
from rulekit.runtime.native.refusals import CannotLower

MOST_DRAWN = 4096
"""Items of the longest list that is shuffled."""


class Drawing:
    """Lowers the statements of chance of one module."""

    def __init__(self, streams: ModuleStreams) -> None:
        self.streams = streams

    def point(self, x: RoutineLowerer, name: str) -> tuple[int, int]:
        """The number of a point, and the address of its counter."""
        layout = x.unit.layout
        number = layout.counters[name] - layout.first_counter
        return number, x.unit.cells.at[layout.counters[name]]

    def roll(self, x: RoutineLowerer, stmt: Roll) -> None:
        """Roll dice and apply the modifiers."""
        number, counter = self.point(x, stmt.point)
        dice = x.unit.facts.points[stmt.point].dice
        first = x.build.bind(lir.Load(counter), "dice")
        x.store((counter, None), (b.plus(first, dice),))
        total: lir.Expr = lir.ZERO
        for place in range(dice):
            total = b.add(total, lir.LowCall(die_name(number), (b.plus(first, place),)))
        x.bind_local(stmt.raw, (total,))
        if stmt.local is not None:
            words = x.names[stmt.raw.name] if stmt.modified is None else x.words(stmt.modified)
            x.bind_local(stmt.local, words)

    def _word(self, x: RoutineLowerer, number: int, position: lir.Expr, count: lir.Expr) -> lir.Expr:
        """A number below a count, from a word of a point's stream."""
        base = lir.Load(self.streams.bases + number * CELL)
        return x.build.bind(lir.LowCall("uniform", (base, position, count)))

    def one_of(self, x: RoutineLowerer, point: str, words: Words) -> lir.Expr:
        """One member of a set by lot; a single member takes no word."""
        number, counter = self.point(x, point)
        words = x.build.bind_all(words)
        many = x.build.bind(b.count(words))
        why = Why(texts.nothing_to_draw(point, is_state=point in x.unit.layout.slots))
        x.fail_if(b.zero(many), "empty-draw", None, why)
        taken = x.build.variables((lir.ZERO,), "taken")[0]
        with x.build.when(b.binary("gt_s", many, lir.ONE)):
            position = x.build.bind(lir.Load(counter))
            x.store((counter, None), (b.plus(position, 1),))
            x.build.set(taken, self._word(x, number, position, many))
        return member_number(x, words, lir.Get(taken))

    def several_of(self, x: RoutineLowerer, point: str, words: Words, count: lir.Expr) -> Words:
        """A set of so many members by lot; all, if there are no more."""
        number, counter = self.point(x, point)
        words, count = x.build.bind_all(words), x.build.bind(count)
        many = x.build.bind(b.count(words))
        result = x.build.variables(words, "drawn")
        with x.build.when(b.binary("lt_s", count, many)):
            left = x.build.variables(words, "left")
            for local in result:
                x.build.set(local, lir.ZERO)
            turn = x.build.variables((lir.ZERO,), "turn")[0]
            with x.build.loop() as label:
                with x.build.when(b.binary("ge_s", lir.Get(turn), count)):
                    x.build.emit(lir.LowBreak(label))
                position = x.build.bind(lir.Load(counter))
                x.store((counter, None), (b.plus(position, 1),))
                rest = b.binary("sub", many, lir.Get(turn))
                taken = self._word(x, number, position, rest)
                member = x.build.bind(member_number(x, b.gets(left), taken))
                for one, all_, bit in zip(result, left, x.bit_words(member, len(left)), strict=True):
                    bit = x.build.bind(bit)
                    x.build.set(one, b.binary("or", lir.Get(one), bit))
                    x.build.set(all_, b.binary("xor", lir.Get(all_), bit))
                x.build.set(turn, b.plus(lir.Get(turn), 1))
        return b.gets(result)

    def draw_lot(self, x: RoutineLowerer, stmt: DrawLot) -> None:
        """Draw by lot from a set that stays as it is."""
        words = x.build.bind_all(x.words(stmt.over))
        if stmt.one:
            x.bind_local(stmt.local, (self.one_of(x, stmt.point, words),))
        else:
            x.bind_local(stmt.local, self.several_of(x, stmt.point, words, x.one(stmt.count)))
        learn(x)

    def draw_top(self, x: RoutineLowerer, stmt: DrawTop) -> None:
        """Draw from a cup by lot, or from a stack from its top, and remove it."""
        kind = x.unit.facts.states[stmt.state].type
        offset, index = x.cell(stmt.state, stmt.keys)
        at = (offset, index if index is None else x.build.bind(index))
        if isinstance(kind, SetOf):
            words = x.build.bind_all(x.load(at, kind))
            if stmt.one:
                drawn: Words = (x.build.bind(self.one_of(x, stmt.point, words)),)
                taken = x.bit_words(drawn[0], len(words))
            else:
                drawn = taken = self.several_of(x, stmt.point, words, x.one(stmt.count))
            hide(x, stmt.state, stmt.keys)
            x.store(at, b.without(words, taken))
        else:
            assert isinstance(kind, ListOf)
            drawn = self._off_stack(x, stmt, kind, at)
        x.bind_local(stmt.local, drawn)
        learn(x)

    def _off_stack(self, x: RoutineLowerer, stmt: DrawTop, kind: ListOf, at: Place) -> Words:
        """Take the first items of a list."""
        stride = x.unit.shapes.words(kind.of)
        whole = x.build.bind(address_of(at))
        length = x.build.bind(lir.Load(0, whole))
        if stmt.one:
            x.fail_if(b.zero(length), "empty-draw", None, Why(texts.EMPTY_STACK))
            drawn = x.build.bind_all(x.load((CELL, whole), kind.of))
            count: lir.Expr = lir.ONE
        else:
            wanted = x.once(stmt.count)
            count = x.build.bind(b.pick(b.binary("lt_s", wanted, length), wanted, length))
            x.fail_if(b.binary("lt_s", count, lir.ZERO), "no-value")
            buffer = x.temporary(kind, "drawn")
            x.store((buffer, None), (count,))
            source = b.plus(whole, CELL)
            x.build.emit(lir.LowRun("copy", (lir.Num(buffer + CELL), source, b.times(count, stride))))
            drawn = (lir.Num(buffer),)
        hide(x, stmt.state, stmt.keys)
        rest = x.build.bind(b.binary("sub", length, count))
        first = b.plus(whole, CELL)
        source = b.add(first, b.times(count, stride * CELL))
        x.build.emit(lir.LowRun("copy", (first, source, b.times(rest, stride))))
        x.store((0, whole), (rest,))
        return drawn

    def shuffle(self, x: RoutineLowerer, stmt: Shuffle) -> None:
        """Put a stack into random order."""
        kind = x.unit.facts.states[stmt.state].type
        assert isinstance(kind, ListOf)
        if x.unit.shapes.words(kind.of) > 1 or kind.most > MOST_DRAWN:
            raise CannotLower(f"a shuffle of `{stmt.state}`", stmt.site)
        place = x.cell(stmt.state, stmt.keys)
        hide(x, stmt.state, stmt.keys)
        whole = x.build.bind(address_of(place))
        self.mix(x, stmt.point, whole, lir.Load(0, whole))
        learn(x)

    def mix(self, x: RoutineLowerer, point: str, before: lir.Expr, length: lir.Expr) -> None:
        """Put so many words after the one with an address into random order."""
        number, counter = self.point(x, point)
        last = x.build.variables((length,), "last")[0]
        with x.build.loop("shuffle") as label:
            with x.build.when(b.binary("le_s", lir.Get(last), lir.ONE)):
                x.build.emit(lir.LowBreak(label))
            position = x.build.bind(lir.Load(counter))
            x.store((counter, None), (b.plus(position, 1),))
            other = self._word(x, number, position, lir.Get(last))
            one = x.build.bind(b.add(before, b.times(lir.Get(last), CELL)))
            two = x.build.bind(b.add(before, b.times(b.plus(other, 1), CELL)))
            kept = x.build.bind(lir.Load(0, one))
            x.store((0, one), (lir.Load(0, two),))
            x.store((0, two), (kept,))
            x.build.set(last, b.plus(lir.Get(last), -1))


def member_number(x: RoutineLowerer, words: Words, number: lir.Expr) -> lir.Expr:
    """The member of a set before which there are so many."""
    if len(words) == 1:
        return x.build.bind(lir.LowCall("nth", (words[0], number)))
    left = x.build.variables((number,), "left")[0]
    member = x.build.variables((lir.ZERO,), "member")[0]
    label = x.build.fresh("found")
    with x.build.inner() as body:
        for place, word in enumerate(words):
            word = x.build.bind(word)
            ones = x.build.bind(lir.LowUnary("popcnt", word))
            with x.build.when(b.binary("lt_s", lir.Get(left), ones)):
                there = lir.LowCall("nth", (word, lir.Get(left)))
                x.build.set(member, b.plus(there, 64 * place))
                x.build.emit(lir.LowBreak(label))
            x.build.set(left, b.binary("sub", lir.Get(left), ones))
    x.build.emit(lir.LowBlock(label, tuple(body)))
    return lir.Get(member)
