"""The rule set as meant: names bound, options laid over, types known.  Made by `typecheck`, read by `lower`.

Expressions and statements are those of the IR; declarations keep what checks, sheets and explanations need
beyond it: the rows of tables, claims, errata, who amended what.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rulekit import ir
from rulekit import types as t
from rulekit.events import EventModel
from rulekit.ir.expr import Value
from rulekit.names import Names
from rulekit.source import Span
from rulekit.syntax import items as i
from rulekit.world import World


@dataclass(frozen=True, slots=True)
class StateModel:
    """A state: its keys, type and beginning (one for all, or one for each combination of keys)."""

    name: str
    keys: tuple[str | tuple[int, int], ...]
    type: t.Type
    initial: Value
    initial_each: tuple[Value, ...] | None
    clamp: bool
    known_to: ir.program.Known | None
    site: int


@dataclass(frozen=True, slots=True)
class ClaimModel:
    """A claim, or one reading of an errata entry; `played` is None for a claim."""

    name: str
    condition: ir.Expr
    site: int
    played: bool | None
    decl: i.Claim | i.Errata


Role = Literal["when", "dates", "unless", "case", "branch", "note", "norm", "otherwise"]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Model:
    """Everything typed, by name."""

    world: World
    names: Names
    statics: Mapping[str, ir.StaticTable]
    states: Mapping[str, StateModel]
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
