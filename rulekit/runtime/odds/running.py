"""OddsRunner about all outcomes of an example, and what comes of following them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.base.garbage import few_collections
from rulekit.ir import Example, Expr, Local, Op, Procedure, Program, Return, walk
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.ir.types import Flag, ListOf
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.machine import Agent, Machine
from rulekit.runtime.machine.simulate import first_legal, new_machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.odds.best import take_best
from rulekit.runtime.odds.graph import LEFT, Budget, Graph, Policy
from rulekit.runtime.odds.kernels import Kernels
from rulekit.runtime.odds.nodes import Keeper
from rulekit.runtime.odds.policies import AnswersInTurn, GivenAnswers, OpenChoice
from rulekit.runtime.odds.reading import Ended, FaultOutcome, MeasureFunction, MeasureReader, Mixture
from rulekit.runtime.odds.weights import weigh
from rulekit.runtime.optimise.blind import outline_blind_loops
from rulekit.runtime.support.asked import ROLL
from rulekit.runtime.support.build import RUN_FUEL, Build
from rulekit.runtime.support.given import given_answers

FOLLOWING = Build(form="frames", chance="grouped")
PREPARING = Build()
STOPPING = Build(form="frames")


@frozen
class Followed:
    """The result of following a question.

    Attributes:
        weights: The weight of each outcome: the measures' values in a tuple, a `FaultOutcome` or `Ended`.
            If the measures were read apart, a value may also be one of these, or a `Mixture`.
        left: The weight of what was not followed to its end; 0 if the answer is exact.
        total: All weights together.
        situations: How many different situations were met, and `runs` how many steps were run.
        seconds: How long it took.
        given: The choices for which the given answers were taken.
        answered: Those that the policy has answered.
        rules: The printed rules of the points of chance and choices that were met.
        graph: All that was followed.
        left_open: The choice that was left open, and `best` its answers that were the best in some situation.
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
    left_open: OpenChoice | None = None
    best: tuple[int, ...] = ()

    @property
    def chances(self) -> dict[Any, Fraction]:
        """The chance of each outcome."""
        return {outcome: Fraction(weight, self.total) for outcome, weight in self.weights.items()}

    def of(self, measure: int) -> Marginal:
        """Return the weights of one measure's values."""
        return _marginal(self.weights, self.left, self.total, measure)

    def parts(self, measure: int) -> tuple[str, list[tuple[str, Fraction, Marginal]]]:
        """The point of the first roll, and for its sums their chance, and one measure after them.

        Sums that make no difference are together, as `5..6`.  Empty if a roll is not what is asked first.
        """
        graph = self.graph
        if not graph.first or graph.nodes[1].asked[0] >= 0 or graph.nodes[1].asked[1] != ROLL:
            return "", []
        total = graph.nodes[1].total
        named = {to: _weigh_from(graph, to, measure) for to in {follower for _, _, follower in graph.first}}
        point = graph.module.program.points[~graph.nodes[1].asked[0]].name
        groups = {sums[0]: _range_text(sums) for sums, _ in graph.nodes[1].asked[3]}
        return point, [
            (groups.get(sum_, str(sum_)), Fraction(weight, total), named[to])
            for sum_, weight, to in graph.first
        ]


@frozen
class TrialCounts:
    """How often each outcome came in trials; `given` and `answered` as of `Followed`."""

    came: Counter[Any]
    given: tuple[str, ...]
    answered: tuple[str, ...]


def _last_value(outcome: Any) -> Fraction | None:
    """The value of an outcome's last measure; None if it has none."""
    return Fraction(outcome[-1]) if isinstance(outcome, tuple) else None


def _without_last(outcomes: Mapping[Any, int]) -> dict[Any, int]:
    """Outcomes with their weights, without the last measure."""
    weights: dict[Any, int] = {}
    for outcome, weight in outcomes.items():
        others = outcome[:-1] if isinstance(outcome, tuple) else outcome
        weights[others] = weights.get(others, 0) + weight
    return weights


