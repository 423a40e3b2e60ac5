"""Choices of many pieces on a big map: CPU milliseconds for each decision, the median and the worst.

    python -m benchmarks.assignments [--games N]

The map, the units and the rules are made up: 1,536 hexes, 180 ground units, 110 ships, 120 planes. Both sides
answer each choice at random, in a session. `cover`, `decks` and `battles` have norms on the whole answer, so
that each candidate needs a finished answer; `fronts` asks for some hexes each, `advance` for a unit and
a hex.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from benchmarks.growth import write_population
from rulekit.base.language import LANGUAGE
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import Program
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.play import Game

ROWS, COLUMNS = 32, 48
GOAL = 50.0
"""Milliseconds that a decision may take."""

RULES = f"""
enum Side: Red, Blue
enum Terrain: sea, plain, hills
space Hex from "data/map.yaml", hexes in rows 00..{ROWS - 1}, columns 00..{COLUMNS - 1}, odd rows right:
    terrain: Terrain
piece Ground from "data/ground.yaml":
    side: Side
    place: Hex or none
    moves: 0..9
piece Ship from "data/ship.yaml":
    side: Side
    place: Hex or none
    decks: 0..3
piece Plane from "data/plane.yaml":
    side: Side
    place: Hex or none
    range: 0..20
define foes(side) -> set of Ground: Ground where its side is not side
define beside(u: Ground) -> set of Hex: join of h.neighbours for h in (Hex where u is at it)
define aims(u: Ground) -> set of Hex: beside(u) where some e in (foes(u.side) at it)
define zones(u: Ground) -> set of Ground: foes(u.side) at beside(u)
define meets(u: Ground, hexes: set of Hex) -> flag: every z in zones(u) has (some h in hexes has z is at h)
define spot(p: Plane) -> set of Hex: Hex where p is at it
define reach(p: Plane) -> set of Hex: Hex linked to spot(p) by neighbours within p.range

choice cover(side) by side:
    assign each p in Plane where its side is side one h from reach(p), or none
    require markers: count of chosen <= 5
choice decks(side) by side:
    assign each p in fliers one s from Ship where its side is side and its decks > 0, or none
    let fliers = Plane where its side is side
    require room: every c in chosen has count of (fliers where assigned(it) is c) <= c.decks
choice battles(side) by side:
    assign each u in able one h from aims(u), or none
    let able = Ground where its side is side and aims(it) is not empty
    require all_zones: every w in (able where assigned(it) is not none) has meets(w, chosen)
choice fronts(side) by side:
    assign each u in able some h from aims(u), or none
    let able = Ground where its side is side and aims(it) is not empty
    require all_zones: every w in (able where assigned(it) is not empty) has meets(w, assigned(w))
choice advance(side) by side:
    pick one u from Ground where its side is side,
        one h from (open linked to here(u) by neighbours within u.moves), or none
    let open = Hex where its terrain is plain
    forbid held: some e in (foes(side) at h)
define here(u: Ground) -> set of Hex: Hex where u is at it

sequence play:
    for each side in Side: choose cover(side) as posts
    for each side in Side: choose decks(side) as berths
    for each side in Side: choose battles(side) as plan
    for each side in Side: choose fronts(side) as plan_of
    repeat 20 times:
        for each side in Side:
            choose advance(side) as m
            when m is not none: move m.u to m.h
"""


@dataclass(frozen=True)
class Cost:
    """The decisions of one choice, in milliseconds each; `faults` are games that ended there."""

    choice: str
    times: list[float]
    faults: list[str]

    def line(self) -> str:
        """One line of the report."""
        middle, worst = statistics.median(self.times), max(self.times)
        faults = f", FAULTS: {', '.join(self.faults)}" if self.faults else ""
        late = "" if worst < GOAL else f", over {GOAL:.0f} ms"
        times = f"{middle:8.2f} ms, at worst {worst:8.2f} ms"
        return f"{self.choice:10} {len(self.times):6} decisions {times}{late}{faults}"


def write(folder: Path) -> None:
    """Write the rule set; always the same."""
    draw = random.Random(1)
    cells = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
    terrain = {cell: draw.choice(("sea", "sea", "plain", "plain", "hills")) for cell in cells}

    def name(cell: tuple[int, int]) -> str:
        return f"{cell[0]:02d}{cell[1]:02d}"

    def at(*kinds: str) -> str:
        return name(draw.choice([cell for cell in cells if terrain[cell] in kinds]))

    def units(kind: str, number: int, most: tuple[int, int], *where: str) -> Iterator[list[object]]:
        for n in range(number):
            yield [f"{kind}_{n}", ("Red", "Blue")[n % 2], at(*where), draw.randint(*most)]

    (folder / "data").mkdir()
    write_population(
        folder / "data/map.yaml", "Hex", ["name", "terrain"], [[name(c), terrain[c]] for c in cells]
    )
    kinds = (
        ("Ground", "moves", units("G", 180, (1, 6), "plain", "hills")),
        ("Ship", "decks", units("S", 110, (0, 3), "sea")),
        ("Plane", "range", units("P", 120, (2, 11), "plain")),
    )
    for kind, number, rows in kinds:
        columns = ["name", "side", "place", number]
        write_population(folder / f"data/{kind.lower()}.yaml", kind, columns, list(rows))
    (folder / "base.rules").write_text(RULES, encoding="utf-8")
    manifest = f'id: front\ntitle: Front\nlanguage: "{LANGUAGE}"\nsequence: play\nsides: Side\n'
    (folder / "ruleset.yaml").write_text(manifest, encoding="utf-8")


def program() -> Program:
    """The rule set, compiled."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        report = Report()
        compiled = compile_rule_set(Path(folder), report)
        assert not report.has_errors, [finding.message for finding in report]
        return compiled.program


def measure(games: int = 3) -> list[Cost]:
    """Play games and time every decision, by the choice for which its answers are worked out."""
    rules = program()
    game = Game(rules)
    costs = {choice.name: Cost(choice.name, [], []) for choice in rules.choices}
    for seed in range(games):
        draw = random.Random(seed)
        session = game.start(seed)
        while (asked := session.machine.asked) is not None:
            answer = asked[3][int(draw.random() * len(asked[3]))]
            begun = process_time()
            try:
                session.choose(answer)
            except Fault as fault:
                costs[rules.choices[asked[0]].name].faults.append(fault.name)
                break
            if session.machine.asked is not None:
                asked = session.machine.asked
            costs[rules.choices[asked[0]].name].times.append(1000 * (process_time() - begun))
    return [cost for cost in costs.values() if cost.times or cost.faults]


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.assignments", description="Time big choices.")
    parser.add_argument("--games", type=int, default=3, help="random games")
    for cost in measure(parser.parse_args().games):
        print(cost.line())


if __name__ == "__main__":
    main()
