"""Choices in which nothing is left: every option forbidden where declining is not allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rulekit import ir
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.prove.search import Answer
from rulekit.analysis.prove.situation import Situation, find_situation
from rulekit.analysis.verdicts import Judged, Obligation, Proved, Refuted, Undecided
from rulekit.base.frozen import frozen
from rulekit.diagnostics import kinds
from rulekit.ir import walk
from rulekit.ir.conditions import FLAG, conjunction, disjunction, negation
from rulekit.ir.types import Int

BUDGET: Final = 120_000
MOST_NUMBERS: Final = 60
"""Numbers to choose from of which every one is asked."""
COUNT: Final = Int(0, 1_000_000)


@frozen
class Duty:
    """A choice that must be answered; `norm` forbids declining it, None where its verb does."""

    choice: ir.Choice
    norm: ir.Norm | None


@frozen
class NothingLeft:
    """A situation in which a choice has candidates and none of them is legal.

    `bans` are the norms that together leave nothing, each of them needed for that.
    """

    bans: tuple[ir.Norm, ...]
    situation: Situation


JudgedDuty = Judged[Duty, NothingLeft]


def judge_duties(prover: Prover, choice: ir.Choice, budget: int = BUDGET) -> Iterator[JudgedDuty]:
    """Prove of each duty to answer a choice that norms leave a legal answer.

    Only norms that are final count, not those that a finished answer can satisfy.  The verdict covers choices
    of one option for each (`pick one`, `assign`), those that pick a number of them, yes or no, and numbers;
    choices that may be declined, only where some norm forbids that.
    """
    bans = _bans(choice)
    for norm in _duties(choice) if bans else ():
        kind = kinds.EXHAUSTED_CHOICE if norm is None else kinds.DUTY_AGAINST_BAN
        span = prover.program.sites[(norm or choice).site].span
        obligation = Obligation("choice", Duty(choice, norm), choice.name, span, kind)
        yield Judged(obligation, _judge_duty(prover, choice, norm, bans, budget))


def left_out(choice: ir.Choice) -> str:
    """What of a choice that must be answered is not judged, in words; empty where all of it is."""
    if not _duties(choice):
        return ""
    bans = _bans(choice)
    if bans and _question(choice, None, bans) is None:
        return f"what `{choice.verb.replace('_', ' ')}` may be answered cannot be listed"
    healing = [f"`{norm.name}`" for norm in choice.norms if not norm.declining and norm not in bans]
    return f"{', '.join(healing)} cannot be judged before the answer is finished" if healing else ""


def plainly(choice: ir.Choice) -> str:
    """Why norms leave an answer without anything being asked, in words; empty where it was asked."""
    if not _duties(choice):
        return "nobody must answer it"
    return "" if _bans(choice) else "no norm forbids an option"


def promises(prover: Prover, choice: ir.Choice) -> tuple[str, ...]:
    """The promises that bound what is asked of a choice."""
    bans = _bans(choice)
    questions = [_question(choice, duty, bans) for duty in _duties(choice) if bans]
    kept = [body for question in questions if question is not None for body in prover.promises(question)]
    return tuple(invariant.name for invariant in prover.program.invariants if invariant.body in kept)


def _bans(choice: ir.Choice) -> list[ir.Norm]:
    """The norms that are final."""
    return [n for n in choice.norms if not n.declining and n.cover is None and n.whole is None]


def _duties(choice: ir.Choice) -> list[ir.Norm | None]:
    """What forbids to decline: norms, and (None) the verb."""
    duties: list[ir.Norm | None] = [n for n in choice.norms if n.declining]
    return [*duties, None] if choice.able == "must" else duties


def _judge_duty(
    prover: Prover, choice: ir.Choice, duty: ir.Norm | None, bans: Sequence[ir.Norm], budget: int
) -> Proved | Refuted[NothingLeft] | Undecided:
    def ask(bans: Sequence[ir.Norm]) -> Answer:
        question = _question(choice, duty, bans)
        if question is None:
            return Proved()
        return prover.prove_never(choice.params, question, budget, prover.promises(question), shown=False)

    answer = ask(bans)
    if not isinstance(answer, Refuted):
        return answer
    needed = list(bans)
    for ban in bans:
        rest = [other for other in needed if other is not ban]
        if rest and isinstance(ask(rest), Refuted):
            needed = rest
    question = _question(choice, duty, needed)
    assert question is not None
    match find_situation(prover, choice.params, question, budget):
        case Refuted(evidence=situation):
            return Refuted(NothingLeft(tuple(needed), situation))
        case Undecided() as undecided:
            return undecided
        case Proved():
            return Undecided("not-replayed", 1)


def _question(choice: ir.Choice, duty: ir.Norm | None, bans: Sequence[ir.Norm]) -> ir.Expr | None:
    """That one must answer, and norms leave nothing of what there is; None if that is not asked."""
    lets = walk.written_out(choice.lets)

    def expand(e: ir.Expr) -> ir.Expr:
        return walk.substitute(e, lets)

    broken = [expand(ban.test) for ban in bans if ban.word != "permit"]
    permits = [expand(ban.test) for ban in bans if ban.word == "permit"]
    if permits:
        broken.append(negation(disjunction(*permits)))
    # What does not read the option is asked once, and before it is known what there is to choose from.
    own = {choice.option.name, *(local.name for local, _ in choice.fields)}
    of_each = [test for test in broken if own & walk.free(test)]
    of_all = [test for test in broken if not own & walk.free(test)]
    parts = _nothing_left(choice, of_each, of_all, expand)
    if not parts:
        return None
    if duty is not None:
        parts.insert(0, expand(duty.test))
    whole = conjunction(*parts)
    if choice.items is None or choice.item is None:
        return whole
    return ir.Fold("any", expand(choice.items), choice.item, whole, FLAG)


def _nothing_left(
    choice: ir.Choice,
    of_each: Sequence[ir.Expr],
    of_all: Sequence[ir.Expr],
    expand: Callable[[ir.Expr], ir.Expr],
) -> list[ir.Expr]:
    """What holds where norms leave nothing, in a good order; empty for verbs that are not asked."""
    match choice:
        case ir.Choice(verb="pick_one" | "assign", candidates=candidates) if candidates is not None:
            candidates = expand(candidates)
            some = negation(ir.Op("is_empty", (candidates,), FLAG))
            if not of_each:
                return [disjunction(*of_all), some]
            every = ir.Fold("all", candidates, choice.option, disjunction(*of_each), FLAG)
            return [some, disjunction(*of_all, every)]
        case ir.Choice(verb="pick_record", fields=fields):
            some, every_one = _of_records([(local, expand(among)) for local, among in fields], of_each)
            return [some, disjunction(*of_all, *([every_one] if of_each else []))]
        case ir.Choice(verb="pick_set" | "assign_set", candidates=candidates, low=low) if candidates and low:
            candidates, low = expand(candidates), expand(low)
            enough = ir.Op("le", (low, ir.Op("count", (candidates,), COUNT)), FLAG)
            if not of_each:
                wanted = ir.Op("gt", (low, _number(0)), FLAG)
                return [enough, wanted, disjunction(*of_all)]
            legal = ir.If(disjunction(*of_each), _number(0), _number(1), COUNT)
            few = ir.Op("lt", (ir.Fold("total", candidates, choice.option, legal, COUNT), low), FLAG)
            return [enough, disjunction(*of_all, few)]
        case ir.Choice(verb="decide"):
            answers = [ir.Const(value, FLAG) for value in (False, True)]
            return [disjunction(*of_all, _all_broken(choice, of_each, answers))] if of_each else []
        case ir.Choice(verb="number", low=low, high=high, answer=Int() as kind) if low and high and of_each:
            if kind.high - kind.low >= MOST_NUMBERS:
                return []
            low, high = expand(low), expand(high)
            numbers = [_number(value, kind) for value in range(kind.low, kind.high + 1)]
            outside = [
                disjunction(ir.Op("lt", (n, low), FLAG), ir.Op("gt", (n, high), FLAG)) for n in numbers
            ]
            all_broken = _all_broken(choice, of_each, numbers, outside)
            return [ir.Op("le", (low, high), FLAG), disjunction(*of_all, all_broken)]
    return []


def _of_records(fields: Sequence[tuple[ir.Local, ir.Expr]], broken: Sequence[ir.Expr]) -> list[ir.Expr]:
    """That there are combinations, and that each of them breaks something."""
    *outer, (last, among) = fields
    some: ir.Expr = negation(ir.Op("is_empty", (among,), FLAG))
    every: ir.Expr = ir.Fold("all", among, last, disjunction(*broken), FLAG)
    for local, over in reversed(outer):
        some = ir.Fold("any", over, local, some, FLAG)
        every = ir.Fold("all", over, local, every, FLAG)
    return [some, every]


def _all_broken(
    choice: ir.Choice, tests: Sequence[ir.Expr], answers: Sequence[ir.Expr], outside: Sequence[ir.Expr] = ()
) -> ir.Expr:
    """That each answer breaks one of some norms, or is none of those that may be given."""
    broken = [walk.substitute(disjunction(*tests), {choice.option.name: answer}) for answer in answers]
    if outside:
        broken = [disjunction(*pair) for pair in zip(outside, broken, strict=True)]
    return conjunction(*broken)


def _number(value: int, kind: Int | None = None) -> ir.Const:
    return ir.Const(value, kind or Int(value, value))
