"""One amendment to be worked in."""

from __future__ import annotations

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Force
from rulekit.compiler.amend.targets import Reached
from rulekit.syntax.tree import items as i


@frozen
class Work:
    """An amendment, what it reaches and when it acts.  Works stand in the order in which they are done.

    Attributes:
        beside: The variants that it is to act with, where they reach the same.
    """

    amendment: i.Amendment
    reached: Reached
    force: Force
    beside: tuple[i.Variant, ...] = ()

    def stands_beside(self, place: Span) -> bool:
        """Whether what stands at a place is brought by a variant that this one acts with."""
        return any(
            variant.span.file == place.file and variant.span.line <= place.line <= variant.span.end_line
            for variant in self.beside
        )
