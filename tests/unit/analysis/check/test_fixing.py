"""Fixes that are certain: which findings have one, what it does to the files, and what is left alone."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.analysis.check import check
from rulekit.analysis.fixes import FixResult, apply_fixes
from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Edit, Fix, Kind, Severity
from rulekit.diagnostics.refine import slip, words_of
from tests.unit.analysis.check.sets import write
from tests.unit.cli.running import DUEL

KIND = Kind("RK996", "made-up-slip", "a slip made up for tests", Severity.WARNING, "0.1.0")


def mended(folder: Path, files: dict[str, str]) -> FixResult:
    """What fixes make of a rule set with these files."""
    return apply_fixes(write(folder, files), lambda copy: check(copy, remember=False).diagnostics)


EFFECT = "table effect(roll: 1..6) -> 0..3:\n    | roll | hits |\n    | 1..2 | 0 | [1.1]\n"
THIRD, FOURTH, SIXTH = "    | 3 | 1 |   [1.2]\n", "    | 4..5 | 2 |\n", "    | 6 | 3 |\n"
USE = "define hits(roll: 1..6) -> 0..3: effect(roll)\n"

FIXED = {
    "a name with a slip, wherever it is": (
        "state fuel: 0..9\nprocedure p:\n    take 1 from fule\n    add 2 to feul # rule\n    add 1 to fule\n",
        "state fuel: 0..9\nprocedure p:\n    take 1 from fuel\n    add 2 to fuel # rule\n    add 1 to fuel\n",
    ),
    "a name that is near a word of the language": (
        "roll wind: d6\nstate tolls: 0..9\nprocedure p:\n    roll wind as w\n    add 1 to toll\n",
        "roll wind: d6\nstate tolls: 0..9\nprocedure p:\n    roll wind as w\n    add 1 to tolls\n",
    ),
    "a name with a slip in its capitals": (
        "enum Side: Red, Blue\nstate lead: side or none\n",
        "enum Side: Red, Blue\nstate lead: Side or none\n",
    ),
    "tabs, as deep as the lines beside them": (
        'procedure p:\n\tsay "x"\n    repeat 2 times:\n\t\tsay "y"\n        say "z"\n',
        'procedure p:\n    say "x"\n    repeat 2 times:\n        say "y"\n        say "z"\n',
    ),
    "tabs, then what they hid": (
        "state fuel: 0..9\nprocedure burn\n\ttake 1 from fule\n",
        "state fuel: 0..9\nprocedure burn:\n    take 1 from fuel\n",
    ),
    "a missing colon before a citation": (
        "state fuel: 0..9\nprocedure burn     [4.2]\n    take 1 from fuel\n",
        "state fuel: 0..9\nprocedure burn:     [4.2]\n    take 1 from fuel\n",
    ),
    "characters of a typesetter": (
        "state fuel: 0..9\ndefine low -> flag: fuel ≤ 3 or fuel ≥ 9\nexample “a”:\n    then fuel = 0\n",
        'state fuel: 0..9\ndefine low -> flag: fuel <= 3 or fuel >= 9\nexample "a":\n    then fuel = 0\n',
    ),
    "a row out of order": (f"{EFFECT}{FOURTH}{THIRD}{SIXTH}{USE}", f"{EFFECT}{THIRD}{FOURTH}{SIXTH}{USE}"),
    "a row out of order, at the end": (
        f"{EFFECT}{FOURTH}{SIXTH}{THIRD}{USE}".replace("\n", "\r\n"),
        f"{EFFECT}{THIRD}{FOURTH}{SIXTH}{USE}".replace("\n", "\r\n"),
    ),
    "line ends stay as they are": (
        "state fuel: 0..9\r\nprocedure burn\r\n    take 1 from fuel\r\n",
        "state fuel: 0..9\r\nprocedure burn:\r\n    take 1 from fuel\r\n",
    ),
    "a mark at the start stays": (
        "\ufeffdefine low -> flag: fuel ≤ 3\nstate fuel: 0..9",
        "\ufeffdefine low -> flag: fuel <= 3\nstate fuel: 0..9",
    ),
}


@pytest.mark.parametrize("before, after", FIXED.values(), ids=FIXED)
def test_what_is_certain_is_mended(tmp_path: Path, before: str, after: str) -> None:
    """The copy is mended, round by round; the rule set itself is as it was."""
    (tmp_path / "text.rules").write_bytes(before.encode())
    write(tmp_path, {})
    made = apply_fixes(tmp_path, lambda copy: check(copy, remember=False).diagnostics)

    assert [("text.rules", before, after)] == [(each.file, each.before, each.after) for each in made.changes]
    assert [] == [each.message for each in made.left]
    assert before.encode() == (tmp_path / "text.rules").read_bytes()


LEFT = {
    "two names as near": "state fuel_1: 0..9\nstate fuel_2: 0..9\nprocedure burn:\n    take 1 from fuel_3\n",
    "a short name": "state f1: 0..9\nprocedure burn:\n    take 1 from f2\n",
    "another word": "state fuel: 0..9\nprocedure burn:\n    take 1 from fool\n",
    "tabs beside spaces": 'procedure burn:\n \tsay "x"\n',
    "tabs of another depth": 'procedure burn:\n  say "x"\n\tsay "y"\n',
    "a line that a colon does not save": "state fuel\n",
    "a row below a comment": f"{EFFECT}{FOURTH}    # misprinted?\n{THIRD}{SIXTH}{USE}",
    "a character that has several meanings": "define low -> flag: fuel ≠ 3\nstate fuel: 0..9\n",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_what_is_not_certain_is_left(tmp_path: Path, text: str) -> None:
    """A wrong fix is worse than none."""
    made = mended(tmp_path, {"text.rules": text})

    assert ((), 0) == (made.changes, made.mended)
    assert made.left


def test_names_in_data_are_mended_too(tmp_path: Path) -> None:
    """A cell that names nothing, but for one slip; all places of one name together."""
    data = (
        "format: 1\nconfidence: printed\npopulations:\n  Boat:\n    columns: [name, side]\n    rows:\n"
        "      - [Heron, Bleu]\n      - [Otter, Bleu]\n      - [Swift, Red]\n"
    )
    rules = 'enum Side: Red, Blue\npiece Boat from "data/boats.yaml":\n    side: Side\n'

    made = mended(tmp_path, {"text.rules": rules, "data/boats.yaml": data})

    assert [data.replace("Bleu", "Blue")] == [each.after for each in made.changes]
    assert (1, ()) == (made.mended, made.left)


def fixes(*edits: tuple[int, int, str]) -> list[Diagnostic]:
    """A finding for each edit of the first line of a file."""
    found = []
    for start, end, text in edits:
        span = Span("sources/x.tsv", 1, start, 1, end)
        found.append(Diagnostic(KIND, "a slip", span, fix=Fix("write it", (Edit(span, text),))))
    return found


@pytest.mark.parametrize(
    "edits, after, mended",
    [
        (((1, 3, "A"), (4, 5, "B")), "AcBef", 2),
        (((1, 3, "A"), (2, 5, "B")), "Acdef", 1),
        (((1, 1, "A"), (1, 1, "B")), "Aabcdef", 1),
        (((3, 3, "A"), (7, 7, "B")), "abAcdefB", 2),
        (((1, 99, "A"), (2, 3, "B")), "aBcdef", 1),
        (((3, 2, "A"),), "abcdef", 0),
    ],
)
def test_edits_that_meet_wait(
    tmp_path: Path, edits: tuple[tuple[int, int, str], ...], after: str, mended: int
) -> None:
    """Of two that meet the first is made; places that are not there are passed over."""
    found = iter([fixes(*edits), []])
    write(tmp_path, {"sources/x.tsv": "abcdef"})

    made = apply_fixes(tmp_path, lambda _: next(found, []))

    assert (after, mended) == (made.changes[0].after if made.changes else "abcdef", made.mended)


def test_fixes_that_go_on_for_ever_end(tmp_path: Path) -> None:
    """A kind whose fix brings it again is given up after some rounds."""
    write(tmp_path, {"sources/x.tsv": "a"})

    made = apply_fixes(tmp_path, lambda _: fixes((1, 1, "b")))

    assert 8 == made.mended


def test_what_is_no_plain_file_is_left(tmp_path: Path) -> None:
    """Links, pipes, files that are no text or too large are neither read nor written."""
    write(tmp_path / "set", {"text.rules": "state fuel: 0..9\n"})
    (tmp_path / "outside.rules").write_text("define low -> flag: fuel ≤ 3\n")
    (tmp_path / "set" / "link.rules").symlink_to(tmp_path / "outside.rules")
    os.mkfifo(tmp_path / "set" / "pipe.rules")
    (tmp_path / "set" / "bytes.rules").write_bytes(b"\xff\xfe")
    with (tmp_path / "set" / "large.rules").open("wb") as large:
        large.truncate(1 << 33)

    made = apply_fixes(tmp_path / "set", lambda copy: check(copy, remember=False).diagnostics)

    assert () == made.changes
    assert stat.S_ISFIFO((tmp_path / "set" / "pipe.rules").stat().st_mode)


@pytest.mark.parametrize(
    "wrong, meant, expected",
    [
        ("fule", "fuel", True),
        ("feul", "fuel", True),
        ("fuell", "fuel", True),
        ("fue", "fuel", False),
        ("fuels", "fuel", True),
        ("fuzl", "fuel", True),
        ("fool", "fuel", False),
        ("task_force", "TaskForce", True),
        ("f2", "f1", False),
        ("De Ruyter", "De Ruiter", False),
        ("lufe", "fuel", False),
    ],
)
def test_slips(wrong: str, meant: str, expected: bool) -> None:
    """One letter more, less, other, or out of place, in a name of some length."""
    assert expected is slip(wrong, meant)


@given(word=st.text("abcdef", min_size=5, max_size=9), data=st.data())
def test_one_slip_is_a_slip(word: str, data: st.DataObject) -> None:
    """Whatever letter it is."""
    at = data.draw(st.integers(0, len(word) - 2))
    new = data.draw(st.sampled_from("abcdefx"))
    slips = (
        word[:at] + word[at + 1 :],
        word[:at] + new + word[at:],
        word[:at] + new + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    )

    assert [True] * 4 == [slip(each, word) for each in slips]


def test_words_of_prose_are_no_names() -> None:
    """Comments and texts in quotes hold none."""
    assert ["say", "fuel", "x"] == list(words_of('say "a rule" fuel # file\n# more\nx roll', {"roll"}))


@settings(max_examples=8)
@given(data=st.data())
def test_whatever_is_mended_stays_mended(data: st.DataObject) -> None:
    """A rule set spoiled in a few places: fixes end, what they leave has none, and nothing breaks."""
    text = (DUEL / "duel.rules").read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 5))
        new = data.draw(st.sampled_from(("", "\t", "≤", "“", "x", "\u00a0", ":")))
        text = text[:at] + new + text[at + 1 :]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "duel")
        shutil.copytree(DUEL, folder)
        (folder / "duel.rules").write_text(text, encoding="utf-8")

        made = apply_fixes(folder, lambda copy: check(copy, remember=False).diagnostics)
        for change in made.changes:
            (folder / change.file).write_text(change.after, encoding="utf-8")
        again = apply_fixes(folder, lambda copy: check(copy, remember=False).diagnostics)

    assert (made.left, (), 0) == (again.left, again.changes, again.mended)
