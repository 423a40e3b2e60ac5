"""Statements of chance: rolls, draws and shuffles from the streams of the seed."""

from __future__ import annotations

from typing import Final

from rulekit.ir import DrawLot, DrawTop, Roll, Shuffle
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import NOT_GIVEN
from rulekit.ir.types import Int, ListOf, SetOf, Type
from rulekit.runtime.native import lir, messages
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.changes import hide, learn
from rulekit.runtime.native.lower.library import ModuleStreams, die_name
from rulekit.runtime.native.lower.lowerer import Place, address_of
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.tape import STRICT
from rulekit.runtime.native.messages import Why
from rulekit.runtime.native.refusals import CannotLower

NUMBER: Final = Int(0, 0)
"""The type of an item of one word."""

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
        self._require_dice(x, number, first, dice)
        total: lir.Expr = lir.ZERO
        for place in range(dice):
            total = b.add(total, lir.LowCall(die_name(number), (b.plus(first, place),)))
        x.bind_local(stmt.raw, (total,))
        if stmt.local is not None:
            words = x.names[stmt.raw.name] if stmt.modified is None else x.words(stmt.modified)
            x.bind_local(stmt.local, words)

    def _require_dice(self, x: RoutineLowerer, number: int, first: lir.Expr, dice: int) -> None:
        """End the game if dice should be given and are not."""
        if self.streams.tape is None:
            return
        count, name = self.streams.tape.count(number), x.unit.program.points[number].name
        missing = b.plus(b.pick(b.binary("gt_s", first, count), first, count), 1)
        lacking = b.both(STRICT, b.binary("gt_s", b.plus(first, dice), count))
        x.fail_if(lacking, NOT_GIVEN, None, messages.die_not_given(name, missing))

    def _require_things(self, x: RoutineLowerer, point: str, wanted: lir.Expr) -> None:
        """End the game if so many things of a draw or shuffle should be given and are not."""
        if self.streams.tape is None:
            return
        number, counter = self.point(x, point)
        given = x.build.bind(b.binary("sub", self.streams.tape.count(number), lir.Load(counter)))
        shown = b.pick(b.binary("lt_s", given, lir.ZERO), lir.ZERO, given)
        lacking = b.both(STRICT, b.binary("lt_s", given, wanted))
        x.fail_if(lacking, NOT_GIVEN, None, messages.things_not_given(point, wanted, shown))

    def _next_position(self, x: RoutineLowerer, counter: int) -> lir.Expr:
        """The position of the next word of a stream, which is taken."""
        position = x.build.bind(lir.Load(counter))
        x.store((counter, None), (b.plus(position, 1),))
        return position

    def _word(self, x: RoutineLowerer, number: int, position: lir.Expr, count: lir.Expr) -> lir.Expr:
        """A number below a count, from a word of a point's stream."""
        base = lir.Load(self.streams.bases + number * CELL)
        return x.build.bind(lir.LowCall("uniform", (base, position, count)))

    def _lot(self, x: RoutineLowerer, point: str, words: Words, many: lir.Expr) -> lir.Expr:
        """One member of a set of so many, at least two: the one that is given, or one by lot."""
        number, counter = self.point(x, point)
        tape, position = self.streams.tape, self._next_position(x, counter)
        if tape is None:
            return member_number(x, words, self._word(x, number, position, many))
        member = x.build.variables((lir.Num(-1),), "member")[0]
        given = x.build.bind(tape.has(number, position))
        with x.build.when(given):
            x.build.set(member, tape.value(number, position))
            inside = b.both(
                b.binary("ge_s", lir.Get(member), lir.ZERO),
                b.binary("lt_s", lir.Get(member), lir.Num(64 * len(words))),
            )
            there = b.any_word(b.each("and", words, x.bit_words(lir.Get(member), len(words))))
            possible = b.both(inside, b.zero(b.zero(there)))
            x.fail_if(b.zero(possible), NOT_GIVEN, None, messages.impossible_thing(point))
        with x.build.when(b.zero(given)):
            x.build.set(member, member_number(x, words, self._word(x, number, position, many)))
        return lir.Get(member)

    def one_of(self, x: RoutineLowerer, point: str, words: Words) -> lir.Expr:
        """One member of a set by lot; a single member takes no word."""
        words = x.build.bind_all(words)
        many = x.build.bind(b.count(words))
        why = Why(texts.nothing_to_draw(point, is_state=point in x.unit.layout.slots))
        x.fail_if(b.zero(many), "empty-draw", None, why)
        member = x.build.variables((lir.ZERO,), "taken")[0]
        several = x.build.bind(b.binary("gt_s", many, lir.ONE))
        with x.build.when(several):
            self._require_things(x, point, lir.ONE)
            x.build.set(member, self._lot(x, point, words, many))
        with x.build.when(b.zero(several)):
            x.build.set(member, member_number(x, words, lir.ZERO))
        return lir.Get(member)

    def several_of(self, x: RoutineLowerer, point: str, words: Words, count: lir.Expr) -> Words:
        """A set of so many members by lot; all, if there are no more."""
        words, count = x.build.bind_all(words), x.build.bind(count)
        many = x.build.bind(b.count(words))
        result = x.build.variables(words, "drawn")
        with x.build.when(b.binary("lt_s", count, many)):
            self._require_things(x, point, count)
            left = x.build.variables(words, "left")
            for local in result:
                x.build.set(local, lir.ZERO)
            turn = x.build.variables((lir.ZERO,), "turn")[0]
            with x.build.loop() as label:
                with x.build.when(b.binary("ge_s", lir.Get(turn), count)):
                    x.build.emit(lir.LowBreak(label))
                rest = b.binary("sub", many, lir.Get(turn))
                member = x.build.bind(self._lot(x, point, b.gets(left), rest))
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
            x.build.emit(lir.LowRun("copy", (b.address(buffer + CELL), source, b.times(count, stride))))
            drawn = (b.address(buffer),)
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
        if kind.most > MOST_DRAWN:
            raise CannotLower(f"a shuffle of `{stmt.state}`, of more than {MOST_DRAWN:,},", stmt.site)
        place = x.cell(stmt.state, stmt.keys)
        hide(x, stmt.state, stmt.keys)
        whole = x.build.bind(address_of(place))
        self.mix(x, stmt.point, whole, lir.Load(0, whole), kind.of)
        learn(x)

    def mix(
        self, x: RoutineLowerer, point: str, before: lir.Expr, length: lir.Expr, kind: Type = NUMBER
    ) -> None:
        """Put so many items after the word with an address into random order."""
        number, counter = self.point(x, point)
        size = x.unit.shapes.words(kind) * CELL
        last, start = x.build.variables((length, before), "last")
        before = lir.Get(start)
        if self.streams.tape is not None:
            with x.build.when(b.binary("gt_s", length, lir.ONE)):
                self._require_things(x, point, b.plus(length, -1))
            self._put_given_first(x, point, start, last, kind)
        with x.build.loop("shuffle") as label:
            with x.build.when(b.binary("le_s", lir.Get(last), lir.ONE)):
                x.build.emit(lir.LowBreak(label))
            position = self._next_position(x, counter)
            other = self._word(x, number, position, lir.Get(last))
            one = x.build.bind(b.plus(b.add(before, b.times(lir.Get(last), size)), CELL - size))
            two = x.build.bind(b.plus(b.add(before, b.times(b.plus(other, 1), size)), CELL - size))
            kept = x.build.bind_all(x.load((0, one), kind))
            x.store((0, one), x.load((0, two), kind))
            x.store((0, two), kept)
            x.build.set(last, b.plus(lir.Get(last), -1))

    def _put_given_first(self, x: RoutineLowerer, point: str, start: str, last: str, kind: Type) -> None:
        """Put the things that are given first; `start` and `last` are then those of the others."""
        size = x.unit.shapes.words(kind) * CELL
        number, counter = self.point(x, point)
        tape, build = self.streams.tape, x.build
        assert tape is not None
        with build.loop("given") as label:
            more = b.both(b.binary("gt_s", lir.Get(last), lir.ONE), tape.has(number, lir.Load(counter)))
            with build.when(b.zero(more)):
                build.emit(lir.LowBreak(label))
            thing = build.bind(tape.value(number, self._next_position(x, counter)))
            words = x.number_as(thing, kind)
            first = build.bind(b.plus(lir.Get(start), CELL))
            end = build.bind(b.add(first, b.times(lir.Get(last), size)))
            at = build.variables((first,), "at")[0]
            with build.loop("thing") as inner:
                absent = b.binary("eq", lir.Get(at), end)
                x.fail_if(absent, NOT_GIVEN, None, messages.impossible_thing(point))
                here = x.load((0, lir.Get(at)), kind)
                with build.when(b.zero(b.any_word(b.each("xor", here, words)))):
                    build.emit(lir.LowBreak(inner))
                build.set(at, b.plus(lir.Get(at), size))
            with build.loop("others") as inner:
                with build.when(b.binary("eq", lir.Get(at), first)):
                    build.emit(lir.LowBreak(inner))
                below = build.bind(b.plus(lir.Get(at), -size))
                x.store((0, lir.Get(at)), x.load((0, below), kind))
                build.set(at, below)
            x.store((0, first), words)
            build.set(start, b.plus(lir.Get(start), size))
            build.set(last, b.plus(lir.Get(last), -1))


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
