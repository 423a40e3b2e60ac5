"""Choices as functions that give the answer: one question for each part, answered by the policy.

A part with one option is taken without asking; the options come in the order of the Python back end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulekit.ir import Choice, Const, Expr, Filter, Local, Op, walk
from rulekit.ir.conditions import TRUE, conjunction
from rulekit.ir.semantics.records import digits_of
from rulekit.ir.types import DONE, Int, ListOf, MapOf, Optional, Record
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import maps, operations
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.assigning import SearchedAssignment
from rulekit.runtime.native.lower.choosing.assigning_sets import SetsOfItems
from rulekit.runtime.native.lower.choosing.covers import Counting, Covers
from rulekit.runtime.native.lower.choosing.matching import Matching
from rulekit.runtime.native.lower.choosing.picks import PickSearch
from rulekit.runtime.native.lower.choosing.rows import Rows
from rulekit.runtime.native.lower.drawing import member_number
from rulekit.runtime.native.lower.lowerer import NONE_WORD
from rulekit.runtime.native.lower.memory import CELL, OPTIONS
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.unit import ModuleUnit
from rulekit.runtime.native.refusals import CannotLower
from rulekit.runtime.optimise import norms, sets, sharing
from rulekit.runtime.support.build import MOST_OPTIONS

Part = Callable[[lir.Expr], lir.Expr]
"""Takes one of some options; one more follows them if the argument is 1."""

MOST_COUNTED = 2
"""Classes of cover norms that are counted, where all items may get the same."""
MOST_SHARED = 62
"""The most that can be shared out: sums are bits of a word."""


def choice(unit: ModuleUnit, name: str) -> lir.LowFunction:
    """A choice as a function."""
    item = unit.optimised.choice(name)
    x = RoutineLowerer(unit, f"choice {name}", item.params, item.answer, item.site)
    asking = Asking(x, item, norms.sort(unit.optimised.context, item), NONE_WORD)
    if asking.norms.searched and item.verb not in ("pick_set", "assign", "assign_set"):
        raise CannotLower(f"the choice `{name}`, whose whole answer is judged,", item.site)
    asking.side = x.build.bind(x.one(item.decider))
    prices = unit.optimised.prices
    once = 0 if prices.of_part(name) else prices.of_choice(name)
    if once:
        x.pay(lir.ONE, once)
    asking.bind_shared()
    for local, value in item.lets:
        x.bind_local(local, asking.words(value))
    match item.verb:
        case "pick_one" | "pick_record" | "decide" | "number":
            answer = asking.one()
        case "pick_set":
            answer = asking.several()
        case "assign":
            answer = asking.assign()
        case "split":
            answer = asking.split()
        case "arrange":
            answer = asking.arrange()
        case "share":
            answer = asking.share()
        case "assign_set":
            answer = asking.assign_sets()
    x.give(answer)
    return x.finish()


@dataclass
class Asking:
    """A choice while it is lowered."""

    x: RoutineLowerer
    choice: Choice
    norms: norms.Sorted
    side: lir.Expr
    item: lir.Expr = NONE_WORD
    shared: dict[Expr, Local] = field(default_factory=dict)
    """Locals for what the choice's expressions have in common."""

    @property
    def number(self) -> int:
        """The number of the choice in the program, which the policy has a stream for."""
        return self.x.unit.optimised.choice_index(self.choice.name)

    def bind_shared(self) -> None:
        """Bind what the choice's expressions have in common."""
        choice, optimised = self.choice, self.x.unit.optimised
        if optimised.plain or choice.verb in norms.AT_ONCE:
            return
        parts = [value for _, value in choice.lets]
        parts += [e for e in (choice.items, choice.low, choice.high, choice.total) if e is not None]
        parts += [cover.needed for cover in self.norms.covers]
        if choice.candidates is not None:
            parts.append(self.legal())
            parts += [self.of_class(cover.test) for cover in self.norms.covers if not cover.always]
        known = frozenset(param.name for param in choice.params)
        for number, e in enumerate(sharing.common(optimised.context, parts, known)):
            local = Local(f"shared {number} of {choice.name}", e.type)
            self.x.bind_local(local, self.words(e))
            self.shared[e] = local

    def words(self, e: Expr) -> Words:
        """The value of an expression that is worked out once for the whole choice."""
        return self.x.words(walk.with_parts_replaced(e, self.shared))

    def once(self, e: Expr) -> lir.Expr:
        """The same of one word, which may be used more than once."""
        return self.x.once(walk.with_parts_replaced(e, self.shared))

    def by_item(self, items: Words, rows: Rows, e: Expr) -> None:
        """Fill a row for each item: worked out once, where it is the same for all."""
        x, build, item = self.x, self.x.build, self.choice.item
        assert item is not None
        varies = item.name in walk.free(e)
        words = () if varies else build.bind_all(x.words(e))
        place = build.variables((lir.ZERO,), "place")[0]
        with x.members(items, "item") as (member, _):
            if varies:
                x.bind_local(item, (member,))
            rows.put(x, lir.Get(place), x.words(e) if varies else words)
            build.set(place, b.plus(lir.Get(place), 1))

    def legal(self) -> Expr:
        """The candidates that final norms leave, as a set."""
        assert self.choice.candidates is not None
        return self.of_class(self.norms.option) if self.norms.option != TRUE else self.choice.candidates

    def of_class(self, test: Expr) -> Expr:
        """The candidates for which a test holds, as a set."""
        candidates = self.choice.candidates
        assert candidates is not None
        kept = Filter(candidates, self.choice.option, test, candidates.type)
        return self.x.unit.optimised.simple(kept)

    def may_decline(self) -> lir.Expr | None:
        """Whether the answer none is allowed; None where no norm forbids it."""
        if self.norms.declining == TRUE:
            return None
        return self.x.once(self.norms.declining)

    def pay(self, parts: lir.Expr) -> None:
        """Take the price of the choice from the budget, for so many parts."""
        prices, name = self.x.unit.optimised.prices, self.choice.name
        price = prices.of_part(name)
        if price:
            self.x.pay(b.plus(b.times(parts, price), prices.of_choice(name)), 1)

    def stuck(self, condition: lir.Expr) -> None:
        """Fault if nothing is legal."""
        self.x.fail_if(condition, "no-legal-option")

    def take(self, total: lir.Expr, tell: Callable[[int], None]) -> lir.Expr:
        """Which of so many options is taken, counted from 0; one alone is not asked for.

        Args:
            tell: Puts the options into a buffer, as a list.
        """
        build, unit = self.x.build, self.x.unit
        total = build.bind(total)
        taken = build.variables((lir.ZERO,), "taken")[0]
        with build.when(b.binary("gt_s", total, lir.ONE)):
            if unit.stops:
                words = (lir.Num(self.number), self.side, self.item)
                self.x.store((unit.question, None), words)
                tell(unit.question + OPTIONS)
            asked = "ask" if unit.stops else "policy"
            build.set(taken, lir.LowCall(asked, (lir.Num(self.number), total)))
        return lir.Get(taken)

    def _tell_one_more(self, buffer: int, extra: lir.Expr, last: int) -> None:
        """Put one more option behind those in a buffer, if there is one."""
        with self.x.build.when(extra):
            self.x.store((buffer, None), (b.plus(lir.Load(buffer), 1),))
            self.x.store((buffer, b.times(lir.Load(buffer), CELL)), (lir.Num(last),))

    def part(self, words: Words, extra: lir.Expr, last: int) -> lir.Expr:
        """The answer out of a set, followed by `last` if `extra` is 1; there is at least one option."""
        build = self.x.build
        words = build.bind_all(words)
        many = build.bind(b.count(words))

        def tell(buffer: int) -> None:
            operations.list_members(self.x, words, buffer)
            self._tell_one_more(buffer, extra, last)

        taken = self.take(b.add(many, extra), tell)
        if extra == lir.ZERO:
            return member_number(self.x, words, taken)
        answer = build.variables((lir.Num(last),), "answer")[0]
        with build.when(b.binary("lt_s", taken, many)):
            build.set(answer, member_number(self.x, words, taken))
        return lir.Get(answer)

    # ------------------------------------------------------------ one part

    def one(self) -> Words:
        """One option: a member, yes or no, a number, or a record."""
        match self.choice.verb:
            case "pick_one":
                return (self._of_set(self.x.words(self.legal())),)
            case "decide":
                return (self._of_set((self._of_both(),)),)
            case _:
                return (self._of_list(self._records() if self.choice.fields else self._numbers()),)

    def _of_both(self) -> lir.Expr:
        """Yes and no, as far as norms allow them, as a set of 0 and 1."""
        if self.norms.option == TRUE:
            return lir.Num(3)
        x = self.x
        allowed = x.build.variables((lir.ZERO,), "allowed")[0]
        with x.members((lir.Num(3),)) as (value, _):
            x.bind_local(self.choice.option, (value,))
            with x.build.when(x.one(self.norms.option)):
                mask = b.binary("shl", lir.ONE, value)
                x.build.set(allowed, b.binary("or", lir.Get(allowed), mask))
        return lir.Get(allowed)

    def _of_set(self, words: Words) -> lir.Expr:
        words = self.x.build.bind_all(words)
        return self._answer(b.count(words), lambda extra: self.part(words, extra, int(NONE_WORD.value)))

    def _of_list(self, buffer: int) -> lir.Expr:
        def tell(told: int, extra: lir.Expr) -> None:
            room = b.plus(lir.Load(buffer), 1)
            self.x.build.emit(lir.LowRun("copy", (lir.Num(told), lir.Num(buffer), room)))
            self._tell_one_more(told, extra, int(NONE_WORD.value))

        def part(extra: lir.Expr) -> lir.Expr:
            many = lir.Load(buffer)
            taken = self.take(b.add(many, extra), lambda told: tell(told, extra))
            value = lir.Load(buffer + CELL, b.times(taken, CELL))
            if extra == lir.ZERO:
                return value
            answer = self.x.build.variables((NONE_WORD,), "answer")[0]
            with self.x.build.when(b.binary("lt_s", taken, many)):
                self.x.build.set(answer, value)
            return lir.Get(answer)

        return self._answer(lir.Load(buffer), part)

    def _answer(self, many: lir.Expr, part: Part) -> lir.Expr:
        """The answer of one part, where none is an option or the answer where nothing is legal."""
        build, able = self.x.build, self.choice.able
        many = build.bind(many)
        if able == "if_able":
            with build.when(b.zero(many)):
                may = self.may_decline()
                if may is not None:
                    self.stuck(b.zero(may))
            answer = build.variables((NONE_WORD,), "answer")[0]
            with build.when(many):
                build.set(answer, part(lir.ZERO))
            return lir.Get(answer)
        extra: lir.Expr = lir.ZERO
        if able == "none":
            may = self.may_decline()
            extra = lir.ONE if may is None else may
        if extra != lir.ONE:
            self.stuck(b.zero(b.add(many, extra)))
        return build.bind(part(extra))

    def _numbers(self) -> int:
        """The legal numbers, as a list in a buffer."""
        x, choice = self.x, self.choice
        assert choice.low is not None and choice.high is not None
        low, high = x.once(choice.low), x.once(choice.high)
        size = b.plus(b.binary("sub", high, low), 1)
        x.fail_if(b.binary("gt_s", size, lir.Num(MOST_OPTIONS)), "too-many-options")
        buffer = x.unit.buffer(x.build.name, "options", 1 + x.unit.options_of(choice))
        length = x.build.variables((lir.ZERO,), "length")[0]
        number = x.build.variables((b.plus(low, -1),), "number")[0]
        with x.build.loop() as label:
            x.build.set(number, b.plus(lir.Get(number), 1))
            with x.build.when(b.binary("gt_s", lir.Get(number), high)):
                x.build.emit(lir.LowBreak(label))
            if self.norms.option != TRUE:
                x.bind_local(choice.option, (lir.Get(number),))
                with x.build.when(b.zero(x.one(self.norms.option))):
                    x.build.emit(lir.LowNext(label))
            x.build.set(length, b.plus(lir.Get(length), 1))
            x.store((buffer, b.times(lir.Get(length), CELL)), (lir.Get(number),))
        x.store((buffer, None), (lir.Get(length),))
        return buffer

    # ------------------------------------------------------------ records

    def _records(self) -> int:
        """The legal combinations of several names, as records in a list in a buffer."""
        x, choice = self.x, self.choice
        first = choice.fields[0][1]
        if x.unit.optimised.prices.of_part(choice.name):
            self.pay(b.count(x.words(first)))
        buffer = x.unit.buffer(x.build.name, "options", 1 + x.unit.options_of(choice))
        x.store((buffer, None), (lir.ZERO,))
        self._combine(list(self._legal_fields()), buffer)
        return buffer

    def _combine(self, sets: list[tuple[Local, Expr]], buffer: int) -> None:
        """Put all combinations of the fields that are left into a buffer."""
        x, kind = self.x, self.choice.option.type
        if not sets:
            assert isinstance(kind, Record)
            record: lir.Expr = lir.ZERO
            digits = digits_of(kind, x.unit.shapes.sizes)
            for (local, _), digit in zip(self.choice.fields, digits, strict=True):
                record = b.add(record, b.times(b.plus(x.names[local.name][0], -digit.low), digit.weight))
            length = x.build.bind(b.plus(lir.Load(buffer), 1))
            x.fail_if(b.binary("gt_s", length, lir.Num(MOST_OPTIONS)), "too-many-options")
            x.store((buffer, b.times(length, CELL)), (record,))
            x.store((buffer, None), (length,))
            return
        (local, legal), *rest = sets
        with x.members(x.words(legal), "field") as (member, _):
            x.bind_local(local, (member,))
            self._combine(rest, buffer)

    def _legal_fields(self) -> list[tuple[Local, Expr]]:
        """Each name with the members that norms leave it, as far as it and those before it can tell."""
        optimised, left = self.x.unit.optimised, _conjuncts(self.norms.option)
        keep_all = optimised.facts.fallible(self.norms.option)
        later = {local.name for local, _ in self.choice.fields}
        fields: list[tuple[Local, Expr]] = []
        for local, among in self.choice.fields:
            later.discard(local.name)
            now = [test for test in left if not walk.free(test) & later] if not (keep_all and later) else []
            left = [test for test in left if test not in now]
            test = conjunction(*now)
            kept = among if test == TRUE else optimised.simple(Filter(among, local, test, among.type))
            fields.append((local, kept))
        return fields

    # ------------------------------------------------------------ several

    def several(self) -> Words:
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
                self._pick(chosen, options, lir.ONE, label)
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
                        for local, word in zip(chosen, together, strict=True):
                            build.set(local, word)
                        build.emit(lir.LowBreak(label))
                self._pick(chosen, options, end, label)
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

    def _pick(self, chosen: tuple[str, ...], options: Words, end: lir.Expr, label: str) -> None:
        """One more member, or the end."""
        build = self.x.build
        picked = build.bind(self.part(options, end, DONE))
        with build.when(b.binary("lt_s", picked, lir.ZERO)):
            build.emit(lir.LowBreak(label))
        for local, bit in zip(chosen, self.x.bit_words(picked, len(chosen)), strict=True):
            build.set(local, b.binary("or", lir.Get(local), bit))

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

    # ------------------------------------------------------------ one for each item

    def assign(self) -> Words:
        """One option for each item, in order."""
        choice, x, build = self.choice, self.x, self.x.build
        assert choice.item is not None and choice.items is not None
        items = build.bind_all(self.words(choice.items), "items")
        self.pay(b.count(items))
        answer = self._empty_map()
        way: Counting | Matching | SearchedAssignment | None = None
        if self.norms.judged:
            way = SearchedAssignment(self)
            way.begin(items)
        elif self._matches():
            way = Matching(self)
            way.begin(items)
        elif self.norms.covers:
            way = Counting(self)
            way.begin_items(self.legal(), items)
        legal = self.legal()
        same = choice.item.name not in walk.free(legal)
        options = build.bind_all(self.words(legal), "options") if way is None and same else ()
        if way is None and not same:
            legal = self._with_common_part(legal)
        free: lir.Expr = lir.Num(int(choice.able != "must"))
        with x.members(items, "item") as (member, _):
            x.bind_local(choice.item, (member,))
            item = self.item = x.names[choice.item.name][0]
            if way is not None:
                mask, allowed = way.options()
            else:
                mask = options if same else build.bind_all(x.words(legal), "options")
                may_vary = choice.able != "must" and self.norms.declining != TRUE
                allowed = x.once(self.norms.declining) if may_vary else free
            picked = self._pick_for_item(mask, allowed)
            keep = lir.ONE if choice.able == "must" or self._maps_none() else None
            self._put(answer, item, (picked,), keep or b.binary("ge_s", picked, lir.ZERO))
            if way is not None:
                way.note_pick(picked)
        return (lir.Num(answer),)

    def _with_common_part(self, legal: Expr) -> Expr:
        """The options of an item, with the part that all items share worked out once."""
        item = self.choice.item
        assert item is not None
        parts = sets.factors(legal)
        common: list[Expr] = [e for e in parts if item.name not in walk.free(e) and not isinstance(e, Const)]
        if not common or self.x.unit.optimised.facts.fallible(legal):
            return legal
        base = Local(f"common {self.choice.name}", legal.type)
        shared: Expr = common[0]
        for e in common[1:]:
            shared = Op("inter", (shared, e), legal.type)
        self.x.bind_local(base, self.words(shared))
        rest: Expr = base
        for e in parts:
            if e not in common:
                rest = Op("inter", (rest, e), legal.type)
        return rest

    def assign_sets(self) -> Words:
        """For each item one option more, until it is done."""
        choice, x, build = self.choice, self.x, self.x.build
        assert choice.item is not None and choice.items is not None
        if not self.norms.searched:
            raise CannotLower(f"the choice `{choice.name}`, of several options for each item,", choice.site)
        items = build.bind_all(self.words(choice.items), "items")
        self.pay(b.count(items))
        way = SetsOfItems(self)
        way.begin(items)
        answer = self._empty_map()
        place = build.variables((lir.ZERO,), "place")[0]
        with x.members(items, "item") as (member, _):
            x.bind_local(choice.item, (member,))
            item = self.item = x.names[choice.item.name][0]
            chosen = build.variables(tuple(lir.ZERO for _ in range(way.search.count)), "chosen")
            with build.loop("options") as label:
                options, done = way.search.options(lir.Get(place), b.gets(chosen))
                done = build.bind(way.may_stay(lir.Get(place), options, b.gets(chosen), done))
                self.stuck(b.both(b.zero(b.any_word(options)), b.zero(done)))
                self._pick(chosen, options, done, label)
            way.search.answers.put(x, lir.Get(place), b.gets(chosen))
            self._put(answer, item, b.gets(chosen), lir.ONE)
            build.set(place, b.plus(lir.Get(place), 1))
        return (lir.Num(answer),)

    def _matches(self) -> bool:
        """Whether items differ in what they may get, or options run out, so that they are matched."""
        choice, covers = self.choice, self.norms.covers
        if choice.each is not None or not covers:
            return choice.each is not None
        assert choice.item is not None
        tests = (self.legal(), *(cover.test for cover in covers))
        varying = any(choice.item.name in walk.free(e) for e in tests)
        return varying or len(covers) > MOST_COUNTED or self.norms.declining != TRUE

    def _pick_for_item(self, mask: Words, allowed: lir.Expr) -> lir.Expr:
        """The option of one item; `allowed` says whether it may have none."""
        build, able = self.x.build, self.choice.able
        some = build.bind(b.zero(b.zero(b.any_word(mask))))
        match able:
            case "must":
                extra: lir.Expr = lir.ZERO
            case "none":
                extra = allowed
            case "if_able":
                extra = b.both(b.zero(some), allowed)
        extra = build.bind(extra)
        if not (able != "must" and allowed == lir.ONE):
            self.stuck(b.zero(b.binary("or", some, extra)))
        return build.bind(self.part(mask, extra, int(NONE_WORD.value)))

    def _maps_none(self) -> bool:
        answer = self.choice.answer
        return isinstance(answer, MapOf) and isinstance(answer.value, Optional)

    def _empty_map(self) -> int:
        """A map without values, which becomes the answer."""
        x, kind = self.x, self.choice.answer
        buffer = x.unit.result(x.build.name, kind)
        assert isinstance(kind, MapOf)
        maps.empty(x, kind, buffer)
        return buffer

    def _put(self, answer: int, item: lir.Expr, words: Words, keep: lir.Expr) -> None:
        """Put a value into the answer's map, under a condition."""
        kind = self.choice.answer
        assert isinstance(kind, MapOf)
        with self.x.build.when(keep):
            maps.put(self.x, kind, lir.Num(answer), item, words)

    # ------------------------------------------------------------ split, arrange, share

    def split(self) -> Words:
        """Each member in id order joins a part, or begins a new one."""
        choice, x, build = self.choice, self.x, self.x.build
        whole, kind = choice.candidates or choice.items, choice.answer
        assert whole is not None and isinstance(kind, ListOf)
        if not (choice.low is None or isinstance(choice.low, Const) and choice.low.value == 1):
            raise CannotLower(f"the choice `{choice.name}`, of a least number of parts,", choice.site)
        things = build.bind_all(self.words(whole), "things")
        many = build.bind(b.count(things))
        self.pay(many)
        high = many if choice.high is None else self.once(choice.high)
        stride = x.unit.shapes.words(kind.of)
        answer = x.unit.result(x.build.name, kind)
        x.store((answer, None), (lir.ZERO,))
        with x.members(things, "thing") as (thing, _):
            parts = build.bind(lir.Load(answer))
            most = b.plus(high, -1)
            total = build.bind(b.plus(b.pick(b.binary("lt_s", parts, most), parts, most), 1))
            self.stuck(b.binary("le_s", total, lir.ZERO))
            self.item = thing
            taken = build.bind(self.take(total, lambda told: self._tell_numbers(told, total)))
            place = (answer + CELL, build.bind(b.times(taken, stride * CELL)))
            with build.when(b.binary("ge_s", taken, parts)):
                x.store(place, tuple(lir.ZERO for _ in range(stride)))
                x.store((answer, None), (b.plus(parts, 1),))
            old = tuple(lir.Load(place[0] + CELL * n, place[1]) for n in range(stride))
            x.store(place, b.each("or", old, x.bit_words(thing, stride)))
        return (lir.Num(answer),)

    def _tell_numbers(self, buffer: int, total: lir.Expr) -> None:
        """Put the numbers from 1 to a number into a buffer, as a list."""
        x, build = self.x, self.x.build
        x.store((buffer, None), (lir.ZERO,))
        with build.loop("numbers") as label:
            with build.when(b.binary("ge_s", lir.Load(buffer), total)):
                build.emit(lir.LowBreak(label))
            x.store((buffer, None), (b.plus(lir.Load(buffer), 1),))
            x.store((buffer, b.times(lir.Load(buffer), CELL)), (lir.Load(buffer),))

    def arrange(self) -> Words:
        """The next member each time, until all have their place."""
        choice, x, build = self.choice, self.x, self.x.build
        whole, kind = choice.candidates or choice.items, choice.answer
        assert whole is not None and isinstance(kind, ListOf)
        if self.norms.option != TRUE:
            raise CannotLower(f"the choice `{choice.name}`, an order with rules,", choice.site)
        left = build.variables(self.words(whole), "left")
        self.pay(b.count(b.gets(left)))
        answer = x.unit.result(x.build.name, kind)
        length = build.variables((lir.ZERO,), "length")[0]
        with build.loop("arrange") as label:
            with build.when(b.zero(b.any_word(b.gets(left)))):
                build.emit(lir.LowBreak(label))
            picked = build.bind(self.part(b.gets(left), lir.ZERO, DONE))
            build.set(length, b.plus(lir.Get(length), 1))
            x.store((answer, b.times(lir.Get(length), CELL)), (picked,))
            for local, bit in zip(left, x.bit_words(picked, len(left)), strict=True):
                build.set(local, b.binary("xor", lir.Get(local), bit))
        x.store((answer, None), (lir.Get(length),))
        return (lir.Num(answer),)

    def share(self) -> Words:
        """A number for each item, so that all of the total is shared out, or all that there is room for."""
        choice, x, build = self.choice, self.x, self.x.build
        assert choice.items is not None and choice.item is not None and choice.total is not None
        of = choice.total.type
        if not isinstance(of, Int) or of.high > MOST_SHARED:
            raise CannotLower(f"the choice `{choice.name}`, of more than {MOST_SHARED},", choice.site)
        items = build.bind_all(self.words(choice.items), "items")
        many = build.bind(b.count(items))
        self.pay(many)
        total = self.once(choice.total)
        most = 64 * len(items)
        allowed = x.unit.buffer(x.build.name, "allowed", most + 1)
        sums = x.unit.buffer(x.build.name, "sums", most + 1)
        place = build.variables((lir.ZERO,), "place")[0]
        with x.members(items, "item") as (member, _):
            x.bind_local(choice.item, (member,))
            x.store((allowed, lir.Get(place)), (self._shares(total),))
            build.set(place, b.plus(lir.Get(place), CELL))
        self._sums(allowed, sums, many, total)
        total = self._room(sums)
        answer = self._empty_map()
        at, left = build.variables((lir.ZERO, total), "left")
        with x.members(items, "item") as (member, _):
            x.bind_local(choice.item, (member,))
            item = self.item = x.names[choice.item.name][0]
            able = build.variables((lir.ZERO,), "able")[0]
            after = build.bind(lir.Load(sums + CELL, lir.Get(at)))
            with x.members((lir.Load(allowed, lir.Get(at)),), "number") as (number, label):
                rest = build.bind(b.binary("sub", lir.Get(left), number))
                with build.when(b.binary("lt_s", rest, lir.ZERO)):
                    build.emit(lir.LowBreak(label))
                fits = b.binary("and", lir.LowBinary("shr_u", after, rest), lir.ONE)
                with build.when(fits):
                    build.set(able, b.binary("or", lir.Get(able), b.binary("shl", lir.ONE, number)))
            self.stuck(b.zero(lir.Get(able)))
            picked = build.bind(self.part((lir.Get(able),), lir.ZERO, DONE))
            self._put(answer, item, (picked,), lir.ONE)
            build.set(left, b.binary("sub", lir.Get(left), picked))
            build.set(at, b.plus(lir.Get(at), CELL))
        return (lir.Num(answer),)

    def _shares(self, total: lir.Expr) -> lir.Expr:
        """The numbers that an item may get, as a set."""
        x, build, choice = self.x, self.x.build, self.choice
        low = lir.ZERO if choice.low is None else x.once(choice.low)
        low = build.bind(b.pick(b.binary("lt_s", low, lir.ZERO), lir.ZERO, low))
        high = total
        if choice.high is not None:
            bound = x.once(choice.high)
            high = build.bind(b.pick(b.binary("lt_s", bound, total), bound, total))
        numbers = build.variables((lir.ZERO,), "numbers")[0]
        number = build.variables((b.plus(low, -1),), "number")[0]
        with build.loop() as label:
            build.set(number, b.plus(lir.Get(number), 1))
            with build.when(b.binary("gt_s", lir.Get(number), high)):
                build.emit(lir.LowBreak(label))
            test: lir.Expr = lir.ONE
            if self.norms.option != TRUE:
                x.bind_local(choice.option, (lir.Get(number),))
                test = x.one(self.norms.option)
            with build.when(test):
                mask = b.binary("shl", lir.ONE, lir.Get(number))
                build.set(numbers, b.binary("or", lir.Get(numbers), mask))
        return lir.Get(numbers)

    def _sums(self, allowed: int, sums: int, many: lir.Expr, total: lir.Expr) -> None:
        """For each place, the sums that it and all after it can make, as a set of sums."""
        x, build = self.x, self.x.build
        at = build.variables((b.times(many, CELL),), "at")[0]
        x.store((sums, lir.Get(at)), (lir.ONE,))
        limit = b.pick(b.binary("lt_s", total, lir.ZERO), lir.ZERO, total)
        within = build.bind(b.plus(b.binary("shl", lir.Num(2), limit), -1))
        with build.loop("sums") as label:
            with build.when(b.binary("le_s", lir.Get(at), lir.ZERO)):
                build.emit(lir.LowBreak(label))
            able = build.variables((lir.ZERO,), "able")[0]
            after = build.bind(lir.Load(sums, lir.Get(at)))
            build.set(at, b.plus(lir.Get(at), -CELL))
            with x.members((lir.Load(allowed, lir.Get(at)),), "number") as (number, _):
                build.set(able, b.binary("or", lir.Get(able), b.binary("shl", after, number)))
            x.store((sums, lir.Get(at)), (b.binary("and", lir.Get(able), within),))

    def _room(self, sums: int) -> lir.Expr:
        """The most that can be shared; a fault if some item can get nothing, not even 0."""
        build = self.x.build
        able = build.bind(lir.Load(sums))
        self.stuck(b.zero(able))
        return build.bind(b.binary("sub", lir.Num(63), lir.LowUnary("clz", able)))


def _conjuncts(test: Expr) -> list[Expr]:
    """The conditions that hold together where a test holds."""
    if isinstance(test, Op) and test.op == "and":
        return [part for operand in test.operands for part in _conjuncts(operand)]
    return [] if test == TRUE else [test]
