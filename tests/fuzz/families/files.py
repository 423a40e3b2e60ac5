"""Files beside the rules: manifests, data, settings, messages, themes, baselines, lists of printed rules.

Their values come from the JSON schemas in `schemas/`, so that a new key is generated without a new line here.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rulekit.base.files import forget, normal_text
from rulekit.base.resources import schema
from rulekit.base.source import Source
from rulekit.diagnostics import Report, baseline
from rulekit.reports.sheet.model.document import SheetError
from rulekit.reports.sheet.model.messages import read_messages
from rulekit.reports.sheet.model.settings import read_settings
from rulekit.reports.sheet.render.theme import read_theme
from rulekit.ruleset.datafile import parse_data_file
from rulekit.ruleset.manifest import parse_manifest
from rulekit.ruleset.overlay import overlay
from rulekit.ruleset.printed_rules import parse_sources
from tests.fuzz import shapes
from tests.fuzz.bundle import folder_of
from tests.fuzz.family import Family
from tests.fuzz.mutation import ODD_TEXTS, spoil, to_bytes
from tests.fuzz.promises import check_findings, check_printable

Read = Callable[[Source, Report], Any]


def _generate_yaml(name: str, chance: random.Random) -> bytes:
    value = shapes.of_schema(schema(name), chance)
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        value = shapes.spoil(value, chance)
    text = shapes.as_yaml(value, chance)
    return to_bytes(spoil(text, chance, 2) if chance.random() < 0.3 else text, chance)


def _run_parse(read: Read, data: bytes) -> None:
    """Read a text in hand; what it holds is a result, or findings at places in it."""
    try:
        text = normal_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return
    report = Report()
    read(Source("a.yaml", text), report)
    check_findings(tuple(report), lambda file: text, zlib.crc32(data))


def _lay_over(source: Source, report: Report) -> None:
    """Read a data file and lay it over another, and over itself."""
    own = parse_data_file(source, report)
    base = parse_data_file(Source("b.yaml", _BASE), Report())
    if own is not None and base is not None:
        overlay(base, own, Report())
        overlay(own, base, Report())
        overlay(own, own, Report())


_BASE = """format: 1
source: {a: book}
populations:
  Ship: {columns: [name, n], rows: [[Red, 1], [a, 2]]}
tables:
  n: {columns: [a, Red], rows: [[1, 2], [2, 3]]}
values: {play: 3, Ship: x}
"""


def _run_settings(data: bytes) -> None:
    with folder_of({"sheet.yaml": data}) as folder:
        report = Report()
        read_settings(folder, report)
        text = data.decode("utf-8-sig", "replace")
        check_findings(tuple(report), lambda file: text, zlib.crc32(data))
        forget(folder)


def _run_theme(data: bytes) -> None:
    """A theme, or a refusal in printable sentences (after the door for text)."""
    from rulekit.cli.terminal import printable_text

    with folder_of({"theme.yaml": data}) as folder:
        try:
            read_theme(str(folder / "theme.yaml"))
        except SheetError as error:
            check_printable(printable_text("\n".join((error.message, *error.details))))


def _generate_baseline(chance: random.Random) -> bytes:
    value = shapes.of_schema(schema("baseline"), chance)
    for _ in range(chance.choice((0, 1, 2))):
        value = shapes.spoil(value, chance)
    text = shapes.as_json(value)
    return to_bytes(spoil(text, chance, 2) if chance.random() < 0.2 else text, chance)


def _run_baseline(data: bytes) -> None:
    with folder_of({"baseline.json": data}) as folder:
        try:
            known: Mapping[str, Mapping[str, int]] = baseline.read(Path(folder, "baseline.json"))
        except baseline.BadBaseline:
            return
        for counts in known.values():
            baseline.compare((), counts)
        json.dumps(known)


def _generate_list(chance: random.Random) -> bytes:
    columns = chance.choice((("id", "sort", "summary"), ("id", "kind", "summary", "page"), ("id", "summary")))
    cells = ("A.1", "A.1.2", "rule", "heading", "note", "Ships move.", "", " ", "1", "A 2", *ODD_TEXTS)
    rows = [columns, *([chance.choice(cells) for _ in columns] for _ in range(chance.randint(0, 5)))]
    text = "\n".join("\t".join(row) for row in rows) + "\n"
    return to_bytes(spoil(text, chance, 2) if chance.random() < 0.5 else text, chance)


def _yaml(name: str, shape: str, run: Callable[[bytes], None], weight: int) -> Family:
    return Family(name, partial(_generate_yaml, shape), run, weight)


FAMILIES = (
    _yaml("manifest", "ruleset", partial(_run_parse, parse_manifest), 90),
    _yaml("data", "data", partial(_run_parse, _lay_over), 120),
    _yaml(
        "messages", "messages", partial(_run_parse, lambda source, own: read_messages(source, "de", own)), 30
    ),
    _yaml("settings", "sheet-settings", _run_settings, 50),
    _yaml("theme", "theme", _run_theme, 30),
    Family("baseline", _generate_baseline, _run_baseline, 20),
    Family("list", _generate_list, partial(_run_parse, parse_sources), 40),
)
