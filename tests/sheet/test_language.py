"""Sheets in other languages: catalogues, message files, what falls back."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from rulekit.base.resources import rules_folder
from rulekit.base.source import Source
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report, RulesError
from rulekit.diagnostics.pages import find
from rulekit.reports.sheet.content.build import Request, SheetGaps, look_over, sheet_and_gaps, sheet_of
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import (
    Card,
    FormName,
    Map,
    Modifiers,
    Outline,
    Sheet,
    SheetError,
    TableBlock,
)
from rulekit.reports.sheet.model.messages import (
    ENGLISH,
    HOME,
    REGISTERS,
    languages,
    look_over_messages,
    read_messages,
    schema_text,
    speak,
    template,
)
from rulekit.reports.sheet.model.stray_names import StrayNames
from rulekit.reports.sheet.render.html import html
from rulekit.reports.sheet.render.plain import Plain
from rulekit.reports.sheet.render.printing import pdf
from tests.sheet.helpers import block, compiled, folder, plain

SCHEMA = rules_folder().parent / "schemas" / "messages.schema.json"
OWN = sorted(path.stem for path in HOME.glob("*.yaml"))
GERMAN = """format: 1
language: de
names:
  ship: Schiff
  table effect: Wirkung
  Red: Rot
rules:
  "1.2": Erst Rot, dann Blau
texts:
  Tee: Spiel T
"""


def strings(value: object) -> Iterator[str]:
    """All strings in a part of a sheet."""
    match value:
        case str():
            yield value
        case list() | tuple():
            for part in value:
                yield from strings(part)
        case _ if dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                yield from strings(getattr(value, field.name))
        case _:
            pass


def spoken(at: Path, language: str = "de") -> tuple[Sheet, Mapping[str, Mapping[str, str]]]:
    """The sheet of a rule set on disk in a language, with what that lacks."""
    made = compile_rule_set(at, Report())
    report = Report()
    catalogue = speak(language, made, report)
    report.stop_on_error()
    found, gaps = sheet_and_gaps(made, report, None, catalogue)
    return found, gaps.wordings


def german(at: Path, text: str = GERMAN, name: str = "de") -> Path:
    """The small rule set with a message file."""
    made = folder(at)
    (made / "messages").mkdir()
    (made / "messages" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return made


def test_catalogues_are_whole() -> None:
    """German and Japanese have every word, with its gaps."""
    assert ["de", "ja"] == OWN
    for language in OWN:
        report = Report()
        source = Source(f"{language}.yaml", (HOME / f"{language}.yaml").read_text(encoding="utf-8"))
        read = read_messages(source, language, report)
        assert [] == [finding.message for finding in report]
        assert [] == [key for key, english in ENGLISH.items() if english and not read.words.get(key)]
        assert [] == [key for key in REGISTERS["play"] if not read.play.get(key)]


def test_schema_is_that_of_the_register() -> None:
    """The file was made of the keys as they are, and message files are as it says."""
    assert schema_text() == SCHEMA.read_text(encoding="utf-8")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for path in (*HOME.glob("*.yaml"), *rules_folder().glob("*/messages/*.yaml")):
        jsonschema.validate(YAML(typ="safe").load(path), schema)


def test_wording_of_a_rule_set(tmp_path: Path) -> None:
    """Names, printed rules and other words come from the message file; the words around them are German."""
    found, _ = spoken(german(tmp_path))
    table = block(found, "table:effect")
    assert isinstance(table, TableBlock)
    assert ("Wirkung", "Schiff") == (table.head.title, plain(table.columns[1].title))
    assert "4 oder weniger" == plain(table.rows[0].cells[0])
    assert ("de", "Spiel T", "Spielablauf") == (found.language, found.game, found.parts[0].title)
    assert "Erst Rot, dann Blau" in str(found)
    assert "Rot" == found.sides[0].name


def test_what_is_missing_falls_back_and_is_listed(tmp_path: Path) -> None:
    """What no wording was given for stands in English, and is told by the part it belongs to."""
    found, missing = spoken(german(tmp_path))
    assert "Plane" in str(found) and "plane" in missing["names"]
    assert "Planes are no targets" in str(found) and "Planes are no targets" == missing["rules"]["2.6"]
    assert "1.2" not in missing["rules"] and "ship" not in missing["names"]
    assert {} == missing["words"]


def test_template_is_a_message_file(tmp_path: Path) -> None:
    """What is missing can be written down to be filled in, and that file is read again."""
    _, missing = spoken(german(tmp_path))
    text = template("de", missing)
    assert '# "2.6": "Planes are no targets"' in text
    report = Report()
    read_messages(Source("de.yaml", text.replace("  # ", "  ")), "de", report)
    assert [] == [finding.message for finding in report]


def test_sheet_in_english_lacks_nothing() -> None:
    """English needs no files and lists nothing."""
    _, gaps = sheet_and_gaps(compiled("vitp"), Report())
    assert SheetGaps({}, {}, {}, undecided=False) == gaps


@pytest.mark.parametrize("language", OWN)
def test_pages_in_every_language(language: str) -> None:
    """German and Japanese sheets can be printed and read: every glyph is there."""
    made = compiled("vitp")
    found = sheet_of(made, Report(), None, speak(language, made, Report()))
    assert pdf(found, Setup())[0].startswith(b"%PDF")
    text = html(found, Setup())[0].decode()
    assert f'<html lang="{language}" dir="ltr">' in text
    assert dict(found.words)["sequence"] in text


def test_language_of_a_rule_set_alone(tmp_path: Path) -> None:
    """A set may bring a language that rulekit does not have, with its direction and the sheet's own words."""
    text = "format: 1\nlanguage: he\nwords:\n  sequence: סדר המשחק\n"
    found, missing = spoken(german(tmp_path, text, "he"), "he")
    assert ("rtl", "סדר המשחק") == (found.direction, found.parts[0].title)
    assert "tables" in missing["words"]
    assert 'dir="rtl"' in html(found, Setup())[0].decode()


