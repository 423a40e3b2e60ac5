"""What options cost: laying thirty over a set and checking it again, and a game whose options are all off.

    python -m benchmarks.options [--repetitions N]

Compiling is compared with what its text should cost: the time of the base, and for the options' own text as
much for each character as for the base's.  Data files are read before; `from text` parses every file, `again`
has the trees, as a check has that is run a second time.  Both are timed in turn, and each pair has its ratio.

A check looks at options that are off, too; its time is compared with that of the base alone.

The game is played by the program of the rule set as it is, its options off, and by that of a copy without the
files of options; that both programs are equal is asserted.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest import mock

from benchmarks.common import RULES, SCENARIO, Ratio, compare, policy, timed
from rulekit.analysis.check import check
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import run_lints
from rulekit.compiler.driver import compile_rule_set
from rulekit.compiler.incremental import Workspace
from rulekit.compiler.options.combinations import Group, RuleOptions
from rulekit.diagnostics import Report
from rulekit.ir import Program
from rulekit.ruleset import read_manifest
from rulekit.runtime.machine.simulate import run_direct

MANY = RULES.parent / "pacwar"
"""A set with options to choose thirty of."""
CHOSEN = 30
REPETITIONS = 15
Run = Callable[[], object]


def chosen(folder: Path, number: int = CHOSEN) -> Group:
    """So many options, or a few more, that may be chosen together: the first by their names."""
    manifest, workspace = read_manifest(folder, Report()), Workspace()
    assert manifest is not None
    compile_rule_set(folder, Report(), workspace=workspace)
    base = [item for module in workspace.modules() for item in module.items]
    options = RuleOptions(manifest, base, workspace.parse, Report())
    group: Group = frozenset()
    for name in sorted(max(options.groups(), key=len)):
        if len(group) < number:
            group |= options.around[name]
    return group


def compiling(folder: Path, options: Group, repetitions: int) -> list[Ratio]:
    """Time of a compile with options over that of the base's and the options' text."""
    texts = sum(len((folder / "options" / f"{name}.rules").read_text()) for name in options)
    base = sum(len(source.text) for source in compile_rule_set(folder, Report()).rule_set.sources)
    known = Workspace()
    for each in (frozenset(), options):
        compile_rule_set(folder, Report(), workspace=known, options=each)

    def fresh() -> Workspace:
        workspace = Workspace()
        workspace.data = known.data
        return workspace

    def laid(workspace: Callable[[], Workspace], options: Group) -> Run:
        return lambda: compile_rule_set(folder, Report(), workspace=workspace(), options=options)

    ways: dict[str, Callable[[], Workspace]] = {"from text": fresh, "again": lambda: known}
    scale = (base + texts) / base
    return [
        _ratio(
            f"{len(options)} options, {name} (goal 1.5x)",
            laid(workspace, options),
            laid(workspace, frozenset()),
            repetitions,
            scale,
        )
        for name, workspace in ways.items()
    ]


def checking(folder: Path, repetitions: int) -> list[Ratio]:
    """Time of a check, which looks at all options, over that of the base alone."""

    def base() -> None:
        list(run_lints(Inspection(compile_rule_set(folder, Report()))))

    name = f"check of {folder.name}, options too"
    return [_ratio(name, lambda: check(folder, remember=False), base, repetitions)]


def _ratio(name: str, run: Run, yardstick: Run, repetitions: int, scale: float = 1) -> Ratio:
    """Time over so many times the yardstick's, in pairs."""
    ratios, times = [], []
    for _ in range(max(2, repetitions)):
        alone, _ = timed(yardstick)
        spent, _ = timed(run)
        ratios.append(spent / (alone * scale))
        times.append(spent)
    low, middle, high = statistics.quantiles(ratios, n=4)
    return Ratio(name, middle, low, high, statistics.median(times))


def games(repetitions: int) -> list[Ratio]:
    """Time of a random game with files of options present over that without, all of them off."""
    with tempfile.TemporaryDirectory() as name:
        copy = shutil.copytree(RULES, Path(name) / RULES.name, ignore=shutil.ignore_patterns("options"))
        bare = compile_rule_set(copy, Report()).program
    whole = compile_rule_set(RULES, Report()).program
    if bare != whole:
        raise AssertionError("options that are off change the program")

    def game(program: Program, seed: int) -> Run:
        choose = policy(seed)
        return lambda: run_direct(program, SCENARIO, choose, seed).cells

    def same(one: object, other: object) -> None:
        if one != other:
            raise AssertionError("the games differ")

    found = compare(partial(game, bare), {"a game, its options off": partial(game, whole)}, same, repetitions)
    return found[1:]


def measure(repetitions: int = REPETITIONS) -> list[Ratio]:
    """All of it, without a cache."""
    with mock.patch.dict(os.environ, {"RULEKIT_CACHE": "off"}):
        found = compiling(MANY, chosen(MANY), repetitions)
        found += checking(RULES, repetitions // 5)
        return [*found, *games(repetitions)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What options cost.")
    parser.add_argument(
        "--repetitions", type=int, default=REPETITIONS, help=f"of each (default {REPETITIONS})"
    )
    for ratio in measure(parser.parse_args().repetitions):
        print(ratio.line())


if __name__ == "__main__":
    main()
