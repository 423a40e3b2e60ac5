"""Items: what stands at the left edge of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulekit.source import Span
from rulekit.syntax.expr import Expr, Name, Way
from rulekit.syntax.stmt import Cite, Simple, Statement
from rulekit.syntax.types import TypeExpr


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter; without a type it takes the kind of its own name (`side` -> `Side`)."""

    span: Span
    name: Name
    type: TypeExpr | None


@dataclass(frozen=True, slots=True)
class Member:
    span: Span
    name: Name
    title: str
    cite: Cite | None


@dataclass(frozen=True, slots=True)
class Enum:
    span: Span
    cite: Cite | None
    name: Name
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class FieldDecl:
    """One field; a line that declares several gives several."""

    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    type: TypeExpr
    changes: bool
    initial: Expr | None
    known_to: Expr | None


@dataclass(frozen=True, slots=True)
class KindUnion:
    """A union of kinds; each of them has the union's `fields` too."""

    span: Span
    cite: Cite | None
    name: Name
    kinds: tuple[Name, ...]
    fields: tuple[FieldDecl, ...]


@dataclass(frozen=True, slots=True)
class Population:
    """A `piece` or `space` kind: its members come from a data file, are named, or are counted."""

    span: Span
    cite: Cite | None
    sort: Literal["piece", "space"]
    name: Name
    source: str | None
    source_span: Span | None
    members: tuple[Member, ...]
    count: int
    fields: tuple[FieldDecl, ...]


@dataclass(frozen=True, slots=True)
class Group:
    span: Span
    cite: Cite | None
    name: Name
    most: int
    fields: tuple[FieldDecl, ...]


@dataclass(frozen=True, slots=True)
class StateDecl:
    """`state`, `track` (`clamp`), `cup` and `stack`."""

    span: Span
    cite: Cite | None
    sort: Literal["state", "track", "cup", "stack"]
    name: Name
    params: tuple[Param, ...]
    type: TypeExpr
    initial: Expr | None
    known_to: Expr | None


@dataclass(frozen=True, slots=True)
class Calendar:
    span: Span
    cite: Cite | None
    name: Name
    first: int
    last: int
    value: Expr


@dataclass(frozen=True, slots=True)
class DateSpan:
    """`from`, `until`, `during`; both ends inclusive, None is open."""

    span: Span
    first: int | None
    last: int | None


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a definition; `test` is a condition, a stretch of time, or None (`otherwise`)."""

    span: Span
    cite: Cite | None
    test: Expr | DateSpan | None
    value: Expr


@dataclass(frozen=True, slots=True)
class CaseLet:
    span: Span
    cite: Cite | None
    name: Name
    value: Expr


@dataclass(frozen=True, slots=True)
class Define:
    """`define` or `value`; one expression is one `otherwise` case."""

    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    result: TypeExpr | None
    cases: tuple[Case | CaseLet, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a row.

    `kind` says what is written: `int`, `signed`, `nothing` (a dash), `range` (low, high; None is open),
    `names`, `ratio`, `flag`, `date`, `dates`, `text`, `otherwise`, `expr`, `empty`.
    """

    span: Span
    kind: str
    low: int | None
    high: int | None
    names: tuple[Name, ...]
    expr: Expr | None
    mark: str


@dataclass(frozen=True, slots=True)
class TableRow:
    span: Span
    cite: Cite | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Note:
    span: Span
    cite: Cite | None
    mark: str
    value: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Column:
    """A result column; a table with one has it unnamed (`name` is empty)."""

    span: Span
    name: str
    type: TypeExpr


@dataclass(frozen=True, slots=True)
class Table:
    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class ExternTable:
    """A table whose numbers are in the owner's file; `keys` lists the columns or rows it must have."""

    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    columns: tuple[Column, ...]
    file: str
    keys: tuple[tuple[Name, tuple[Cell, ...]], ...]
    rounding: Way
    rising: Name | None


@dataclass(frozen=True, slots=True)
class Stacking:
    """How modifiers of one class combine on a roll; `most` and `least` bound their sum."""

    span: Span
    cite: Cite | None
    name: Name
    policy: Literal["sum", "highest", "lowest", "once", "exclusive"]
    most: Expr | None
    least: Expr | None


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class WhenClause:
    span: Span
    cite: Cite | None
    condition: Expr


@dataclass(frozen=True, slots=True)
class UnlessClause:
    span: Span
    cite: Cite | None
    condition: Expr


@dataclass(frozen=True, slots=True)
class SpanClause:
    span: Span
    cite: Cite | None
    dates: DateSpan


@dataclass(frozen=True, slots=True)
class StacksClause:
    span: Span
    cite: Cite | None
    name: Name


@dataclass(frozen=True, slots=True)
class OverClause:
    span: Span
    cite: Cite | None
    name: Name


Clause = WhenClause | UnlessClause | SpanClause | StacksClause | OverClause


