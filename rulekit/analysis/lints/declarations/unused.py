"""Declared and never used: items, states, classes of modifiers, procedures, members of enums."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import Uses, everywhere, field_decls, in_scope, never_used
from rulekit.compiler.driver import Compiled
from rulekit.compiler.populate.coordinates import coordinates
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset import list_names, read_text
from rulekit.syntax.tree import items as i

_Item = (
    i.Enum | i.KindUnion | i.Population | i.Group | i.Define | i.Table | i.ExternTable | i.Roll | i.Choice
    | i.Procedure
)  # fmt: skip

Variable = i.StateDecl | i.FieldDecl

WHEN = Occasion(sequence=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each declaration that nothing uses, options that are not chosen included.

    What only an unused item uses is not reported: the finding about that item comes first.
    """
    items = list(_items(rules.compiled))
    yield from map(_finding, never_used(rules.compiled, rules.uses, items, _names, _is_used))
    yield from _idle_states(rules)
    yield from _empty_classes(rules)
    yield from _unnamed_members(rules)


def _items(compiled: Compiled) -> Iterator[_Item]:
    names = compiled.declared
    spaces = (
        names.enums, names.unions, names.populations, names.groups, names.defines, names.tables,
        names.externs, names.rolls, names.choices, names.procedures,
    )  # fmt: skip
    for space in spaces:
        for item in space.values():
            if in_scope(compiled, item.span) and getattr(item, "sort", "") != "scenario":
                yield item


def _names(item: _Item) -> tuple[str, ...]:
    return (item.name.text,)


def _is_used(item: _Item, used: Uses) -> bool:
    name = item.name.text
    match item:
        case i.Roll():
            return name in used.rolled
        case i.Choice():
            return name in used.asked
        case i.Enum():
            return name in used.read or any(member.name.text in used.read for member in item.members)
        case i.Population():
            whole = "Piece" if item.sort == "piece" else "Space"
            places = coordinates(item.board) if item.board is not None else ()
            spaces = (*(member.name.text for member in item.members), *(place for place, _, _ in places))
            return bool({name, whole, *spaces} & used.read)
        case i.KindUnion():  # one with fields gives them to its parts
            return bool(item.fields) or name in used.read
        case i.Procedure():  # an example that runs it is enough
            return name in used.done | used.read
        case i.Group() | i.Define() | i.Table() | i.ExternTable():
            return name in used.read


def _finding(item: _Item) -> Diagnostic:
    name, word, kind = item.name.text, i.word_of(item), kinds.UNUSED
    message, use = f"unused {word} `{name}`", "use it"
    match item:
        case i.Roll():
            use = "roll it"
        case i.Choice():
            use = "ask it with `choose`"
        case i.Procedure():
            kind, message, use = (
                kinds.UNREACHED_PROCEDURE,
                f"{word} `{name}` is never run",
                f"run it with `do {name}`",
            )
    return Diagnostic(kind, message, item.name.span, hint=f"{use}, or remove it", key=(f"{word} {name}",))


def _empty_classes(rules: Inspection) -> Iterator[Diagnostic]:
    """Classes of modifiers without a modifier."""
    compiled = rules.compiled
    rolls = [roll for roll in compiled.declared.rolls.values() if in_scope(compiled, roll.span)]
    classes = {stack: roll for roll in rolls for stack in roll.stacking}
    for stack in never_used(compiled, rules.uses, classes, lambda stack: (stack.name.text,), _has_modifiers):
        name, roll = stack.name.text, classes[stack].name.text
        message = f"no modifier of `{roll}` stacks as `{name}`"
        hint = f"add `stacks as {name}` to its modifiers, or remove the class"
        yield Diagnostic(kinds.EMPTY_CLASS, message, stack.name.span, hint=hint, key=(f"roll {roll}", name))


def _has_modifiers(stack: i.Stacking, used: Uses) -> bool:
    return stack.name.text in used.stacked


_STEPPING = frozenset(("next_of", "previous_of"))
"""What reaches members without their names."""


