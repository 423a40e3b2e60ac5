"""The second look: short games with invariants, for mutants that no example notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Streams
from rulekit.runtime.machine.simulate import RandomPolicy, new_machine, play
from rulekit.runtime.support.build import Build

BUILD = Build(coverage=True, invariants=True)
MOST_ANSWERS = 3_000
"""Answers of a game with the rules as they are, after which it is left."""
MOST_FUEL = 3_000_000
"""Runs of loops of a game."""


class _Enough(BaseException):
    """The game has gone on for long enough; it passes through generated code as the end of a game does."""


@frozen
class Played:
    """A game: what went wrong in it, if anything, the answers it took, and the sites that ran.

    One that was left, because it took too many answers, has not `ended`.
    """

    seed: int
    fault: str
    ended: bool
    answers: int
    sites: frozenset[int]


def games(program: ir.Program, most: Mapping[int, int]) -> tuple[Played, ...]:
    """Games at random with these seeds, the scenarios in turn; the invariants are tested at every change.

    Args:
        most: By its seed, how many answers a game may take.
    """
    if not program.entry:
        return ()
    made = for_play(program)
    module = GeneratedModule(made, BUILD)
    return tuple(_game(module, seed, limit) for seed, limit in most.items())


def _game(module: GeneratedModule, seed: int, most: int) -> Played:
    program = module.program
    policy, answers = RandomPolicy(program, seed), 0

    def agent(choice: int, side: int, item: Any, options: Sequence[int]) -> int:
        nonlocal answers
        answers += 1
        if answers > most:
            raise _Enough
        return policy(choice, side, item, options)

    machine = new_machine(module, Streams(module, seed), agent)
    machine.trace = _unheard
    machine.refuel(MOST_FUEL)
    module.forget()
    scenarios = program.scenarios
    fault, ended = "", True
    try:
        play(machine, scenarios[seed % len(scenarios)] if scenarios else None)
    except _Enough:
        ended = False
    except Fault as found:
        fault = str(found)
    return Played(seed, fault, ended, answers, module.ran())


def _unheard(event: Any) -> None:
    """Nobody listens."""
