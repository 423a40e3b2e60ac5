"""The register of kinds of findings: a code and a name each, never reused."""

from __future__ import annotations

import enum

from rulekit.base.frozen import frozen


class Severity(enum.StrEnum):
    """How much a finding weighs."""

    ERROR = "error"
    """It has no meaning: later stages stop."""
    WARNING = "warning"
    """It has a meaning, maybe not the author's."""
    UNDECIDED = "undecided"
    """Neither proved nor refuted: a check in which nothing else was found ends with 3, not with 1."""
    NOTE = "note"
    """Worth knowing; never makes a check fail."""


@frozen
class Kind:
    """A kind of finding.

    `code`: `RK` and three digits: 1xx syntax, 2xx names and files, 3xx types, 4xx lint, 5xx proof, 6xx data,
    7xx faults of play.  `name` reads well after "allow ...".  `title`: one line, no full stop.  `since`: the
    release that first reported it.  `gathers`: several with one id and message have one cause elsewhere, such
    as a name that nothing declares, and are told once with every place.
    """

    code: str
    name: str
    title: str
    severity: Severity
    since: str
    gathers: bool = False


_kinds: dict[str, Kind] = {}


def declare(
    code: str, name: str, title: str, severity: Severity, *, since: str, gathers: bool = False
) -> Kind:
    """Register a kind.

    Raises:
        ValueError: The code or the name is taken.
    """
    if code in _kinds or any(kind.name == name for kind in _kinds.values()):
        raise ValueError(f"kind {code} {name} is declared twice")
    kind = Kind(code, name, title, severity, since, gathers)
    _kinds[code] = kind
    return kind


def all_kinds() -> tuple[Kind, ...]:
    """Every registered kind, by code."""
    return tuple(_kinds[code] for code in sorted(_kinds))
