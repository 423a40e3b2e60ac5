"""What the tests of the rule sets share: agents without wisdom, and what examples and games come to."""

from __future__ import annotations

import random
from collections.abc import Callable

from rulekit.analysis.reach.coverage import Coverage, CoverageRun
from rulekit.compiler.driver import Compiled
from rulekit.runtime.play.examples import ExampleResult

Agent = Callable[[int, int, object, tuple[int, ...]], int]
Exercised = tuple[list[ExampleResult], Coverage]

GAMES = 30


def any_option(seed: int) -> Agent:
    """An agent that takes whatever comes."""
    dice = random.Random(seed)
    return lambda choice, side, item, options: options[dice.randrange(len(options))]


def exercised(compiled: Compiled) -> Exercised:
    """The results of all examples, and what they and a few games have reached."""
    made = CoverageRun(compiled)
    runner = made.examples()
    results = [runner.run(example) for example in compiled.program.examples]
    for result in results:
        made.note(result.sites)
    for seed in range(GAMES):
        made.game(seed)
    return results, made.coverage()


def failures(results: list[ExampleResult]) -> list[str]:
    """The examples that do not hold, with the reason."""
    return [f"{result.name}: {result.reason}" for result in results if not result.passed]
