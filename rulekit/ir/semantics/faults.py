"""What goes wrong while rules run."""

from __future__ import annotations

from typing import Final

from rulekit.diagnostics import Kind, Severity, declare
from rulekit.ir import Site

NOT_A_VALUE: Final = "no-value"

_TITLES = {
    "out-of-range": "a number beyond the range of what it is kept in",
    "no-row": "a table without a row for its keys",
    "missing-data": "a table of the owner's without its numbers",
    "no-value": "something is needed that is not there",
    "division-by-zero": "a division by zero",
    "empty-draw": "a draw where there is nothing to draw",
    "no-group-left": "a group is formed and all are in use",
    "simultaneous-conflict": "changes at one moment that disagree",
    "no-legal-option": "a choice that must be answered and cannot be",
    "undecided-choice": "options that were not found within the budget",
    "too-many-options": "more options than there may be",
    "endless-loop": "a loop that does not come to its end",
    "budget": "a step beyond its budget",
    "broken-invariant": "a promise that does not hold",
}

KINDS: Final[dict[str, Kind]] = {
    name: declare(f"RK{number}", name, title, Severity.ERROR, since="0.1.0")
    for number, (name, title) in enumerate(_TITLES.items(), 701)
}
"""The kinds of faults by name (spec 14.2)."""


class Fault(Exception):
    """The rules cannot go on from here.

    Attributes:
        name: What kind: one of `KINDS`; a name that the rules declare; or, where the rules are not at fault,
            `illegal-answer`, `no-sequence`, `unknown-scenario` or `internal`.
        message: One sentence in the rules' own names.
        site: Where in the rules; None if it is not known.
        labels: Where in play, outermost first: the steps and procedures that were open.
        file: Of `missing-data`, the owner's file that is wanted.
        more: What that file is to hold: every table, column and row.
    """

    def __init__(
        self,
        name: str,
        message: str,
        site: Site | None = None,
        labels: tuple[str, ...] = (),
        file: str = "",
        more: str = "",
    ) -> None:
        super().__init__(message)
        self.name = name
        self.message = message
        self.site = site
        self.labels = labels
        self.file = file
        self.more = more

    @property
    def code(self) -> str:
        """The code of its kind, `RK701` to `RK714`; empty for what is none of these."""
        return KINDS[self.name].code if self.name in KINDS else ""

    def __str__(self) -> str:
        where = "" if self.site is None else f" ({', '.join(self.site.rules) or self.site.owner})"
        return f"{self.code} {self.name}: {self.message}{where}".lstrip()


class Finished(BaseException):
    """Ends the game from wherever it stands; raised by generated code, never seen by callers."""

    def __init__(self, result: object) -> None:
        super().__init__()
        self.result = result


class Unfed(Exception):
    """An example asks for a die, a draw or an answer that it does not give."""
