"""How a check grows with the number of options, and with the map: sets made up for it, checked cold.

    python -m benchmarks.growth [--counts 10 25 50 100 200] [--repetitions N] [--plot FILE.svg]
    python -m benchmarks.growth --map 3000 --pieces 500

Of so many options five each amend one value: in turns that do not meet, in an order said by `over`, or
excluding one another.  Each adds a norm to the same choice and a modifier to the same roll.  The set is
sound: nothing is found, so that nothing is looked for twice.

With `--map` the set has a map of so many hexes and so many pieces on it: what loading and checking it takes,
in seconds and memory.  A cold check has no cache at all; the first one fills it.

Each repetition is a process of its own without a cache; CPU seconds, the least of them.
Plots need matplotlib: `pip install "rulekit[plots]"`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.checking import with_code
from rulekit.base.language import LANGUAGE

COUNTS = (10, 25, 50, 100, 200)
REPETITIONS = 3
PIECES = 12
FAMILY = 5
"""Options that amend one value."""

RUN = """
import json, sys, time
from pathlib import Path
from rulekit.analysis.check import check
made = check(Path(sys.argv[1]), remember=False)
print(json.dumps([time.process_time(), [str(each.message) for each in made.diagnostics]]))
"""

LOAD = """
import json, resource, sys, time
import rulekit
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
game = rulekit.load(sys.argv[1])
loaded = time.process_time()
for seed in range(3):
    game.start(seed=seed)
