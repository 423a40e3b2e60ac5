"""What sheets say, before anything is laid out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from rulekit.diagnostics import RulesError
from rulekit.diagnostics.pages import find
from rulekit.resources import rules_folder
from rulekit.sheet.build import Request, ids
from rulekit.sheet.document import Line, List, Modifiers, Norms, Outline, Table
from rulekit.sheet.serial import numbers_in, schema_text, to_json
from tests.sheet.helpers import block, folder, made, plain, sheet

SCHEMA = rules_folder().parent / "schemas" / "sheet.schema.json"


def test_schema_is_that_of_the_classes() -> None:
    """The file was made of the document's classes as they are."""
    assert schema_text() == SCHEMA.read_text(encoding="utf-8")


def test_sheets_are_as_the_schema_says() -> None:
    """Every set's sheet, full and on one page, as JSON."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for name in ("vitp", "pacwar"):
        data = json.loads(json.dumps(to_json(sheet(name))))
        jsonschema.validate(data, schema)


def test_small_set_without_wishes(tmp_path: Path) -> None:
    """Without `sheet.yaml` a set gets its sequence, table, modifiers and limits, with printed numbers."""
    found = made(folder(tmp_path))

    outline = block(found, "sequence")
    assert isinstance(outline, Outline)
    line = outline.groups[0].lines[0]
    assert ("1.2", "Fire", "Red fires, then Blue") == (line.number, plain(line.title), plain(line.text))
    assert line.who is not None and ("then", (0, 1)) == (line.who.joint, line.who.sides)
    assert ("shot",) == line.rolls
    table = block(found, "table:effect")
    assert isinstance(table, Table)
    assert ["4 or less", "0", "0", "2.3"] == [plain(cell) for cell in table.rows[0].cells]
    modifiers = block(found, "modifiers")
    assert isinstance(modifiers, Modifiers)
    assert "Red adds one" == plain(modifiers.rolls[0].lines[0].text)
    norms = block(found, "norms")
    assert isinstance(norms, Norms)
    assert "Planes are no targets" == plain(norms.groups[0].may_not[0].text)


def test_option_is_marked(tmp_path: Path) -> None:
    """What an option brings has a bar, its tag, and its own block with author and reason."""
    option = """
option armour "Thick plates" by Mst, change: [3]
    replace row 5.. of table effect:
        | 5.. | 1 | 1 | [3]
    reason "ships sink too fast"
modifier far on roll shot: -1 when side is Blue [3]
"""
    at = folder(tmp_path, printed="".join((PRINTED_3,)), options_in_armour__rules=option)
    found = made(at, ("armour",))

    modifiers = block(found, "modifiers")
    assert isinstance(modifiers, Modifiers)
    line = modifiers.rolls[0].lines[1]
    assert ("added", ("Mst",), ("3",)) == (line.status, line.by, line.see)
    listed = block(found, "option:armour")
    assert isinstance(listed, List)
    assert ("Thick plates", ("Mst",), "change") == (listed.head.title, listed.head.by, listed.head.remark)
    assert "ships sink too fast" in plain(listed.head.notes[0].text)
    table = block(found, "table:effect")
    assert isinstance(table, Table)
    assert any(row.status and row.by == ("Mst",) for row in table.rows)
    assert found.foot.options


PRINTED_3 = "id\tkind\tsummary\nT.3\tmodifier\tThick plates stop more\n"


def test_every_line_of_vitp_has_its_printed_number() -> None:
    """No line of the sequence, the limits or a list is without one."""
    found = sheet("vitp", ("damage-control", "gunnery-radar"))
    bare: list[str] = []

    def look(lines: tuple[Line, ...]) -> None:
        bare.extend(plain(line.title or line.text) for line in lines if not line.number and not line.see)

    for part in found.parts:
        for each in part.blocks:
            match each:
                case Outline():
                    for group in each.groups:
                        look(group.lines)
                case List():
                    look(each.lines)
                case Norms():
                    for case in each.groups:
                        look((*case.may, *case.may_not))
                case Modifiers():
                    for roll in each.rolls:
                        look(roll.lines)
                case _:
                    pass
    assert [] == bare


def test_numbers_are_printed_ones() -> None:
    """What a sheet gives as a number is in the list of printed rules."""
    found = sheet("vitp", ("damage-control",))
    printed = (rules_folder() / "vitp" / "sources" / "vitp.tsv").read_text(encoding="utf-8")
    known = {line.split("\t")[0].removeprefix("VITP.").split(":")[0] for line in printed.splitlines()[1:]}
    numbers = {n for part in found.parts for b in part.blocks if b.head.id != "index" for n in numbers_in(b)}
    assert set() == {n for n in numbers if n not in known and n[-1:].isdigit()}


def test_same_input_same_sheet() -> None:
    """Nothing of a run is in a sheet."""
    first, second = sheet("vitp"), sheet.__wrapped__("vitp", (), Request())  # type: ignore[attr-defined]
    assert to_json(first) == to_json(second)


def test_page_of_the_finding(tmp_path: Path) -> None:
    """What the page of RK660 avoids is told with its place and a hint; what it prefers is not."""
    text = find("RK660") or ""
    avoid, prefer = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    with pytest.raises(RulesError) as caught:
        made(folder(tmp_path / "avoid", sheet__yaml=avoid))
    (finding,) = caught.value.diagnostics
    assert ("RK660", "sheet.yaml", 5) == (finding.kind.code, finding.span.file, finding.span.line)
    assert "did you mean `effect`?" == finding.hint
    assert ["table:effect"] == list(ids(made(folder(tmp_path / "prefer", sheet__yaml=prefer))))
