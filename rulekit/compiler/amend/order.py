"""Which variant is worked in before which: `over` and `with` say it, and between equals the names."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping
from functools import cache, partial

from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name

_AMENDS = "amends something of"


def sort_by_over(over: Mapping[str, Collection[str]]) -> tuple[list[str], list[str]]:
    """Names, each behind those it is over, else by their text; and those that cannot be ordered."""
    below = {name: {other for other in others if other in over} for name, others in over.items()}
    ready = [name for name, others in below.items() if not others]
    heapq.heapify(ready)
    order: list[str] = []
    while ready:
        name = heapq.heappop(ready)
        order.append(name)
        for other, others in below.items():
            if name in others:
                others.discard(name)
                if not others:
                    heapq.heappush(ready, other)
    return order, sorted(set(over) - set(order))


def is_over(over: Mapping[str, Collection[str]], upper: str, lower: str) -> bool:
    """Whether one name is over another, itself or by way of others; each is over itself."""
    return lower in names_below(over, upper)


def names_below(over: Mapping[str, Collection[str]], upper: str) -> frozenset[str]:
    """Return the names that one is over, itself or by way of others, and the name itself."""
    below = {upper}
    waiting = [upper]
    while waiting:
        new = set(over.get(waiting.pop(), ())) - below
        below |= new
        waiting += new
    return frozenset(below)


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
    cycles: list[tuple[str, ...]] = []
    round_: set[str] = set()
    for name in sorted(links):
        if name not in round_ and (circle := way(links, name, name)):
            cycles.append(circle)
            round_ |= {other for other in links if way(links, name, other) and way(links, other, name)}
    return cycles


class Relations:
    """What variants say of each other.

    Args:
        amending: By variant those that bring what it amends: it comes after them without saying so.
    """

    def __init__(self, variants: Mapping[str, i.Variant], amending: Mapping[str, Collection[str]]) -> None:
        self._variants, self._amending = variants, amending
        self._over = {name: {other.text for other in variant.over} for name, variant in variants.items()}
        self._stated = {
            name: self._over[name] | {other.text for other in variant.beside}
            for name, variant in variants.items()
        }
        self._all = {name: self._stated[name] | set(amending.get(name, ())) for name in variants}
        self._below = cache(partial(names_below, self._over))
        self._stated_below = cache(partial(names_below, self._stated))

    def in_order(self, report: Report) -> tuple[i.Variant, ...]:
        """The variants, each behind those it comes after; by their names where nothing else tells."""
        order, rest = sort_by_over(self._all)
        for circle in circles(self._all) if rest else ():
            report.add(self._circle(circle))
        return tuple(self._variants[name] for name in [*order, *rest])

    def _circle(self, circle: tuple[str, ...]) -> Diagnostic:
        """The finding of variants that each come after the next, the last after the first."""
        links = [
            (name, self._does(name, other), other) for name, other in zip(circle, circle[1:], strict=False)
        ]
        places = [
            (place((*variant.over, *variant.beside), other).span, f"{does.removeprefix('is ')} `{other}`")
            if does != _AMENDS
            else (variant.name.span, f"amends something of `{other}`")
            for name, does, other in links
            for variant in (self._variants[name],)
        ]
        labels = tuple(Label(span, text) for span, text in places[1:])
        hint = "remove one `over`: only one can take precedence"
        if any(does != "is over" for _, does, _ in links):
            hint = "one of them must come last: remove a line that says otherwise"
        return Diagnostic(kinds.UNORDERED_AMENDMENTS, chain(links), places[0][0], labels, hint)

    def _does(self, name: str, other: str) -> str:
        if other in self._over[name]:
            return "is over"
        return "is with" if other in self._stated[name] else _AMENDS

    def prevails(self, upper: i.Variant, lower: i.Variant) -> bool:
        """Whether `upper` is over `lower`, itself or by way of others."""
        return lower.name.text in self._below(upper.name.text)

    def beside(self, upper: i.Variant, lower: i.Variant) -> bool:
        """Whether `upper` is to act with `lower`, itself or by way of others, and is not over it."""
        return lower.name.text in self._names_beside(upper.name.text)

    def all_beside(self, upper: i.Variant) -> tuple[i.Variant, ...]:
        """The variants that `upper` is to act with, in the order of their declarations."""
        names = self._names_beside(upper.name.text)
        return tuple(variant for name, variant in self._variants.items() if name in names) if names else ()

    def _names_beside(self, name: str) -> frozenset[str]:
        return self._stated_below(name) - self._below(name)


def place(names: Collection[Name], wanted: str) -> Name:
    """Where a name stands in a list of them."""
    return next(name for name in names if name.text == wanted)


def chain(links: Collection[tuple[str, str, str]]) -> str:
    """Links in words, each from where the one before leads: what, does what, to what."""
    (first, *_) = links
    text = f"`{first[0]}`" + ", which".join(
        f" {does} " + ("itself" if one == other else f"`{other}`") for one, does, other in links
    )
    return text
