"""`rulekit coverage SET`."""

from __future__ import annotations

import math
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared, terminal

if TYPE_CHECKING:
    from rulekit.analysis.reach.coverage import Chapter, Coverage, CoverageRun
    from rulekit.compiler.driver import Compiled

WIDE, NARROW = 36, 28
"""Cells of the first column, a chapter's number and title: at most, and at least."""

WIDEST = 140
"""Cells of a line of the table, at most: figures are read across, and titles need room beside them."""

FEWEST = 3
"""Columns that are shown on the narrowest terminal; there is one line for the sums of the others."""

SHARE = "exercised"
"""The last column: a percentage, and a bar as long as its name."""

COLUMNS = {
    "printed": "printed",
    "cited": "cited",
    "played": "played",
    "examples": "examples",
    "claims": "claimed",
    "unreachable": "unreachable",
    "idle": "idle",
    "exempt": "excused",
    "optional": "optional",
    "missing": "absent",
}
"""The columns of the table, each with the field of a chapter that it counts."""

SPARSE = ("claims", "unreachable", "idle", "optional")
"""Columns that are left out where they are empty."""

LISTED = {
    "by examples alone": "examples",
    "not exercised": "idle",
    "missing": "absent",
}
"""What `-v` lists by name alone."""

FLOORS = ("played", "exercised", "reachable", "cited")
"""What `--fail-under` takes a floor for; without a name it is `exercised`."""


class Floor(click.ParamType[tuple[str, Decimal]]):
    """`NAME=PERCENT`, or `PERCENT` for `exercised`."""

    name = "floor"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Decimal]:
        """Return the name and the percentage."""
        name, equals, percent = value.rpartition("=")
        name = name if equals else "exercised"
        if name not in FLOORS:
            self.fail(f"unknown figure `{name}`; figures: {', '.join(FLOORS)}", param, ctx)
        try:
            floor = Decimal(percent)
        except InvalidOperation:
            floor = Decimal(-1)
        if not 0 <= floor <= 100:
            self.fail(f"expected a percentage from 0 to 100, found `{percent}`", param, ctx)
        return name, floor


@click.command("coverage")
@shared.with_rule_set
@shared.option("--games", "N", "Number of random games.", type=click.IntRange(0, 100000), default=20)
@shared.option(
    "--chapter chapters", "NAME", "Report only this chapter, or a range such as `2-18`.", multiple=True
)
@shared.option(
    "--fail-under floors",
    "[NAME=]PERCENT",
    "Exit with 1 if less of the rules is `played`, `exercised` (the default), `reachable` or `cited`.",
    type=Floor(),
    multiple=True,
)
@shared.flag("-v --verbose", "Also list the rules that no game has played, and why none can.")
@shared.with_format("full", "json")
def command(
    rules: shared.ChosenRules,
    games: int,
    chapters: tuple[str, ...],
    floors: tuple[tuple[str, Decimal], ...],
    verbose: bool,
    output_format: str,
) -> None:
    """Report which printed rules play exercises.

    The list of printed rules is in `sources/`. A rule is *cited* if a line of the rules cites it. A cited
    rule is *played* if such a line ran in a random game from a scenario; else it is *unreachable* if no
    play can come to such a line, whatever examples do; else it is exercised by *examples* alone, stated in
    *claims* alone, or *idle*. A rule that is not cited is *exempt* if `ruleset.yaml` gives a reason,
    *optional* if only options that are off cite it, and *missing* otherwise.

    Exits with 1 if a rule is missing, or a figure is below its floor.
    """
    from rulekit.analysis.reach.coverage import CoverageRun, only
    from rulekit.ir.missing_tables import made_up_files

    compiled = rules.compile(output_format)
    if not compiled.printed:
        raise shared.Failure(f"`{rules.name}` has no list of printed rules; add one to `sources/`")
    wanted = _chapters_named(chapters, compiled)
    exercise = CoverageRun(compiled)
    if not exercise.restore(games):
        _run(exercise, games)
        exercise.keep(games)
    if games and exercise.lacking:
        files = ", ".join(f"`{file}`" for file in exercise.lacking)
        _remark(f"the games use made-up numbers, because owner data is missing: {files}")
    if games and (absent := made_up_files(compiled.program)):
        files = ", ".join(f"`{file}`" for file in absent)
        _remark(f"the games use a sampler, because owner data is missing: {files}")
    for message, many in exercise.stopped.items():
        _remark(f"{many} of {games} games stopped with the made-up numbers: {message}")
    coverage = exercise.coverage()
    if wanted:
        coverage = only(coverage, wanted)
    figures = _figures(coverage)
    if output_format == "json":
        terminal.echo_json(_json(coverage, games, figures))
    else:
        for line in _table(coverage, games, verbose):
            terminal.echo(line)
    low = [(name, floor) for name, floor in floors if figures[name] < floor]
    for name, floor in low:
        _remark(f"{figures[name]:.1f}% {name} is under {floor}%")
    sys.exit(shared.FINDINGS if low or any(chapter.absent for chapter in coverage.chapters) else 0)


def _remark(text: str) -> None:
    terminal.echo(shared.fold_line(text, 2, sys.stderr), err=True)


def _run(exercise: CoverageRun, games: int) -> None:
    from rulekit.runtime.play import Fault

    runner = exercise.examples()
    with shared.progress(exercise.program.examples, "examples") as bar:
        for example in bar:
            exercise.note(runner.run(example).sites)
    if not exercise.program.entry:
        return
    with shared.progress(range(games), "games") as bar:
        for seed in bar:
            try:
                exercise.game(seed)
            except Fault as fault:
                raise shared.Failure(f"the game with seed {seed} stopped: {fault}") from fault


