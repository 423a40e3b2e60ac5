"""The fate of a mutant, and a cache of fates.

A fate is known as long as nothing changes that it depends on: rulekit itself, the rules and their data, the
mutant, and the examples that reach it, in their order.  So one more example or one fewer makes rulekit try
the mutants again that it reaches, and no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Literal, get_args

from rulekit.analysis.mutate.example_coverage import ExampleCoverage
from rulekit.analysis.mutate.mutant import Mutant
from rulekit.base import cache
from rulekit.base.codec import Codec
from rulekit.base.frozen import frozen
from rulekit.base.results import ResultStore, code_digest
from rulekit.compiler.driver import Compiled
from rulekit.ruleset.manifest import FILE

Fate = Literal["noticed", "survived", "same", "refused"]
FATES: tuple[str, ...] = get_args(Fate)


@frozen
class MutantFate:
    """What became of a mutant.

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
    fates: Sequence[str] = [one.verdict.fate for one in judged]
    return Score(*(fates.count(fate) for fate in FATES))


class FateCache:
    """Verdicts of one rule set's mutants, in the user's cache."""

    def __init__(self, compiled: Compiled, exercise: ExampleCoverage) -> None:
        self._exercise = exercise
        self._rules = cache.key_of(code_digest(), *_content(compiled))
        self._examples = {
            title: "\n".join(compiled.rule_set.rows(example.span))
            for title, example in compiled.declared.examples.items()
        }

    def recall(self, mutant: Mutant) -> MutantFate | None:
        """Return what became of a mutant, if that is known."""
        return _FATES.get(self._key(mutant, self._exercise.noticing(mutant)))

    def keep(self, mutant: Mutant, verdict: MutantFate) -> None:
        """Keep what became of a mutant."""
        _FATES.put(self._key(mutant, self._exercise.noticing(mutant)), verdict)

    def _key(self, mutant: Mutant, names: list[str]) -> str:
        texts = [part for name in names for part in (name, self._examples.get(name, ""))]
        return cache.key_of(self._rules, mutant.id, repr(mutant.path), mutant.now, *texts)


def _content(compiled: Compiled) -> list[str]:
    """The rules without examples, their data and options, as text."""
    names = compiled.declared
    kept = [
        repr(getattr(names, space))
        for space in (field.name for field in fields(names))
        if space not in ("examples", "claims", "errata")
    ]
    folder = compiled.rule_set.folder
    paths = [folder / name for name in sorted(compiled.data.files)] + [*compiled.rule_set.overlays]
    data = [path.read_bytes().hex() for path in paths if path.is_file()]
    manifest = (folder / FILE).read_text(encoding="utf-8", errors="replace")
    return [*kept, *data, manifest, *compiled.rule_set.options]


_CODEC: Codec[MutantFate] = Codec(MutantFate)
_FATES = ResultStore("mutant", _CODEC.encode, _CODEC.decode)
