"""Findings as SARIF 2.1.0 (Static Analysis Results Interchange Format), for code hosts and editors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from rulekit.base.resources import own_version
from rulekit.base.source import Span
from rulekit.diagnostics.finding import Diagnostic, Fix, Label
from rulekit.diagnostics.kinds import Kind, Severity
from rulekit.diagnostics.pages import find
from rulekit.diagnostics.render_json import conflict_to_json
from rulekit.diagnostics.render_text import Lines, TextOf

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "rulekitId/v1"
MAX_SNIPPET = 200
"""Characters of the underlined text that are quoted."""


def render(diagnostics: Iterable[Diagnostic], text_of: TextOf) -> str:
    """Return one log with one run; it ends with a line break.

    Findings that the rule set accepts are suppressed; undecided ones are of SARIF's kind `open`.
    """
    findings, lines = tuple(diagnostics), Lines(text_of)
    kinds = {finding.kind.code: finding.kind for finding in findings}
    rules = {code: number for number, code in enumerate(sorted(kinds))}
    driver = {
        "name": "rulekit",
        "version": own_version() or "0",
        "rules": [_rule(kinds[code]) for code in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, rules[finding.kind.code], lines) for finding in findings],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(kind: Kind) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": kind.code,
        "name": kind.name,
        "shortDescription": {"text": kind.title},
        "defaultConfiguration": {"level": _level(kind)},
    }
    page = find(kind.code)
    if page is not None:
        rule["help"] = {"text": page, "markdown": page}
    return rule


def _level(kind: Kind) -> str:
    return "none" if kind.severity is Severity.UNDECIDED else str(kind.severity)


def _result(finding: Diagnostic, rule: int, lines: Lines) -> dict[str, Any]:
    remarks = finding.conflict.remarks() if finding.conflict is not None else ()
    text = "\n".join((finding.message, *(f"{word}: {words}" for word, words in remarks)))
    hint = f" (hint: {finding.hint})" if finding.hint else ""
    place: dict[str, Any] = {"physicalLocation": _place(finding.span, lines)}
    if finding.key:
        place["logicalLocations"] = [{"fullyQualifiedName": finding.key[0]}]
    result: dict[str, Any] = {
        "ruleId": finding.kind.code,
        "ruleIndex": rule,
        "kind": "open" if finding.kind.severity is Severity.UNDECIDED else "fail",
        "level": _level(finding.kind),
        "message": {"text": text + hint},
        "locations": [place],
        "partialFingerprints": {FINGERPRINT: finding.id},
    }
    if finding.labels:
        result["relatedLocations"] = [
            _related_places(number, label, lines) for number, label in enumerate(finding.labels, 1)
        ]
    if finding.conflict is not None:
        result["properties"] = {"conflict": conflict_to_json(finding.conflict)}
    if finding.accepted:
        result["suppressions"] = [{"kind": "external", "justification": finding.accepted}]
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.fix)]
    return result


def _related_places(number: int, label: Label, lines: Lines) -> dict[str, Any]:
    return {
        "id": number,
        "message": {"text": label.text or "here"},
        "physicalLocation": _place(label.span, lines),
    }


def _place(span: Span, lines: Lines) -> dict[str, Any]:
    region = _region(span)
    if snippet := lines.under(span)[:MAX_SNIPPET]:
        region["snippet"] = {"text": snippet}
    return {"artifactLocation": {"uri": _uri(span.file)}, "region": region}


def _region(span: Span) -> dict[str, Any]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _uri(file: str) -> str:
    if PurePath(file).is_absolute():
        return Path(file).as_uri()
    return quote(PurePath(file).as_posix().encode("utf-8", "replace"))


def _fix(fix: Fix) -> dict[str, Any]:
    files = dict.fromkeys(edit.span.file for edit in fix.edits)
    changes = [
        {
            "artifactLocation": {"uri": _uri(file)},
            "replacements": [
                {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
                for edit in fix.edits
                if edit.span.file == file
            ],
        }
        for file in files
    ]
    return {"description": {"text": fix.title}, "artifactChanges": changes}
