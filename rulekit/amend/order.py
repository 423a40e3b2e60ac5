"""Which variant is worked in before which: `over` says it, and between equals the names."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping

from rulekit.amend.draft import UNORDERED
from rulekit.diagnostics import Diagnostic, Label, Report
from rulekit.syntax import items as i
from rulekit.syntax.expr import Name


def ordered(over: Mapping[str, Collection[str]]) -> tuple[list[str], list[str]]:
    """Names, each behind those it is over, else by their text; and those that cannot be ordered."""
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


def way(links: Mapping[str, Collection[str]], start: str, goal: str) -> tuple[str, ...]:
    """A shortest way along links, its ends included, of one link at least; empty where there is none."""
    before: dict[str, str] = {}
    waiting = [start]
    for name in waiting:
        for other in sorted(links.get(name, ())):
            if other == goal:
                back = [goal, name]
                while back[-1] != start:
                    back.append(before[back[-1]])
                return tuple(reversed(back))
            if other not in before and other != start:
                before[other] = name
                waiting.append(other)
    return ()


def circles(links: Mapping[str, Collection[str]]) -> list[tuple[str, ...]]:
    """Ways that end where they begin: one for all names that lead to one another."""
    found: list[tuple[str, ...]] = []
    round_: set[str] = set()
    for name in sorted(links):
        if name not in round_ and (circle := way(links, name, name)):
            found.append(circle)
            round_ |= {other for other in links if way(links, name, other) and way(links, other, name)}
    return found


def in_order(variants: Mapping[str, i.Variant], report: Report) -> tuple[i.Variant, ...]:
    """The variants, each behind those it prevails over; by their names where nothing else tells."""
    over = _relations(variants)
    found, rest = ordered(over)
    for circle in circles(over) if rest else ():
        report.add(_circle(variants, circle))
    return tuple(variants[name] for name in [*found, *rest])


def _circle(variants: Mapping[str, i.Variant], circle: tuple[str, ...]) -> Diagnostic:
    """The finding of variants that are each over the next, the last over the first."""
    told = chain([(name, "is over", other) for name, other in zip(circle, circle[1:], strict=False)])
    places = [place(variants[name].over, other) for name, other in zip(circle, circle[1:], strict=False)]
    labels = tuple(Label(each.span, f"over `{each.text}`") for each in places[1:])
    return Diagnostic(UNORDERED, told, places[0].span, labels, "take one `over` out: only one can prevail")


def place(names: Collection[Name], wanted: str) -> Name:
    """Where a name stands in a list of them."""
    return next(name for name in names if name.text == wanted)


def chain(links: Collection[tuple[str, str, str]]) -> str:
    """Links in words, each from where the one before leads: what, does what, to what."""
    (first, *_) = links
    told = f"`{first[0]}`" + ", which".join(
        f" {does} " + ("itself" if one == other else f"`{other}`") for one, does, other in links
    )
    return told


def prevails(variants: Mapping[str, i.Variant], upper: i.Variant, lower: i.Variant) -> bool:
    """Whether `upper` is over `lower`, itself or by way of others."""
    return is_over(_relations(variants), upper.name.text, lower.name.text)


def _relations(variants: Mapping[str, i.Variant]) -> dict[str, list[str]]:
    return {name: [other.text for other in made.over] for name, made in variants.items()}
