"""Whether play comes to what a claim says is never so: a game that does, or all games that there are."""

from __future__ import annotations

from dataclasses import replace

from rulekit import ir
from rulekit.analysis.explore.as_example import lines
from rulekit.analysis.explore.course import Player
from rulekit.analysis.explore.replays import Replays
from rulekit.analysis.explore.search import ScenarioSearch, scenarios, search_scenario
from rulekit.analysis.explore.shrinking import shrink
from rulekit.base.frozen import frozen
from rulekit.diagnostics import Replay
from rulekit.ir.reachable import for_play
from rulekit.runtime.support.build import TooLarge

GAMES, ANSWERS = 10, 400
"""Games, and their answers, that are played for the sake of one claim."""
WORK = 5_000_000
"""Runs of loops of these games."""


@frozen
class BreachGame:
    """A game in which it is so, the place that brings it about, and the game as the lines of an example."""

    replay: Replay
    site: ir.Site | None
    lines: tuple[str, ...] = ()


def play_for_breach(
    program: ir.Program, prefix: str, name: str, breach: ir.Expr, site: int
) -> BreachGame | bool:
    """A game that comes to a breach of what a name promises; true if no game does, false if none was found.

    Where the manifest names no sequence, each procedure that needs nothing is done once, as a game.
    """
    promise = ir.Invariant(name, ir.Op("not", (breach,), breach.type), site)
    whole = replace(program, invariants=(promise,))
    done = [each.name for each in program.procedures if not each.params and ":" not in each.name]
    all_played = bool(program.entry)
    for entry in [program.entry] if program.entry else done:
        found = _game(for_play(replace(whole, entry=entry)), prefix, procedure="" if program.entry else entry)
        if isinstance(found, BreachGame):
            return found
        all_played &= found
    return all_played


def _game(program: ir.Program, prefix: str, *, procedure: str) -> BreachGame | bool:
    try:
        player, replays = Player(program, ANSWERS, WORK), Replays(program, prefix)
    except TooLarge:
        return False
    looks = [search_scenario(player, name, GAMES, "claim") for name in scenarios(program)]
    for seen in looks:
        for course in seen.shortest.values():
            if course.fault is None or course.fault.name != "broken-invariant":
                continue
            short = shrink(player, course)
            shown = replays.of(short)
            if shown is not None:
                said = lines(replays.game, short, *shown)
                told, log = shown[0].told, shown[0].log
                if procedure:  # nobody can play that: it is no game
                    told, log = (f"procedure `{procedure}` is done", *told), ""
                return BreachGame(Replay(told, log), shown[1].site, said)
    return all(map(_without_fault, looks))


def _without_fault(seen: ScenarioSearch) -> bool:
    return seen.all_played and not seen.shortest
