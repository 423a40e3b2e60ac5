"""`rulekit check SET`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared
from rulekit.cli.wishes import wish_of, with_wishes
from rulekit.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from rulekit.baseline import Known
    from rulekit.diagnostics.selecting import Wish

FORMATS = ("full", "concise", "json", "sarif", "github")


@click.command("check")
@click.argument("sets", nargs=-1, metavar="SET...")
@shared.with_options
@shared.with_format(*FORMATS)
@with_wishes
@click.option("--no-notes", is_flag=True, help="Leave out what is only worth knowing.")
@click.option("--show-accepted", is_flag=True, help="Tell what the set accepts too, with its reasons.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Only findings that FILE does not know fail.",
)
@click.option(
    "--write-baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write what is found to FILE, as known.",
)
@click.option("--require-proof", is_flag=True, help="What is undecided fails.")
def command(
    sets: tuple[str, ...],
    options: tuple[str, ...],
    overlays: tuple[Path, ...],
    output_format: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    level: tuple[str, ...],
    no_notes: bool,
    show_accepted: bool,
    baseline: Path | None,
    write_baseline: Path | None,
    require_proof: bool,
) -> None:
    """Find what a rule set gets wrong.

    Names, types, tables with gaps or overlaps, dangling names in data, citations of rules that are not
    printed, claims that do not hold; and, as notes, which facts are taken on trust.  Sets that have not
    changed are answered from the cache.  `check` and `accept` in `ruleset.yaml` say what a set wishes.

    Exits 0 if nothing but notes was found, 1 with findings, 2 if a set is not there, 3 if nothing was found
    but what could not be decided.
    """
    if not sets:
        known = ", ".join(shared.known_sets()) or "none"
        raise click.UsageError(f"name a rule set: a folder, or one that comes with rulekit ({known})")
    if baseline is not None and write_baseline is not None:
        raise click.UsageError("`--write-baseline` writes what is found, whatever `--baseline` knows")
    wish = wish_of(select, ignore, level)
    known_findings = _known(baseline)
    folders = [shared.locate(name) for name in sets]
    verdicts = [_verdict(folder, options, overlays, wish, known_findings) for folder in folders]
    if write_baseline is not None and not any(verdict.stopped for verdict in verdicts):
        _write(write_baseline, verdicts)
        return
    show_accepted = show_accepted or output_format == "sarif"  # it has a word for what is accepted
    told = [each for verdict in verdicts for each in verdict.told(show_accepted)]
    told = [each for each in told if not (no_notes and each.kind.severity is Severity.NOTE)]
    shared.tell(told, output_format)
    _sum_up(verdicts, [each for each in told if not each.accepted], output_format)
    if write_baseline is not None:
        shared.say(f"`{write_baseline}` is not written: errors must be mended first")
    sys.exit(_code(verdicts, require_proof))


@dataclass(frozen=True, slots=True)
class _Verdict:
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

    def told(self, show_accepted: bool) -> Sequence[Diagnostic]:
        """What is shown, in the order of places."""
        more = self.accepted if show_accepted else ()
        return sorted((*self.new, *more), key=lambda each: (each.span, each.kind.code, each.message))


def _known(baseline: Path | None) -> Known | None:
    if baseline is None:
        return None
    from rulekit.baseline import BadBaseline, read

    try:
        return read(baseline)
    except BadBaseline as error:
        raise shared.Failure(str(error)) from None


def _verdict(
    folder: Path, options: Sequence[str], overlays: Sequence[Path], wish: Wish, known: Known | None
) -> _Verdict:
    from rulekit.baseline import compared
    from rulekit.checking import check, located
    from rulekit.diagnostics.selecting import chosen

    checked = check(folder, options=options, overlays=overlays)
    beside = compared(checked.diagnostics, (known or {}).get(checked.name, {}))
    new, old = (chosen(found, (wish, checked.wish)) for found in (beside.new, beside.known))
    return _Verdict(
        checked.name,
        located(new, folder),
        tuple(each for each in old if each.kind.severity is not Severity.NOTE),
        located(checked.accepted, folder),
        beside.gone,
        any(each.kind.severity is Severity.ERROR for each in checked.diagnostics),
    )


def _write(path: Path, verdicts: Iterable[_Verdict]) -> None:
    from rulekit import baseline
    from rulekit.cli.files import write_whole

    found = {
        verdict.name: [each for each in verdict.new if each.kind.severity is not Severity.NOTE]
        for verdict in verdicts
    }
    write_whole(str(path), baseline.text(found))
    number = sum(map(len, found.values()))
    shared.say(f"{number} finding{'' if number == 1 else 's'} written to `{path}`")


def _sum_up(verdicts: Sequence[_Verdict], told: Sequence[Diagnostic], output_format: str) -> None:
    """How many there are of what, and what of the baseline is gone."""
    from rulekit.diagnostics.render_text import count

    if output_format in ("json", "sarif"):
        return
    accepted = sum(len(verdict.accepted) for verdict in verdicts)
    known = sum(len(verdict.known) for verdict in verdicts)
    more = [f"{accepted} accepted"] if accepted else []
    more += [f"{known} known"] if known else []
    click.echo("; ".join((count(told), *more)), err=True)
    for verdict in verdicts:
        for gone in verdict.gone:
            shared.say(f"the baseline knows `{gone}` of `{verdict.name}`, which is found no more")


def _code(verdicts: Sequence[_Verdict], require_proof: bool) -> int:
    found = [each for verdict in verdicts for each in verdict.new]
    severities = {each.kind.severity for each in found}
    if shared.unreadable(found):
        return shared.FAILED
    if severities & {Severity.ERROR, Severity.WARNING}:
        return shared.FINDINGS
    if Severity.UNDECIDED in severities:
        return shared.FINDINGS if require_proof else shared.UNDECIDED
    return 0
