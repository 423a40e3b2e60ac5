"""Findings as plain JSON values and back, for the cache: what comes back is checked as a stranger's."""

from __future__ import annotations

from typing import Any

from rulekit.base.source import Span
from rulekit.diagnostics.finding import Diagnostic, Edit, Fix, Label, Replay
from rulekit.diagnostics.kinds import Kind, Severity


def to_plain(found: Diagnostic) -> list[Any]:
    """A finding as lists, texts and numbers."""
    kind = found.kind
    return [
        [kind.code, kind.name, kind.title, kind.severity.value, kind.since, kind.gathers],
        found.message,
        _span(found.span),
        [[_span(label.span), label.text] for label in found.labels],
        found.hint,
        found.under,
        list(found.key),
        found.fix and [found.fix.title, [[_span(edit.span), edit.text] for edit in found.fix.edits]],
        found.accepted,
        found.example,
        found.replay and [list(found.replay.told), found.replay.log],
    ]


def from_plain(plain: Any) -> Diagnostic:
    """The same finding.

    Raises:
        ValueError, TypeError, IndexError, KeyError: `plain` is none.
    """
    kind, message, span, labels, hint, under, key, fix, accepted, example, replay = plain
    code, name, title, severity, since, gathers = kind
    return Diagnostic(
        Kind(code, name, title, Severity(severity), since, bool(gathers)),
        message,
        Span(*span),
        tuple(Label(Span(*at), text) for at, text in labels),
        hint,
        under,
        tuple(key),
        fix and Fix(fix[0], tuple(Edit(Span(*at), text) for at, text in fix[1])),
        accepted,
        example,
        replay and Replay(tuple(replay[0]), replay[1]),
    )


def _span(at: Span) -> list[Any]:
    return [at.file, at.line, at.column, at.end_line, at.end_column]
