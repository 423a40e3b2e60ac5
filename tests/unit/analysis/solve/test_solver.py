"""The solver against the tree walker and the search: what it denies holds nowhere."""

from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rulekit import ir
from rulekit.analysis.prove import Prover, smt
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base.solver import is_installed
from rulekit.ir import types as t
from tests.unit.analysis.prove.test_prover import (
    PARAMS,
    QUIET,
    DecisionSubject,
    anything,
    questions,
    worked_out,
)
from tests.unit.runtime.make import PIECE, PIECES, const, local, op, program, read


def check(asked: DecisionSubject, seed: int, states: int) -> None:
    """What the solver denies holds for the walker in no state that is drawn."""
    made, test = asked
    answer = smt.propose(made, PARAMS, (test,))
    if answer == "never":
        assert not isinstance(Prover(made).prove_never(PARAMS, test, budget=3_000), Refuted)
        for more in range(states):
            walker, env = anything(made, seed + more)
            assert worked_out(walker, test, env) is not True


@settings(max_examples=120, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(questions(), st.integers(0, 2**32))
def test_what_is_denied_holds_nowhere(asked: DecisionSubject, seed: int) -> None:
    check(asked, seed, 20)


@pytest.mark.slow
@settings(max_examples=2_500, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(questions(), st.integers(0, 2**32))
def test_what_is_denied_holds_nowhere_many_times(asked: DecisionSubject, seed: int) -> None:
    check(asked, seed, 40)


SMALL_WORLD = program(ir.Procedure("play", (), t.Nothing(), (), (), 0))


def damage_is(total: int) -> ir.Expr:
    """The damage of all five pieces together: with a small budget the search cannot tell."""
    piece = local("x", PIECE)
    whole = ir.Fold("total", const(0b11111, PIECES), piece, read("damage", piece), t.Int(0, 1000))
    return op("eq", whole, const(total))


def most() -> int:
    """The most damage that all pieces can have."""
    kind = next(state.type for state in SMALL_WORLD.states if state.name == "damage")
    assert isinstance(kind, t.Int)
    return 5 * kind.high


def ask(test: ir.Expr, *, solver: bool) -> object:
    return Prover(SMALL_WORLD, solver=solver).prove_never((), test, budget=300)


def test_it_decides_what_the_search_leaves_open() -> None:
    assert isinstance(ask(damage_is(most() + 1), solver=False), Undecided)

    assert isinstance(ask(damage_is(most() + 1), solver=True), Proved)
    seen = ask(damage_is(most()), solver=True)
    assert isinstance(seen, Refuted)
    assert most() == sum(value for (name, _), value in seen.evidence.items() if name == "damage")


def test_without_a_solver_it_stays_open() -> None:
    with mock.patch("rulekit.base.solver.find_spec", return_value=None):
        assert not is_installed()
        assert isinstance(ask(damage_is(most() + 1), solver=True), Undecided)


def test_what_it_cannot_say_it_does_not_deny() -> None:
    """Of a list nothing is known: that it is longer than it can be is left open."""
    listed = ir.Param("listed", t.ListOf(PIECE, 3))
    longer = op("gt", op("length", local("listed", listed.type), type=t.Int(0, 9)), const(3))

    assert "never" != smt.propose(SMALL_WORLD, (listed,), (longer,))


def test_a_formula_may_be_too_large() -> None:
    with mock.patch("rulekit.analysis.prove.smt.formula.MOST_PARTS", 5):
        assert "open" == smt.propose(SMALL_WORLD, (), (damage_is(most() + 1),))


def test_it_is_not_loaded_for_what_the_search_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "propose", lambda *_: pytest.fail("the solver was asked"))

    assert isinstance(Prover(SMALL_WORLD, solver=True).prove_never((), op("eq", const(1), const(2))), Proved)
