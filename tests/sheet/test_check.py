"""`rulekit sheet --check`, `--language`, `--missing`: what the command tells and writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sheet.helpers import folder
from tests.unit.cli.running import Ran, rulekit


def run(*words: str) -> Ran:
    """The command."""
    return rulekit("sheet", *words)


@pytest.mark.parametrize("name", ["t.html", "t.pdf", "t.csv", "t.md"])
def test_check(tmp_path: Path, name: str) -> None:
    """A sheet that was just written is as it should be; after a change of the rules it is not, and stays."""
    rules, output = folder(tmp_path / "t"), tmp_path / name
    assert 0 == run(str(rules), "-o", str(output)).code
    assert (0, "") == ((fine := run(str(rules), "-o", str(output), "--check")).code, fine.out + fine.err)

    text = (rules / "t.rules").read_text(encoding="utf-8").replace("| 5..  | 2 ", "| 5..  | 3 ")
    (rules / "t.rules").write_text(text, encoding="utf-8")
    written = sorted(tmp_path.glob("t*.*"))
    before = [path.read_bytes() for path in written]
    stale = run(str(rules), "-o", str(output), "--check")
    assert 1 == stale.code
    assert "is out of date" in stale.err and "without `--check`" in stale.err
    assert before == [path.read_bytes() for path in written]


def test_check_says_where(tmp_path: Path) -> None:
    """A sheet that is text is told with the first line that differs."""
    rules, output = folder(tmp_path / "t"), tmp_path / "t.csv"
    call = (str(rules), "-o", str(output), "--only", "table:effect")
    run(*call)
    output.write_text(output.read_text(encoding="utf-8").replace("2,1", "9,1"), encoding="utf-8")
    said = run(*call, "--check").err
    assert "3- 5 or more,9,1" in said and "3+ 5 or more,2,1" in said


def test_check_of_a_sheet_that_is_not_there(tmp_path: Path) -> None:
    """Nothing there is not what would be written."""
    found = run(str(folder(tmp_path / "t")), "-o", str(tmp_path / "no.html"), "--check")
    assert 1 == found.code and "does not exist" in found.err
    assert not (tmp_path / "no.html").exists()


def test_missing_is_told_and_written(tmp_path: Path) -> None:
    """What a language lacks is counted by sorts on standard error, and listed in a file to be filled in."""
    output, lacks = tmp_path / "t.html", tmp_path / "de.yaml"
    found = run(str(folder(tmp_path / "t")), "-o", str(output), "--language", "de", "--missing", str(lacks))
    assert 0 == found.code
    assert "no `de` wording" in found.err and "printed rules: 1.2" in found.err
    text = lacks.read_text(encoding="utf-8")
    assert text.startswith("format: 1\nlanguage: de\n") and '# "1.2": "Red fires, then Blue"' in text


def test_unwritable_folder(tmp_path: Path) -> None:
    """A folder that is not there is told, and nothing is written."""
    found = run(str(folder(tmp_path / "t")), "-o", str(tmp_path / "no" / "t.html"))
    assert 2 == found.code and "cannot write" in found.err


def test_broken_message_file_stops_the_sheet(tmp_path: Path) -> None:
    """Findings are shown with place and underlined text; nothing is written."""
    rules = folder(tmp_path / "t", messages_in_de__yaml='format: 1\nlanguage: de\nrules:\n  "9": x\n')
    found = run(str(rules), "-o", str(tmp_path / "t.html"), "--language", "de")
    assert 1 == found.code
    assert "RK661" in found.err and "messages/de.yaml:4" in found.err
    assert not (tmp_path / "t.html").exists()
