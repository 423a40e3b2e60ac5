"""The games of a simulation that are worth a look, played once more with all that happens in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.runtime.odds.distribution import text_of
from rulekit.runtime.play import Session
from rulekit.runtime.simulation.playing import SessionGames
from rulekit.runtime.simulation.results import Simulation


def extreme_games(simulation: Simulation) -> Iterator[tuple[str, int, str]]:
    """Yield the extreme games: a name for each, its number, and why it is one.

    These are the games with the least and the greatest value of each measure that is a number, and the first
    game of each fault.
    """
    for place, name in enumerate(simulation.names, 1):
        ends = simulation.extremes(name)
        word = f"{place}-{'-'.join(re.findall('[A-Za-z0-9_]+', name))[:60]}"
        if ends is not None:
            for least, (value, number) in zip(("least", "greatest"), ends, strict=True):
                yield f"{word}-{least}", number, f"the {least} `{name}`: {text_of(value)}"
    for fault, entry in simulation.faults.items():
        yield f"fault-{fault.name}-{entry.first}", entry.first, str(fault)


def replay(simulation: Simulation, number: int) -> Session:
    """Play one game of a simulation in a session, to its end or its fault."""
    plan, rules = simulation.plan, simulation.plan.rules[0]
    session, _ = SessionGames(rules.program, rules.scenario, plan.agents).play_on(plan.seed_of(number))
    return session
