"""Items to names: each declared once, and nothing takes a name the language keeps for itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.base.source import Span
from rulekit.compiler.names import SHARED, SPACES, Names, name_of
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.syntax.tree import items as i

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
    found: dict[str, dict[str, i.Item]] = {space: {} for space in SPACES.values()}
    shared: dict[str, Span] = {}
    for module in modules:
        for item in module.items:
            name, space = name_of(item), SPACES[type(item)]
            earlier = found[space].get(name)
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
            if isinstance(item, i.Calendar) and found[space]:
                _tell_second_calendar(item, next(iter(found[space].values())), report)
                continue
            for inner in _parts(item):
                _tell_same(name, inner, report)
            found[space][name] = item
            if space in SHARED:
                shared[name] = item.span
    return Names(**found)  # type: ignore[arg-type]  # each space holds items of its own class only


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
