"""A side's card: what only other sides do or have is not on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from rulekit.base.resources import rules_folder
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report, RulesError
from rulekit.reports.sheet.content.build import Request, look_over, sheet_of
from rulekit.reports.sheet.model.document import (
    Block,
    Counters,
    List,
    Norms,
    Outline,
    Roster,
    Runs,
    Sheet,
    SheetError,
    SheetRow,
    TableBlock,
)
from rulekit.reports.sheet.model.stray_names import StrayNames
from tests.sheet.helpers import lines_of, plain, sheet

SIDES = {"vitp": ("Japan", "Allies"), "fcn": ("US", "Japan")}


@cache
def card(name: str, side: str) -> Sheet:
    """The sheet of a shipped set for a side."""
    return sheet(name, request=Request(side=side))


def steps(found: Sheet) -> list[str]:
    """The steps of the sequence, with their numbers."""
    outline = next(block for block in found.blocks if block.head.id == "sequence")
    assert isinstance(outline, Outline)
    return [f"{line.number} {line.title[0].text}" for line in outline.lines]


def marked(found: Sheet) -> Iterator[Runs]:
    """The texts whose marks say whose something is: of pieces, of columns, and of rows of tables."""
    for block in found.blocks:
        if isinstance(block, Roster):
            yield from block.columns
            yield from (title for title, _ in block.rows)
            yield from (stand.title for _, stands in block.rows for stand in stands)
        elif isinstance(block, TableBlock):
            yield from (row.cells[0] for row in block.rows if row.cells)


def of_sides(texts: Iterator[Runs]) -> set[str]:
    """The marks of sides in some texts."""
    return {run.text for runs in texts for run in runs if run.kind == "side"}


def test_steps_of_the_other_side_are_left_out() -> None:
    """Those of both, and those that nobody decides, stay."""
    whole, japan, allies = steps(sheet("vitp")), steps(card("vitp", "Japan")), steps(card("vitp", "Allies"))

    assert {"5.34 Japan fires"} <= set(japan) - set(allies)
    assert {"5.35 The Allies fire"} <= set(allies) - set(japan)
    assert {"5.22 Air units", "5.71 Control", "5.38 Everything else waits"} <= set(allies) & set(japan)
    assert set(whole) == set(allies) | set(japan)


@pytest.mark.parametrize(
    "name, number, side", [(n, i, s) for n, two in SIDES.items() for i, s in enumerate(two)]
)
def test_what_the_other_side_has_is_left_out(name: str, number: int, side: str) -> None:
    """Pieces, counters, columns and rows; what has no mark stays, and so does what is left without loss."""
    found = card(name, side)
    counters = [
        counter
        for block in found.blocks
        if isinstance(block, Counters)
        for _, group, _ in block.groups
        for counter in group
    ]

    assert of_sides(marked(found)) <= {str(number)}
    assert {counter.side for counter in counters} <= {None, number}
    assert {"0", "1"} == of_sides(marked(sheet("vitp")))
    assert side in found.title


def test_both_cards_have_all_counters() -> None:
    """None is lost between them."""

    def names(found: Sheet) -> set[str]:
        blocks = (block for block in found.blocks if isinstance(block, Counters))
        return {one.name for block in blocks for _, group, _ in block.groups for one in group}

    assert names(sheet("fcn")) == names(card("fcn", "US")) | names(card("fcn", "Japan"))


def test_a_side_by_its_title_in_any_case_and_an_unknown_one() -> None:
    """As typed; what is meant is suggested."""
    assert card("vitp", "allies") == card("vitp", "Allies")
    with pytest.raises(SheetError, match="unknown side `Alies`; did you mean `Allies`"):
        card("vitp", "Alies")


def test_rules_that_concern_the_other_side_alone_are_left_out() -> None:
    """Those that `one_side` gives it: lines, rows of nations, blocks; nothing is lost between the cards."""

    def texts(found: Sheet) -> set[str]:
        lists = (block for block in found.blocks if isinstance(block, List))
        lines = {plain(line.text) for block in lists for line in block.lines}
        tables = (block for block in found.blocks if block.head.id == "matrix:Where each nation may operate")
        return lines | {plain(row.cells[0]) for table in tables for row in rows_of(table)}

    whole, japan, allies = texts(sheet("atp")), texts(card("atp", "Japan")), texts(card("atp", "Allies"))

    assert {"Dutch", "The Fleet Train cannot be attacked"} <= allies - japan
    assert {"Japanese", "All air units in a kamikaze strike are eliminated"} <= japan - allies
    assert whole == japan | allies


def rows_of(block: Block) -> Sequence[SheetRow]:
    """The rows of a table."""
    assert isinstance(block, TableBlock)
    return block.rows


def _report_of_the_check(compiled: Compiled, report: Report) -> None:
    """The findings of the check."""
    look_over(compiled, StrayNames(compiled), report)


def _report_of_a_sheet(compiled: Compiled, report: Report) -> None:
    """The findings that stop a sheet."""
    with pytest.raises(RulesError):
        sheet_of(compiled, report)


@pytest.mark.parametrize("report_of", [_report_of_the_check, _report_of_a_sheet], ids=["check", "sheet"])
def test_an_unknown_side_and_an_unknown_rule_are_reported(
    report_of: Callable[[Compiled, Report], None], tmp_path: Path
) -> None:
    """Each at its place in the settings, by the check and by the sheet."""
    settings = 'format: 1\none_side:\n  Japn: ["5.3", "99.1", choice aimless]\n'
    at = tmp_path / "vitp"
    shutil.copytree(rules_folder() / "vitp", at)
    (at / "sheet.yaml").write_text(settings, encoding="utf-8")
    report = Report()
    report_of(compile_rule_set(at, Report()), report)

    expected = {
        ("unknown side `Japn`", 3, 3),
        ("unknown printed rule `99.1`", 3, 17),
        ("unknown choice `aimless`", 3, 25),
    }
    assert expected <= {
        (one.message, one.span.line, one.span.column) for one in report if one.span is not None
    }


def test_choices_norms_and_steps_of_one_side() -> None:
    """Names in the rules that `one_side` gives a side are on its card alone."""

    def lines(side: str) -> set[str]:
        norms = (block for block in card("pacwar", side).blocks if isinstance(block, Norms))
        return {plain(line.text) for block in norms for group in block.groups for line in group.lines}

    japan, allies = lines("Japan"), lines("Allies")
    barges = "When your time to begin combat is over, barges cannot land where the enemy is"
    battleships = "Yamato and Musashi cannot be activated for less than the largest operation"
    assert {barges, battleships} <= japan - allies
    assert {"Chinese units must arrive at a Chinese headquarters"} <= allies - japan
    rebuilding = "Pay the basic cost of a lost Chinese unit, and rebuild it at half strength"
    counts = [
        [plain(line.text) for line in lines_of(card("pacwar", side), "sequence")].count(rebuilding)
        for side in ("Japan", "Allies")
    ]
    assert [0, 1] == counts
