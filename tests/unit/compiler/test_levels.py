"""Procedures that run themselves: one procedure for each level does what counting open runs does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulekit import ir
from rulekit.compiler.levels import Levels
from rulekit.ir import types as t
from rulekit.runtime.machine.simulate import RandomPolicy
from rulekit.runtime.support.build import Build
from tests.unit.runtime import make
from tests.unit.runtime.agree import Run, by_direct, by_session, plain
from tests.unit.runtime.oracle import Fault, Oracle
from tests.unit.runtime.worlds import programs

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
Draw = Any


class Counting(Oracle):
    """Runs procedures that run themselves, and counts how many runs of each are open."""

    def __init__(self, program: ir.Program, seed: int, bounds: Mapping[str, int]) -> None:
        super().__init__(program, seed, RandomPolicy(program, seed))
        self.bounds, self.open_runs = bounds, Counter[str]()

    def do(self, name: str, arguments: tuple[Any, ...]) -> Any:
        if self.open_runs[name] >= self.bounds.get(name, 1000):
            raise Fault("endless-loop")
        self.open_runs[name] += 1
        try:
            return super().do(name, arguments)
        finally:
            self.open_runs[name] -= 1


def counted(program: ir.Program, seed: int, bounds: Mapping[str, int]) -> Run:
    """A game by the oracle that counts."""
    oracle = Counting(program, seed, bounds)
    try:
        end = ("result", plain(oracle.play()))
    except Fault as fault:
        end = ("fault", fault.name)
    return Run(end, list(map(plain, oracle.trace)), {cell: plain(one) for cell, one in oracle.cells.items()})


@st.composite
def circles(draw: Draw) -> tuple[ir.Program, dict[str, int]]:
    """A random program whose procedures run one another, and how deep each of them may go."""
    program = draw(programs())
    names = [item.name for item in program.procedures if item.name != "play"]
    bounds = {name: draw(st.integers(2, 4)) for name in names}
    turn = ir.Read("turn", (), t.Int(0, 20))

    def again(item: ir.Procedure) -> ir.Procedure:
        other = program.by_name.procedures[draw(st.sampled_from(names))]
        arguments = tuple(make.const(0, param.type) for param in other.params)
        bump = ir.Write("add", "turn", (), make.const(1), make.SITE, check=True)
        run = ir.Do(other.name, arguments, None, make.SITE)
        guarded = ir.When(
            make.op("lt", turn, make.const(draw(st.integers(0, 6)))), (bump, run), (), make.SITE
        )
        at = draw(st.integers(0, len(item.body) - 1))
        return replace(item, body=(*item.body[:at], guarded, *item.body[at:]))

    changed = tuple(again(item) if item.name in names else item for item in program.procedures)
    return replace(program, procedures=changed), bounds


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(circles(), st.integers(0, 2**32))
def test_levels_do_what_counting_does(made: tuple[ir.Program, dict[str, int]], seed: int) -> None:
    """State, trace, result and faults are the same in both forms of control, with saves at each decision."""
    program, bounds = made
    levels = Levels(program.by_name.procedures, bounds).unroll()
    finite = replace(program, procedures=tuple(levels.values()))

    expected = counted(program, seed, bounds)
    found = by_direct(finite, seed, Build(trace="operands"))
    if "budget" in (expected.end[1], found.end[1]):
        return
    assert expected.end == found.end
    stopping = by_session(finite, seed, saving=1)
    assert expected.end == stopping.end
    if expected.end[0] == "result":
        assert (expected.trace, expected.state) == (found.trace, found.state)
        assert (expected.trace, expected.state) == (stopping.trace, stopping.state)


def test_no_procedure_runs_itself() -> None:
    """Names are those of the rules for what is run from outside, and the level for the others."""
    one, two = (ir.Do(name, (), None, make.SITE) for name in ("one", "two"))
    procedures = {"one": make.procedure("one", two), "two": make.procedure("two", one, one)}

    levels = Levels(procedures, {"one": 2}).unroll()

    runs = {
        name: [stmt.procedure for stmt in item.body if isinstance(stmt, ir.Do)]
        for name, item in levels.items()
    }
    assert runs == {
        "one": ["two'1"],
        "two": ["one", "one"],
        "two'1": ["one'2", "one'2"],
        "one'2": ["two'2"],
        "two'2": ["one'beyond", "one'beyond"],
        "one'beyond": [],
    }
