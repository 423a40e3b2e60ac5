"""The language's tests in the language: the `.rules` files beside this one, but for the probes.

A line `---` parts a file into chunks.  Each is a rule set of its own, padded so that its line numbers are the
file's, and begins with a comment that says what is shown.  A finding is expected where its mark stands,
`#! CODE "part of the message"`; missing and unexpected ones both fail.  A line `#= PATH` begins another file
of the chunk's folder, and `#= with NAME, NAME` chooses options.  Examples in a chunk that compiles are run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulekit.diagnostics import all_kinds
from rulekit.testing import RULES, compile_text, differences
from tests.language import hints, limits
from tests.language.running import failures

HERE = Path(__file__).parent
FILES = [path for path in sorted(HERE.rglob("*.rules")) if "probes" not in path.relative_to(HERE).parts]
_HEAD = re.compile(r"#= *(.*)")
_CODE = re.compile(r"#!.*")
_WITH = "with "
PADDED = (".rules", ".yaml")
"""Files in which a mark may stand; another may have to begin on its first line."""


@dataclass(frozen=True)
class Chunk:
    """One rule set of a file: its files by path, and the options chosen."""

    name: str
    files: dict[str, str]
    options: tuple[str, ...]


def chunks(path: Path) -> list[Chunk]:
    """The chunks of a file."""
    found: list[Chunk] = []
    start, lines = 0, path.read_text(encoding="utf-8").split("\n")
    for end in [number for number, line in enumerate(lines) if line == "---"] + [len(lines)]:
        name = f"{path.relative_to(HERE)}:{start + 1}"
        found.append(chunk(name, lines[start:end], start))
        start = end + 1
    return found


def chunk(name: str, lines: list[str], offset: int) -> Chunk:
    """The files of some lines, padded so that line numbers stay."""
    files: dict[str, list[str]] = {RULES: [""] * offset}
    options: tuple[str, ...] = ()
    at = RULES
    for number, line in enumerate(lines, offset):
        head = _HEAD.match(line)
        if head is None:
            files[at].append(line)
        elif head[1].startswith(_WITH):
            options += tuple(each.strip() for each in head[1].removeprefix(_WITH).split(","))
            files[at].append("")
        else:
            at = head[1].strip()
            files[at] = [""] * (number + 1) if at.endswith(PADDED) else []
    return Chunk(name, {file: "\n".join(text) + "\n" for file, text in files.items()}, options)


CHUNKS = [made for path in FILES for made in chunks(path)]


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_chunk(chunk: Chunk) -> None:
    """A chunk gets the findings it is marked with and no other, their hints are rules, its examples hold."""
    first = next(line for line in chunk.files[RULES].split("\n") if line)
    rest = {file: text for file, text in chunk.files.items() if file != RULES}
    made = compile_text(chunk.files[RULES], rest, options=chunk.options)

    assert first.startswith("# "), "a chunk begins with a comment that says what it shows"
    assert [] == list(differences(chunk.files, made.findings))
    assert [] == [text for finding in made.findings for text in hints.not_rules(finding)]
    assert [] == (failures(made.program) if made.program else [])


@pytest.mark.parametrize("case", limits.CASES, ids=lambda case: case.name)
def test_limit(case: limits.Case, tmp_path: Path) -> None:
    """What no chunk can hold, because it is too large, or no text, or not there."""
    assert case.code in {finding.kind.code for finding in case.found(tmp_path)}


WITH_EACH_OPTION = {"RK243": "test_idle_options.py", "RK417": "test_base_claims.py"}
"""Kinds that only a check of each option reports, and their tests."""


def test_kinds_of_options_have_their_tests() -> None:
    """Beside those of this folder."""
    folder = Path(__file__).parents[1] / "unit" / "analysis" / "options"
    for code, file in WITH_EACH_OPTION.items():
        assert code in (folder / file).read_text(encoding="utf-8")


def test_every_kind_fires() -> None:
    """Whatever can be told of rules (1xx to 4xx) is told somewhere in these tests."""
    marked = {
        code
        for chunk in CHUNKS
        for text in chunk.files.values()
        for marks in _CODE.findall(text)
        for code in re.findall(r"RK\d{3}", marks)
    }
    told = marked | {case.code for case in limits.CASES} | WITH_EACH_OPTION.keys()
    of_rules = {kind.code for kind in all_kinds() if kind.code < "RK5"}

    assert [] == sorted(of_rules - told)
