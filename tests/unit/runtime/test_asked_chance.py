"""Builds that ask for chance: they stop for every die, draw and shuffle, and go on with any outcome."""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulekit import ir
from rulekit.ir.semantics import faults
from rulekit.ir.semantics.faults import Finished
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.support import asked
from rulekit.runtime.support.build import Build
from tests.unit.runtime import make
from tests.unit.runtime.agree import FUEL, MOST_DECISIONS, Run, plain, state_of, told
from tests.unit.runtime.asking import Answers, AskedOracle
from tests.unit.runtime.oracle import Fault
from tests.unit.runtime.worlds import programs

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
ASKED = Build(form="frames", trace="operands", chance="asked")
BUDGET = ("fault", "budget")


def by_oracle(program: ir.Program, answers: Answers) -> Run:
    oracle = AskedOracle(program, answers)
    try:
        end = ("result", plain(oracle.play()))
    except Fault as fault:
        end = ("fault", fault.name)
    return Run(end, [plain(entry) for entry in oracle.trace], {k: plain(v) for k, v in oracle.cells.items()})


def by_build(program: ir.Program, answers: Answers) -> Run:
    module = generate(program, ASKED)
    machine = Machine(module, Streams(module, 0), module.layout.initial())
    entries: list[Any] = []
    machine.trace = entries.append
    machine.refuel(FUEL)
    result = None
    try:
        for name in [*(item.procedure for item in program.scenarios[:1]), program.entry]:
            key = ("procedure", name, False)
            if not module.stops(key):
                machine.call(name)
                continue
            machine.push(name)
            going = machine.run()
            while going:
                if len(answers.given) > MOST_DECISIONS:
                    return Run(BUDGET, [], {})
                assert machine.asked is not None
                going = machine.run(answers(machine.asked))
    except Finished as finished:
        result = finished.result
    except faults.Fault as fault:
        return Run(("fault", fault.name), [], {})
    return Run(("result", plain(result)), told(module, entries), state_of(module, machine.M))


def check(program: ir.Program, seed: int) -> None:
    """The build that asks does what the oracle does with the same answers, and asks the same."""
    of_oracle, of_build = Answers(program, seed), Answers(program, seed)
    expected, found = by_oracle(program, of_oracle), by_build(program, of_build)
    if BUDGET in (expected.end, found.end):
        return
    assert expected.end == found.end
    if expected.end[0] == "result":
        chance = [(q, a) for q, a in of_oracle.given if q[0] < 0]
        assert chance == [(q, a) for q, a in of_build.given if q[0] < 0]
        assert expected.trace == found.trace
        assert expected.state == found.state


@settings(max_examples=80, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), st.integers(0, 2**32))
def test_a_build_that_asks_agrees_with_the_oracle(program: ir.Program, seed: int) -> None:
    """A sample of random programs."""
    check(program, seed)


@pytest.mark.slow
@settings(max_examples=800, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), st.integers(0, 2**32))
def test_many_agree(program: ir.Program, seed: int) -> None:
    """The same, for many more programs."""
    check(program, seed)


def world(*body: ir.Stmt) -> ir.Program:
    """The small world with one procedure."""
    return make.program(make.procedure("play", *body))


PIECE, HELD = make.local("one", make.PIECE), make.local("some", make.PIECES)
ALL = make.const(0b11111, make.PIECES)
MARK = make.write("mark", "marked", (PIECE,))
LATER = make.write("add", "turn", (), make.const(1))
LOT = ir.Order("lot", (), "mix")
BY_SIDE = ir.Order("lot", (ir.Static("piece.side", (PIECE,), make.SIDE),), "mix", ("lowest",))
CID = make.op("eq", PIECE, make.const(2, make.PIECE))
SOUTH = (make.const(1, make.SIDE),)

BODIES: dict[str, list[ir.Stmt]] = {
    "by lot": [ir.ForEach(PIECE, ALL, LOT, (MARK, LATER), 0)],
    "by lot among equals": [
        ir.ForEach(PIECE, ALL, BY_SIDE, (ir.When(CID, (ir.Leave(0),), (MARK,), 0),), 0),
    ],
    "turns by lot": [ir.ForEach(PIECE, ALL, LOT, (MARK,), 0, make.op("not", make.read("marked", PIECE)))],
    "a shuffle": [
        ir.Shuffle("mix", "pile", (), 0),
        ir.DrawTop("lot", "pile", (), make.const(1), True, PIECE, 0),
        MARK,
    ],
    "a cup": [
        make.write("set", "held", SOUTH, ALL),
        ir.DrawTop("lot", "held", SOUTH, make.const(2), False, HELD, 0),
        ir.DrawTop("lot", "held", SOUTH, make.const(1), True, PIECE, 0),
        MARK,
        ir.MarkAll("seen", (make.const(0, make.SIDE),), HELD, True, 0),
    ],
}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_lots_and_draws(body: list[ir.Stmt], seed: int) -> None:
    """Loops by lot, shuffles and cups, each by itself."""
    check(world(*body), seed)


