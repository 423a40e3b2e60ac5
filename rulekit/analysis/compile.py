"""Compiling a rule set to play or check it: the stages of the driver, then the amendments that clash."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.compiler.incremental import Workspace
from rulekit.diagnostics import Report

if TYPE_CHECKING:
    from rulekit.analysis.clashes import JudgedClash


def compile_without_clashes(
    folder: Path,
    report: Report,
    *,
    options: Iterable[str] = (),
    overlays: Iterable[Path] = (),
    workspace: Workspace | None = None,
) -> Compiled:
    """Compile a rule set's folder; amendments that clash in some situation are errors.

    Arguments as for `compile_rule_set`.

    Raises:
        RulesError: Some stage has found an error, or amendments clash.
    """
    compiled = compile_rule_set(folder, report, options=options, overlays=overlays, workspace=workspace)
    check_clashes(compiled, report)
    report.stop_on_error()
    return compiled


def check_clashes(compiled: Compiled, report: Report) -> tuple[JudgedClash, ...]:
    """Report the amendments that clash in some situation, and return the verdicts on all."""
    if not compiled.names.clashes:
        return ()
    from rulekit.analysis.clashes import judge_clashes, report_clashes  # which load the prover

    judged = tuple(judge_clashes(compiled))
    report_clashes(compiled, judged, report)
    return judged
