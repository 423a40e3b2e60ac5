"""Situations as examples: each was run before it is shown, and holds beside the rules that it is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis.check import check
from rulekit.analysis.example_witness import verified_example
from rulekit.base.language import quoted_name
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.testing import MANIFEST, RULES, manifest
from tests.unit.cli.running import rulekit

SEARCH = """
state night: flag
state seen: 0..3
roll search: 2d6
modifier lamps on roll search: +1 when night
table found(roll: 2..12) -> 0..3:
    | roll   | found |
    | 2..8   | 0     |
    | 9..12  | 1     |
procedure look:
    roll search as sight
    set seen to found(sight)
sequence play:
    set night to not night
    do look
"""
CLASH = {
    RULES: "state turn: 1..9 = 1\nvalue range: 5\n",
    "options/fog.rules": "option fog:\n    in force while turn > 3\n    set value range to 2\n",
    "options/radar.rules": "option radar:\n    in force while turn > 5\n    set value range to 7\n",
}


def written(folder: Path, files: dict[str, str]) -> Path:
    """A rule set of these files, with a manifest."""
    for name, text in {MANIFEST: manifest(files), **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_a_roll_that_leaves_its_table(tmp_path: Path) -> None:
    """Its dice are there; beside the rules it holds, until they are mended."""
    home = written(tmp_path / "set", {RULES: SEARCH})
    ran = rulekit("check", home, "--select", "RK520", "--write-examples", home / "found.rules")
    as_it_is = rulekit("test", home)
    (home / RULES).write_text(SEARCH.replace("    | 9..12", "    | 9..  ").replace("2..12", "2..19"))
    mended = rulekit("test", home)

    assert 1 == ran.code
    assert "    given night = true\n    when do look\n    dice search: 6, 6\n    then fault\n" in (
        home / "found.rules"
    ).read_text(encoding="utf-8")
    assert (0, 1) == (as_it_is.code, mended.code)


def test_two_options_that_clash(tmp_path: Path) -> None:
    """The moment in which both act; once one prevails, it says what is so there."""
    home = written(tmp_path / "set", CLASH)
    (found,) = (each for each in check(home, remember=False).diagnostics if each.kind.code == "RK234")
    text = CLASH["options/fog.rules"].replace("option fog:\n", "option fog:\n    over radar\n")
    (home / "options" / "fog.rules").write_text(text)
    (home / "meeting.rules").write_text(found.example)
    settled = rulekit("test", home, "--with", "fog", "--with", "radar")

    assert "    given with fog\n    given with radar\n    given turn = 6\n" in found.example
    assert 0 == settled.code and "1 of 1 example" in settled.out + settled.err


@pytest.mark.parametrize(
    "lines",
    [
        ["then seen = 1"],
        ["then seen ="],
        ["when do look", "dice search: 6, 6", "then fault"],
        ["given nobody = 3", "then seen = 0"],
        [],
    ],
    ids=["untrue", "no syntax", "no fault", "no such state", "empty"],
)
def test_what_does_not_hold_is_not_shown(tmp_path: Path, lines: list[str]) -> None:
    """Nor what is no example at all."""
    home = written(tmp_path / "set", {RULES: SEARCH})
    rule_set = compile_rule_set(home, Report()).rule_set

    assert "" == verified_example(rule_set, "a try", lines)
    assert verified_example(rule_set, 'a "try"', ["then seen = 0"]).startswith("example \"a 'try'\":\n")


def test_names_are_written_as_rules_write_them() -> None:
    """In quotes, where they are no words."""
    assert ("Alpha", "'4E'") == (quoted_name("Alpha"), quoted_name("4E"))
