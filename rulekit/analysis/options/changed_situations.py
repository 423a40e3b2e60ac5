"""How often two versions of a rule set differ: for rolls, definitions and tables, case by case."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Literal

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir import walk
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import NONE, Flag, Int, Member, Month, Optional, Type, month_text
from rulekit.runtime.narrate import Words
from rulekit.runtime.narrate.words import plain, state_words
from rulekit.runtime.play import Game
from rulekit.runtime.play.beginning.given import set_cells
from rulekit.runtime.play.prepared import PreparedGame

MOST: Final = 5_000
"""Cases of one item; of more, so many are drawn."""
FAULT: Final = "a fault"
"""The words for a result that the rules do not give."""

Chances = Mapping[Any, Fraction]


@frozen
class Effect:
    """What becomes of one roll, definition or table.

    Attributes:
        over: What differs from case to case, in words.
        changed, cases: How many cases have another result, of how many.
        drawn: Whether the cases were drawn by lot from more.
        where: The case with the largest difference, in words; empty if nothing differs.
        before, after: The results there, in words.
    """

    kind: Literal["roll", "definition", "table"]
    name: str
    over: tuple[str, ...]
    changed: int
    cases: int
    drawn: bool
    where: str
    before: str
    after: str


@frozen
class _Axis:
    """What differs from case to case: a parameter, or a state, for the members that `keys` names.

    Attributes:
        keys: For each key of a state the parameter with the same member; None for a parameter itself.
    """

    name: str
    type: Type
    values: tuple[int, ...]
    keys: tuple[str, ...] | None = None

    @property
    def words(self) -> str:
        return plain(self.name) if self.keys is None else state_words(self.name)


@frozen
class _Die:
    """Parameters of an item that a roll gives: its sum as rolled, or as modified."""

    point: str
    arguments: tuple[str, ...]
    raw: frozenset[str]
    total: frozenset[str]


class _Version:
    """One version of the rules, at the beginning of its first scenario."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.functions = program.by_name.functions
        self.facts = Facts(program)
        self._game = PreparedGame(program)
        self._beginning = self._begin()
        self.cells = self._beginning.copy()

    def _begin(self) -> list[Any]:
        if self.program.entry:
            with contextlib.suppress(Fault):
                return list(Game(self.program).start().machine.M)
        return self._game.module.layout.initial()

    def set(self, axes: Sequence[_Axis], case: Sequence[int]) -> None:
        """Set the states among what differs from case to case."""
        naming, given = self._game.naming, dict[str, Any]()
        params = {axis.name: value for axis, value in zip(axes, case, strict=True) if axis.keys is None}
        for axis, value in zip(axes, case, strict=True):
            if axis.keys is None:
                continue
            shown = naming.to_json(axis.type, value)
            state = self.program.by_name.states[axis.name]
            keys = tuple(naming.keys(state.keys, tuple(params[name] for name in axis.keys)))
            given[axis.name] = {keys: shown} if keys else shown
        if given:
            self.cells[:] = self._beginning
            set_cells(self._game.named_values, self.cells, given)

    def call(self, name: str, arguments: Sequence[Any]) -> Any:
        """The result of a function, or `FAULT`."""
        try:
            return self._game.module.function(name)(self.cells, *arguments)
        except Fault:
            return FAULT


def effects(before: ir.Program, after: ir.Program, prefix: str) -> Iterator[Effect]:
    """Compare the rolls, definitions and tables that both versions have and that are not the same.

    States of pieces and places have the values with which the first scenario begins.
    """
    pair = _Pair(before, after, prefix)
    for point in before.points:
        if point.dice and pair.differs(f"roll:{point.name}"):
            yield from pair.compare_roll(point)
    for name in pair.new.functions:
        own = name.removeprefix("table:")
        if name in pair.old.functions and "'" not in own and ":" not in own and pair.differs(name):
            yield from pair.compare_function(name)


