"""Exact odds: volleys against hand-written dictionaries, dyce and icepool; strikes; actions; all examples.

    python -m benchmarks.odds [--repetitions N] [--examples SET ...]

A volley is n shots on the combat table of *Victory in the Pacific*: the joint distribution of the damage, and
of whether the target is disabled.  The loop is in `odds.rules` as a designer would write it; the program
finds that it only adds.  `first` is the time of the first answer, with the kernel of a shot worked out;
`again` that of further ones, which begin with the weights of one shot, as the others do.  Compiling the rules
is not counted, nor the import of the others.  Each gives whole weights of one total, and all are asserted to
be equal as fractions.  CPU seconds by turns, each for calls one after the other; medians.

`game.odds` asks a loaded game as users do, with everything counted: reading the question, compiling it with
the rules, and the answer.

Peers need `pip install "rulekit[peers]"`; without them their lines are left out.
"""

from __future__ import annotations

import argparse
import gc
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

import rulekit
from benchmarks.common import RULES
from rulekit import ir
from rulekit.base.source import Source
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import Example, Measure, Program
from rulekit.ir.reachable import for_examples
from rulekit.runtime.odds.graph import Budget
from rulekit.runtime.odds.policies import first_legal
from rulekit.runtime.odds.running import OddsRunner

SHOTS = (8, 20, 60)
REPETITIONS = 5
SECONDS = 4.0
"""Budget of an example."""

TEXT = Path(__file__).with_name("odds.rules")
FCN_TEXT = Path(__file__).with_name("odds_fcn.rules")
STEP = ((0, False, 24), (0, True, 6), *((points, False, 1) for points in range(1, 7)))
"""One shot by hand: points, whether it disables, and how often in 36."""

FRESH = 8
"""First answers in a turn."""

TURN = 0.03
"""CPU seconds of further answers in a turn."""

Weights = tuple[Mapping[tuple[int, bool], int], int]
"""Joint weights of damage and disabling, and their total."""


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.odds", description="Time exact odds.")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    parser.add_argument("--examples", nargs="*", default=["vitp", "fcn", "pacwar"], help="sets to go through")
    arguments = parser.parse_args()
    print("joint damage and disabling after n shots: ms, and times rulekit's first and further answers")
    for shots in SHOTS:
        print(volley(shots, arguments.repetitions), flush=True)
    print(loaded_game(), flush=True)
    fcn = RULES.with_name("fcn")
    for name, (program, example) in (
        ("strike of 10 carriers on 6 targets", asked(RULES, TEXT, "strike of 10 carriers on 6 targets")),
        ("day and night action", asked(RULES, TEXT, "day and night action")),
        ("battle turn of FCN", of_set(fcn, "one battle turn, step by step")),
        ("the same, twelve forces a side", asked(fcn, FCN_TEXT, "battle turn of FCN")),
    ):
        print(question(name, program, example), flush=True)
    for name in arguments.examples:
        print(examples(RULES.with_name(name)), flush=True)


# ------------------------------------------------------------------------------ volleys


def volley(shots: int, repetitions: int) -> str:
    """One line of times."""
    program, example = asked(RULES, TEXT, f"{shots} shots")
    times: dict[str, list[float]] = {}
    runner = OddsRunner(program)
    ways: dict[str, Callable[[], Weights]] = {
        "rulekit again": lambda: joint(runner, example),
        "by hand": lambda: by_hand(shots),
        **{name: lambda way=way: way(shots) for name, way in peers().items()},  # type: ignore[misc]
    }
    answers = [as_fractions(way()) for way in ways.values()]
    assert all(answer == answers[0] for answer in answers)
    for _ in range(repetitions):
        fresh = [OddsRunner(program) for _ in range(FRESH)]
        gc.collect()
        begin = process_time()
        for one in fresh:
            joint(one, example)
        times.setdefault("rulekit first", []).append((process_time() - begin) / FRESH)
        for name, way in ways.items():
            gc.collect()
            times.setdefault(name, []).append(time_of(way))
    medians = {name: statistics.median(all_) for name, all_ in times.items()}
    own = medians["rulekit first"]
    again_ = medians["rulekit again"]
    return f"  {shots:>2} shots  " + "  ".join(
        f"{name} {1000 * seconds:.2f} ms ({seconds / own:.2f}x, {seconds / again_:.2f}x)"
        for name, seconds in medians.items()
    )


def time_of(way: Callable[[], Weights]) -> float:
    """The CPU seconds of one call, over a turn of calls one after the other."""
    calls, begin, took = 0, process_time(), 0.0
    while took < TURN:
        way()
        calls += 1
        took = process_time() - begin
    return took / calls


def as_fractions(weights: Weights) -> Mapping[tuple[int, bool], Fraction]:
    """The chance of each outcome."""
    of, total = weights
    return {(points, bool(flag)): Fraction(weight, total) for (points, flag), weight in of.items()}


def joint(runner: OddsRunner, example: Example) -> Weights:
    """The answer of rulekit."""
    followed = runner.follow(example, None, Budget(), joint=True)
    assert followed.left == 0
    return followed.weights, followed.total


def by_hand(shots: int) -> Weights:
    """What a programmer writes for this one question."""
    now = {(0, False): 1}
    for _ in range(shots):
        after: dict[tuple[int, bool], int] = {}
        for (points, disabled), weight in now.items():
            for more, disables, times in STEP:
                key = (points + more, disabled or disables)
                after[key] = after.get(key, 0) + weight * times
        now = after
    return now, 36**shots