def _unnamed_members(rules: Inspection) -> Iterator[Diagnostic]:
    """A note a member that nothing names, of enums that no rule loops or steps through as a whole.

    The first member is what a state without a beginning is; the sides of the game need no rule to name them.
    """
    compiled = rules.compiled
    sides = compiled.rule_set.manifest.sides
    enums = {
        member: enum
        for enum in compiled.declared.enums.values()
        if in_scope(compiled, enum.span) and enum.name.text in rules.uses.read
        if sides is None or sides.name != enum.name.text
        for member in enum.members[1:]
    }

    def is_named(member: i.Member, used: Uses) -> bool:
        looped = enums[member].name.text in used.alone or bool(used.read & _STEPPING)
        return looped or member.name.text in used.read

    def names(member: i.Member) -> tuple[str, ...]:
        return (enums[member].name.text, member.name.text, *_STEPPING)

    unnamed = never_used(compiled, rules.uses, enums, names, is_named)
    words = _data_words(compiled) if unnamed else ""
    for member in unnamed:
        name, enum = member.name, enums[member].name.text
        if name.text not in words:
            message = f"`{name.text}` is never used: no rule produces this `{enum}`"
            key = (f"enum {enum}", name.text)
            yield Diagnostic(kinds.UNNAMED_MEMBER, message, name.span, hint="use it, or remove it", key=key)


def _data_words(compiled: Compiled) -> str:
    """The text of all data files, written as names are."""
    folder = compiled.rule_set.folder
    names = list_names(folder, Report(), suffixes=(".yaml", ".yml"))
    sources = [read_text(folder, name, Report()) for name in names]
    return "\n".join(re.sub(r"\s+", "_", source.text) for source in sources if source is not None)


def _idle_states(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each state that play never changes or nothing reads; fields of one name count as one.

    What an example gives is changed, what it expects is read: that is use enough.  A state that an option
    lets begin otherwise is changed by that.  What is counted up one by one tells the players how late it is,
    and need not be read.
    """
    doubtful = {decl.name.text: decl for decl in variables(rules.compiled) if is_idle(decl, rules.uses)}
    used = everywhere(rules.compiled, rules.uses, doubtful)
    for decl in doubtful.values():
        if is_idle(decl, used):
            read, changed = use_of(decl, used)
            yield _state_finding(decl, read=read, changed=changed)


def is_idle(decl: Variable, used: Uses) -> bool:
    """True if no rule changes a state, or no rule reads it and it is not counted up."""
    read, changed = use_of(decl, used)
    return not changed or not read and decl.name.text not in used.counted


def variables(compiled: Compiled) -> Iterator[Variable]:
    """Return the states and changing fields that this check is about."""
    yield from (
        decl for decl in field_decls(compiled.declared) if decl.changes and in_scope(compiled, decl.span)
    )
    yield from (decl for decl in compiled.declared.stores.values() if in_scope(compiled, decl.span))


def use_of(decl: Variable, used: Uses) -> tuple[bool, bool]:
    """Return whether a rule reads a state, and whether one changes it."""
    name = decl.name.text
    begins = bool(decl.cite and used.reset & set(decl.cite.ids))
    return name in used.read, name in used.changed | used.counted or begins


def _state_finding(decl: Variable, *, read: bool, changed: bool) -> Diagnostic:
    name = decl.name.text
    if changed:
        kind, message = kinds.NEVER_READ, f"`{name}` is changed but never read"
        hint = "read it, or remove it and its changes"
    elif read:
        kind, message = kinds.NEVER_CHANGED, f"`{name}` never changes in play"
        instead = "declare it as a `value`" if isinstance(decl, i.StateDecl) else "make it a fixed field"
        hint = f"change it, or {instead}"
    else:
        kind, message, hint = kinds.UNUSED, f"unused state `{name}`", "use it, or remove it"
    return Diagnostic(kind, message, decl.name.span, hint=hint, key=(f"state {name}",))
