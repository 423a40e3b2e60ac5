"""The exact chances of named questions: claims and examples with lines `chance` and `mean`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import Flag
from rulekit.reports.odds.table import decimal
from rulekit.reports.sheet.blocks.tables import chance_text
from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.model.document import (
    Head,
    Run,
    Runs,
    SheetColumn,
    SheetRow,
    Status,
    TableBlock,
    strong,
    text,
)
from rulekit.runtime.odds.distribution import Distribution, Failing, GameOver
from rulekit.syntax.tree import claims as written

MOST_SITUATIONS: Final = 20_000
"""Work for each question; without a clock, so that the same rules give the same sheet on any machine."""
STEPS: Final = 10
"""Steps for each situation, on average."""
ID: Final = "questions:"
"""Beginning of the ids of these blocks."""


@frozen
class _Question:
    """A claim or example as written, with its program and the answers to its measures, in order."""

    name: str
    item: written.Example
    example: ir.Example
    answers: Sequence[Distribution]


class _NotExact(Exception):
    """A question that has no exact answer; the message says why."""


def all_questions(ctx: Context) -> Mapping[str, written.Example]:
    """Return the claims and examples that ask for chances, by name or title, in force or not."""
    items = ctx.compiled.declared
    examples = {title: example for title, example in items.examples.items() if example.measures}
    claims = {
        name: claim.content
        for name, claim in items.claims.items()
        if isinstance(claim.content, written.Example) and claim.content.measures
    }
    return examples | claims


def chances(ctx: Context, beside: str, names: Sequence[str]) -> TableBlock | None:
    """Return the chances of questions, a row for each value; None if none of them has an exact answer.

    The context notes each question that is left out because it is not exact, may end in a fault, or asks a
    choice that it does not answer.

    Args:
        beside: The table or roll that the questions are about.
    """
    from rulekit.reports.odds.asking import questions_in

    items, rows = all_questions(ctx), list[SheetRow]()
    in_force = {name: (program, example) for name, program, example in questions_in(ctx.compiled)}
    for name in names:
        try:
            if name not in in_force:
                raise _NotExact("not in force with these options")
            program, example = in_force[name]
            question = _Question(name, items[name], example, _answers(program, example))
            rows += _rows(ctx, question)
        except _NotExact as error:
            ctx.not_exact[name] = str(error)
    if not rows:
        return None
    columns = (SheetColumn((), "key"), SheetColumn(text(ctx.catalogue("chance")), "odds"))
    return TableBlock(Head(f"{ID}{beside}", ctx.catalogue("chances")), columns, tuple(rows))


def _answers(program: ir.Program, example: ir.Example) -> Sequence[Distribution]:
    """Return the answers to the measures of a question.

    Raises:
        _NotExact: An outcome was not followed or gives no value, or a choice has no answer.
    """
    from rulekit.runtime.odds.graph import Budget, Unanswered
    from rulekit.runtime.odds.named import distributions_of
    from rulekit.runtime.odds.running import OddsRunner

    budget = Budget(MOST_SITUATIONS, STEPS * MOST_SITUATIONS)
    try:
        followed = OddsRunner(program).follow(example, None, budget)
    except (Unanswered, Fault) as error:
        raise _NotExact(str(error)) from error
    names = [str(number) for number in range(len(example.measures))]
    answers = distributions_of(program, example, followed, names, "")
    if followed.left:
        raise _NotExact(f"not every outcome was followed in {followed.situations:,} situations")
    for answer in answers:
        for value in answer:
            if isinstance(value, Failing | GameOver):
                raise _NotExact(f"an outcome is {value}")
    return answers


def _rows(ctx: Context, question: _Question) -> Iterator[SheetRow]:
    """The rows of a question: one if it has one answer, else a heading and its values."""
    words = ctx.words
    by = ctx.force.tags_at(question.item.span)
    status: Status = "added" if by else ""
    title = words.own_title("question", question.name) or words.message(_sentence(ctx, question.name))
    lines = list(_lines(ctx, question))
    (first, *others) = question.example.measures
    if not others and first.word == "chance" and isinstance(first.of.type, Flag):
        lines = [(text(title), number) for _, number in lines]
    elif lines:
        yield SheetRow((), strong(title), by, status)
    for cells in lines:
        yield SheetRow(cells, (), by, status)


def _sentence(ctx: Context, name: str) -> str:
    """The name of a claim, or the title of an example, as a title."""
    words = ctx.words.name(name) if name in ctx.compiled.names.claims else name
    return words[:1].upper() + words[1:]


def _lines(ctx: Context, question: _Question) -> Iterator[tuple[Runs, Runs]]:
    """Yield each line: the measure or value, and its number."""
    alone = len(question.answers) == 1
    pairs = zip(question.item.measures, question.example.measures, question.answers, strict=True)
    for number, (asked, measure, answer) in enumerate(pairs, 1):
        label = _label(ctx, question, asked, number)
        if not label and not alone:
            continue
        if measure.word == "mean":
            assert isinstance(answer.mean, Fraction)
            title = ctx.catalogue("mean-of", label) if label else ctx.catalogue("mean")
            yield text(title), text(decimal(answer.mean))
        elif isinstance(measure.of.type, Flag):
            yield text(label), _odds(answer[True])
        else:
            for value in answer:
                shown = _value_text(ctx, value)
                yield text(shown if alone else f"{label}: {shown}"), _odds(answer[value])


def _label(ctx: Context, question: _Question, asked: written.Measure, number: int) -> str:
    """The words for a measure; empty if it has none, or needs none as the only one of its question.

    The settings word the second line of the question `salvo` under `question salvo:2`.
    """
    if len(question.answers) == 1:
        return ""
    words, key = ctx.words, f"{question.name}:{number}"
    label = words.own_title("question", key) or words.plain_words(asked.of)
    if not label:
        ctx.leave_out(f"question {key}", words.source_text(asked.of), asked.span)
    return label


def _value_text(ctx: Context, value: Any) -> str:
    """A value of a distribution in words."""
    match value:
        case None:
            return "–"
        case bool():
            return ctx.catalogue("yes" if value else "no")
        case str():
            return ctx.words.of_data(value)
        case tuple():
            return ", ".join(_value_text(ctx, part) for part in value) or "–"
        case _:
            return str(value).replace("-", "−")


def _odds(chance: Fraction) -> Runs:
    return (Run("odds", chance_text(chance)),)
