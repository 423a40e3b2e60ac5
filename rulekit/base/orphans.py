"""Processes that end with the one that began them.

The processes of a pool wait on a pipe that they hold open themselves.  So they would wait for ever if the
one that began them is killed.
"""

from __future__ import annotations

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """End this process, which `multiprocessing` began, when the one that began it ends, in whatever way."""
    threading.Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)
