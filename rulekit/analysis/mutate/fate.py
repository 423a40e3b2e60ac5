"""What becomes of a mutant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from rulekit.analysis.mutate.mutant import Mutant
from rulekit.base.frozen import frozen

Fate = Literal["noticed", "survived", "same", "refused"]
FATES: tuple[str, ...] = get_args(Fate)


@frozen
class MutantFate:
    """How it went.

    Attributes:
        fate: `noticed` by an example or in a game; `survived` all that came to it; `same`: shown to be no
            change at all; `refused`: the compiler finds an error in it.
        by: The example that fails, or the game.
        reason: Why it fails; of what is the same, how that is known.
        unaware: The examples that come to the change and hold all the same.
    """

    fate: Fate
    by: str = ""
    reason: str = ""
    unaware: tuple[str, ...] = ()


@frozen
class JudgedMutant:
    """A mutant and what became of it."""

    mutant: Mutant
    verdict: MutantFate


@frozen
class Score:
    """How many of the mutants that count are noticed; what is the same or refused does not count."""

    noticed: int
    survived: int
    same: int
    refused: int

    @property
    def counted(self) -> int:
        return self.noticed + self.survived

    def reaches(self, percent: int) -> bool:
        """Whether at least so many in a hundred are noticed."""
        return 100 * self.noticed >= percent * self.counted


def score(judged: Iterable[JudgedMutant]) -> Score:
    """The score of some mutants."""
    fates: Sequence[str] = [each.verdict.fate for each in judged]
    return Score(*(fates.count(fate) for fate in FATES))
