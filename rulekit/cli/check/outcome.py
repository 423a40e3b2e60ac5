"""The arguments of `rulekit check`, which findings they select, and its outcome for one rule set."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.base.frozen import frozen
from rulekit.cli import shared
from rulekit.diagnostics import Diagnostic, Severity
from rulekit.diagnostics.kinds import Kind
from rulekit.diagnostics.selecting import Selection, unknown

if TYPE_CHECKING:
    from rulekit.analysis.acceptance import Checked
    from rulekit.analysis.proofs import Proof
    from rulekit.diagnostics.baseline import Known


LEVELS = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


def with_selection(command: shared.Command) -> shared.Command:
    """Add `--select`, `--ignore` and `--level` to a command."""
    for name, metavar, text in (
        ("level", "CODE=LEVEL", "Report findings of this code as `error`, `warning` or `note`."),
        ("ignore", "CODES", "Do not report these findings."),
        ("select", "CODES", "Report only these findings: codes, names, or prefixes such as `RK4`."),
    ):
        command = shared.option(f"--{name}", metavar, text, multiple=True)(command)
    return command


def selection_of(select: Iterable[str], ignore: Iterable[str], level: Iterable[str]) -> Selection:
    """Return the selection of these arguments; codes may be separated by commas.

    Raises:
        Failure: A code or a level is unknown.
    """
    return Selection(_kinds(select), _kinds(ignore), tuple(map(_level, level)))


def _kinds(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(_kind(code.strip()) for text in texts for code in text.split(","))


def _kind(name: str) -> str:
    hint = unknown(name)
    if hint is not None:
        raise shared.Failure(f"unknown code `{name}`; {hint}")
    return name


def _level(text: str) -> tuple[str, Severity]:
    code, equals, word = text.partition("=")
    if not equals or word.strip() not in LEVELS:
        words = ", ".join(f"`{level}`" for level in LEVELS)
        raise shared.Failure(f"`--level {text}`: expected CODE=LEVEL, with one of {words} as the level")
    return _kind(code.strip()), Severity(word.strip())


@frozen
class CheckRequest:
    """The arguments of `rulekit check`, one field each; the help of the command describes them."""

    sets: tuple[str, ...]
    options: tuple[str, ...]
    overlays: tuple[Path, ...]
    output_format: str
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    level: tuple[str, ...]
    as_printed: bool
    no_notes: bool
    show_accepted: bool
    all_findings: bool
    baseline: Path | None
    write_baseline: Path | None
    write_examples: Path | None
    play: int | None
    seed: str
    write_replays: Path | None
    all_options: bool
    proofs: bool
    require_proof: bool
    fix: bool
    diff: bool

    def shows(self, finding: Diagnostic) -> bool:
        """Return whether a finding is printed, accepted or not."""
        return not (self.no_notes and finding.kind.severity is Severity.NOTE)

    def asks_for(self, kind: Kind) -> bool:
        """Return whether findings of a kind are listed one by one: for programs, or if it is named."""
        selected = [code.strip() for text in self.select for code in text.split(",")]
        named = any(kind.name == code or kind.code.startswith(code) for code in selected)
        return self.all_findings or self.output_format != "full" or named


@frozen
class CheckOutcome:
    """The findings of one rule set, with places as the user would type them.

    Attributes:
        new: Findings that are not in the baseline.
        known: Findings in the baseline that would fail without it.
        gone: Ids in the baseline that no longer occur.
        stopped: Whether errors kept later stages from running.
        proofs: The proofs asked for; None if errors prevent them.
    """

    name: str
    new: tuple[Diagnostic, ...]
    known: tuple[Diagnostic, ...]
    accepted: tuple[Diagnostic, ...]
    gone: tuple[str, ...]
    stopped: bool
    proofs: tuple[Proof, ...] | None = ()

    def printable_findings(self, with_accepted: bool) -> Sequence[Diagnostic]:
        """Return the findings to print, in the order of their places."""
        more = self.accepted if with_accepted else ()
        return sorted((*self.new, *more), key=lambda f: (f.span, f.kind.code, f.message))


class Check:
    """Checks rule sets as a request says."""

    def __init__(self, request: CheckRequest) -> None:
        """Raise Failure for an unknown code or level, or an unreadable baseline."""
        self._request = request
        self._selection = selection_of(request.select, request.ignore, request.level)
        self._baseline = _baseline(request.baseline)

    def outcome(self, folder: Path) -> CheckOutcome:
        """Check a rule set and compare it with the baseline."""
        from rulekit.analysis.check import relocate
        from rulekit.diagnostics.baseline import compare

        checked = self._check(folder)
        parts = compare(checked.diagnostics, self._baseline.get(checked.name, {}))
        new, known = (self._select(findings, checked) for findings in (parts.new, parts.known))
        return CheckOutcome(
            checked.name,
            relocate(new, folder),
            tuple(finding for finding in known if finding.kind.severity is not Severity.NOTE),
            relocate(checked.accepted, folder),
            parts.gone,
            any(map(_stops, checked.diagnostics)),
            checked.proofs,
        )

    def findings(self, copy: Path) -> Iterator[Diagnostic]:
        """Check a copy of a rule set without the cache, and without the baseline."""
        checked = self._check(copy, remember=False)
        yield from self._select(checked.diagnostics, checked)

    def _check(self, folder: Path, remember: bool = True) -> Checked:
        from rulekit.analysis.check import check
        from rulekit.base.forks import cores
        from rulekit.base.garbage import SELDOM
        from rulekit.reports.sheet import lint as lint_of_sheets

        request = self._request
        if shared.Process.own:
            gc.set_threshold(SELDOM)  # the process ends with the check: collecting garbage would not pay
        return check(
            folder,
            options=request.options,
            overlays=request.overlays,
            each_option=request.all_options,
            as_printed=request.as_printed,
            play=request.play or 0,
            seed=request.seed,
            proofs=request.proofs and remember,
            lints=(lint_of_sheets,),
            remember=remember,
            jobs=cores(),
        )

    def _select(self, findings: Sequence[Diagnostic], checked: Checked) -> Iterator[Diagnostic]:
        from rulekit.diagnostics.selecting import select_findings

        return select_findings(findings, (self._selection, checked.wish))


def _baseline(path: Path | None) -> Known:
    if path is None:
        return {}
    from rulekit.diagnostics.baseline import BadBaseline, read

    try:
        return read(path)
    except BadBaseline as error:
        raise shared.Failure(str(error)) from None


def _stops(finding: Diagnostic) -> bool:
    """Return whether later stages did not run; a fault in play is an error of the last stage."""
    return finding.kind.severity is Severity.ERROR and not finding.kind.code.startswith("RK7")


def exit_code(outcomes: Sequence[CheckOutcome], require_proof: bool) -> int:
    """Return the exit code of the command."""
    findings = [finding for outcome in outcomes for finding in outcome.new]
    severities = {finding.kind.severity for finding in findings}
    if shared.unreadable(findings):
        return shared.FAILED
    if severities & {Severity.ERROR, Severity.WARNING}:
        return shared.FINDINGS
    if Severity.UNDECIDED in severities:
        return shared.FINDINGS if require_proof else shared.UNDECIDED
    return 0
