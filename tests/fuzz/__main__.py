"""Fuzzing from the command line: `python -m tests.fuzz --minutes 5`; see CONTRIBUTING.md."""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import signal
import sys
import time
from pathlib import Path

from tests.fuzz.family import failure_of, limit_memory
from tests.fuzz.runner import BY_NAME, CORPUS, Run, input_of, memory, own_environment, renew

STUCK = 900
"""Seconds without a report after which the process ends with the places of all threads."""

MOST_MEMORY = 1 << 30
"""Bytes with which a process that keeps its state begins anew."""


def main() -> None:
    """Run inputs until the number, the time or a signal ends it; exit with 1 if any failed."""
    arguments = _parser().parse_args()
    os.environ.update(own_environment())
    limit_memory()
    if arguments.replay:
        _replay(arguments.replay)
        return
    first = arguments.first
    if first is None:
        first = 0 if arguments.minutes is None else random.randrange(1 << 40)
    run = Run(first, BY_NAME[arguments.family] if arguments.family else None, arguments.corpus)
    if arguments.state and arguments.state.exists():
        run.load(arguments.state)
    print(f"from input {run.next}", flush=True)
    last = first + arguments.count if arguments.count is not None else sys.maxsize
    _run(run, last, arguments.minutes, arguments.state)
    print(run.table())
    sys.exit(any(tally.failures for tally in run.tallies.values()))


def _run(run: Run, last: int, minutes: float | None, state: Path | None) -> None:
    """Run inputs; write the state and a line every few seconds."""
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: stopped.append(number))
    begun = reported = time.monotonic()
    end = begun + 60 * minutes if minutes is not None else float("inf")
    while run.next < last and time.monotonic() < end and not stopped:
        number = run.next
        failure = run.step()
        if failure is not None and run.kept[failure.signature] <= 3:
            print(f"input {number}: {failure.signature}\n{failure.detail}", flush=True)
        if time.monotonic() - reported > 10:
            reported = time.monotonic()
            faulthandler.dump_traceback_later(STUCK, exit=True)
            if state is not None:
                run.save(state)
                print(f"{run.next} inputs, {reported - begun:.0f} s, {memory() >> 20} MiB", flush=True)
                if memory() > MOST_MEMORY and minutes is None:
                    renew()
    faulthandler.cancel_dump_traceback_later()
    if state is not None:
        run.save(state)


def _replay(what: str) -> None:
    """Run one input again, of a number or of a file of the corpus, and let its traceback out."""
    path = Path(what)
    family, data = (BY_NAME[path.parent.name], path.read_bytes()) if path.exists() else input_of(int(what))
    print(f"{family.name}, {len(data)} bytes")
    sys.stdout.buffer.write(data)
    failure = failure_of(family, data)
    print(f"\n== {failure.signature}\n{failure.detail}" if failure else "\n== no failure")
    sys.exit(failure is not None)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, help="stop after so many")
    parser.add_argument(
        "--from", dest="first", type=int, metavar="N", help="first input's number; any, if minutes are given"
    )
    parser.add_argument("--count", type=int, help="stop after so many inputs")
    parser.add_argument("--family", choices=sorted(BY_NAME), help="inputs of this family alone")
    parser.add_argument("--state", type=Path, help="file that keeps where the run is; it goes on from there")
    parser.add_argument(
        "--corpus", type=Path, default=CORPUS, help="folder for inputs that fail, made smaller"
    )
    parser.add_argument("--replay", metavar="WHAT", help="run one input: its number, or a file of the corpus")
    return parser


if __name__ == "__main__":
    main()
