"""The oracle's choices: every finished answer is listed, and every norm held against it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, permutations, product
from typing import TYPE_CHECKING, Any

from rulekit import ir
from rulekit.ir import types as t

if TYPE_CHECKING:
    from tests.unit.runtime.oracle import Oracle

DONE = t.NONE + 2


def bits(mask: int) -> list[int]:
    """The members of a mask."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


class Answers:
    """One choice being asked, by definition: an option is offered if some legal answer begins like this."""

    def __init__(self, oracle: Oracle, choice: ir.Choice, arguments: tuple[Any, ...]) -> None:
        self.oracle = oracle
        self.choice = choice
        self.env = dict(zip((param.name for param in choice.params), arguments, strict=True))
        self.arguments = arguments
        self.side = oracle.value(choice.decider, self.env)
        for local, value in choice.lets:
            self.env[local.name] = oracle.value(value, self.env)
        self.index = oracle.program.choices.index(choice)

    def value(self, e: ir.Expr | None, default: Any, **more: Any) -> Any:
        return default if e is None else self.oracle.value(e, {**self.env, **more})

    def asked(self) -> Any:
        """Ask all parts; the answer."""
        return self.number_() if self.choice.verb == "number" else getattr(self, self.choice.verb)()

    # ------------------------------------------------------------ norms

    def holds(self, parts: list[dict[str, Any]], answer: dict[str, Any], members: int) -> bool:
        """Whether a finished answer satisfies every norm; `parts` bind the locals of each option."""
        norms = [norm for norm in self.choice.norms if not norm.declining]
        permits = [norm for norm in norms if norm.word == "permit"]
        for norm in norms:
            if norm.word == "permit":
                continue
            about = parts if self.about_parts(norm) else [{}]
            if any(self.broken(norm, {**self.env, **answer, **part}, members) for part in about):
                return False
        if not permits:
            return True
        return all(
            any(self.permitted(norm, {**self.env, **answer, **part}, members) for norm in permits)
            for part in parts
        )

    def about_parts(self, norm: ir.Norm) -> bool:
        """Whether a norm speaks of single options: also if it reads none of them, but nothing else either."""
        from rulekit.ir.walk import free

        names = {local.name for local in (self.choice.option, self.choice.item, self.choice.before) if local}
        names |= {local.name for local, _ in self.choice.fields}
        reads = free(norm.test)
        for part in (norm.cover, norm.whole):
            reads |= frozenset() if part is None else free(part)
        return bool(reads & names) or norm.cover is None and norm.whole is None

    def healed(self, norm: ir.Norm, env: dict[str, Any], members: int) -> bool:
        if norm.cover is not None and not self.oracle.value(norm.cover, env) & ~members:
            return True
        return norm.whole is not None and bool(self.oracle.value(norm.whole, env))

    def broken(self, norm: ir.Norm, env: dict[str, Any], members: int) -> bool:
        return bool(self.oracle.value(norm.test, env)) and not self.healed(norm, env, members)

    def permitted(self, norm: ir.Norm, env: dict[str, Any], members: int) -> bool:
        healable = norm.cover is not None or norm.whole is not None
        return bool(self.oracle.value(norm.test, env)) and (not healable or self.healed(norm, env, members))

    def may_decline(self, **more: Any) -> bool:
        norms = [norm for norm in self.choice.norms if norm.declining]
        return not any(self.value(norm.test, None, **more) for norm in norms)

    def names(self, **values: Any) -> dict[str, Any]:
        """Values under the names of the choice's locals; those that it does not bind are left out."""
        locals_ = {
            "option": self.choice.option,
            "item": self.choice.item,
            "before": self.choice.before,
            "chosen": self.choice.chosen,
            "assigned": self.choice.assigned,
        }
        return {
            local.name: values[key] for key, local in locals_.items() if local is not None and key in values
        }

    # ------------------------------------------------------------ asking

    def part(self, options: list[int], item: Any = None) -> int:
        if not options:
            from tests.unit.runtime.oracle import Fault

            raise Fault("no-legal-option")
        forced = len(options) == 1
        value = options[0] if forced else self.oracle.ask(self.index, self.side, item, tuple(options))
        site, name = self.choice.site, self.choice.name
        self.oracle.tell("forced" if forced else "answer", site, name, self.side, item, value, self.arguments)
        return value

    def single(self, options: list[int]) -> int:
        able = self.choice.able
        if able == "none" and self.may_decline():
            options = [*options, t.NONE]
        if able == "if_able" and not options and self.may_decline():
            return t.NONE
        return self.part(options)

    def pick_one(self) -> int:
        def legal(option: int) -> bool:
            mask = 1 << option
            return self.holds([self.names(option=option)], self.names(chosen=mask), mask)

        return self.single([one for one in bits(self.value(self.choice.candidates, 0)) if legal(one)])

    def pick_record(self) -> int:
        kind = self.choice.option.type
        assert isinstance(kind, t.Record)
        ways: list[dict[str, int]] = [{}]
        for local, among in self.choice.fields:
            ways = [{**way, local.name: one} for way in ways for one in bits(self.value(among, 0, **way))]
        legal = [way for way in ways if self.holds([way], {}, 0)]
        return self.single([self.oracle.packed(kind, tuple(way.values())) for way in legal])

    def decide(self) -> int:
        return self.single([b for b in (0, 1) if self.holds([self.names(option=b)], {}, 0)])

    def number_(self) -> int:
        low, high = self.value(self.choice.low, 0), self.value(self.choice.high, 0)
        return self.single([n for n in range(low, high + 1) if self.holds([self.names(option=n)], {}, 0)])

    def pick_set(self) -> int:
        candidates = bits(self.value(self.choice.candidates, 0))
        low = self.value(self.choice.low, 0)
        legal_alone = candidates
        high = self.value(self.choice.high, len(legal_alone))
        subsets = chain.from_iterable(combinations(candidates, size) for size in range(low, high + 1))
        legal = [sum(1 << one for one in subset) for subset in subsets]
        legal = [mask for mask in legal if self.set_holds(mask)]
        chosen = 0
        while True:
            more = [
                o
                for o in candidates
                if not chosen >> o & 1 and any(not (chosen | 1 << o) & ~m for m in legal)
            ]
            done = chosen in legal
            empty = not chosen and (self.choice.able == "none" or self.choice.able == "if_able" and not more)
            end = (done or empty) and (bool(chosen) or self.may_decline())
            if not end and more and low and self.choice.able == "must":
                together = chosen | sum(1 << one for one in more)
                if together.bit_count() == low:
                    rest = together & ~chosen
                    site, name = self.choice.site, self.choice.name
                    self.oracle.tell("forced_all", site, name, self.side, None, rest, self.arguments)
                    return together
            value = self.part([*more, *([DONE] if end else [])])
            if value == DONE:
                return chosen
            chosen |= 1 << value

    def set_holds(self, mask: int) -> bool:
        return self.holds([self.names(option=one) for one in bits(mask)], self.names(chosen=mask), mask)

    # ------------------------------------------------------------ one for each item

    def assign(self) -> dict[int, int]:
        items = bits(self.value(self.choice.items, 0))
        each = self.value(self.choice.each, -1)
        lists = []
        for item in items:
            own = bits(self.value(self.choice.candidates, 0, **self.names(item=item)))
            free = self.choice.able != "must" and self.may_decline(**self.names(item=item))
            lists.append([*own, *([t.NONE] if free else [])])
        legal = [picks for picks in product(*lists) if self.assignment_holds(items, picks, each)]
        done: tuple[int, ...] = ()
        for place, item in enumerate(items):
            able = [o for o in lists[place] if any(picks[: place + 1] == (*done, o) for picks in legal)]
            if self.choice.able == "if_able" and any(o != t.NONE for o in able):
                able = [o for o in able if o != t.NONE]
            done += (self.part(able, item),)
        optional = isinstance(self.choice.answer, t.MapOf) and isinstance(
            self.choice.answer.value, t.Optional
        )
        return {i: o for i, o in zip(items, done, strict=True) if o != t.NONE or optional}

    def assignment_holds(self, items: list[int], picks: tuple[int, ...], each: int) -> bool:
        if each >= 0 and any(picks.count(one) > each for one in picks if one != t.NONE):
            return False
        pairs = [(i, o) for i, o in zip(items, picks, strict=True) if o != t.NONE]
        mask = sum(1 << one for one in {o for _, o in pairs})
        answer = self.names(chosen=mask, assigned=dict(zip(items, picks, strict=True)))
        return self.holds([self.names(item=i, option=o) for i, o in pairs], answer, mask)

    def assign_set(self) -> dict[int, int]:
        items = bits(self.value(self.choice.items, 0))
        each = self.value(self.choice.each, -1)
        lists = [self.sets_for(item) for item in items]
        legal = [sets for sets in product(*lists) if self.sets_hold(items, sets, each)]
        done: tuple[int, ...] = ()
        for item in items:
            chosen = 0
            while True:
                here = [sets[len(done)] for sets in legal if sets[: len(done)] == done]
                own = bits(self.value(self.choice.candidates, 0, **self.names(item=item)) & ~chosen)
                able = [o for o in own if any(not (chosen | 1 << o) & ~sets for sets in here)]
                end = chosen in here
                low = self.value(self.choice.low, 0, **self.names(item=item))
                if not chosen and low and self.choice.able == "if_able" and able:
                    end = False
                value = self.part([*able, *([DONE] if end else [])], item)
                if value == DONE:
                    break
                chosen |= 1 << value
            done += (chosen,)
        return dict(zip(items, done, strict=True))

    def sets_for(self, item: int) -> list[int]:
        """The sets that one item may get, norms aside."""
        names = self.names(item=item)
        own = bits(self.value(self.choice.candidates, 0, **names))
        low, high = self.value(self.choice.low, 0, **names), self.value(self.choice.high, len(own), **names)
        sizes = [size for size in range(len(own) + 1) if low <= size <= high and size]
        if self.choice.able == "must" and not low or self.choice.able != "must" and self.may_decline(**names):
            sizes.append(0)
        return [sum(1 << one for one in group) for size in sizes for group in combinations(own, size)]

    def sets_hold(self, items: list[int], sets: tuple[int, ...], each: int) -> bool:
        pairs = [(item, one) for item, own in zip(items, sets, strict=True) for one in bits(own)]
        given = [one for _, one in pairs]
        if each >= 0 and any(given.count(one) > each for one in given):
            return False
        mask = sum(1 << one for one in set(given))
        answer = self.names(chosen=mask, assigned=dict(zip(items, sets, strict=True)))
        return self.holds([self.names(item=i, option=o) for i, o in pairs], answer, mask)

    def share(self) -> dict[int, int]:
        items = bits(self.value(self.choice.items, 0))
        total = self.value(self.choice.total, 0)
        lists = []
        for item in items:
            names = self.names(item=item)
            low, high = self.value(self.choice.low, 0, **names), self.value(self.choice.high, total, **names)
            own = range(max(low, 0), min(high, total) + 1)
            lists.append([n for n in own if self.final(item, n)])
        sums = [sum(picks) for picks in product(*lists) if sum(picks) <= total]
        wanted = max(sums, default=-1)
        if not items:
            return {}
        legal = [p for p in product(*lists) if sum(p) == wanted and self.share_holds(items, p)]
        if not legal:
            self.part([])
        done: tuple[int, ...] = ()
        for place, item in enumerate(items):
            able = [n for n in lists[place] if any(p[: place + 1] == (*done, n) for p in legal)]
            done += (self.part(able, item),)
        return dict(zip(items, done, strict=True))

    def final(self, item: int, number: int) -> bool:
        """Whether norms that read no finished answer allow one share: they bound what can be shared."""
        from rulekit.ir.walk import free

        answer = {local.name for local in (self.choice.chosen,) if local is not None}
        names = self.names(item=item, option=number)
        for norm in self.choice.norms:
            final = norm.cover is None and norm.whole is None and not free(norm.test) & answer
            if (
                final
                and norm.word != "permit"
                and set(free(norm.test)) & set(names)
                and self.value(norm.test, 0, **names)
            ):
                return False
        permits = [norm for norm in self.choice.norms if norm.word == "permit"]
        return not permits or any(self.value(norm.test, 0, **names) for norm in permits)

    def share_holds(self, items: list[int], picks: tuple[int, ...]) -> bool:
        answer = dict(zip(items, picks, strict=True))
        parts = [self.names(item=i, option=n) for i, n in answer.items()]
        return self.holds(parts, self.names(chosen=answer), sum(1 << i for i in items))

    # ------------------------------------------------------------ wholes

    def split(self) -> tuple[int, ...]:
        things = bits(self.value(self.choice.candidates, 0))
        low, high = self.value(self.choice.low, 1), self.value(self.choice.high, len(things))
        ways = [way for way in self.partings(len(things)) if low <= max(way, default=0) <= high]
        if not things:
            return ()
        legal = [way for way in ways if self.parting_holds(things, way)]
        if not legal:
            self.part([])
        done: tuple[int, ...] = ()
        for place, thing in enumerate(things):
            able = sorted({way[place] for way in legal if way[:place] == done})
            done += (self.part(able, thing),)
        return self.parts_of(things, done)

    def partings(self, count: int) -> Iterator[tuple[int, ...]]:
        """For each thing the number of its part, parts being numbered as they begin."""
        if not count:
            yield ()
            return
        for way in self.partings(count - 1):
            for number in range(1, max(way, default=0) + 2):
                yield (*way, number)

    def parts_of(self, things: list[int], way: tuple[int, ...]) -> tuple[int, ...]:
        numbers = range(1, max(way, default=0) + 1)
        return tuple(
            sum(1 << x for x, n in zip(things, way, strict=True) if n == number) for number in numbers
        )

    def parting_holds(self, things: list[int], way: tuple[int, ...]) -> bool:
        parts = self.parts_of(things, way)
        members = sum(1 << one for one in things)
        return self.holds([self.names(option=part) for part in parts], self.names(chosen=parts), members)

    def arrange(self) -> tuple[int, ...]:
        members = bits(self.value(self.choice.candidates, 0))
        if not members:
            return ()
        legal = [order for order in permutations(members) if self.order_holds(order)]
        if not legal:
            self.part([])
        done: tuple[int, ...] = ()
        while len(done) < len(members):
            place = len(done)
            able = sorted({order[place] for order in legal if order[:place] == done})
            done += (self.part(able),)
        return done

    def order_holds(self, order: tuple[int, ...]) -> bool:
        pairs = zip((t.NONE, *order), order, strict=False)
        parts = [self.names(before=before, option=one) for before, one in pairs]
        return self.holds(parts, self.names(chosen=order), sum(1 << one for one in order))
