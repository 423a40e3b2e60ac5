"""What goes wrong while rules run."""

from __future__ import annotations

from typing import Final

from rulekit.ir import Site

NOT_A_VALUE: Final = "no-value"


class Fault(Exception):
    """The rules cannot go on from here.

    Attributes:
        code: What kind: `out-of-range`, `table-gap`, `empty-draw`, `no-group-left`, `endless-loop`, `budget`,
            `no-value`, `no-legal-option`, `undecided-choice`, `too-many-options`, `simultaneous-conflict`,
            `broken-invariant`, `division-by-zero`, `illegal-answer`, a code that the rules declare, or
            `internal`.
        message: One sentence in the rules' own names.
        site: Where in the rules; None if it is not known.
        labels: Where in play, outermost first: the steps and procedures that were open.
    """

    def __init__(
        self, code: str, message: str, site: Site | None = None, labels: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.site = site
        self.labels = labels

    def __str__(self) -> str:
        where = "" if self.site is None else f" ({', '.join(self.site.rules) or self.site.owner})"
        return f"{self.code}: {self.message}{where}"


class Finished(BaseException):
    """Ends the game from wherever it stands; raised by generated code, never seen by callers."""

    def __init__(self, result: object) -> None:
        super().__init__()
        self.result = result


class Unfed(Exception):
    """An example asks for a die, a draw or an answer that it does not give."""
