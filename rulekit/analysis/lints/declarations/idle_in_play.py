"""States that play changes and never reads, or reads and never changes, although examples do both."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.lints.declarations.unused import Variable, is_idle, use_of, variables
from rulekit.analysis.reach.finder import Place, edges, in_play, reach_from
from rulekit.analysis.uses import Uses, everywhere, uses_of
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Label, kinds

WHEN = Occasion(as_printed=False, sequence=True)

MOST: Final = 8
"""States that the finding lists."""


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Yield one note for the states that only examples, or items that no play reaches, read or change.

    States that are idle in examples too have findings of their own.
    """
    compiled = rules.compiled
    reached = in_play(compiled)
    if reached is None:
        return
    played = _uses_in_play(compiled, reached)
    doubtful = {decl.name.text: decl for decl in variables(compiled) if is_idle(decl, played)}
    used = everywhere(compiled, played, doubtful)
    idle = {
        name: decl
        for name, decl in doubtful.items()
        if is_idle(decl, used) and not is_idle(decl, everywhere(compiled, rules.uses, (name,)))
    }
    if idle:
        yield _finding(idle, used)


def _uses_in_play(compiled: Compiled, reached: Collection[Place]) -> Uses:
    """How the items that play reaches use names, with the states that claims and invariants read."""
    names, trees = compiled.names, compiled.workspace.trees
    played, stated = _uses_at(reached, compiled), ("claims", "promises", "errata")
    amendments = (amendment for variant in names.variants.values() for amendment in variant.amendments)
    played.add(tuple(amendment for amendment in amendments if amendment.op == "set"))
    roots = ((space, name) for space in stated for name in getattr(names, space))
    played.read |= _uses_at(reach_from(roots, edges(names, trees)), compiled).read
    return played


def _uses_at(places: Iterable[Place], compiled: Compiled) -> Uses:
    uses = Uses()
    for space, name in places:
        if (item := getattr(compiled.names, space, {}).get(name)) is not None:
            uses.join(compiled.workspace.trees.of("uses", item, uses_of))
    return uses


def _finding(idle: Mapping[str, Variable], used: Uses) -> Diagnostic:
    number = "1 state" if len(idle) == 1 else f"{len(idle)} states"
    listed = ", ".join(f"`{name}`" for name in list(idle)[:MOST])
    more = f" and {len(idle) - MOST} more" if len(idle) > MOST else ""
    message = f"play does not both change and read {number}: {listed}{more}"
    first, *others = (_label(decl, used) for decl in list(idle.values())[:MOST])
    hint = "add the missing rule, or remove the state and what uses it"
    return Diagnostic(kinds.IDLE_IN_PLAY, message, first.span, (first, *others), hint, key=("idle in play",))


def _label(decl: Variable, used: Uses) -> Label:
    read, changed = use_of(decl, used)
    missing = "change or read" if not read and not changed else "change" if read else "read"
    return Label(decl.name.span, f"only examples, or items that no play reaches, {missing} it")