@dataclass(frozen=True, slots=True)
class Modifier:
    """`effect` is one of add, subtract, times, half (`way`), set, most, least."""

    span: Span
    cite: Cite | None
    name: Name
    on: Literal["roll", "define"]
    target: Name
    effect: Literal["add", "subtract", "times", "half", "set", "most", "least"]
    value: Expr | None
    way: Way
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Verb:
    """What a choice asks; which parts are set depends on `word` (spec 8.2)."""

    span: Span
    cite: Cite | None
    word: Literal["pick", "assign", "split", "arrange", "share", "decide", "number"]
    amount: Literal["one", "any", "up_to", "at_least", "exactly"] | None
    bound: Expr | None
    item: Name | None
    items: Expr | None
    option: Name | None
    candidates: Expr | None
    low: Expr | None
    high: Expr | None
    each: Expr | None
    able: Literal["must", "none", "if_able"]


@dataclass(frozen=True, slots=True)
class Norm:
    span: Span
    cite: Cite | None
    word: Literal["forbid", "permit", "require"]
    name: Name | None
    condition: Expr
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Procedure:
    """`procedure`, `sequence` and `scenario`."""

    span: Span
    cite: Cite | None
    sort: Literal["procedure", "sequence", "scenario"]
    name: Name
    title: str
    params: tuple[Param, ...]
    result: TypeExpr | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """`event NAME as soon as CONDITION:`."""

    span: Span
    cite: Cite | None
    name: Name
    title: str
    condition: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Promise:
    """`invariant` or `assume`."""

    span: Span
    cite: Cite | None
    word: Literal["invariant", "assume"]
    name: Name
    condition: Expr


@dataclass(frozen=True, slots=True)
class Given:
    """One thing given: pieces at a `place`, a `value`, a `flag` (`no_flag`: its absence), a `scenario`."""

    span: Span
    kind: Literal["place", "value", "flag", "no_flag", "scenario"]
    subjects: tuple[Expr, ...]
    value: Expr | None
    name: Name | None


@dataclass(frozen=True, slots=True)
class Answer:
    """One part of an answer: a value, `item -> value`, or `done`."""

    span: Span
    item: Expr | None
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Then:
    """`refused` holds the citation of `then refused by`; `fault` is `then fault`."""

    span: Span
    cite: Cite | None
    condition: Expr | None
    refused: Cite | None
    fault: bool


@dataclass(frozen=True, slots=True)
class Example:
    span: Span
    cite: Cite | None
    title: str
    given: tuple[Given, ...]
    when: tuple[Simple, ...]
    dice: tuple[tuple[Name, tuple[int, ...]], ...]
    draws: tuple[tuple[Name, tuple[Expr, ...]], ...]
    answers: tuple[tuple[Name, tuple[Answer, ...]], ...]
    then: tuple[Then, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    span: Span
    cite: Cite | None
    name: Name
    condition: Expr


@dataclass(frozen=True, slots=True)
class Errata:
    """Readings as printed and the one played; a reading is a condition, or words where none can be."""

    span: Span
    cite: Cite | None
    name: Name
    title: str
    printed: tuple[tuple[Expr | str, Cite | None], ...]
    play: tuple[tuple[Expr | str, Cite | None], ...]
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Address:
    """What an amendment reaches: by citation, by word and name (of another), or a row by its key."""

    span: Span
    cite: Cite | None
    word: str
    name: Name | None
    of_word: str
    of_name: Name | None
    row: Cell | None


@dataclass(frozen=True, slots=True)
class Amendment:
    """One change; which of the bodies is set depends on `op` and on what is addressed."""

    span: Span
    cite: Cite | None
    op: Literal["add", "replace", "redefine", "before", "after", "remove", "set"]
    address: Address
    members: tuple[Name, ...] = ()
    norms: tuple[Norm, ...] = ()
    rows: tuple[TableRow, ...] = ()
    notes: tuple[Note, ...] = ()
    fields: tuple[FieldDecl, ...] = ()
    body: tuple[Statement, ...] = ()
    cases: tuple[Case | CaseLet, ...] = ()
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """`exception` (part of the base), `variant` and `option` (when chosen)."""

    span: Span
    cite: Cite | None
    word: Literal["exception", "variant", "option"]
    name: Name
    title: str
    author: str
    status: str
    force: tuple[Expr | DateSpan, ...]
    needs: tuple[Name, ...]
    excludes: tuple[Name, ...]
    over: tuple[Name, ...]
    favours: Name | None
    reason: str
    amendments: tuple[Amendment, ...]


Item = (
    Enum | KindUnion | Population | Group | StateDecl | Calendar | Define | Table | ExternTable | Roll
    | Modifier | Choice | Procedure | Event | Promise | Example | Claim | Errata | Variant
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Module:
    """One file."""

    file: str
    items: tuple[Item, ...]
