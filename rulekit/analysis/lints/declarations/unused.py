"""Declared and never used: nothing in the set names it."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints.lint import When
from rulekit.analysis.uses import Uses, elsewhere, in_scope
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.names import Names, name_of
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.syntax.tree import items as i

_HINTS = {
    "roll": "roll it, or remove it",
    "choice": "ask it with `choose`, or remove it",
}


WHEN = When(sequence=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each declaration that nothing names, options that are not chosen included.

    Something used only by what is unused itself is not told: that is told first.
    """
    compiled, used = rules.compiled, rules.uses
    doubtful = [
        item for item in _asked(compiled.declared) if in_scope(compiled, item.span) and not _used(item, used)
    ]
    if doubtful:
        others = elsewhere(compiled, [name_of(item) for item in doubtful])
        for item in doubtful:
            if not _used(item, others):
                yield _finding(item)
    yield from _classes(compiled, used)


def _asked(names: Names) -> list[i.Item]:
    spaces = (
        names.enums, names.unions, names.populations, names.groups, names.defines, names.tables,
        names.externs, names.rolls, names.choices,
    )  # fmt: skip
    return [item for space in spaces for item in space.values()]


def _used(item: i.Item, used: Uses) -> bool:
    name = name_of(item)
    match item:
        case i.Roll():
            return name in used.rolled
        case i.Choice():
            return name in used.asked
        case i.Enum():
            return name in used.read or any(member.name.text in used.read for member in item.members)
        case i.Population():
            whole = "Piece" if item.sort == "piece" else "Space"
            return bool({name, whole, *(member.name.text for member in item.members)} & used.read)
        case i.KindUnion():  # one with fields gives them to its parts
            return bool(item.fields) or name in used.read
        case _:
            return name in used.read


def _finding(item: i.Item) -> Diagnostic:
    name, word = name_of(item), word_of(item)
    hint = _HINTS.get(word, "use it, or remove it")
    return Diagnostic(
        kinds.UNUSED, f"unused {word} `{name}`", name_span(item), hint=hint, key=(f"{word} {name}",)
    )


def word_of(item: i.Item) -> str:
    """The word that declares an item."""
    match item:
        case i.Population() | i.StateDecl() | i.Procedure():
            return item.sort
        case i.ExternTable():
            return "extern table"
        case i.KindUnion():
            return "kind"
        case i.Define():
            return "definition"
        case i.EventDecl():
            return "event"
        case _:
            return type(item).__name__.lower()


def name_span(item: i.Item) -> Span:
    """Where the name of an item stands."""
    return item.span if isinstance(item, i.Example) else item.name.span


def _classes(compiled: Compiled, used: Uses) -> Iterator[Diagnostic]:
    """Classes of modifiers without a modifier."""
    rolls = [roll for roll in compiled.declared.rolls.values() if in_scope(compiled, roll.span)]
    empty = [(roll, each) for roll in rolls for each in roll.stacking if each.name.text not in used.stacked]
    others = elsewhere(compiled, [each.name.text for _, each in empty]) if empty else Uses()
    for roll, each in empty:
        if each.name.text not in others.stacked:
            name = each.name.text
            yield Diagnostic(
                kinds.EMPTY_CLASS,
                f"no modifier of `{roll.name.text}` stacks as `{name}`",
                each.name.span,
                hint=f"add `stacks as {name}` to its modifiers, or remove the class",
                key=(f"roll {roll.name.text}", name),
            )
