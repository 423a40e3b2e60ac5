"""Items to names: each declared once, and nothing takes a name the language keeps for itself."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.diagnostics import Diagnostic, Label, Report, Severity, declare
from rulekit.names import SHARED, SPACES, Names, name_of
from rulekit.source import Span
from rulekit.syntax import items as i

DUPLICATE = declare("RK201", "declared-twice", "a name declared twice", Severity.ERROR, since="0.1.0")
TAKEN = declare(
    "RK202", "name-taken", "a name that the language keeps for itself", Severity.ERROR, since="0.1.0"
)

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
                    Diagnostic(TAKEN, f"`{name}` is a name of the language itself", item.span, hint=hint)
                )
            found[space][name] = item
            if space in SHARED:
                shared[name] = item.span
    return Names(**found)  # type: ignore[arg-type]  # each space holds items of its own class only


def _tell_duplicate(name: str, item: i.Item, before: Span, report: Report) -> None:
    label = Label(before, "declared here first")
    hint = "rename one of them; another file's item is changed by an amendment, not by declaring it again"
    report.add(Diagnostic(DUPLICATE, f"`{name}` is declared twice", item.span, (label,), hint))
