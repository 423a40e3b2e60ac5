"""Games against a claim that something never happens: one that contradicts it, or all games."""

from __future__ import annotations

from dataclasses import replace

from rulekit import ir
from rulekit.analysis.explore.course import Player
from rulekit.analysis.explore.replays import Replays, example_lines
from rulekit.analysis.explore.search import scenarios, search_scenario
from rulekit.analysis.explore.shrinking import shrink
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base.frozen import frozen
from rulekit.diagnostics import Replay
from rulekit.ir.conditions import negation
from rulekit.ir.reachable import for_play
from rulekit.runtime.support.build import TooLarge

GAMES, ANSWERS = 10, 400
"""Games for one claim, and the answers of each."""
WORK = 5_000_000
"""Runs of loops of these games."""


@frozen
class BreachGame:
    """A game that contradicts the claim, the place where it does, and the game as lines of an example."""

    replay: Replay
    site: ir.Site | None
    lines: tuple[str, ...] = ()


def play_for_breach(
    program: ir.Program, prefix: str, name: str, breach: ir.Expr, site: int
) -> Proved | Refuted[BreachGame] | Undecided:
    """Play games that may break a promise; it is proved only if all games were played.

    If the manifest names no sequence, each procedure without parameters is run once, as a game.
    """
    promise = ir.Invariant(name, negation(breach), site)
    whole = replace(program, invariants=(promise,))
    alone = [item.name for item in program.procedures if not item.params and ":" not in item.name]
    verdicts: list[Proved | Undecided] = [] if program.entry else [_NOT_ALL]
    for entry in [program.entry] if program.entry else alone:
        playable = for_play(replace(whole, entry=entry))
        verdict = _play(playable, prefix, procedure="" if program.entry else entry)
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
                if procedure:  # that is not a game, so there is no log to play again
                    words, log = (f"procedure `{procedure}` is done", *words), ""
                return Refuted(BreachGame(Replay(words, log), shown[1].site, example))
    proved = all(search.all_played and not search.shortest for search in searches)
    return Proved() if proved else _NOT_ALL
