"""`rulekit odds SET WHAT`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared, terminal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulekit.reports.odds.asking import Asker
    from rulekit.runtime.odds.distribution import Distribution


@click.command("odds")
@shared.with_rule_set
@click.argument("what", metavar="WHAT...", nargs=-1, required=True)
@shared.option("--of", "EXPR", "Ask for this value at the end, instead of that of WHAT.", multiple=True)
@shared.option(
    "--given",
    "FACT",
    "Begin with this: `Alpha at Harbour`, `turn = 3`; `@FILE` takes the lines of a file.",
    multiple=True,
)
@shared.option("--scenario", "NAME", "Set up this scenario first.")
@shared.option("--answers", "ANSWERS", "Answer a choice: `target by Red: Alpha, Beta`.", multiple=True)
@shared.option(
    "--agents",
    "WHO",
    "Answer all other choices: first-legal, random (each as likely), none, or `FILE.py:NAME`, an agent of "
    "your own.",
    default="first-legal",
)
@shared.option(
    "--best",
    "CHOICE: EXPR",
    "Answer this choice so that a number or condition is as high as it can be: `target by Red: hits`.",
)
@shared.option(
    "--estimate", "N", "Estimate from N trials instead of following every outcome.", type=click.IntRange(1)
)
@shared.option("--seed", "SEED", "With --estimate: seed for the dice.", default="0")
@shared.option(
    "--seconds",
    "S",
    "Stop following after S seconds of processor time, and give bounds.",
    type=click.FloatRange(0, min_open=True),
    default=10.0,
)
@shared.option(
    "--situations",
    "N",
    "Stop following after N different situations, and give bounds.",
    type=click.IntRange(1),
    default=500_000,
)
@shared.flag("--exact", "Exit with 1 unless the answer is exact.")
@shared.flag("--fraction", "Print chances as fractions.")
@shared.flag("--joint", "With several --of: print the chance of each combination.")
@shared.option(
    "--vary",
    "FACT",
    "Ask once with each of these facts, and set the answers beside each other.",
    multiple=True,
)
@shared.option(
    "--compare others",
    "OPTION",
    "Ask also by the rules under this option instead; `base` is the rules without options.",
    multiple=True,
)
@shared.option("--plot", "FILE", "Draw the chances, as SVG or PNG by the end of the file's name.")
@shared.with_format("full", "json", "csv")
def command(
    rules: shared.ChosenRules,
    what: tuple[str, ...],
    of: tuple[str, ...],
    given: tuple[str, ...],
    scenario: str | None,
    answers: tuple[str, ...],
    agents: str,
    best: str | None,
    estimate: int | None,
    seed: str,
    seconds: float,
    situations: int,
    exact: bool,
    fraction: bool,
    joint: bool,
    vary: tuple[str, ...],
    others: tuple[str, ...],
    plot: str | None,
    output_format: str,
) -> None:
    """Work out the chances of what can happen.

    WHAT is a statement or the call of a procedure (`fire(Alpha, Beta)`), a roll (`roll attack(Alpha)`), an
    expression, or the name of a claim or example with `chance` lines. Several are run one after the other.

    Every outcome of every die is followed, so that the answer is exact: fractions, not samples. If that takes
    too long, the answer is bounded: the chance of what was followed, with the rest added to both ends. Use
    --estimate for a sample instead. A fault of play is an outcome like any other.
    """
    from rulekit.agents import BadAgent
    from rulekit.diagnostics import RulesError
    from rulekit.reports.odds.asking import POLICIES, Asker, NoOdds
    from rulekit.reports.odds.wording import QuestionText, given_lines
    from rulekit.runtime.odds.graph import Budget

    if exact and estimate is not None:
        raise click.UsageError("--exact and --estimate exclude each other")
    kind = _plot_kind(plot)
    folder = rules.folder
    askers: dict[str, Asker] = {}
    try:
        for options in (rules.options, shared.compared_options(others)):
            if options is not None:
                asker = Asker(folder, options=options, overlays=rules.overlays)
                askers[", ".join(options) or shared.BASE] = asker
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder, "json" if output_format == "json" else "full")
    for asker in askers.values():
        shared.known_scenario(asker.program, scenario)
    facts = [fact for text in given for fact in (given_lines(_lines(text)) if text[:1] == "@" else [text])]
    who = shared.agent_of(agents, POLICIES)

    def answer(asker: Asker, more: tuple[str, ...]) -> tuple[Distribution, ...]:
        wording = QuestionText(what, of, (*facts, *more), answers, scenario, best or "")
        try:
            if estimate is None:
                return asker.odds(wording, who, Budget(situations, seconds=seconds), joint=joint)
            together = asker.estimate(wording, who, estimate, shared.seed_of(seed))
            return (together,) if joint else tuple(map(together.of, together.names))
        except (NoOdds, BadAgent) as error:
            raise shared.Failure(str(error)) from error

    cases: dict[str, tuple[Distribution, ...]] = {}
    for name, asker in askers.items():
        for fact in vary or ("",):
            words = [*([name] if len(askers) > 1 else []), *([fact] if fact else [])]
            cases[" · ".join(words)] = answer(asker, (fact,) if fact else ())
    if len(cases) > 1:
        _show_cases(cases, plot, kind, output_format, fraction=fraction)
    else:
        (parts,) = cases.values()
        if plot is not None:
            _draw(parts, plot, kind)
        if output_format == "json":
            terminal.echo_json(parts[0].json() if len(parts) == 1 else [part.json() for part in parts])
        elif output_format == "csv":
            terminal.echo_exactly("\n".join(part.csv() for part in parts), nl=False)
        else:
            _print(parts, next(iter(askers.values())), fraction=fraction)
    answered = [part for parts in cases.values() for part in parts]
    inexact = next((part.kind for part in answered if part.kind != "exact"), None)
    if exact and inexact is not None:
        shared.say(f"the answer is {inexact}, not exact")
        sys.exit(shared.FINDINGS)


def _show_cases(
    cases: Mapping[str, Sequence[Distribution]],
    plot: str | None,
    kind: str,
    output_format: str,
    *,
    fraction: bool,
) -> None:
    """Draw and print the answers to one question in several cases."""
    from rulekit.reports.odds import cases as words
    from rulekit.reports.odds import table

    measures = [dict(zip(cases, parts, strict=True)) for parts in zip(*cases.values(), strict=True)]
    if plot is not None:
        _draw(measures, plot, kind)
    if output_format == "json":
        terminal.echo_json({case: [part.json() for part in parts] for case, parts in cases.items()})
        return
    if output_format == "csv":
        terminal.echo_exactly(words.as_csv(cases), nl=False)
        return
    for measure in measures:
        first = next(iter(measure.values()))
        terminal.echo(terminal.style(", ".join(first.names), "head"))
        for line in words.lines(measure, fractions=fraction):
            terminal.echo(line)
    inexact = {case: parts[0] for case, parts in cases.items() if parts[0].kind != "exact"}
    for case, part in inexact.items():
        terminal.echo(f"{case}: {table.summary(part)}")
    assumed = dict.fromkeys(filter(None, (table.assumption(parts[0]) for parts in cases.values())))
    for line in assumed:
        terminal.echo(line)
    for fault in dict.fromkeys(fault for parts in cases.values() for part in parts for fault in part.faults):
        terminal.echo(f"{fault}: {fault.message}")


def _plot_kind(plot: str | None) -> str:
    """The kind of a picture by the end of its file's name.

    Raises:
        UsageError: It is none that can be drawn.
    """
    kind = Path(plot or "plot.svg").suffix.removeprefix(".").lower()
    if kind not in ("svg", "png"):
        raise click.UsageError(f"`--plot {plot}`: the name of the file must end in `.svg` or `.png`")
    return kind


def _draw(parts: Sequence[Distribution | Mapping[str, Distribution]], name: str, kind: str) -> None:
    """Write a picture of distributions.

    Raises:
        Failure: Matplotlib is not installed, or the file cannot be written.
    """
    from rulekit.cli.files import write_bytes
    from rulekit.reports.odds.plots import NoPlots, picture

    try:
        drawn = picture(parts, kind)
    except (NoPlots, ValueError) as wrong:
        raise shared.Failure(str(wrong)) from wrong
    write_bytes({name: drawn})


def _lines(text: str) -> list[str]:
    """The lines of the file that is named after `@`."""
    from rulekit.base.files import UnreadableFile, read_named
    from rulekit.cli.files import MOST_LINES

    path = Path(text[1:])
    try:
        return read_named(path, MOST_LINES).decode("utf-8-sig").splitlines()
    except UnreadableFile as error:
        raise shared.Failure(f"`{path}` {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise shared.Failure(f"`{path}` cannot be read: it is not UTF-8 text") from error


def _print(parts: Sequence[Distribution], asker: Asker, *, fraction: bool) -> None:
    """Print a table for each thing that was asked for, and what is taken for granted."""
    from rulekit.reports.odds import table as words
    from rulekit.runtime.narrate.words import Words

    worst = max(parts, key=lambda part: part.left)
    cited = Words(asker.program, asker.compiled.rule_set.manifest.prefix).rules(worst.assumed.rules)
    terminal.echo(terminal.style(words.summary(worst), "quiet"))
    for part in parts:
        head = ", ".join(part.names)
        numbers = words.statistics(part)
        terminal.echo(terminal.style(head, "head") + (f"  {numbers}" if numbers else ""))
        for line in words.table(part, fractions=fraction):
            terminal.echo(line)
    if cited:
        terminal.echo(terminal.style(f"rules: {cited}", "quiet"))
    assumed = words.assumption(worst)
    if assumed:
        terminal.echo(assumed)
    for fault in dict.fromkeys(fault for part in parts for fault in part.faults):
        terminal.echo(f"{fault}: {fault.message}")
    if worst.kind == "bounded":
        hint = "allow more with --seconds or --situations, name answers with --answers, or use --estimate"
        terminal.echo(f"hint: {hint}")
