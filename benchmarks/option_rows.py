"""Which printed rules of each option act, and show, in random games of that option alone.

    python -m benchmarks.option_rows [SET] [OPTION ...] [--games N] [--skip SCENARIO] [--acts]

Each option is switched on with the options that it needs. Games of all scenarios in turn are played until
each printed rule that the option's file cites shows, and at most N of them. A rule acts if a line that
cites it runs. It shows if the game goes another way without it: with the same seed, dice and answers, and
one construct that cites the rule emptied, something else happens or is offered. The table names the rules
that do not show, and what exercises them otherwise. With `--acts` it asks only which rules act.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.common import RULES
from benchmarks.option_effects import SetOptions
from rulekit.analysis.mutate.switches import STATE, Switch, SwitchedProgram
from rulekit.analysis.reach.coverage import Coverage, CoverageRun
from rulekit.analysis.reach.made_up_data import with_made_up_data
from rulekit.compiler.driver import Compiled
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.simulate import RandomPolicy, new_machine, play, scenario_of
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.support.build import Build
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import citations

GAMES = 24
BUILD = Build(coverage=True, trace="operands")
FUEL = 200_000_000
_NOT_PLAYED = (i.Example, i.Claim, i.Errata, i.Promise)


@dataclass(frozen=True)
class Played:
    """A game: what happened and was offered in order, its end, and the sites that ran."""

    log: Sequence[object]
    end: object
    covered: frozenset[int]


class Games:
    """Random games of an option, with all of its rules or with one construct emptied."""

    def __init__(self, run: CoverageRun, skipped: Collection[str]) -> None:
        scenarios = [scenario.name for scenario in run.program.scenarios if scenario.name not in skipped]
        self._scenarios = scenarios or [None]
        switched = SwitchedProgram(with_made_up_data(run.program))
        self.by_rule: Mapping[str, list[Switch]] = switched.by_rule
        self._module = generate(switched.program, BUILD)
        ((_, self._at),) = self._module.layout.slots[STATE].each()

    def play(self, seed: int, switch: int = 0) -> Played:
        """Play a game of the scenarios in turn."""
        module, program = self._module, self._module.program
        log: list[object] = []
        policy = RandomPolicy(program, seed)

        def agent(choice: int, side: int, item: Any, options: Sequence[int]) -> int:
            log.append((choice, side, item, tuple(options)))
            return policy(choice, side, item, options)

        machine = new_machine(module, Streams(module, seed), agent)
        machine.trace = log.append
        machine.M[self._at] = switch
        machine.refuel(FUEL)
        module.forget()
        scenario = self._scenarios[seed % len(self._scenarios)]
        try:
            end = play(machine, scenario_of(program, scenario))
        except Fault as fault:
            end = fault.message
        return Played(log, end, module.ran())

    def shows(self, rule: str, seed: int, game: Played) -> bool:
        """True if the game goes another way without one of the constructs of a rule that it reached."""
        return any(
            (other := self.play(seed, switch.number)).log != game.log or other.end != game.end
            for switch in self.by_rule.get(rule, ())
            if switch.number and not switch.always and switch.noted in game.covered
        )


@dataclass(frozen=True)
class Rows:
    """The printed rules of an option: those that show, and the others by what exercises them."""

    option: str
    games: int
    shown: frozenset[str]
    others: Mapping[str, Sequence[str]]

    def line(self) -> str:
        """A row of the table."""
        count = len(self.shown) + sum(map(len, self.others.values()))
        rest = "; ".join(f"{how}: {', '.join(rows)}" for how, rows in self.others.items() if rows)
        return (
            f"{self.option:<34}{len(self.shown):>3} of {count:>2} in {self.games:>3} games  {rest}".rstrip()
        )


def cited_by(compiled: Compiled, option: str) -> frozenset[str]:
    """The printed rules that an option's own items cite, apart from examples, claims and errata."""
    manifest, file = compiled.rule_set.manifest, f"options/{option}.rules"
    return frozenset(
        manifest.rule_id(id_)
        for module in compiled.modules
        for item in module.items
        if item.span.file == file and not isinstance(item, _NOT_PLAYED)
        for cite in citations(item)
        for id_ in cite.ids
    )


def rows_of(options: SetOptions, option: str, most: int, skipped: Collection[str]) -> Rows:
    """Play an option alone until all of its printed rules have shown, or the games are over."""
    compiled = options.compile(options.around[option])
    run = CoverageRun(compiled)
    games, wanted, shown = Games(run, skipped), cited_by(compiled, option), set[str]()
    seed = 0
    while seed < most and shown != wanted:
        game = games.play(seed)
        run.played.update(game.covered)
        shown.update(rule for rule in wanted - shown if games.shows(rule, seed, game))
        seed += 1
    if left := wanted - shown:
        for example in run.program.examples:
            run.note(run.examples().run(example).sites)
    return Rows(option, seed, frozenset(shown), _others(run.coverage(), left))


def rows_that_act(options: SetOptions, option: str, most: int, skipped: Collection[str]) -> Rows:
    """Play an option alone until all of its printed rules have acted, or the games are over."""
    compiled = options.compile(options.around[option])
    run, wanted = CoverageRun(compiled), cited_by(compiled, option)
    scenarios = tuple(scenario for scenario in run.program.scenarios if scenario.name not in skipped)
    run.program = replace(run.program, scenarios=scenarios)
    seed, others = 0, wanted
    while seed < most and others:
        run.game(seed)
        seed += 1
        acted = {rule for chapter in run.coverage().chapters for rule in chapter.played}
        others = wanted - acted
    return Rows(option, seed, wanted - others, {"do not act": sorted(others)})


def _others(coverage: Coverage, rules: frozenset[str]) -> Mapping[str, Sequence[str]]:
    names = {
        "acts alike": "played",
        "by examples": "examples",
        "stated": "claimed",
        "unreachable": "unreachable",
        "by nothing": "idle",
    }
    return {
        said: [rule for chapter in coverage.chapters for rule in getattr(chapter, part) if rule in rules]
        for said, part in names.items()
    }


def measure(
    folder: Path,
    names: Sequence[str] = (),
    games: int = GAMES,
    skipped: Collection[str] = (),
    acts: bool = False,
) -> Iterator[Rows]:
    """Yield what shows of some options of a set, or of all, by name; or what acts."""
    options, rows = SetOptions(folder, games), rows_that_act if acts else rows_of
    for option in names or sorted(options.around):
        yield rows(options, option, games, skipped)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Which printed rules of each option show in random games.")
    parser.add_argument("set", nargs="?", default="pacwar")
    parser.add_argument("options", nargs="*", help="default all")
    parser.add_argument("--games", type=int, default=GAMES, help=f"at most, of each option (default {GAMES})")
    parser.add_argument("--skip", nargs="*", default=(), metavar="SCENARIO", help="scenarios to leave out")
    parser.add_argument("--acts", action="store_true", help="which rules act, instead of which show")
    arguments = parser.parse_args()
    shown = rest = 0
    folder, verb = RULES.parent / arguments.set, "act" if arguments.acts else "show"
    for rows in measure(folder, arguments.options, arguments.games, arguments.skip, arguments.acts):
        print(rows.line(), flush=True)
        shown += len(rows.shown)
        rest += sum(map(len, rows.others.values()))
    print(f"{arguments.set}: {shown} of {shown + rest} printed rules of options {verb}")


if __name__ == "__main__":
    main()
