"""What was found out about a claim."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.model import ClaimModel
from rulekit.diagnostics import Label, Replay


@frozen
class Blame:
    """The cell of data that a denied claim comes down to, with its word, and other cells that matter."""

    at: Span
    word: str
    others: tuple[Label, ...]


@frozen
class Verdict:
    """An answer.

    Attributes:
        told: Of a broken claim, what is so instead; of an undecided one, the reason.
        place: Where that stands, if it stands at one place.
        replay: The game that comes to it, if it speaks of games.
        blame: Where the data say so, of a broken claim about what never changes.
        examples: The lines of examples in which it may be denied, not yet run: the first that holds shows it.
    """

    claim: ClaimModel
    answer: Literal["holds", "broken", "undecided"]
    told: str = ""
    place: Span | None = None
    replay: Replay | None = None
    blame: Blame | None = None
    examples: tuple[tuple[str, ...], ...] = ()
