"""The examples on the pages about data behave as the pages say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulekit.base.source import Source, Span
from rulekit.diagnostics import Diagnostic, Kind, Report, all_kinds
from rulekit.diagnostics.pages import find
from rulekit.ruleset import DataFile, confidence_summary, on_trust, overlay, parse_sources, read_text
from tests.unit.ruleset.helpers import manifest, try_read

IN_WORDS = {"file-not-text", "file-too-large", "many-findings"}
"""Pages whose examples would be too long, or no text."""

KINDS = [
    kind
    for kind in all_kinds()
    if kind.code[:4] in ("RK29", "RK63", "RK64", "RK65") and kind.name not in IN_WORDS
]


def examples(kind: Kind, heading: str) -> list[str]:
    """The fenced blocks under a heading of the kind's page."""
    text = find(kind.code) or ""
    part = re.split(r"^## ", text, flags=re.MULTILINE)
    (under,) = [each for each in part if each.startswith(f"{heading}\n")]
    return re.findall(r"^```\w+\n(.*?)^```$", under, re.MULTILINE | re.DOTALL)


def told(blocks: list[str], folder: Path) -> list[Diagnostic]:
    """What is told of rules that name a file, of a list, a manifest, or a data file and one laid over it."""
    (text, *owner) = blocks
    report = Report()
    if named := re.search(r'from "([^"]*)"', text):
        read_text(folder, named[1], report, at=Span("x.rules", 1, 1, 1, 2))
    elif text.startswith("id\t"):
        parse_sources(Source("sources/x.tsv", text), report)
    elif text.startswith("id:"):
        return manifest(text)[1]
    else:
        return _of_data(text, owner)
    return list(report)


def _of_data(text: str, owner: list[str]) -> list[Diagnostic]:
    data, found = try_read(text)
    report = Report()
    for laid in owner:
        over, more = try_read(laid)
        found += more
        if isinstance(data, DataFile) and isinstance(over, DataFile):
            data = overlay(data, over, report)
    trusted = [] if data is None or not confidence_summary([data]) else list(on_trust([data]))
    return [*found, *report, *trusted]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A rule set's folder as the pages on files have it in mind."""
    (tmp_path / "set" / "data").mkdir(parents=True)
    (tmp_path / "set" / "data" / "ships.yaml").write_text("format: 1\n")
    return tmp_path / "set"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_avoid_gets_the_finding_and_prefer_does_not(kind: Kind, folder: Path) -> None:
    """And what is preferred gets no other finding either, but for facts on trust."""
    avoid, prefer = told(examples(kind, "Avoid"), folder), told(examples(kind, "Prefer"), folder)

    assert kind in [each.kind for each in avoid]
    assert [] == [each.message for each in prefer if each.kind.name != "facts-on-trust"]
    assert kind not in [each.kind for each in prefer]
