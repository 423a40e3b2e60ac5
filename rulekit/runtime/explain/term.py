"""A term: one condition of the rules, as it is."""

from __future__ import annotations

from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Site


@frozen
class TermValue:
    """A value that a term rests on: the state, fixed field or definition `name` of `keys`, as JSON."""

    name: str
    keys: tuple[Any, ...]
    value: Any


@frozen
class Term:
    """One condition that makes an answer illegal, as it is at the moment.

    Attributes:
        text: The condition in words, without its subject where that is the answer itself.
        site: The construct of the rules that it is in; `rules` are the printed rules cited there.
        values: The values that make it so.
        because: The conditions that make it so, if it is a definition; the shortest first.
    """

    text: str
    site: Site
    rules: tuple[str, ...]
    values: tuple[TermValue, ...] = ()
    because: tuple[Term, ...] = ()

    @property
    def size(self) -> int:
        """How many terms it has, itself included."""
        return 1 + sum(term.size for term in self.because)

    @property
    def line(self) -> str:
        """The text, followed by the terms that make it so."""
        return (
            self.text if not self.because else f"{self.text}: {'; '.join(term.text for term in self.because)}"
        )

    @property
    def leaves(self) -> tuple[Term, ...]:
        """The terms in it that need no others; itself if it is one."""
        return tuple(leaf for term in self.because for leaf in term.leaves) or (self,)
