"""Random programs: the builds and the oracle agree on state, trace and result."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulekit import ir
from rulekit.ir import types as t
from rulekit.runtime.support.build import Build
from tests.unit.runtime import make
from tests.unit.runtime.agree import by_direct, by_native, by_oracle, by_session
from tests.unit.runtime.worlds import programs

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
OPERANDS = Build(trace="operands")
BUDGET = ("fault", "budget")
SEEDS = st.integers(0, 2**32)


def check_direct(program: ir.Program, seed: int) -> None:
    """The direct builds do what the oracle does."""
    expected, found = by_oracle(program, seed), by_direct(program, seed, OPERANDS)
    if BUDGET in (expected.end, found.end):
        return  # The oracle counts runs of loops, the builds pay by weights before they run.
    assert expected.end == found.end
    if expected.end[0] == "result":
        assert expected.trace == found.trace
        assert expected.state == found.state
    for build in (Build(trace="operands", journal=True), Build(trace="operands", coverage=True)):
        other = by_direct(program, seed, build)
        assert (found.end, found.trace) == (other.end, other.trace)


def check_frames(program: ir.Program, seed: int) -> None:
    """Sessions do what the direct build does, also when saved and restored at every decision."""
    expected = by_direct(program, seed, OPERANDS)
    if expected.end == BUDGET:
        return  # A session has this budget for each step, a direct game for all.
    for saving in (0, 1):
        found = by_session(program, seed, saving=saving)
        assert expected.end == found.end
        if expected.end[0] == "result":
            assert expected.trace == found.trace
            assert expected.state == found.state


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), SEEDS)
def test_direct_agrees_with_the_oracle(program: ir.Program, seed: int) -> None:
    """A sample of random programs against the tree walker."""
    check_direct(program, seed)


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), SEEDS)
def test_sessions_agree_with_direct(program: ir.Program, seed: int) -> None:
    """A sample of random programs in both control forms."""
    check_frames(program, seed)


def test_lots_among_equals_of_pieces_at_two_places() -> None:
    """The set is worked out in parts, each of which is read once."""
    piece, one = make.local("piece", make.PIECE), make.local("one", make.PIECE)
    seen = ir.Flagged("seen", (make.const(1, make.SIDE),), make.PIECES)
    near = make.op("has", make.read("place", piece), make.const(3, make.SPACES))
    order = ir.Order("lot", (make.read("damage", one),), "mix", ("highest",))
    body = (make.write("add", "turn", (), make.const(1)),)
    loop = ir.ForEach(one, ir.Filter(seen, piece, near, make.PIECES), order, body, make.SITE)

    check_direct(make.program(make.procedure("play", loop)), 1)


def test_the_fault_of_a_member_comes_before_that_of_its_set() -> None:
    """`only(NOBODY) is in SET`, where the set divides by zero: operands are worked out from the left."""
    nobody = make.op("only", make.const(0, make.PIECES), type=make.PIECE)
    zero = make.op("div_down", make.const(1), make.const(0), type=make.WIDE)
    group = ir.If(
        make.op("eq", zero, zero), make.const(3, make.PIECES), make.const(0, make.PIECES), make.PIECES
    )
    when = ir.When(make.op("has", nobody, group), (), (), make.SITE)
    program = make.program(make.procedure("play", when))

    assert ("fault", "no-value") == by_oracle(program, 1).end
    check_direct(program, 1)


@pytest.mark.parametrize("seed", range(6))
def test_an_item_that_may_not_be_without_keeps_one(seed: int) -> None:
    """Three options for two items, each once: the first may not take all, as the second may not decline."""
    item, answer = make.local("item", make.SPACE), t.MapOf(make.SPACE, make.PIECES)
    choice = make.choice(
        "crew",
        "assign_set",
        item=item,
        chosen=make.local("chosen", make.PIECES),
        assigned=make.local("assigned", answer),
        items=make.const(0b11, make.SPACES),
        candidates=make.const(0b111, make.PIECES),
        able="none",
        each=make.const(1),
        norms=(make.norm("forbid", make.const(True, make.FLAG), declining=True),),
        answer=answer,
    )
    crew = make.local("crew", answer)
    program = make.program(make.procedure("play", ir.Choose("crew", (), crew, make.SITE)), choices=(choice,))

    assert by_oracle(program, seed).end == ("result", None)
    check_direct(program, seed)
    assert by_native(program, seed).end == ("result", None)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), SEEDS)
def test_many_agree(program: ir.Program, seed: int) -> None:
    """The same, for many more programs."""
    check_direct(program, seed)
    check_frames(program, seed)
