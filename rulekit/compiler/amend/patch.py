"""A patch: one amendment with what it reaches, and the condition it acts under."""

from __future__ import annotations

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.amend.draft import conjunction
from rulekit.compiler.amend.targets import Target
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


class Activation:
    """When a variant's amendments act: always, while conditions hold, or in a stretch of time."""

    def __init__(self, variant: i.Variant) -> None:
        self.variant = variant

    @property
    def always(self) -> bool:
        """Whether the variant acts at all times."""
        return not self.variant.force

    def clauses(self) -> tuple[i.Clause, ...]:
        """The condition as clauses of a norm or modifier."""
        clauses: list[i.Clause] = []
        for part in self.variant.force:
            if isinstance(part, i.DateSpan):
                clauses.append(i.SpanClause(part.span, None, part))
            else:
                clauses.append(i.WhenClause(part.span, None, x.Outside(part.span, part)))
        return tuple(clauses)

    def condition(self, extra: tuple[i.Clause, ...] = ()) -> x.Expr | None:
        """The condition as one expression, with the amendment's own `when` and `unless`; None is always.

        The variant's `in force` sees no locals; the amendment's own clauses see those of what they amend.
        """
        return conjunction(map(condition_of, (*self.clauses(), *extra)))


def condition_of(clause: i.Clause) -> x.Expr | None:
    """A clause as an expression; a stretch of time becomes a test of the calendar."""
    match clause:
        case i.WhenClause():
            return clause.condition
        case i.UnlessClause():
            return x.Not(clause.span, clause.condition)
        case i.SpanClause():
            return x.During(clause.span, clause.dates.first, clause.dates.last)
        case _:
            return None


@frozen
class Patch:
    """An amendment, what it reaches and when it acts.  Patches stand in the order in which they are done.

    Attributes:
        beside: The variants that it is to act with, where they reach the same.
    """

    amendment: i.Amendment
    target: Target
    activation: Activation
    beside: tuple[i.Variant, ...] = ()

    def acts_with(self, place: Span) -> bool:
        """Whether what stands at a place is brought by a variant that this one acts with."""
        return any(
            variant.span.file == place.file and variant.span.line <= place.line <= variant.span.end_line
            for variant in self.beside
        )
