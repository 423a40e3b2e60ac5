"""Which variant is worked in before which: `over` says it, and between equals the names."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping

from rulekit.amend.draft import EXCLUDED, NEEDED, UNORDERED
from rulekit.diagnostics import Diagnostic, Label, Report
from rulekit.syntax import items as i


def ordered(over: Mapping[str, Collection[str]]) -> tuple[list[str], list[str]]:
    """Names, each behind those it is over, else by their text; and those that go round."""
    below = {name: {other for other in others if other in over} for name, others in over.items()}
    ready = [name for name, others in below.items() if not others]
    heapq.heapify(ready)
    found: list[str] = []
    while ready:
        name = heapq.heappop(ready)
        found.append(name)
        for other, others in below.items():
            if name in others:
                others.discard(name)
                if not others:
                    heapq.heappush(ready, other)
    return found, sorted(set(over) - set(found))


def is_over(over: Mapping[str, Collection[str]], upper: str, lower: str) -> bool:
    """Whether one name is over another, itself or by way of others; each is over itself."""
    seen: set[str] = set()
    waiting = [upper]
    while waiting:
        name = waiting.pop()
        if name == lower:
            return True
        if name in over and name not in seen:
            seen.add(name)
            waiting += over[name]
    return False


def in_order(variants: Mapping[str, i.Variant], report: Report) -> tuple[i.Variant, ...]:
    """The variants, each behind those it prevails over; by their names where nothing else tells."""
    found, rest = ordered(_relations(variants))
    for name in rest:
        message = f"`{name}` prevails over what prevails over it"
        hint = "take out one `over` of " + ", ".join(f"`{each}`" for each in rest)
        report.add(Diagnostic(UNORDERED, message, variants[name].span, hint=hint))
    return tuple(variants[name] for name in [*found, *rest])


def prevails(variants: Mapping[str, i.Variant], upper: i.Variant, lower: i.Variant) -> bool:
    """Whether `upper` is over `lower`, itself or by way of others."""
    return is_over(_relations(variants), upper.name.text, lower.name.text)


def _relations(variants: Mapping[str, i.Variant]) -> dict[str, list[str]]:
    return {name: [other.text for other in made.over] for name, made in variants.items()}


def check_relations(variants: Mapping[str, i.Variant], report: Report) -> None:
    """`needs` and `excludes`: the needed are there, the excluded are not."""
    for variant in variants.values():
        for name in variant.needs:
            if name.text not in variants:
                message = f"`{variant.name.text}` needs `{name.text}`, which is not chosen"
                hint = f"choose it too: `--with {name.text}`"
                report.add(Diagnostic(NEEDED, message, name.span, hint=hint))
        for name in variant.excludes:
            if name.text in variants:
                message = f"`{variant.name.text}` excludes `{name.text}`, and both are chosen"
                label = Label(variants[name.text].span, "chosen too")
                report.add(Diagnostic(EXCLUDED, message, name.span, (label,), "choose one of them"))
