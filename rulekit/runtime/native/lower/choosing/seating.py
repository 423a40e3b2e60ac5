"""Whether items can have the options that they need, and all together those that the answer needs.

`rulekit.runtime.support.completion` defines it. Each question has one answer whatever is tried first, so that
the paths here are their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from rulekit.ir.types import Flag
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.covers import MOST_CLASSES, Asked
from rulekit.runtime.native.lower.choosing.rows import Rows, count_up, include, nothing, taken_from
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.refusals import CannotLower


class Seating(ABC):
    """The items of one choice from one on, and the options that each may get: the rows of `trial`.

    `caps` says how often each option may still be given, if `limited`. `got` and `held` are the options of
    each item on the two ways that are looked for.
    """

    def __init__(self, asking: Asked) -> None:
        self.asking, self.x, self.build = asking, asking.x, asking.x.build
        choice = asking.choice
        if len(asking.norms.covers) > MOST_CLASSES:
            raise CannotLower(f"the choice `{choice.name}`, of many sets to cover,", choice.site)
        assert choice.items is not None and choice.candidates is not None
        self.count = self.x.unit.shapes.words(choice.candidates.type)
        self.most = 64 * self.x.unit.shapes.words(choice.items.type)
        self.allowed, self.trial, self.got, self.held = (
            self.room(name, self.most, self.count) for name in ("allowed", "trial", "got", "held")
        )
        self.caps, self.used = (self.room(name, 64 * self.count) for name in ("caps", "used"))
        self.seen, self.seen_items = self.room("seen", 1, self.count), self.room("seen items", self.most)
        self.items, self.first, self.limited = (self.room(name, 1) for name in ("items", "first", "limited"))
        self.own = [
            self.room(f"class {number}", self.most, self.count)
            for number, cover in enumerate(asking.norms.covers)
            if not cover.always
        ]
        for function in (self._seat(), self._can_seat(), self._match(), self._can_match()):
            self.x.unit.add(function)

    def room(self, name: str, places: int, words: int = 1) -> Rows:
        """Rows of memory for this choice."""
        return Rows(self.x.unit.buffer(self.build.name, f"seating {name}", places * words), words)

    def name(self, kind: str) -> str:
        """The name of a function of this choice."""
        return f"{kind} {self.asking.choice.name}"

    @abstractmethod
    def need(self, x: RoutineLowerer, place: lir.Expr) -> lir.Expr:
        """How many options the item at a place must get."""

    @abstractmethod
    def at_most(self, x: RoutineLowerer, place: lir.Expr) -> lir.Expr:
        """How many options it may get."""

    # ------------------------------------------------------------ what is the same for all items

    def begin(self, items: Words) -> None:
        """Work out the classes, and what the answer needs."""
        x, build, asking = self.x, self.build, self.asking
        covers = [cover for cover in asking.norms.covers if not cover.always]
        self.wanted: list[Words] = []
        for own, cover in zip(self.own, covers, strict=True):
            asking.by_item(items, own, asking.of_class(cover.test))
            wanted = b.pad(asking.words(cover.needed), self.count)
            self.wanted.append(build.bind_all(wanted, "needed"))
        self.items.put(x, lir.ZERO, (b.count(items),))
        always = nothing(self.count)
        for cover in asking.norms.covers:
            if cover.always:
                names = build.variables(nothing(self.count), "always")
                with build.when(asking.once(cover.test)):
                    words = b.pad(asking.words(cover.needed), self.count)
                    for local, word in zip(names, words, strict=True):
                        build.set(local, word)
                always = b.each("or", always, b.gets(names))
        self.always = build.bind_all(always, "always")

    def limit_to(self, limit: lir.Expr) -> None:
        """Let so many items get the same option; below 0 any number."""
        self.limit = limit
        self.limited.put(self.x, lir.ZERO, (b.binary("ge_s", limit, lir.ZERO),))

    # ------------------------------------------------------------ one question

    def wanted_in(self, play: int) -> Words:
        """The options that the answer needs with some classes in play."""
        missing = self.always
        for number, wanted in enumerate(self.wanted):
            missing = b.each("or", missing, wanted) if play >> number & 1 else missing
        return missing

    def without_classes(self, words: Words, play: int, place: lir.Expr) -> Words:
        """Options of the item at a place, without those of classes that are not in play."""
        for number, own in enumerate(self.own):
            if not play >> number & 1:
                words = b.without(words, own.get(self.x, place))
        return words

    def full(self) -> Words:
        """The options that may be given to no more items."""
        build = self.build
        full = build.variables(nothing(self.count), "full")
        with count_up(self.x, lir.ZERO, lir.Num(64 * self.count)) as option:
            with build.when(b.binary("le_s", self.caps.one(self.x, option), lir.ZERO)):
                include(self.x, full, self.x.bit_words(option, self.count))
        return b.gets(full)

    def begin_caps(self) -> None:
        """Let every option be given as often as the choice says."""
        with count_up(self.x, lir.ZERO, lir.Num(64 * self.count)) as option:
            self.caps.put(self.x, option, (self.limit,))

    def copy_trial(self, place: lir.Expr, without: Words | None) -> None:
        """Take what items after a place may get for a trial, without some options."""
        with count_up(self.x, b.plus(place, 1), self.items.one(self.x, lir.ZERO)) as later:
            words = self.allowed.get(self.x, later)
            self.trial.put(self.x, later, words if without is None else b.without(words, without))

    def can_serve(self, first: lir.Expr, missing: Words) -> tuple[lir.Expr, lir.Expr]:
        """Whether items from one on can have all that is missing, and whether each can have what it needs.

        Where both can be had, they can be had at once.
        """
        matched = lir.LowCall(self.name("can_match"), (first, *missing))
        return matched, lir.LowCall(self.name("can_seat"), (first,))

    def try_each(
        self, place: lir.Expr, first: lir.Expr, own: Words, mask: tuple[str, ...], missing: Words
    ) -> None:
        """Put those options of the item at a place into the mask after which items from one on are served."""
        x, build = self.x, self.build
        left = build.variables(b.without(own, b.gets(mask)), "left")
        limited = build.bind(b.binary("ge_s", self.limit, lir.ZERO))
        with taken_from(x, left) as (option, bits):
            with build.when(limited):
                self.caps.add(x, option, -1)
            gone = build.bind(b.both(limited, b.zero(self.caps.one(x, option))))
            self.trial.put(x, place, b.without(own, bits))
            self.copy_trial(place, tuple(build.bind(b.pick(gone, bit, lir.ZERO)) for bit in bits))
            matched, seated = self.can_serve(first, b.without(missing, bits))
            with build.when(matched):
                with build.when(seated):
                    include(x, mask, bits)
            with build.when(limited):
                self.caps.add(x, option, 1)

    # ------------------------------------------------------------ paths

    def _function(self, kind: str, *params: str) -> RoutineLowerer:
        x = RoutineLowerer(self.x.unit, self.name(kind), (), Flag(), self.asking.choice.site)
        x.build.params = params
        return x

    def _seat(self) -> lir.LowFunction:
        """Give an item one more option, moving others; it runs itself, and so has no buffers of its own."""
        x = self._function("seat", "item")
        build, item = x.build, lir.Get("item")
        left = build.variables(b.without(self.trial.get(x, item), self.got.get(x, item)), "left")
        with taken_from(x, left) as (option, bits):
            seen = self.seen.get(x, lir.ZERO)
            with build.when(b.zero(b.any_word(b.each("and", seen, bits)))):
                self.seen.put(x, lir.ZERO, b.each("or", seen, bits))
                with build.when(b.binary("lt_s", self.used.one(x, option), self.caps.one(x, option))):
                    self.used.add(x, option, 1)
                    self._give(x, self.got, item, bits)
                with count_up(x, self.first.one(x, lir.ZERO), self.items.one(x, lir.ZERO)) as other:
                    with build.when(b.any_word(b.each("and", self.got.get(x, other), bits))):
                        with build.when(lir.LowCall(self.name("seat"), (other,))):
                            self.got.put(x, other, b.without(self.got.get(x, other), bits))
                            self._give(x, self.got, item, bits)
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    def _give(self, x: RoutineLowerer, rows: Rows, place: lir.Expr, bits: Words) -> None:
        """Give an option to an item, and end: a way is found."""
        rows.put(x, place, b.each("or", rows.get(x, place), bits))
        x.build.emit(lir.LowReturn(lir.ONE))

    def _can_seat(self) -> lir.LowFunction:
        """Whether every item from one on can get what it needs, each option as often as it may be given."""
        x = self._function("can_seat", "first")
        build, many = x.build, self.items.one(x, lir.ZERO)
        with build.when(b.zero(self.limited.one(x, lir.ZERO))):  # none runs out
            with count_up(x, lir.Get("first"), many) as place:
                few = b.binary("lt_s", b.count(self.trial.get(x, place)), self.need(x, place))
                with build.when(few):
                    build.emit(lir.LowReturn(lir.ZERO))
            build.emit(lir.LowReturn(lir.ONE))
        self.first.put(x, lir.ZERO, (lir.Get("first"),))
        self.used.clear(x, lir.Num(64 * self.count))
        self.got.clear(x, many)
        with count_up(x, lir.Get("first"), many) as place:
            with count_up(x, lir.ZERO, build.bind(self.need(x, place))):
                self.seen.put(x, lir.ZERO, nothing(self.count))
                with build.when(b.zero(lir.LowCall(self.name("seat"), (place,)))):
                    build.emit(lir.LowReturn(lir.ZERO))
        build.emit(lir.LowReturn(lir.ONE))
        return x.finish()

    def _match(self) -> lir.LowFunction:
        """Give an option to an item, moving others; it runs itself."""
        x = self._function("match", "option")
        build, option = x.build, lir.Get("option")
        bits = build.bind_all(x.bit_words(option, self.count))
        with count_up(x, self.first.one(x, lir.ZERO), self.items.one(x, lir.ZERO)) as place:
            may = b.any_word(b.each("and", self.trial.get(x, place), bits))
            with build.when(b.both(b.zero(b.zero(may)), b.zero(self.seen_items.one(x, place)))):
                self.seen_items.put(x, place, (lir.ONE,))
                held = build.bind_all(self.held.get(x, place))
                with build.when(b.binary("lt_s", b.count(held), self.at_most(x, place))):
                    self._give(x, self.held, place, bits)
                left = build.variables(held, "left")
                with taken_from(x, left) as (other, moved):
                    with build.when(lir.LowCall(self.name("match"), (other,))):
                        self.held.put(x, place, b.without(self.held.get(x, place), moved))
                        self._give(x, self.held, place, bits)
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    def _can_match(self) -> lir.LowFunction:
        """Whether each of some options can be given to an item from one on that has room for it."""
        params = tuple(f"wanted {number}" for number in range(self.count))
        x = self._function("can_match", "first", *params)
        build, many = x.build, self.items.one(x, lir.ZERO)
        self.first.put(x, lir.ZERO, (lir.Get("first"),))
        wanted = build.variables(b.gets(params), "wanted")
        self.held.clear(x, many)
        with taken_from(x, wanted) as (option, _):
            self.seen_items.clear(x, many)
            with build.when(b.zero(lir.LowCall(self.name("match"), (option,)))):
                build.emit(lir.LowReturn(lir.ZERO))
        build.emit(lir.LowReturn(lir.ONE))
        return x.finish()
