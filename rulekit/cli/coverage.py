"""`rulekit coverage SET`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from rulekit.cli import shared


@click.command("coverage")
@click.argument("set_name", metavar="SET")
@shared.with_options
@click.option(
    "--games", type=click.IntRange(0, 100_000), default=20, show_default=True, help="Random games to play."
)
@click.option(
    "--chapter",
    "chapters",
    multiple=True,
    metavar="NAME",
    help="Only this chapter (repeatable); `2-18` is a range.",
)
@click.option(
    "-v", "--verbose", is_flag=True, help="Name the rules that are not exercised, and those not cited."
)
@click.option("--output-format", type=click.Choice(["full", "json"]), default="full", show_default=True)
def command(
    set_name: str,
    options: tuple[str, ...],
    overlays: tuple[Path, ...],
    games: int,
    chapters: tuple[str, ...],
    verbose: bool,
    output_format: str,
) -> None:
    """Count which printed rules are cited and exercised.

    A rule is cited by a construct that encodes it, exercised when that construct ran in an example or a
    random game, excused by a reason in `ruleset.yaml`.  Exits 1 if a rule is neither cited nor excused.
    """
    from rulekit.coverage import Exercise, only
    from rulekit.diagnostics import Report, RulesError
    from rulekit.driver import compile_rule_set
    from rulekit.play import Fault

    folder = shared.locate(set_name)
    try:
        compiled = compile_rule_set(folder, Report(), options=options, overlays=overlays)
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder)
    if not compiled.printed:
        raise shared.Failure(f"`{folder}` has no list of printed rules in `sources/`")
    exercise = Exercise(compiled)
    runner = exercise.examples()
    with shared.progress(compiled.program.examples, "examples") as bar:
        for example in bar:
            exercise.note(runner.run(example).sites)
    if compiled.program.entry:
        with shared.progress(range(games), "games") as bar:
            for seed in bar:
                try:
                    exercise.game(seed)
                except Fault as fault:
                    raise shared.Failure(f"the game with seed {seed} cannot go on: {fault}") from fault
    found = exercise.coverage()
    if chapters:
        found = only(found, _wanted(chapters))
    absent = sum(len(chapter.absent) for chapter in found.chapters)
    if output_format == "json":
        click.echo(
            json.dumps(
                {"chapters": [_as_json(c) for c in found.chapters], "unreached": found.unreached}, indent=1
            )
        )
    else:
        _table(found, verbose)
    sys.exit(shared.FINDINGS if absent else 0)


def _wanted(chapters: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for entry in chapters:
        low, dash, high = entry.partition("-")
        if dash and low.isdigit() and high.isdigit():
            found += [str(n) for n in range(int(low), int(high) + 1)]
        else:
            found.append(entry)
    return found


def _as_json(chapter: object) -> dict[str, object]:
    from dataclasses import asdict

    return asdict(chapter)  # type: ignore[call-overload, no-any-return]


def _table(found: object, verbose: bool) -> None:
    from rulekit.coverage import Coverage

    assert isinstance(found, Coverage)
    head = f"{'chapter':<34}{'printed':>8}{'cited':>7}{'exercised':>11}{'excused':>9}{'absent':>8}"
    click.echo(click.style(head, bold=True))
    sums = [0] * 5
    for chapter in found.chapters:
        title = f"{chapter.name}  {chapter.title}"
        counts = [
            len(part)
            for part in (chapter.printed, chapter.cited, chapter.exercised, chapter.excused, chapter.absent)
        ]
        sums = [a + b for a, b in zip(sums, counts, strict=True)]
        click.echo(f"{title[:33]:<34}{counts[0]:>8}{counts[1]:>7}{counts[2]:>11}{counts[3]:>9}{counts[4]:>8}")
        for word, rules in (("not exercised", chapter.missed), ("absent", chapter.absent)):
            if verbose and rules:
                click.echo(f"    {word}: {', '.join(rules)}")
    click.echo(
        click.style(f"{'all':<34}{sums[0]:>8}{sums[1]:>7}{sums[2]:>11}{sums[3]:>9}{sums[4]:>8}", bold=True)
    )
    share = f"{100 * sums[2] / sums[1]:.1f}%" if sums[1] else "none"
    click.echo(f"exercised of the cited: {share}")
    if found.unreached:
        click.echo(f"never reached: {', '.join(found.unreached)}")
