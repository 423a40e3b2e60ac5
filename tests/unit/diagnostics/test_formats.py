"""Findings for code hosts: SARIF fits its published schema, and GitHub's commands are escaped rightly."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Edit, Fix, Kind, Severity, render_github, render_sarif
from tests.unit.diagnostics.test_renderers import CLASH, FINDINGS, text_of

SARIF = Draft7Validator(
    json.loads((Path(__file__).parents[2] / "vendor" / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))
)
OVERLAP = Kind("RK402", "table-overlap", "keys that two rows of a table cover", Severity.WARNING, "0.1.0")
OPEN = Kind("RK996", "made-up-question", "a question made up for tests", Severity.UNDECIDED, "0.1.0")
HERE = Span("set a/100%,b.rules", 2, 5, 2, 12)


def sarif(*findings: Diagnostic) -> Any:
    """The one run of a log, which fits the schema."""
    log = json.loads(render_sarif.render(findings, text_of))
    SARIF.validate(log)
    (run,) = log["runs"]
    return run


def test_sarif_has_every_place() -> None:
    """Results with rules, places, related places, what is underlined, and what a finding is tomorrow."""
    run = sarif(*FINDINGS)

    assert "unicodeCodePoints" == run["columnKind"]
    assert ["RK997", "RK998", "RK999"] == [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    first = run["results"][0]
    assert ("RK999", 2, "fail", "error") == tuple(
        first[name] for name in ("ruleId", "ruleIndex", "kind", "level")
    )
    assert first["message"]["text"].startswith("a ship must fire at a target that it may not fire at (hint: ")
    place = first["locations"][0]["physicalLocation"]
    assert ("a.rules", 2, 5, 39) == (
        place["artifactLocation"]["uri"],
        *(place["region"][name] for name in ("startLine", "startColumn", "endColumn")),
    )
    assert "require target = opposite(shooter)" == place["region"]["snippet"]["text"]
    assert [1, 2] == [each["id"] for each in first["relatedLocations"]]
    assert "this bay is forbidden" == first["relatedLocations"][0]["message"]["text"]
    assert {"rulekitId/v1": FINDINGS[0].id} == first["partialFingerprints"]


def test_a_rule_of_sarif_has_its_page() -> None:
    """What `rulekit explain` prints is the help of the rule."""
    (rule,) = sarif(Diagnostic(OVERLAP, "twice", HERE))["tool"]["driver"]["rules"]

    assert ("table-overlap", OVERLAP.title, "warning") == (
        rule["name"],
        rule["shortDescription"]["text"],
        rule["defaultConfiguration"]["level"],
    )
    assert rule["help"]["markdown"].startswith("# RK402 table-overlap\n")


def test_what_sarif_has_words_for() -> None:
    """Undecided is open, accepted is suppressed, a fix is a change; names of files are URIs."""
    fix = Fix("end the line with `:`", (Edit(Span("a.rules", 1, 3, 1, 3), ":"), Edit(HERE, "")))
    undecided = Diagnostic(OPEN, "who knows", HERE, key=("choice aim", "idle"))
    accepted = Diagnostic(
        OVERLAP, "twice", replace(HERE, file="/x/a b.rules"), fix=fix, accepted="so printed"
    )

    one, two = sarif(undecided, accepted)["results"]

    assert ("open", "none") == (one["kind"], one["level"])
    assert "choice aim" == one["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]
    assert "set%20a/100%25%2Cb.rules" == one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert [{"kind": "external", "justification": "so printed"}] == two["suppressions"]
    assert "file:///x/a%20b.rules" == two["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert [":", ""] == [
        change["replacements"][0]["insertedContent"]["text"] for change in two["fixes"][0]["artifactChanges"]
    ]


def test_a_clean_run_is_a_log_too() -> None:
    """No rules, no results."""
    assert [] == sarif()["results"]


@given(text=st.text(max_size=60), file=st.text(min_size=1, max_size=20).filter(lambda it: "\0" not in it))
def test_whatever_is_written_fits(text: str, file: str) -> None:
    """The author's words cannot break a log or a command."""
    found = Diagnostic(CLASH, text, Span(file, 1, 1, 2, 1), hint=text)

    sarif(found)
    command = render_github.render([found], text_of)

    assert (1, True) == (len(command.splitlines()), command.startswith("::error file="))


@pytest.mark.parametrize(
    "found, expected",
    [
        (
            Diagnostic(OVERLAP, "50% of\nit: a, b", HERE, hint="100%"),
            "::warning file=set a/100%25%2Cb.rules,line=2,endLine=2,col=5,endColumn=12,"
            "title=RK402 table-overlap::50%25 of it: a, b%0Ahint: 100%25",
        ),
        (
            Diagnostic(OPEN, "who knows", replace(HERE, file="a:b", end_line=3)),
            "::warning file=a%3Ab,line=2,endLine=3,title=RK996 made-up-question::who knows",
        ),
        (
            FINDINGS[0],
            "::error file=a.rules,line=2,endLine=2,col=5,endColumn=39,title=RK999 made-up-clash::"
            "a ship must fire at a target that it may not fire at%0Ab.rules:11:9: this bay is forbidden%0A"
            f"b.rules:11:2: here%0Ahint: {FINDINGS[0].hint}",
        ),
        (
            FINDINGS[2],
            "::notice file=block.rules,line=1,endLine=3,title=RK997 made-up-remark::a whole block%0A",
        ),
    ],
)
def test_github_shows_it_beside_its_line(found: Diagnostic, expected: str) -> None:
    """A command with its properties; columns only where one line has both."""
    assert render_github.render([found], text_of).startswith(expected)


def test_github_is_not_told_what_is_accepted() -> None:
    """Nothing is to be done about it."""
    assert "" == render_github.render([Diagnostic(OVERLAP, "twice", HERE, accepted="so printed")], text_of)
