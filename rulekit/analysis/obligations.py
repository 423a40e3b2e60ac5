"""The verdicts on all obligations of one program, as `check --proofs` lists them: those that lints use."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from rulekit import ir
from rulekit.analysis.compile import CLASH_BUDGET
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.options import joint_norms
from rulekit.analysis.options.pairs import groups_together
from rulekit.analysis.proofs import ANSWERS, Proof, proof
from rulekit.analysis.prove import conditions, duties, rolls
from rulekit.analysis.prove.secrecy.disclosures import BUDGET as SIGN_BUDGET
from rulekit.analysis.prove.termination import Endings
from rulekit.analysis.verdicts import NotChecked, Proved, Refuted, Undecided
from rulekit.compiler.options.combinations import MOST_GROUPS, Group, RuleOptions
from rulekit.ir.missing_tables import made_up_words, name_of

if TYPE_CHECKING:
    from rulekit.analysis.compile import JudgedClash


def proofs_of(rules: Inspection, judged_clashes: Iterable[JudgedClash]) -> Iterator[Proof]:
    """The list for one program, in the order of questions; all rely on what samplers make up."""
    made_up = tuple(f"made-up {words}" for words in made_up_words(rules.compiled.program))
    for one in _proofs_of(rules, judged_clashes):
        yield replace(one, given=(*one.given, *made_up)) if made_up else one


def _proofs_of(rules: Inspection, judged_clashes: Iterable[JudgedClash]) -> Iterator[Proof]:
    for choice in rules.compiled.program.choices:
        yield _choice(rules, choice)
    yield from _tables(rules)
    yield from _rolls(rules)
    yield from _conditions(rules)
    yield from _loops(rules)
    yield from _claims(rules)
    yield from _signs(rules)
    yield from proofs_of_group(rules, judged_clashes)


def proofs_of_group(rules: Inspection, judged_clashes: Iterable[JudgedClash]) -> Iterator[Proof]:
    """The list about options that meet: in amendments of one point, and in norms of one choice."""
    for meeting in rules.compiled.names.meetings:
        subject = f"{' and '.join(meeting.variants)} at {meeting.point}"
        yield Proof("pair", subject, "proved", meeting.span, meeting.why, between=meeting.variants)
    yield from map(clash_proof, judged_clashes)
    for judged in rules.joint_norms:
        obligation, verdict = judged.obligation, judged.verdict
        if len(obligation.item.options) < 2:
            continue
        words = verdict.evidence.situation.words if isinstance(verdict, Refuted) else ""
        limit, code = joint_norms.BUDGET, obligation.kind.code
        one = proof(
            "norms", obligation.subject, obligation.span, verdict, limit=limit, code=code, reason=words
        )
        yield replace(one, between=tuple(sorted(obligation.item.options)))


def _choice(rules: Inspection, choice: ir.Choice) -> Proof:
    """Whether norms leave a legal answer: a refuted duty counts before an undecided one."""
    span = rules.compiled.program.sites[choice.site].span
    judged = rules.duties(choice)
    given = duties.promises(rules.solver, choice)
    for duty in judged:
        if isinstance(duty.verdict, Refuted):
            words, code = duty.verdict.evidence.situation.words, duty.obligation.kind.code
            return proof("choice", choice.name, span, duty.verdict, code=code, reason=words, given=given)
    for duty in judged:
        if isinstance(duty.verdict, Undecided):
            return proof("choice", choice.name, span, duty.verdict, limit=duties.BUDGET, given=given)
    if left := duties.left_out(choice):
        return proof("choice", choice.name, span, NotChecked(left))
    plainly = duties.plainly(choice)
    limit = 0 if plainly else duties.BUDGET
    return proof("choice", choice.name, span, Proved(how=plainly), limit=limit, given=given)


def _tables(rules: Inspection) -> Iterator[Proof]:
    """Whether rows cover all keys once: where they do not, nothing is compiled."""
    compiled = rules.compiled
    for name, table in compiled.model.tables.items():
        number = math.prod(part.bit_count() for part in table.wanted)
        yield proof("table", name, table.decl.span, Proved(how=f"{number:,} combinations"))
    made_up = {name_of(table) for table in compiled.program.made_up_tables}
    for name, extern in compiled.names.externs.items():
        if name in compiled.data.externs:
            whose = "the sampler's" if name in made_up else "the owner's"
            yield proof("table", name, extern.span, Proved(how=f"with {whose} numbers"))
        else:
            yield proof("table", name, extern.span, Undecided(f"missing-data {extern.file or name}"))


def _rolls(rules: Inspection) -> Iterator[Proof]:
    """Whether rolls stay within what they are given to."""
    for judged in rules.rolls:
        subject, span, code = judged.obligation.subject, judged.obligation.span, judged.obligation.kind.code
        words = judged.verdict.evidence[0].situation.words if isinstance(judged.verdict, Refuted) else ""
        yield proof("roll", subject, span, judged.verdict, limit=rolls.BUDGET, code=code, reason=words)


def _conditions(rules: Inspection) -> Iterator[Proof]:
    """Whether each condition holds somewhere."""
    for judged in rules.conditions:
        subject, span, code = judged.obligation.subject, judged.obligation.span, judged.obligation.kind.code
        yield proof("condition", subject, span, judged.verdict, limit=conditions.BUDGET, code=code)


def _loops(rules: Inspection) -> Iterator[Proof]:
    """Whether loops with a condition end."""
    program = rules.compiled.program
    endings = Endings(program)
    for name, loop in endings.loops():
        reason = "no state in it only rises or only falls; `--play` looks for games in which it does not end"
        verdict = Proved() if endings.ends(loop) else Undecided(reason)
        yield proof("loop", name, program.sites[loop.site].span, verdict)


def _claims(rules: Inspection) -> Iterator[Proof]:
    """Whether claims hold, including those that errata settle."""
    for judged in rules.claims:
        claim = judged.obligation.item
        if claim.played is None:
            settled = f"the errata entry `{claim.settled}` settles it" if claim.settled else ""
            span, code = judged.obligation.span, judged.obligation.kind.code
            yield proof("claim", claim.name, span, judged.verdict, code=code, reason=settled)


def _signs(rules: Inspection) -> Iterator[Proof]:
    """Whether what sides see gives away what is hidden from them."""
    for judged in rules.signs:
        subject, span, code = judged.obligation.subject, judged.obligation.span, judged.obligation.kind.code
        contrast = judged.verdict.evidence.contrast if isinstance(judged.verdict, Refuted) else None
        reason = "" if contrast is None else f"{contrast.first}, or {contrast.second}"
        yield proof("sign", subject, span, judged.verdict, limit=SIGN_BUDGET, code=code, reason=reason)


def clash_proof(judged: JudgedClash) -> Proof:
    """Whether two amendments that reach one point without an order ever act together."""
    obligation, verdict = judged.obligation, judged.verdict
    words = verdict.evidence.words if isinstance(verdict, Refuted) else ""
    code, span = obligation.kind.code, obligation.span
    if isinstance(verdict, Proved):
        tried = f"{verdict.tried:,} readings tried" if verdict.tried else verdict.how
        verdict = Proved(verdict.tried, f"never act together: {tried}")
    one = proof("pair", obligation.subject, span, verdict, limit=CLASH_BUDGET, code=code, reason=words)
    return replace(one, between=obligation.item.finding.key[1:])


_RANK = {answer: rank for rank, answer in enumerate(ANSWERS)}
"""What counts of two answers about one subject in different groups: the lower."""
Together = Callable[[Group], tuple[Proof, ...] | None]
"""Gives the proofs about the clashes in a group of options; None if they do not compile together."""


def proofs_of_options(options: RuleOptions, together: Together) -> Iterator[Proof]:
    """The list for every two options that may be chosen together."""
    groups = groups_together(options)
    worst: dict[str, Proof] = {}
    failed = 0
    for group in groups:
        proofs = together(group)
        failed += proofs is None
        for one in proofs or ():
            if one.subject not in worst or _RANK[one.answer] < _RANK[worst[one.subject].answer]:
                worst[one.subject] = one
    yield from worst.values()
    subject, span = f"{options.pairs:,} pairs of options", options.manifest.options[0].span
    meeting = {
        pair
        for one in worst.values()
        for pair in combinations(sorted(set(map(options.home, one.between))), 2)
    }
    apart = f"{options.pairs - len(meeting):,} meet at nothing" if options.pairs else ""
    if options.untried:
        reason = f"{options.untried:,} of them were not"
        yield Proof("options", subject, "unknown", span, reason, MOST_GROUPS, len(groups))
    elif failed:
        reason = f"{failed} of {len(groups)} groups of options do not compile together"
        yield Proof("options", subject, "unknown", span, reason)
    elif options.pairs:
        number = f"{len(groups)} group{'' if len(groups) == 1 else 's'}"
        yield Proof("options", subject, "proved", span, f"{apart}; in {number}", MOST_GROUPS)
