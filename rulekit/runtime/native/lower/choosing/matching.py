"""Assignments in which items differ in what they may get, or options run out: matching options to items."""

from __future__ import annotations

from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.covers import Asked
from rulekit.runtime.native.lower.choosing.rows import Rows, count_up, include, nothing
from rulekit.runtime.native.lower.choosing.seating import Seating
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.optimise.bounds import NEVER


class Matching(Seating):
    """The options of each item in its turn."""

    def __init__(self, asking: Asked) -> None:
        super().__init__(asking)
        self.lists = self.room("lists", self.most, self.count)
        self.picks = self.room("picks", self.most)

    @property
    def free(self) -> Rows:
        """For each item whether it may have none."""
        return self.room("free", self.most)

    def need(self, x: RoutineLowerer, place: lir.Expr) -> lir.Expr:
        """One option, or none."""
        return b.zero(self.free.one(x, place))

    def at_most(self, x: RoutineLowerer, place: lir.Expr) -> lir.Expr:
        """One option."""
        return lir.ONE

    # ------------------------------------------------------------ what is the same for all items

    def begin(self, items: Words) -> None:
        """List the options of every item, and work out the classes."""
        asking, choice = self.asking, self.asking.choice
        asking.by_item(items, self.lists, asking.legal())
        asking.by_item(items, self.free, asking.norms.declining if choice.able != "must" else NEVER)
        super().begin(items)
        self.limit_to(lir.Num(-1) if choice.each is None else asking.once(choice.each))
        self.position, self.play = self.build.variables((lir.ZERO, lir.ZERO), "position")
        self.chosen = self.build.variables(nothing(self.count), "chosen")

    # ------------------------------------------------------------ one item

    def options(self) -> tuple[Words, lir.Expr]:
        """The options of the next item, and whether it may have none."""
        x, build = self.x, self.build
        full = self._take_caps()
        mask = build.variables(nothing(self.count), "mask")
        none = build.variables((lir.ZERO,), "none")[0]
        position = lir.Get(self.position)
        free_here = build.bind(self.free.one(x, position))
        for play in range((1 << len(self.own)) - 1, -1, -1):
            outside = ((1 << len(self.own)) - 1) & ~play
            with build.when(b.zero(b.binary("and", lir.Get(self.play), lir.Num(outside)))):
                missing = build.bind_all(b.without(self.wanted_in(play), b.gets(self.chosen)))
                possible = self._allow(full, play)
                with build.when(possible):
                    self.copy_trial(position, None)
                    later = build.bind(b.plus(position, 1))
                    matched, seated = self.can_serve(later, missing)
                    matched = build.bind(matched)
                    with build.when(b.both(free_here, matched)):
                        build.set(none, b.binary("or", lir.Get(none), seated))
                    own = build.bind_all(self.allowed.get(x, position))
                    at_once = b.both(b.binary("lt_s", self.limit, lir.ZERO), matched)
                    with build.when(at_once):
                        include(x, mask, own)
                    left = b.binary("sub", self.items.one(x, lir.ZERO), position)
                    enough = b.binary("le_s", b.count(missing), left)
                    with build.when(b.both(b.zero(at_once), enough)):
                        self.try_each(position, later, own, mask, missing)
        return b.gets(mask), lir.Get(none)

    def note_pick(self, option: lir.Expr) -> None:
        """Note the answer of an item; below 0 it got nothing."""
        x, build = self.x, self.build
        position = lir.Get(self.position)
        self.picks.put(x, position, (option,))
        with build.when(b.binary("ge_s", option, lir.ZERO)):
            include(x, self.chosen, x.bit_words(option, self.count))
            for number, own in enumerate(self.own):
                row = own.get(x, position)
                word = row[-1]
                for at in range(self.count - 2, -1, -1):
                    here = b.binary("eq", b.binary("shr_u", option, lir.Num(6)), lir.Num(at))
                    word = b.pick(here, row[at], word)
                triggers = b.binary("and", lir.LowBinary("shr_u", word, option), lir.ONE)
                bit = b.binary("shl", triggers, lir.Num(number))
                build.set(self.play, b.binary("or", lir.Get(self.play), bit))
        build.set(self.position, b.plus(lir.Get(self.position), 1))

    def _take_caps(self) -> Words:
        """Note how often each option may still be given, and return those that may not be."""
        x, build = self.x, self.build
        full = build.variables(nothing(self.count), "full")
        with build.when(b.binary("ge_s", self.limit, lir.ZERO)):
            self.begin_caps()
            with count_up(x, lir.ZERO, lir.Get(self.position)) as place:
                pick = build.bind(self.picks.one(x, place))
                with build.when(b.binary("ge_s", pick, lir.ZERO)):
                    self.caps.add(x, pick, -1)
            include(x, full, self.full())
        return b.gets(full)

    def _allow(self, full: Words, play: int) -> lir.Expr:
        """List what items from here on may get; whether each has something, or may have nothing."""
        x, build = self.x, self.build
        possible = build.variables((lir.ONE,), "possible")[0]
        with count_up(x, lir.Get(self.position), self.items.one(x, lir.ZERO)) as place:
            words = self.without_classes(b.without(self.lists.get(x, place), full), play, place)
            words = build.bind_all(words)
            self.allowed.put(x, place, words)
            some = b.binary("or", b.any_word(words), self.free.one(x, place))
            with build.when(b.zero(some)):
                build.set(possible, lir.ZERO)
        return lir.Get(possible)
