"""Sheets as Markdown and as CSV."""

from __future__ import annotations

import csv as reading
import io
from dataclasses import replace
from pathlib import Path

import pytest

from rulekit.reports.sheet.content.build import only
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import (
    Head,
    List,
    Run,
    Sheet,
    SheetColumn,
    SheetLine,
    SheetRow,
    TableBlock,
)
from rulekit.reports.sheet.render import formats
from rulekit.reports.sheet.render.formats import WRITERS, files_of, writer
from rulekit.reports.sheet.render.markdown import escape, markdown
from tests.sheet.helpers import folder, made, sheet


def text(words: str) -> tuple[Run, ...]:
    """Plain words."""
    return (Run("text", words),)


def alone(name: str, id_: str, options: tuple[str, ...] = ()) -> Sheet:
    """One block of a set's sheet."""
    found = only(sheet(name, options), id_)
    assert found is not None
    return found


def told(found: Sheet) -> str:
    """As Markdown."""
    return markdown(found, Setup())[0].decode()


def cells(found: Sheet) -> list[list[list[str]]]:
    """The files of CSV, read again."""
    return [list(reading.reader(io.StringIO(each.decode()))) for each in formats.csv(found, Setup())]


def test_table_as_markdown() -> None:
    """A table as printed, its numbers behind the title and in a column."""
    said = told(alone("vitp", "table:effect"))
    assert "### Effect of a shot (7.54 · 7.55)" in said
    assert "| Die | Ship | Amphibious | Air unit | plain | +1 | See |\n| --- |" in said
    assert "| **5** | disabled | disabled | no effect | .167 | .167 | 7.54 · 12.23 |" in said


CHART = """
table crt(odds: ratio, roll: d6) -> (attacker: 0..3, defender: 0..3):    [2.1]
    | roll | 1-2 | 1:1 | 3:1   |
    | 1-3  | 2/- | 1/1 | 0/2*  |
    | 4+   | -   | 1/- | 1/3   |
    note *: 3 when night
    beyond right: -/3
modifier guns on table crt: 2 columns right when night                   [2.2]
state night: flag
sequence play:
    when crt(2:1, 1).attacker > 1: set night to true
"""


def test_chart_is_printed_as_it_was_typed(tmp_path: Path) -> None:
    """Odds have the name of their key above, parts their marks, ends their result, and shifts arrows."""
    page = told(made(folder(tmp_path, CHART)))
    assert "| Roll | Odds: 1–2 | Odds: 1:1 | Odds: 3:1 |" in page
    assert "| **1–3** | 2/– | 1/1 | 0/2 (\\*) |" in page
    assert "| **4+** | – | 1/– | 1/3 |" in page
    assert "→ shifted beyond the last column: –/3" in page
    assert "- Crt, Modifiers by roll (2.1)\n- Modifiers by roll (2.2)\n" == page[page.index("- Crt") :]
    assert "| **2 →** | Red adds one | 2.2 |" in page


def test_a_note_gives_its_result_however_short(tmp_path: Path) -> None:
    """`DR` is a member, not a local of two letters."""
    rules = """
enum Defender: no_effect, DR, DE
table crt(roll: d6, night: flag) -> Defender:
    | roll | defender |
    | 1-3  | DE*      |
    | 4+   | -        |
    note *: DR when night
state night: flag
sequence play:
    when crt(2, night) is DE: set night to true
"""
    assert "DR (night)" in told(made(folder(tmp_path, rules)))


