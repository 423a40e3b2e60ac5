"""Reading made-up data in one call."""

from __future__ import annotations

from rulekit.base.source import Source
from rulekit.diagnostics import Diagnostic, Report
from rulekit.diagnostics.render_text import Lines
from rulekit.ruleset import DataFile, Manifest, parse_data_file, parse_manifest

SHIPS = """\
format: 1
about: ships made up for tests
source: {BOOK: the booklet, PAGE: a page by somebody who owns it}
populations:
  Ship:
    columns: [name, nation, armor, circled, at]
    confidence: {default: corroborated, name: printed}
    source: BOOK
    rows:
      - [Alpha, Red, 4, [guns], Harbour]
      - {row: [Beta, Red, 3, [], ~], confidence: {at: reconstructed}, note: seen once, source: BOOK PAGE}
      - {row: [Gamma, Blue, 2, [guns, planes], "12"], confidence: missing}
tables:
  fire:
    columns: [odds, roll, result]
    confidence: printed
    rows:
      - ["3:1", 1, hit]
      - ["3:1", 2, miss]
values:
  start: 3
  limit: {value: [1, 2], confidence: printed, note: both sides}
"""


def read(text: str, file: str = "data/ships.yaml") -> tuple[DataFile, list[Diagnostic]]:
    """A data file that can be read, and its findings in order."""
    data, found = try_read(text, file)
    assert data is not None, found
    return data, found


def try_read(text: str, file: str = "data/ships.yaml") -> tuple[DataFile | None, list[Diagnostic]]:
    """A data file, if it can be read, and its findings in order."""
    report = Report()
    data = parse_data_file(Source(file, text), report)
    return data, list(report)


def manifest(text: str) -> tuple[Manifest | None, list[Diagnostic]]:
    """A manifest, if it can be read, and its findings in order."""
    report = Report()
    found = parse_manifest(Source("ruleset.yaml", text), report)
    return found, list(report)


def codes(found: list[Diagnostic]) -> list[str]:
    """The names of the kinds, in order."""
    return [each.kind.name for each in found]


def underlined(text: str, found: Diagnostic) -> str:
    """The text a finding underlines."""
    return Lines(lambda _: text).under(found.span)
