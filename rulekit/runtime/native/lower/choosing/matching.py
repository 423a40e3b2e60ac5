"""Assignments in which items differ in what they may get, or options run out: matching options to items.

`rulekit.runtime.support.completion` defines the options of an item. Whether all items can be seated, and
whether all that is missing can be had, has one answer whatever is tried first: the paths here are their own.
"""

from __future__ import annotations

from rulekit.ir.types import Flag
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.covers import MOST_CLASSES, Asked
from rulekit.runtime.native.lower.choosing.rows import Rows, count_up, include, taken_from
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.refusals import CannotLower
from rulekit.runtime.optimise.bounds import NEVER

NOBODY = lir.Num(-1)
NOTHING = lir.Num(-1)


class Matching:
    """The options of each item in its turn."""

    def __init__(self, asking: Asked) -> None:
        self.asking, self.x, self.build = asking, asking.x, asking.x.build
        choice = asking.choice
        if len(asking.norms.covers) > MOST_CLASSES:
            raise CannotLower(f"the choice `{choice.name}`, of many sets to cover,", choice.site)
        assert choice.items is not None and choice.candidates is not None
        unit = self.x.unit
        self.count = unit.shapes.words(choice.candidates.type)
        self.most = 64 * unit.shapes.words(choice.items.type)
        self.row = self.count * CELL

        def room(name: str, words: int) -> int:
            return unit.buffer(self.build.name, f"matching {name}", words)

        self.lists, self.allowed, self.trial = (
            room(name, self.most * self.count) for name in ("lists", "allowed", "trial")
        )
        self.free, self.picks, self.got, self.holder = (
            room(name, self.most) for name in ("free", "picks", "got", "holder")
        )
        self.caps, self.used = (room(name, 64 * self.count) for name in ("caps", "used"))
        self.seen, self.seen_items = room("seen", self.count), room("seen items", self.most)
        self.items, self.first, self.limited = room("items", 1), room("first", 1), room("limited", 1)
        self.own = [
            room(f"class {number}", self.most * self.count)
            for number, cover in enumerate(asking.norms.covers)
            if not cover.always
        ]
        for function in (self._seat(), self._can_seat(), self._match(), self._can_match()):
            unit.add(function)

    def name(self, kind: str) -> str:
        """The name of a function of this choice."""
        return f"{kind} {self.asking.choice.name}"

    # ------------------------------------------------------------ what is the same for all items

    def begin(self, items: Words) -> None:
        """List the options of every item, and work out the classes."""
        x, build, asking, choice = self.x, self.build, self.asking, self.asking.choice
        covers = [cover for cover in asking.norms.covers if not cover.always]
        asking.by_item(items, Rows(self.lists, self.count), asking.legal())
        declining = asking.norms.declining if choice.able != "must" else NEVER
        asking.by_item(items, Rows(self.free), declining)
        self.needed: list[Words] = []
        for own, cover in zip(self.own, covers, strict=True):
            asking.by_item(items, Rows(own, self.count), asking.of_class(cover.test))
            needed = b.pad(asking.words(cover.needed), self.count)
            self.needed.append(build.bind_all(needed, "needed"))
        x.store((self.items, None), (b.count(items),))
        always: Words = tuple(lir.ZERO for _ in range(self.count))
        for cover in asking.norms.covers:
            if cover.always:
                names = build.variables(tuple(lir.ZERO for _ in always), "always")
                with build.when(asking.once(cover.test)):
                    words = b.pad(asking.words(cover.needed), self.count)
                    for local, word in zip(names, words, strict=True):
                        build.set(local, word)
                always = b.each("or", always, b.gets(names))
        self.always = build.bind_all(always, "always")
        self.limit = NOTHING if choice.each is None else asking.once(choice.each)
        x.store((self.limited, None), (b.binary("ge_s", self.limit, lir.ZERO),))
        self.position, self.play = build.variables((lir.ZERO, lir.ZERO), "position")
        self.chosen = build.variables(tuple(lir.ZERO for _ in always), "chosen")

    # ------------------------------------------------------------ one item

    def options(self) -> tuple[Words, lir.Expr]:
        """The options of the next item, and whether it may have none."""
        build = self.build
        full = self._take_caps()
        mask = build.variables(tuple(lir.ZERO for _ in range(self.count)), "mask")
        none = build.variables((lir.ZERO,), "none")[0]
        position = lir.Get(self.position)
        free_here = build.bind(lir.Load(self.free, b.times(position, CELL)))
        for play in range((1 << len(self.own)) - 1, -1, -1):
            outside = ((1 << len(self.own)) - 1) & ~play
            with build.when(b.zero(b.binary("and", lir.Get(self.play), lir.Num(outside)))):
                missing: Words = self.always
                for number, needed in enumerate(self.needed):
                    missing = b.each("or", missing, needed) if play >> number & 1 else missing
                missing = build.bind_all(b.without(missing, b.gets(self.chosen)))
                possible = self._allow(full, play)
                with build.when(possible):
                    self._copy_trial(None)
                    later = build.bind(b.plus(position, 1))
                    matched = build.bind(lir.LowCall(self.name("can_match"), (later, *missing)))
                    seated = lir.LowCall(self.name("can_seat"), (later,))
                    with build.when(b.both(free_here, matched)):
                        build.set(none, b.binary("or", lir.Get(none), seated))
                    own = build.bind_all(self._row_of(self.allowed, position))
                    at_once = b.both(b.binary("lt_s", self.limit, lir.ZERO), matched)
                    with build.when(at_once):
                        include(self.x, mask, own)
                    left = b.binary("sub", lir.Load(self.items), position)
                    enough = b.binary("le_s", b.count(missing), left)
                    with build.when(b.both(b.zero(at_once), enough)):
                        self._try_each(own, mask, missing, later)
        return b.gets(mask), lir.Get(none)

    def note_pick(self, option: lir.Expr) -> None:
        """Note the answer of an item; below 0 it got nothing."""
        x, build = self.x, self.build
        position = lir.Get(self.position)
        x.store((self.picks, b.times(position, CELL)), (option,))
        with build.when(b.binary("ge_s", option, lir.ZERO)):
            include(self.x, self.chosen, x.bit_words(option, self.count))
            for number, own in enumerate(self.own):
                row = self._row_of(own, position)
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
        full = build.variables(tuple(lir.ZERO for _ in range(self.count)), "full")
        with build.when(b.binary("ge_s", self.limit, lir.ZERO)):
            with count_up(self.x, lir.ZERO, lir.Num(64 * self.count)) as option:
                x.store((self.caps, b.times(option, CELL)), (self.limit,))
            with count_up(self.x, lir.ZERO, lir.Get(self.position)) as place:
                pick = build.bind(lir.Load(self.picks, b.times(place, CELL)))
                with build.when(b.binary("ge_s", pick, lir.ZERO)):
                    at = build.bind(b.times(pick, CELL))
                    x.store((self.caps, at), (b.plus(lir.Load(self.caps, at), -1),))
            with count_up(self.x, lir.ZERO, lir.Num(64 * self.count)) as option:
                with build.when(b.binary("le_s", lir.Load(self.caps, b.times(option, CELL)), lir.ZERO)):
                    include(self.x, full, x.bit_words(option, self.count))
        return b.gets(full)

    def _allow(self, full: Words, play: int) -> lir.Expr:
        """List what items from here on may get; whether each has something, or may have nothing."""
        x, build = self.x, self.build
        possible = build.variables((lir.ONE,), "possible")[0]
        with count_up(self.x, lir.Get(self.position), lir.Load(self.items)) as place:
            words = b.without(self._row_of(self.lists, place), full)
            for number, own in enumerate(self.own):
                if not play >> number & 1:
                    words = b.without(words, self._row_of(own, place))
            words = build.bind_all(words)
            x.store((self.allowed, b.times(place, self.row)), words)
            some = b.binary("or", b.any_word(words), lir.Load(self.free, b.times(place, CELL)))
            with build.when(b.zero(some)):
                build.set(possible, lir.ZERO)
        return lir.Get(possible)

    def _copy_trial(self, without: Words | None) -> None:
        """Take what later items may get for a trial, without some options."""
        with count_up(self.x, b.plus(lir.Get(self.position), 1), lir.Load(self.items)) as place:
            words = self._row_of(self.allowed, place)
            words = words if without is None else b.without(words, without)
            self.x.store((self.trial, b.times(place, self.row)), words)

    def _try_each(self, own: Words, mask: tuple[str, ...], missing: Words, later: lir.Expr) -> None:
        """Put those options into the mask after which all that is missing can be had, and all be seated."""
        x, build = self.x, self.build
        left = build.variables(b.without(own, b.gets(mask)), "left")
        with taken_from(self.x, left) as (option, bits):
            at = build.bind(b.times(option, CELL))
            limited = build.bind(b.binary("ge_s", self.limit, lir.ZERO))
            with build.when(limited):
                x.store((self.caps, at), (b.plus(lir.Load(self.caps, at), -1),))
            gone = build.bind(b.both(limited, b.zero(lir.Load(self.caps, at))))
            self._copy_trial(tuple(build.bind(b.pick(gone, bit, lir.ZERO)) for bit in bits))
            rest = b.without(missing, bits)
            with build.when(lir.LowCall(self.name("can_match"), (later, *rest))):
                with build.when(lir.LowCall(self.name("can_seat"), (later,))):
                    include(self.x, mask, bits)
            with build.when(limited):
                x.store((self.caps, at), (b.plus(lir.Load(self.caps, at), 1),))

    # ------------------------------------------------------------ paths

    def _function(self, kind: str, *params: str) -> RoutineLowerer:
        x = RoutineLowerer(self.x.unit, self.name(kind), (), Flag(), self.asking.choice.site)
        x.build.params = params
        return x

    def _seat(self) -> lir.LowFunction:
        """Give an item an option, moving others; it runs itself, and so has no buffers of its own."""
        x = self._function("seat", "item")
        build, item = x.build, lir.Get("item")
        left = build.variables(self._row_of(self.trial, item, build), "left")
        with taken_from(x, left) as (option, bits):
            seen = tuple(lir.Load(self.seen + CELL * n) for n in range(self.count))
            with build.when(b.zero(b.any_word(b.each("and", seen, bits)))):
                x.store((self.seen, None), b.each("or", seen, bits))
                at = build.bind(b.times(option, CELL))
                give = (self.got, b.times(item, CELL))
                with build.when(b.binary("lt_s", lir.Load(self.used, at), lir.Load(self.caps, at))):
                    x.store((self.used, at), (b.plus(lir.Load(self.used, at), 1),))
                    x.store(give, (option,))
                    build.emit(lir.LowReturn(lir.ONE))
                with count_up(x, lir.Load(self.first), lir.Load(self.items)) as other:
                    held = b.binary("eq", lir.Load(self.got, b.times(other, CELL)), option)
                    with build.when(held):
                        with build.when(lir.LowCall(self.name("seat"), (other,))):
                            x.store(give, (option,))
                            build.emit(lir.LowReturn(lir.ONE))
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    def _can_seat(self) -> lir.LowFunction:
        """Whether every item from one on that must can get an option, as often as each may be given."""
        x = self._function("can_seat", "first")
        build = x.build
        with build.when(b.zero(lir.Load(self.limited))):  # each has an option, and none runs out
            build.emit(lir.LowReturn(lir.ONE))
        x.store((self.first, None), (lir.Get("first"),))
        build.emit(lir.LowRun("clear", (lir.Num(self.used), lir.Num(64 * self.count))))
        with count_up(x, lir.Get("first"), lir.Load(self.items)) as place:
            x.store((self.got, b.times(place, CELL)), (NOTHING,))
        with count_up(x, lir.Get("first"), lir.Load(self.items)) as place:
            with build.when(b.zero(lir.Load(self.free, b.times(place, CELL)))):
                x.store((self.seen, None), tuple(lir.ZERO for _ in range(self.count)))
                with build.when(b.zero(lir.LowCall(self.name("seat"), (place,)))):
                    build.emit(lir.LowReturn(lir.ZERO))
        build.emit(lir.LowReturn(lir.ONE))
        return x.finish()

    def _match(self) -> lir.LowFunction:
        """Give an option to an item of its own, moving others; it runs itself."""
        x = self._function("match", "option")
        build, option = x.build, lir.Get("option")
        bits = build.bind_all(x.bit_words(option, self.count))
        with count_up(x, lir.Load(self.first), lir.Load(self.items)) as place:
            at = build.bind(b.times(place, CELL))
            row = self._row_of(self.trial, place, build)
            open_ = b.both(
                b.zero(b.zero(b.any_word(b.each("and", row, bits)))), b.zero(lir.Load(self.seen_items, at))
            )
            with build.when(open_):
                x.store((self.seen_items, at), (lir.ONE,))
                holder = build.bind(lir.Load(self.holder, at))
                moved = build.variables((b.binary("lt_s", holder, lir.ZERO),), "moved")[0]
                with build.when(b.zero(lir.Get(moved))):
                    build.set(moved, lir.LowCall(self.name("match"), (holder,)))
                with build.when(lir.Get(moved)):
                    x.store((self.holder, at), (option,))
                    build.emit(lir.LowReturn(lir.ONE))
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    def _can_match(self) -> lir.LowFunction:
        """Whether each of some options can be given to an item of its own, from one on."""
        params = tuple(f"wanted {number}" for number in range(self.count))
        x = self._function("can_match", "first", *params)
        build = x.build
        x.store((self.first, None), (lir.Get("first"),))
        wanted = build.variables(b.gets(params), "wanted")
        with count_up(x, lir.Get("first"), lir.Load(self.items)) as place:
            x.store((self.holder, b.times(place, CELL)), (NOBODY,))
        with taken_from(x, wanted) as (option, _):
            build.emit(lir.LowRun("clear", (lir.Num(self.seen_items), lir.Load(self.items))))
            with build.when(b.zero(lir.LowCall(self.name("match"), (option,)))):
                build.emit(lir.LowReturn(lir.ZERO))
        build.emit(lir.LowReturn(lir.ONE))
        return x.finish()

    # ------------------------------------------------------------ loops

    def _row_of(self, rows: int, place: lir.Expr, build: b.LowBuilder | None = None) -> Words:
        at = (build or self.build).bind(b.times(place, self.row))
        return tuple(lir.Load(rows + CELL * n, at) for n in range(self.count))
