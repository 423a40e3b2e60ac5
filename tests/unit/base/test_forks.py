"""Work shared with forks of a process: all of it is done, whatever becomes of them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from rulekit.base.forks import LEAST, forks

RUN = """
import os, json, time
from rulekit.base.forks import share_work
first = os.getpid()
def work(place):
    time.sleep(0.002)
    {harm}
    return [place, os.getpid() != first]
found, told = share_work(40, 2, work, lambda: "done")
done = list(found.values())
print(json.dumps([sorted(place for place, _ in done), any(apart for _, apart in done), told]))
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    print("nobody is left")
"""


@pytest.mark.parametrize(
    ("harm", "apart", "told"),
    [
        ("", "true", '["done", "done"]'),
        ("if os.getpid() != first: raise ValueError", "false", "[]"),
        ("if os.getpid() != first: os.kill(os.getpid(), 9)", "false", "[]"),
        ("if os.getpid() != first: raise KeyboardInterrupt", "false", "[]"),
    ],
)
def test_all_is_done(harm: str, apart: str, told: str) -> None:
    """By forks too, where they can; each fork is gone at the end, and has written nothing of its own."""
    ran = subprocess.run([sys.executable, "-c", RUN.format(harm=harm)], capture_output=True, text=True)

    assert f"[{list(range(40))}, {apart}, {told}]\nnobody is left\n" == ran.stdout
    assert "" == ran.stderr


def test_a_fault_ends_all() -> None:
    """One of the work itself is told, as if nothing had been shared; forks do not outlive it."""
    ran = subprocess.run(
        [sys.executable, "-c", RUN.format(harm="assert os.getpid() != first, 'here'")],
        capture_output=True,
        text=True,
    )

    assert (1, "") == (ran.returncode, ran.stdout)
    assert ran.stderr.rstrip().endswith("AssertionError: here")


def test_when_it_is_worth_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough work, more than one process wished for, and no threads beside."""
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    assert 0 == forks(1, 9, 2) == forks(9, LEAST / 2, 2) == forks(9, 9, 1)
    if hasattr(os, "sched_getaffinity"):
        assert (1, 2, 3) == (forks(9, 9, 2), forks(9, 2 * LEAST, 8), forks(1000, 9, 64))
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert 0 == forks(9, 9, 2)
