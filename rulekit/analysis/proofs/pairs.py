"""What is known of options that nobody chose: which were looked at together, which two never act together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rulekit.analysis.proofs.obligations import pair
from rulekit.analysis.proofs.record import Proof
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.compiler.incremental.workspace import Workspace
from rulekit.compiler.options.combinations import MOST_GROUPS, Options
from rulekit.diagnostics import Report, RulesError


def offered(
    compiled: Compiled, folder: Path, overlays: Iterable[Path], workspace: Workspace
) -> Iterator[Proof]:
    """The answers for every two options that may be chosen together.

    Args:
        compiled: The base.
    """
    manifest = compiled.rule_set.manifest
    if not manifest.options:
        return
    base = [item for module in compiled.modules for item in module.items]
    options = Options(manifest, base, workspace.parse, Report())
    told, failed = set[tuple[str, ...]](), 0
    groups = tuple(options.groups())
    for group in groups:
        try:
            together = compile_rule_set(
                folder, Report(), options=group, overlays=overlays, workspace=workspace
            )
        except RulesError:
            failed += 1
            continue
        for clash in together.names.clashes:
            if clash.finding.key not in told:
                told.add(clash.finding.key)
                yield pair(together, clash)
    subject, span = f"{options.pairs:,} pairs of options", manifest.options[0].span
    if options.untried:
        reason = f"{options.untried:,} of them were not"
        yield Proof("options", subject, "unknown", span, reason, MOST_GROUPS, len(groups))
    elif failed:
        reason = f"{failed} of {len(groups)} groups of options do not compile together"
        yield Proof("options", subject, "unknown", span, reason)
    elif options.pairs:
        number = f"{len(groups)} group{'' if len(groups) == 1 else 's'}"
        yield Proof("options", subject, "proved", span, f"in {number}", MOST_GROUPS)
