"""`rulekit test SET --mutate`: changes that no example catches."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.base.files import excerpt
from rulekit.base.forks import cores
from rulekit.cli import shared, terminal
from rulekit.diagnostics.render_text import Lines, printable, width
from rulekit.syntax.parse.comments import without_citation

if TYPE_CHECKING:
    from rulekit.analysis.mutate import JudgedMutant, Mutant, Score
    from rulekit.base.source import Span
    from rulekit.compiler.driver import Compiled

MOST_NAMED = 3
"""Examples that are named of those that do not notice."""


def try_mutants(
    compiled: Compiled,
    folder: Path,
    only: str | None,
    output_format: str,
    *,
    select: str | None,
    sample: int | None,
    seed: str | None,
    jobs: int | None,
    fail_under: int | None,
    minutes: int,
) -> int:
    """Try mutants of a rule set, print the score and the survivors, and return the exit code."""
    from rulekit.analysis.mutate import BrokenExamples, OutOfTime, choose_mutants, mutants, score

    operators = _operators(select)
    every = mutants(compiled.declared, compiled.rule_set.sources)
    meant = choose_mutants(every, operators=operators, only=only, sample=sample, seed=seed or "0")
    if not meant:
        raise shared.Failure("no selected rule can be changed")
    try:
        verdicts = _judge_all(compiled, meant, jobs or cores(), 60 * minutes)
    except BrokenExamples as broken:
        many = len(broken.names)
        failing = "1 example fails" if many == 1 else f"{many} examples fail"
        shared.say(f"{failing} without any change; run `rulekit test` first")
        return shared.FINDINGS
    except OutOfTime:
        raise shared.Failure(f"the examples alone take {shared.number_of(minutes, 'minute')}") from None
    order = {mutant.id: place for place, mutant in enumerate(meant)}
    judged = sorted(verdicts, key=lambda each: order[each.mutant.id])
    total, untried = score(judged), len(meant) - len(judged)
    if output_format == "json":
        terminal.echo_json(_as_json(compiled, judged, total, untried))
    else:
        for line in _survivor_lines(judged, total, folder):
            terminal.echo(line)
    if untried:
        shared.say_untried(untried, "change", minutes)
    return shared.FINDINGS if fail_under is not None and not total.reaches(fail_under) else 0


def _operators(select: str | None) -> tuple[str, ...]:
    """Return the operators asked for, or raise Failure for an unknown one."""
    from rulekit.analysis.mutate import OPERATORS
    from rulekit.base.spelling import suggestion

    names = tuple(name.strip() for name in (select or "").split(",") if name.strip())
    for name in names:
        if name not in OPERATORS:
            raise shared.Failure(f"unknown kind of change `{name}`; {suggestion(name, tuple(OPERATORS))}")
    return names


def _judge_all(compiled: Compiled, meant: Sequence[Mutant], jobs: int, seconds: float) -> list[JudgedMutant]:
    """All verdicts found in time; after an interruption, the next run continues from those found so far."""
    from rulekit.analysis.mutate import run

    judged: list[JudgedMutant] = []
    verdicts = run(compiled, meant, jobs=jobs, seconds=seconds)
    try:
        with closing(verdicts), shared.progress(meant, "mutants") as bar:
            for _, verdict in zip(bar, verdicts, strict=False):
                judged.append(verdict)
    except KeyboardInterrupt:
        shared.say(f"interrupted after {len(judged)} of {len(meant)} changes; the next run continues there")
        sys.exit(shared.STOPPED)
    return judged


# ---------------------------------------------------------------- for people


def _survivor_lines(judged: Sequence[JudgedMutant], total: Score, folder: Path) -> Iterator[str]:
    lines = Lines(lambda file: excerpt(str(folder / file)))
    survivors = [mutant for mutant in judged if mutant.verdict.fate == "survived"]
    for file, of_file in groupby(survivors, key=lambda each: each.mutant.span.file):
        yield terminal.style(str(folder / file), "head")
        for number, of_line in groupby(of_file, key=lambda each: each.mutant.span.line):
            yield from _line(lines, file, number, list(of_line))
        yield ""
    yield _count(total)


def _line(lines: Lines, file: str, number: int, survivors: Sequence[JudgedMutant]) -> Iterator[str]:
    text = lines.line(file, number) or ""
    shown = printable(text)
    indent = len(shown) - len(shown.lstrip())
    room = shared.WIDEST - 7
    bare = shown.strip()
    yield f"{number:5}│ {bare if width(bare) <= room else bare[: room - 1] + '…'}"
    for survivor in survivors:
        now = terminal.style(printable(survivor.mutant.now), "changed")
        yield f"     │ {_underline(survivor.mutant.span, text, indent, room)} {now}"
        for row in textwrap.wrap(_unaware(survivor), room - 2, subsequent_indent="  "):
            yield f"     │   {terminal.style(row, 'quiet')}"


def _underline(span: Span, text: str, indent: int, room: int) -> str:
    """Blanks and the rule under what is changed, in cells."""
    end = min(span.end_column - 1 if span.end_line == span.line else len(text), len(without_citation(text)))
    start = width(printable(text[: span.column - 1])) - indent
    length = max(width(printable(text[span.column - 1 : end])), 1)
    start, length = max(min(start, room - 1), 0), min(length, max(room - max(start, 0), 1))
    return " " * start + "─" * length


def _unaware(each: JudgedMutant) -> str:
    names = each.verdict.unaware
    if not names:
        return "no example reaches this line"
    named = "; ".join(names[:MOST_NAMED])
    rest = f"; and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"missed by: {named}{rest}"


def _count(total: Score) -> str:
    words = f"examples caught {total.noticed} of {total.counted} changes ({_percent(total)}%)"
    rest = [
        f"{number} {word}"
        for number, word in (
            (total.same, "proved to have no effect"),
            (total.refused, "rejected by the compiler"),
        )
        if number
    ]
    return words + (f"; not counted: {', '.join(rest)}" if rest else "")


def _percent(total: Score) -> float:
    """The score to a tenth, rounded down."""
    return (1000 * total.noticed // total.counted) / 10 if total.counted else 100.0


# ---------------------------------------------------------------- for programs


def _as_json(
    compiled: Compiled, judged: Sequence[JudgedMutant], total: Score, untried: int
) -> dict[str, Any]:
    return {
        "format": 1,
        "set": compiled.program.name,
        "options": list(compiled.rule_set.options),
        "score": {
            "noticed": total.noticed,
            "survived": total.survived,
            "same": total.same,
            "refused": total.refused,
            "untried": untried,
            "percent": _percent(total),
        },
        "mutants": [_one(mutant) for mutant in judged],
    }


def _one(each: JudgedMutant) -> dict[str, Any]:
    mutant, verdict = each.mutant, each.verdict
    span = mutant.span
    return {
        "id": mutant.id,
        "operator": mutant.operator,
        "owner": mutant.owner,
        "rules": list(mutant.rules),
        "file": span.file,
        "span": [span.line, span.column, span.end_line, span.end_column],
        "was": mutant.was,
        "now": mutant.now,
        "fate": verdict.fate,
        "by": verdict.by,
        "reason": verdict.reason,
        "unaware": list(verdict.unaware),
    }
