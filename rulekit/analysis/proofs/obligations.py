"""Asking what a check asks, for the sake of the answers: all of them, of the rules with what is chosen."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rulekit import ir
from rulekit.analysis.claims import judge_claims
from rulekit.analysis.clashes import BUDGET, situation_of
from rulekit.analysis.lints.citations import broken_claim
from rulekit.analysis.lints.norms import dead_condition
from rulekit.analysis.proofs.record import Proof, Question
from rulekit.analysis.prove import Prover, duties, roll_ranges
from rulekit.analysis.prove import conditions as conditions_
from rulekit.analysis.prove.answers import Never, Unknown
from rulekit.analysis.prove.roll_uses import Rolled
from rulekit.analysis.prove.termination import Endings
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import Condition
from rulekit.compiler.names import Clash
from rulekit.diagnostics import kinds
from rulekit.ir.walk import statements


def asked(compiled: Compiled) -> Iterator[Proof]:
    """The answers for one program, in the order of questions."""
    prover = Prover(compiled.program, solver=True, answers=compiled.answers, trees=compiled.trees)
    for choice in compiled.program.choices:
        yield _choice(compiled, prover, choice)
    yield from _tables(compiled)
    yield from _rolls(compiled, prover)
    yield from _conditions(compiled)
    yield from _loops(compiled)
    yield from _claims(compiled)
    for clash in compiled.names.clashes:
        yield pair(compiled, clash)


def _choice(compiled: Compiled, prover: Prover, choice: ir.Choice) -> Proof:
    """Whether norms leave an answer."""
    span = _at(compiled, choice.site)
    found = list(duties.impossible(prover, choice))
    kept = duties.promises(prover, choice)
    for each in found:
        if isinstance(each, duties.Impossible):
            kind = kinds.EXHAUSTED_CHOICE if each.duty is None else kinds.DUTY_AGAINST_BAN
            words = each.situation.words
            return Proof("choice", choice.name, "refuted", span, words, code=kind.code, given=kept)
    for each in found:
        if isinstance(each, duties.Undecided):
            return _unknown("choice", choice.name, span, each.why, duties.BUDGET, kept)
    if left := duties.left_out(choice):
        return Proof("choice", choice.name, "not-asked", span, left)
    plainly = duties.plainly(choice)
    limit = 0 if plainly else duties.BUDGET
    return Proof("choice", choice.name, "proved", span, plainly, limit, given=kept)


def _tables(compiled: Compiled) -> Iterator[Proof]:
    """Whether rows cover all keys once: where they do not, nothing is compiled."""
    for name, table in compiled.model.tables.items():
        number = math.prod(part.bit_count() for part in table.wanted)
        yield Proof("table", name, "proved", table.decl.span, f"{number:,} combinations")
    for name, extern in compiled.names.externs.items():
        if name in compiled.data.externs:
            yield Proof("table", name, "proved", extern.span, "with the owner's numbers")
        else:
            reason = Unknown(f"missing-data {extern.file or name}", 0).told
            yield Proof("table", name, "unknown", extern.span, reason)


def _rolls(compiled: Compiled, prover: Prover) -> Iterator[Proof]:
    """Whether rolls stay within what they are given to."""
    rolled = Rolled(compiled.program, compiled.trees)
    for procedure in compiled.program.procedures:
        if procedure.name.startswith("example:"):
            continue
        for each in roll_ranges.looked_at(prover, rolled, procedure):
            span = _at(compiled, each.use.site)
            use = each.use.value.detail.replace("`", "")
            subject = f"{each.use.roll.point} for {use}" if use else each.use.roll.point
            if each.found:
                words = each.found[0].situation.words
                yield Proof("roll", subject, "refuted", span, words, code=kinds.OFF_THE_TABLE.code)
            elif each.why is not None:
                yield _unknown("roll", subject, span, each.why, roll_ranges.BUDGET)
            elif each.asked:
                yield Proof("roll", subject, "proved", span, limit=roll_ranges.BUDGET)
            else:
                reason = "it depends on more than the roll and what the procedure is given"
                yield Proof("roll", subject, "not-asked", span, reason)


def _conditions(compiled: Compiled) -> Iterator[Proof]:
    """Whether each condition holds somewhere."""
    prover = Prover(compiled.program, answers=compiled.answers, trees=compiled.trees)
    alone = len(compiled.rule_set.options) < 2
    wanted = [each for each in compiled.model.conditions if dead_condition.asked(each, compiled)]
    never, undecided = conditions_.dead(prover, wanted, among=alone)
    dead = {each.condition.span for each in never}
    open_ = {condition.span: why for condition, why in undecided}
    for span, condition in {each.span: each for each in wanted}.items():
        subject = _owner(condition)
        if span in dead:
            kind = dead_condition.kind_of(condition)
            yield Proof("condition", subject, "refuted", span, code=kind.code)
        elif span in open_:
            yield _unknown("condition", subject, span, open_[span], conditions_.BUDGET)
        else:
            yield Proof("condition", subject, "proved", span, limit=conditions_.BUDGET)


def _owner(condition: Condition) -> str:
    return f"{condition.role} of {dead_condition.place(condition)}"


def _loops(compiled: Compiled) -> Iterator[Proof]:
    """Whether loops with a condition end."""
    endings = Endings(compiled.program)
    for procedure in compiled.program.procedures:
        for stmt in statements(procedure.body):
            if not isinstance(stmt, ir.Repeat) or stmt.kind == "times" or ":" in procedure.name:
                continue
            span = _at(compiled, stmt.site)
            if endings.ends(stmt):
                yield Proof("loop", procedure.name, "proved", span)
            else:
                reason = "nothing in it goes one way only; `--play` looks for games in which it does not end"
                yield Proof("loop", procedure.name, "unknown", span, reason)


def _claims(compiled: Compiled) -> Iterator[Proof]:
    """Whether claims hold, those that errata settle too."""
    for verdict in judge_claims(compiled, tell=lambda claim: False):
        claim, span = verdict.claim, verdict.claim.decl.name.span
        if claim.played is not None:
            continue
        if verdict.answer == "holds":
            yield Proof("claim", claim.name, "proved", span)
        elif verdict.answer == "broken":
            settled = f"the errata entry `{claim.settled}` settles it" if claim.settled else ""
            yield Proof("claim", claim.name, "refuted", span, settled, code=broken_claim.kind_of(claim).code)
        else:
            yield Proof("claim", claim.name, "unknown", span, verdict.told)


def pair(compiled: Compiled, clash: Clash) -> Proof:
    """Whether two that reach one point without an order ever act together."""
    finding = clash.finding
    point, *both = finding.key
    subject = f"{' and '.join(both)} at {point}"
    found = situation_of(Prover(compiled.program, solver=True), compiled, clash)
    if isinstance(found, Never):
        return Proof("pair", subject, "proved", finding.span, limit=BUDGET)
    if isinstance(found, Unknown):
        return _unknown("pair", subject, finding.span, found, BUDGET)
    return Proof("pair", subject, "refuted", finding.span, found.words, code=finding.kind.code)


def _unknown(
    question: Question, subject: str, span: Span, why: Unknown, limit: int, given: tuple[str, ...] = ()
) -> Proof:
    budget = limit if why.reason == "budget" else 0
    return Proof(question, subject, "unknown", span, why.told, budget, why.tried, given=given)


def _at(compiled: Compiled, number: int) -> Span:
    site = compiled.program.sites[number]
    return Span.at(site.file, site.line, site.column)
