"""The answer to one question of a check."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span

Question = Literal["choice", "table", "roll", "condition", "loop", "claim", "pair", "options"]
Answer = Literal["proved", "refuted", "unknown", "not-asked"]

QUESTIONS: dict[Question, tuple[str, str]] = {
    "choice": ("choices", "norms leave an answer wherever one is due and there is something to choose from"),
    "table": ("tables", "each combination of keys has one row"),
    "roll": ("rolls", "what is rolled, with its modifiers, has room where it is used"),
    "condition": ("conditions", "each holds in some situation"),
    "loop": ("loops with a condition", "each comes to an end"),
    "claim": ("claims", "each holds"),
    "pair": ("pairs that reach one point without an order", "the two never act together"),
    "options": ("options", "every two that may be chosen together were looked at together"),
}
"""What each sort of question is about, and what is proved where it is proved."""


@frozen
class Proof:
    """One answer.

    Attributes:
        subject: What it is about, as the rules call it.
        reason: Why it is not known; or what it was proved by, where that is worth a word.
        limit: How many readings it may take (of options: groups); 0 where no number ends it.
        tried: How many situations (groups) were tried, of an unknown one.
        code: Of a refuted one, the kind of the finding that tells it.
        given: The promises that bound it: what breaks one is no situation.
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
