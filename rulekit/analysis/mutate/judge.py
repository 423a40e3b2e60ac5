"""The judgement of one mutant: by the examples that reach it, the nearest first, then by short games."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
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
from rulekit.runtime.machine.simulate import RandomPolicy, new_machine, play
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.play.examples import ExampleResult, Examples
from rulekit.runtime.support.build import Build, TooLarge
from rulekit.runtime.support.layout import FUEL

BUILD = Build(coverage=True, invariants=True)
MOST_ANSWERS = 3_000
"""Answers of a game with the rules as they are, after which it is left."""
MOST_FUEL = 500_000_000
"""Units of work of a game with the rules as they are."""


class _Enough(BaseException):
    """The game has gone on for long enough; it passes through generated code as the end of a game does."""


@frozen
class Played:
    """A game: its fault, if any, the number of answers, the units of work, and the sites that ran.

    A game that took too many answers has not `ended`.
    """

    seed: int
    fault: str
    ended: bool
    answers: int
    spent: int
    sites: frozenset[int]


@frozen
class GameLimit:
    """The answers and the units of work that a game may take."""

    answers: int = MOST_ANSWERS
    fuel: int = MOST_FUEL


def play_games(program: ir.Program, limits: Mapping[int, GameLimit]) -> tuple[Played, ...]:
    """Play random games, the scenarios in turn, and test the invariants at every change.

    `limits`: the seeds, each with the limit of its game.
    """
    if not program.entry:
        return ()
    module = GeneratedModule(for_play(program), BUILD)
    return tuple(_game(module, seed, limit) for seed, limit in limits.items())


def _game(module: GeneratedModule, seed: int, limit: GameLimit) -> Played:
    program = module.program
    policy, answers = RandomPolicy(program, seed), 0

    def agent(choice: int, side: int, item: Any, options: Sequence[int]) -> int:
        nonlocal answers
        answers += 1
        if answers > limit.answers:
            raise _Enough
        return policy(choice, side, item, options)

    machine = new_machine(module, Streams(module, seed), agent)
    machine.trace = lambda event: None
    machine.refuel(limit.fuel)
    module.forget()
    scenarios = program.scenarios
    fault, ended = "", True
    try:
        play(machine, scenarios[seed % len(scenarios)] if scenarios else None)
    except _Enough:
        ended = False
    except Fault as error:
        fault = str(error)
    return Played(seed, fault, ended, answers, limit.fuel - machine.M[FUEL], module.ran())


FIRST, SECOND = 3, 15
"""The numbers of examples that are compiled and run first, and second."""
SPARE_FUEL = 50_000
"""Units of work that an example or game may take beyond ten times those that it takes without the mutant."""
SEEDS = range(1, 5)
SPARE_ANSWERS = 100
"""Answers that a game may take beyond five times those that it takes without the mutant."""


class BrokenExamples(Exception):
    """Examples fail already without a mutant."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(", ".join(names))
        self.names = tuple(names)


class OutOfTime(Exception):
    """The examples alone take longer than all may."""


class Judge:
    """Judges mutants of one rule set.

    Args:
        seconds: Of a processor, that the examples may take without a mutant.

    Raises:
        BrokenExamples: Some fail already.
        OutOfTime: They take longer.
    """

    def __init__(self, compiled: Compiled, seconds: float = inf) -> None:
        self._builder = MutantCompiler(compiled)
        base = self._builder.whole(None, self._builder.names.examples)
        assert base is not None
        results = tuple(_in_time(Examples(base), seconds))
        broken = [result.name for result in results if not result.passed]
        if broken:
            raise BrokenExamples(broken)
        self.exercise = ExampleCoverage(base, results, compiled.rule_set.manifest.prefix)
        bare = self._builder.whole(None)
        assert bare is not None
        self._tidied = tidy(bare)
        played = play_games(bare, dict.fromkeys(SEEDS, GameLimit()))
        self._games = [game for game in played if not game.fault]
        self._visited = {game.seed: places_of(bare, game.sites) for game in self._games}

    def judge(self, mutant: Mutant) -> MutantFate:
        """Return its fate; one that makes rulekit itself fail is refused, with the error as the reason."""
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
        """The fate by some examples; None if all pass."""
        program = self._builder.part(mutant, names)
        if program is None:
            if self._builder.whole(mutant) is None:
                return MutantFate("refused")
            return MutantFate("noticed", names[0], "the example no longer compiles")
        fuel = SPARE_FUEL + 10 * max(self.exercise.ran[name].spent for name in names)
        try:
            examples = Examples(for_examples(program), fuel=fuel)
        except TooLarge as error:
            return MutantFate("noticed", names[0], str(error))
        by_name = program.by_name.examples
        for name in names:
            result = examples.run(by_name[name])
            if result.failed:
                return MutantFate("noticed", name, _stable(result.reason))
        return None

    def _play(self, mutant: Mutant, program: ir.Program) -> MutantFate | None:
        """The fate by games that reach the change; None if they find nothing."""
        places = self.exercise.where(mutant)
        reaching = [g for g in self._games if places is None or not self._visited[g.seed].isdisjoint(places)]
        limits = {
            game.seed: GameLimit(
                SPARE_ANSWERS + 5 * game.answers, min(SPARE_FUEL + 10 * game.spent, MOST_FUEL)
            )
            for game in reaching
        }
        for before, game in zip(reaching, play_games(program, limits) if reaching else (), strict=True):
            reason = game.fault
            if before.ended and not game.ended:
                reason = reason or f"it does not end within {limits[game.seed].answers} answers"
            if reason:
                return MutantFate("noticed", f"a game with seed {game.seed}", reason)
        return None


def _in_time(examples: Examples, seconds: float) -> Iterator[ExampleResult]:
    """Run all examples."""
    begun = time.process_time()
    for example in examples.program.examples:
        yield examples.run(example)
        if time.process_time() - begun > seconds:
            raise OutOfTime


def _stable(reason: str) -> str:
    """A reason without the line of the example, which an edit above it moves."""
    return re.sub(r" \(line \d+\)$", "", reason)


Place = tuple[str, int, int]
"""File, line and column of a beginning."""


@frozen
class ExampleRun:
    """An example without a mutant.

    `places`: how many places it reaches: the fewer, the more it is about each.  `spent`: the runs of loops
    that its longest part takes.  `rules`: those it cites.
    """

    name: str
    places: int
    spent: int
    rules: tuple[str, ...]


class ExampleCoverage:
    """The places that the examples of a program reach; all examples pass."""

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
        """The examples that reach the change, those first that are most about it."""
        places = self.where(mutant)
        names = set(self.ran) if places is None else {name for at in places for name in self._at.get(at, ())}
        own = {f"{self._prefix}.{rule}" for rule in mutant.rules}

        def order(ran: ExampleRun) -> tuple[bool, int]:
            return not own.intersection(ran.rules), ran.places

        return [ran.name for ran in sorted((self.ran[name] for name in self.ran if name in names), key=order)]

    def where(self, mutant: Mutant) -> tuple[Place, ...] | None:
        """The places that a run through the change passes; None if they are not known."""
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
    """The places of sites in the rules."""
    return frozenset((at.file, at.line, at.column) for at in (program.sites[number] for number in sites))


def _noting(program: ir.Program) -> frozenset[Place]:
    """The places where a build with coverage notes each run; functions that explain a roll never run."""
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
