"""Names in the making, and the patches laid over them: amendments with what they reach and when they act."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.amend.targets import Target
from rulekit.compiler.names import SPACES, Clash, Meeting, Names, Widening
from rulekit.diagnostics import Diagnostic, Kind, Label, Report, kinds
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s


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
        self.meetings: list[Meeting] = []
        self.unmet: list[Clash] = []
        self.widened: list[Widening] = []
        self.asked: dict[str, i.Choice] = dict(names.asked)
        self.findings = report

    def space(self, name: str) -> dict[str, Any]:
        """One of the mappings of `Names`, to be changed in place."""
        return self._spaces[name]

    def note_replacement(self, new: Span, old: Span) -> None:
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
            meetings=tuple(self.meetings),
            unmet=tuple(self.unmet),
            widened=tuple(self.widened),
            asked=self.asked,
        )

    def report(self, kind: Kind, message: str, span: Span, hint: str | None = None, *labels: Label) -> None:
        """Report something."""
        self.findings.add(Diagnostic(kind, message, span, labels, hint))

    def report_twice(self, owner: str, known: Mapping[str, Span], names: Iterable[x.Name], hint: str) -> None:
        """Report added parts that have a name which another part has.

        Args:
            owner: What has the parts, with the word for them: "`Ship` has the field".
            known: The places of the parts that are there, by name.
        """
        places = dict(known)
        for name in names:
            if name.text in places:
                label = Label(places[name.text], "first here")
                self.report(kinds.DECLARED_TWICE, f"{owner} `{name.text}` twice", name.span, hint, label)
            places.setdefault(name.text, name.span)

    def refuse(self, amendment: i.Amendment, message: str, hint: str | None = None) -> None:
        """Report that a target cannot take an amendment."""
        self.report(kinds.IMPOSSIBLE_AMENDMENT, message, amendment.span, hint)


def either(new: x.Expr, condition: x.Expr | None, old: x.Expr) -> x.Expr:
    """One value while a condition holds, else another; without a condition the first."""
    return new if condition is None else x.Conditional(new.span, new, condition, old)


def conjunction(conditions: Iterable[x.Expr | None], op: Literal["and", "or"] = "and") -> x.Expr | None:
    """The conditions as one; None stands for no condition, and is left out."""
    present = [condition for condition in conditions if condition is not None]
    return reduce(lambda left, right: x.Logic(right.span, op, left, right), present) if present else None


def value_set(amendment: i.Amendment, ops: tuple[str, ...] = ("set",)) -> x.Expr | None:
    """Return the one value that an amendment sets, with one of these operations; None if it sets none."""
    case = amendment.cases[0] if amendment.op in ops and amendment.cases else None
    return case.value if isinstance(case, i.Case) else None


def unless(test: x.Expr, condition: x.Expr) -> x.Expr:
    """Return a test that fails while a condition holds."""
    return x.Logic(test.span, "and", test, x.Not(condition.span, condition))


def under(
    condition: x.Expr | None, body: tuple[s.Statement, ...], otherwise: tuple[s.Statement, ...], span: Span
) -> tuple[s.Statement, ...]:
    """`body` where a condition holds, else `otherwise`; without a condition just `body`."""
    if condition is None:
        return body
    return (s.When(span, None, ((condition, body),), otherwise),)


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
        case i.StacksClause() | i.OverClause():
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

    def condition(self) -> x.Expr | None:
        """The condition that it acts under, with its own `when` and `unless`; None is always."""
        return self.activation.condition(self.amendment.clauses)

    def acts_with(self, place: Span) -> bool:
        """Whether a variant that this one acts with brings what is at a place."""
        return any(variant.span.contains(place) for variant in self.beside)
