"""A verdict as `check --proofs` lists it."""

from __future__ import annotations

from typing import Literal

from rulekit.analysis.verdicts import NotChecked, Proved, Question, Refuted, Undecided, Verdict
from rulekit.base.frozen import frozen
from rulekit.base.source import Span

Answer = Literal["proved", "refuted", "unknown", "not-asked"]

QUESTIONS: dict[Question, tuple[str, str]] = {
    "choice": (
        "choices",
        "norms leave a legal answer wherever one is due and there is something to choose from",
    ),
    "table": ("tables", "each combination of keys has one row"),
    "roll": ("rolls", "what is rolled, with its modifiers, has room where it is used"),
    "condition": ("conditions", "each holds in some situation"),
    "loop": ("loops with a condition", "each ends"),
    "claim": ("claims", "each holds"),
    "pair": ("pairs of changes of one point without an order", "the two never apply together"),
    "options": ("options", "every two that may be chosen together were checked together"),
}
"""What each sort of question is about, and what is proved where it is proved."""


@frozen
class Proof:
    """One line of the list.

    Attributes:
        subject: What it is about, as the rules call it.
        answer: The verdict as JSON names it: `unknown` is undecided, `not-asked` is not checked.
        reason: Why it is undecided or not checked; or how it was proved, where that is worth a word.
        limit: The most readings for it (of options: groups); 0 where no number ends the search.
        tried: The number of situations (groups) that were tried, if it is undecided.
        code: The kind of the finding that reports a refutation.
        given: The promises that it relies on: a situation that breaks one does not count.
    """

    question: Question
    subject: str
    answer: Answer
    span: Span
    reason: str = ""
    limit: int = 0
    tried: int = 0
    code: str = ""
    given: tuple[str, ...] = ()


def proof(
    question: Question,
    subject: str,
    span: Span,
    verdict: Verdict[object],
    *,
    limit: int = 0,
    code: str = "",
    reason: str = "",
    given: tuple[str, ...] = (),
) -> Proof:
    """Return a verdict as a line of the list.

    Args:
        limit: The readings that the question may take; shown where it is what ended the search, or what a
            proof stayed within.
        code: The kind of finding that reports a refutation.
        reason: What there is to say of a refutation.
    """
    match verdict:
        case Proved(how=how):
            return Proof(question, subject, "proved", span, how, limit, given=given)
        case Refuted():
            return Proof(question, subject, "refuted", span, reason, code=code, given=given)
        case Undecided(tried=tried):
            limit = limit if verdict.reason == "budget" else 0
            return Proof(question, subject, "unknown", span, verdict.words, limit, tried, given=given)
        case NotChecked(reason=why):
            return Proof(question, subject, "not-asked", span, why)
