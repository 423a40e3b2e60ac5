"""Faults: errors of the rules during play."""

from __future__ import annotations

from typing import Final

from rulekit.diagnostics import Kind, all_kinds
from rulekit.ir import Site
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.types import Int, Month, month_text

NOT_A_VALUE: Final = "no-value"
NOT_GIVEN: Final = "not-given"
"""The name of the fault of chance that should be given and is not."""

KINDS: Final[dict[str, Kind]] = {kind.name: kind for kind in all_kinds() if "RK701" <= kind.code <= "RK714"}
"""The kinds of faults by name (spec 14.2)."""


class Fault(Exception):
    """The rules cannot go on from here.

    Attributes:
        name: Its kind: one of `KINDS`; a name that the rules declare; or, where the rules are not at fault,
            `illegal-answer`, `no-sequence`, `unknown-scenario` or `internal`.
        message: One sentence in the rules' own names.
        site: Where in the rules; None if it is not known.
        labels: Where in play, outermost first: the steps and procedures that were open.
        file: Of `missing-data`, the missing file of the owner.
        more: The content that this file needs: every table, column and row.
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


def out_of_range(what: str, kind: Int | Month, value: int) -> Fault:
    """Return the fault of a number that leaves the range of the thing that it is given to."""
    shown = month_text(value) if isinstance(kind, Month) else str(value)
    return Fault("out-of-range", texts.beyond(what, kind, shown))


class Finished(BaseException):
    """Ends the game from anywhere; raised by generated code, never seen by callers."""

    def __init__(self, result: object) -> None:
        super().__init__()
        self.result = result


class Unfed(Exception):
    """An example asks for a die, a draw or an answer that it does not give."""


def out_of_budget() -> Fault:
    """Return the fault of a step that would take more work than its budget."""
    return Fault("budget", texts.OVER_BUDGET)


def out_of_events() -> Fault:
    """Return the fault of a game that has left as many events as one may."""
    return Fault("budget", texts.TOO_MANY_EVENTS)
