"""Answers in words, as lines for programs, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulekit.analysis.proofs.record import QUESTIONS, Answer, Proof
from rulekit.diagnostics.render_json import place_of
from rulekit.diagnostics.render_text import printable

WIDTH = 110
ANSWERS: tuple[Answer, ...] = ("refuted", "unknown", "not-asked", "proved")


def full(name: str, proofs: Sequence[Proof]) -> Iterator[str]:
    """A paragraph for each question: how many of which answer, and why each that is not proved is not."""
    if not proofs:
        return
    yield ""
    yield f"what is known of {name}"
    for question, (what, proved) in QUESTIONS.items():
        of_it = [each for each in proofs if each.question == question]
        if not of_it:
            continue
        yield ""
        yield f"{what}: {proved}"
        for answer in ANSWERS:
            found = [each for each in of_it if each.answer == answer]
            if not found:
                continue
            yield f"  {answer.replace('-', ' ')} {len(found)}"
            if answer != "proved":
                yield from (f"    {_line(each)}" for each in found)
            elif question != "condition":  # they have no names, and there are hundreds
                names = ", ".join(dict.fromkeys(_named(each) for each in found))
                yield from textwrap.wrap(
                    names, WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False
                )


def concise(proofs: Iterable[Proof]) -> Iterator[str]:
    """A line each."""
    for each in proofs:
        said = f": {_why(each)}" if _why(each) else ""
        yield f"{printable(str(each.span))}: {each.answer} {each.question} {printable(each.subject)}{said}"


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


def _named(proof: Proof) -> str:
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
