"""Items that no play reaches, although examples or each other use them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.reach.finder import Place, in_play
from rulekit.analysis.reach.unreached import causes_of, item_at, reason
from rulekit.analysis.uses import Uses, elsewhere, in_scope
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Label, kinds

WHEN = Occasion(as_printed=False, sequence=True)

MOST: Final = 8
"""Causes that the finding lists."""


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Yield one note for the items that only examples use, and for what only such items use.

    Unused items have findings of their own.  What options that are off, claims or invariants use is of use.
    """
    compiled = rules.compiled
    reached = in_play(compiled)
    if reached is None:
        return
    dependents: dict[Place, list[Place]] = defaultdict(list)
    for place, cause in causes_of(compiled, reached).items():
        dependents[cause].append(place)
    useful = elsewhere(compiled, {name for _, name in dependents})
    useful.add((*compiled.names.claims.values(), *compiled.names.promises.values()))
    causes = {
        place: places
        for place, places in dependents.items()
        if in_scope(compiled, item_at(compiled, place).span)
        and _is_used(place, rules.uses)
        and not _is_used(place, useful)
    }
    if causes:
        yield _finding(compiled, causes)


def _is_used(place: Place, used: Uses) -> bool:
    return place[1] in used.read | used.done | used.asked | used.rolled


def _finding(compiled: Compiled, causes: Mapping[Place, Sequence[Place]]) -> Diagnostic:
    ranked = sorted(causes, key=lambda place: (-len(causes[place]), place))
    number = sum(map(len, causes.values()))
    listed = ", ".join(f"`{name}`" for _, name in ranked[:MOST])
    more = f" and {len(ranked) - MOST} more" if len(ranked) > MOST else ""
    items = "1 item" if number == 1 else f"{number} items"
    message = f"no play reaches {items}: only examples use {listed}{more}"
    first, *others = (_label(compiled, place, len(causes[place]) - 1) for place in ranked[:MOST])
    hint = "use them in the sequence, a scenario or an event, or remove them"
    return Diagnostic(kinds.OUT_OF_REACH, message, first.span, (first, *others), hint, key=("out of reach",))


def _label(compiled: Compiled, place: Place, dependents: int) -> Label:
    also = f"; {dependents} more only through it" if dependents else ""
    return Label(item_at(compiled, place).name.span, f"{reason(compiled, place)} in play{also}")
