"""The rule set as meant: names bound, options laid over, types known.  Made by `typecheck`, read by `lower`.

Expressions and statements are those of the IR; declarations keep what checks, sheets and explanations need
beyond it: the rows of tables, claims, errata, who amended what.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.names import Names
from rulekit.compiler.world import World
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


@frozen
class EventModel:
    """An event: its condition and the procedure that is its body."""

    name: str
    condition: ir.Expr
    procedure: str
    site: int


def flag_of(event: EventModel) -> str:
    """The state that remembers whether an event's condition held when it was last looked at."""
    return f"event:{event.name}"


@frozen
class Fact:
    """A condition of the states as they begin; `written`: as its text has it."""

    condition: ir.Expr
    written: x.Expr


@frozen
class Law:
    """A condition that never holds, for any values of the parameters.

    `always`: in play; else in every situation.  `claimed`: the condition as written.
    """

    params: tuple[ir.Param, ...]
    claimed: ir.Expr
    breach: ir.Expr
    always: bool


@frozen
class RulingModel:
    """What a choice is said to rule: the norm it would have, over the choice's own locals.

    Without a norm the claim is about declining, and the choice's verb decides.
    """

    choice: str
    word: Literal["forbid", "permit", "require"]
    norm: ir.Norm | None


@frozen
class CaseModel:
    """A worked example with its procedures."""

    example: ir.Example
    procedures: tuple[ir.Procedure, ...]


@frozen
class ReferenceModel:
    """Printed rules that are referred to, and the thing that is meant to stand under them."""

    rules: tuple[str, ...]
    thing: str


@frozen
class PointModel:
    """A point of the sequence of play, in words: a thing by its name, or what cites a printed rule."""

    word: str
    name: str
    rules: tuple[str, ...]
    words: str


@frozen
class Precedence:
    """One point of the sequence of play comes before another."""

    first: PointModel
    second: PointModel


@frozen
class Title:
    """Something is called so."""

    text: str


Claimed = Fact | Law | RulingModel | CaseModel | ReferenceModel | Precedence | Title


@frozen
class ClaimModel:
    """A claim, or one reading of an errata entry, which says whether it is `played` (None for a claim).

    `settled` names the errata entry that says what is played where the claim is denied.
    """

    name: str
    content: Claimed
    site: int
    played: bool | None
    decl: i.Claim | i.Errata
    settled: str


@frozen
class TableModel:
    """A printed table: which parameters are its keys, and what each row covers of them.

    `ordered` says of each key whether its values have an order; `rows` are places with a mask of positions a
    key (`wanted` are those that can occur); `asked` are the arguments of every look-up, if
    not only examples and claims have one.
    """

    params: tuple[ir.Param, ...]
    keys: tuple[int, ...]
    ordered: tuple[bool, ...]
    wanted: tuple[int, ...]
    rows: tuple[tuple[Span, tuple[int, ...]], ...]
    asked: tuple[tuple[ir.Expr, ...], ...]
    decl: i.Table


Role = Literal["when", "dates", "unless", "case", "branch", "note", "norm", "otherwise"]


@frozen
class Condition:
    """A condition as it stands in the rules, and what surely holds where it is asked.

    `role`: a clause (`when`, `unless`; `dates`), a definition's case, a statement's branch, a note to a
    table, what a norm says (`norm`: it holds where the norm is broken, or a permit permits), or the rest
    after all of them (`otherwise`, whose test always holds).  `owner` names the construct.  What the test
    and `given` read of locals is free in them.
    """

    role: Role
    owner: str
    test: ir.Expr
    given: tuple[ir.Expr, ...]
    span: Span


def owner_of(condition: Condition) -> str:
    """The construct around a condition, without the compiler's additions to its name."""
    return condition.owner.split("'")[0].rsplit(":", 1)[-1]


@frozen
class Model:
    """Everything typed, by name.

    `steps` are the tables of steps and ways by fixed relations, `claim_steps` those of claims alone.
    """

    world: World
    names: Names
    statics: Mapping[str, ir.StaticTable]
    steps: tuple[str, ...]
    claim_steps: tuple[str, ...]
    states: Mapping[str, ir.State]
    functions: Mapping[str, ir.Function]
    points: Mapping[str, ir.Point]
    choices: Mapping[str, ir.Choice]
    procedures: Mapping[str, ir.Procedure]
    scenarios: tuple[ir.Scenario, ...]
    events: tuple[EventModel, ...]
    invariants: tuple[ir.Invariant, ...]
    examples: tuple[ir.Example, ...]
    claims: tuple[ClaimModel, ...]
    sites: tuple[ir.Site, ...]
    modifiers: tuple[ir.Modifier, ...]
    conditions: tuple[Condition, ...]
    tables: Mapping[str, TableModel]
