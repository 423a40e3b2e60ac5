"""Choices in which nothing is left: every option forbidden where declining is not allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rulekit import ir
from rulekit.ir import walk
from rulekit.prove.answers import Answer, Never, Seen, Unknown
from rulekit.prove.prover import Prover
from rulekit.prove.situation import Situation, looked_for
from rulekit.types import Flag

BUDGET: Final = 120_000
FLAG: Final = Flag()


@dataclass(frozen=True, slots=True)
class Impossible:
    """A choice with a situation in which it has candidates and none of them is legal.

    `duty` is the norm that forbids declining there, None where the verb does.  `bans` are the norms that
    together leave nothing, each of them needed for that.
    """

    choice: ir.Choice
    duty: ir.Norm | None
    bans: tuple[ir.Norm, ...]
    situation: Situation


@dataclass(frozen=True, slots=True)
class Undecided:
    """A choice of which it was not found out, with the reason."""

    choice: ir.Choice
    duty: ir.Norm | None
    reason: str


def impossible(prover: Prover, choice: ir.Choice) -> Iterator[Impossible | Undecided]:
    """Where a choice that must be answered cannot be.

    Judged are norms that are final: those that a finished answer can heal are left out.  Choices of one
    option for each (`pick one`, `assign`) are asked; what may be declined only where some norm forbids that.
    """
    if choice.verb not in ("pick_one", "assign") or choice.candidates is None:
        return
    bans = [n for n in choice.norms if not n.declining and n.cover is None and n.whole is None]
    duties: list[ir.Norm | None] = [n for n in choice.norms if n.declining]
    if choice.able == "must":
        duties.append(None)
    for duty in duties:
        if bans:
            yield from _of_duty(prover, choice, duty, bans)


def _of_duty(
    prover: Prover, choice: ir.Choice, duty: ir.Norm | None, bans: Sequence[ir.Norm]
) -> Iterator[Impossible | Undecided]:
    answer = _asked(prover, choice, duty, bans)
    if isinstance(answer, Unknown):
        yield Undecided(choice, duty, answer.reason)
        return
    if isinstance(answer, Never):
        return
    needed = list(bans)
    for ban in bans:
        rest = [other for other in needed if other is not ban]
        if rest and isinstance(_asked(prover, choice, duty, rest), Seen):
            needed = rest
    found = looked_for(prover, choice.params, _question(choice, duty, needed), BUDGET)
    if isinstance(found, Situation):
        yield Impossible(choice, duty, tuple(needed), found)
    else:
        yield Undecided(choice, duty, found.reason if isinstance(found, Unknown) else "not-replayed")


def _asked(prover: Prover, choice: ir.Choice, duty: ir.Norm | None, bans: Sequence[ir.Norm]) -> Answer:
    question = _question(choice, duty, bans)
    return prover.can_hold(choice.params, question, BUDGET, prover.promises(question), told=False)


def _question(choice: ir.Choice, duty: ir.Norm | None, bans: Sequence[ir.Norm]) -> ir.Expr:
    """That one must answer, there are candidates, and norms leave none of them."""
    assert choice.candidates is not None
    lets: dict[str, ir.Expr] = {}
    for local, value in choice.lets:
        lets[local.name] = walk.substitute(value, lets)

    def known(e: ir.Expr) -> ir.Expr:
        return walk.substitute(e, lets)

    candidates = known(choice.candidates)
    broken = [known(ban.test) for ban in bans if ban.word != "permit"]
    permits = [known(ban.test) for ban in bans if ban.word == "permit"]
    if permits:
        broken.append(ir.Op("not", (_joined("or", permits),), FLAG))
    # What does not read the option is asked once, and before it is known what there is to choose from.
    of_each = [test for test in broken if choice.option.name in walk.free(test)]
    of_all = [test for test in broken if choice.option.name not in walk.free(test)]
    if of_each:
        of_all.append(ir.Fold("all", candidates, choice.option, _joined("or", of_each), FLAG))
    some = ir.Op("not", (ir.Op("is_empty", (candidates,), FLAG),), FLAG)
    parts: list[ir.Expr] = [_joined("or", of_all), some]
    if of_each:
        parts.reverse()
    if duty is not None:
        parts.insert(0, known(duty.test))
    made = _joined("and", parts)
    if choice.items is None or choice.item is None:
        return made
    return ir.Fold("any", known(choice.items), choice.item, made, FLAG)


def _joined(op: str, parts: Sequence[ir.Expr]) -> ir.Expr:
    return parts[0] if len(parts) == 1 else ir.Op(op, tuple(parts), FLAG)  # type: ignore[arg-type]
