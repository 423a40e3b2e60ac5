"""One choice while it is lowered: its options, the question, the answer. Shared by all verbs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from rulekit.ir import Choice, Expr, Filter, Local, walk
from rulekit.ir.conditions import TRUE
from rulekit.ir.types import DONE, MapOf, Optional
from rulekit.runtime.native import lir, messages
from rulekit.runtime.native.log import writing
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import lists, maps
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.rows import Rows, include
from rulekit.runtime.native.lower.drawing import member_number
from rulekit.runtime.native.lower.lowerer import NONE_WORD
from rulekit.runtime.native.lower.memory import CELL, OPTIONS
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.optimise import norms, sharing


@dataclass
class Asking(ABC):
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

    @abstractmethod
    def answer(self) -> Words:
        """Write all questions of the choice, and return the answer."""

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
        given = [self.x.names[param.name] for param in self.choice.params]
        item = None if self.item == NONE_WORD else (self.item,)
        why = messages.no_answer(self.choice, given, item)
        self.x.fail_if(condition, "no-legal-option", None, why)

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

    def tell_answer(self, total: lir.Expr, value: lir.Expr) -> None:
        """Write the event of an answer, which was one of so many options."""
        asked = b.binary("gt_s", total, lir.ONE)
        writing.tell_answer(self.x, self.choice, asked, self._about(), value)

    def tell_taken(self, members: Words) -> None:
        """Write the event of members that are all picked without a question."""
        writing.tell_taken(self.x, self.choice, self._about(), members)

    def _about(self) -> list[writing.Operand]:
        """The side that decides, and the item, as an event has them."""
        operands: list[writing.Operand] = [("side", self.choice.decider.type, (self.side,))]
        if self.item != NONE_WORD:
            kind = self.choice.item_type
            assert kind is not None
            operands.append(("item", kind, (self.item,)))
        return operands

    def tell_one_more(self, buffer: int, extra: lir.Expr, last: int) -> None:
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
            lists.list_members(self.x, words, buffer)
            self.tell_one_more(buffer, extra, last)

        total = build.bind(b.add(many, extra))
        taken = self.take(total, tell)
        if extra == lir.ZERO:
            answer = build.bind(member_number(self.x, words, taken))
        else:
            local = build.variables((lir.Num(last),), "answer")[0]
            with build.when(b.binary("lt_s", taken, many)):
                build.set(local, member_number(self.x, words, taken))
            answer = lir.Get(local)
        self.tell_answer(total, answer)
        return answer

    def pick(self, chosen: tuple[str, ...], options: Words, end: lir.Expr, label: str) -> None:
        """One more member, or the end."""
        build = self.x.build
        picked = build.bind(self.part(options, end, DONE))
        with build.when(b.binary("lt_s", picked, lir.ZERO)):
            build.emit(lir.LowBreak(label))
        include(self.x, chosen, self.x.bit_words(picked, len(chosen)))

    # ------------------------------------------------------------ answers that are maps

    def maps_none(self) -> bool:
        answer = self.choice.answer
        return isinstance(answer, MapOf) and isinstance(answer.value, Optional)

    def empty_map(self) -> int:
        """A map without values, which becomes the answer."""
        x, kind = self.x, self.choice.answer
        buffer = x.unit.result(x.build.name, kind)
        assert isinstance(kind, MapOf)
        maps.empty(x, kind, buffer)
        return buffer

    def put(self, answer: int, item: lir.Expr, words: Words, keep: lir.Expr) -> None:
        """Put a value into the answer's map, under a condition."""
        kind = self.choice.answer
        assert isinstance(kind, MapOf)
        with self.x.build.when(keep):
            maps.put(self.x, kind, lir.Num(answer), item, words)