def _count(coverage: Coverage, part: str) -> int:
    """The number of rules of all chapters in one division."""
    return sum(len(getattr(chapter, part)) for chapter in coverage.chapters)


def _figures(coverage: Coverage) -> dict[str, Decimal]:
    """The percentages: of the cited rules, and `cited` of those that are to be cited; 100 of none."""
    cited = _count(coverage, "cited")
    parts = {
        "played": (_count(coverage, "played"), cited),
        "exercised": (_count(coverage, "exercised"), cited),
        "reachable": (cited - _count(coverage, "unreachable"), cited),
        "cited": (cited, cited + _count(coverage, "absent")),
    }
    return {
        name: Decimal(100) * part / whole if whole else Decimal(100) for name, (part, whole) in parts.items()
    }


def _json(coverage: Coverage, games: int, figures: dict[str, Decimal]) -> dict[str, object]:
    """The report for programs; `cited`, `exercised` and `missed` are sums of the divisions."""
    sums = ("cited", "exercised", "missed")
    chapters = [
        {**asdict(chapter), **{name: getattr(chapter, name) for name in sums}}
        for chapter in coverage.chapters
    ]
    return {
        "format": 1,
        "games": games,
        "percent": {name: float(round(figure, 1)) for name, figure in figures.items()},
        "chapters": chapters,
        "unreached": coverage.unreached,
        "reasons": coverage.reasons,
        "claims": coverage.claims,
    }


def _chapters_named(chapters: tuple[str, ...], compiled: Compiled) -> list[str]:
    """Return the chapters asked for, or raise Failure for an unknown one."""
    from rulekit.analysis.reach.coverage import chapter_of

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


def _table(coverage: Coverage, games: int, verbose: bool) -> Iterator[str]:
    from rulekit.reports.odds.table import bar

    shown = {word: part for word, part in COLUMNS.items() if word not in SPARSE or _count(coverage, part)}
    room, beside = math.inf, list[str]()
    if terminal.is_terminal(sys.stdout):
        room = shared.width(most=WIDEST) - len(SHARE) - 2
    while len(_cells(shown, shown)) > room - NARROW and len(shown) > FEWEST:
        beside.insert(0, list(shown)[-1])
        del shown[beside[0]]
    names = ("chapter", *(f"{chapter.name}  {chapter.title}" for chapter in coverage.chapters))
    longest = 1 + max(map(len, names))
    wide = int(max(min(NARROW, longest), min(WIDE, longest, room - len(_cells(shown, shown)))))

    def row(name: str, cells: Iterable[object], last: str) -> str:
        return f"{_shorten(name, wide):<{wide}}{_cells(shown, cells)}  {last}".rstrip()

    def share(part: int, whole: int) -> str:
        return f"{100 * part // whole:>3}% {bar(Fraction(part, whole), len(SHARE) - 5)}" if whole else ""

    yield terminal.style(row("chapter", shown, SHARE), "head")
    for chapter in coverage.chapters:
        parts = (len(getattr(chapter, part)) for part in shown.values())
        done = share(len(chapter.exercised), len(chapter.cited))
        yield row(f"{chapter.name}  {chapter.title}", parts, done)
        yield from _details(chapter, coverage) if verbose else ()
    sums = (_count(coverage, part) for part in shown.values())
    done = share(_count(coverage, "exercised"), _count(coverage, "cited"))
    yield terminal.style(row("all", sums, done), "head")
    if beside:
        yield f"also {', '.join(f'{_count(coverage, COLUMNS[word])} {word}' for word in beside)}"
    yield shared.fold_line(_summary(coverage, games), 2)
    if coverage.unreached:
        yield _wrap(f"never reached: {', '.join(coverage.unreached)}", "")


def _summary(coverage: Coverage, games: int) -> str:
    if not _count(coverage, "cited"):
        return "no rules are cited"
    figures = _figures(coverage)
    seeds = "1 random game" if games == 1 else f"{games} random games"
    played, exercised = figures["played"], figures["exercised"]
    summary = f"of the cited rules {played:.1f}% played in {seeds}, {exercised:.1f}% exercised"
    return f"{summary}, {100 - figures['reachable']:.1f}% unreachable"


def _details(chapter: Chapter, coverage: Coverage) -> Iterator[str]:
    """The rules of a chapter that no game has played, with claims that cite them or what keeps play away."""
    for word, part in LISTED.items():
        if rules := getattr(chapter, part):
            yield _wrap(f"{word}: {', '.join(rules)}", "    ")
    yield from _with_reasons("by claims alone", chapter.claimed, coverage.claims)
    yield from _with_reasons("unreachable", chapter.unreachable, coverage.reasons)


def _with_reasons(word: str, rules: Iterable[str], reasons: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Rules with their reasons; a line for those that have the same."""
    rules_by_reasons: dict[tuple[str, ...], list[str]] = {}
    for rule in rules:
        rules_by_reasons.setdefault(reasons[rule], []).append(rule)
    for shared_reasons, alike in rules_by_reasons.items():
        yield _wrap(f"{word}: {', '.join(alike)}: {'; '.join(shared_reasons)}", "    ")


def _cells(shown: Iterable[str], cells: Iterable[object]) -> str:
    """A row: each cell as wide as the word of its column, and a space."""
    return "".join(f"{cell!s:>{len(word) + 1}}" for word, cell in zip(shown, cells, strict=True))


def _wrap(text: str, indent: str) -> str:
    return textwrap.fill(text, shared.width(), initial_indent=indent, subsequent_indent=f"{indent}  ")


def _shorten(title: str, wide: int) -> str:
    title = title.strip()
    if len(title) < wide:
        return title
    return title[: wide - 4].rsplit(" ", 1)[0] + " ..."
