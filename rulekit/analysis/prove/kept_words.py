"""Situations in words, kept from one check to the next and from one group of options to the next.

The words depend on more than the answer does: on the names of all members, and on the order in which the
states that the question can reach are declared.  So they have names of their own in the table of answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from rulekit import ir
from rulekit.analysis.prove.answer_cache import AnswerCache
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base.codec import Codec
from rulekit.base.results import DAMAGED

W = TypeVar("W")

NOT_REPLAYED = Undecided("not-replayed", 1)
"""The interpreter does not confirm what the search has found."""


class KeptWords(Generic[W]):
    """Words of one kind about situations.

    Args:
        kind: Names the kind.
        codec: Makes plain JSON of the words, and reads it.
        is_plain: Tells whether the words are the same when they are read again.
    """

    def __init__(self, kind: str, codec: Codec[W], is_plain: Callable[[W], bool] = lambda _: True) -> None:
        self._kind, self._codec, self._is_plain = kind, codec, is_plain

    def find(
        self,
        prover: Prover,
        params: Sequence[ir.Param],
        tests: Sequence[ir.Expr],
        more: Sequence[object],
        search: Callable[[], Refuted[W] | Proved | Undecided],
    ) -> Refuted[W] | Proved | Undecided:
        """Return what is known of a question; else the result of `search`, which is kept if it has words.

        The prover keeps other answers itself.

        Args:
            tests: Every expression on which the words depend.
            more: Everything else that decides them, each with a `repr` that says all of it.
        """
        if prover.kept is None:
            return search()
        answers, keys = prover.kept
        names = [keys.of(params, tests, self._kind, False, *more, in_words=True)]
        known = self._words_of(answers, names[0])
        if known is None and prover.has_solver:
            names.append(keys.of(params, tests, self._kind, True, *more, in_words=True))
            known = self._words_of(answers, names[1])
        if known is not None:
            return known
        answer = search()
        name = names[prover.asked_solver]  # what a search has found needs no solver
        if isinstance(answer, Refuted) and self._is_plain(answer.evidence):
            answers.put_words(name, [self._codec.encode(answer.evidence)])
        elif answer == NOT_REPLAYED:
            answers.put_words(name, [])
        return answer

    def _words_of(self, answers: AnswerCache, name: str) -> Refuted[W] | Undecided | None:
        plain = answers.words(name)
        if plain is None:
            return None
        try:
            return Refuted(self._codec.decode(plain[0])) if plain else NOT_REPLAYED
        except DAMAGED:
            return None
