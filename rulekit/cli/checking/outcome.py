"""What a check is asked at the command line, and what comes of it for one rule set."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.base.frozen import frozen
from rulekit.cli import shared
from rulekit.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from rulekit.analysis.check import Checked
    from rulekit.analysis.proofs.record import Proof
    from rulekit.diagnostics.baseline import Known
    from rulekit.diagnostics.selecting import Wish


@frozen
class Verdict:
    """What is told of one rule set, at its places.

    `new`: what the baseline does not know.  `known`: what it does, as far as it would fail.  `gone`: ids that
    it knows and that are found no more.  `stopped`: whether errors have kept later stages from looking.
    """

    name: str
    new: tuple[Diagnostic, ...]
    known: tuple[Diagnostic, ...]
    accepted: tuple[Diagnostic, ...]
    gone: tuple[str, ...]
    stopped: bool
    proofs: tuple[Proof, ...] | None = ()

    def told(self, show_accepted: bool) -> Sequence[Diagnostic]:
        """What is shown, in the order of places."""
        more = self.accepted if show_accepted else ()
        return sorted((*self.new, *more), key=lambda each: (each.span, each.kind.code, each.message))


@frozen
class Asked:
    """How rule sets are looked at, and what of it is to be told; `known`: what a baseline knows."""

    options: Sequence[str]
    overlays: Sequence[Path]
    all_options: bool
    as_printed: bool
    wish: Wish
    known: Known
    play: int = 0
    seed: str = "0"
    proofs: bool = False

    def verdict(self, folder: Path) -> Verdict:
        """What is to be told of a rule set."""
        from rulekit.analysis.check import located
        from rulekit.diagnostics.baseline import compared

        checked = self._checked(folder)
        beside = compared(checked.diagnostics, self.known.get(checked.name, {}))
        new, old = (self._chosen(found, checked) for found in (beside.new, beside.known))
        return Verdict(
            checked.name,
            located(new, folder),
            tuple(each for each in old if each.kind.severity is not Severity.NOTE),
            located(checked.accepted, folder),
            beside.gone,
            any(map(_stops, checked.diagnostics)),
            checked.proofs,
        )

    def found(self, copy: Path) -> Iterator[Diagnostic]:
        """What is to be told of a copy of a rule set that is looked at once."""
        checked = self._checked(copy, remember=False)
        yield from self._chosen(checked.diagnostics, checked)

    def _checked(self, folder: Path, remember: bool = True) -> Checked:
        from rulekit.analysis.check import SELDOM, check
        from rulekit.base.forks import cores
        from rulekit.reports.sheet import lint as lint_of_sheets

        if shared.Process.own:
            gc.set_threshold(SELDOM)  # else all that was made would be looked through behind the check
        return check(
            folder,
            options=self.options,
            overlays=self.overlays,
            each_option=self.all_options,
            as_printed=self.as_printed,
            play=self.play,
            seed=self.seed,
            proofs=self.proofs and remember,
            lints=(lint_of_sheets,),
            remember=remember,
            jobs=cores(),
        )

    def _chosen(self, found: Sequence[Diagnostic], checked: Checked) -> Iterator[Diagnostic]:
        from rulekit.diagnostics.selecting import chosen

        return chosen(found, (self.wish, checked.wish))


def _stops(found: Diagnostic) -> bool:
    """Whether later stages have not run; a fault of play is met when all of them have."""
    return found.kind.severity is Severity.ERROR and not found.kind.code.startswith("RK7")


def code_of(verdicts: Sequence[Verdict], require_proof: bool) -> int:
    """What the command ends with."""
    found = [each for verdict in verdicts for each in verdict.new]
    severities = {each.kind.severity for each in found}
    if shared.unreadable(found):
        return shared.FAILED
    if severities & {Severity.ERROR, Severity.WARNING}:
        return shared.FINDINGS
    if Severity.UNDECIDED in severities:
        return shared.FINDINGS if require_proof else shared.UNDECIDED
    return 0
