"""What a rule set declares, by name: made by `resolve`, changed by `amend`, read by all passes after.

Items are still as written; what is certain here is that each name is declared once in its space of names,
and that nothing takes a name the language keeps for itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, fields
from typing import Any, cast

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.types import TypeExpr


@frozen
class Clash:
    """Two amendments or modifiers that change one point without an order, if they can act together.

    `probe` is the definition, made for this, that holds where both act; empty if they plainly never do.
    """

    finding: Diagnostic
    probe: str


@frozen
class Meeting:
    """Two amendments of different variants that change one point, or a whole and its part, in good order.

    Attributes:
        point: The thing that both change, as in `define reach`.
        why: Why that is in order.
    """

    point: str
    variants: tuple[str, str]
    span: Span
    why: str


@frozen
class Widening:
    """A type that an amendment replaced; the check reports the finding if the new type holds less."""

    finding: Diagnostic
    old: i.Param | TypeExpr
    new: TypeExpr


def _items(cls: type) -> Any:
    """Declare a mapping of `Names` that holds the items of a class."""
    return field(default_factory=dict, metadata={"holds": cls})


@frozen
class Names:
    """Declarations by name, in the order of the files.

    `originals` gives, for a define, value or procedure that an amendment replaced, the name under which the
    replaced one lives on (`fire'base`); `declared` gives for such a name the one it was declared with.
    `alternatives` gives, for a table, the tables that stand in for it and while what (a condition, or
    a stretch of the calendar).  `clashes`, `unmet` and `widened` are left to be found out once types are
    known: `unmet` are two of which one changes text of the other, a finding if they never act together.
    `meetings` are two amendments that need no finding.  `asked` gives, for a choice whose verb an
    amendment replaced, the choice as it was declared.
    """

    enums: Mapping[str, i.Enum] = _items(i.Enum)
    unions: Mapping[str, i.KindUnion] = _items(i.KindUnion)
    populations: Mapping[str, i.Population] = _items(i.Population)
    groups: Mapping[str, i.Group] = _items(i.Group)
    stores: Mapping[str, i.StateDecl] = _items(i.StateDecl)
    calendars: Mapping[str, i.Calendar] = _items(i.Calendar)
    defines: Mapping[str, i.Define] = _items(i.Define)
    tables: Mapping[str, i.Table] = _items(i.Table)
    externs: Mapping[str, i.ExternTable] = _items(i.ExternTable)
    rolls: Mapping[str, i.Roll] = _items(i.Roll)
    modifiers: Mapping[str, i.Modifier] = _items(i.Modifier)
    choices: Mapping[str, i.Choice] = _items(i.Choice)
    procedures: Mapping[str, i.Procedure] = _items(i.Procedure)
    events: Mapping[str, i.EventDecl] = _items(i.EventDecl)
    promises: Mapping[str, i.Promise] = _items(i.Promise)
    examples: Mapping[str, i.Example] = _items(i.Example)
    claims: Mapping[str, i.Claim] = _items(i.Claim)
    errata: Mapping[str, i.Errata] = _items(i.Errata)
    variants: Mapping[str, i.Variant] = _items(i.Variant)
    originals: Mapping[str, str] = field(default_factory=dict)
    declared: Mapping[str, str] = field(default_factory=dict)
    alternatives: Mapping[str, tuple[tuple[i.Clause, str], ...]] = field(default_factory=dict)
    clashes: tuple[Clash, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    unmet: tuple[Clash, ...] = ()
    widened: tuple[Widening, ...] = ()
    asked: Mapping[str, i.Choice] = field(default_factory=dict)

    @property
    def probes(self) -> frozenset[str]:
        """The definitions that `amend` made to find out whether two amendments clash."""
        return frozenset(clash.probe for clash in (*self.clashes, *self.unmet) if clash.probe)


SPACES: Mapping[type, str] = {
    part.metadata["holds"]: part.name for part in fields(cast(Any, Names)) if part.metadata
}
"""Which of the mappings of `Names` holds an item of each class."""

SHARED = ("enums", "unions", "populations", "groups", "stores", "calendars", "defines", "tables", "externs")
"""Mappings that share one space of names, because expressions use them alike."""


def name_of(item: i.Item) -> str:
    """The name an item is declared under; an example's is its title."""
    return item.title if isinstance(item, i.Example) else item.name.text


BUILT_IN = frozenset(
    "larger smaller abs other only first last rest item length as_set as_list ratio steps shortest_way "
    "next_of previous_of number_of position_of".split()
)
"""Built-in functions (spec 12.9)."""
KEPT = BUILT_IN | frozenset(
    "Piece Space place exists chosen assigned before amount answer rolled original".split()
)
"""Names that no item but an example may have."""
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
                label = Label(before, "declared here first")
                _report_twice(f"`{name}` is declared twice", item.span, label, _RENAME, report)
                continue
            if name in KEPT and not isinstance(item, i.Example):
                message = f"`{name}` is a name of the language itself"
                report.add(Diagnostic(kinds.NAME_TAKEN, message, item.span, hint="choose another name"))
            if isinstance(item, i.Calendar) and spaces[space]:
                label = Label(next(iter(spaces[space].values())).span, "the other one")
                message = "a rule set can have only one calendar"
                _report_twice(message, item.span, label, "keep one of them", report)
                continue
            for inner in _parts(item):
                _report_same(name, inner, report)
            spaces[space][name] = item
            if space in SHARED:
                shared[name] = item.span
    return Names(**spaces)  # type: ignore[arg-type]  # each space holds items of its own class only


def _parts(item: i.Item) -> Iterator[list[tuple[str, Span]]]:
    """Yield the names inside an item in groups; within a group they must differ."""
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


def _report_same(owner: str, names: list[tuple[str, Span]], report: Report) -> None:
    first: dict[str, Span] = {}
    for name, span in names:
        if name in first:
            label = Label(first[name], "first here")
            _report_twice(f"`{owner}` has `{name}` twice", span, label, "rename or remove one", report)
        first.setdefault(name, span)


_RENAME = "rename one of them; another file's item is changed by an amendment, not by declaring it again"


def _report_twice(message: str, span: Span, label: Label, hint: str, report: Report) -> None:
    report.add(Diagnostic(kinds.DECLARED_TWICE, message, span, (label,), hint))
