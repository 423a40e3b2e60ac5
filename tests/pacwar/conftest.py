"""The rule set of Pacific War's house rules, compiled with options as tests want them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from rulekit.analysis.compile import compile_without_clashes
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Report
from tests.rule_sets import workspace_of

FOLDER = Path(__file__).parents[2] / "rules" / "pacwar"

Compile = Callable[[tuple[str, ...]], Compiled]


def option_names() -> list[str]:
    """All options, by the names of their files."""
    return sorted(path.stem for path in (FOLDER / "options").glob("*.rules"))


def with_needs(option: str) -> tuple[str, ...]:
    """An option and those that its file says it needs."""
    text = (FOLDER / "options" / f"{option}.rules").read_text(encoding="utf-8")
    found = re.search(r"^    needs ([^\[\n]*)", text, re.MULTILINE)
    needs = [name.strip().replace("_", "-") for name in found[1].split(",")] if found else []
    return tuple(sorted({option, *needs}))


@cache
def compiled(options: tuple[str, ...]) -> Compiled:
    """The rule set with these options; a finding that is an error fails the test."""
    return compile_without_clashes(FOLDER, Report(), options=options, workspace=workspace_of(FOLDER))


@pytest.fixture(scope="session")
def pacwar() -> Compile:
    """Compiles the rule set, once for each choice of options."""
    return compiled
