"""The prover against the tree walker: what is seen holds there, what is never seen holds nowhere."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulekit import ir
from rulekit.analysis.prove import Prover
from rulekit.analysis.prove.evaluate import Closures
from rulekit.analysis.prove.lazy_sets import KnownSet, LazySet
from rulekit.analysis.prove.search import CellValues, Search
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.ir import types as t
from rulekit.ir.semantics.faults import Fault
from tests.unit.runtime import oracle
from tests.unit.runtime.make import COLOR, PIECE, PIECES, SIDE, SMALL, SPACE, const, local, op, program, read
from tests.unit.runtime.worlds import Maker

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
PARAMS = (
    ir.Param("a", PIECE),
    ir.Param("b", PIECE),
    ir.Param("side", SIDE),
    ir.Param("color", COLOR),
    ir.Param("size", SMALL),
    ir.Param("where", t.Optional(SPACE)),
    ir.Param("some", PIECES),
)
SCOPE = [local(param.name, param.type) for param in PARAMS]
DecisionSubject = tuple[ir.Program, ir.Expr]


@st.composite
def questions(draw: Any) -> DecisionSubject:
    """A program with a few functions, and a test of the parameters and the state."""
    maker = Maker(draw)
    for number in range(maker.number(0, 2)):
        maker.functions.append(maker.function(f"f{number}"))
    test = maker.flag(list(SCOPE), 4)
    return program(ir.Procedure("play", (), t.Nothing(), (), (), 0), functions=tuple(maker.functions)), test


def any_of(kind: t.Type, draw: random.Random) -> Any:
    """Some value of a type of the small world."""
    sizes = {"Side": 2, "Color": 3, "piece": 5, "space": 3, "Fight": 2}
    match kind:
        case t.Flag():
            return draw.random() < 0.5
        case t.Int():
            return draw.randint(kind.low, kind.high)
        case t.Member():
            return draw.randrange(3 if kind.name == "Ship" else sizes[kind.domain])
        case t.Optional():
            return t.NONE if draw.random() < 0.3 else any_of(kind.of, draw)
        case t.SetOf():
            assert isinstance(kind.of, t.Member)
            return draw.getrandbits(sizes[kind.of.domain])
        case t.ListOf():
            return tuple(any_of(kind.of, draw) for _ in range(draw.randint(0, min(kind.most, 4))))
        case _:
            raise AssertionError(kind)


def anything(made: ir.Program, seed: int) -> tuple[oracle.Oracle, dict[str, Any]]:
    """The tree walker in some state, and some arguments."""
    draw = random.Random(seed)
    walker = oracle.Oracle(made, 0, lambda *_: 0)
    for cell in walker.cells:
        walker.cells[cell] = any_of(walker.states[cell[0]].type, draw)
    return walker, {param.name: any_of(param.type, draw) for param in PARAMS}


def worked_out(walker: oracle.Oracle, test: ir.Expr, env: dict[str, Any]) -> Any:
    """What the tree walker says; None if it faults."""
    try:
        return walker.value(test, dict(env))
    except oracle.Fault:
        return None


class Given:
    """Readings from a state that is known."""

    def __init__(self, walker: oracle.Oracle) -> None:
        self.walker = walker
        self.why: list[Any] = []

    def step(self) -> None:
        """Nothing is counted."""

    def state(self, name: str) -> Callable[[tuple[int, ...]], Any]:
        """What tells the value there."""
        return lambda keys: self.value(name, keys)

    def value(self, name: str, keys: tuple[int, ...]) -> Any:
        """The value there."""
        for key, domain in zip(keys, self.walker.states[name].keys, strict=True):
            if key not in self.walker.range_of(domain):
                raise Fault("out-of-range", name)
        value = self.walker.cells[name, keys]
        return KnownSet(value) if isinstance(self.walker.states[name].type, t.SetOf) else value

    def last_keys(self, name: str) -> int:
        """All values of the last key."""
        return sum(1 << key for key in self.walker.range_of(self.walker.states[name].keys[-1]))


@settings(max_examples=150, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(questions(), st.integers(0, 2**32))
def test_conditions_mean_what_the_tree_walker_says(asked: DecisionSubject, seed: int) -> None:
    """On any state a condition's closure gives the walker's value, or faults with it."""
    made, test = asked
    walker, env = anything(made, seed)
    closure = Closures(made, Given(walker)).closure(test)  # type: ignore[arg-type]
    expected = worked_out(walker, test, env)
    known = {name: KnownSet(value) if name == "some" else value for name, value in env.items()}
    try:
        found = closure(known)
    except (Fault, IndexError, KeyError):
        found = None
    assert not isinstance(found, LazySet)
    assert expected == found


def check_answer(made: ir.Program, test: ir.Expr, seed: int) -> None:
    """What is seen holds for the walker or faults, whatever the rest; what never holds, nowhere."""
    answer = Prover(made).prove_never(PARAMS, test, budget=5_000)
    for more in range(20):
        walker, env = anything(made, seed + more)
        if isinstance(answer, Refuted):
            settle(walker, env, answer)
            # A part that need not be looked at may fault: the interpreter has the last word on what is shown.
            assert worked_out(walker, test, env) is not False
        elif isinstance(answer, Proved):
            assert worked_out(walker, test, env) is not True


def settle(walker: oracle.Oracle, env: dict[str, Any], seen: Refuted[CellValues]) -> None:
    """Put the walker into a situation that was seen."""
    for (name, keys), value in seen.evidence.items():
        if name.startswith("parameter ") and not name.endswith(" has"):
            env[name.removeprefix("parameter ")] = value
        elif name.endswith(" has"):
            plain, bit = name.removesuffix(" has"), 1 << keys[-1]
            if plain.startswith("parameter "):
                plain = plain.removeprefix("parameter ")
                env[plain] = env[plain] | bit if value else env[plain] & ~bit
            else:
                cell = (plain, keys[:-1])
                walker.cells[cell] = walker.cells[cell] | bit if value else walker.cells[cell] & ~bit
        else:
            walker.cells[name, keys] = value


@settings(max_examples=150, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(questions(), st.integers(0, 2**32))
def test_answers_hold_for_the_tree_walker(asked: DecisionSubject, seed: int) -> None:
    """A sample of random questions."""
    check_answer(*asked, seed)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(questions(), st.integers(0, 2**32))
def test_many_answers_hold(asked: DecisionSubject, seed: int) -> None:
    """Many more."""
    check_answer(*asked, seed)


def ask(test: ir.Expr, **more: Any) -> object:
    """An answer about the small world."""
    return Prover(program(ir.Procedure("play", (), t.Nothing(), (), (), 0))).prove_never(PARAMS, test, **more)


def test_numbers_are_cut_where_they_are_compared() -> None:
    """A range of 21 numbers that is compared with two of them takes a handful of situations."""
    turn = read("turn")
    both = op("and", op("lt", turn, const(5)), op("gt", turn, const(7)))
    answer = ask(both)

    assert isinstance(answer, Proved)
    assert answer.tried < 50


def test_members_that_nothing_tells_apart_are_tried_once() -> None:
    """Two pieces of which only the damage is read are the same piece or another: never five by five."""
    a, b = local("a", PIECE), local("b", PIECE)
    odd = op("and", op("eq", a, b), op("ne", read("damage", a), read("damage", b)))
    answer = ask(odd)

    assert isinstance(answer, Proved)
    assert answer.tried < 120


def test_what_is_not_decided_is_said() -> None:
    """A count that needs every piece's state, and a budget that does not reach."""
    damage = ir.Fold(
        "total", const(0b11111, PIECES), local("x", PIECE), read("damage", local("x", PIECE)), SMALL
    )
    answer = ask(op("eq", damage, const(26)), budget=300)

    assert isinstance(answer, Undecided)
    assert "budget" == answer.reason


def test_what_was_seen_is_not_lost_for_want_of_budget() -> None:
    """A situation that is too large to be made plainer is told as it was found."""
    search = Search(budget=13_000)

    def some_are_set() -> bool:
        cells = [(f"cell {number}", ()) for number in range(6_000)]
        return 0 < sum(search.read(cell, lambda: (0, 1), lambda cell, value: None) for cell in cells)

    assert isinstance(search.answer(some_are_set, lambda: None, shown=True), Refuted)


def test_a_search_may_use_a_part_of_its_budget() -> None:
    """What it leaves open then is undecided, and the rest of the budget is not spent."""
    search = Search(budget=9_000)

    def never() -> bool:
        cells = [(f"cell {number}", ()) for number in range(30)]
        return sum(search.read(cell, lambda: (0, 1), lambda cell, value: None) for cell in cells) == 31

    assert isinstance(search.answer(never, lambda: None, shown=False, most=1 / 3), Undecided)
    assert 5_500 < search.left < 6_000
