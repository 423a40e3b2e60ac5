"""A verdict as `check --proofs` lists it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from rulekit.analysis.verdicts import NotChecked, Proved, Question, Refuted, Undecided, Verdict
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics.render_json import place_of
from rulekit.diagnostics.render_text import printable

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
    "pair": ("pairs of changes of one point", "one takes precedence, or the two never apply together"),
    "norms": ("norms of several options", "together they leave a legal answer"),
    "sign": ("what sides see", "it gives away nothing that is hidden from them"),
    "options": ("options", "every two that may be chosen together were checked together"),
}
"""What each sort of question is about, and what is proved where it is proved."""
_OF_OPTIONS: Final = ("pair", "norms", "options")
"""Questions about options that nobody has chosen; all others are then about the base."""


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
        given: The promises that it relies on: a situation that breaks one does not count; and the samplers in
            place, whose members are made up.
        between: The variants or options that a question of several is about.
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
    between: tuple[str, ...] = ()


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


WIDTH = 110
ANSWERS: Mapping[Answer, str] = {
    "refuted": "refuted",
    "unknown": "undecided",
    "not-asked": "not checked",
    "proved": "proved",
}
"""Every answer as JSON and `concise_lines` have it, and as people read it."""


def full_lines(name: str, proofs: Sequence[Proof]) -> Iterator[str]:
    """A paragraph for each question: how many of each answer, and the reason for each that is not proved."""
    if not proofs:
        return
    yield ""
    yield f"proofs for {name}"
    with_options = any(proof.question == "options" for proof in proofs)
    for question, (what, proved) in QUESTIONS.items():
        answered = [proof for proof in proofs if proof.question == question]
        if not answered:
            continue
        base = " of the base" if with_options and question not in _OF_OPTIONS else ""
        yield ""
        yield f"{what}{base}: {proved}"
        for answer, word in ANSWERS.items():
            some = [proof for proof in answered if proof.answer == answer]
            if not some:
                continue
            yield f"  {word} {len(some)}"
            if answer != "proved" or question in ("pair", "options"):
                yield from (f"    {_line(proof)}" for proof in some)
            elif question != "condition":  # they have no names, and there are hundreds
                names = ", ".join(dict.fromkeys(map(_name, some)))
                yield from textwrap.wrap(
                    names, WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False
                )


def concise_lines(proofs: Iterable[Proof]) -> Iterator[str]:
    """A line each."""
    for proof in proofs:
        why = f": {_why(proof)}" if _why(proof) else ""
        yield f"{printable(str(proof.span))}: {proof.answer} {proof.question} {printable(proof.subject)}{why}"


def proof_to_json(proof: Proof) -> dict[str, Any]:
    """One answer as JSON."""
    return {
        "question": proof.question,
        "subject": proof.subject,
        "answer": proof.answer,
        "reason": proof.reason,
        "limit": proof.limit or None,
        "tried": proof.tried if proof.answer == "unknown" else None,
        "code": proof.code or None,
        "given": list(proof.given),
        "place": place_of(proof.span),
    }


def _line(proof: Proof) -> str:
    why = _why(proof)
    return printable(f"{proof.subject}  {proof.span}" + (f"  {why}" if why else ""))


def _name(proof: Proof) -> str:
    given = f" (given {', '.join(proof.given)})" if proof.given else ""
    return printable(f"{proof.subject}{given}")


def _why(proof: Proof) -> str:
    """Reason, limit, and where a finding tells more."""
    parts = [proof.reason] if proof.reason else []
    if proof.limit and proof.answer == "unknown":
        counted = "groups" if proof.question == "options" else "readings"
        parts.append(f"the limit is {proof.limit:,} {counted}")
    if proof.code:
        parts.append(proof.code)
    return "; ".join(parts)
