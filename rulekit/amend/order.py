"""Which variant is worked in before which: `over` says it, and between equals the names."""

from __future__ import annotations

import heapq
from collections.abc import Mapping

from rulekit.amend.draft import EXCLUDED, NEEDED, UNORDERED
from rulekit.diagnostics import Diagnostic, Label, Report
from rulekit.syntax import items as i


def in_order(variants: Mapping[str, i.Variant], report: Report) -> tuple[i.Variant, ...]:
    """The variants, each behind those it prevails over; by their names where nothing else tells."""
    below = {name: {o.text for o in made.over if o.text in variants} for name, made in variants.items()}
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
    rest = sorted(set(variants) - set(found))
    for name in rest:
        message = f"`{name}` prevails over what prevails over it"
        hint = "take out one `over` of " + ", ".join(f"`{each}`" for each in rest)
        report.add(Diagnostic(UNORDERED, message, variants[name].span, hint=hint))
    return tuple(variants[name] for name in [*found, *rest])


def prevails(variants: Mapping[str, i.Variant], upper: i.Variant, lower: i.Variant) -> bool:
    """Whether `upper` is over `lower`, itself or by way of others."""
    seen: set[str] = set()
    found = [upper.name.text]
    while found:
        name = found.pop()
        if name == lower.name.text:
            return True
        if name in variants and name not in seen:
            seen.add(name)
            found += [other.text for other in variants[name].over]
    return False


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