def test_a_dash_is_what_its_own_result_makes_of_it(tmp_path: Path) -> None:
    """A dash is no effect in the column of an enum that has it, and a dash for a set, a number or none."""
    rules = """
enum Side: Red, Blue
enum Effect: no_effect, hit
table fire(roll: d6) -> (hits: 0..3, effect: Effect, who: Side or none):
    | roll | hits | effect | who |
    | 1-3  | -    | -      | -   |
    | 4+   | 1    | hit    | Red |
table panic(roll: d6) -> (effect: Effect, lost: set of Side):
    | roll | effect | lost |
    | 1-3  | -      | -    |
    | 4+   | hit    | Red  |
state night: flag
sequence play:
    when fire(2).effect is hit and panic(3).effect is hit: set night to true
"""
    page = told(made(folder(tmp_path, rules)))
    assert "| **1–3** | – | no effect | – |" in page
    assert "| **1–3** | no effect | – |" in page


def test_change_as_markdown() -> None:
    """What an option brought has a bar and its tag."""
    said = told(alone("vitp", "modifiers", ("damage-control",)))
    assert "| ▌ " in said and "`opt 22`" in said


@pytest.mark.parametrize("name", ["vitp", "pacwar", "fcn"])
def test_tables_of_markdown_are_whole(name: str) -> None:
    """Every row has as many cells as the head of its table."""
    wrong = []
    width = 0
    for line in told(sheet(name)).splitlines():
        count = line.replace("\\|", "").count("|")
        if not line.startswith("|"):
            width = 0
        elif not width:
            width = count
        elif count != width:
            wrong.append(line)
    assert [] == wrong


def test_words_stay_words_in_markdown() -> None:
    """What Markdown would read as its own is escaped, at the start of a line too."""
    assert r"\*a\* \| \<b\> \[c\](d) \`e\`" == escape("*a* | <b> [c](d) `e`")
    odd = List(
        Head("l", "# L"),
        (SheetLine(text=text("# no heading")), SheetLine(text=text("1. no number\n- no item"))),
    )
    base = sheet("vitp")
    said = told(replace(base, parts=(replace(base.parts[0], blocks=(odd,)),)))
    assert "- \\# no heading" in said and "- 1\\. no number - no item" in said


def test_table_as_csv() -> None:
    """The same cells as on the sheet."""
    ((head, *rows),) = cells(alone("vitp", "table:effect"))
    assert ["Die", "Ship", "Amphibious", "Air unit", "plain", "+1", "See"] == head
    assert ["5", "disabled", "disabled", "no effect", ".167", ".167", "7.54 · 12.23"] == rows[1]


def test_change_as_csv() -> None:
    """Tags and what was done stand in a column of their own."""
    ((head, *rows),) = cells(alone("vitp", "modifiers", ("damage-control",)))
    assert "by" == head[-1]
    assert "opt 22 added" in [row[-1] for row in rows]


def test_each_table_is_a_file() -> None:
    """Several tables are files with the ids of their blocks; one is the file that was named."""
    found = sheet("vitp")
    files = files_of("out/v.csv", found, formats.csv(found, Setup()))
    assert "out/v-card-attack.csv" in files and len(files) == len(formats.tables(found))
    one = alone("vitp", "table:effect")
    assert ["v.csv"] == list(files_of("v.csv", one, formats.csv(one, Setup())))


def test_no_cell_is_a_formula() -> None:
    """A cell that a spreadsheet would run is text; numbers with a sign stay numbers."""
    rows = tuple(SheetRow((text(each),)) for each in ("=1+1", "@x", "-x", "+1", "-2", "+.5"))
    odd = TableBlock(Head("t", "T"), (SheetColumn(text("a"), "key"),), rows)
    base = sheet("vitp")
    ((_, *found),) = cells(replace(base, parts=(replace(base.parts[0], blocks=(odd,)),)))
    assert ["'=1+1", "'@x", "'-x", "+1", "-2", "+.5"] == [row[0] for row in found]


@pytest.mark.parametrize("ending", [e for e in WRITERS if e not in (".pdf", ".png", ".svg")])
def test_same_bytes(ending: str) -> None:
    """The same sheet gives the same files."""
    found = sheet("pacwar", ("mst-gunnery-limits",))
    assert writer(ending)(found, Setup()) == writer(ending)(found, Setup())
