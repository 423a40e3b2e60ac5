"""Exact odds against direct trials: how far the number of each outcome is from the one expected.

    python -m benchmarks.odds_trials [--trials N] [--every M] [SET ...]

Follows every outcome of the questions in `odds.rules` and of every Mth example with dice of some sets, then
plays each N times with dice from a seed.  The distance is in standard deviations; outcomes that are expected
less than ten times count as one.  Of many outcomes, one in 16,000 is more than four away by chance.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import inf, sqrt
from time import process_time

from benchmarks.common import RULES
from benchmarks.odds import SECONDS, TEXT, asked, chancy
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import Example, Program
from rulekit.runtime.machine.simulate import first_legal as first_option
from rulekit.runtime.odds.graph import Budget, Unanswered
from rulekit.runtime.odds.policies import first_legal
from rulekit.runtime.odds.running import OddsRunner

QUESTIONS = ("8 shots", "20 shots", "day and night action")
FEWEST = 10
"""Times that an outcome is expected, below which it is counted with others."""


def main() -> None:
    """Print a line for each question, and the greatest distance."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.odds_trials", description="Check exact odds.")
    parser.add_argument("--trials", type=int, default=100_000)
    parser.add_argument("--every", type=int, default=10, help="take every Nth example")
    parser.add_argument("sets", nargs="*", default=["vitp", "fcn", "pacwar", "atp"])
    arguments = parser.parse_args()
    worst, outcomes = 0.0, 0
    for title, program, example in questions(arguments.sets, arguments.every):
        begin = process_time()
        measured = distance(program, example, arguments.trials)
        if measured is None:
            print(f"  {title}: not exact within {SECONDS:g} s, left out", flush=True)
            continue
        away, count = measured
        worst, outcomes = max(worst, away), outcomes + count
        print(f"  {title}: {count} outcomes, {away:.2f} sigma, {process_time() - begin:.0f} s", flush=True)
    print(f"{outcomes:,} outcomes, {arguments.trials:,} trials each: at most {worst:.2f} sigma away")


def questions(sets: list[str], every: int) -> Iterator[tuple[str, Program, Example]]:
    """The questions, each with its title and program."""
    for title in QUESTIONS:
        yield title, *asked(RULES, TEXT, title)
    for name in sets:
        program = compile_rule_set(RULES.with_name(name), Report()).program
        for number, (example, alone) in enumerate(chancy(program)):
            if number % every == 0:
                yield f"{name}: {example.name}", alone, example


def distance(program: Program, example: Example, trials: int, seed: int = 0) -> tuple[float, int] | None:
    """How many standard deviations the number of an outcome is away at most, and how many were compared.

    Infinite if something came that has no chance; None if the exact chances are not known.
    """
    runner = OddsRunner(program)
    try:
        followed = runner.follow(example, first_legal, Budget(seconds=SECONDS), joint=True)
    except Unanswered:
        return None
    if followed.left:
        return None
    came = runner.play(example, first_option, trials, seed).came
    if came.keys() - followed.chances.keys():
        return inf, len(followed.chances)
    pairs, rest_chance, rest_came = [], 0.0, 0
    for outcome, chance in followed.chances.items():
        if chance * trials < FEWEST:
            rest_chance, rest_came = rest_chance + float(chance), rest_came + came[outcome]
        else:
            pairs.append((float(chance), came[outcome]))
    if rest_chance * trials >= FEWEST:
        pairs.append((rest_chance, rest_came))
    return max((_sigmas(chance, count, trials) for chance, count in pairs), default=0.0), len(pairs)


def _sigmas(chance: float, count: int, trials: int) -> float:
    if chance >= 1:
        return 0.0 if count == trials else inf
    return abs(count - trials * chance) / sqrt(trials * chance * (1 - chance))


if __name__ == "__main__":
    main()
