"""Items as written: rolls, modifiers, choices, procedures, events, promises."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.syntax.tree.components import CaseLet, DateSpan, Param
from rulekit.syntax.tree.expr import Expr, Name, Way
from rulekit.syntax.tree.stmt import Cite, Statement
from rulekit.syntax.tree.types import TypeExpr


@frozen
class Stacking:
    """How modifiers of one class combine on a roll; `most` and `least` bound their sum."""

    span: Span
    cite: Cite | None
    name: Name
    policy: Literal["sum", "highest", "lowest", "once", "exclusive"]
    most: Expr | None
    least: Expr | None


@frozen
class Roll:
    """`dice` dice numbered from `lowest`, with `sides` sides each."""

    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    dice: int
    sides: int
    lowest: int
    stacking: tuple[Stacking, ...]
    favours: Name | None


@frozen
class WhenClause:
    span: Span
    cite: Cite | None
    condition: Expr


@frozen
class UnlessClause:
    span: Span
    cite: Cite | None
    condition: Expr


@frozen
class SpanClause:
    span: Span
    cite: Cite | None
    dates: DateSpan


@frozen
class StacksClause:
    span: Span
    cite: Cite | None
    name: Name


@frozen
class OverClause:
    span: Span
    cite: Cite | None
    name: Name


Clause = WhenClause | UnlessClause | SpanClause | StacksClause | OverClause


@frozen
class Modifier:
    """`effect` is one of add, subtract, times, half (`way`), set, most, least.

    Columns to the right add to the shift of a table, those to the left subtract.
    """

    span: Span
    cite: Cite | None
    name: Name
    on: Literal["roll", "define", "table"]
    target: Name
    effect: Literal["add", "subtract", "times", "half", "set", "most", "least"]
    value: Expr | None
    way: Way
    clauses: tuple[Clause, ...]


@frozen
class Also:
    """`, one NAME from CANDIDATES` of a pick."""

    span: Span
    name: Name
    candidates: Expr


@frozen
class Verb:
    """The verb of a choice; which parts are set depends on `word` (spec 8.2)."""

    span: Span
    cite: Cite | None
    word: Literal["pick", "assign", "split", "arrange", "share", "decide", "number"]
    amount: Literal["one", "any", "some", "up_to", "at_least", "exactly"] | None
    bound: Expr | None
    item: Name | None
    items: Expr | None
    option: Name | None
    candidates: Expr | None
    also: tuple[Also, ...]
    low: Expr | None
    high: Expr | None
    each: Expr | None
    able: Literal["must", "none", "if_able"]

    @property
    def names(self) -> tuple[Name, ...]:
        """The names that norms read."""
        own = (name for name in (self.item, self.option) if name is not None)
        return (*own, *(also.name for also in self.also))


@frozen
class Norm:
    span: Span
    cite: Cite | None
    word: Literal["forbid", "permit", "require"]
    name: Name | None
    condition: Expr
    clauses: tuple[Clause, ...]


@frozen
class Choice:
    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    decider: Expr
    verb: Verb
    lets: tuple[CaseLet, ...]
    norms: tuple[Norm, ...]
    secret: bool
    default: Expr | None


@frozen
class Procedure:
    """`procedure`, `sequence` and `scenario`.

    `deep`: how many runs of a procedure may be open at once; None if it never runs itself.
    """

    span: Span
    cite: Cite | None
    sort: Literal["procedure", "sequence", "scenario"]
    name: Name
    title: str
    params: tuple[Param, ...]
    result: TypeExpr | None
    body: tuple[Statement, ...]
    deep: int | None = None


@frozen
class EventDecl:
    """`event NAME as soon as CONDITION:`."""

    span: Span
    cite: Cite | None
    name: Name
    title: str
    condition: Expr
    body: tuple[Statement, ...]


@frozen
class Promise:
    """`invariant` or `assume`."""

    span: Span
    cite: Cite | None
    word: Literal["invariant", "assume"]
    name: Name
    condition: Expr
