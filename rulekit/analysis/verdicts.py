"""The one vocabulary of proof: what is to be proved of a rule set, and the verdict on it.

The prover, the claims, the lints, `check --proofs` and the search for equivalent mutants all use it.
Lints make findings from verdicts; `check --proofs` lists the same verdicts.
"""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics import Kind

Question = Literal[
    "choice", "table", "roll", "condition", "loop", "claim", "pair", "norms", "options", "sign"
]

Item = TypeVar("Item", covariant=True)
Evidence = TypeVar("Evidence", covariant=True)


@frozen
class Proved:
    """It is so in every situation.

    `tried`: the number of situations that were tried; `how`: a plain reason that made trying unnecessary.
    """

    tried: int = 0
    how: str = ""


@frozen
class Refuted(Generic[Evidence]):
    """It is not so; the evidence shows it: most often a situation that the interpreter has confirmed."""

    evidence: Evidence


@frozen
class Undecided:
    """Neither proved nor refuted.

    `reason` is `budget`, `not-replayed`, `range NAME`, `opaque NAME`, `missing-data NAME`, or plain words.
    """

    reason: str
    tried: int = 0

    @property
    def words(self) -> str:
        """The reason in words."""
        word, _, name = self.reason.partition(" ")
        match word:
            case "budget":
                return f"too many situations: {self.tried:,} were tried"
            case "not-replayed":
                return "the situation found does not hold when it is played"
            case "missing-data":
                return f"the owner's file `{name}` is missing"
            case "range" | "opaque":
                return f"not all values of `{name.removeprefix('parameter ')}` can be tried"
            case _:
                return self.reason


@frozen
class NotChecked:
    """No attempt was made, and why not."""

    reason: str


Verdict = Proved | Refuted[Evidence] | Undecided | NotChecked


@frozen
class Obligation(Generic[Item]):
    """Something to prove about an item of the rules.

    `subject`: the item as the rules call it.  `kind`: the kind of finding that reports a refutation.
    """

    question: Question
    item: Item
    subject: str
    span: Span
    kind: Kind


@frozen
class Judged(Generic[Item, Evidence]):
    """An obligation with the verdict on it."""

    obligation: Obligation[Item]
    verdict: Verdict[Evidence]