def test_what_needs_no_chance_is_not_asked() -> None:
    """A draw of all, of none, or from one thing goes on at once."""
    two = make.const(0b11, make.PIECES)
    answers = Answers(
        program := world(
            ir.DrawLot("lot", make.const(2), two, False, HELD, 0),
            ir.DrawLot("lot", make.const(0), two, False, HELD, 0),
            ir.DrawLot("lot", make.const(1), make.const(0b1, make.PIECES), True, PIECE, 0),
            ir.ForEach(PIECE, make.const(0b1, make.PIECES), LOT, (MARK,), 0),
        ),
        0,
    )

    assert ("result", None) == by_build(program, answers).end
    assert [] == answers.given


@pytest.mark.parametrize("seed", range(5))
def test_the_top_of_a_stack_is_no_chance(seed: int) -> None:
    """A procedure that only draws from a stack never stops, and is called like any other that does not."""
    top = ir.DrawTop("mix", "pile", (), make.const(1), True, PIECE, 0)
    draw = make.procedure(
        "draw", ir.ForEach(make.local("each", make.PIECE), ALL, None, (top, *(MARK,) * 20), 0)
    )
    lot = ir.DrawLot("lot", make.const(2), ALL, False, HELD, 0)
    twice = (ir.Do("draw", (), None, 0), ir.Do("draw", (), None, 0))
    program = make.program(draw, make.procedure("play", lot, *twice))

    check(program, seed)
    assert not generate(program, ASKED).stops(("procedure", "draw", False))


def test_chance_is_counted_as_it_is_used() -> None:
    """The counters of the points are those of a game that takes its chance from a seed."""
    program = world(
        ir.Roll("pair", (), make.local("raw", make.WIDE), None, None, 0),
        ir.DrawLot("lot", make.const(2), ALL, False, HELD, 0),
        ir.ForEach(PIECE, ALL, LOT, (MARK,), 0),
    )
    module = generate(program, ASKED)
    machine = Machine(module, Streams(module, 0), module.layout.initial())
    machine.trace = [].append
    machine.refuel(FUEL)
    answers = Answers(program, 1)
    machine.push("play")
    going = machine.run()
    while going:
        assert machine.asked is not None
        going = machine.run(answers(machine.asked))

    counters = module.layout.counters
    assert {"die": 0, "pair": 2, "lot": 2, "mix": 4} == {name: machine.M[at] for name, at in counters.items()}


@given(st.integers(1, 4), st.integers(2, 7), st.integers(0, 1))
def test_dice_weigh_as_many_as_there_are_faces_for_a_sum(dice: int, sides: int, lowest: int) -> None:
    """Against the listing of all faces."""
    point = ir.Point("die", dice, sides, 0, lowest)
    question = (-1, asked.ROLL, dice, ())
    sums = [sum(faces) for faces in product(range(lowest, lowest + sides), repeat=dice)]

    weights = dict(asked.outcomes(point, question))

    assert {total: sums.count(total) for total in set(sums)} == weights
    assert asked.total_weight(point, question) == sum(weights.values())
    assert asked.outcome_count(point, question) == len(weights)


@given(st.sets(st.integers(0, 9), min_size=2, max_size=5), st.data())
def test_outcomes_are_what_may_be_answered(members: set[int], data: st.DataObject) -> None:
    """Each outcome of a draw or shuffle may be answered, and their weights make a whole."""
    point, things = ir.Point("lot", 0, 0, 0), tuple(sorted(members))
    count = data.draw(st.integers(1, len(things) - 1))
    for question in (
        (-1, asked.ONE, None, things),
        (-1, asked.SET, count, things),
        (-1, asked.ORDER, None, things),
    ):
        weights = dict(asked.outcomes(point, question))
        assert (
            asked.total_weight(point, question)
            == sum(weights.values())
            == asked.outcome_count(point, question)
        )
        assert all(asked.may_answer(point, question, answer) for answer in weights)
    assert comb(len(things), count) == asked.outcome_count(point, (-1, asked.SET, count, things))
    assert not asked.may_answer(point, (-1, asked.ONE, None, things), 10)
    assert not asked.may_answer(point, (-1, asked.SET, count, things), 1 << 10)
    assert not asked.may_answer(point, (-1, asked.ORDER, None, things), things[1:])
