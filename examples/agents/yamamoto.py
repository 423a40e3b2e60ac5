"""An agent for Japan in *Across the Pacific*: it marches to bases that the Allies hold, and risks little.

It uses only the public interface (docs/python.md): the session's state, and the legal answers of a decision.
It does not know the dice and does not look ahead. To compare it with random play:

    python examples/agents/yamamoto.py --games 50
"""

from __future__ import annotations

import argparse
from collections import Counter, deque
from collections.abc import Callable, Iterable

import rulekit
from rulekit.agents import Agent, play, random_agent

SCENARIO = "sampler_one"
SIDE = "Japan"
PREFERRED = {
    "acts": ("yes",),
    "activation": ("Southern_Army",),
    "banzai": ("no",),
    "way_of": ("march", "rear_area"),
    "course": ("none",),
    "force_patrol": ("done",),
    "strikes": ("Oahu", "Singapore", "Manila"),
}
"""Answers in the order of preference; another agent gives all others."""


class Map:
    """The bases, the hexes beside each hex, and the troops of the Allies; read from the program once."""

    def __init__(self, program: rulekit.Program) -> None:
        names = {domain.name: domain.members for domain in program.domains}
        tables = {table.name: table.values for table in program.statics}
        self.hexes = names["space"]
        self.bases = {
            name
            for number, name in enumerate(self.hexes)
            if any(tables[f"Hex.{kind}"][number] is True for kind in ("airfield", "anchorage"))
        }
        self.beside = {
            name: [self.hexes[n] for n in range(len(self.hexes)) if int(mask) >> n & 1]
            for name, mask in zip(self.hexes, tables["Hex.neighbours"], strict=True)
        }
        kinds = {kind.name: kind.members for kind in program.kinds}
        own = names["Side"].index(SIDE)
        self.enemies = [
            name
            for n, (name, side) in enumerate(zip(names["piece"], tables["piece.side"], strict=True))
            if kinds["Ground"] >> n & 1 and side != own
        ]

    def far_from(self, goals: Iterable[str]) -> dict[str, int]:
        """How many hexes it is from each hex to the nearest goal."""
        far = dict.fromkeys(goals, 0)
        waiting = deque(far)
        while waiting:
            here = waiting.popleft()
            for there in self.beside[here]:
                if there not in far:
                    far[there] = far[here] + 1
                    waiting.append(there)
        return far


class Yamamoto:
    """Answers by the name of the choice; another agent answers the choices that it does not know."""

    def __init__(self, game: rulekit.Game, otherwise: Agent) -> None:
        self.map = Map(game.program)
        self.otherwise = otherwise

    def __call__(self, session: rulekit.Session, decision: rulekit.Decision) -> rulekit.LegalAnswer | None:
        if decision.side != SIDE:
            return self.otherwise(session, decision)
        self.session = session
        rule: Callable[[rulekit.Decision], str | None] = getattr(
            self, f"on_{decision.choice}", self.preferred
        )
        wanted = rule(decision)
        found = next((answer for answer in decision.legal_answers if answer.name == wanted), None)
        return found or self.otherwise(session, decision)

    def preferred(self, decision: rulekit.Decision) -> str | None:
        """The first preference that is legal."""
        legal = {answer.name for answer in decision.legal_answers}
        return next((name for name in PREFERRED.get(decision.choice, ()) if name in legal), None)

    def goals(self) -> set[str]:
        """The bases that the Allies hold without a unit there."""
        state = self.session.state
        guarded = {state("place", unit) for unit in self.map.enemies}
        return {base for base in self.map.bases if state("held", base) not in (SIDE, None)} - guarded

    def on_mover(self, decision: rulekit.Decision) -> str | None:
        """All units march."""
        return decision.legal_answers[0].name

    def on_onward(self, decision: rulekit.Decision) -> str | None:
        """A step towards the nearest of these bases; no step back."""
        far = self.map.far_from(self.goals())
        here = str(decision.arguments["spot"])
        steps = [answer.name for answer in decision.legal_answers if answer.name != "none"]
        best = min(steps, key=lambda step: far.get(step, 999), default="none")
        return best if far.get(best, 999) < far.get(here, 999) else "none"


def evaluate(make: Callable[[rulekit.Game, int], Agent], games: int) -> Counter[str]:
    """How many games of one turn each side wins; `None` is a draw."""
    game = rulekit.load("atp")
    won: Counter[str] = Counter()
    for seed in range(games):
        session = game.start(seed=seed, scenario=SCENARIO)
        play(session, make(game, seed))
        won[str(session.result)] += 1
    return won


def main() -> None:
    """Print the games that each side wins, with Japan at random and by the agent."""
    parser = argparse.ArgumentParser(description="What the agent is worth against chance.")
    parser.add_argument("--games", type=int, default=50)
    games = parser.parse_args().games
    print("random:  ", dict(evaluate(lambda game, seed: random_agent(seed), games)))
    print("yamamoto:", dict(evaluate(lambda game, seed: Yamamoto(game, random_agent(seed)), games)))


if __name__ == "__main__":
    main()
