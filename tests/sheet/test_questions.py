"""Sheets print the chances of named questions beside tables and cards, where they are exact."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report, RulesError
from rulekit.reports.sheet.blocks import chances
from rulekit.reports.sheet.content.build import look_over, sheet_and_gaps, sheet_of
from rulekit.reports.sheet.model.document import TableBlock
from rulekit.reports.sheet.model.stray_names import StrayNames
from tests.sheet.helpers import PRINTED, SMALL, block, folder, made, plain
from tests.unit.cli.running import rulekit

RULES = f"""{SMALL}
state sunk(side): flag
state holes: 0..9
procedure hit(side):
    roll shot(side) as die
    when die > 4: set sunk(side) to true
    add effect(die, ship) to holes
procedure salvo:
    repeat 2 times: do hit(Red)
choice wish by Red:
    pick one kind from Kind
procedure asks:
    choose wish as kind
procedure breaks:
    roll shot(Blue) as die
    set holes to 4 + die
procedure until_holed:
    repeat 2 times:
        when holes < 2: do hit(Red)
value most: 2
claim one_shot:
    when do hit(Red)
    chance sunk(Red) is 1/2
example "two shots":
    when do salvo
    chance sunk(Red)
    chance holes
    mean holes
example "what is sunk":
    when do salvo
    chance holes
claim holed:
    when do until_holed
    chance sunk(Red)
claim answered:
    when do asks
    answers wish by Red: ship
    chance holes = 0
claim asked:
    when do asks
    chance holes = 0
claim broken:
    when do breaks
    chance holes = 5
claim silent:
    when do salvo
    chance some s in Side has sunk(s)
    chance holes > 3
"""


def settings(questions: str, kind: str = "table: effect", names: str = "") -> str:
    """A sheet of one block with questions."""
    return (
        f"format: 1\nnames: {{sunk: Red sinks{names}}}\nparts:\n"
        f"  - title: Combat\n    blocks:\n      - {{{kind}, notes: [a note], questions: [{questions}]}}\n"
    )


def rows(at: Path, questions: str, kind: str = "table: effect", names: str = "") -> list[tuple[str, ...]]:
    """The rows of the block of questions; a heading has one part."""
    wishes = settings(questions, kind, names)
    found = made(folder(at, RULES, PRINTED, sheet__yaml=wishes))
    name = kind.partition(": ")[2]
    table = block(found, f"questions:{name}")
    assert isinstance(table, TableBlock)
    assert table.head.notes == ()
    assert found.blocks[-1] is table
    return [
        (plain(row.title),) if row.title else tuple(plain(cell) for cell in row.cells) for row in table.rows
    ]


def test_condition_is_one_row(tmp_path: Path) -> None:
    """A question with one condition needs no heading; the settings word it."""
    assert [("One shot", ".500")] == rows(tmp_path / "a", "one_shot")
    worded = ", question one_shot: A lone shot sinks Red"
    assert [("A lone shot sinks Red", ".500")] == rows(tmp_path / "b", "one_shot", names=worded)


def test_values_and_means_have_a_heading(tmp_path: Path) -> None:
    """All lines of the question, in order, in words: 2/3 make no hole, else two."""
    names = (
        ', "question two shots:2": holes, "question two shots:3": holes, "question two shots:1": Red is sunk'
    )
    assert [
        ("Two shots",),
        ("Red is sunk", ".750"),
        ("holes: 0", ".250"),
        ("holes: 2", ".500"),
        ("holes: 4", ".250"),
        ("mean: holes", "2"),
    ] == rows(tmp_path / "a", "two shots", names=names)
    assert [("What is sunk",), ("0", ".250"), ("2", ".500"), ("4", ".250")] == rows(
        tmp_path / "b", "what is sunk"
    )


def test_questions_beside_a_card(tmp_path: Path) -> None:
    """Cards of rolls have them, too; answers that the question gives are used."""
    assert [("Answered", "1")] == rows(tmp_path, "answered", "card: shot")


def test_only_exact_answers_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody answers, what may fault, and what takes too long is left out, each with its reason."""
    at = folder(tmp_path / "t", RULES, PRINTED, sheet__yaml=settings("asked, broken, holed"))
    found, gaps = sheet_and_gaps(compile_rule_set(at, Report()), Report())

    table = block(found, "questions:effect")
    assert isinstance(table, TableBlock)
    assert ["Holed"] == [plain(row.cells[0]) for row in table.rows]
    assert {"asked", "broken"} == set(gaps.not_exact)
    assert "`wish`" in gaps.not_exact["asked"]
    assert "fault" in gaps.not_exact["broken"]

    run = rulekit("sheet", str(at), "-o", str(tmp_path / "t.md"))
    assert "left out, because its chances are not exact: `asked`" in run.err
    assert "| Holed | .750 |" in (tmp_path / "t.md").read_text(encoding="utf-8")

    monkeypatch.setattr(chances, "MOST_SITUATIONS", 1)
    found, gaps = sheet_and_gaps(compile_rule_set(at, Report()), Report())
    assert "not every outcome was followed" in gaps.not_exact["holed"]
    assert "questions:effect" not in {one.head.id for one in found.blocks}


def test_lines_without_words_are_left_out(tmp_path: Path) -> None:
    """No program text is printed; the check names what lacks words, and asks for them by their key."""
    at = folder(tmp_path, RULES, PRINTED, sheet__yaml=settings("silent"))
    found, gaps = sheet_and_gaps(compile_rule_set(at, Report()), Report())

    assert "question silent:1" in gaps.wordless
    table = block(found, "questions:effect")
    assert isinstance(table, TableBlock)
    assert ["holes > 3"] == [plain(row.cells[0]) for row in table.rows if row.cells]


def test_unknown_questions_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the nearest; the check follows no outcome for that."""
    at = folder(tmp_path, RULES, PRINTED, sheet__yaml=settings("one_shto, one_shot"))
    with pytest.raises(RulesError) as caught:
        sheet_of(compile_rule_set(at, Report()), Report())
    (finding,) = caught.value.diagnostics
    assert "unknown question `one_shto`" == finding.message
    assert "`one_shot`" in str(finding.hint)

    monkeypatch.setattr(chances, "chances", lambda *_: pytest.fail("followed"))
    report = Report()
    compiled_set = compile_rule_set(at, Report())
    look_over(compiled_set, StrayNames(compiled_set), report)
    assert ["unknown question `one_shto`"] == [one.message for one in report]


def test_questions_not_in_force(tmp_path: Path) -> None:
    """A claim that needs no option is not in force with one; it is left out, not unknown."""
    option = {"options_in_far__rules": 'option far "Far":\n    set value most to 3\n'}
    at = folder(tmp_path, RULES, PRINTED, sheet__yaml=settings("one_shot"), **option)
    compiled = compile_rule_set(at, Report(), options=("far",))
    _, gaps = sheet_and_gaps(compiled, Report())
    assert {"one_shot": "not in force with these options"} == gaps.not_exact
