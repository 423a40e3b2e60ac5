"""Printed rules that random games seldom meet show from positions: without one, the game goes another way."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rulekit.analysis.compile import compile_without_clashes
from rulekit.analysis.mutate.switches import STATE, SwitchedProgram
from rulekit.analysis.reach.coverage import CoverageRun
from rulekit.analysis.reach.made_up_data import with_made_up_data
from rulekit.diagnostics import Report
from rulekit.runtime.play import Game

from .conftest import FOLDER, Compile, compiled, with_needs
from .positions import shows
from .rows import ROWS, Row

SEEDS = 12


@cache
def switched(option: str) -> tuple[SwitchedProgram, Game]:
    """The program of an option, in which each construct that cites a rule can be emptied."""
    program = SwitchedProgram(with_made_up_data(CoverageRun(compiled(with_needs(option))).program))
    return program, Game(program.program)


def _id(row: Row) -> str:
    return row.rule


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if not row.now], ids=_id)
def test_a_rule_shows_from_its_position(row: Row) -> None:
    """The same seed, dice and answers; one construct that cites the rule is emptied."""
    program, game = switched(row.option)
    numbers = [each.number for each in program.by_rule[f"PW.{row.rule}"] if each.number and not each.always]
    without = [
        replace(row.position, given={**row.position.given, STATE: number}) for number in sorted(numbers)
    ]

    assert any(
        position.play(game, seed) != row.position.play(game, seed)
        for position in without
        for seed in range(SEEDS)
    )


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if row.now], ids=_id)
def test_a_rule_without_a_line_of_its_own_shows(pacwar: Compile, row: Row, tmp_path: Path) -> None:
    """The same from a copy of the rules in which its option says something else."""
    folder = tmp_path / "pacwar"
    shutil.copytree(FOLDER, folder)
    file = folder / "options" / f"{row.option}.rules"
    text = file.read_text(encoding="utf-8")
    assert 1 == text.count(row.now)
    file.write_text(text.replace(row.now, row.then), encoding="utf-8")
    without = compile_without_clashes(folder, Report(), options=with_needs(row.option)).program

    assert shows(row.position, pacwar(with_needs(row.option)).program, without, SEEDS)