@frozen
class Marginal:
    """The weights of one measure's values, of faults and of `Ended`; `left` of what was not followed."""

    weights: dict[Any, int]
    left: int
    total: int


def _weigh_from(graph: Graph, start: int, measure: int) -> Marginal:
    weights = weigh(graph, start)
    left = weights.of.pop(LEFT, 0)
    named = {graph.outcomes[number]: weight for number, weight in weights.of.items()}
    return _marginal(named, left, weights.total, measure)


def _marginal(weights: Mapping[Any, int], left: int, total: int, measure: int) -> Marginal:
    parts = [(o[measure] if isinstance(o, tuple) else o, weight) for o, weight in weights.items()]
    common = lcm(*(part.total for part, _ in parts if isinstance(part, Mixture)))
    values: dict[Any, int] = {}
    for part, weight in parts:
        mixed = part.weights if isinstance(part, Mixture) else ((part, 1),)
        factor = weight * (common // part.total) if isinstance(part, Mixture) else weight * common
        for value, share in mixed:
            values[value] = values.get(value, 0) + factor * share
    return Marginal(values, left * common, total * common)


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
            _with_locals(item, by_when[item.name]) if item.name in by_when else item
            for item in program.procedures
        )
        self.program = outline_blind_loops(replace(program, procedures=procedures, invariants=()))
        self.module = generate(self.program, build)
        self._kernels = Kernels(self.module)
        self._readers: dict[tuple[str, bool], tuple[Keeper, MeasureReader]] = {}
        self._prepared: dict[Any, list[Any]] = {}

    def follow(
        self,
        example: Example,
        policy: Policy | None,
        budget: Budget,
        begin_with: Mapping[str, int] | None = None,
        *,
        joint: bool = False,
        step_by_step: bool = False,
        left_open: OpenChoice | None = None,
    ) -> Followed:
        """Follow every outcome of an example.

        Args:
            policy: Answers what the example does not; None if nothing may.
            begin_with: Values of states without keys that differ from those declared.
            joint: Whether to find out how the measures depend on each other.
            step_by_step: Whether to put no call off, so that the first roll is known.
            left_open: A choice that gets, in each situation, the answer with which the last measure is
                highest on average; that measure is not part of the outcomes.

        Raises:
            NotFollowed: A choice is left open, and not every outcome was followed.
            Unanswered: A choice is asked that nothing answers, or a given answer is not legal.
            Fault: The given situation cannot be brought about.
        """
        begin = time.perf_counter()
        answers = GivenAnswers(self.program, given_answers(example), policy, left_open)
        # Whoever answers an open choice knows everything, and so nothing may be put off.
        known = step_by_step or left_open is not None
        keeper, reader = self._reader(example, joint=joint or left_open is not None)
        self._kernels.met.clear()
        graph = Graph(
            self.module,
            keeper,
            answers,
            reader,
            None if known else self._kernels,
            None if left_open is None else left_open.asked_by,
        )
        with few_collections():
            start = graph.begin(self.prepare(example, begin_with), example.when, (), answers.start)
            graph.explore(budget)
            best = () if left_open is None else take_best(graph, _last_value)
            weights = weigh(graph, start)
        left = weights.of.pop(LEFT, 0)
        outcomes = {graph.outcomes[number]: weight for number, weight in weights.of.items() if weight}
        return Followed(
            outcomes if left_open is None else _without_last(outcomes),
            left,
            weights.total,
            len(graph.nodes) - 1,
            graph.runs,
            time.perf_counter() - begin,
            self._names_of(answers.used),
            self._names_of(answers.others),
            self._rules(graph),
            graph,
            left_open,
            best,
        )

    def _reader(self, example: Example, *, joint: bool) -> tuple[Keeper, MeasureReader]:
        """Takes situations of an example, and reads its measures."""
        key = (example.when, joint)
        if key not in self._readers:
            body = self.program.by_name.procedures[example.when].body
            keeper = Keeper(self.module, self.module.facts.changes_in(body))
            measures, names = [measure.of for measure in example.measures], _locals_read(example)
            reader = MeasureReader(self.module, self._kernels, keeper, measures, names, joint=joint)
            self._readers[key] = keeper, reader
        return self._readers[key]

    def play(
        self,
        example: Example,
        agent: Agent | None,
        trials: int,
        seed: int | str,
        *,
        policy: Policy | None = None,
    ) -> TrialCounts:
        """Play an example so many times with dice from a seed.

        Args:
            agent: Answers what the example does not; None if nothing may.
            policy: Answers in its stead; games stop then, so that it sees the machine (of the build
                `STOPPING`).  It gives one answer to each question.

        Raises:
            Unanswered, Fault: As for `follow`.
        """
        module = generate(self.program, PREPARING if policy is None else STOPPING)
        machine = new_machine(module, Streams(module, seed), None)
        beginning = self.prepare(example)
        first, end = module.layout.first_counter, module.layout.reveals
        names = _locals_read(example)
        readers = [MeasureFunction(module, measure.of, names) for measure in example.measures]
        answers = given_answers(example)
        stopping = GivenAnswers(self.program, answers, policy)
        direct = machine.agent = AnswersInTurn(self.program, answers, agent)
        came: Counter[Any] = Counter()

        def run() -> Any:
            if policy is not None:
                return _run_stopping(machine, example.when, stopping)
            direct.begin()
            return machine.call(example.when)

        for _ in range(trials):
            # The counters of chance go on, so that each game has dice of its own.
            counters = machine.M[first:end]
            machine.M[:] = beginning
            machine.M[first:end] = counters
            machine.late.clear()
            machine.refuel(RUN_FUEL)
            came[self._outcome(machine, run, readers, ends_early=bool(names))] += 1
        met = direct if policy is None else stopping
        return TrialCounts(came, self._names_of(met.used), self._names_of(met.others))

    def _names_of(self, choices: set[int]) -> tuple[str, ...]:
        """The names of choices, in the order of the program."""
        return tuple(self.program.choices[number].name for number in sorted(choices))

    def _outcome(
        self,
        machine: Machine,
        run: Callable[[], Any],
        readers: Sequence[MeasureFunction],
        *,
        ends_early: bool,
    ) -> Any:
        """Play once; the outcome as in `Followed`, all measures together."""
        try:
            values: tuple[Any, ...] = ()
            try:
                values = run() or ()
            except Finished as finished:
                if ends_early:
                    return Ended(finished.result)
            return tuple([reader.read(machine.M, values) for reader in readers])
        except Fault as fault:
            return FaultOutcome(fault.name, fault.site, fault.message)

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
        sites = graph.sites_met() | self._kernels.met
        rules = (rule for site in sorted(sites) for rule in self.program.sites[site].rules)
        return tuple(dict.fromkeys(rules))


