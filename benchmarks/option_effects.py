"""Which options show in play: the same random games with and without each option.

    python -m benchmarks.option_effects [SET ...] [--games N]

Each option is switched on with the options that it needs, and its games are compared with those of the
needed options alone: same seeds, same scenarios in turn, same random answers (each choice has a stream of its
own).  An option shows in a game if the log differs, and changes the end if the result or a value of the last
state does.  For an option that never shows, the table says how many of its lines ran.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.common import RULES
from rulekit import ir
from rulekit.analysis.reach.coverage import CoverageRun
from rulekit.analysis.reach.made_up_data import with_made_up_data
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.compiler.incremental import Workspace
from rulekit.compiler.options.combinations import Group, RuleOptions
from rulekit.diagnostics import Report
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.names import Naming
from rulekit.ruleset import read_manifest
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.play.events import Teller
from rulekit.runtime.support.build import Build

SETS = ("vitp", "pacwar")
GAMES = 40
BUILD = Build(trace="operands")


@dataclass(frozen=True)
class Played:
    """A game: its log without places in the rules, its result or fault, and its last state without flags."""

    log: tuple[object, ...]
    result: object
    states: Mapping[str, Any]


@dataclass(frozen=True)
class Effect:
    """In how many of the games an option shows, and changes the end; and, if it never shows, why not."""

    option: str
    games: int
    shown: int
    changed: int
    cause: str = ""

    def line(self) -> str:
        """A row of the table."""
        counts = f"{self.shown:>4} of {self.games} logs{self.changed:>4} ends"
        return f"{self.option:<34}{counts}  {self.cause}".rstrip()


def play(program: ir.Program, seed: int, scenario: str | None = None) -> Played:
    """Play a random game; without a scenario's name, the scenarios in turn."""
    if scenario is None and program.scenarios:
        scenario = program.scenarios[seed % len(program.scenarios)].name
    try:
        outcome = run_direct(program, scenario, RandomPolicy(program, seed), seed, build=BUILD)
    except Fault as fault:
        return Played((), fault.message, {})
    module = generate(program, BUILD)
    naming = Naming(program)
    teller = Teller(module, naming)
    events = map(teller.event, outcome.trace)
    log = tuple((event.kind, event.subject, repr(sorted(event.fields.items()))) for event in events)
    states = {
        f"{name} {naming.keys(slots.state.keys, keys)}": naming.to_json(slots.state.type, outcome.cells[at])
        for name, slots in module.layout.slots.items()
        if slots.bits is None
        for keys, at in slots.each()
    }
    return Played(log, outcome.result, states)


def _ends_differ(one: Played, other: Played) -> bool:
    """True if the results differ, or a state that both games have."""
    common = one.states.keys() & other.states.keys()
    return one.result != other.result or any(one.states[name] != other.states[name] for name in common)


class SetOptions:
    """The options of a set, and its games with each of them."""

    def __init__(self, folder: Path, games: int) -> None:
        self._folder, self._games, self._workspace = folder, games, Workspace()
        manifest = read_manifest(folder, Report())
        assert manifest is not None
        compile_rule_set(folder, Report(), workspace=self._workspace)
        base = [item for module in self._workspace.modules() for item in module.items]
        self.around = RuleOptions(manifest, base, self._workspace.parse, Report()).around
        self._played: dict[Group, list[Played]] = {}
        self._compiled: dict[Group, Compiled] = {}

    def effect(self, option: str) -> Effect:
        """Play with and without an option."""
        group = self.around[option]
        pairs = list(zip(self._play_all(group - {option}), self._play_all(group), strict=True))
        shown = sum(one.log != other.log for one, other in pairs)
        changed = sum(_ends_differ(one, other) for one, other in pairs)
        return Effect(option, len(pairs), shown, changed, "" if shown else self._cause(option))

    def compile(self, group: Group) -> Compiled:
        """The set with a group of options, compiled once."""
        if group not in self._compiled:
            compiled = compile_rule_set(self._folder, Report(), options=group, workspace=self._workspace)
            self._compiled[group] = compiled
        return self._compiled[group]

    def _play_all(self, group: Group) -> list[Played]:
        if group not in self._played:
            program = with_made_up_data(self.compile(group).program)
            self._played[group] = [play(program, seed) for seed in range(self._games)]
        return self._played[group]

    def _cause(self, option: str) -> str:
        """How many of the option's lines ran in the games, and the first reason why none can."""
        run = CoverageRun(self.compile(self.around[option]))
        for seed in range(self._games):
            run.game(seed)
        sites = run.program.sites
        own = [
            site
            for site in sites
            if site.file == f"options/{option}.rules" and not site.owner.startswith("example ") and site.rules
        ]
        lines = {site.line for site in own}
        ran = lines & {sites[number].line for number in run.played if sites[number] in own}
        reasons = run.coverage().reasons
        why = [text for site in own for rule in site.rules for text in reasons.get(rule, ())]
        return f"{len(ran)} of its {len(lines)} lines ran" + (f"; {why[0]}" if why and not ran else "")


def measure(folder: Path, games: int = GAMES) -> Iterator[Effect]:
    """Yield the effects of all options of a set, by name."""
    options = SetOptions(folder, games)
    yield from map(options.effect, sorted(options.around))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Which options show in random games.")
    parser.add_argument("sets", nargs="*", default=SETS, help=f"default {' '.join(SETS)}")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of each option (default {GAMES})")
    arguments = parser.parse_args()
    for name in arguments.sets:
        effects = []
        for effect in measure(RULES.parent / name, arguments.games):
            effects.append(effect)
            print(effect.line(), flush=True)
        shown = sum(effect.shown > 0 for effect in effects)
        changed = sum(effect.changed > 0 for effect in effects)
        print(f"{name}: of {len(effects)} options {shown} show, {changed} change the end of a game")


if __name__ == "__main__":
    main()