class _Pair:
    def __init__(self, before: ir.Program, after: ir.Program, prefix: str) -> None:
        self.old, self.new = _Version(before), _Version(after)
        self._words, self._naming = Words(after, prefix), Naming(after)
        self._statics = {
            name
            for name, table in after.by_name.statics.items()
            if name not in before.by_name.statics or table.values != before.by_name.statics[name].values
        }
        months = [f for f in after.functions if not f.params and isinstance(f.result, Month)]
        self._calendar = months[0] if len(months) == 1 else None

    def differs(self, name: str) -> bool:
        """True if a function, or a part of it that has no name of its own, is not the same."""
        names = (name, f"value:{name}", f"{name}'unmodified")
        return any(self._one_differs(one) for one in names)

    def _one_differs(self, name: str) -> bool:
        one, other = self.old.functions.get(name), self.new.functions.get(name)
        if one is None or other is None:
            return one is not other
        if (one.body, one.params) != (other.body, other.params):
            return True
        return any(isinstance(n, ir.Static) and n.table in self._statics for n in walk.nodes(other.body))

    # -- comparing

    def compare_roll(self, point: ir.Point) -> Iterator[Effect]:
        """The effect on a roll: what the dice and the modifiers give."""
        name = f"roll:{point.name}"
        axes = self._axes(point.params, (name,))
        if axes is None:
            return
        faces = _sums(point)

        def results(version: _Version, values: Mapping[str, int]) -> Chances:
            arguments = [values[param.name] for param in point.params]
            return _chances((self._total(version, point.name, n, arguments), ways) for n, ways in faces)

        yield self._effect("roll", plain(point.name), axes, results, Int(0, 0))

    def compare_function(self, name: str) -> Iterator[Effect]:
        """The effect on a definition or table; if a roll gives a parameter, on the chances of its results."""
        one, other = self.old.functions[name], self.new.functions[name]
        if [p.name for p in one.params] != [p.name for p in other.params]:
            return
        die = self._die(name)
        rolled = die.raw | die.total if die is not None else frozenset[str]()
        params = [
            param for param, second in zip(one.params, other.params, strict=True)
            if param.name not in rolled and _values(self.old.program, param.type) is not None
            and _values(self.new.program, second.type) is not None
        ]  # fmt: skip
        if len(params) + len(rolled) != len(one.params):
            return
        reads = (name,) if die is None else (name, f"roll:{die.point}")
        axes = self._axes(params, reads)
        if axes is None:
            return
        faces = [(0, 1)] if die is None else _sums(self.new.program.by_name.points[die.point])

        def results(version: _Version, values: Mapping[str, int]) -> Chances:
            outcomes = []
            for n, ways in faces:
                given = dict(values)
                if die is not None:
                    total = self._total(version, die.point, n, [values[a] for a in die.arguments])
                    given |= dict.fromkeys(die.raw, n) | dict.fromkeys(die.total, total)
                arguments = [given[param.name] for param in one.params]
                outcomes.append((version.call(name, arguments), ways))
            return _chances(outcomes)

        kind: Literal["table", "definition"] = "table" if name.startswith("table:") else "definition"
        yield self._effect(kind, plain(name.removeprefix("table:")), axes, results, other.result)

    def _total(self, version: _Version, point: str, rolled: int, arguments: Sequence[int]) -> Any:
        name = f"roll:{point}"
        return version.call(name, [rolled, *arguments]) if name in version.functions else rolled

    def _effect(self, kind: Any, name: str, axes: Sequence[_Axis], results: Any, result: Type) -> Effect:
        count = math.prod(len(axis.values) for axis in axes)
        changed, largest, best = 0, Fraction(-1), ("", "", "")
        for case in _cases(axes, count):
            self.old.set(axes, case)
            self.new.set(axes, case)
            values = {axis.name: value for axis, value in zip(axes, case, strict=True) if axis.keys is None}
            one, other = results(self.old, values), results(self.new, values)
            if one == other:
                continue
            changed += 1
            if (size := _distance(one, other, result)) > largest:
                largest = size
                best = (self._case_words(axes, case), *self._result_words(one, other, result))
        over = tuple(axis.words for axis in axes)
        return Effect(kind, name, over, changed, min(count, MOST), count > MOST, *best)

    # -- cases

    def _axes(self, params: Sequence[ir.Param], functions: Sequence[str]) -> list[_Axis] | None:
        """The parameters, and the states of the whole game that are read; None if values cannot be listed."""
        axes = []
        for param in params:
            values = _values(self.new.program, param.type)
            if values is None:
                return None
            axes.append(_Axis(param.name, param.type, values))
        for version in (self.old, self.new):
            for name in (name for name in functions if name in version.functions):
                for state in sorted(version.facts.function_reads(name)):
                    declared = version.program.by_name.states[state]
                    values = None if declared.keys else _values(version.program, declared.type)
                    if values is not None and state in self.old.program.by_name.states:
                        axes.append(_Axis(state, declared.type, values, ()))
                axes += _cells_read(version, name, [param.name for param in params])
        return list({(axis.name, axis.keys): axis for axis in axes}.values())

    def _die(self, name: str) -> _Die | None:
        """The roll that gives parameters of a function, where play calls it."""
        params = [param.name for param in self.new.functions[name].params]
        for procedure in self.new.program.procedures:
            rolls = [stmt for stmt in walk.statements(procedure.body) if isinstance(stmt, ir.Roll)]
            for stmt in walk.statements(procedure.body) if rolls else ():
                calls = (n for e in walk.expressions(stmt) for n in walk.nodes(e) if isinstance(n, ir.Apply))
                for call in (call for call in calls if call.function == name):
                    given = dict(zip(params, call.arguments, strict=True))
                    for roll in rolls:
                        if (die := _die_of(roll, given)) is not None:
                            return die
        return None

    # -- words

    def _case_words(self, axes: Sequence[_Axis], case: Sequence[int]) -> str:
        texts = []
        for axis, value in zip(axes, case, strict=True):
            text = self._value_words(axis.type, value)
            texts.append(text if isinstance(axis.type, Member | Month) else f"{axis.words} {text}")
            if axis.keys is not None and self._calendar is not None:
                month = self.new.call(self._calendar.name, ())
                if axis.name in self.new.facts.function_reads(self._calendar.name) and month != FAULT:
                    texts[-1] = month_text(month)
        return ", ".join(texts)

    def _value_words(self, kind: Type, value: Any) -> str:
        if isinstance(value, str):
            return value
        domain = kind.domain if isinstance(kind, Member) else ""
        return self._words.value(self._naming.to_json(kind, value), domain)

    def _result_words(self, one: Chances, other: Chances, kind: Type) -> tuple[str, str]:
        """Two results: a value each; else the means, or the chance of the result that differs most."""
        if len(one) == len(other) == 1:
            return self._value_words(kind, next(iter(one))), self._value_words(kind, next(iter(other)))
        if isinstance(kind, Int) and FAULT not in {*one, *other}:
            return f"mean {float(_mean(one)):.2f}", f"{float(_mean(other)):.2f}"
        value = max({*one, *other}, key=lambda v: (abs(other.get(v, 0) - one.get(v, 0)), str(v)))
        first, second = (f"{float(chances.get(value, 0)):.3f}" for chances in (one, other))
        return f"{self._value_words(kind, value)} {first}", second


