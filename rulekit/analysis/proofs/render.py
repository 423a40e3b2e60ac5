"""Answers in words, as lines for programs, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rulekit.analysis.proofs.record import QUESTIONS, Answer, Proof
from rulekit.diagnostics.render_json import place_of
from rulekit.diagnostics.render_text import printable

WIDTH = 110
ANSWERS: Mapping[Answer, str] = {
    "refuted": "refuted",
    "unknown": "undecided",
    "not-asked": "not checked",
    "proved": "proved",
}
"""Every answer as JSON and `concise` have it, and as people read it."""


def full(name: str, proofs: Sequence[Proof]) -> Iterator[str]:
    """A paragraph for each question: how many of each answer, and the reason for each that is not proved."""
    if not proofs:
        return
    yield ""
    yield f"proofs for {name}"
    for question, (what, proved) in QUESTIONS.items():
        answered = [proof for proof in proofs if proof.question == question]
        if not answered:
            continue
        yield ""
        yield f"{what}: {proved}"
        for answer, word in ANSWERS.items():
            some = [proof for proof in answered if proof.answer == answer]
            if not some:
                continue
            yield f"  {word} {len(some)}"
            if answer != "proved":
                yield from (f"    {_line(proof)}" for proof in some)
            elif question != "condition":  # they have no names, and there are hundreds
                names = ", ".join(dict.fromkeys(map(_name, some)))
                yield from textwrap.wrap(
                    names, WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False
                )


def concise(proofs: Iterable[Proof]) -> Iterator[str]:
    """A line each."""
    for proof in proofs:
        why = f": {_why(proof)}" if _why(proof) else ""
        yield f"{printable(str(proof.span))}: {proof.answer} {proof.question} {printable(proof.subject)}{why}"


def plain(proof: Proof) -> dict[str, Any]:
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
