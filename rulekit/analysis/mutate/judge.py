"""The judgement of one mutant: by the examples that reach it, the nearest first, then by short games."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulekit import ir
from rulekit.analysis.mutate.compile_mutant import MutantCompiler
from rulekit.analysis.mutate.equivalence import shown_same, tidy
from rulekit.analysis.mutate.mutant import Mutant, MutantFate
from rulekit.base.frozen import frozen
from rulekit.compiler.driver import Compiled
from rulekit.ir.reachable import for_examples, for_play
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.walk import statements
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Streams
from rulekit.runtime.machine.simulate import RandomPolicy, new_machine, play
from rulekit.runtime.play.examples import ExampleResult, Examples
from rulekit.runtime.support.build import Build, TooLarge

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


def play_games(program: ir.Program, most: Mapping[int, int]) -> tuple[Played, ...]:
    """Games at random with these seeds, the scenarios in turn; the invariants are tested at every change.

    Args:
        most: By its seed, how many answers a game may take.
    """
    if not program.entry:
        return ()
    playable = for_play(program)
    module = GeneratedModule(playable, BUILD)
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
        self._tidied = tidy(bare)
        played = play_games(bare, dict.fromkeys(SEEDS, MOST_ANSWERS))
        self._games = [game for game in played if not game.fault]
        self._visited = {game.seed: places_of(bare, game.sites) for game in self._games}

    def judge(self, mutant: Mutant) -> MutantFate:
        """What becomes of it; one that rulekit itself trips over is refused, and says so."""
        try:
            return self._judge(mutant)
        except Exception as error:
            return MutantFate("refused", reason=f"internal: {type(error).__name__}: {error}")

    def _judge(self, mutant: Mutant) -> MutantFate:
        names = self.exercise.noticing(mutant)
        for part in (names[:FIRST], names[FIRST:SECOND], names[SECOND:]):
            verdict = self._run_examples(mutant, part) if part else None
            if verdict is not None:
                return verdict
        plain = self._builder.whole(mutant)
        if plain is None:
            return MutantFate("refused")
        played = self._play(mutant, plain)
        if played is not None:
            return played
        same = shown_same(self._tidied, plain)
        return MutantFate("same", reason=same) if same else MutantFate("survived", unaware=tuple(names))

    def _run_examples(self, mutant: Mutant, names: Sequence[str]) -> MutantFate | None:
        """What some examples make of it; None if all of them hold."""
        program = self._builder.part(mutant, names)
        if program is None:
            sound = self._builder.whole(mutant) is not None
            return (
                MutantFate("noticed", names[0], "the example no longer compiles")
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

    def _play(self, mutant: Mutant, program: ir.Program) -> MutantFate | None:
        """What games that come to the change find, if anything."""
        places = self.exercise.where(mutant)
        met = [
            game for game in self._games if places is None or not self._visited[game.seed].isdisjoint(places)
        ]
        most = {game.seed: SPARE_ANSWERS + 5 * game.answers for game in met}
        for before, game in zip(met, play_games(program, most) if met else (), strict=True):
            if game.fault:
                return MutantFate("noticed", f"a game with seed {game.seed}", game.fault)
            if before.ended and not game.ended:
                reason = f"it does not end within {most[game.seed]} answers"
                return MutantFate("noticed", f"a game with seed {game.seed}", reason)
        return None


def _stable(reason: str) -> str:
    """A reason without the line of the example, which an edit above it moves."""
    return re.sub(r" \(line \d+\)$", "", reason)


Place = tuple[str, int, int]
"""File, line and column at which something begins."""


@frozen
class ExampleRun:
    """How an example goes with the rules as they are.

    `places` is how many places it comes to: the fewer, the more it is about each; `spent` how many runs of
    loops its dearest part takes; `rules` those it cites.
    """

    name: str
    places: int
    spent: int
    rules: tuple[str, ...]


class ExampleCoverage:
    """What the examples of a program come to.  All of them hold."""

    def __init__(self, program: ir.Program, results: Iterable[ExampleResult], prefix: str) -> None:
        self._prefix = prefix
        self._noting = _noting(program)
        self._rolled = _places_of_rolls(program)
        self.ran: dict[str, ExampleRun] = {}
        self._at: Mapping[Place, list[str]] = defaultdict(list)
        by_name = program.by_name.examples
        for result in results:
            places = places_of(program, result.sites | result.prepared)
            rules = program.sites[by_name[result.name].site].rules
            self.ran[result.name] = ExampleRun(result.name, len(places), result.spent, rules)
            for place in places:
                self._at[place].append(result.name)

    def noticing(self, mutant: Mutant) -> list[str]:
        """The examples that come to what is changed, those first that are most about it."""
        places = self.where(mutant)
        names = set(self.ran) if places is None else {name for at in places for name in self._at.get(at, ())}
        own = {f"{self._prefix}.{rule}" for rule in mutant.rules}

        def order(ran: ExampleRun) -> tuple[bool, int]:
            return not own.intersection(ran.rules), ran.places

        return [ran.name for ran in sorted((self.ran[name] for name in self.ran if name in names), key=order)]

    def where(self, mutant: Mutant) -> tuple[Place, ...] | None:
        """Where a run is noted that comes to what is changed; None where it might be anywhere."""
        if mutant.space == "rolls" and mutant.operator == "numbers":
            return tuple(self._rolled.get(mutant.name, ()))
        if mutant.space == "events" and "body" not in mutant.path:
            return None
        for span in mutant.within:
            place = (span.file, span.line, span.column)
            if place in self._noting:
                return (place,)
        return None


def places_of(program: ir.Program, sites: Iterable[int]) -> frozenset[Place]:
    """Where some sites are in the rules."""
    return frozenset((at.file, at.line, at.column) for at in (program.sites[number] for number in sites))


def _noting(program: ir.Program) -> frozenset[Place]:
    """Where a build that counts coverage surely notes each run; what only explains a roll never runs."""
    explaining = {name for modifier in program.modifiers for name in (modifier.acts, modifier.number)}
    numbers: set[int] = {item.site for item in program.functions if item.name not in explaining}
    numbers |= {item.site for item in program.choices}
    numbers |= {stmt.site for procedure in program.procedures for stmt in statements(procedure.body)}
    return places_of(program, numbers)


def _places_of_rolls(program: ir.Program) -> dict[str, list[Place]]:
    """Where each point of chance is rolled."""
    places: dict[str, list[Place]] = {}
    for procedure in program.procedures:
        for stmt in statements(procedure.body):
            if isinstance(stmt, ir.Roll):
                places.setdefault(stmt.point, []).extend(places_of(program, [stmt.site]))
    return places
