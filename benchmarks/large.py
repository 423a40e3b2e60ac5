"""How long a check of very large sets takes, sound ones and those with a finding on each line.

    python -m benchmarks.large [NAME ...] [--scale N]

Each set is checked by a command with an empty cache: CPU seconds with half the size and with the whole,
which shows what grows faster than the set, and the number of findings.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from rulekit.base.language import LANGUAGE

LIMIT = 8
"""CPU seconds that a check may take."""

CHECK = ("-m", "rulekit", "check", "--output-format", "concise")

Files = Mapping[str, str]
MANIFEST = "ruleset.yaml"


def _manifest(more: str = "") -> Files:
    return {MANIFEST: f'id: large\ntitle: Large\nlanguage: "{LANGUAGE}"\n{more}'}


def _rules(lines: Iterable[str], more: str = "") -> Files:
    return {**_manifest(more), "a.rules": "\n".join(lines) + "\n"}


def _data(name: str, columns: str, rows: Iterable[str], block: str = "populations") -> Files:
    keys = "    keys: 1\n" if block == "tables" else ""
    head = f"    columns: [{columns}]\n    confidence: printed\n{keys}    rows:\n"
    listed = "".join(f"      - [{row}]\n" for row in rows)
    return {"data/d.yaml": f"format: 1\n{block}:\n  {name}:\n{head}{listed}"}


def missing_options(number: int) -> Files:
    """Options that the manifest lists and no file has."""
    names = "".join(f"  - option_{n}\n" for n in range(number))
    return {**_manifest(f"options:\n{names}"), "a.rules": "enum Side: Red\n"}


def unlisted_options(number: int) -> Files:
    """Files of options that the manifest does not list."""
    files = {f"options/option_{n}.rules": f"option option_{n}:\n    over nothing\n" for n in range(number)}
    return {**_manifest(), "a.rules": "enum Side: Red\n", **files}


def definitions(number: int) -> Files:
    """Definitions, each of which calls the one before, in chains of 20."""
    calls = (f"f{n - 1}" if n % 20 else "1" for n in range(number))
    return _rules(f"define f{n} -> 0..9: {call}" for n, call in enumerate(calls))


def wrong_definitions(number: int) -> Files:
    """Definitions with an unknown name."""
    return _rules(f"define f{n} -> 0..9: unknown_{n}" for n in range(number))


def states(number: int) -> Files:
    """States that nothing uses."""
    return _rules(f"state s{n}: 0..9" for n in range(number))


def pieces(number: int) -> Files:
    """Pieces in a data file."""
    ships = _data("Ship", "name, armor", (f"Ship_{n}, {n % 10}" for n in range(number)))
    return {**_rules(['piece Ship from "data/d.yaml":', "    armor: 0..9", "    state hits: 0..9"]), **ships}


OWNER = """\
enum Terrain: Sea, Land
extern space Hex from "owner/o.yaml" otherwise "data/d.yaml":
    needs Harbour
    terrain: Terrain
    neighbours: set of Hex
extern piece Unit from "owner/o.yaml" otherwise "data/d.yaml":
    moves: 1..9
    place: Hex or none
