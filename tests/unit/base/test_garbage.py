"""Blocks in which the garbage collector runs seldom."""

from __future__ import annotations

import gc
from contextlib import ExitStack
from unittest import mock

from rulekit.base.garbage import SELDOM, few_collections
from rulekit.compiler import driver
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.runtime.codegen import assemble
from rulekit.runtime.support.build import Build
from tests.unit.cli.running import FERRY


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


def test_a_compile_keeps_what_it_makes() -> None:
    """From Python too, as in a check: neither the compile nor the code of its program is looked through."""
    before, thresholds = gc.get_threshold(), list[int]()

    def note(*arguments: object, **options: object) -> object:
        thresholds.append(gc.get_threshold()[0])
        return mock.DEFAULT

    with mock.patch.object(driver, "amend", side_effect=note, wraps=driver.amend):
        program = compile_rule_set(FERRY, Report()).program
    with mock.patch.object(assemble, "optimise", side_effect=note, wraps=assemble.optimise):
        assemble.generate(program, Build())

    assert [SELDOM, SELDOM] == thresholds
    assert before == gc.get_threshold()
