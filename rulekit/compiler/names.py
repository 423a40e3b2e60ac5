"""What a rule set declares, by name: made by `resolve`, changed by `amend`, read by all passes after.

Items are still as written; what is certain here is that each name is declared once in its space of names,
and that nothing takes a name the language keeps for itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.types import TypeExpr


@frozen
class Clash:
    """Two that reach one point without an order, if they can act in one situation.

    `probe` is the definition, made for this, that holds where both act; empty if they plainly never do.
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
        return frozenset(clash.probe for clash in self.clashes if clash.probe)


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


BUILT_IN = frozenset(
    "larger smaller abs other only first last rest item length as_set as_list ratio steps next_of "
    "previous_of number_of position_of".split()
)
"""Built-in functions (spec 12.9)."""
KEPT = BUILT_IN | {
    "Piece",
    "Space",
    "place",
    "exists",
    "chosen",
    "assigned",
    "before",
    "amount",
    "answer",
    "rolled",
    "original",
}
_WITH_PARAMS = (
    i.StateDecl, i.Define, i.Table, i.ExternTable, i.Roll, i.Choice, i.Procedure
)  # fmt: skip


def resolve(modules: Iterable[i.Module], report: Report) -> Names:
    """Every declaration of the modules by name; the first of two equal ones is kept."""
    spaces: dict[str, dict[str, i.Item]] = {space: {} for space in SPACES.values()}
    shared: dict[str, Span] = {}
    for module in modules:
        for item in module.items:
            name, space = name_of(item), SPACES[type(item)]
            earlier = spaces[space].get(name)
            before = earlier.span if earlier else shared.get(name) if space in SHARED else None
            if before is not None:
                _tell_duplicate(name, item, before, report)
                continue
            if name in KEPT and not isinstance(item, i.Example):
                hint = "choose another name"
                report.add(
                    Diagnostic(
                        kinds.NAME_TAKEN, f"`{name}` is a name of the language itself", item.span, hint=hint
                    )
                )
            if isinstance(item, i.Calendar) and spaces[space]:
                _tell_second_calendar(item, next(iter(spaces[space].values())), report)
                continue
            for inner in _parts(item):
                _tell_same(name, inner, report)
            spaces[space][name] = item
            if space in SHARED:
                shared[name] = item.span
    return Names(**spaces)  # type: ignore[arg-type]  # each space holds items of its own class only


def _parts(item: i.Item) -> Iterator[list[tuple[str, Span]]]:
    """The names inside an item, those that must differ together."""
    if isinstance(item, _WITH_PARAMS):
        yield [(param.name.text, param.span) for param in item.params]
    if isinstance(item, i.Population | i.Group | i.KindUnion):
        yield [(field.name.text, field.span) for field in item.fields]
        for field in item.fields:
            yield [(param.name.text, param.span) for param in field.params]
    if isinstance(item, i.Table | i.ExternTable):
        yield [(column.name, column.span) for column in item.columns if column.name]
    if isinstance(item, i.Choice):
        yield [(norm.name.text, norm.name.span) for norm in item.norms if norm.name is not None]


def _tell_same(owner: str, names: list[tuple[str, Span]], report: Report) -> None:
    first: dict[str, Span] = {}
    for name, span in names:
        if name in first:
            label = Label(first[name], "first here")
            message = f"`{owner}` has `{name}` twice"
            report.add(Diagnostic(kinds.DECLARED_TWICE, message, span, (label,), "rename or remove one"))
        first.setdefault(name, span)


def _tell_second_calendar(item: i.Item, first: i.Item, report: Report) -> None:
    label = Label(first.span, "the other one")
    message = "a rule set can have only one calendar"
    report.add(Diagnostic(kinds.DECLARED_TWICE, message, item.span, (label,), "keep one of them"))


def _tell_duplicate(name: str, item: i.Item, before: Span, report: Report) -> None:
    label = Label(before, "declared here first")
    hint = "rename one of them; another file's item is changed by an amendment, not by declaring it again"
    report.add(Diagnostic(kinds.DECLARED_TWICE, f"`{name}` is declared twice", item.span, (label,), hint))
