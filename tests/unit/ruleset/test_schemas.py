"""The published schemas say what the readers do."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from rulekit.base import resources
from rulekit.base.source import Source
from rulekit.diagnostics import Diagnostic, Report, Severity
from rulekit.diagnostics.pages import find
from rulekit.ruleset import yaml
from rulekit.ruleset.datafile import cell
from rulekit.ruleset.reading import Reading
from tests.unit.ruleset.helpers import SHIPS, manifest, try_read
from tests.unit.ruleset.test_manifest import FULL, LEAST

SCHEMAS = {name: Draft202012Validator(resources.schema(name)) for name in ("data", "ruleset")}

BEYOND_SCHEMA = {
    "cell-count",
    "duplicate-row",
    "preset-unknown-option",
}
"""Kinds that compare one part of a file with another."""


def instance(text: str) -> Any:
    """The text as a program would be given it: plain values, no places."""
    report = Report()
    node = yaml.parse(Source("x", text), Reading(report, "x"))
    assert node is not None and not len(report)
    return _listed(cell(node, Reading(Report(), "x")).plain)


def _listed(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_listed(each) for each in value]
    if isinstance(value, dict):
        return {name: _listed(each) for name, each in value.items()}
    return value


def errors(found: list[Diagnostic]) -> set[str]:
    """The names of the kinds that are errors."""
    return {each.kind.name for each in found if each.kind.severity is Severity.ERROR}


@pytest.mark.parametrize("name", ["data", "ruleset", "diagnostics", "baseline"])
def test_the_schema_is_a_schema(name: str) -> None:
    """Each is valid, refuses unknown keys, and describes itself."""
    schema = resources.schema(name)

    Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    assert schema["title"] and schema["$id"].endswith(f":{name}")


@pytest.mark.parametrize(("name", "text"), [("data", SHIPS), ("ruleset", FULL), ("ruleset", LEAST)])
def test_good_files_fit(name: str, text: str) -> None:
    """What is read without findings fits its schema."""
    SCHEMAS[name].validate(instance(text))


DATA_MISTAKES = [
    "format: 2",
    "about: x",
    "format: 1\nabout: [1]",
    "format: 1\nabuot: x",
    "format: 1\nconfidence: certain",
    "format: 1\nconfidence: {a: printed}",
    "format: 1\nsource: [x]",
    "format: 1\nvalues: {a: {value: 1, nota: x}}",
    "format: 1\nvalues: {a: {value: 1, confidence: sure}}",
    "format: 1\npopulations: {S: {columns: [a]}}",
    "format: 1\npopulations: {S: {columns: [], rows: []}}",
    "format: 1\npopulations: {S: {columns: ~, rows: []}}",
    "format: 1\npopulations: {S: {columns: [a, a], rows: []}}",
    "format: 1\npopulations: {S: {columns: [a], rows: [x]}}",
    "format: 1\npopulations: {S: {columns: [a], rows: [{note: x}]}}",
    "format: 1\npopulations: {S: {columns: [a], rows: {a: 1}}}",
    "format: 1\npopulations: {S: {columns: [a], rows: [], keys: 1}}",
    "format: 1\ntables: {t: {columns: [a], rows: []}}",
    "format: 1\ntables: {t: {columns: [a, b], keys: 0, rows: []}}",
    "format: 1\ntables: {t: {columns: [a, b], keys: x, rows: []}}",
]
RULESET_MISTAKES = [
    LEAST.replace("id: duel", "id: Duel"),
    LEAST.replace('"0.2"', "new"),
    LEAST + "title2: x",
    LEAST + "options: [A]",
    LEAST + "options: [a, a]",
    LEAST + "presets: []",
    LEAST + "accept: [{finding: x}]",
    LEAST + "accept: [x]",
    LEAST + "accept: [{finding: x, reason: ''}]",
    LEAST + "check: [x]",
    LEAST + "check: {selekt: [x]}",
    LEAST + "check: {select: {x: y}}",
    LEAST + "check: {level: {x: grave}}",
    LEAST + "not_encodable: [{rule: x, reason: y, more: z}]",
    "id: x",
]


@pytest.mark.parametrize("text", DATA_MISTAKES)
def test_reader_and_schema_refuse_the_same_data(text: str) -> None:
    """What the schema can see, both refuse."""
    assert errors(try_read(text)[1])
    assert [] != list(SCHEMAS["data"].iter_errors(instance(text)))


@pytest.mark.parametrize("text", RULESET_MISTAKES)
def test_reader_and_schema_refuse_the_same_manifests(text: str) -> None:
    """The same for manifests."""
    assert errors(manifest(text)[1])
    assert [] != list(SCHEMAS["ruleset"].iter_errors(instance(text)))


_word = st.sampled_from(["printed", "corroborated", "reconstructed", "missing", "sure"])
_cell = st.sampled_from(["1", "a", "'b c'", "~", "[x, 1]", "{k: 1}", "true"])
_row = st.lists(_cell, min_size=2, max_size=3).map(lambda cells: f"[{', '.join(cells)}]")
_said = st.dictionaries(
    st.sampled_from(["note", "source", "about", "confidence", "nota", "keys"]), _word | _cell, max_size=2
).map(lambda said: "".join(f", {key}: {value}" for key, value in said.items()))


@given(
    columns=st.sampled_from(["[a, b]", "[a, b, c]", "[a]", "[a, a]", "ab", "[]"]),
    rows=st.lists(_row | st.builds("{{row: {}{}}}".format, _row, _said), max_size=3),
    said=_said,
    what=st.sampled_from(["populations", "tables"]),
)
def test_reader_and_schema_agree(columns: str, rows: list[str], said: str, what: str) -> None:
    """Over many files: fit for one is fit for the other, but for what compares parts of a file."""
    text = f"format: 1\n{what}: {{S: {{columns: {columns}, rows: [{', '.join(rows)}]{said}}}}}\n"
    found = errors(try_read(text)[1])
    refused = [error.message for error in SCHEMAS["data"].iter_errors(instance(text))]

    if refused:
        assert found
    elif found - BEYOND_SCHEMA:
        messages = " ".join(each.message for each in try_read(text)[1])
        assert re.search(r"has no `|must be a name|must have a key", messages)


def test_the_specification_shows_what_is_read() -> None:
    """The first whole file in the chapter on data files, and the manifest, are read without findings."""
    chapter = resources.share("docs/spec/data.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```$", chapter, re.MULTILINE | re.DOTALL)
    data = [block for block in blocks if block.startswith("format:")]
    manifests = [block for block in blocks if block.startswith("id:")]

    assert data and manifests
    for block in data:
        assert [] == try_read(block)[1]
        SCHEMAS["data"].validate(instance(block))
    for block in manifests:
        assert [] == manifest(block)[1]
        SCHEMAS["ruleset"].validate(instance(block))


def test_limits_in_the_pages_are_those_of_the_code() -> None:
    """A number that is told is the number that holds."""
    page = find("data-limit") or ""

    assert f"{yaml.MAX_DEPTH} levels" in page
    assert f"{yaml.MAX_NODES:,} values" in page
    assert f"{yaml.MAX_LINE:,} characters" in page
