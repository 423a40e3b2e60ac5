"""The verdict on a claim."""

from __future__ import annotations

from rulekit.analysis.verdicts import Judged, Proved, Refuted, Undecided
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.model import ClaimModel
from rulekit.diagnostics import Label, Replay


@frozen
class Blame:
    """The cell of data that contradicts a claim, with its label, and other cells that matter."""

    at: Span
    word: str
    others: tuple[Label, ...]


@frozen
class Contradiction:
    """How the rules contradict a claim.

    Attributes:
        words: The contradiction in words; empty if there is nothing to add.
        place: The place in the rules, if there is one.
        replay: The game that shows it, for a claim about games.
        blame: The data that show it, for a claim about fixed values.
        examples: Lines of examples, not yet run, that may show it: the first that holds does.
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
