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
        instead: The behaviour of the rules, in words.
        situation: When they do, such as `when turn = 2`; empty if they always do.
        place: The rule that does it, if it is known.
        ran: Sites that ran, in a claimed example.
        replay: The game that shows it, for a claim about games.
        blame: The data that show it, for a claim about fixed values.
        examples: Lines of examples, not yet run, that may show it: the first that holds does.
    """

    instead: str
    situation: str = ""
    place: Span | None = None
    ran: frozenset[int] = frozenset()
    replay: Replay | None = None
    blame: Blame | None = None
    examples: tuple[tuple[str, ...], ...] = ()


ClaimVerdict = Proved | Refuted[Contradiction] | Undecided
JudgedClaim = Judged[ClaimModel, Contradiction]


def contradiction(instead: str, place: Span | None = None) -> Refuted[Contradiction]:
    """The verdict on a claim that the rules contradict."""
    return Refuted(Contradiction(instead, place=place))
