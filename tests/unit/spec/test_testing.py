"""Rule sets given as text: what authors may build their own tests on."""

from __future__ import annotations

from rulekit.testing import RULES, compile_text, mismatches

SIDES = "enum Side: Red, Blue\n"
SHIPS = """\
format: 1
populations:
  Ship:
    columns: [name, armor]
    confidence: printed
    rows: [[Alpha, 4]]
"""


def test_a_sound_text_has_a_program() -> None:
    """And nothing is found in it."""
    made = compile_text(SIDES + "state lead: Side or none\n")

    assert () == made.findings
    assert made.program is not None and "lead" in {state.name for state in made.program.states}


def test_a_faulty_text_has_findings_in_its_own_lines() -> None:
    """The file is `rules.rules`, and no program comes of it."""
    made = compile_text(SIDES + "state lead: Sid\n")

    assert [("RK203", RULES, 2)] == [(f.kind.code, f.span.file, f.span.line) for f in made.findings]
    assert made.program is None


def test_other_files_stand_beside_it() -> None:
    """Data, options and a manifest, by their paths."""
    text = 'piece Ship from "data/ships.yaml":\n    armor: 0..9\n'
    option = "option fog:\n    set state turn to 2\n"
    files = {"data/ships.yaml": SHIPS, "options/fog.rules": option}

    made = compile_text(text + "state turn: 1..9 = 1\n", files, options=["fog"])

    assert () == made.findings
    assert made.program is not None
    assert ("fog",) == made.program.options
    assert [2] == [state.initial for state in made.program.states if state.name == "turn"]


def test_lints_are_told_too() -> None:
    """Claims that do not hold, for one."""
    made = compile_text(SIDES + "claim three: count of Side = 3\n")

    assert ["broken-claim"] == [finding.kind.name for finding in made.findings]
    assert made.program is not None


def test_marks_are_compared_with_findings() -> None:
    """Line by line, by code and by a part of the message."""
    text = SIDES + 'state a: Sid   #! RK203 "`Sid`"\n'

    assert [] == mismatches(text)
    assert ["missing: rules.rules:3: RK203"] == mismatches(text + "state b: Side   #! RK203\n")
    assert 1 == len(mismatches(SIDES + "state a: Sid\n"))
    assert ["unexpected", "missing"] == [
        each.split(":")[0] for each in mismatches(SIDES + 'state a: Sid   #! RK203 "other words"\n')
    ]


def test_marks_stand_in_other_files_too() -> None:
    """A comment of YAML is a comment of rules."""
    text = 'piece Ship from "data/ships.yaml":\n    armor: 0..3\n'

    assert [] == mismatches(text, {"data/ships.yaml": SHIPS.replace("4]]", "4]]   #! RK603")})