most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([loaded, time.process_time(), (most - base) // 1024]))
"""
BIG_RULES = """
enum Side: Red, Blue
enum Terrain: sea, clear, rough
space Hex from "data/map.yaml":
    terrain: Terrain
    near, rivers: set of Hex
    airfield: flag
    state held: Side or none
piece Unit from "data/units.yaml":
    side: Side
    place: Hex or none
    factor: 0..9
    range: 0..8
state reached: 0..1000000 = 0
define apart(a: Hex, b: Hex) -> 0..99: (steps(a, b, near) otherwise 99)
define hostile(h: Hex, s: Side) -> flag: some u in (Unit at h) has u.side is not s
define zone(h: Hex, s: Side) -> flag: some n in h.near has hostile(n, s)
define umbrella(u: Unit) -> set of Hex:
    let spot = u.place
    when spot is none: {}
    otherwise: Hex linked to spot by near within u.range
choice move(u: Unit) by u.side:
    pick one h from Hex where it.terrain is not sea, or none
    forbid too_far: apart(h, (u.place otherwise h)) > u.range
sequence play:
    for each u in Unit:
        add count of umbrella(u) to reached
        for each h in umbrella(u) where it.airfield:
            when apart(h, (u.place otherwise h)) > 2: set h.held to u.side
            when zone(h, u.side): set h.held to none
invariant nowhere: every u in Unit has u.place is not none
"""


def write_map(folder: Path, spaces: int, pieces: int) -> None:
    """A rule set with a map of hexes and pieces on it; always the same for the same numbers."""
    draw, width = random.Random(1), math.isqrt(spaces)
    cells = [divmod(n, width) for n in range(spaces)]
    here = set(cells)
    terrain = {cell: draw.choice(("sea", "sea", "clear", "rough")) for cell in cells}

    def near(row: int, column: int) -> list[tuple[int, int]]:
        shift = row % 2
        beside = [(row + r, column + c + shift) for r in (-1, 1) for c in (-1, 0)]
        return [cell for cell in ((row, column - 1), (row, column + 1), *beside) if cell in here]

    def names(some: list[tuple[int, int]]) -> list[str]:
        return [_hex(cell) for cell in sorted(some)]

    land = [cell for cell in cells if terrain[cell] != "sea"]
    river = {cell for cell in land if draw.random() < 0.1}
    hexes = [
        [_hex(cell), terrain[cell], names(near(*cell)), names([n for n in near(*cell) if {cell, n} <= river])]
        + [draw.random() < 0.1]
        for cell in cells
    ]
    units = [
        [f"Unit_{n}", ("Red", "Blue")[n % 2], _hex(draw.choice(land)), draw.randint(0, 9), draw.randint(0, 8)]
        for n in range(pieces)
    ]
    (folder / "data").mkdir()
    write_population(
        folder / "data/map.yaml", "Hex", ["name", "terrain", "near", "rivers", "airfield"], hexes
    )
    columns = ["name", "side", "place", "factor", "range"]
    write_population(folder / "data/units.yaml", "Unit", columns, units)
    (folder / "base.rules").write_text(BIG_RULES, encoding="utf-8")
    manifest = f'id: big\ntitle: Big\nlanguage: "{LANGUAGE}"\nsequence: play\nsides: Side\n'
    (folder / "ruleset.yaml").write_text(manifest, encoding="utf-8")


def _hex(cell: tuple[int, int]) -> str:
    return f"H{cell[0]:02d}{cell[1]:02d}"


def write_population(file: Path, name: str, columns: list[str], rows: list[list[object]]) -> None:
    """Write a data file: JSON is YAML."""
    lines = [f"format: 1\npopulations:\n  {name}:\n    columns: {json.dumps(columns)}\n    rows:\n"]
    lines += [f"      - {json.dumps(row)}\n" for row in rows]
    file.write_text("".join(lines), encoding="utf-8")


def measure_map(spaces: int, pieces: int) -> None:
    """Print what loading and checking a big map takes."""
    with tempfile.TemporaryDirectory() as code, tempfile.TemporaryDirectory() as folder:
        write_map(Path(folder), spaces, pieces)

        def run(script: str) -> Any:
            env = {**with_code(Path(code)), "RULEKIT_CACHE": os.environ.get("RULEKIT_CACHE", f"{code}/cache")}
            command = [sys.executable, "-c", script, folder]
            ended = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
            return json.loads(ended.stdout)

        run(LOAD)
        loaded, played, memory = run(LOAD)
        print(f"{spaces} spaces, {pieces} pieces")
        print(f"load             {loaded:6.2f} s CPU, import included")
        print(f"and three games  {played:6.2f} s CPU, {memory:.0f} MB above an import")
        for name, remember in (("cold", False), ("first", True)):
            seconds, found = run(RUN.replace("remember=False", f"remember={remember}"))
            print(f"check, {name:9} {seconds:6.2f} s CPU, findings: {len(found)}")


def write(folder: Path, number: int) -> None:
    """A rule set with so many options."""
    names = [f"option_{n:03}" for n in range(number)]
    values = range(-(-number // FAMILY))
    lines = [
        "enum Side: Red, Blue",
        "piece Ship:",
        f"    members {', '.join(f'Ship_{n}' for n in range(1, PIECES + 1))}",
        "    state damage: 0..9",
        "state turn: 1..40 = 1",
        "roll fire(ship: Ship): d6",
        "table hits(n: 0..9) -> 0..9:",
        "    | n    | hits |",
        "    | 0..4 | 0    |",
        "    | 5..9 | 1    |",
        "choice target by Red:",
        "    pick any ship from Ship",
        "procedure battle:",
        "    step aim:",
        "        choose target as aimed",
        "        for each s in aimed:",
        "            roll fire(s) as shot",
        "            when shot > 5: set s.damage to hits(limit_0)",
        *(f"define limit_{n} -> 0..9: 3" for n in values),
    ]
    (folder / "rules.rules").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "options").mkdir()
    for n, name in enumerate(names):
        (folder / "options" / f"{name}.rules").write_text(_option(names, n), encoding="utf-8")
    manifest = f'id: growth\ntitle: Growth\nlanguage: "{LANGUAGE}"\noptions: [{", ".join(names)}]\n'
    (folder / "ruleset.yaml").write_text(manifest, encoding="utf-8")


def _option(names: list[str], n: int) -> str:
    """The text of an option: one of five ways to amend, and something of its own."""
    family, place = divmod(n, FAMILY)
    first = names[family * FAMILY]
    how = {
        0: ["    in force while turn < 10", f"    redefine define limit_{family}: 4"],
        1: ["    in force while turn in 10..20", f"    redefine define limit_{family}: 5"],
        2: [f"    over {first}", "    in force while turn < 5", f"    redefine define limit_{family}: 6"],
        3: ["    in force while turn > 20", f"    redefine define limit_{family}: original() + 1"],
        4: [
            f"    excludes {names[n - 1]}",
            "    in force while turn > 30",
            f"    redefine define limit_{family}: 2",
        ],
    }
    own = [
        f"        forbid norm_{n}: ship.damage > {n % 9} when turn = {n % 40 + 1}",
        f"modifier modifier_{n} on roll fire: +1 when turn = {n % 40 + 1} and ship.damage > {n % 9}",
    ]
    return "\n".join([f"option {names[n]}:", *how[place], "    add to choice target:", *own]) + "\n"


def measured(number: int, repetitions: int = REPETITIONS) -> float:
    """The least CPU seconds of a cold check of so many options."""
    with tempfile.TemporaryDirectory() as code, tempfile.TemporaryDirectory(prefix="rulekit-") as name:
        write(Path(name), number)
        times = []
        for _ in range(repetitions):
            run = subprocess.run(
                [sys.executable, "-c", RUN, name],
                env=with_code(Path(code)),
                capture_output=True,
                text=True,
                check=True,
            )
            spent, found = json.loads(run.stdout)
            if found:
                raise AssertionError(f"the set with {number} options is not sound: {found[0]}")
            times.append(spent)
    return min(times)


def plot(times: dict[int, float], file: Path) -> None:
    """A plot that is the same for the same figures."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "rulekit", "svg.fonttype": "none"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    axes.plot(list(times), list(times.values()), marker="o", color="black")
    for number, seconds in times.items():
        axes.annotate(f"{seconds:.2f}", (number, seconds), (0, 7), textcoords="offset points", ha="center")
    axes.set(xlabel="options", ylabel="CPU seconds of a cold check", xlim=(0, max(times) * 1.05))
    axes.set_ylim(0, max(times.values()) * 1.2)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, metadata={"Date": None, "Creator": None})


def main() -> None:
    """Print the figures, and draw them."""
    parser = argparse.ArgumentParser(description="How a check grows with the number of options.")
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS)
    parser.add_argument(
        "--repetitions", type=int, default=REPETITIONS, help=f"of each (default {REPETITIONS})"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE.svg")
    parser.add_argument("--map", type=int, metavar="SPACES", help="measure a big map instead")
    parser.add_argument("--pieces", type=int, default=500, help="on the big map (default 500)")
    wanted = parser.parse_args()
    if wanted.map:
        return measure_map(wanted.map, wanted.pieces)
    times = {number: measured(number, wanted.repetitions) for number in wanted.counts}
    print(f"{'options':>8} {'CPU seconds':>12}")
    for number, seconds in times.items():
        print(f"{number:8} {seconds:12.2f}")
    if wanted.plot:
        plot(times, wanted.plot)


if __name__ == "__main__":
    main()