def _run_stopping(machine: Machine, procedure: str, answers: GivenAnswers) -> Any:
    """Run a procedure in a build that stops at choices; its value."""
    if not machine.module.stops(("procedure", procedure, False)):
        return machine.call(procedure)
    machine.stack.clear()
    machine.push(procedure)
    memory, stopped = answers.start, machine.run()
    while stopped:
        assert machine.asked is not None
        ((answer, _, memory),) = answers(machine, machine.asked, memory)
        stopped = machine.run(answer)
    return machine.value


def _with_locals(item: Procedure, example: Example) -> Procedure:
    """The `when` procedure, giving the values of its locals that measures read."""
    names = _locals_read(example)
    if not names:
        return item
    free = {e.name: e for measure in example.measures for e in _locals(measure.of)}
    values: tuple[Expr, ...] = tuple(free[name] for name in names)
    result = ListOf(Flag(), len(values))
    return replace(
        item, result=result, body=(*item.body, Return(Op("list_of", values, result), example.site))
    )


def _locals_read(example: Example) -> tuple[str, ...]:
    return tuple(sorted({name for measure in example.measures for name in walk.free(measure.of)}))


def _locals(e: Expr) -> Iterator[Local]:
    free = walk.free(e)
    return (node for node in walk.nodes(e) if isinstance(node, Local) and node.name in free)
