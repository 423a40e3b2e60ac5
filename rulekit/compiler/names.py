"""What a rule set declares, by name: made by `resolve`, changed by `amend`, read by all passes after.

Items are still as written; what is certain here is that each name is declared once in its space of names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from rulekit.base.frozen import frozen
from rulekit.diagnostics import Diagnostic
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.types import TypeExpr


@frozen
class Clash:
    """Two that reach one point without an order, if they can act in one situation.

    `probe` is the definition, made for this, that holds where both act.
    """

    finding: Diagnostic
    probe: str


@frozen
class Widening:
    """A type that an amendment put in place of another; the finding is told if it does not hold all of it."""

    finding: Diagnostic
    old: i.Param | TypeExpr
    new: TypeExpr


@frozen
class Names:
    """Declarations by name, in the order of the files.

    `originals` gives, for a define, value or procedure that an amendment replaced, the name under which the
    replaced one lives on (`fire'base`); `declared` gives for such a name the one it was declared with.
    `alternatives` gives, for a table, the tables that stand in for it and while what (a condition, or
    a stretch of the calendar).  `clashes` and `widened` are left to be found out once types are known;
    `asked` gives, for a choice whose verb an amendment replaced, the choice as it was declared.
    """

    enums: Mapping[str, i.Enum] = field(default_factory=dict)
    unions: Mapping[str, i.KindUnion] = field(default_factory=dict)
    populations: Mapping[str, i.Population] = field(default_factory=dict)
    groups: Mapping[str, i.Group] = field(default_factory=dict)
    stores: Mapping[str, i.StateDecl] = field(default_factory=dict)
    calendars: Mapping[str, i.Calendar] = field(default_factory=dict)
    defines: Mapping[str, i.Define] = field(default_factory=dict)
    tables: Mapping[str, i.Table] = field(default_factory=dict)
    externs: Mapping[str, i.ExternTable] = field(default_factory=dict)
    rolls: Mapping[str, i.Roll] = field(default_factory=dict)
    modifiers: Mapping[str, i.Modifier] = field(default_factory=dict)
    choices: Mapping[str, i.Choice] = field(default_factory=dict)
    procedures: Mapping[str, i.Procedure] = field(default_factory=dict)
    events: Mapping[str, i.EventDecl] = field(default_factory=dict)
    promises: Mapping[str, i.Promise] = field(default_factory=dict)
    examples: Mapping[str, i.Example] = field(default_factory=dict)
    claims: Mapping[str, i.Claim] = field(default_factory=dict)
    errata: Mapping[str, i.Errata] = field(default_factory=dict)
    variants: Mapping[str, i.Variant] = field(default_factory=dict)
    originals: Mapping[str, str] = field(default_factory=dict)
    declared: Mapping[str, str] = field(default_factory=dict)
    alternatives: Mapping[str, tuple[tuple[i.Clause, str], ...]] = field(default_factory=dict)
    clashes: tuple[Clash, ...] = ()
    widened: tuple[Widening, ...] = ()
    asked: Mapping[str, i.Choice] = field(default_factory=dict)

    @property
    def probes(self) -> frozenset[str]:
        """The definitions that amending made to find out whether two amendments clash."""
        return frozenset(clash.probe for clash in self.clashes)


SPACES: Mapping[type, str] = {
    i.Enum: "enums",
    i.KindUnion: "unions",
    i.Population: "populations",
    i.Group: "groups",
    i.StateDecl: "stores",
    i.Calendar: "calendars",
    i.Define: "defines",
    i.Table: "tables",
    i.ExternTable: "externs",
    i.Roll: "rolls",
    i.Modifier: "modifiers",
    i.Choice: "choices",
    i.Procedure: "procedures",
    i.EventDecl: "events",
    i.Promise: "promises",
    i.Example: "examples",
    i.Claim: "claims",
    i.Errata: "errata",
    i.Variant: "variants",
}
"""Which of the mappings of `Names` holds an item of each class."""

SHARED = ("enums", "unions", "populations", "groups", "stores", "calendars", "defines", "tables", "externs")
"""Mappings that share one space of names, because expressions use them alike."""


def name_of(item: i.Item) -> str:
    """The name an item is declared under; an example's is its title."""
    return item.title if isinstance(item, i.Example) else item.name.text
