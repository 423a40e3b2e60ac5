"""Selection of findings: which kinds the check reports, and their severities.

A kind is named by its code (`RK402`), its name (`table-overlap`) or the beginning of its code (`RK4`).  The
closer name decides; of two that are as close, the one that leaves out.  Errors always remain errors: later
stages have not run, so that no other result could be relied on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulekit.base.frozen import frozen
from rulekit.base.spelling import meant
from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.kinds import Kind, Severity
from rulekit.diagnostics.pages import pages

_PREFIX = re.compile(r"RK\d{0,3}")
_WHOLE = 100


@frozen
class Selection:
    """The selection of the command line, or of the manifest.

    `select`: these alone, unless it is empty.  `ignore`: not these.  `level`: the severities of these.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    level: tuple[tuple[str, Severity], ...] = ()

    def includes(self, kind: Kind) -> bool | None:
        """True if findings of a kind are reported; None if this selection leaves it open."""
        selected, ignored = _closest(self.select, kind), _closest(self.ignore, kind)
        if ignored and ignored >= selected:
            return False
        return bool(selected) if self.select else None

    def severity(self, kind: Kind) -> Severity | None:
        """Return the severity of findings of a kind; None if this selection leaves it open."""
        levels = [(_close(name, kind), severity) for name, severity in self.level if _close(name, kind)]
        return max(levels, key=lambda level: level[0])[1] if levels else None


def select_findings(findings: Iterable[Diagnostic], selections: Iterable[Selection]) -> Iterator[Diagnostic]:
    """Yield the selected findings with their severities; the first selection with a decision counts."""
    in_order = tuple(selections)
    for finding in findings:
        kind = finding.kind
        if kind.severity is Severity.ERROR:
            yield finding
        elif next((yes for part in in_order if (yes := part.includes(kind)) is not None), True):
            severity = next((level for part in in_order if (level := part.severity(kind))), kind.severity)
            same = severity is kind.severity
            yield finding if same else replace(finding, kind=replace(kind, severity=severity))


def unknown(name: str) -> str | None:
    """Return a hint for a name that no kind has, as its name or the beginning of its code; else None."""
    known = {word for page in pages() for word in (page.code, page.name)}
    if name in known or _PREFIX.fullmatch(name) and any(word.startswith(name) for word in known):
        return None
    like = name.upper() if name[:2].upper() == "RK" else name.lower()
    near = meant(like[:5] if like[:5] in known else like, known)
    return near or "`RK4` selects RK401 to RK499"


def _closest(names: Iterable[str], kind: Kind) -> int:
    return max((_close(name, kind) for name in names), default=0)


def _close(name: str, kind: Kind) -> int:
    """Return how closely a name fits a kind; 0 if it does not."""
    if name in (kind.code, kind.name):
        return _WHOLE
    return len(name) if _PREFIX.fullmatch(name) and kind.code.startswith(name) else 0
