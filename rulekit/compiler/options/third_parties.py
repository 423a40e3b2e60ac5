"""Pairs of options that a third one may hide: each is compiled once without such an option.

A group of options has the findings of its pairs, unless another option of the group gives two of them an
order, changes what their conditions read, or takes away what one of them brings.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.compiler.amend.order import is_over
from rulekit.compiler.amend.resolve_address import AddressResolver
from rulekit.compiler.amend.targets import PartIndex
from rulekit.compiler.names import Names, resolve
from rulekit.compiler.options.combinations import Group, RuleOptions
from rulekit.diagnostics import Report
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name
from rulekit.syntax.tree.walk import nodes

MOST_APART: Final = 128
"""Groups in which such pairs are compiled."""
_ADDING: Final = ("add", "before", "after", "widen")
"""Amendments that take nothing away."""


@frozen
class _Changes:
    """Changes of an option in items that others can change, by the items' names.

    Attributes:
        choices: Those of the items that are choices, whose norms another can take away.
        replaced: Those of the items of which it replaces, sets or removes something.
        over: The options that it comes after: those it is over or with, and those whose text it amends.
        reads: The names in its conditions and norms, and in the definitions that these use.
        promises: The names that its invariants and assumptions read.
    """

    items: frozenset[str]
    choices: frozenset[str]
    replaced: frozenset[str]
    over: frozenset[str]
    reads: frozenset[str]
    promises: frozenset[str]


@frozen
class _Pair:
    """A pair of options that others may hide.

    Attributes:
        group: The pair, with what it needs.
        hiding: Options outside that may hide it.
        orders: Which of the two is over the other in the group, both ways.
    """

    names: tuple[str, str]
    group: Group
    hiding: Group
    orders: tuple[bool, bool]


def groups_apart(options: RuleOptions) -> tuple[list[Group], int]:
    """Return groups without what hides a pair, for every pair that a third may hide; and how many are left.

    A pair joins the first group in which nothing hides it, and where it hides nothing.  Pairs and groups
    come in an order that follows from names of options and items, whatever the hash seed.
    """
    changes = _changes(options)
    links = {name: change.over for name, change in changes.items()}
    groups: list[Group] = []
    pairs: list[list[_Pair]] = []
    left = 0
    for pair in _pairs_apart(options, changes, links):
        for number, group in enumerate(groups):
            joined = group | pair.group
            together = [*pairs[number], pair]
            if options.fit(joined) and all(_is_shown(member, joined, links) for member in together):
                groups[number], pairs[number] = joined, together
                break
        else:
            if len(groups) == MOST_APART:
                left += 1
                continue
            groups.append(pair.group)
            pairs.append([pair])
    return groups, left


def _is_shown(pair: _Pair, group: Group, links: Mapping[str, Group]) -> bool:
    """True if nothing in a group hides a pair."""
    return group.isdisjoint(pair.hiding) and _orders(pair.names, group, links) == pair.orders


def _pairs_apart(
    options: RuleOptions, changes: Mapping[str, _Changes], links: Mapping[str, Group]
) -> Iterator[_Pair]:
    """Yield each pair of options that change one item and that a third may hide."""
    changing: dict[str, list[str]] = {}
    hiding: dict[str, set[str]] = {}
    for name in options.possible:
        for item in sorted(changes[name].items):
            changing.setdefault(item, []).append(name)
        for item in changes[name].replaced | changes[name].promises:
            hiding.setdefault(item, set()).add(name)
    for pair in dict.fromkeys(pair for names in changing.values() for pair in combinations(names, 2)):
        one, other = pair
        group = options.around[one] | options.around[other]
        if not options.fit(group):
            continue
        thirds = _hiding(changes[one], changes[other], {one, other}, hiding, changes) - group
        fitting = frozenset(third for third in thirds if options.fit(group | options.around[third]))
        orders = _orders(pair, group, links)
        if fitting or _orders(pair, links.keys(), links) != orders:
            yield _Pair(pair, group, fitting, orders)


def _orders(pair: tuple[str, str], group: Collection[str], links: Mapping[str, Group]) -> tuple[bool, bool]:
    """Tell which of two options is over the other, both ways, by what the options of a group state."""
    one, other = pair
    if not links[one] and not links[other]:
        return False, False
    within = {name: links[name].intersection(group) for name in group}
    return is_over(within, one, other), is_over(within, other, one)


def _hiding(
    one: _Changes,
    other: _Changes,
    pair: set[str],
    hiding: Mapping[str, set[str]],
    changes: Mapping[str, _Changes],
) -> set[str]:
    """Return the options that change what a pair reads, or take away norms of a choice that both change."""
    reading = {name for item in (one.reads | other.reads) & hiding.keys() for name in hiding[item]}
    of_choices = {name for item in one.choices & other.choices for name in hiding.get(item, ())}
    return reading | {name for name in of_choices if changes[name].over & pair}


def _changes(options: RuleOptions) -> dict[str, _Changes]:
    declared = resolve([i.Module("", tuple(options.base))], Report())
    names = replace(declared, variants={**declared.variants, **options.variants})
    everything = PartIndex(names)
    home = {variant.name.text: name for name, option in options.all.items() for variant in option.variants}
    return {name: _changes_of(name, options, names, everything, home) for name in options.all}


def _changes_of(
    option: str, options: RuleOptions, names: Names, everything: PartIndex, home: Mapping[str, str]
) -> _Changes:
    items: set[str] = set()
    replaced: set[str] = set()
    over: set[str] = set()
    conditions: list[object] = []
    for variant in options.all[option].variants:
        resolver = AddressResolver(names, everything, variant.name.text, Report())
        for amendment in variant.amendments:
            target = resolver.find(amendment)
            if target is not None:
                items.add(target.name)
                if amendment.op not in _ADDING:
                    replaced.add(target.name)
            conditions += [amendment.clauses, amendment.norms]
        over |= {name.text for name in (*variant.over, *variant.beside)} | resolver.over
        conditions.append(variant.force)
    promises = [item for item in options.all[option].items if isinstance(item, i.Promise)]
    return _Changes(
        frozenset(items),
        frozenset(items & names.choices.keys()),
        frozenset(replaced),
        frozenset(home.get(name, name) for name in over),
        _names_read(conditions, names),
        _names_read(promises, names),
    )


def _names_read(trees: Iterable[object], names: Names) -> frozenset[str]:
    """The names in some syntax, and in the definitions that it uses."""
    reached: set[str] = set()
    waiting = deque(trees)
    while waiting:
        for node in nodes(waiting.popleft()):
            if isinstance(node, Name) and node.text not in reached:
                reached.add(node.text)
                if node.text in names.defines:
                    waiting.append(names.defines[node.text])
    return frozenset(reached)