define near(u: Unit) -> set of Hex: Hex linked to u by neighbours within 9
claim afloat: some h in Hex has h.terrain is Sea
"""


def owners_map(number: int) -> Files:
    """An owner's map in rows of 60 hexes, with a piece for each six of them, in place of a sampler."""
    names = ["Harbour", *(f"'{n // 60:03}{n % 60:02}'" for n in range(1, number))]
    beside = (
        [names[m] for m in (n - 60, n - 59, n - 1, n + 1, n + 59, n + 60) if 0 <= m < number]
        for n in range(number)
    )
    terrain = ("Land" if n % 5 == 0 else "Sea" for n in range(number))
    hexes = (f"{a}, {b}, [{', '.join(c)}]" for a, b, c in zip(names, terrain, beside, strict=True))
    units = (f"Unit_{n}, {1 + n % 9}, {names[n * 6]}" for n in range(number // 6))
    owner = _data("Hex", "name, terrain, neighbours", hexes)["data/d.yaml"]
    owner += _data("Unit", "name, moves, place", units)["data/d.yaml"].partition("populations:\n")[2]
    sampler = _data("Hex", "name, terrain, neighbours", ("Harbour, Land, []",))["data/d.yaml"]
    sampler += "  Unit:\n    columns: [name, moves, place]\n    rows: [[One, 1, Harbour]]\n"
    return {**_rules(OWNER.splitlines()), "data/d.yaml": sampler, "owner/o.yaml": owner}


def wrong_cells(number: int) -> Files:
    """Pieces whose cells are of the wrong type."""
    ships = _data("Ship", "name, armor", (f"Ship_{n}, x{n}" for n in range(number)))
    return {**_rules(['piece Ship from "data/d.yaml":', "    armor: 0..9"]), **ships}


def wrong_rows(number: int) -> Files:
    """Pieces with a cell too few, or too many."""
    ships = _data("Ship", "name, armor", (f"Ship_{n}, 1, 2" if n % 2 else f"Ship_{n}" for n in range(number)))
    return {**_rules(['piece Ship from "data/d.yaml":', "    state hits: 0..9"]), **ships}


def table_rows(number: int) -> Files:
    """Rows of a table in a data file."""
    rows = _data("worth", "n, worth", (f"{n}, {n % 10}" for n in range(number)), "tables")
    lines = [
        f"extern table worth(n: 0..{number - 1}) -> 0..9:",
        '    file "data/d.yaml"',
        f"    keys n: 0..{number - 1}",
    ]
    return {**_rules(lines), **rows}


def written_rows(number: int) -> Files:
    """Rows of tables in the rules, a thousand each."""
    lines = []
    for first in range(0, number, 1000):
        rows = range(first, min(first + 1000, number))
        lines += [f"table t{first}(n: {rows[0]}..{rows[-1]}) -> 0..9:", "    | n | worth |"]
        lines += [f"    | {n} | {n % 10} |" for n in rows]
    return _rules(lines)


def printed_rules(number: int) -> Files:
    """Printed rules, 20,000 in each list."""
    files = dict(_rules(["enum Side: Red"]))
    for first in range(0, number, 20_000):
        rows = range(first, min(first + 20_000, number))
        lines = ["id\tkind\tsummary", *(f"L.{n}\trule\tSays {n}." for n in rows)]
        files[f"sources/s{first}.tsv"] = "\n".join(lines) + "\n"
    return files


def citations(number: int) -> Files:
    """Definitions that cite one rule."""
    files = _rules((f"define f{n} -> 0..9: 1    [1.1]" for n in range(number)), "prefix: L\n")
    return {**files, "sources/s.tsv": "id\tkind\tsummary\nL.1.1\trule\tSays one.\n"}


def wrong_citations(number: int) -> Files:
    """Definitions that cite rules which no list has."""
    return {**citations(1), **_rules(f"define f{n} -> 0..9: 1    [2.{n}]" for n in range(number))}


def rule_files(number: int) -> Files:
    """Files of rules with a definition each; a set takes a thousand."""
    return {**_manifest(), **{f"f{n}.rules": f"define f{n} -> 0..9: 1\n" for n in range(number)}}


def lookalikes(number: int) -> Files:
    """Names with a letter of another script."""
    return _rules(f"state s\u043e{n}: 0..9" for n in range(number))


SETS: Mapping[Callable[[int], Files], int] = {
    missing_options: 100_000,
    unlisted_options: 20_000,
    definitions: 60_000,
    wrong_definitions: 60_000,
    states: 60_000,
    pieces: 60_000,
    owners_map: 3_000,
    wrong_cells: 60_000,
    wrong_rows: 60_000,
    table_rows: 60_000,
    written_rows: 100_000,
    printed_rules: 100_000,
    citations: 20_000,
    wrong_citations: 20_000,
    rule_files: 1_000,
    lookalikes: 20_000,
}
"""Each set with its size."""


def measured(files: Files) -> tuple[float, str]:
    """Return the CPU seconds of a check with an empty cache, and the number of findings in words."""
    with tempfile.TemporaryDirectory(prefix="rulekit-") as name, tempfile.TemporaryDirectory() as cache:
        for path, text in files.items():
            target = Path(name, path)
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "RULEKIT_CACHE": cache}
        command = [sys.executable, *CHECK, name]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, (run.stderr.splitlines() or ["nothing"])[0]


def main() -> None:
    """Print a line for each set."""
    parser = argparse.ArgumentParser(description="How long a check of very large sets takes.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these sets")
    parser.add_argument("--scale", type=int, default=1, metavar="N", help="divide all sizes by this number")
    given = parser.parse_args()
    for make, most in SETS.items():
        if not given.names or make.__name__ in given.names:
            size = most // given.scale
            (half, _), (whole, findings) = measured(make(size // 2)), measured(make(size))
            mark = "" if whole < LIMIT else f"   more than {LIMIT} s"
            name = make.__name__.replace("_", " ")
            print(f"{size:7,} {name:18} {half:6.2f} {whole:6.2f} s CPU  {findings}{mark}", flush=True)


if __name__ == "__main__":
    main()
