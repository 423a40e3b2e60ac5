"""Processes that end with the one that began them."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

RUN = """
import os, signal, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from rulekit.base.orphans import end_with_parent
if __name__ == "__main__":
    pool = ProcessPoolExecutor(3, get_context("{way}"), end_with_parent)
    jobs = [pool.submit(time.sleep, seconds) for seconds in (0, 0, 0, 600)]
    for job in jobs[:3]:
        job.result()
    print("all have begun", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_nobody_outlives_a_parent_that_was_killed(way: str) -> None:
    """Neither those that work nor those that wait: they would hold the output open."""
    ran = subprocess.run(
        [sys.executable, "-c", RUN.format(way=way)], capture_output=True, text=True, timeout=60
    )

    assert -signal.SIGKILL == ran.returncode
    assert "all have begun\n" == ran.stdout
