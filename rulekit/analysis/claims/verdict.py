"""The verdict on a claim."""

from __future__ import annotations

from rulekit.analysis.verdicts import Judged, Proved, Refuted, Undecided
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.model import ClaimModel
from rulekit.diagnostics import Label, Replay


@frozen
class Blame:
    """The cell of data that a refuted claim comes down to, with its word, and other cells that matter."""

    at: Span
    word: str
    others: tuple[Label, ...]


@frozen
class Contradiction:
    """What is so instead of what is claimed.

    Attributes:
        words: It in words; empty if there is nothing to add.
        place: Where the rules say so, if at one place.
        replay: The game that comes to it, if the claim speaks of games.
        blame: Where the data say so, for a claim about what never changes.
        examples: Lines of examples, not yet run, in which the claim may fail: the first that holds shows it.
    """

    words: str = ""
    place: Span | None = None
    replay: Replay | None = None
    blame: Blame | None = None
    examples: tuple[tuple[str, ...], ...] = ()


ClaimVerdict = Proved | Refuted[Contradiction] | Undecided
JudgedClaim = Judged[ClaimModel, Contradiction]


def contradiction(words: str = "", place: Span | None = None) -> Refuted[Contradiction]:
    """The verdict on a claim that the rules contradict."""
    return Refuted(Contradiction(words, place))
