"""Choices of several members: one more, or done."""

from __future__ import annotations

from rulekit.ir import Const, Expr
from rulekit.ir.conditions import TRUE
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.asking import Asking
from rulekit.runtime.native.lower.choosing.covers import Covers
from rulekit.runtime.native.lower.choosing.picks import PickSearch


class AskingForSeveral(Asking):
    """A choice of several members."""

    def answer(self) -> Words:
        """Any number of members within bounds: one more, or done."""
        choice, x, build = self.choice, self.x, self.x.build
        least = choice.low
        any_number = choice.high is None and (least is None or isinstance(least, Const) and least.value == 0)
        covers = Covers(self) if self.norms.covers else None
        search = PickSearch(self) if self.norms.judged else None
        may = None if self.norms.declining == TRUE else self.norms.declining
        freely = any_number and covers is None and search is None and may is None
        legal = build.bind_all(x.words(self.legal()) if freely else self.words(self.legal()), "legal")
        low = lir.ZERO if choice.low is None else self.once(choice.low)
        high = build.bind(b.count(legal)) if choice.high is None else self.once(choice.high)
        chosen = build.variables(tuple(lir.ZERO for _ in legal), "chosen")
        if search is not None:
            search.start(low, high)
        if covers is not None:
            covers.begin(legal)
        with build.loop("picks") as label:
            if freely:
                options = build.bind_all(b.without(legal, b.gets(chosen)))
                self.pick(chosen, options, lir.ONE, label)
            else:
                if search is not None:
                    options, done = search.next_pick(legal, chosen, low, high)
                elif covers is not None:
                    options, done = covers.next_pick(chosen, low, high)
                else:
                    options, done = self._next_pick(legal, chosen, low, high)
                end = self._may_end(options, chosen, done, may)
                if low != lir.ZERO and choice.able == "must":
                    together = b.each("or", b.gets(chosen), options)
                    with build.when(b.both(b.zero(done), b.binary("eq", b.count(together), low))):
                        self.tell_taken(options)
                        for local, word in zip(chosen, together, strict=True):
                            build.set(local, word)
                        build.emit(lir.LowBreak(label))
                self.pick(chosen, options, end, label)
        return b.gets(chosen)

    def _may_end(self, options: Words, chosen: tuple[str, ...], done: lir.Expr, may: Expr | None) -> lir.Expr:
        """Whether the picks may end here; a fault if they may neither end nor go on.

        Nothing at all is an answer of its own, wherever the first pick is still open.
        """
        build, able = self.x.build, self.choice.able
        nothing = b.zero(b.any_word(b.gets(chosen)))
        if able == "none":
            done = b.binary("or", done, nothing)
        elif able == "if_able":
            done = b.binary("or", done, b.zero(b.any_word(b.each("or", b.gets(chosen), options))))
        if may is not None:
            ending = build.variables((done,), "ending")[0]
            with build.when(b.both(lir.Get(ending), nothing)):
                build.set(ending, self.x.one(may))
            done = lir.Get(ending)
        done = build.bind(done)
        self.stuck(b.both(b.zero(b.any_word(options)), b.zero(done)))
        return done

    def _next_pick(
        self, legal: Words, chosen: tuple[str, ...], low: lir.Expr, high: lir.Expr
    ) -> tuple[Words, lir.Expr]:
        """The members that may come next, and whether the picks so far may be the answer."""
        build = self.x.build
        so_far = build.bind(b.count(b.gets(chosen)))
        allowed = build.bind_all(b.without(legal, b.gets(chosen)))
        done: lir.Expr = lir.ONE
        room = b.binary("lt_s", so_far, high)
        if low != lir.ZERO:
            possible = build.bind(b.binary("le_s", low, high))
            done = build.bind(b.both(possible, b.binary("ge_s", so_far, low)))
            enough = b.binary("ge_s", b.add(so_far, b.count(allowed)), low)
            room = b.both(possible, b.both(room, enough))
        room = build.bind(room)
        return build.bind_all(tuple(b.pick(room, word, lir.ZERO) for word in allowed)), done
