"""`rulekit check SET`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulekit.base.files import excerpt
from rulekit.cli import shared, terminal
from rulekit.cli.check.outcome import Check, CheckOutcome, CheckRequest, exit_code, with_selection
from rulekit.diagnostics import Diagnostic, Severity, kinds
from rulekit.diagnostics.capping import cap_findings, fold_notes

if TYPE_CHECKING:
    from rulekit.analysis.proofs import Proof

MOST_GAMES = 1_000_000
FORMATS = ("full", "concise", "json", "sarif", "github")
PROOF_FORMATS = ("full", "concise", "json")


@click.command("check")
@click.argument("sets", nargs=-1, metavar="SET...")
@shared.with_options
@shared.with_format(*FORMATS)
@with_selection
@shared.flag("--as-printed", "Ignore errata, and report every contradiction in the booklet.")
@shared.flag("--no-notes", "Hide notes.")
@shared.flag("--show-accepted", "Also show accepted findings and the reasons.")
@shared.flag("--all-findings", "Show all findings, not only the first 100 of each kind.")
@shared.option("--baseline", "FILE", "Fail only on findings that are not in FILE.", type=shared.FILE)
@shared.option("--write-baseline", "FILE", "Save the current findings as a baseline.", type=shared.FILE)
@shared.option(
    "--write-examples", "FILE", "Save the situations behind findings as examples.", type=shared.FILE
)
@shared.option(
    "--play",
    "GAMES",
    "Look for faults by playing this many games of each scenario.",
    type=click.IntRange(1, MOST_GAMES),
)
@shared.option("--seed", "SEED", "Seed for the games of --play.", default="0")
@shared.option(
    "--write-replays",
    "FOLDER",
    "Save each game that ends in a fault. Replay it with `rulekit play --agents FILE`.",
    type=click.Path(path_type=Path, file_okay=False),
)
@shared.flag("--all-options", "Also check every option on its own, with its claims, and every preset.")
@shared.flag("--proofs", "Show what is proved, contradicted, undecided or not checked.")
@shared.flag("--require-proof", "Treat undecided findings as failures.")
@shared.flag("--fix", "Fix what can be fixed safely, then check.")
@shared.flag("--diff", "Show what --fix would change; write nothing.")
def command(**arguments: Any) -> None:
    """Check rule sets for mistakes and contradictions.

    Finds unknown names, wrong types, gaps and overlaps in tables, broken references in data, citations of
    rules that are not printed, and claims that the rules contradict. Also notes which facts are unverified.
    Results for unchanged rule sets come from the cache. Configure the check under `check` and `accept` in
    `ruleset.yaml`.

    Exit codes: 0 if there are only notes, 1 for errors or warnings, 2 if a rule set, a file of it or an
    option cannot be found or read, 3 if there is nothing worse than undecided findings. With --diff: 1 if
    --fix would change anything.
    """
    request = CheckRequest(**arguments)
    _refuse_conflicts(request)
    check, folders = Check(request), [shared.locate(name) for name in request.sets]
    if request.diff:
        from rulekit.cli.check.files import show_fixes

        changed = [show_fixes(folder, check.findings).changes for folder in folders]
        sys.exit(shared.FINDINGS if any(changed) else 0)
    if request.fix:
        from rulekit.cli.check.files import write_fixes

        for folder in folders:
            write_fixes(folder, check.findings)
    outcomes = []
    for folder in folders:
        with shared.elapsed(f"checking {terminal.in_one_line(folder.name)}"):
            outcomes.append(check.outcome(folder))
    if request.write_baseline is not None and not any(outcome.stopped for outcome in outcomes):
        from rulekit.cli.check.files import write_baseline

        write_baseline(request.write_baseline, outcomes)
        return
    _report(request, folders, outcomes)
    if request.write_baseline is not None:
        shared.say(f"`{request.write_baseline}` not written: fix the errors first")
    sys.exit(exit_code(outcomes, request.require_proof))


def _refuse_conflicts(request: CheckRequest) -> None:
    """Check that the arguments make sense together, or raise UsageError."""
    if not request.sets:
        known = ", ".join(shared.known_sets()) or "none"
        raise click.UsageError(f"missing rule set; name a folder or a bundled set ({known})")
    if request.baseline is not None and request.write_baseline is not None:
        raise click.UsageError("use either `--baseline` or `--write-baseline`, not both")
    if request.write_replays is not None and request.play is None:
        raise click.UsageError("`--write-replays` needs `--play`")
    if request.proofs and request.output_format not in PROOF_FORMATS:
        words = ", ".join(PROOF_FORMATS)
        raise click.UsageError(f"with `--proofs`, `--output-format` must be one of {words}")


def _report(request: CheckRequest, folders: Sequence[Path], outcomes: Sequence[CheckOutcome]) -> None:
    """Print findings and proofs, write the files asked for, and sum up."""
    with_accepted = request.show_accepted or request.output_format == "sarif"  # SARIF can mark them
    findings = [
        finding
        for outcome in outcomes
        for finding in outcome.printable_findings(with_accepted)
        if request.shows(finding)
    ]
    proofs = {
        folder.name: _located_proofs(outcome.proofs, folder)
        for folder, outcome in zip(folders, outcomes, strict=True)
        if request.proofs
    }
    taken = [] if request.asks_for(kinds.FACTS_ON_TRUST) else _on_trust(findings)
    listed = fold_notes((finding for finding in findings if finding not in taken), request.asks_for)
    shown = listed if request.all_findings else cap_findings(listed)
    _print(shown, proofs, request.output_format)
    if taken:
        head = f"note[{taken[0].kind.code} {taken[0].kind.name}]"
        note = (
            f"{len(taken)} tables and kinds have unverified facts; `--select {taken[0].kind.code}` lists them"
        )
        line = shared.fold_line(f"{head}: {note}", 2)
        if shown:
            terminal.echo()
        terminal.echo(terminal.style(head, "note") + line.removeprefix(head))
    if request.write_examples is not None:
        from rulekit.cli.check.files import write_examples

        write_examples(request.write_examples, findings)
    if request.write_replays is not None:
        from rulekit.cli.check.files import write_replays

        write_replays(request.write_replays, findings)
    if request.output_format not in ("json", "sarif"):
        _sum_up(outcomes, [finding for finding in findings if not finding.accepted])


def _on_trust(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the notes about unverified facts, if there are several: one line stands for them."""
    notes = [finding for finding in findings if finding.kind.code == kinds.FACTS_ON_TRUST.code]
    notes = [finding for finding in notes if finding.kind.severity is Severity.NOTE and not finding.accepted]
    return notes if len(notes) > 1 else []


