"""Trying one mutant: the examples that come to it, the nearest first, then short games."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulekit import ir
from rulekit.analysis.mutate import playing
from rulekit.analysis.mutate.compile_mutant import MutantCompiler
from rulekit.analysis.mutate.equivalence import shown_same
from rulekit.analysis.mutate.example_coverage import ExampleCoverage, places_of
from rulekit.analysis.mutate.fate import MutantFate
from rulekit.analysis.mutate.mutant import Mutant
from rulekit.analysis.mutate.normalise import tidied
from rulekit.compiler.driver import Compiled
from rulekit.ir.reachable import for_examples
from rulekit.runtime.play.examples import Examples
from rulekit.runtime.support.build import TooLarge

FIRST, SECOND = 3, 15
"""So many examples are compiled and run before all others, and then so many before the rest."""
SPARE_FUEL = 2_000
"""Runs of loops that an example may take besides ten times those that it takes with the rules as they are."""
SEEDS = range(1, 5)
SPARE_ANSWERS = 100
"""Answers that a game may take besides five times those that it takes with the rules as they are."""


class BrokenExamples(Exception):
    """Examples that do not hold with the rules as they are: nothing can be held against these."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(", ".join(names))
        self.names = tuple(names)


class Judge:
    """Judges mutants of one rule set.

    Raises:
        BrokenExamples: Some fail already.
    """

    def __init__(self, compiled: Compiled) -> None:
        self._builder = MutantCompiler(compiled)
        base = self._builder.whole(None, self._builder.names.examples)
        assert base is not None
        results = Examples(base).all()
        broken = [result.name for result in results if not result.passed]
        if broken:
            raise BrokenExamples(broken)
        self.exercise = ExampleCoverage(base, results, compiled.rule_set.manifest.prefix)
        bare = self._builder.whole(None)
        assert bare is not None
        self._tidied = tidied(bare)
        played = playing.games(bare, dict.fromkeys(SEEDS, playing.MOST_ANSWERS))
        self._games = [game for game in played if not game.fault]
        self._visited = {game.seed: places_of(bare, game.sites) for game in self._games}

    def judge(self, mutant: Mutant) -> MutantFate:
        """What becomes of it; one that rulekit itself trips over is refused, and says so."""
        try:
            return self._judged(mutant)
        except Exception as error:
            return MutantFate("refused", reason=f"internal: {type(error).__name__}: {error}")

    def _judged(self, mutant: Mutant) -> MutantFate:
        names = self.exercise.noticing(mutant)
        for part in (names[:FIRST], names[FIRST:SECOND], names[SECOND:]):
            verdict = self._asked(mutant, part) if part else None
            if verdict is not None:
                return verdict
        plain = self._builder.whole(mutant)
        if plain is None:
            return MutantFate("refused")
        played = self._played(mutant, plain)
        if played is not None:
            return played
        same = shown_same(self._tidied, plain)
        return MutantFate("same", reason=same) if same else MutantFate("survived", unaware=tuple(names))

    def _asked(self, mutant: Mutant, names: Sequence[str]) -> MutantFate | None:
        """What some examples make of it; None if all of them hold."""
        program = self._builder.part(mutant, names)
        if program is None:
            sound = self._builder.whole(mutant) is not None
            return (
                MutantFate("noticed", names[0], "it is no example any more")
                if sound
                else MutantFate("refused")
            )
        fuel = SPARE_FUEL + 10 * max(self.exercise.ran[name].spent for name in names)
        try:
            examples = Examples(for_examples(program), fuel=fuel)
        except TooLarge as error:
            return MutantFate("noticed", names[0], str(error))
        by_name = program.by_name.examples
        for name in names:
            result = examples.run(by_name[name])
            if not result.passed:
                return MutantFate("noticed", name, _stable(result.reason))
        return None

    def _played(self, mutant: Mutant, program: ir.Program) -> MutantFate | None:
        """What games that come to the change find, if anything."""
        places = self.exercise.where(mutant)
        met = [
            game for game in self._games if places is None or not self._visited[game.seed].isdisjoint(places)
        ]
        most = {game.seed: SPARE_ANSWERS + 5 * game.answers for game in met}
        for before, game in zip(met, playing.games(program, most) if met else (), strict=True):
            if game.fault:
                return MutantFate("noticed", f"a game with seed {game.seed}", game.fault)
            if before.ended and not game.ended:
                said = f"it has not come to its end after {most[game.seed]} answers"
                return MutantFate("noticed", f"a game with seed {game.seed}", said)
        return None


def _stable(reason: str) -> str:
    """A reason without the line of the example, which an edit above it moves."""
    return re.sub(r" \(line \d+\)$", "", reason)
