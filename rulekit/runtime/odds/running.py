"""OddsRunner about all outcomes of an example, and what comes of following them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Example, Expr, Op, Procedure, Program, Return, Site, walk
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.ir.types import Flag, ListOf
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.machine import Agent
from rulekit.runtime.machine.simulate import first_legal, new_machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.odds.graph import LEFT, Budget, Ended, FaultOutcome, Graph, Policy
from rulekit.runtime.odds.kernels import Kernels
from rulekit.runtime.odds.nodes import Keeper
from rulekit.runtime.odds.policies import AnswersInTurn, GivenAnswers
from rulekit.runtime.odds.weights import weigh
from rulekit.runtime.optimise.blind import outline_blind_loops
from rulekit.runtime.support.asked import ROLL
from rulekit.runtime.support.build import RUN_FUEL, Build
from rulekit.runtime.support.given import given_answers

FOLLOWING = Build(form="frames", chance="grouped")
PREPARING = Build()


@frozen
class Followed:
    """The result of following a question.

    Attributes:
        weights: The weight of each outcome: the measures' values in a tuple, a `FaultOutcome` or `Ended`.
        left: The weight of what was not followed to its end; 0 if the answer is exact.
        total: All weights together.
        situations: How many different situations were met, and `runs` how many steps were run.
        seconds: How long it took.
        given: The choices for which the given answers were taken.
        answered: Those that the policy has answered.
        rules: The printed rules of the points of chance and choices that were met.
        graph: All that was followed.
    """

    weights: dict[Any, int]
    left: int
    total: int
    situations: int
    runs: int
    seconds: float
    given: tuple[str, ...]
    answered: tuple[str, ...]
    rules: tuple[str, ...]
    graph: Graph

    @property
    def chances(self) -> dict[Any, Fraction]:
        """The chance of each outcome."""
        return {outcome: Fraction(weight, self.total) for outcome, weight in self.weights.items()}

    def parts(self) -> tuple[str, list[tuple[str, Fraction, dict[Any, Fraction]]]]:
        """The point of the first roll, and for its sums their chance, and those of outcomes after them.

        Sums that make no difference are together, as `5..6`.  Empty if a roll is not what is asked first.
        """
        graph = self.graph
        if not graph.first or graph.nodes[1].asked[0] >= 0 or graph.nodes[1].asked[1] != ROLL:
            return "", []
        after = {to: weigh(graph, to) for to in {follower for _, _, follower in graph.first}}
        total = graph.nodes[1].total
        named = {
            to: {graph.outcomes[n]: Fraction(weight, weights.total) for n, weight in weights.of.items()}
            for to, weights in after.items()
        }
        point = graph.module.program.points[~graph.nodes[1].asked[0]].name
        groups = {sums[0]: _range_text(sums) for sums, _ in graph.nodes[1].asked[3]}
        return point, [
            (groups.get(sum_, str(sum_)), Fraction(weight, total), named[to])
            for sum_, weight, to in graph.first
        ]


def _range_text(sums: Sequence[int]) -> str:
    """Numbers in words, in order: `1..3, 6`."""
    runs: list[list[int]] = []
    for sum_ in sums:
        if runs and runs[-1][-1] == sum_ - 1:
            runs[-1].append(sum_)
        else:
            runs.append([sum_])
    return ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


class OddsRunner:
    """The examples of a program that ask for odds, compiled once."""

    def __init__(self, program: Program, build: Build = FOLLOWING) -> None:
        by_when = {example.when: example for example in program.examples if example.measures}
        procedures = tuple(
            _with_measures(item, by_when[item.name]) if item.name in by_when else item
            for item in program.procedures
        )
        self.program = outline_blind_loops(replace(program, procedures=procedures, invariants=()))
        self.module = generate(self.program, build)
        self._kernels = Kernels(self.module)
        self._keepers: dict[str, Keeper] = {}
        self._prepared: dict[Any, list[Any]] = {}

    def follow(
        self,
        example: Example,
        policy: Policy | None,
        budget: Budget,
        begin_with: Mapping[str, int] | None = None,
    ) -> Followed:
        """Follow every outcome of an example.

        Args:
            policy: Answers what the example does not; None if nothing may.
            begin_with: Values of states without keys that differ from those declared.

        Raises:
            Unanswered: A choice is asked that nothing answers, or a given answer is not legal.
            Fault: The given situation cannot be brought about.
        """
        begin = time.perf_counter()
        when = self.program.by_name.procedures[example.when]
        answers = GivenAnswers(self.program, given_answers(example), policy)
        keeper = self._keepers.get(example.when)
        if keeper is None:
            keeper = self._keepers[example.when] = Keeper(
                self.module, self.module.facts.changes_in(when.body)
            )
        graph = Graph(self.module, keeper, answers, self._after_the_end(example), self._kernels)
        start = graph.begin(self.prepare(example, begin_with), example.when, (), answers.start)
        graph.explore(budget)
        weights = weigh(graph, start)
        left = weights.of.pop(LEFT, 0)
        names = [choice.name for choice in self.program.choices]
        return Followed(
            {graph.outcomes[number]: weight for number, weight in weights.of.items() if weight},
            left,
            weights.total,
            len(graph.nodes) - 1,
            graph.runs,
            time.perf_counter() - begin,
            tuple(names[number] for number in sorted(answers.used)),
            tuple(names[number] for number in sorted(answers.others)),
            self._rules(graph),
            graph,
        )

    def play(self, example: Example, agent: Agent | None, trials: int, seed: int | str) -> Counter[Any]:
        """Play an example so many times with dice from a seed; how often each outcome came.

        Args:
            agent: Answers what the example does not; None if nothing may.

        Raises:
            Unanswered, Fault: As for `follow`.
        """
        module = generate(self.program, PREPARING)
        machine = new_machine(module, Streams(module, seed), None)
        beginning = self.prepare(example)
        first, end = module.layout.first_counter, module.layout.reveals
        after_the_end = self._after_the_end(example)
        answers = given_answers(example)
        came: Counter[Any] = Counter()
        faults: dict[tuple[str, Site | None], FaultOutcome] = {}
        for _ in range(trials):
            # The counters of chance go on, so that each game has dice of its own.
            counters = machine.M[first:end]
            machine.M[:] = beginning
            machine.M[first:end] = counters
            machine.late.clear()
            machine.agent = AnswersInTurn(self.program, answers, agent)
            machine.refuel(RUN_FUEL)
            try:
                outcome = machine.call(example.when)
            except Finished as finished:
                outcome = after_the_end(machine.M, finished.result)
            except Fault as fault:
                failing = FaultOutcome(fault.name, fault.site, fault.message)
                outcome = faults.setdefault((fault.name, fault.site), failing)
            came[outcome] += 1
        return came

    def prepare(self, example: Example, begin_with: Mapping[str, int] | None = None) -> list[Any]:
        """The cells at the beginning: after the scenario and what is given, with the dice of seed 0.

        Raises:
            Fault: It cannot be brought about.
        """
        key = (example.when, tuple(sorted((begin_with or {}).items())))
        if key not in self._prepared:
            self._prepared[key] = self._prepare(example, begin_with or {})
        return self._prepared[key]

    def _prepare(self, example: Example, begin_with: Mapping[str, int]) -> list[Any]:
        scenario = next((s.procedure for s in self.program.scenarios if s.name == example.scenario), None)
        names = [name for name in (scenario, example.given) if name is not None]
        stops = any(self.module.stops(("procedure", name, False)) for name in names)
        module = generate(self.program, PREPARING) if stops else self.module
        machine = new_machine(module, Streams(module, 0), first_legal)
        for name, value in begin_with.items():
            machine.M[module.layout.slots[name].base] = value
        for name in names:
            machine.refuel(RUN_FUEL)
            machine.call(name)
        return machine.M

    def _rules(self, graph: Graph) -> tuple[str, ...]:
        """The printed rules where chance and choices were asked, and of the points themselves."""
        sites = {self.program.points[point].site for point in graph.points} | graph.sites
        rules = (rule for site in sorted(sites) for rule in self.program.sites[site].rules)
        return tuple(dict.fromkeys(rules))

    def _after_the_end(self, example: Example) -> Any:
        """A function that gives the outcome of a game that has ended before the measures were read."""
        expressions = [measure.of for measure in example.measures]
        if any(map(walk.free, expressions)):
            return lambda cells, result: Ended(result)
        functions = [self.module.expression(e) for e in expressions]
        return lambda cells, result: tuple(function(cells) for function in functions)


def _with_measures(item: Procedure, example: Example) -> Procedure:
    """The `when` procedure, giving the values of the measures: they may read its locals."""
    values: tuple[Expr, ...] = tuple(measure.of for measure in example.measures)
    result = ListOf(Flag(), len(values))
    return replace(
        item, result=result, body=(*item.body, Return(Op("list_of", values, result), example.site))
    )
