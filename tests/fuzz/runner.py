"""Runs inputs by their numbers: which family, which input, what came of it; and keeps what failed."""

from __future__ import annotations

import bisect
import itertools
import json
import os
import random
import re
import resource
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tests.fuzz.bundle import scratch
from tests.fuzz.families import answers, commands, files, hostile, programs, rules, saves, sets, texts
from tests.fuzz.family import Failure, Family, failure_of
from tests.fuzz.shrink import shrink

CORPUS = Path(__file__).with_name("corpus")
FAMILIES: Sequence[Family] = (
    rules.FAMILY,
    *files.FAMILIES,
    saves.FAMILY,
    answers.FAMILY,
    *texts.FAMILIES,
    sets.FAMILY,
    commands.FAMILY,
    programs.FAMILY,
    hostile.FAMILY,
)
BY_NAME: Mapping[str, Family] = {family.name: family for family in FAMILIES}
_ENDS = list(itertools.accumulate(family.weight for family in FAMILIES))
SHRINK_SECONDS = 20.0
MOST_KEPT = 3
"""Inputs that are kept of one signature."""
MOST_FAILED = 5_000


@dataclass
class Tally:
    """What has become of the inputs of one family."""

    inputs: int = 0
    seconds: float = 0.0
    failures: int = 0
    slowest: float = 0.0
    slowest_number: int = 0


@dataclass
class Run:
    """Inputs from a number on, and what came of them.

    Attributes:
        next: Number of the next input.
        only: The family that all inputs are of; None for a mix by weight.
        kept: How many inputs there were with each signature.
        failed: The numbers of those that failed, `MOST_FAILED` at most.
    """

    next: int = 0
    only: Family | None = None
    corpus: Path = CORPUS
    tallies: dict[str, Tally] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)
    failed: list[int] = field(default_factory=list)

    def step(self) -> Failure | None:
        """Run the next input."""
        number = self.next
        family, data = input_of(number, self.only)
        begun = time.process_time()
        failure = failure_of(family, data)
        seconds = time.process_time() - begun
        tally = self.tallies.setdefault(family.name, Tally())
        tally.inputs += 1
        tally.seconds += seconds
        if seconds > tally.slowest:
            tally.slowest, tally.slowest_number = seconds, number
        if failure is not None:
            tally.failures += 1
            self.failed[MOST_FAILED:] = [number]
            self._keep(family, data, failure)
        self.next += 1
        return failure

    def _keep(self, family: Family, data: bytes, failure: Failure) -> None:
        """Keep an input, made smaller; not the hundredth with one cause."""
        kept = self.kept.get(failure.signature, 0)
        self.kept[failure.signature] = kept + 1
        if kept >= MOST_KEPT:
            return

        def fails(smaller: bytes) -> bool:
            other = failure_of(family, smaller)
            return other is not None and other.signature == failure.signature

        small = shrink(data, fails, SHRINK_SECONDS)
        words = "-".join(re.findall(r"\w+", failure.signature))[-60:]
        folder = self.corpus / family.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{words}-{blake2b(small, digest_size=3).hexdigest()}").write_bytes(small)

    # -- the state of a run, to go on later

    def save(self, path: Path) -> None:
        """Write where the run is, whole or not at all."""
        plain = {
            "next": self.next,
            "kept": self.kept,
            "failed": self.failed,
            "tallies": {name: vars(tally) for name, tally in self.tallies.items()},
        }
        part = path.with_suffix(".part")
        part.write_text(json.dumps(plain, indent=1), encoding="utf-8")
        os.replace(part, path)

    def load(self, path: Path) -> None:
        """Go on where a run was."""
        plain: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self.next, self.kept, self.failed = plain["next"], plain["kept"], plain["failed"]
        self.tallies = {name: Tally(**tally) for name, tally in plain["tallies"].items()}

    def table(self) -> str:
        """Return a row for each family, and one for all."""
        rows = [f"{'family':10} {'inputs':>9} {'inputs/s':>9} {'slowest s':>10} {'failures':>9}"]
        for name, tally in sorted(self.tallies.items()):
            rate = tally.inputs / tally.seconds if tally.seconds else 0.0
            rows.append(f"{name:10} {tally.inputs:9} {rate:9.0f} {tally.slowest:10.2f} {tally.failures:9}")
        every = list(self.tallies.values())
        inputs, seconds = sum(tally.inputs for tally in every), sum(tally.seconds for tally in every)
        rate, slowest = inputs / max(seconds, 0.001), max((tally.slowest for tally in every), default=0.0)
        failures = sum(tally.failures for tally in every)
        rows.append(f"{'all':10} {inputs:9} {rate:9.0f} {slowest:10.2f} {failures:9}")
        return "\n".join(
            [*rows, *(f"{count:5} x {signature}" for signature, count in sorted(self.kept.items()))]
        )


def input_of(number: int, only: Family | None = None) -> tuple[Family, bytes]:
    """Return the input of a number, and its family: the same in every process, as long as the seeds are."""
    chance = random.Random(number)
    family = only or FAMILIES[bisect.bisect_right(_ENDS, chance.randrange(_ENDS[-1]))]
    return family, family.generate(chance)


def own_environment() -> Mapping[str, str]:
    """Return variables with which commands neither read nor fill anybody's cache, nor find a home."""
    return {"RULEKIT_CACHE": "off", "HOME": str(scratch()), "TMPDIR": str(scratch()), "NO_COLOR": "1"}


def memory() -> int:
    """Return the bytes in memory now: a process begun anew keeps the record of the one before."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:  # not Linux
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * resource.getpagesize()


def renew() -> None:
    """Begin this process anew: what thousands of programs leave behind in memory is gone."""
    shutil.rmtree(scratch(), ignore_errors=True)
    os.execv(sys.executable, [sys.executable, "-m", "tests.fuzz", *sys.argv[1:]])
