"""Cover norms: which options leave room for the sets that the finished answer must hold.

A *class* is some options together with what the answer needs if any of them is in it. For each set of classes
that may come into play, what is still needed is counted against the picks left, in line, as
`rulekit.runtime.support.completion` does.
"""

from __future__ import annotations

from typing import Protocol

from rulekit.ir import Choice, Expr
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.rows import Rows, include
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.refusals import CannotLower
from rulekit.runtime.optimise.norms import Sorted

MOST_CLASSES = 3
"""Classes of which all sets are tried in line."""


class Asked(Protocol):
    """The choice that has the norms."""

    x: RoutineLowerer
    choice: Choice
    norms: Sorted

    def legal(self) -> Expr:
        """The candidates that final norms leave, as a set."""

    def of_class(self, test: Expr) -> Expr:
        """The candidates for which a test holds, as a set."""

    def words(self, e: Expr) -> Words:
        """The value of an expression that is worked out once for the whole choice."""

    def once(self, e: Expr) -> lir.Expr:
        """The same of one word, which may be used more than once."""

    def by_item(self, items: Words, rows: Rows, e: Expr) -> None:
        """Fill a row for each item: worked out once, where it is the same for all."""


class Covers:
    """The classes of one choice, and what its answer needs whatever is picked."""

    def __init__(self, asking: Asked) -> None:
        choice = asking.choice
        if len(asking.norms.covers) > MOST_CLASSES:
            raise CannotLower(f"the choice `{choice.name}`, of many sets to cover,", choice.site)
        self.asking, self.x = asking, asking.x

    def begin(self, legal: Words) -> None:
        """Work out the classes; `legal` are all legal options, whose words may be used more than once."""
        build = self.x.build
        self.legal = legal
        self.classes: list[tuple[Words, Words]] = []
        covers = self.asking.norms.covers
        for cover in (cover for cover in covers if not cover.always):
            own = build.bind_all(self.asking.words(self.asking.of_class(cover.test)), "class")
            self.classes.append((own, build.bind_all(self.asking.words(cover.needed), "needed")))
        always: Words = tuple(lir.ZERO for _ in legal)
        for cover in (cover for cover in covers if cover.always):
            names = build.variables(tuple(lir.ZERO for _ in legal), "always")
            with build.when(self.asking.once(cover.test)):
                for local, word in zip(
                    names, b.pad(self.asking.words(cover.needed), len(names)), strict=True
                ):
                    build.set(local, word)
            always = b.each("or", always, b.gets(names))
        self.always = build.bind_all(always, "always")

    def plays(self) -> range:
        """All sets of classes as masks, the largest first."""
        return range((1 << len(self.classes)) - 1, -1, -1)

    def of_play(self, play: int) -> tuple[Words, Words]:
        """The members that some classes need, and the options of the other classes."""
        needed = self.always
        banned: Words = tuple(lir.ZERO for _ in self.legal)
        for number, (own, wanted) in enumerate(self.classes):
            if play >> number & 1:
                needed = b.each("or", needed, wanted)
            else:
                banned = b.each("or", banned, own)
        return needed, banned

    def next_pick(self, chosen: tuple[str, ...], low: lir.Expr, high: lir.Expr) -> tuple[Words, lir.Expr]:
        """The options for the next pick of a set, and whether the picks so far may be the whole answer."""
        build = self.x.build
        mask = build.variables(tuple(lir.ZERO for _ in self.legal), "mask")
        done = build.variables((lir.ZERO,), "done")[0]
        picked = build.bind_all(b.gets(chosen))
        so_far = build.bind(b.count(picked))
        left = build.bind(b.binary("sub", b.plus(high, -1), so_far))
        possible = build.bind(b.binary("le_s", low, high))
        for play in self.plays():
            needed, banned = self.of_play(play)
            in_play = b.zero(b.any_word(b.each("and", picked, banned)))
            with build.when(b.both(possible, in_play)):
                allowed = build.bind_all(b.without(b.without(self.legal, banned), picked))
                missing = build.bind_all(b.without(needed, picked))
                whole = b.both(b.zero(b.any_word(missing)), b.binary("ge_s", so_far, low))
                with build.when(whole):
                    build.set(done, lir.ONE)
                enough = b.binary("ge_s", b.add(so_far, b.count(allowed)), low)
                open_ = b.both(b.zero(b.any_word(b.without(missing, allowed))), enough)
                with build.when(b.both(open_, b.binary("ge_s", left, lir.ZERO))):
                    many = build.bind(b.count(missing))
                    with build.when(b.binary("le_s", many, left)):
                        include(self.x, mask, allowed)
                    with build.when(b.binary("eq", many, b.plus(left, 1))):
                        include(self.x, mask, missing)
        return b.gets(mask), lir.Get(done)


class Counting(Covers):
    """For each set of classes in play, what is still needed against the picks left.

    It stands for items that all may get the same options.
    """

    def begin_items(self, legal: Expr, items: Words) -> None:
        """Work out everything that all items share."""
        self.begin(self.x.build.bind_all(self.asking.words(legal), "legal"))
        self.left = self.x.build.variables((b.count(items),), "left")[0]
        self.chosen = self.x.build.variables(tuple(lir.ZERO for _ in self.legal), "chosen")

    def options(self) -> tuple[Words, lir.Expr]:
        """The options of the next item, and whether it may have none."""
        build, choice = self.x.build, self.asking.choice
        build.set(self.left, b.plus(lir.Get(self.left), -1))
        mask = build.variables(tuple(lir.ZERO for _ in self.legal), "mask")
        free = build.variables((lir.ZERO,), "free")[0]
        for play in self.plays():
            needed, banned = self.of_play(play)
            allowed = build.bind_all(b.without(self.legal, banned))
            test = b.zero(b.any_word(b.each("and", b.gets(self.chosen), banned)))
            if choice.able == "must":
                test = b.both(test, b.zero(b.zero(b.any_word(allowed))))
            with build.when(test):
                missing = build.bind_all(b.without(needed, b.gets(self.chosen)))
                with build.when(b.zero(b.any_word(b.without(missing, allowed)))):
                    many = build.bind(b.count(missing))
                    with build.when(b.binary("le_s", many, lir.Get(self.left))):
                        include(self.x, mask, allowed)
                        build.set(free, lir.ONE)
                    with build.when(b.binary("eq", many, b.plus(lir.Get(self.left), 1))):
                        include(self.x, mask, missing)
        return b.gets(mask), lir.Get(free)

    def note_pick(self, option: lir.Expr) -> None:
        """An item has got an option, or nothing."""
        with self.x.build.when(b.binary("ge_s", option, lir.ZERO)):
            include(self.x, self.chosen, self.x.bit_words(option, len(self.chosen)))
