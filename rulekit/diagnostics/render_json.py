"""Findings for programs: JSON as `schemas/diagnostics.schema.json` describes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from rulekit.base.source import Span
from rulekit.diagnostics.conflict import Conflict
from rulekit.diagnostics.finding import Diagnostic, Fix, Replay
from rulekit.diagnostics.render_text import Lines, TextOf

FORMAT = 1
MAX_EXCERPT = 200
"""Characters of the underlined text that are quoted."""


def render(diagnostics: Iterable[Diagnostic], text_of: TextOf, more: Mapping[str, Any] | None = None) -> str:
    """Return one JSON object, with the fields `more` beside the findings; it ends with a line break."""
    lines = Lines(text_of)
    findings = [_finding(diagnostic, lines) for diagnostic in diagnostics]
    # Escapes keep a lone surrogate, which no encoding could write, from stopping the whole report.
    whole = {"format": FORMAT, "findings": findings, **(more or {})}
    return json.dumps(whole, indent=2, ensure_ascii=True) + "\n"


def _finding(diagnostic: Diagnostic, lines: Lines) -> dict[str, Any]:
    kind = diagnostic.kind
    return {
        "id": diagnostic.id,
        "code": kind.code,
        "name": kind.name,
        "title": kind.title,
        "severity": str(kind.severity),
        "message": diagnostic.message,
        "place": place_of(diagnostic.span),
        "text": lines.under(diagnostic.span)[:MAX_EXCERPT],
        "under": diagnostic.under,
        "labels": [{"place": place_of(label.span), "text": label.text} for label in diagnostic.labels],
        "hint": diagnostic.hint,
        "example": diagnostic.example,
        "replay": diagnostic.replay and _replay(diagnostic.replay),
        "conflict": diagnostic.conflict and conflict_to_json(diagnostic.conflict),
        "fix": diagnostic.fix and _fix(diagnostic.fix),
        "accepted": diagnostic.accepted or None,
    }


def _replay(replay: Replay) -> dict[str, Any]:
    return {"told": list(replay.words), "log": replay.log}


def _fix(fix: Fix) -> dict[str, Any]:
    edits = [{"place": place_of(edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "edits": edits}


def conflict_to_json(conflict: Conflict) -> dict[str, Any]:
    """Return the printed statements of a finding, and the reading that is played, as JSON."""
    played = conflict.played
    return {
        "printed": [asdict(statement) for statement in conflict.printed],
        "against": [asdict(statement) for statement in conflict.against],
        "instead": conflict.instead,
        "situation": conflict.situation,
        "rule": conflict.rule and place_of(conflict.rule),
        "played": played and asdict(played),
    }


def place_of(span: Span) -> dict[str, Any]:
    """Return a place as JSON: the file, and where in it the text begins and ends."""
    return asdict(span)
