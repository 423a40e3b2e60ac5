"""Which findings are told, and how much they weigh: what somebody wishes, kind by kind.

A kind is named by its code (`RK402`), its name (`table-overlap`) or the beginning of its code (`RK4`).  The
closer name decides; of two that are as close, leaving out.  Errors are always told, as errors: later stages
have not run, so that nothing else that is told, or not told, could be relied on.
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
    """What one of those who may wish says: the command line, or the manifest.

    `select`: these alone, unless it is empty.  `ignore`: not these.  `level`: what these weigh.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    level: tuple[tuple[str, Severity], ...] = ()

    def tells(self, kind: Kind) -> bool | None:
        """Whether findings of a kind are told; None if that is not said."""
        wanted, unwanted = _closest(self.select, kind), _closest(self.ignore, kind)
        if unwanted and unwanted >= wanted:
            return False
        return bool(wanted) if self.select else None

    def weight(self, kind: Kind) -> Severity | None:
        """What findings of a kind weigh; None if that is not said."""
        met = [(_close(name, kind), severity) for name, severity in self.level if _close(name, kind)]
        return max(met, key=lambda each: each[0])[1] if met else None


def select_findings(findings: Iterable[Diagnostic], wishes: Iterable[Selection]) -> Iterator[Diagnostic]:
    """The findings that are told, with what they weigh; of several wishes the first that says so decides."""
    said = tuple(wishes)
    for found in findings:
        kind = found.kind
        if kind.severity is Severity.ERROR:
            yield found
            continue
        told = [each for each in (wish.tells(kind) for wish in said) if each is not None]
        weights = [each for each in (wish.weight(kind) for wish in said) if each is not None]
        weight = weights[0] if weights else kind.severity
        if all(told[:1]):
            yield found if weight is kind.severity else replace(found, kind=replace(kind, severity=weight))


def unknown(name: str) -> str | None:
    """What to say to a name that no kind of finding has, nor begins with; None for all others."""
    known = {each for page in pages() for each in (page.code, page.name)}
    if name in known or _PREFIX.fullmatch(name) and any(each.startswith(name) for each in known):
        return None
    like = name.upper() if name[:2].upper() == "RK" else name.lower()
    near = meant(like[:5] if like[:5] in known else like, known)
    return near or "`RK4` selects RK401 to RK499"


def _closest(names: Iterable[str], kind: Kind) -> int:
    return max((_close(name, kind) for name in names), default=0)


def _close(name: str, kind: Kind) -> int:
    """How close a name comes to a kind; 0 if it does not mean it."""
    if name in (kind.code, kind.name):
        return _WHOLE
    return len(name) if _PREFIX.fullmatch(name) and kind.code.startswith(name) else 0
