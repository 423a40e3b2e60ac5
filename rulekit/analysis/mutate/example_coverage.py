"""Which examples come to which place of the rules: those alone can notice what is changed there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from rulekit import ir
from rulekit.analysis.mutate.mutant import Mutant
from rulekit.base.frozen import frozen
from rulekit.ir.walk import statements
from rulekit.runtime.play.examples import ExampleResult

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