def test_region_has_the_words_of_its_language(tmp_path: Path) -> None:
    """`de-AT` is German where nothing else is there."""
    found, _ = spoken(german(tmp_path), "de-AT")
    assert ("de-AT", "Spielablauf") == (found.language, found.parts[0].title)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("dde", "unknown language `dde`; did you mean `de`?"),
        (
            "xx",
            "unknown language `xx`; choose from de, en, ja, or write `messages/xx.yaml` beside the rule",
        ),
        ("../../etc/passwd", "unknown language `../../etc/passwd`; choose from de, en, ja"),
    ],
)
def test_unknown_language(language: str, said: str) -> None:
    """What is not there is told with what is; no path is made of it."""
    with pytest.raises(SheetError) as caught:
        speak(language, compiled("vitp"), Report())
    assert caught.value.message.startswith(said)
    assert ("de", "en", "ja") == languages()


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("format: 2\nlanguage: de\n", 1, "format: 1"),
        ("format: 1\nlanguage: fr\n", 2, "the name of this file says `de`"),
        ("format: 1\nlanguage: de\nname:\n  a: b\n", 3, "name"),
        ("format: 1\nlanguage: de\nrules: nothing\n", 3, "must be a mapping"),
        ("format: 1\nlanguage: de\nnames:\n  ship: [a]\n", 4, "must be a text"),
        ("format: 1\nlanguage: de\nwords:\n  sequense: x\n", 4, "sequense"),
        ("format: 1\nlanguage: de\nwords:\n  until: bis dann\n", 4, "expected 1 gaps, found 0"),
        ("format: 1\nlanguage: de\nwords:\n  until: bis {0.x}\n", 4, "a gap is"),
        ("format: 1\nlanguage: de\nwords:\n  until: bis {\n", 4, "a brace"),
        ("format: 1\nlanguage: de\nwords:\n  months: Jan Feb\n", 4, "twelve"),
        ("format: 1\nlanguage: de\ndirection: up\n", 3, "invalid direction"),
        ('format: 1\nlanguage: de\nrules:\n  "9.9": x\n', 4, "unknown rule number `9.9`"),
        ("format: 1\nlanguage: de\nnames:\n  table efect: x\n", 4, "`efect`did you mean `effect`?"),
        ("format: 1\nlanguage: de\nnames:\n  shipp: x\n", 4, "unknown name `shipp`"),
        ("format: 1\nlanguage: de\nnames:\n  shipp none: x\n", 4, "unknown name `shipp`"),
        ("format: 1\nlanguage: de\nquiet: [ship, shipp]\n", 3, "unknown name `shipp`"),
        ("format: 1\nlanguage: de\nrules:\n  a: 'x\n", 5, ""),
        ("format: 1\nlanguage: de\nnames:\n  ship: " + "x" * 20_001 + "\n", 4, "20,000 characters"),
    ],
)
def test_broken_message_file(tmp_path: Path, text: str, line: int, said: str) -> None:
    """Every fault of a message file is a finding with its place."""
    with pytest.raises(RulesError) as caught:
        spoken(german(tmp_path, text))
    finding = caught.value.diagnostics[0]
    assert ("messages/de.yaml", line) == (finding.span.file, finding.span.line)
    assert said in f"{finding.message}{finding.hint or ''}"