def peers() -> Mapping[str, Callable[[int], Weights]]:
    """The same in other libraries, each in the faster of two ways; those that are installed."""
    ways: dict[str, Callable[[int], Weights]] = {}
    try:
        dyce: Any = import_module("dyce")
        ways |= {"dyce fold": lambda n: by_dyce_fold(dyce, n), "dyce n @": lambda n: by_dyce_codes(dyce, n)}
    except ImportError:
        pass
    try:
        icepool: Any = import_module("icepool")
        ways["icepool.reduce"] = lambda n: by_icepool(icepool, n)
    except ImportError:
        pass
    return ways


def by_dyce_codes(dyce: Any, shots: int) -> Weights:
    """One number for both: points, and a thousand for each shot that disables."""
    sums = shots @ dyce.H({points + 1000 * disables: times for points, disables, times in STEP_OF_CODES})
    weights = dict[tuple[int, bool], int]()
    for code, weight in sums.items():
        key = (code % 1000, code >= 1000)
        weights[key] = weights.get(key, 0) + weight
    return weights, sum(sums.values())


def by_dyce_fold(dyce: Any, shots: int) -> Weights:
    """A histogram of pairs, folded shot by shot."""
    step = dyce.H({(points, disables): times for points, disables, times in STEP})
    now = {(0, False): 1}
    for _ in range(shots):
        after: dict[tuple[int, bool], int] = {}
        for (points, disabled), weight in now.items():
            for (more, disables), times in step.items():
                key = (points + more, disabled or disables)
                after[key] = after.get(key, 0) + weight * times
        now = after
    folded = dyce.H(now)
    return dict(folded.items()), sum(folded.values())


STEP_OF_CODES = tuple((points, int(disables), times) for points, disables, times in STEP)


def by_icepool(icepool: Any, shots: int) -> Weights:
    """A fold over dice whose sides are pairs."""
    die = icepool.Die({(points, disables): times for points, disables, times in STEP})

    def add(one: Any, other: Any) -> Any:
        return one[0] + other[0], bool(one[1] or other[1])

    sums = icepool.reduce(add, [icepool.Die([(0, False)]), *[die] * shots])
    return {(key[0], bool(key[1])): weight for key, weight in sums.items()}, sums.denominator()


# ------------------------------------------------------------------------------ questions and examples


def asked(rules: Path, text: Path, title: str) -> tuple[Program, Example]:
    """An example of a file of questions, and its program."""
    source = Source(f"options/{text.name}", text.read_text(encoding="utf-8"))
    program = compile_rule_set(rules, Report(), added=(source,)).program
    example = next(example for example in program.examples if example.name == title)
    return for_examples(replace(program, examples=(example,))), example


def of_set(rules: Path, title: str) -> tuple[Program, Example]:
    """An example of a rule set, asking for what `chancy` asks, and its program."""
    examples = chancy(compile_rule_set(rules, Report()).program)
    return next((program, example) for example, program in examples if example.name == title)


def loaded_game() -> str:
    """The time of questions to a loaded game."""
    game = rulekit.load("vitp")
    shooters = ("Nagato", "Yamato", "Kongo", "Haruna", "Hiei", "Kirishima")
    times: dict[str, list[float]] = {}
    for number, ship in enumerate(shooters):
        for way in ("new", "again"):
            gc.collect()
            begin = process_time()
            game.odds(f"fire({ship}, Nevada, Night)", of=["Nevada.marked", "Nevada is to_be_disabled"])
            times.setdefault("first" if number == 0 and way == "new" else way, []).append(
                process_time() - begin
            )
    return "  game.odds of a loaded game: " + ", ".join(
        f"{way} question {1000 * statistics.median(all_):.1f} ms" for way, all_ in times.items()
    )


def question(title: str, program: Program, example: Example) -> str:
    """The time of one question, first and again."""
    times = []
    runner = OddsRunner(program)
    for _ in range(3):
        gc.collect()
        begin = process_time()
        followed = runner.follow(example, first_legal, Budget(seconds=20.0))
        times.append(process_time() - begin)
    kind = "exact" if followed.left == 0 else f"{followed.left / followed.total:.1%} not followed"
    took = f"first {times[0]:.3f} s, again {times[-1]:.3f} s"
    return f"  {title}: {kind}, {followed.situations:,} situations; {took}"


def examples(rules: Path) -> str:
    """How many of a set's examples with dice or draws are exact within the budget."""
    program = compile_rule_set(rules, Report()).program
    exact, inexact, times = 0, list[str](), list[float]()
    for example, alone in chancy(program):
        begin = process_time()
        try:
            followed = OddsRunner(alone).follow(example, first_legal, Budget(seconds=SECONDS))
        except Exception as error:  # a choice whose given answer is not legal in every situation
            inexact.append(f"{example.name} ({type(error).__name__}: {error})")
            continue
        times.append(process_time() - begin)
        if followed.left == 0:
            exact += 1
        else:
            inexact.append(f"{example.name} ({followed.left / followed.total:.1%} left)")
    count = exact + len(inexact)
    lines = [
        f"  {rules.name}: {exact} of {count} examples with dice exact ({exact / max(count, 1):.1%}), "
        f"median {1000 * statistics.median(times):.1f} ms, most {max(times):.1f} s"
    ]
    return "\n".join([*lines, *(f"    not: {name}" for name in inexact)])


def chancy(program: Program) -> Iterator[tuple[Example, Program]]:
    """Each example that gives dice or draws, asking for all states without keys, with first legal answers."""
    for example in program.examples:
        if example.measures or not (example.dice or example.draws):
            continue
        whole = tuple(
            Measure("chance", ir.Read(state.name, (), state.type), "", None, 0, example.site)
            for state in program.states
            if not state.keys
        )
        alone = replace(example, measures=whole, dice=(), draws=(), answers=(), sides=())
        yield alone, for_examples(replace(program, examples=(alone,)))


if __name__ == "__main__":
    main()
