"""Invariants in modules: tested where Python tests them, and told in the same words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulekit import compile_rules, ir
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame, NativeSession
from rulekit.runtime.native.refusals import BuildRefused
from rulekit.runtime.support.build import Build
from rulekit.testing import MANIFEST, compile_text, manifest
from tests.unit.runtime import make
from tests.unit.runtime.worlds import Draw, Maker

ROOT = Path(__file__).parents[4]
TESTING = Build(invariants=True)
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


@st.composite
def promising(draw: Draw) -> ir.Program:
    """Random programs with invariants that often hold for a while."""
    maker = Maker(draw)
    program = maker.made()
    bodies = [
        make.op("or", maker.flag([], 2), maker.flag([], 2), maker.flag([], 1))
        for _ in range(maker.number(1, 3))
    ]
    promises = [ir.Invariant(f"promise {n}", body, maker.site()) for n, body in enumerate(bodies)]
    return for_play(replace(program, invariants=tuple(promises)))


def outcome(play: Callable[[], Any]) -> tuple[Any, ...]:
    """The state, or the fault."""
    try:
        return tuple(play().cells[1:])
    except Fault as fault:
        return fault.name, fault.site, fault.message


def check_program(program: ir.Program, seed: int) -> None:
    """A game by both ends in the same state, or with the same fault."""
    try:
        game = NativeGame(build(program, invariants=True))
    except BuildRefused:
        return
    policy = RandomPolicy(program, seed)
    expected = outcome(lambda: run_direct(program, None, policy, seed, build=TESTING, fuel=100_000))
    game.budget = 100_000
    found = outcome(lambda: game.play(seed))
    if "budget" not in (expected[0], found[0]):
        assert expected == found


@settings(max_examples=50, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(promising(), st.integers(0, 2**32))
def test_promises_break_where_they_break_in_python(program: ir.Program, seed: int) -> None:
    """A sample of random programs."""
    check_program(program, seed)


@pytest.mark.parametrize(
    "name", ["examples/cards/two-lanterns", "tests/sets/harbour", "rules/vitp", "rules/fcn"]
)
def test_whole_games_keep_their_promises(name: str) -> None:
    """Cell by cell as in Python, budget included: a test takes from it, too."""
    program = for_play(compile_rules(ROOT / name))
    game = NativeGame(build(program, invariants=True))
    assert program.invariants
    for seed in range(2):
        policy = RandomPolicy(program, seed)
        assert run_direct(program, None, policy, seed, build=TESTING).cells == game.play(seed).cells


SETTING_UP = """enum Side: Solo
state held: 0..9
invariant few: held < 3
scenario beginning:
    set held to 5
    set held to 2
choice more() by Solo:
    decide
sequence play:
    choose more()
    add 1 to held
"""


@cache
def setting_up() -> ir.Program:
    """Rules whose set-up breaks an invariant for a while."""
    program = compile_text(SETTING_UP, {MANIFEST: manifest({}) + "sequence: play\n"}).program
    assert program is not None
    return program


def test_a_set_up_may_break_them_for_a_while() -> None:
    """It does, and is tested at its end; then the first change that breaks one is blamed."""
    session = NativeSession(build(setting_up(), stops=True, invariants=True))
    for _ in range(2):
        assert session.start(0, "beginning") is not None
        with pytest.raises(Fault, match="few") as broken:
            session.answer(0)
        assert broken.value.name == "broken-invariant"
        assert broken.value.site is not None and broken.value.site.line == 11


def test_modules_test_only_the_set_up_unless_they_are_built_to() -> None:
    """As sessions do."""
    session = NativeSession(build(setting_up(), stops=True))
    assert session.start(0, "beginning") is not None
    assert session.answer(0) is None
