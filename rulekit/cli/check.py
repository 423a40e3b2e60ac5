"""`rulekit check SET`."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared
from rulekit.cli.checking import proofs as own_proofs
from rulekit.cli.checking.outcome import Asked, Verdict, code_of
from rulekit.cli.checking.selection import wish_of, with_wishes
from rulekit.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from rulekit.analysis.proofs.record import Proof
    from rulekit.diagnostics.baseline import Known

_UNNAMED = re.compile(r"[^\w.-]+")
MOST_NAME = 80
"""Characters of the name of a file."""
MOST_GAMES = 1_000_000
FORMATS = ("full", "concise", "json", "sarif", "github")


@click.command("check")
@click.argument("sets", nargs=-1, metavar="SET...")
@shared.with_options
@shared.with_format(*FORMATS)
@with_wishes
@click.option(
    "--as-printed", is_flag=True, help="Ignore errata, and report every contradiction in the booklet."
)
@click.option("--no-notes", is_flag=True, help="Hide notes.")
@click.option("--show-accepted", is_flag=True, help="Also show accepted findings and the reasons.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Fail only on findings that are not in FILE.",
)
@click.option(
    "--write-baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save the current findings as a baseline.",
)
@click.option(
    "--write-examples",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save the situations behind findings as examples.",
)
@click.option(
    "--play",
    type=click.IntRange(1, MOST_GAMES),
    metavar="GAMES",
    help="Look for faults by playing this many games of each scenario.",
)
@click.option("--seed", metavar="SEED", default="0", show_default=True, help="Seed for the games of --play.")
@click.option(
    "--write-replays",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Save each game that ends in a fault. Replay it with `rulekit play --agents FILE`.",
)
@click.option(
    "--all-options",
    is_flag=True,
    help="Also check every option on its own, with its claims, and every preset.",
)
@click.option("--proofs", is_flag=True, help="Show what is proved, contradicted, undecided or not checked.")
@click.option("--require-proof", is_flag=True, help="Treat undecided findings as failures.")
@click.option("--fix", is_flag=True, help="Fix what can be fixed safely, then check.")
@click.option("--diff", is_flag=True, help="Show what --fix would change; write nothing.")
def command(
    sets: tuple[str, ...],
    options: tuple[str, ...],
    overlays: tuple[Path, ...],
    output_format: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    level: tuple[str, ...],
    as_printed: bool,
    no_notes: bool,
    show_accepted: bool,
    baseline: Path | None,
    write_baseline: Path | None,
    write_examples: Path | None,
    play: int | None,
    seed: str,
    write_replays: Path | None,
    all_options: bool,
    proofs: bool,
    require_proof: bool,
    fix: bool,
    diff: bool,
) -> None:
    """Check rule sets for mistakes and contradictions.

    Finds unknown names, wrong types, gaps and overlaps in tables, broken references in data, citations of
    rules that are not printed, and claims that the rules contradict. Also notes which facts are unverified.
    Results for unchanged rule sets come from the cache. Configure the check under `check` and `accept` in
    `ruleset.yaml`.

    Exit codes: 0 if there are only notes, 1 for errors or warnings, 2 if a rule set or an option cannot be
    found, 3 if there is nothing worse than undecided findings. With --diff: 1 if --fix would change anything.
    """
    if not sets:
        known = ", ".join(shared.known_sets()) or "none"
        raise click.UsageError(f"missing rule set; name a folder or a bundled set ({known})")
    if baseline is not None and write_baseline is not None:
        raise click.UsageError("use either `--baseline` or `--write-baseline`, not both")
    if write_replays is not None and play is None:
        raise click.UsageError("`--write-replays` needs `--play`")
    if proofs and output_format not in own_proofs.FORMATS:
        words = ", ".join(own_proofs.FORMATS)
        raise click.UsageError(f"with `--proofs`, `--output-format` must be one of {words}")
    wish = wish_of(select, ignore, level)
    asked = Asked(options, overlays, all_options, as_printed, wish, _known(baseline), play or 0, seed, proofs)
    folders = [shared.locate(name) for name in sets]
    if diff:
        sys.exit(_shown(folders, asked))
    if fix:
        from rulekit.cli.checking.fix import mend

        for folder in folders:
            mend(folder, asked.found)
    verdicts = [asked.verdict(folder) for folder in folders]
    if write_baseline is not None and not any(verdict.stopped for verdict in verdicts):
        _write(write_baseline, verdicts)
        return
    show_accepted = show_accepted or output_format == "sarif"  # it has a word for what is accepted
    told = [each for verdict in verdicts for each in verdict.told(show_accepted)]
    told = [each for each in told if not (no_notes and each.kind.severity is Severity.NOTE)]
    answers = {
        folder: own_proofs.located(verdict.proofs, folder)
        for folder, verdict in zip(folders, verdicts, strict=True)
        if proofs
    }
    _tell(told, {folder.name: found for folder, found in answers.items()}, output_format)
    if write_examples is not None:
        _write_examples(write_examples, told)
    if write_replays is not None:
        _write_replays(write_replays, told)
    _sum_up(verdicts, [each for each in told if not each.accepted], output_format)
    if write_baseline is not None:
        shared.say(f"`{write_baseline}` not written: fix the errors first")
    sys.exit(code_of(verdicts, require_proof))


def _tell(told: Sequence[Diagnostic], proofs: Mapping[str, Sequence[Proof]], output_format: str) -> None:
    """Write findings, and the proofs that are wished behind them."""
    if proofs and output_format == "json":
        from rulekit.diagnostics import render_json

        text = render_json.render(told, shared.text_of, own_proofs.as_json(proofs))
        click.echo(text.rstrip("\n"))
        return
    shared.tell(told, output_format)
    own_proofs.tell(proofs, output_format)


def _shown(folders: Sequence[Path], asked: Asked) -> int:
    """Show what fixes would change; the exit code says whether anything would."""
    from rulekit.cli.checking.fix import show

    changes = [change for folder in folders for change in show(folder, asked.found).changes]
    return shared.FINDINGS if changes else 0


def _known(baseline: Path | None) -> Known:
    if baseline is None:
        return {}
    from rulekit.diagnostics.baseline import BadBaseline, read

    try:
        return read(baseline)
    except BadBaseline as error:
        raise shared.Failure(str(error)) from None


def _write(path: Path, verdicts: Iterable[Verdict]) -> None:
    from rulekit.cli.files import write_whole
    from rulekit.diagnostics import baseline

    found = [
        (verdict.name, [each for each in verdict.new if each.kind.severity is not Severity.NOTE])
        for verdict in verdicts
    ]
    write_whole(str(path), baseline.text(found))
    number = sum(len(findings) for _, findings in found)
    shared.say(f"saved {number} finding{'' if number == 1 else 's'} to `{path}`")


def _write_examples(path: Path, told: Iterable[Diagnostic]) -> None:
    """The situations that were told, each under what was found; nothing is written without any."""
    from rulekit.cli.files import write_whole

    shown = [each for each in told if each.example]
    if not shown:
        shared.say(f"`{path}` not written: no finding has a situation that can be an example")
        return
    titles: Counter[str] = Counter()
    parts = []
    for each in shown:
        first, _, rest = each.example.partition("\n")
        titles[first] += 1
        if titles[first] > 1:  # a rule set has one example of a name
            first = first.removesuffix('":') + f' ({titles[first]})":'
        parts.append(f"# {each.id}\n# {each.message}\n{first}\n{rest}")
    write_whole(str(path), "\n".join(parts))
    shared.say(f"saved {len(shown)} example{'' if len(shown) == 1 else 's'} to `{path}`")


def _write_replays(folder: Path, told: Iterable[Diagnostic]) -> None:
    """The games that were told, a file each, named after the finding; nothing is written without any."""
    from rulekit.cli.files import write_whole

    written: Counter[str] = Counter()
    for each in told:
        if each.replay is None:
            continue
        name = _UNNAMED.sub("-", each.id.replace("play ", "")).strip("-")[:MOST_NAME]
        written[name] += 1
        path = folder / f"{name}{'' if written[name] == 1 else f'-{written[name]}'}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise shared.Failure(f"cannot create `{folder}`: {error.strerror}") from error
        write_whole(str(path), each.replay.log)
        shared.say(f"saved a replay to `{path}`")
    if not written:
        shared.say(f"no replay saved to `{folder}`: no game ended in a fault")


def _sum_up(verdicts: Sequence[Verdict], told: Sequence[Diagnostic], output_format: str) -> None:
    """How many there are of what, and what of the baseline is gone."""
    from rulekit.diagnostics.render_text import count

    if output_format in ("json", "sarif"):
        return
    accepted = sum(len(verdict.accepted) for verdict in verdicts)
    known = sum(len(verdict.known) for verdict in verdicts)
    more = [f"{accepted} accepted"] if accepted else []
    more += [f"{known} known"] if known else []
    click.echo("; ".join((count(told), *more)), err=True)
    if mendable := sum(each.fix is not None for each in told):
        click.echo(f"`--fix` can fix {mendable} of these; use `--diff` to preview", err=True)
    for verdict in verdicts:
        for gone in verdict.gone:
            shared.say(f"baseline entry `{gone}` no longer occurs in `{verdict.name}`")
