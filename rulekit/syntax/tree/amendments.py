"""Items as written: exceptions, variants, options, and what they amend."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.syntax.tree.components import Case, CaseLet, DateSpan, FieldDecl
from rulekit.syntax.tree.expr import Expr, Name
from rulekit.syntax.tree.rules import Clause, Norm, Stacking, Verb
from rulekit.syntax.tree.stmt import Cite, Statement
from rulekit.syntax.tree.tables import Cell, Note, TableRow
from rulekit.syntax.tree.types import TypeExpr


@frozen
class Address:
    """The target of an amendment: by citation, by word and name (of another), or a row by its key.

    `decider`, `verb` and `result` are words without a name, of another; a `cell` has its column as its name.
    """

    span: Span
    cite: Cite | None
    word: str
    name: Name | None
    of_word: str
    of_name: Name | None
    row: Cell | None


@frozen
class Amendment:
    """One change; which of the bodies is set depends on `op` and on what is addressed."""

    span: Span
    cite: Cite | None
    op: Literal["add", "replace", "redefine", "before", "after", "remove", "set", "widen"]
    address: Address
    members: tuple[Name, ...] = ()
    norms: tuple[Norm, ...] = ()
    rows: tuple[TableRow, ...] = ()
    notes: tuple[Note, ...] = ()
    fields: tuple[FieldDecl, ...] = ()
    body: tuple[Statement, ...] = ()
    cases: tuple[Case | CaseLet, ...] = ()
    clauses: tuple[Clause, ...] = ()
    verb: Verb | None = None
    lets: tuple[CaseLet, ...] = ()
    secret: bool = False
    default: Expr | None = None
    dice: tuple[int, int, int] | None = None
    """How many, their sides, the lowest of these."""
    type: TypeExpr | None = None
    most: int | None = None
    deep: int | None = None
    stacking: tuple[Stacking, ...] = ()
    """Classes of modifiers; one that something is set to has no name of its own."""
    months: tuple[int, int] | None = None
    """The first and the last of a calendar."""


@frozen
class Variant:
    """`exception` (part of the base), `variant`, `option` and `reading` (when chosen).

    A reading is `of` an errata entry, and may state what it plays, as the entry does.
    """

    span: Span
    cite: Cite | None
    word: Literal["exception", "variant", "option", "reading"]
    name: Name
    title: str
    author: str
    status: str
    force: tuple[Expr | DateSpan, ...]
    needs: tuple[Name, ...]
    excludes: tuple[Name, ...]
    over: tuple[Name, ...]
    beside: tuple[Name, ...]
    """Those it is `with`."""
    favours: Name | None
    reason: str
    amendments: tuple[Amendment, ...]
    of: Name | None = None
    play: tuple[tuple[Expr | str, Cite | None], ...] = ()
