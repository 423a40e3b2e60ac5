"""Exact chances: those of random programs are those that come from listing every outcome."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from rulekit import ir
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.odds.deferring import UNKNOWN, OddsMachine
from rulekit.runtime.odds.graph import LEFT, Budget, Graph
from rulekit.runtime.odds.kernels import Kernels
from rulekit.runtime.odds.nodes import Keeper
from rulekit.runtime.odds.policies import any_legal
from rulekit.runtime.odds.reading import Ended, FaultOutcome
from rulekit.runtime.odds.running import FOLLOWING
from rulekit.runtime.odds.weights import weigh
from rulekit.runtime.optimise.blind import outline_blind_loops
from rulekit.runtime.support import asked
from rulekit.runtime.support.asked import Question
from tests.unit.runtime.agree import plain, state_of
from tests.unit.runtime.asking import AskedOracle
from tests.unit.runtime.odds.chancy import chancy_programs
from tests.unit.runtime.oracle import Fault

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
MOST_OUTCOMES = 400
"""Runs of the reference interpreter for one program; one with more outcomes is compared by a sample."""

Chances = dict[Any, Fraction]


class _More(Exception):
    """A question that the answers so far do not reach."""

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question


class _Listed:
    """Gives the answers of a list, one after the other."""

    def __init__(self, answers: list[Any]) -> None:
        self.answers, self.next = answers, 0

    def __call__(self, question: Question) -> Any:
        if self.next == len(self.answers):
            raise _More(question)
        self.next += 1
        return self.answers[self.next - 1]


def weighted(program: ir.Program, question: Question) -> list[tuple[Any, int]]:
    """All that may be answered, choices each as likely."""
    if question[0] < 0:
        return list(asked.outcomes(program.points[~question[0]], question))
    return [(option, 1) for option in question[3]]


def end_of(program: ir.Program, answers: list[Any]) -> Any:
    """Where a game with these answers ends: a fault's name, or the state."""
    oracle = AskedOracle(program, _Listed(answers))
    try:
        oracle.play()
    except Fault as fault:
        return fault.name
    return frozen({cell: plain(value) for cell, value in oracle.cells.items()})


def frozen(state: dict[Any, Any]) -> Any:
    return tuple(sorted((cell, repr(value)) for cell, value in state.items()))


def listed(program: ir.Program) -> Chances | None:
    """The chance of every end, by listing every game; None if there are too many."""
    chances: Chances = {}
    waiting: list[tuple[list[Any], Fraction]] = [([], Fraction(1))]
    games = 0
    while waiting:
        answers, chance = waiting.pop()
        games += 1
        if games > MOST_OUTCOMES:
            return None
        try:
            end = end_of(program, answers)
        except _More as more:
            options = weighted(program, more.question)
            total = sum(weight for _, weight in options)
            waiting += [([*answers, answer], chance * Fraction(weight, total)) for answer, weight in options]
        else:
            chances[end] = chances.get(end, Fraction(0)) + chance
    return chances


def sampled(program: ir.Program, seed: int) -> Any:
    """Where one game ends whose answers are drawn at random."""
    random, answers = Random(seed), list[Any]()
    while True:
        try:
            return end_of(program, answers)
        except _More as more:
            answers.append(random.choice([answer for answer, _ in weighted(program, more.question)]))


class _StateReader:
    """Takes the whole state as the outcome."""

    def at_end(self, machine: OddsMachine, value: Any) -> list[tuple[Any, int]]:
        for cell in machine.M:
            if type(cell) in UNKNOWN:
                cell._look()
        return [(frozen(state_of(machine.module, machine.M)), 1)]

    def after_the_end(self, machine: OddsMachine, result: Any) -> list[tuple[Any, int]]:
        return self.at_end(machine, result)


def worked_out(program: ir.Program, budget: Budget) -> Chances:
    """The chance of every end as rulekit works it out; `None` is the end of what was not followed."""
    program = outline_blind_loops(program)
    module = generate(program, FOLLOWING)
    entry = program.by_name.procedures[program.entry]
    keeper = Keeper(module, module.facts.changes_in(entry.body))
    kernels = Kernels(module)
    graph = Graph(module, keeper, any_legal, _StateReader(), kernels)
    start = graph.begin(module.layout.initial(), program.entry, (), None)
    graph.explore(budget)
    chances: Chances = {}
    weights = weigh(graph, start)
    for number, weight in weights.of.items():
        outcome, chance = graph.outcomes[number], Fraction(weight, weights.total)
        assert not isinstance(outcome, Ended)
        end = None if number == LEFT else outcome.name if isinstance(outcome, FaultOutcome) else outcome
        chances[end] = chances.get(end, Fraction(0)) + chance
    return chances


def check(program: ir.Program) -> None:
    """Every end has the chance that listing gives it; of too many ends, those of a sample are among them."""
    if program.scenarios:
        return
    found = worked_out(program, Budget(20_000, 200_000))
    assert sum(found.values()) == 1
    if found.pop(None, 0) or "budget" in found:
        return
    expected = listed(program)
    if expected is not None:
        if "budget" not in expected:
            assert expected == found
        return
    for seed in range(20):
        end = sampled(program, seed)
        assert end == "budget" or found[end] > 0


@settings(max_examples=25, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(chancy_programs())
def test_chances_are_those_of_listing_every_outcome(program: ir.Program) -> None:
    """A sample of random programs."""
    check(program)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(chancy_programs())
def test_many_chances_are_those_of_listing_every_outcome(program: ir.Program) -> None:
    """The same, for many more programs."""
    check(program)