def test_wordings_for_names_of_all_kinds(tmp_path: Path) -> None:
    """Members, columns, fields with their kind, states that are none, titles, and what removing means."""
    rules = """\
enum Side: Red, Blue
space Area:
    members 'North Pole', South
piece Ship:
    members Alpha
    state damage: 0..9
    state berth: Area or none
choice aim by Red:
    pick one s from Ship, or none
    forbid far: s.damage > 8
    forbid s.damage > 7
extern table crew(s: Ship) -> (men: 0..9):
    file "crew.yaml"
sequence play:
    step first "First": choose aim as s
    when s is not none: remove s
"""
    crew = (
        "format: 1\nabout: a\ntables:\n  crew:\n    keys: 1\n"
        "    columns: [s, men]\n    rows:\n      - [Alpha, 2]\n"
    )
    keys = (
        *("North Pole", "North_Pole", "men", "Ship.damage", "damage", "berth none", "Ship.berth none"),
        *("berth South", "Ship.berth South", "berth North_Pole"),
        *("step first", "choice aim", "norm aim.far", "norm aim.forbid_2", "table crew", "table crew none"),
        *("off-board play", "off-board 7.61", "cell 9.9", "rule 9.9:2", "a_ship"),
    )
    words = "format: 1\nlanguage: de\nnames:\n" + "".join(f"  {key}: x\n" for key in keys)
    at = folder(tmp_path, rules, crew__yaml=crew, messages_in_de__yaml=words)
    report = Report()
    compiled = compile_rule_set(at, Report())
    look_over_messages(compiled, StrayNames(compiled), report)

    assert ["unknown name `a_ship`"] == [finding.message for finding in report]


def test_names_of_the_sheet_that_nothing_has(tmp_path: Path) -> None:
    """A wording under `names` in `sheet.yaml` that is for nothing in the rules has the finding, too."""
    settings = "format: 1\nnames:\n  table effect: Hits\n  table efect: Hits\n"
    report = Report()
    compiled = compile_rule_set(folder(tmp_path, sheet__yaml=settings), Report())
    look_over(compiled, StrayNames(compiled), report)

    assert [("RK661", "unknown name `efect`", 4)] == [
        (finding.kind.code, finding.message, finding.span.line) for finding in report
    ]


