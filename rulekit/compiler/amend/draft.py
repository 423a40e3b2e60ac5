"""Names in the making, and the condition an amendment acts under."""

from __future__ import annotations

from typing import Any

from rulekit.base.source import Span
from rulekit.compiler.names import SPACES, Clash, Names, Widening
from rulekit.diagnostics import Diagnostic, Kind, Label, Report, Severity, declare
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s

_E = Severity.ERROR
NO_TARGET = declare(
    "RK230", "nothing-to-amend", "an amendment of something that is not there", _E, since="0.1.0"
)
AMBIGUOUS = declare(
    "RK231", "ambiguous-citation", "an amendment by a number that several things cite", _E, since="0.1.0"
)
IMPOSSIBLE = declare(
    "RK232", "impossible-amendment", "an amendment that its target cannot take", _E, since="0.1.0"
)
EXCLUDED = declare(
    "RK233", "excluded-together", "two variants chosen together that exclude each other", _E, since="0.1.0"
)
UNORDERED = declare(
    "RK234", "unordered-amendments", "two amendments of one point without an order", _E, since="0.1.0"
)
NEEDED = declare("RK235", "needed-variant", "a variant without one that it needs", _E, since="0.1.0")
UNSTACKED = declare(
    "RK236", "unordered-modifiers", "two modifiers whose order matters and is not said", _E, since="0.1.0"
)


class Force:
    """When a variant's amendments act: always, while conditions hold, or in a stretch of time."""

    def __init__(self, variant: i.Variant) -> None:
        self.variant = variant

    @property
    def always(self) -> bool:
        """Whether the variant acts at all times."""
        return not self.variant.force

    def clauses(self) -> tuple[i.Clause, ...]:
        """The condition as clauses of a norm or modifier."""
        made: list[i.Clause] = []
        for part in self.variant.force:
            if isinstance(part, i.DateSpan):
                made.append(i.SpanClause(part.span, None, part))
            else:
                made.append(i.WhenClause(part.span, None, x.Outside(part.span, part)))
        return tuple(made)

    def condition(self, extra: tuple[i.Clause, ...] = ()) -> x.Expr | None:
        """The condition as one expression, with the amendment's own `when` and `unless`; None is always.

        The variant's `in force` sees no locals; the amendment's own clauses see those of what they amend.
        """
        made: x.Expr | None = None
        for clause in (*self.clauses(), *extra):
            part = condition_of(clause)
            if part is not None:
                made = part if made is None else x.Logic(part.span, "and", made, part)
        return made


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


class Draft:
    """Mutable copies of the mappings of `Names`; the items themselves stay frozen."""

    def __init__(self, names: Names, report: Report) -> None:
        self._spaces: dict[str, dict[str, Any]] = {
            space: dict(getattr(names, space)) for space in SPACES.values()
        }
        self.originals: dict[str, str] = dict(names.originals)
        self.declared: dict[str, str] = dict(names.declared)
        self.alternatives: dict[str, tuple[tuple[i.Clause, str], ...]] = dict(names.alternatives)
        self.base = names
        """The names before any amendment."""
        self._origins: dict[Span, frozenset[Span]] = {}
        self.clashes: list[Clash] = []
        self.widened: list[Widening] = []
        self.asked: dict[str, i.Choice] = dict(names.asked)
        self.report = report

    def space(self, name: str) -> dict[str, Any]:
        """One of the mappings of `Names`, to be changed in place."""
        return self._spaces[name]

    def stands_for(self, new: Span, old: Span) -> None:
        """Note that the norm at one place stands for that at another, and for what that stood for."""
        self._origins[new] = self.origins(old)

    def origins(self, place: Span) -> frozenset[Span]:
        """The place of a norm, and those of all norms that it stands for."""
        return self._origins.get(place, frozenset()) | {place}

    def free(self, space: str, name: str) -> str:
        """A name like `name` that nothing in a mapping has."""
        while name in self._spaces[space]:
            name += "'"
        return name

    def names(self) -> Names:
        """The names as they stand now."""
        return Names(
            **self._spaces,
            originals=self.originals,
            declared=self.declared,
            alternatives=self.alternatives,
            clashes=tuple(self.clashes),
            widened=tuple(self.widened),
            asked=self.asked,
        )

    def tell(self, kind: Kind, message: str, span: Span, hint: str | None = None, *labels: Label) -> None:
        """Report something."""
        self.report.add(Diagnostic(kind, message, span, labels, hint))

    def tell_impossible(self, amendment: i.Amendment, message: str, hint: str | None = None) -> None:
        """Report that a target cannot take an amendment."""
        self.tell(IMPOSSIBLE, message, amendment.span, hint)


def either(new: x.Expr, condition: x.Expr | None, old: x.Expr) -> x.Expr:
    """One value while a condition holds, else another; without a condition the first."""
    return new if condition is None else x.Conditional(new.span, new, condition, old)


def under(
    condition: x.Expr | None, body: tuple[s.Statement, ...], otherwise: tuple[s.Statement, ...], span: Span
) -> tuple[s.Statement, ...]:
    """`body` where a condition holds, else `otherwise`; without a condition just `body`."""
    if condition is None:
        return body
    return (s.When(span, None, ((condition, body),), otherwise),)
