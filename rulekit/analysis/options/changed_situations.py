"""How often two versions of a rule set differ: for rolls, definitions and tables, case by case."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, Final, Literal

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir import walk
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import (
    NONE,
    Flag,
    Int,
    ListOf,
    MapOf,
    Member,
    Month,
    Optional,
    Record,
    SetOf,
    Type,
    month_text,
)
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.simulate import new_machine, play, scenario_of
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.narrate import Words
from rulekit.runtime.support.build import STEP_FUEL, Build
from rulekit.runtime.support.layout import FUEL
from rulekit.runtime.support.wording import plain

MOST: Final = 1_000
"""Cases of one item; of more, so many are drawn."""
WORK: Final = 5_000_000
"""The budget for the cases of one item, by the weights of the specification."""
EVEN: Final = 100
"""If a number has more values than this, small ones are drawn as often as large ones."""
TRIED: Final = 20
"""Cases that tell what one costs."""
FAULT: Final = "a fault"
"""The words for a result that the rules do not give."""

BUILD: Final = Build(coverage=True, ask_all=True)
"""Every choice is a call, also one with a single answer."""

Chances = Mapping[Any, Fraction]


Results = Callable[["Version", Mapping[str, int]], Chances]


@frozen
class Effect:
    """The effect on one roll, definition, table, choice or procedure.

    Attributes:
        over: The parameters and states that differ between cases, in words; of a procedure the states that it
            changes otherwise most often, with the number of cases.
        changed, cases: How many cases have another result, of how many.
        drawn: Whether the cases were drawn by lot from more.
        games: Of how many games the cases are; 0 where they are combinations of values.
        where: The case with the largest difference, of games the smallest, in words; empty without any.
        before, after: The results there, in words.
    """

    kind: Literal["roll", "definition", "table", "choice", "procedure"]
    name: str
    over: tuple[str, ...]
    changed: int
    cases: int
    drawn: bool
    where: str
    before: str
    after: str
    games: int = 0


@frozen
class _Axis:
    """A parameter or a state that differs between cases.

    Attributes:
        keys: For each key of a state the parameter with the same member; None for a parameter itself.
    """

    name: str
    type: Type
    values: tuple[int, ...]
    keys: tuple[str, ...] | None = None

    @property
    def words(self) -> str:
        return plain(self.name.rpartition(".")[2]).strip()


@frozen
class _Die:
    """Parameters of an item that a roll gives: its sum as rolled, or as modified."""

    point: str
    arguments: tuple[str, ...]
    raw: frozenset[str]
    total: frozenset[str]


class Version:
    """One version of the rules.

    Attributes:
        beginning: The state at the first choice of its first scenario.
        cells: The state in which functions are called.
        work: The cost of all calls, by the weights of the specification.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.functions = program.by_name.functions
        self.facts = Facts(program)
        self.module = generate(program, BUILD)
        self.beginning = self._begin()
        self.cells = self.beginning.copy()
        self.work = 0

    def _begin(self) -> list[Any]:
        if self.program.entry:
            machine = new_machine(self.module, Streams(self.module, 0), _stop)
            machine.refuel(STEP_FUEL)
            with contextlib.suppress(Fault):
                play(machine, scenario_of(self.program, None))
                return machine.M
        return self.module.layout.initial()

    def set(self, axes: Sequence[_Axis], case: Sequence[int]) -> None:
        """Set the states among what differs from case to case."""
        layout = self.module.layout
        params = {axis.name: value for axis, value in zip(axes, case, strict=True) if axis.keys is None}
        self.cells[:] = self.beginning
        for axis, value in zip(axes, case, strict=True):
            if axis.keys is None:
                continue
            slots, keys = layout.slots[axis.name], tuple(params[name] for name in axis.keys)
            if slots.bits is None:
                self.cells[slots.address(keys)] = value
            else:
                address, bit = slots.address(keys[:-1]), 1 << keys[-1] - slots.bits.low
                self.cells[address] = self.cells[address] & ~bit | bit * value
            layout.derive_state(slots, self.cells)

    @cache  # noqa: B019  (a version lives as long as its comparison)
    def faces(self, point: str) -> list[tuple[int, int]]:
        """The sums of the dice of a point, each with the number of ways to roll it."""
        rolled = self.program.by_name.points[point]
        ways = Counter({0: 1})
        for _ in range(rolled.dice):
            sums: Counter[int] = Counter()
            for total, face in itertools.product(ways, range(rolled.lowest, rolled.lowest + rolled.sides)):
                sums[total + face] += ways[total]
            ways = sums
        return sorted(ways.items())

    @cache  # noqa: B019  (likewise)
    def _callable(self, name: str) -> Callable[..., Any]:
        return self.module.function(name)

    def call(self, name: str, arguments: Sequence[Any]) -> Any:
        """The result of a function, or `FAULT`."""
        self.cells[FUEL] = STEP_FUEL
        try:
            return self._callable(name)(self.cells, *arguments)
        except Fault:
            return FAULT
        finally:
            self.work += STEP_FUEL - self.cells[FUEL]