def test_page_of_the_finding(tmp_path: Path) -> None:
    """What the page of RK661 avoids is told with a hint; what it prefers is not."""
    text = find("RK661") or ""
    avoid, prefer = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    with pytest.raises(RulesError) as caught:
        spoken(german(tmp_path / "avoid", avoid))
    (finding,) = caught.value.diagnostics
    assert ("RK661", 4, "did you mean `2.6`?") == (finding.kind.code, finding.span.line, finding.hint)
    assert "Flugzeuge sind keine Ziele" in str(spoken(german(tmp_path / "prefer", prefer))[0])


def untitled(missing: Mapping[str, Mapping[str, str]]) -> list[str]:
    """The keys of titles that a language lacks (`norm aim.far`); names of ships and places need none."""
    return [key for key in missing["names"] if re.match("[a-z]+ ", key)]


@pytest.mark.parametrize("form", ["full", "one-page"])
def test_german_wording_is_whole(form: FormName) -> None:
    """The set that has a message file lacks no rule, title or sentence in German, whatever is in force."""
    made = compiled("vitp", ("damage-control", "gunnery-radar"))
    report = Report()
    _, gaps = sheet_and_gaps(made, report, Request(form=form), speak("de", made, report))
    missing = gaps.wordings
    assert [] == [finding.message for finding in report]
    assert ({}, {}, {}) == (missing["rules"], missing["texts"], missing["words"])
    assert [] == untitled(missing)


@pytest.mark.parametrize("name", ["atp", "fcn", "pacwar"])
def test_sequence_and_tables_are_in_german(name: str) -> None:
    """Titles, tables, rolls, limits and the lines of the sequence have German words; other rules may not."""
    made, report = compiled(name), Report()
    found, gaps = sheet_and_gaps(made, report, Request(), speak("de", made, report))
    missing = gaps.wordings

    assert [] == [finding.message for finding in report]
    assert ({}, {}) == (missing["texts"], missing["words"])
    assert [] == untitled(missing)
    outline = block(found, "sequence")
    assert isinstance(outline, Outline)
    assert outline.head.bare, "its part has the same title"
    lines = [line for group in outline.groups for line in group.lines]
    said = {plain(runs) for line in lines for runs in (line.title, line.text)}
    assert said.isdisjoint(missing["rules"].values())
    ordered = (Outline, TableBlock, Card, Modifiers)
    words = "\n".join(strings([b for part in found.parts for b in part.blocks if isinstance(b, ordered)]))
    assert [] == [english for english in missing["rules"].values() if english in words]


def test_neighbours_on_the_map_are_in_german() -> None:
    """A map names the neighbours of an area as it names the area."""
    made = compiled("vitp")
    drawn = block(sheet_of(made, Report(), None, speak("de", made, Report())), "map")
    assert isinstance(drawn, Map)
    names = {area.name for area in drawn.areas}
    assert "Korallensee" in names
    assert all(names.issuperset(area.borders) for area in drawn.areas)
    assert "Indischer Ozean" in drawn.alt and "Indian Ocean" not in drawn.alt


@pytest.mark.parametrize("name", ["atp", "vitp"])
def test_a_translated_cell_keeps_its_sign(name: str) -> None:
    """Whether a cell of a matrix limits, forbids or allows follows from its English words."""
    made = compiled(name)
    signs = []
    for language in ("en", "de"):
        found = sheet_of(made, Report(), None, speak(language, made, Report()))
        tables = [b for part in found.parts for b in part.blocks if isinstance(b, TableBlock)]
        matrix = next(table for table in tables if table.head.id.startswith("matrix:"))
        cells = [cell for row in matrix.rows for cell in row.cells]
        signs.append([[run.text for run in cell if run.kind == "mood"] for cell in cells])
    english, german = signs
    assert english == german
    assert {"only", "may"} <= {sign for cell in english for sign in cell}


def test_months_are_in_the_language() -> None:
    """A month is named as the language does."""
    made = compiled("pacwar", ("jsis-flak-phase-in",))
    found = sheet_of(made, Report(), None, speak("ja", made, Report()))
    assert "1943年6月" == Plain(found).month(12 * 1943 + 5)
