"""Blocks in which the garbage collector runs seldom."""

from __future__ import annotations

import gc
from contextlib import ExitStack

from rulekit.base.garbage import SELDOM, few_collections


def test_blocks_that_overlap_restore_the_threshold() -> None:
    """As those of two threads may: the one that began first also ends first."""
    before = gc.get_threshold()
    with ExitStack() as second:
        with ExitStack() as first:
            first.enter_context(few_collections())
            second.enter_context(few_collections())
            assert SELDOM == gc.get_threshold()[0]
        assert SELDOM == gc.get_threshold()[0]

    assert before == gc.get_threshold()
