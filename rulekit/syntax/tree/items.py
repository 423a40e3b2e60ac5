"""Items, which begin at the left edge of a file.  Gathers the classes of the modules beside it."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.base.frozen import frozen
from rulekit.syntax.tree.amendments import Address, Amendment, Variant
from rulekit.syntax.tree.claims import (
    Answer,
    Before,
    Claim,
    Errata,
    Example,
    Given,
    Measure,
    Named,
    Point,
    Pointer,
    Ruling,
    Stated,
    Then,
)
from rulekit.syntax.tree.components import (
    Axis,
    BoardDecl,
    Calendar,
    Case,
    CaseLet,
    DateSpan,
    Define,
    Enum,
    FieldDecl,
    Group,
    KindUnion,
    LinesDecl,
    Member,
    Param,
    Population,
    Stagger,
    StateDecl,
)
from rulekit.syntax.tree.rules import (
    Also,
    Choice,
    Clause,
    EventDecl,
    Modifier,
    Norm,
    OverClause,
    Procedure,
    Promise,
    Roll,
    SpanClause,
    Stacking,
    StacksClause,
    UnlessClause,
    Verb,
    WhenClause,
)
from rulekit.syntax.tree.tables import Beyond, Cell, Column, ExternTable, Note, OddsRounding, Table, TableRow

__all__ = [
    "Address", "Also", "Amendment", "Answer", "Axis", "Before", "Beyond", "BoardDecl", "Calendar", "Case",
    "CaseLet", "Cell", "Choice", "Claim", "Clause", "Column", "DateSpan", "Define", "Enum", "Errata",
    "EventDecl", "Example", "ExternTable", "FieldDecl", "Given", "Group", "Item", "KindUnion", "LinesDecl",
    "Member", "Modifier", "Module", "Named", "Norm", "Note", "OddsRounding", "OverClause", "Param", "Point",
    "Pointer", "Population", "Procedure", "Promise", "Roll", "Ruling", "SpanClause", "Stacking",
    "StacksClause", "Stagger", "StateDecl", "Stated", "Measure", "Table", "TableRow", "Then", "UnlessClause",
    "Variant", "Verb", "WhenClause",
]  # fmt: skip

Item = (
    Enum | KindUnion | Population | Group | StateDecl | Calendar | Define | Table | ExternTable | Roll
    | Modifier | Choice | Procedure | EventDecl | Promise | Example | Claim | Errata | Variant
)  # fmt: skip


_WORDS: Mapping[type, str] = {
    KindUnion: "kind", StateDecl: "state", ExternTable: "extern table", Promise: "invariant",
    EventDecl: "event", Define: "definition",
}  # fmt: skip


def word_of(item: Item) -> str:
    """Return the word for the sort of an item, as commands and findings print it: `piece`, `definition`."""
    sort = getattr(item, "sort", None)
    return sort if isinstance(sort, str) else _WORDS.get(type(item), type(item).__name__.lower())


@frozen
class Module:
    """One file."""

    file: str
    items: tuple[Item, ...]
