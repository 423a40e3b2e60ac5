"""How many findings of one kind are shown: a mistake that is everywhere must not hide the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from rulekit.base.source import Span
from rulekit.diagnostics import kinds
from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.kinds import Kind, Severity

MOST_SHOWN = 100
"""Findings of one kind that are shown."""

FEWEST_ALIKE = 3
"""Notes alike of which the first stands for all."""
MOST_NAMED = 8
"""Names of others that the first of some notes lists."""

_OWN = re.compile(r"`[^`]*`|\d[\d,]*")
"""A name or a number in a message."""


def fold_notes(findings: Iterable[Diagnostic], is_listed: Callable[[Kind], bool]) -> tuple[Diagnostic, ...]:
    """Return the findings; of notes whose messages differ in names and numbers only, the first for all.

    Args:
        is_listed: Says for which kinds all notes are listed.
    """
    groups: dict[object, list[Diagnostic]] = {}
    for number, finding in enumerate(findings):
        form: object = number
        if finding.kind.severity is Severity.NOTE and not finding.accepted and not is_listed(finding.kind):
            form = (finding.kind.code, _OWN.sub("`", finding.message))
        groups.setdefault(form, []).append(finding)
    return tuple(
        finding
        for group in groups.values()
        for finding in (group if len(group) < FEWEST_ALIKE else [_with_others(*group)])
    )


def _with_others(first: Diagnostic, *others: Diagnostic) -> Diagnostic:
    """A note that stands for others too, which its hint names by what differs."""
    texts = [_OWN.findall(finding.message) for finding in (first, *others)]
    differs = next((at for at, values in enumerate(zip(*texts, strict=True)) if len(set(values)) > 1), None)
    named = [] if differs is None else list(dict.fromkeys(text[differs] for text in texts[1:]))
    more = f" and {len(named) - MOST_NAMED:,} more" if len(named) > MOST_NAMED else ""
    names = f": {', '.join(named[:MOST_NAMED])}{more}" if named else ""
    alike = f"the same at {len(others):,} other places{names} (`--select {first.kind.code}` lists them)"
    return replace(first, hint=f"{first.hint}; {alike}" if first.hint else alike)


def cap_findings(findings: Iterable[Diagnostic], most: int = MOST_SHOWN) -> tuple[Diagnostic, ...]:
    """Return the first findings of each kind, then for each kind a finding that counts those left out."""
    shown: list[Diagnostic] = []
    numbers: Counter[str] = Counter()
    first_left: dict[str, Diagnostic] = {}
    for finding in findings:
        code = finding.kind.code
        numbers[code] += 1
        if numbers[code] <= most:
            shown.append(finding)
        else:
            first_left.setdefault(code, finding)
    rest = (_rest(left.kind, numbers[code] - most, left.span) for code, left in sorted(first_left.items()))
    return (*shown, *rest)


def _rest(kind: Kind, number: int, span: Span) -> Diagnostic:
    findings = "1 more finding is" if number == 1 else f"{number:,} more findings are"
    message = f"{findings} not shown: {kind.code} {kind.name}"
    hint = "fix those above first, or use `rulekit check --all-findings`"
    return Diagnostic(
        kinds.MANY_FINDINGS, message, span, hint=hint, under="here is the next", key=(kind.code,)
    )
