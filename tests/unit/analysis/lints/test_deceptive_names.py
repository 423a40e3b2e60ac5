"""The lint of names that deceive readers, and marks that turn the direction of text."""

from __future__ import annotations

import pytest

from rulekit.base.characters import foreign_letter, lacks_end, skeleton
from rulekit.testing import compile_text, mismatches

SHIPS = """\
format: 1
populations:
  Ship:
    columns: [name]
    confidence: printed
    rows: [["{name}"]]
"""
SHIP = 'piece Ship from "data/ships.yaml":\n    state hits: 0..9\n'


@pytest.mark.parametrize(
    "rules",
    [
        "enum Ship: Château, Ōyodo, Hiryū",
        "enum Size: klein, groß",
        "enum Fleet: Μ, Α",
        "enum Fleet: Москва, Киев",
        "state Δv: 0..9",
        "enum Ship: Oyodo, Ōyodo, oyodo",
        "enum Ship: 长门, 長門, かが, カガ",
        "# Сосо beside Coco\nenum Ship: Coco",
        "enum Ship: Coco  [Сосо 1]",
    ],
)
def test_honest_names_are_no_finding(rules: str) -> None:
    """Accents, other scripts, comments and citations."""
    assert [] == mismatches(rules + "\n")


@pytest.mark.parametrize(
    "rules",
    [
        'enum Ship: Java, Jаva  #! RK214 "Cyrillic letter `а` (U+0430) among Latin" RK215 "U+0430 here"',
        'enum Ship: Μ, M  #! RK215 "`Μ` and `M` look alike but differ: U+039C here, U+004D there"',
        "enum Ship: Java, Ｊava  #! RK215",
        'enum Ship: Мoсква  #! RK214 "the Latin letter `o` (U+006F) among Cyrillic"',
        "enum Ship: 'Ja\u200bva'  #! RK216 \"U+200B\"",
        'enum Ship: Ja\u3164va  #! RK216 "U+3164"',
    ],
)
def test_names_that_deceive_are_found(rules: str) -> None:
    """Letters of other scripts, wide forms, characters that show nothing."""
    assert [] == mismatches(rules + "\n")


def test_names_in_data_are_found_in_their_file() -> None:
    """Members of a population beside a name of the rules."""
    rules = SHIP + "define Java -> 0..9: 3\n"
    compiled = compile_text(rules, {"data/ships.yaml": SHIPS.format(name="Jаvа")})

    codes = [(finding.kind.code, finding.span.file) for finding in compiled.findings]

    assert [("RK214", "data/ships.yaml"), ("RK215", "data/ships.yaml")] == codes


@pytest.mark.parametrize("file", ["x.rules", "sources/x.tsv", "data/ships.yaml"])
def test_marks_of_direction_are_found_in_every_file(file: str) -> None:
    """Once a line, also in comments."""
    head = "id\tkind\tsummary\n" if file.endswith(".tsv") else ""
    ending = {
        "x.rules": "# {}",
        "sources/x.tsv": "1\trule\t{}",
        "data/ships.yaml": SHIPS.format(name="Java") + "# {}",
    }[file]
    text = head + ending.format("a\u202eb\u202cc \u2066") + "\n"

    marks = [
        f
        for f in compile_text(SHIP if "data" in file else "enum Side: Red\n", {file: text}).findings
        if f.kind.code == "RK114"
    ]

    assert [(file, "U+202E")] == [(mark.span.file, mark.under) for mark in marks]
    assert marks[0].message.endswith("turns the direction of text, and nothing ends it")


@pytest.mark.parametrize("character", ["\x80", "\x85", "\x9b", "\x07", "\x7f", "\u2028", "\u2029", "\ufeff"])
def test_controls_are_refused_in_rules_and_data(character: str) -> None:
    """Raw ones in rules, and those that escapes bring into a text of YAML."""
    escaped = f"\\u{ord(character):04x}"
    rules = compile_text(f"enum Side: Red # {character}\n").findings
    data = compile_text(SHIP, {"data/ships.yaml": SHIPS.format(name=escaped)})

    assert ["RK103"] == [finding.kind.code for finding in rules][:1]
    assert [("RK631", 6)] == [(f.kind.code, f.span.line) for f in data.findings if f.kind.code == "RK631"]


def test_skeletons_and_scripts() -> None:
    """Of single names."""
    assert "paypal" == skeleton("pаyрal") == skeleton("𝔭𝔞𝔶𝔭𝔞𝔩")
    assert "Château" == skeleton("Château")
    assert foreign_letter("Δt") is None
    assert ("а", "Cyrillic", "Latin") == foreign_letter("pаypal")


def test_a_turn_may_end_on_its_line() -> None:
    """By the mark that ends it, or one around it."""
    assert not lacks_end("\u2067a\u2069") and not lacks_end("\u202ea\u202c") and not lacks_end("\u200f")
    assert lacks_end("\u202ea") and lacks_end("\u2067\u202ea\u202c")
