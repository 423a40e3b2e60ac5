"""Random programs: every build pays the same, and ends in the same fault at the same place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulekit import ir
from rulekit.ir import types as t
from rulekit.ir.semantics import work
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.simulate import RandomPolicy, new_machine, play
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.native.build import build as native
from rulekit.runtime.native.host import NativeGame
from rulekit.runtime.support.build import Build
from rulekit.runtime.support.layout import FUEL
from tests.unit.runtime import make
from tests.unit.runtime.worlds import programs

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
BUILDS = (Build(), Build(trace="operands"), Build(journal=True), Build(coverage=True))
"""The optimised build, with more and more of its ways of noting what happens, and the plain one."""


@contextmanager
def few_nodes_are_heavy() -> Iterator[None]:
    """Make nearly everything pay, so that small programs pay at many places."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "LIGHT", 12)
        patch.setattr(work, "LIGHT_STEPS", 600)
        yield


def payments(program: ir.Program, seed: int, build: Build, fuel: int) -> tuple[Any, ...]:
    """The fault, if there is one, with the place of the fault `budget`, and what is left of the budget."""
    module = generate(program, build)
    machine = new_machine(module, Streams(module, seed), RandomPolicy(program, seed))
    machine.trace = [].append
    machine.journal = [].append if build.journal else None
    machine.refuel(fuel)
    try:
        play(machine, None)
    except Fault as fault:
        return fault.name, fault.site if fault.name == "budget" else None, machine.M[FUEL]
    return "end", None, machine.M[FUEL]


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), st.integers(0, 2**32), st.integers(1, 3000))
def test_every_build_pays_alike(program: ir.Program, seed: int, fuel: int) -> None:
    """Half of the runs end in the fault `budget`, because theirs is so small."""
    with few_nodes_are_heavy():
        first, *others = [payments(program, seed, build, fuel) for build in BUILDS]

    assert [first] * len(others) == others


@pytest.mark.parametrize("build", BUILDS)
def test_a_text_that_faults_ends_the_game_in_every_build(build: Build) -> None:
    """With a log and without one, in Python and in a module."""
    three = make.const(0b11001, make.PIECES)
    one = make.op("only", three, type=make.PIECE)
    said = ir.Say(ir.Static("piece.words", (one,), t.Text()), 0)
    program = make.program(make.procedure("play", said))

    assert payments(program, 0, build, 100)[0] == "no-value"
    with pytest.raises(Fault, match="a set that should have one member has 3"):
        NativeGame(native(program)).play()