def _die_of(roll: ir.Roll, given: Mapping[str, ir.Expr]) -> _Die | None:
    """The parameters that a roll gives, if all that the roll is about is given too."""
    raw = frozenset(name for name, value in given.items() if value == roll.raw)
    total = frozenset(name for name, value in given.items() if value == (roll.local or roll.raw))
    about = [next((name for name, value in given.items() if value == a), "") for a in roll.arguments]
    if not raw | total or not all(about):
        return None
    return _Die(roll.point, tuple(about), raw - total if roll.local else frozenset(), total)


def _cells_read(version: _Version, name: str, params: Sequence[str]) -> Iterator[_Axis]:
    """The states that a function reads, itself or in parts without a name, for members that are parameters."""
    parts = (version.functions.get(part) for part in (name, f"value:{name}", f"{name}'unmodified"))
    for e in (node for part in parts if part is not None for node in walk.nodes(part.body)):
        match e:
            case ir.Read(state=state, keys=keys) if keys:
                pass
            case ir.Op(op="in", operands=(member, ir.Flagged(state=state, keys=others))):
                keys = (*others, member)
            case _:
                continue
        names = tuple(key.name for key in keys if isinstance(key, ir.Local) and key.name in params)
        declared = version.program.by_name.states[state]
        values = _values(version.program, declared.type)
        if len(names) == len(declared.keys) and values is not None:
            yield _Axis(state, declared.type, values, names)


def _values(program: ir.Program, kind: Type) -> tuple[int, ...] | None:
    """All values of a type, if they can be listed."""
    match kind:
        case Flag():
            return (0, 1)
        case Int(low=low, high=high) | Month(low=low, high=high):
            return tuple(range(low, high + 1))
        case Member():
            mask = program.by_name.members_of(kind)
            return tuple(n for n in range(mask.bit_length()) if mask >> n & 1)
        case Optional(of=of):
            inner = _values(program, of)
            return None if inner is None else (NONE, *inner)
        case _:
            return None


def _cases(axes: Sequence[_Axis], count: int) -> Iterator[tuple[int, ...]]:
    """All combinations of values, or so many drawn by lot, the same each time."""
    if count <= MOST:
        yield from itertools.product(*(axis.values for axis in axes))
        return
    lot = random.Random(0)
    for _ in range(MOST):
        yield tuple(lot.choice(axis.values) for axis in axes)


def _sums(point: ir.Point) -> list[tuple[int, int]]:
    """The sums of the dice of a point, each with the number of ways to roll it."""
    ways = Counter({0: 1})
    for _ in range(point.dice):
        ways = Counter(
            {
                total: sum(ways[total - face] for face in range(point.lowest, point.lowest + point.sides))
                for total in range(min(ways) + point.lowest, max(ways) + point.lowest + point.sides)
            }
        )
    return sorted(ways.items())


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
