"""Reference sheets of Victory in the Pacific: whole processes, and again after an option has changed.

    python -m benchmarks.sheets [--repetitions N]

Cold: a process of its own, with start-up, compiling the rules and writing the file; the caches of parsed
text, of byte code and of the heights of blocks are there, as they are after the first command.  First: the
same without the heights.  Warm: in one process, where the rule set was read for another choice of options.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from shutil import rmtree
from time import perf_counter, process_time

from benchmarks.checking import Run, process
from benchmarks.common import RULES

REPETITIONS = 5
HEIGHTS = "heights"
"""The folder of the cache with the heights of blocks."""
GOALS = {"pdf": "goal 2 s", "html": "goal 1 s"}
OPTIONS = (
    (),
    ("damage-control",),
    ("gunnery-radar",),
    ("damage-control", "gunnery-radar"),
    ("pearl-harbor",),
)


def measure(repetitions: int = REPETITIONS) -> list[Run]:
    """All kinds of run."""
    from rulekit.reports.sheet.render.formats import WRITERS

    found = []
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        for ending, goal in GOALS.items():
            if f".{ending}" not in WRITERS:
                continue
            output = str(Path(folder) / f"sheet.{ending}")
            call = ("-m", "rulekit", "sheet", str(RULES), "-o", output)
            process(call, cache)
            times = [process(call, cache) for _ in range(repetitions)]
            found.append(_run(f"sheet as {ending.upper()}, cold", times, goal))
            if ending == "pdf":
                times = [_first(call, cache) for _ in range(repetitions)]
                found.append(_run("sheet as PDF, first", times, ""))
        small = ("-m", "rulekit", "sheet", str(RULES), "--only", "table:effect")
        times = [process((*small, "-o", str(Path(folder) / "effect.svg")), cache) for _ in range(repetitions)]
        found.append(_run("one table as SVG, cold", times, ""))
    found.append(_run("sheet as PDF, another option, warm", _warm(repetitions), "goal 0.5 s"))
    return found


def _first(call: Sequence[str], cache: Path) -> tuple[float, float]:
    rmtree(cache / HEIGHTS)
    return process(call, cache)


def _warm(repetitions: int) -> list[tuple[float, float]]:
    from rulekit.compiler.driver import compile_rule_set
    from rulekit.compiler.incremental import Workspace
    from rulekit.diagnostics import Report
    from rulekit.reports.sheet.content.build import sheet_of
    from rulekit.reports.sheet.layout.paper import Setup
    from rulekit.reports.sheet.render.printing import pdf

    workspace, times = Workspace(), []
    for options in islice(cycle(OPTIONS), repetitions + 1):
        cpu, wall = process_time(), perf_counter()
        made = compile_rule_set(RULES, Report(), options=options, workspace=workspace)
        pdf(sheet_of(made, Report()), Setup())
        times.append((process_time() - cpu, perf_counter() - wall))
    return times[1:]


def _run(name: str, times: Sequence[tuple[float, float]], note: str) -> Run:
    cpu, wall = zip(*times, strict=True)
    return Run(name, statistics.median(cpu), statistics.median(wall), note)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time `rulekit sheet`.")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    for run in measure(parser.parse_args().repetitions):
        print(run.line())


if __name__ == "__main__":
    main()
