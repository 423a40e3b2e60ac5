"""The second look: short games with invariants, for mutants that no example notices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulekit import ir
from rulekit.interpret.assemble import Compiled
from rulekit.interpret.build import Build
from rulekit.interpret.faults import Fault
from rulekit.interpret.machine import Streams
from rulekit.interpret.plan import Plan
from rulekit.interpret.running import RandomPolicy, new_machine, play
from rulekit.mutate.building import for_play

BUILD = Build(coverage=True, invariants=True)
MOST_ANSWERS = 3_000
"""Answers of a game, after which it is left."""
MOST_FUEL = 3_000_000
"""Runs of loops of a game."""


class _Enough(Exception):
    """The game has gone on for long enough."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game: what went wrong in it, if anything, and the sites that ran."""

    seed: int
    fault: str
    sites: frozenset[int]


def games(program: ir.Program, seeds: Sequence[int]) -> tuple[Played, ...]:
    """Games at random with these seeds, the scenarios in turn; the invariants are tested at every change."""
    if not program.entry:
        return ()
    made = for_play(program)
    compiled = Compiled(made, BUILD, Plan(made, plain=True))
    return tuple(_game(compiled, seed) for seed in seeds)


def _game(compiled: Compiled, seed: int) -> Played:
    program = compiled.program
    policy, answers = RandomPolicy(program, seed), 0

    def agent(choice: int, side: int, item: Any, options: Sequence[int]) -> int:
        nonlocal answers
        answers += 1
        if answers > MOST_ANSWERS:
            raise _Enough
        return policy(choice, side, item, options)

    machine = new_machine(compiled, Streams(compiled, seed), agent)
    machine.trace = _unheard
    machine.refuel(MOST_FUEL)
    compiled.coverage[:] = bytes(len(compiled.coverage))
    scenarios = program.scenarios
    fault = ""
    try:
        play(machine, scenarios[seed % len(scenarios)] if scenarios else None)
    except _Enough:
        pass
    except Fault as found:
        fault = str(found)
    return Played(seed, fault, frozenset(n for n, hit in enumerate(compiled.coverage) if hit))


def _unheard(event: Any) -> None:
    """Nobody listens."""