def _located_proofs(proofs: Sequence[Proof] | None, folder: Path) -> tuple[Proof, ...]:
    """Return the proofs of one rule set, with places as the user would type them; none if it has errors."""
    if proofs is None:
        shared.say(f"no proofs for `{folder}`: fix the errors first")
        return ()
    return tuple(
        replace(proof, span=replace(proof.span, file=str(folder / proof.span.file))) for proof in proofs
    )


def _print(findings: Sequence[Diagnostic], proofs: Mapping[str, Sequence[Proof]], output_format: str) -> None:
    """Print findings, then the proofs of each rule set; JSON is one document with both."""
    if not proofs:
        shared.tell(findings, output_format, whole=True)
        return
    from rulekit.analysis.proofs import concise_lines, full_lines, proof_to_json

    if output_format == "json":
        from rulekit.diagnostics import render_json

        plain = {"proofs": [proof_to_json(proof) for of_set in proofs.values() for proof in of_set]}
        terminal.echo_exactly(render_json.render(findings, excerpt, plain).rstrip("\n"))
        return
    shared.tell(findings, output_format, whole=True)
    for name, of_set in proofs.items():
        for line in full_lines(name, of_set) if output_format == "full" else concise_lines(of_set):
            terminal.echo(line)


def _sum_up(outcomes: Sequence[CheckOutcome], findings: Sequence[Diagnostic]) -> None:
    """Print the number of findings by severity, and the baseline entries that no longer occur."""
    from rulekit.diagnostics.render_text import count

    accepted = sum(len(outcome.accepted) for outcome in outcomes)
    known = sum(len(outcome.known) for outcome in outcomes)
    more = [f"{accepted:,} accepted"] if accepted else []
    more += [f"{known:,} known"] if known else []
    terminal.echo("; ".join((count(findings), *more)), err=True)
    if fixable := sum(finding.fix is not None for finding in findings):
        terminal.echo(f"`--fix` can fix {fixable:,} of these; use `--diff` to preview", err=True)
    for outcome in outcomes:
        for gone in outcome.gone:
            shared.say(f"baseline entry `{gone}` no longer occurs in `{outcome.name}`")
