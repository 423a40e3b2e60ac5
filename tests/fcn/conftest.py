"""Fleet Commander Nimitz, compiled once: as it comes, and with made-up counters for the owner's years."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report

from .made_up import FOLDER, YEARS, owner_file


@pytest.fixture(scope="session")
def fcn() -> Compiled:
    """The rule set as it comes."""
    return compile_rule_set(FOLDER, Report())


@pytest.fixture(scope="session")
def owned(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Owner's files of made-up values for 1943 to 1945."""
    folder = tmp_path_factory.mktemp("owner")
    files = [folder / f"{year}.yaml" for year in YEARS]
    for file, year in zip(files, YEARS, strict=True):
        file.write_text(owner_file(year), encoding="utf-8")
    return files


@pytest.fixture(scope="session")
def fcn_owned(owned: list[Path]) -> Compiled:
    """The rule set with them."""
    return compile_rule_set(FOLDER, Report(), overlays=owned)
