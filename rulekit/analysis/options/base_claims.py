"""Claims of the base that are tried again with options which change what they read (spec 11.5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Final

from rulekit.analysis.reach.finder import COMPONENTS, Place, edges, place_of
from rulekit.analysis.uses import uses_of
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.amend import amend
from rulekit.compiler.amend.resolve_address import AddressResolver
from rulekit.compiler.amend.targets import SPACES, PartIndex
from rulekit.compiler.names import Names, resolve
from rulekit.compiler.options.combinations import Group, RuleOptions
from rulekit.diagnostics import Report
from rulekit.ir.memo import Trees
from rulekit.syntax.tree import claims as c
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import citations

MOST_PAIRS: Final = 64
"""Pairs of options with which claims of the base are tried again."""


@frozen
class Retrial:
    """The claims of the base that are tried again with an option, or with two.

    Attributes:
        claims: For each claim, the first change that each option makes to something the claim reads.
        knowing: The claims that the options mean to contradict, if they do.
    """

    options: tuple[str, ...]
    claims: Mapping[str, tuple[Span, ...]]
    knowing: frozenset[str]


def retrials(options: RuleOptions) -> dict[Group, Retrial]:
    """Return the claims to try again with each option that changes what they read, and with each two."""
    claims = list(_claims(options.base))
    if not claims:
        return {}
    changes = _changes(options)
    names = amend(resolve([i.Module("", tuple(options.base))], Report()), Report())
    touching = {claim.name.text: _touching(claim, names, changes, options) for claim in claims}
    tried: dict[Group, Retrial] = {}
    for option in options.possible:
        _add((option,), touching, options, tried)
    pairs: dict[tuple[str, ...], None] = {}
    for others in touching.values():
        pairs |= dict.fromkeys(combinations(sorted(others), 2))
    for pair in list(pairs)[:MOST_PAIRS]:
        _add(pair, touching, options, tried)
    return tried


@frozen
class _Change:
    """A change that an option makes to something a claim reads.

    Attributes:
        direct: Whether the claim itself names what is changed.
        cites: Whether the option cites a rule that the claim cites.
    """

    span: Span
    direct: bool
    cites: bool


_Touching = Mapping[str, Mapping[str, _Change]]


def _add(
    chosen: tuple[str, ...], touching: _Touching, options: RuleOptions, tried: dict[Group, Retrial]
) -> None:
    group: Group = frozenset().union(*(options.around[name] for name in chosen))
    if group in tried or not options.fit(group):
        return
    changes = {
        claim: [others[name] for name in chosen]
        for claim, others in touching.items()
        if others.keys() >= set(chosen)
    }
    if changes:
        spans = {claim: tuple(change.span for change in some) for claim, some in changes.items()}
        alone = len(chosen) == 1  # what only two together contradict, neither means to
        knowing = frozenset(
            claim
            for claim, some in changes.items()
            if any(one.cites or (alone and one.direct) for one in some)
        )
        tried[group] = Retrial(chosen, spans, knowing)


def _claims(items: Iterable[i.Item]) -> Iterator[c.Claim]:
    """Yield the claims that state a condition of the base, or what one of its choices allows."""
    items = tuple(items)
    settled = {name.text for item in items if isinstance(item, c.Errata) for name in item.settles}
    for item in items:
        if isinstance(item, c.Claim) and not item.needs and item.name.text not in settled:
            if isinstance(item.content, c.Ruling) or (
                isinstance(item.content, c.Stated) and item.content.word == "holds"
            ):
                yield item


def _changes(options: RuleOptions) -> dict[Place, dict[str, Span]]:
    """Return by item the options that change it, each with its first change."""
    declared = resolve([i.Module("", tuple(options.base))], Report())
    names = replace(declared, variants={**declared.variants, **options.variants})
    everything = PartIndex(names)
    changes: dict[Place, dict[str, Span]] = {}
    for name in options.possible:
        for place, span in _changed_by(options.all[name].items, names, everything):
            changes.setdefault(place, {}).setdefault(name, span)
    return changes


def _changed_by(items: Iterable[i.Item], names: Names, everything: PartIndex) -> Iterator[tuple[Place, Span]]:
    for item in items:
        if isinstance(item, i.Modifier):
            yield (f"{item.on}s", item.target.text), item.span
        if not isinstance(item, i.Variant):
            continue
        resolver = AddressResolver(names, everything, item.name.text, Report())
        for amendment in item.amendments:
            target = resolver.find(amendment)
            if target is not None and not _adds_fields(amendment):
                yield place_of(target, names), amendment.span


def _adds_fields(amendment: i.Amendment) -> bool:
    """True if an amendment only adds fields, which nothing in the base can read."""
    return bool(amendment.fields) and not amendment.members


def _touching(
    claim: c.Claim, names: Names, changes: Mapping[Place, Mapping[str, Span]], options: RuleOptions
) -> dict[str, _Change]:
    """Return the options that change what a claim reads, each with the change that is nearest to it."""
    named = _named_by(claim, names)
    touching: dict[str, _Change] = {}
    for place in _reach(named, names):
        for option, span in changes.get(place, {}).items():
            if option not in touching:
                direct = place in named and place[0] not in COMPONENTS
                cites = bool(_rules(claim) & _rules(options.all[option].items))
                touching[option] = _Change(span, direct, cites)
    return touching


def _named_by(claim: c.Claim, names: Names) -> list[Place]:
    """Return the items that a claim itself names."""
    read = sorted(uses_of(claim).read)
    return [
        (space, name)
        for space in dict.fromkeys(SPACES.values())
        for name in read
        if name in getattr(names, space)
    ]


def _reach(places: Iterable[Place], names: Names) -> Iterator[Place]:
    """Yield some items and all that they use, the nearest first."""
    waiting = deque(dict.fromkeys(places))
    reached = set(waiting)
    used_by = edges(names, Trees())
    while waiting:
        place = waiting.popleft()
        yield place
        for used in sorted(used_by(place)):
            if used not in reached:
                reached.add(used)
                waiting.append(used)


def _rules(tree: object) -> frozenset[str]:
    """The printed rules that a piece of syntax cites, without the numbers of their sentences."""
    return frozenset(rule.partition(":")[0] for cite in citations(tree) for rule in cite.ids)