def _stop(choice: int, side: int, item: int | None, options: tuple[int, ...]) -> int:
    """End a game at its first choice."""
    raise Finished(None)


def effects(pair: Pair) -> Iterator[Effect]:
    """Compare the rolls, definitions and tables that both versions have and that are not the same.

    States of pieces and places have the values with which the first scenario begins.
    """
    for point in pair.old.program.points:
        if point.dice and pair.roll_differs(point):
            yield from pair.compare_roll(point)
    for name in pair.new.functions:
        own = name.removeprefix("table:")
        if name in pair.old.functions and "'" not in own and ":" not in own and pair.differs(name):
            yield from pair.compare_function(name)


class Pair:
    """Two versions of the rules, compared in the words of the second."""

    def __init__(self, before: ir.Program, after: ir.Program, prefix: str) -> None:
        self.old, self.new = Version(before), Version(after)
        self.words, self.naming = Words(after, prefix), Naming(after)
        self._statics = {
            name
            for name, table in after.by_name.statics.items()
            if name not in before.by_name.statics or table.values != before.by_name.statics[name].values
        }
        months = [f for f in after.functions if not f.params and isinstance(f.result, Month)]
        self._calendar = months[0] if len(months) == 1 else None

    def differs(self, name: str) -> bool:
        """True if a function, a part of it without a name, or the roll that it reads is not the same."""
        names = [name, f"value:{name}", f"{name}'unmodified"]
        point = self.old.program.by_name.points.get(self._dice[name].point) if name in self._dice else None
        return any(map(self._one_differs, names)) or point is not None and self.roll_differs(point)

    def roll_differs(self, point: ir.Point) -> bool:
        """True if a roll has other dice or modifiers."""
        other = self.new.program.by_name.points.get(point.name)
        if other is None or point.params != other.params:
            return False
        dice = (point.dice, point.sides, point.lowest) != (other.dice, other.sides, other.lowest)
        return dice or self._one_differs(f"roll:{point.name}")

    def _one_differs(self, name: str) -> bool:
        one, other = self.old.functions.get(name), self.new.functions.get(name)
        if one is None or other is None:
            return one is not other
        if (one.body, one.params) != (other.body, other.params):
            return True
        return any(isinstance(n, ir.Static) and n.table in self._statics for n in walk.nodes(other.body))

    # -- comparing

    def _values(self, kind: Type) -> tuple[int, ...] | None:
        """All values of a type, if they can be listed and mean the same in both versions."""
        if isinstance(kind, Flag):
            return (0, 1)
        if isinstance(kind, Int | Month):
            return tuple(range(kind.low, kind.high + 1))
        if isinstance(kind, Member) and self.is_same_domain(kind.domain):
            mask = self.new.program.by_name.members_of(kind)
            return tuple(n for n in range(mask.bit_length()) if mask >> n & 1)
        if isinstance(kind, Optional) and (inner := self._values(kind.of)) is not None:
            return (NONE, *inner)
        return None

    def _common(self, one: Type, other: Type) -> tuple[int, ...] | None:
        """The values of a type of both versions."""
        first, second = self._values(one), self._values(other)
        if first is None or second is None:
            return None
        common = set(second)
        return tuple(n for n in first if n in common)

    def _state_values(self, name: str) -> tuple[int, ...]:
        """The values of a state of both versions; empty if they cannot be listed."""
        one, other = (version.program.by_name.states.get(name) for version in (self.old, self.new))
        if one is None or other is None or one.keys != other.keys:
            return ()
        return self._common(one.type, other.type) or ()

    def _is_comparable(self, kind: Type) -> bool:
        """True if values of a type mean the same in both versions."""
        if isinstance(kind, Member):
            return self.is_same_domain(kind.domain)
        if isinstance(kind, Optional | SetOf | ListOf):
            return self._is_comparable(kind.of)
        return not isinstance(kind, MapOf | Record)

    def is_same_domain(self, name: str) -> bool:
        one, other = (version.program.by_name.domains.get(name) for version in (self.old, self.new))
        return one is not None and other is not None and one.members == other.members

    def compare_roll(self, point: ir.Point) -> Iterator[Effect]:
        """The effect on a roll with its modifiers."""
        name = f"roll:{point.name}"
        axes = self._axes(point.params, (name,))
        if axes is None:
            return

        def results(version: Version, values: Mapping[str, int]) -> Chances:
            arguments = [values[param.name] for param in point.params]
            faces = version.faces(point.name)
            return _chances((self._total(version, point.name, n, arguments), ways) for n, ways in faces)

        yield self._effect("roll", plain(point.name), axes, results, Int(0, 0))

    def compare_function(self, name: str) -> Iterator[Effect]:
        """The effect on a definition or table; if a roll gives a parameter, on the chances of its results."""
        one, other = self.old.functions[name], self.new.functions[name]
        if [p.name for p in one.params] != [p.name for p in other.params]:
            return
        die = self._dice.get(name)
        rolled = die.raw | die.total if die is not None else frozenset[str]()
        params = [p for p in one.params if p.name not in rolled]
        if any(self._common(p.type, q.type) is None for p, q in zip(one.params, other.params, strict=True)):
            return
        if not self._is_comparable(one.result) or not self._is_comparable(other.result):
            return
        if any(not self._is_comparable(param.type) for param in (*one.params, *other.params)):
            return
        reads = (name,) if die is None else (name, f"roll:{die.point}")
        axes = self._axes(params, reads)
        if axes is None:
            return

        def results(version: Version, values: Mapping[str, int]) -> Chances:
            outcomes = []
            for n, ways in [(0, 1)] if die is None else version.faces(die.point):
                given = dict(values)
                if die is not None:
                    total = self._total(version, die.point, n, [values[a] for a in die.arguments])
                    given |= dict.fromkeys(die.raw, n) | dict.fromkeys(die.total, total)
                arguments = [given[param.name] for param in one.params]
                outcomes.append((version.call(name, arguments), ways))
            return _chances(outcomes)

        kind: Literal["table", "definition"] = "table" if name.startswith("table:") else "definition"
        yield self._effect(kind, plain(name.removeprefix("table:")), axes, results, other.result)

    def _total(self, version: Version, point: str, rolled: int, arguments: Sequence[int]) -> Any:
        name = f"roll:{point}"
        return version.call(name, [rolled, *arguments]) if name in version.functions else rolled

    def _effect(self, kind: Any, name: str, axes: Sequence[_Axis], results: Results, result: Type) -> Effect:
        count = math.prod(len(axis.values) for axis in axes)
        most = min(count, self._affordable(axes, results))
        changed, largest, best = 0, Fraction(-1), ("", "", "")
        for case in _cases(axes, count, most):
            one, other = self._both(axes, case, results)
            if one == other:
                continue
            changed += 1
            if (size := _distance(one, other, result)) > largest:
                largest = size
                best = (self._case_words(axes, case), *self._result_words(one, other, result))
        over = tuple(axis.words for axis in axes)
        return Effect(kind, name, over, changed, most, count > most, *best)

    def _both(self, axes: Sequence[_Axis], case: Sequence[int], results: Results) -> tuple[Chances, Chances]:
        """The results of a case in both versions."""
        self.old.set(axes, case)
        self.new.set(axes, case)
        values = {axis.name: value for axis, value in zip(axes, case, strict=True) if axis.keys is None}
        return results(self.old, values), results(self.new, values)

    def _affordable(self, axes: Sequence[_Axis], results: Results) -> int:
        """How many cases may be compared, by what the first ones cost."""
        self.old.work = self.new.work = 0
        for case in _cases(axes, TRIED + 1, TRIED):
            self._both(axes, case, results)
            if self.old.work + self.new.work > WORK:
                break
        return max(TRIED, min(MOST, WORK * TRIED // (self.old.work + self.new.work + 1)))

    # -- cases

    def _axes(self, params: Sequence[ir.Param], functions: Sequence[str]) -> list[_Axis] | None:
        """The parameters, and the states of the whole game that are read; None if values cannot be listed."""
        axes = []
        for param in params:
            values = self._values(param.type)
            if values is None:
                return None
            axes.append(_Axis(param.name, param.type, values))
        for version in (self.old, self.new):
            for name in (name for name in functions if name in version.functions):
                for state in sorted(version.facts.function_reads(name)):
                    declared = version.program.by_name.states[state]
                    values = () if declared.keys else self._state_values(state)
                    if values:
                        axes.append(_Axis(state, declared.type, values, ()))
                axes += self._cells_read(version, name, [param.name for param in params])
        return list({(axis.name, axis.keys): axis for axis in axes}.values())

    @cached_property
    def _dice(self) -> dict[str, _Die]:
        """For each function the roll that gives parameters of it, where play calls it; the first counts."""
        dice: dict[str, _Die] = {}
        for procedure in self.new.program.procedures:
            stmts = list(walk.statements(procedure.body))
            rolls = [stmt for stmt in stmts if isinstance(stmt, ir.Roll)]
            for stmt in stmts if rolls else ():
                for call in (n for e in walk.expressions(stmt) for n in walk.nodes(e)):
                    if not isinstance(call, ir.Apply) or call.function in dice:
                        continue
                    params = (param.name for param in self.new.functions[call.function].params)
                    given = dict(zip(params, call.arguments, strict=True))
                    die = next((die for roll in rolls if (die := _die_of(roll, given)) is not None), None)
                    if die is not None:
                        dice[call.function] = die
        return dice

    def _cells_read(self, version: Version, name: str, params: Sequence[str]) -> Iterator[_Axis]:
        """The states that a function or a part of it reads of members that are parameters."""
        parts = (version.functions.get(part) for part in (name, f"value:{name}", f"{name}'unmodified"))
        for e in (node for part in parts if part is not None for node in walk.nodes(part.body)):
            if not isinstance(e, ir.Read):
                continue
            names = tuple(key.name for key in e.keys if isinstance(key, ir.Local) and key.name in params)
            declared = version.program.by_name.states[e.state]
            values = self._state_values(e.state)
            if names and len(names) == len(declared.keys) and values:
                yield _Axis(e.state, declared.type, values, names)

    # -- words

    def _case_words(self, axes: Sequence[_Axis], case: Sequence[int]) -> str:
        texts = []
        for axis, value in zip(axes, case, strict=True):
            text = self.value_words(axis.type, value)
            texts.append(text if isinstance(axis.type, Member | Month) else f"{axis.words} {text}")
            if axis.keys is not None and self._calendar is not None:
                if axis.name in self.new.facts.function_reads(self._calendar.name):
                    texts[-1] = self.date() or texts[-1]
        return ", ".join(texts)

    def date(self) -> str:
        """The month in the state of the new version; empty if the rules have none."""
        month: Any = FAULT if self._calendar is None else self.new.call(self._calendar.name, ())
        return "" if month == FAULT else month_text(month)

    def value_words(self, kind: Type, value: Any) -> str:
        """A value in words."""
        if isinstance(value, str):
            return value
        domain = kind.domain if isinstance(kind, Member) else ""
        return self.words.value(self.naming.to_json(kind, value), domain)

    def _result_words(self, one: Chances, other: Chances, kind: Type) -> tuple[str, str]:
        """Two results: a value each; else the means, or the chance of the result that differs most."""
        if len(one) == len(other) == 1:
            return self.value_words(kind, next(iter(one))), self.value_words(kind, next(iter(other)))
        if isinstance(kind, Int) and FAULT not in {*one, *other}:
            return f"mean {float(_mean(one)):.2f}", f"{float(_mean(other)):.2f}"
        value = max({*one, *other}, key=lambda v: (abs(other.get(v, 0) - one.get(v, 0)), str(v)))
        first, second = (f"{float(chances.get(value, 0)):.3f}" for chances in (one, other))
        return f"{self.value_words(kind, value)} {first}", second


def _die_of(roll: ir.Roll, given: Mapping[str, ir.Expr]) -> _Die | None:
    """The parameters that a roll gives, if all that the roll is about is given too."""
    raw = frozenset(name for name, value in given.items() if value == roll.raw)
    total = frozenset(name for name, value in given.items() if value == (roll.local or roll.raw))
    about = [next((name for name, value in given.items() if value == a), "") for a in roll.arguments]
    if not raw | total or not all(about):
        return None
    return _Die(roll.point, tuple(about), raw - total if roll.local else frozenset(), total)


def _cases(axes: Sequence[_Axis], count: int, most: int) -> Iterator[tuple[int, ...]]:
    """All combinations of values, or so many drawn by lot, the same each time."""
    if count <= most:
        yield from itertools.product(*(axis.values for axis in axes))
        return
    lot = random.Random(0)
    drawn = [_values_drawn(axis) for axis in axes]
    for _ in range(most):
        yield tuple(lot.choice(lot.choice(values)) for values in drawn)


def _values_drawn(axis: _Axis) -> Sequence[Sequence[int]]:
    """Sets of an axis's values, of which one is drawn, and then a value of it."""
    if not isinstance(axis.type, Int) or len(axis.values) <= EVEN:
        return [axis.values]
    by_size = sorted(axis.values, key=abs)
    return [by_size[: 2**n] for n in range(len(by_size).bit_length() + 1)]


def _chances(outcomes: Any) -> Chances:
    counted: Counter[Any] = Counter()
    for value, ways in outcomes:
        counted[value] += ways
    whole = sum(counted.values())
    return {value: Fraction(ways, whole) for value, ways in counted.items()}


def _mean(chances: Chances) -> Fraction:
    return sum((value * chance for value, chance in chances.items()), Fraction())


def _distance(one: Chances, other: Chances, kind: Type) -> Fraction:
    """How far two results are from each other: of numbers their means, of others what share differs."""
    if isinstance(kind, Int) and FAULT not in {*one, *other}:
        return abs(_mean(other) - _mean(one))
    zero = Fraction()
    return sum((abs(other.get(v, zero) - one.get(v, zero)) for v in {*one, *other}), zero) / 2
