"""`rulekit check` in processes of its own: cold, warm, after an edit; and `import rulekit`.

    python -m benchmarks.checking [--repetitions N]

Cold: a cache folder that is new and empty.  Cold as installed: only the parser's tables are there, which an
installed package brings along and a checkout must first work out.  Warm: nothing has changed since the last
check.  After an edit: one file has, by a definition that nothing uses yet.  Python's own byte code is there
in all cases: it lies in a folder made for the measurement, whatever the environment says of it.

Rows are printed as they are measured; every process is noted on the standard error when it ends.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.common import RULES

REPETITIONS = 3
MAIN = ("-c", "from rulekit.__main__ import main; main()", "check")
CHECK = (*MAIN, str(RULES))
PACWAR = RULES.parent / "pacwar"
EDIT = "\ndefine new_rule_{}(n: 0..9) -> 0..9: n\n"
EVERY = "--all-options"
TABLES = "parser-tables"
FINDINGS = 1
"""The exit code of a check that found something; nothing else than this or 0 counts as a check."""


@dataclass(frozen=True, slots=True)
class Run:
    """Median seconds of a kind of process: of its processor, and on the wall."""

    name: str
    cpu: float
    wall: float
    note: str

    def line(self) -> str:
        """One line of a table."""
        return f"{self.name:54} {self.cpu:6.3f} s CPU  {self.wall:6.3f} s wall   {self.note}"


def with_code(folder: Path) -> dict[str, str]:
    """The environment of a process that keeps Python's byte code in a folder, whatever ours says of it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder)}


def process(arguments: Sequence[str], cache: Path) -> tuple[float, float]:
    """Run Python with these arguments; seconds of CPU and of wall.

    Args:
        cache: The cache folder; byte code is kept beside it.
    """
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    ended = subprocess.run(
        [sys.executable, *arguments],
        env={**with_code(cache.parent / "code"), "RULEKIT_CACHE": str(cache)},
        cwd=RULES.parents[1],
        capture_output=True,
        text=True,
    )
    wall, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode not in (0, FINDINGS):
        raise RuntimeError(f"{' '.join(arguments)} failed:\n{ended.stderr or ended.stdout}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"  {cpu:6.3f} s CPU  {' '.join(arguments[2:]) or arguments[1]}", file=sys.stderr, flush=True)
    return cpu, wall


def measure(repetitions: int = REPETITIONS) -> Iterator[Run]:
    """Yield all kinds of process, each as soon as it is measured."""
    cold, installed, warm, imported, bare = [], [], [], [], []
    with tempfile.TemporaryDirectory() as home:
        process(CHECK, Path(home) / "cache")
        for number in range(repetitions):
            cache = Path(home) / f"cache {number}"
            cold.append(process(CHECK, cache))
            _forget(cache)
            installed.append(process(CHECK, cache))
            warm.append(process(CHECK, cache))
            imported.append(process(("-c", "import rulekit"), cache))
            bare.append(process(("-c", "pass"), cache))
        yield _run("check vitp, cold", cold, "goal 1.5 s")
        yield _run("check vitp, cold as installed", installed, "goal 1.5 s")
        yield _run("check vitp, warm", warm, "goal 0.4 s CPU")
        yield _run("import rulekit", imported, "goal 0.15 s")
        yield _run("Python alone", bare, "part of each of the above")
        for rules in (RULES, PACWAR):
            yield from _every(rules, Path(home), repetitions)


def _every(rules: Path, home: Path, repetitions: int) -> list[Run]:
    """Without and with every option alone: after one file was edited, and cold."""
    places = {"a file of the base": "", "an option": "options"}
    edits = [(more, place) for more in ((), (EVERY,)) for place in places]
    times: dict[tuple[tuple[str, ...], str], list[tuple[float, float]]] = {edit: [] for edit in edits}
    cold: list[tuple[float, float]] = []
    for number in range(repetitions):
        copy, cache = home / f"{rules.name} {number}", home / f"{rules.name} cache {number}"
        shutil.copytree(rules, copy)
        check = (*MAIN, str(copy))
        process((*check, EVERY), cache)
        process(check, cache)
        for count, (more, place) in enumerate(edits):
            with sorted((copy / places[place]).glob("*.rules"))[number].open("a", encoding="utf-8") as file:
                file.write(EDIT.format(count))
            times[more, place].append(process((*check, *more), cache))
        _forget(cache)
        cold.append(process((*check, EVERY), cache))
    return [
        *(
            _run(" ".join(("check", rules.name, *more)) + f", {place} edited", times[more, place], "goal 1 s")
            for more, place in edits
        ),
        _run(f"check {rules.name} {EVERY}, cold as installed", cold, "goal 10 s"),
    ]


def _forget(cache: Path) -> None:
    """Leave the parser's tables alone in a cache."""
    for kind in cache.iterdir():
        if kind.is_dir() and kind.name != TABLES:
            shutil.rmtree(kind)


def _run(name: str, times: list[tuple[float, float]], note: str) -> Run:
    cpu, wall = zip(*times, strict=True)
    return Run(name, statistics.median(cpu), statistics.median(wall), note)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time `rulekit check` and `import rulekit`.")
    parser.add_argument(
        "--repetitions", type=int, default=REPETITIONS, help=f"of each (default {REPETITIONS})"
    )
    for run in measure(parser.parse_args().repetitions):
        print(run.line(), flush=True)


if __name__ == "__main__":
    main()
