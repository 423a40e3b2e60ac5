"""Whether play comes to what a claim says is never so: a game that does, or all games that there are."""

from __future__ import annotations

from dataclasses import replace

from rulekit import ir
from rulekit.analysis.explore.course import Player
from rulekit.analysis.explore.replays import Replays, example_lines
from rulekit.analysis.explore.search import ScenarioSearch, scenarios, search_scenario
from rulekit.analysis.explore.shrinking import shrink
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base.frozen import frozen
from rulekit.diagnostics import Replay
from rulekit.ir.conditions import negation
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
) -> Proved | Refuted[BreachGame] | Undecided:
    """Play games that may come to a breach of what a name promises; proved only if all games were played.

    Where the manifest names no sequence, each procedure without parameters is run once, as a game.
    """
    promise = ir.Invariant(name, negation(breach), site)
    whole = replace(program, invariants=(promise,))
    alone = [item.name for item in program.procedures if not item.params and ":" not in item.name]
    verdicts: list[Proved | Undecided] = [] if program.entry else [_NOT_ALL]
    for entry in [program.entry] if program.entry else alone:
        verdict = _play(
            for_play(replace(whole, entry=entry)), prefix, procedure="" if program.entry else entry
        )
        if isinstance(verdict, Refuted):
            return verdict
        verdicts.append(verdict)
    return next((verdict for verdict in verdicts if isinstance(verdict, Undecided)), Proved())


_NOT_ALL = Undecided("not all games were played")


def _play(program: ir.Program, prefix: str, *, procedure: str) -> Proved | Refuted[BreachGame] | Undecided:
    try:
        player, replays = Player(program, ANSWERS, WORK), Replays(program, prefix)
    except TooLarge:
        return _NOT_ALL
    searches = [search_scenario(player, name, GAMES, "claim") for name in scenarios(program)]
    for search in searches:
        for course in search.shortest.values():
            if course.fault is None or course.fault.name != "broken-invariant":
                continue
            short = shrink(player, course)
            shown = replays.of(short)
            if shown is not None:
                example = example_lines(replays.game, short, *shown)
                words, log = shown[0].words, shown[0].log
                if procedure:  # nobody can play that: it is no game
                    words, log = (f"procedure `{procedure}` is done", *words), ""
                return Refuted(BreachGame(Replay(words, log), shown[1].site, example))
    return Proved() if all(map(_without_fault, searches)) else _NOT_ALL


def _without_fault(seen: ScenarioSearch) -> bool:
    return seen.all_played and not seen.shortest
