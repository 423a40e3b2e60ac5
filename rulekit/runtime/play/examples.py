"""The rule set's own examples, run: given, when, then.

Dice, draws and answers are fed by name; one that is missing, or left over, fails the example.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import (
    Choice,
    Const,
    Example,
    Let,
    Op,
    Point,
    Procedure,
    Program,
    Return,
    Site,
    Stmt,
    When,
    walk,
)
from rulekit.ir.semantics.faults import Fault, Unfed
from rulekit.ir.types import DONE, NONE, Flag, ListOf
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.odds.graph import Budget, Unanswered
from rulekit.runtime.odds.judging import Judgement, judge, largest_parts, worst_of
from rulekit.runtime.odds.running import FOLLOWING, OddsRunner
from rulekit.runtime.play.answering.spelling import part_name
from rulekit.runtime.play.events import Event
from rulekit.runtime.play.game import Game
from rulekit.runtime.play.session import Session
from rulekit.runtime.support.build import RUN_FUEL, SESSION
from rulekit.runtime.support.given import given_answers, merge_lines

BUILD = replace(SESSION, coverage=True, ask_all=True)


class _FedDice:
    """The dice of one point, as the example gives them."""

    def __init__(self, point: Point, numbers: Sequence[int]) -> None:
        self.point = point
        self.numbers = numbers

    def __getitem__(self, number: int) -> int:
        if number >= len(self.numbers):
            given = len(self.numbers) or "none"
            dice = f"{number + 1} dice" if number else "a die"
            raise Unfed(f"`{self.point.name}` rolls {dice} or more, but the example gives {given}")
        face, lowest = self.numbers[number], self.point.lowest
        if not lowest <= face < lowest + self.point.sides:
            raise Unfed(f"`{self.point.name}` cannot roll {face}: it has {self.point.sides} sides")
        return face


class FedMachine(Machine):
    """A machine that takes dice and draws from the example once `fed` is set, and tests the one promise
    that the example says to be broken.
    """

    __slots__ = ("drawn", "fed", "tested")

    def __init__(self, module: GeneratedModule, streams: Streams, cells: list[Any]) -> None:
        super().__init__(module, streams, cells)
        self.fed = False
        self.drawn: dict[str, list[int]] = {}
        self.tested: int | None = None

    def feed(self, example: Example) -> None:
        """Take everything from the example from now on."""
        points, layout = self.module.program.points, self.module.layout
        dice = merge_lines(example.dice)
        self.dice = [_FedDice(point, dice.get(point.name, ())) for point in points]
        self.drawn = merge_lines(example.draws)
        for address in layout.counters.values():
            self.M[address] = 0
        self.fed = True
        if example.breaks is not None:
            promises = [promise.name for promise in self.module.program.invariants]
            self.tested = promises.index(example.breaks.name)

    def check(self, numbers: Iterable[int]) -> None:
        if self.tested is not None and self.tested in numbers:
            super().check((self.tested,))

    def draw(self, point: int, things: tuple[int, ...], count: int) -> tuple[int, ...]:
        if not self.fed:
            return super().draw(point, things, count)
        name = self.module.program.points[point].name
        queue = self.drawn.get(name, [])
        if len(queue) < count:
            raise Unfed(f"`{name}` draws {count}, but the example gives {len(queue) or 'none'}")
        taken = tuple(queue[:count])
        del queue[:count]
        if len(set(taken)) < count or not set(taken) <= set(things):
            raise Unfed(f"the example gives `{name}` something that cannot be drawn")
        return taken

    def mix(self, point: int, things: tuple[int, ...]) -> tuple[int, ...]:
        if not self.fed:
            return super().mix(point, things)
        return self.draw(point, things, len(things))


MOST_LEGAL = 6
"""Answers that the reason of a failure names."""
MOST_EVENTS = 1_000
"""Events of an example that are kept for who wants to see what happened."""


@frozen
class ExampleResult:
    """How an example went.

    Attributes:
        reason: Why it failed, in words; empty if it passed.
        sites: Sites that ran, after what was given.
        events: The last events of its run, no more than `MOST_EVENTS`.
        broken: The site of the condition that does not hold, if one is to blame.
        refused_at: The norm that refuses an answer, if one does.
        prepared: Sites that ran while what is given was brought about.
        spent: Runs of loops that its dearest part took.
        undecided: Whether it is about chances, and could not be followed far enough to know them.
    """

    name: str
    passed: bool
    reason: str
    sites: frozenset[int]
    events: tuple[Event, ...]
    broken: int | None = None
    refused_at: Site | None = None
    prepared: frozenset[int] = frozenset()
    spent: int = 0
    undecided: bool = False

    @property
    def failed(self) -> bool:
        """Whether it is known not to hold."""
        return not self.passed and not self.undecided


MOST_FOLLOWED = Budget(situations=50_000, steps=300_000)
"""How far the outcomes of an example are followed."""


class _Wrong(Exception):
    """The example does not hold; the message says why.

    `site`: where, if a condition does not hold; `refused_at`: the norm that refuses an answer.
    """

    def __init__(self, message: str, site: int | None = None, refused_at: Site | None = None) -> None:
        super().__init__(message)
        self.site, self.refused_at = site, refused_at


class Examples:
    """Runs the examples of one program, which is compiled for them once; `fuel` bounds each part of one.

    `begin`: values of states without keys that differ from those declared, before anything is given.
    """

    def __init__(self, program: Program, *, fuel: int = RUN_FUEL) -> None:
        self.program = program
        asked = {example.when: example for example in program.examples}
        procedures = tuple(
            _with_conditions(item, asked[item.name]) if item.name in asked else item
            for item in program.procedures
        )
        broken = {
            example.breaks.name: example.breaks for example in program.examples if example.breaks is not None
        }
        prepared = replace(program, procedures=procedures, invariants=tuple(broken.values()))
        self.game = Game(prepared, fuel=fuel, build=BUILD, invariants=bool(broken))
        self.begin: dict[str, int] = {}

    def run(self, example: Example) -> ExampleResult:
        """Run one example.

        Where a part has but one option a game does not ask: the example answers none of these parts, or any.
        One with measures follows every outcome of its dice.
        """
        if example.measures:
            return self._follow(example)
        result = self._run(example, answered=False)
        if result.passed or result.spent > self.game.fuel:
            return result
        other = self._run(example, answered=True)
        return other if other.passed else result

    def _follow(self, example: Example) -> ExampleResult:
        """Run an example for every outcome of its dice and draws."""
        module = self._questions.module
        module.forget()
        reason, undecided, broken = "", False, None
        try:
            followed = self._questions.follow(example, None, MOST_FOLLOWED, self.begin)
        except Unanswered as missing:
            reason, undecided = str(missing), True
        except Fault as fault:
            reason = f"a fault: {fault}"
        else:
            worst = worst_of(judge(example, followed))
            if worst is not None:
                reason, undecided, broken = worst.reason, worst.holds is None, worst.measure.site
                parts = "" if undecided else self._largest_parts(example, worst)
                reason += f" ({parts})" if parts else ""
        return ExampleResult(example.name, not reason, reason, module.ran(), (), broken, undecided=undecided)

    def _largest_parts(self, example: Example, judgement: Judgement) -> str:
        """Return where most of a chance or mean comes from; empty if that takes too long."""
        budget = Budget(situations=MOST_FOLLOWED.situations // 10, steps=MOST_FOLLOWED.steps // 10)
        followed = self._questions.follow(example, None, budget, self.begin, step_by_step=True)
        return "" if followed.left else largest_parts(judgement, followed)

    @cached_property
    def _questions(self) -> OddsRunner:
        return OddsRunner(self.program, replace(FOLLOWING, coverage=True))

    def outcome(self, example: Example) -> Sequence[Any]:
        """Evaluate the expressions under `then`, conditions or not; none if it ends before."""
        for answered in (False, True):
            run = _Run(self.game, example, answered, self.begin)
            try:
                run.prepare()
                run.machine.feed(example)
                return run.play() or ()
            except (_Wrong, Unfed, Fault):
                continue
        return ()

    def _run(self, example: Example, *, answered: bool) -> ExampleResult:
        """Run one example; `answered`: the next answer may also serve a part that a game does not ask."""
        module = self.game.module
        run = _Run(self.game, example, answered, self.begin)
        broken, refused_at, prepared = None, None, frozenset[int]()
        module.forget()
        try:
            run.prepare()
            prepared = module.ran()
            module.forget()
            run.when()
            reason = ""
        except _Wrong as wrong:
            reason, broken, refused_at = str(wrong), wrong.site, wrong.refused_at
        except Unfed as unfed:
            reason = str(unfed)
        except Fault as fault:
            reason = f"a fault: {fault}"
        events, spent = run.session.last_events(MOST_EVENTS), run.cost()
        return ExampleResult(
            example.name, not reason, reason, module.ran(), events, broken, refused_at, prepared, spent
        )

    def all(self) -> tuple[ExampleResult, ...]:
        """Run all examples, in order."""
        return tuple(self.run(example) for example in self.program.examples)


def _with_conditions(item: Procedure, example: Example) -> Procedure:
    """The `when` procedure, giving what its `then` conditions come to: they may read its locals."""
    flags = tuple(condition for condition, _ in example.then)
    result = ListOf(Flag(), max(len(flags), 1))
    steps: list[Stmt] = []
    between = [condition for condition, _ in example.then[: example.between]]
    for stmt in item.body:
        steps.append(stmt)
        if isinstance(stmt, Let) and stmt.local in between:  # what does not hold here ends the example
            place = between.index(stmt.local)
            known = tuple(Const(n != place, Flag()) for n in range(len(flags)))
            unmet = Return(Op("list_of", known, result), stmt.site)
            steps.append(When(Op("not", (stmt.local,), Flag()), (unmet,), (), stmt.site))
    last = Return(Op("list_of", flags, result), example.site)
    return replace(item, result=result, body=(*steps, last))


def _value(part: tuple[int, ...]) -> int:
    """The value that a part of an answer gives."""
    return part[-1] if part else DONE


class _Run:
    """One example while it runs."""

    def __init__(self, game: Game, example: Example, answered: bool, begin: Mapping[str, int]) -> None:
        self.game = game
        self.example = example
        self.answered = answered
        streams = Streams(game.module, 0)
        layout = game.module.layout
        self.machine = FedMachine(game.module, streams, layout.initial())
        for name, value in begin.items():
            self.machine.M[layout.slots[name].base] = value
        self.session = Session(game, self.machine, None, [])
        self.answers = given_answers(example)
        self._given = self._dearest = 0

    def prepare(self) -> None:
        """Scenario and what is given; choices there take their first option."""
        scenario = self.example.scenario
        set_up = [item.procedure for item in self.game.program.scenarios if item.name == scenario]
        for name in [*set_up, self.example.given]:
            self._start(name)
            while self.machine.asked is not None:
                self.machine.run(self.machine.asked[3][0])

    def _start(self, name: str) -> Any:
        self._dearest = self.cost()
        self._given = self.game.fuel
        self.machine.refuel(self._given)
        if self.game.module.stops(("procedure", name, False)):
            self.machine.push(name)
            self.machine.run()
            return self.machine.value
        return self.machine.call(name)

    def cost(self) -> int:
        """Units of work that the dearest part so far took."""
        left: int = self.machine.M[0]
        return max(self._dearest, self._given - left)

    def when(self) -> None:
        """Run it and hold the outcome against what is expected."""
        self.machine.feed(self.example)
        breaks = self.example.breaks
        try:
            if self.machine.tested is not None:
                self.machine.check((self.machine.tested,))
            flags = self.play()
        except Fault as fault:
            if self.example.fault or breaks is not None and fault.name == "broken-invariant":
                return
            raise _Wrong(f"a fault: {fault}") from fault
        if flags is None:
            return
        self._hold(flags, 0, self.example.between)
        if self.example.fault:
            raise _Wrong("a fault is expected, and there was none")
        if breaks is not None:
            raise _Wrong(f"`{breaks.name}` is expected to be broken, and was not")
        if self.example.asks:
            raise _Wrong(f"`{self.example.asks}` is expected to be asked at the end, and was not")
        if self.example.refused:
            raise _Wrong(f"the last answer is legal, but {', '.join(self.example.refused)} should refuse it")
        self._leftovers()
        self._hold(flags, self.example.between, len(flags))

    def _hold(self, flags: Sequence[Any], first: int, end: int) -> None:
        """Test some of the conditions."""
        for number in range(first, end):
            if not flags[number]:
                site = self.example.then[number][1]
                line = self.game.program.sites[site].line
                raise _Wrong(f"condition {number + 1} of `then` does not hold (line {line})", site)

    def play(self) -> Sequence[Any] | None:
        """The values of the conditions; None if it ends before, as expected."""
        from rulekit.ir.semantics.faults import Finished

        try:
            value = self._start(self.example.when)
            while self.machine.asked is not None:
                answer = self._answer(self.machine.asked)
                if answer is None:
                    return None
                self.machine.run(answer)
                value = self.machine.value
        except Finished:
            self.machine.stack.clear()
            self.machine.asked = None
            return self._after_the_end()
        flags: Sequence[Any] = value
        return flags

    def _after_the_end(self) -> list[Any]:
        """The conditions once the game has ended: locals are gone then."""
        flags: list[Any] = [True] * self.example.between  # one that did not hold would have ended it
        for condition, site in self.example.then[self.example.between :]:
            try:
                flags.append(self.game.module.expression(condition)(self.machine.M))
            except KeyError:
                line = self.game.program.sites[site].line
                raise _Wrong(f"the game ended, and the condition in line {line} reads a local") from None
        return flags

    def _answer(self, asked: tuple[int, int, Any, tuple[int, ...]]) -> int | None:
        """The answer of the example; None if that is refused, or the end is to ask this, as it should be.

        Where there is but one option, the next answer is used only if it was meant for it; where all that
        are left must be picked, none is needed.
        """
        number, side, item, options = asked
        choice = self.game.program.choices[number]
        queue = self.answers.get(choice.name, [])
        place = next((n for n, (part, _) in enumerate(queue) if len(part) < 2 or part[0] == item), None)
        if place is None and len(options) > 1 and not self._all_needed(choice, options):
            if choice.name == self.example.asks and not any(self.answers.values()):
                self._asked_of(choice, side, self.example.asked, "said to be asked of")
                self._leftovers()
                return None
            about = "" if item is None else f" for {self._item()}"
            done = "`done`" if item is None else f"`{self._item()} -> done`"
            end = f"; {done} ends it" if DONE in options else ""
            raise Unfed(f"`{choice.name}` is asked{about}, but the example gives no answer{end}")
        value = options[0] if place is None else _value(queue[place][0])
        if place is None or len(options) == 1 and not self._meant(queue[place][0], options[0]):
            return options[0]
        _, by = queue.pop(place)
        self._asked_of(choice, side, by, "answered by")
        if value in options:
            return value
        self._refuse(choice, value, options)
        return None

    def _asked_of(self, choice: Choice, side: int, by: int, said: str) -> None:
        """Hold the side that is asked against that which the example says."""
        if by not in (NONE, side):
            raise _Wrong(f"`{choice.name}` is asked of {self._side(side)}, and {said} {self._side(by)}")

    def _all_needed(self, choice: Choice, options: tuple[int, ...]) -> bool:
        """Whether a pick must take all that are left: a game would not ask."""
        if choice.verb != "pick_set" or choice.able != "must" or choice.low is None or DONE in options:
            return False
        lets = walk.written_out(choice.lets)
        names = tuple(param.name for param in choice.params)
        low = self.game.module.expression(walk.substitute(choice.low, lets), names)
        chosen = sum(value >= 0 for _, value in self.session.answers)
        return bool(chosen + len(options) == low(self.machine.M, *self.machine.choosing))

    def _refuse(self, choice: Choice, value: int, options: Sequence[int]) -> None:
        """An answer that is not legal: as expected, or else the example is wrong.

        Where no rule with a number speaks against it, a few `options` are named.
        """
        name = part_name(self.game.naming, choice, value)
        reasons = self.session.why(value)
        rules = [rule for reason in reasons for rule in reason.rules]
        if self.example.refused and set(rules) & set(self.example.refused):
            return
        by = f" by {', '.join(dict.fromkeys(rules))}" if rules else ""
        refused_at = reasons[0].site if reasons else None
        if not rules and len(options) <= MOST_LEGAL:
            legal = ", ".join(part_name(self.game.naming, choice, option) for option in options)
            by = f"; legal: {legal}"
        raise _Wrong(f"the answer {name} to `{choice.name}` is refused{by}", refused_at=refused_at)

    def _meant(self, part: tuple[int, ...], only: int) -> bool:
        """Whether an answer was given for a part that has but one option."""
        return len(part) == 2 or self._last() or self.answered and _value(part) == only

    def _item(self) -> str:
        decision = self.session.decision
        return "it" if decision is None or decision.part is None else decision.part

    def _side(self, number: int) -> str:
        return self.game.naming.member(self.game.program.sides, number)

    def _last(self) -> bool:
        """Whether one answer is left, which should be refused."""
        return bool(self.example.refused) and sum(map(len, self.answers.values())) == 1

    def _leftovers(self) -> None:
        """Everything that was given must have been used."""
        layout, cells = self.game.module.layout, self.machine.M
        for name, numbers in merge_lines(self.example.dice).items():
            used = cells[layout.counters[name]]
            if used < len(numbers):
                raise _Wrong(_leftover(f"`{name}` rolls", used, "die", "dice", len(numbers)))
        for name, queue in self.machine.drawn.items():
            if queue:
                whole = len(merge_lines(self.example.draws)[name])
                raise _Wrong(_leftover(f"`{name}` draws", whole - len(queue), "thing", "things", whole))
        for name, parts in self.answers.items():
            if parts:
                whole = len(given_answers(self.example)[name])
                raise _Wrong(_leftover(f"`{name}` asks for", whole - len(parts), "answer", "answers", whole))


def _leftover(does: str, used: int, one: str, many: str, given: int) -> str:
    """Words for values of an example that play has not used."""
    number = f"{used or 'no'} {one if used < 2 else many}"
    return f"{does} {number}, but the example gives {given}"
