"""How a check grows with the number of options: a set made up for it, checked cold.

    python -m benchmarks.growth [--counts 10 25 50 100 200] [--repetitions N] [--plot FILE.svg]

Of so many options five each amend one value: in turns that do not meet, in an order said by `over`, or
excluding one another.  Each adds a norm to the same choice and a modifier to the same roll.  The set is
sound: nothing is found, so that nothing is looked for twice.

Each repetition is a process of its own without a cache; CPU seconds, the least of them.
Plots need matplotlib: `pip install "rulekit[plots]"`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

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
    wanted = parser.parse_args()
    times = {number: measured(number, wanted.repetitions) for number in wanted.counts}
    print(f"{'options':>8} {'CPU seconds':>12}")
    for number, seconds in times.items():
        print(f"{number:8} {seconds:12.2f}")
    if wanted.plot:
        plot(times, wanted.plot)


if __name__ == "__main__":
    main()
