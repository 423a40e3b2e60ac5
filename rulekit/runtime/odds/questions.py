"""Questions about all outcomes of an example, and what comes of following them."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Example, Expr, Op, Procedure, Program, Return, walk
from rulekit.ir.types import Flag, ListOf
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.machine import Streams
from rulekit.runtime.machine.simulate import first_legal, new_machine
from rulekit.runtime.odds.graph import LEFT, Budget, Ended, Graph, Policy
from rulekit.runtime.odds.policies import GivenAnswers
from rulekit.runtime.odds.situations import Keeper
from rulekit.runtime.odds.weights import weigh
from rulekit.runtime.support.build import RUN_FUEL, Build
from rulekit.runtime.support.given import given_answers

FOLLOWING = Build(form="frames", chance="asked")
PREPARING = Build()


@frozen
class Followed:
    """What came of a question.

    Attributes:
        chances: The chance of each outcome: the values of the measures in a tuple, a `FaultOutcome` or `Ended`.
        left: The chance of what was not followed to its end; 0 if the answer is exact.
        situations: How many different situations were met, and `runs` how many steps were run.
        seconds: Of processor time.
        given: The choices for which the given answers were taken.
        answered: Those that the policy has answered.
    """

    chances: dict[Any, Fraction]
    left: Fraction
    situations: int
    runs: int
    seconds: float
    given: tuple[str, ...]
    answered: tuple[str, ...]


class Questions:
    """The examples of a program that ask for odds, compiled once."""

    def __init__(self, program: Program, build: Build = FOLLOWING) -> None:
        by_when = {example.when: example for example in program.examples if example.measures}
        procedures = tuple(
            _with_measures(item, by_when[item.name]) if item.name in by_when else item
            for item in program.procedures
        )
        self.program = replace(program, procedures=procedures, invariants=())
        self.module = generate(self.program, build)

    def follow(self, example: Example, policy: Policy | None, budget: Budget) -> Followed:
        """Follow every outcome of an example.

        Args:
            policy: Answers what the example does not; None if nothing may.

        Raises:
            Unanswered: A choice is asked that nothing answers, or a given answer is not legal.
            Fault: What is given cannot be brought about.
        """
        begin = time.process_time()
        when = self.program.by_name.procedures[example.when]
        answers = GivenAnswers(self.program, given_answers(example), policy)
        keeper = Keeper(self.module, self.module.facts.changes_in(when.body))
        graph = Graph(self.module, keeper, answers, self._after_the_end(example))
        start = graph.begin(self.prepare(example), example.when, (), answers.start)
        graph.explore(budget)
        chances = weigh(graph, start)
        left = chances.pop(LEFT, Fraction(0))
        names = [choice.name for choice in self.program.choices]
        return Followed(
            {graph.outcomes[number]: chance for number, chance in chances.items()},
            left,
            len(graph.situations),
            graph.runs,
            time.process_time() - begin,
            tuple(names[number] for number in sorted(answers.used)),
            tuple(names[number] for number in sorted(answers.others)),
        )

    def prepare(self, example: Example) -> list[Any]:
        """The cells at the beginning: after the scenario and what is given, with the dice of seed 0.

        Raises:
            Fault: It cannot be brought about.
        """
        scenario = next((s.procedure for s in self.program.scenarios if s.name == example.scenario), None)
        names = [name for name in (scenario, example.given) if name is not None]
        stops = any(self.module.stops(("procedure", name, False)) for name in names)
        module = generate(self.program, PREPARING) if stops else self.module
        machine = new_machine(module, Streams(module, 0), first_legal)
        for name in names:
            machine.refuel(RUN_FUEL)
            machine.call(name)
        return machine.M

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
