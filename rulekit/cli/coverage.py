"""`rulekit coverage SET`."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.analysis.coverage import Chapter, Coverage, CoverageRun
    from rulekit.compiler.driver import Compiled

WIDE = 34
"""Cells of the first column: a chapter's number and title."""


@click.command("coverage")
@shared.with_rule_set
@shared.option("--games", "N", "Number of random games.", type=click.IntRange(0, 100000), default=20)
@shared.option(
    "--chapter chapters", "NAME", "Report only this chapter, or a range such as `2-18`.", multiple=True
)
@shared.flag("-v --verbose", "Also list the rules that are not exercised and those not cited.")
@shared.with_format("full", "json")
def command(
    rules: shared.ChosenRules,
    games: int,
    chapters: tuple[str, ...],
    verbose: bool,
    output_format: str,
) -> None:
    """Report which printed rules are cited and exercised.

    The list of printed rules is in `sources/`. A rule is *cited* if a line of the rules cites it,
    *exercised* if such a line ran in an example or a random game, *exempt* if `ruleset.yaml` gives a reason,
    *optional* if only options that are off cite it, and *missing* otherwise.

    Exits with 1 if a rule is missing.
    """
    from rulekit.analysis.coverage import CoverageRun, only

    compiled = rules.compile(output_format)
    if not compiled.printed:
        raise shared.Failure(f"`{rules.name}` has no list of printed rules; add one to `sources/`")
    wanted = _chapters_named(chapters, compiled)
    exercise = CoverageRun(compiled)
    _run(exercise, games)
    coverage = exercise.coverage()
    if wanted:
        coverage = only(coverage, wanted)
    if output_format == "json":
        shown = {
            "format": 1,
            "chapters": [asdict(chapter) for chapter in coverage.chapters],
            "unreached": coverage.unreached,
        }
        click.echo(json.dumps(shown, ensure_ascii=False, indent=1))
    else:
        for line in _table(coverage, verbose):
            click.echo(line)
    sys.exit(shared.FINDINGS if any(chapter.absent for chapter in coverage.chapters) else 0)


def _run(exercise: CoverageRun, games: int) -> None:
    from rulekit.runtime.play import Fault

    runner = exercise.examples()
    with shared.progress(exercise.program.examples, "examples") as bar:
        for example in bar:
            exercise.note(runner.run(example).sites)
    if not exercise.program.entry:
        return
    stopped: dict[str, int] = {}
    with shared.progress(range(games), "games") as bar:
        for seed in bar:
            try:
                exercise.game(seed)
            except Fault as fault:
                if fault.name != "missing-data":
                    raise shared.Failure(f"the game with seed {seed} stopped: {fault}") from fault
                stopped[fault.message] = stopped.get(fault.message, 0) + 1
    for message, many in stopped.items():
        click.echo(f"{many} of {games} games stopped because data is missing: {message}", err=True)


def _chapters_named(chapters: tuple[str, ...], compiled: Compiled) -> list[str]:
    """Return the chapters asked for, or raise Failure for an unknown one."""
    from rulekit.analysis.coverage import chapter_of

    known = dict.fromkeys(chapter_of(compiled, rule.id) for rules in compiled.printed for rule in rules.rules)
    wanted: list[str] = []
    for entry in chapters:
        low, dash, high = entry.partition("-")
        if dash and low.isdecimal() and high.isdecimal():
            meant = [str(number) for number in range(int(low), int(high) + 1) if str(number) in known]
        else:
            meant = [entry] if entry in known else []
        if not meant:
            raise shared.Failure(f"unknown chapter `{entry}`; chapters: {', '.join(known)}")
        wanted += meant
    return wanted


def _table(found: Coverage, verbose: bool) -> Iterator[str]:
    optional = any(chapter.optional for chapter in found.chapters)
    head = f"{'chapter':<{WIDE}}{'printed':>8}{'cited':>7}{'exercised':>11}{'exempt':>9}"
    yield click.style(head + (f"{'optional':>10}" if optional else "") + f"{'missing':>8}", bold=True)
    rows = [_counts(chapter) for chapter in found.chapters]
    for chapter, row in zip(found.chapters, rows, strict=True):
        yield _row(_shorten(f"{chapter.name}  {chapter.title}"), row, optional)
        for word, rules in (("not exercised", chapter.missed), ("missing", chapter.absent)):
            if verbose and rules:
                words = f"{word}: {', '.join(rules)}"
                yield textwrap.fill(words, 100, initial_indent="    ", subsequent_indent="      ")
    sums = tuple(map(sum, zip(*rows, strict=True))) or (0,) * 6
    yield click.style(_row("all", sums, optional), bold=True)
    yield f"{100 * sums[2] / sums[1]:.1f}% of cited rules exercised" if sums[1] else "no rules are cited"
    if found.unreached:
        words = f"never reached: {', '.join(found.unreached)}"
        yield textwrap.fill(words, 100, subsequent_indent="  ")


def _counts(chapter: Chapter) -> tuple[int, ...]:
    cited = (chapter.printed, chapter.cited, chapter.exercised)
    return tuple(map(len, (*cited, chapter.excused, chapter.optional, chapter.absent)))


def _row(title: str, counts: tuple[int, ...], optional: bool) -> str:
    printed, cited, exercised, excused, chosen, absent = counts
    middle = f"{chosen:>10}" if optional else ""
    return f"{title:<{WIDE}}{printed:>8}{cited:>7}{exercised:>11}{excused:>9}{middle}{absent:>8}"


def _shorten(title: str) -> str:
    title = title.strip()
    if len(title) < WIDE:
        return title
    return title[: WIDE - 4].rsplit(" ", 1)[0] + " ..."
