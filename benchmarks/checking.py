"""`rulekit check rules/vitp` in processes of its own, cold and warm, and `import rulekit`.

    python -m benchmarks.checking [--repetitions N]

Cold: a cache folder that is new and empty.  Cold as installed: only the parser's tables are there, which an
installed package brings along and a checkout must first work out.  Warm: nothing has changed since the last
check.  Python's own byte code is there in all cases.
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
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.common import RULES

REPETITIONS = 7
CHECK = ("-c", "from rulekit.cli import main; main()", "check", str(RULES))
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
        return f"{self.name:44} {self.cpu:6.3f} s CPU  {self.wall:6.3f} s wall   {self.note}"


def process(arguments: Sequence[str], cache: Path) -> tuple[float, float]:
    """Run Python with these arguments; seconds of CPU and of wall."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    ended = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "RULEKIT_CACHE": str(cache)},
        cwd=RULES.parents[1],
        capture_output=True,
        text=True,
    )
    wall, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode not in (0, FINDINGS):
        raise RuntimeError(f"{' '.join(arguments)} failed:\n{ended.stderr or ended.stdout}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def measure(repetitions: int = REPETITIONS) -> list[Run]:
    """All kinds of process."""
    cold, installed, warm, imported, bare = [], [], [], [], []
    for _ in range(repetitions):
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) / "cache"
            cold.append(process(CHECK, cache))
            for kind in cache.iterdir():
                if kind.name != TABLES:
                    shutil.rmtree(kind)
            installed.append(process(CHECK, cache))
            warm.append(process(CHECK, cache))
            imported.append(process(("-c", "import rulekit"), cache))
            bare.append(process(("-c", "pass"), cache))
    return [
        _run("check, cold", cold, "goal 1.5 s"),
        _run("check, cold as installed", installed, "goal 1.5 s"),
        _run("check, warm", warm, "goal 0.4 s CPU"),
        _run("import rulekit", imported, "goal 0.15 s"),
        _run("Python alone", bare, "part of each of the above"),
    ]


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
        print(run.line())


if __name__ == "__main__":
    main()
