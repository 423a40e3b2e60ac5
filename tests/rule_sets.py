"""What the tests of the rule sets share: agents without wisdom, and what examples and games come to."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

from rulekit.analysis.compile import compile_without_clashes
from rulekit.analysis.reach.coverage import Coverage, CoverageRun
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.compiler.incremental import BaseModel, Workspace
from rulekit.diagnostics import Report
from rulekit.ir import Program
from rulekit.ir.reachable import for_play
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame
from rulekit.runtime.play.examples import ExampleResult

Agent = Callable[[int, int, object, tuple[int, ...]], int]
Exercised = tuple[list[ExampleResult], Coverage]

GAMES = 30


@cache
def workspace_of(folder: Path) -> Workspace:
    """What all compiles of a rule set share: its parse trees, and the base as checked without options."""
    made = Workspace()
    made.base_model = BaseModel(made.trees)
    compile_without_clashes(folder, Report(), workspace=made)
    return made


def any_option(seed: int) -> Agent:
    """An agent that takes whatever comes."""
    dice = random.Random(seed)
    return lambda choice, side, item, options: options[dice.randrange(len(options))]


def played_in_a_module(program: Program, scenario: str, games: int) -> set[str | None]:
    """The results of so many games at random, in a module that tests the invariants after each change."""
    return set(NativeGame(build(for_play(program), invariants=True)).playouts(0, games, scenario))


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


def caught(folder: Path, copy: Path, examples: str, change: tuple[str, str, str]) -> list[str]:
    """The examples of one file that no longer hold once a rule is changed.

    Args:
        folder: The rule set.
        copy: Where a changed copy of it is written.
        examples: The file of examples, below `examples/`.
        change: A file of rules, what it says, and what it says instead.
    """
    file, before, after = change
    shutil.copytree(folder, copy)
    text = (copy / file).read_text(encoding="utf-8")
    assert before in text
    (copy / file).write_text(text.replace(before, after, 1), encoding="utf-8")
    titles = re.findall(
        r'^example "([^"]+)"', (copy / "examples" / examples).read_text(encoding="utf-8"), re.M
    )

    compiled = compile_rule_set(copy, Report())
    runner = CoverageRun(compiled).examples()
    results = [runner.run(example) for example in compiled.program.examples if example.name in titles]
    return [result.name for result in results if not result.passed]
