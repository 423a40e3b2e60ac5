"""The options of a rule set, chosen or not: what each brings, and which may be chosen together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rulekit.base.frozen import frozen
from rulekit.base.source import Source
from rulekit.compiler.amend.order import Relations
from rulekit.compiler.options.relations import check_names, check_possible, closure, variants_in_options
from rulekit.diagnostics import Report
from rulekit.ruleset import Manifest, read_text
from rulekit.syntax.parse import Parse
from rulekit.syntax.tree import items as i

MOST_GROUPS = 256
"""Groups that are tried: enough where no more than a dozen of two sorts exclude one another."""

Group = frozenset[str]


@frozen
class RuleOption:
    """An option of the manifest with its file: its variants and all else that it declares."""

    name: str
    source: Source
    items: tuple[i.Item, ...]

    @property
    def variants(self) -> tuple[i.Variant, ...]:
        """What of it says what it needs and excludes."""
        return tuple(item for item in self.items if isinstance(item, i.Variant))


class RuleOptions:
    """The options of a set whose files can be read, and which of them may be chosen together.

    Args:
        base: What is declared in files that always take part.
        report: Gets what is wrong with an option's text, and with what options say of one another.
    """

    def __init__(self, manifest: Manifest, base: Collection[i.Item], parse: Parse, report: Report) -> None:
        self.manifest = manifest
        self.all = {each.name: each for each in _read(manifest, parse, report)}
        found = {made.name.text: (made, each.name) for each in self.all.values() for made in each.variants}
        self.variants = {made.name.text: made for made in base if isinstance(made, i.Variant)}
        self.variants |= {name: made for name, (made, _) in found.items()}
        self.base = base
        self._home = {name.replace("-", "_"): name for name in self.all}
        self._home |= {name: option for name, (_, option) in found.items()}
        unread = len(self.all) < len(manifest.options)
        check_names(self.variants, variants_in_options(manifest) if unread else self._home, report)
        check_possible(self.variants, report)
        Relations(self.variants, {}).in_order(report)
        needs = {name: self.named(name, "needs") for name in self.all}
        self.around: dict[str, Group] = {name: closure(needs, name) for name in self.all}
        self._against: dict[str, set[str]] = {name: set() for name in self.all}
        for name in self.all:
            for other in self.named(name, "excludes"):
                self._against[name].add(other)
                self._against[other].add(name)
        unsound = {name for name in self.all if not self._needs_known(name)}
        self.pairs = self.untried = 0
        """Every two that may be chosen together, and those of them that are in none of the groups so far."""
        self.possible = [
            name
            for name in sorted(self.all)
            if self.fit(self.around[name]) and not unsound & self.around[name]
        ]

    def named(self, option: str, which: str) -> list[str]:
        """The options that an option `needs` or `excludes`."""
        names = (name.text for made in self.all[option].variants for name in getattr(made, which))
        return [self._home[name] for name in names if name in self._home]

    def _needs_known(self, option: str) -> bool:
        """Whether all that an option needs is there and could be read."""
        names = {name.text for made in self.all[option].variants for name in made.needs}
        return names <= {*self._home, *self.variants}

    def fit(self, group: Collection[str]) -> bool:
        """Whether nothing in a group excludes another of it, or itself."""
        chosen = set(group)
        return not any(self._against[name] & chosen for name in chosen)

    def whole(self, group: Group) -> bool:
        """Whether a group may be chosen: all are there, and all that they need; none excludes another."""
        return group <= self.all.keys() and self._with(group) == group and self.fit(group)

    def groups(self) -> Iterator[Group]:
        """Groups in which every two that may be chosen together are together once, as far as they suffice.

        A group grows by the option that is wanted beside most of its members.
        """
        around, against = self._numbered()
        wanted = [
            sum(1 << other for other, of in enumerate(around) if not (of & banned))
            for banned in against
        ]  # fmt: skip
        self.pairs = self.untried = _pairs(wanted)
        for _ in range(MOST_GROUPS):
            first = next((number for number, left in enumerate(wanted) if left), None)
            if first is None:
                return
            second = (wanted[first] & -wanted[first]).bit_length() - 1
            group, banned = around[first] | around[second], against[first] | against[second]
            free = [number for number, of in enumerate(around) if not of & banned and not group >> number & 1]
            while free:
                best = max(free, key=lambda n: ((wanted[n] & group).bit_count(), wanted[n].bit_count(), -n))
                group |= around[best]
                banned |= against[best]
                free = [n for n in free if not around[n] & banned and not group >> n & 1]
            wanted = [left & ~group if group >> number & 1 else left for number, left in enumerate(wanted)]
            self.untried = _pairs(wanted)
            yield frozenset(name for number, name in enumerate(self.possible) if group >> number & 1)

    def with_claims(self) -> Iterator[Group]:
        """The fewest options with which each claim is tried, and each entry of errata, where any are."""
        homes = [
            (frozenset(), self.base),
            *((self.around[name], self.all[name].items) for name in self.possible),
        ]
        for home, items in homes:
            for made in items:
                if isinstance(made, i.Claim | i.Errata):
                    named = {self._home[name.text] for name in made.needs if name.text in self._home}
                    group = home | self._with(named)
                    if group and self.whole(group):
                        yield group

    def _numbered(self) -> tuple[list[int], list[int]]:
        """Of each possible option, as sets of numbers: itself with what it needs; what that excludes."""
        numbers = {name: number for number, name in enumerate(self.possible)}

        def mask(names: Iterable[str]) -> int:
            return sum(1 << numbers[name] for name in set(names) if name in numbers)

        against = (
            set().union(*(self._against[each] for each in self.around[name])) for name in self.possible
        )
        return [mask(self.around[name]) for name in self.possible], list(map(mask, against))

    def _with(self, options: Iterable[str]) -> Group:
        return frozenset().union(*(self.around[name] for name in options))


def _pairs(wanted: Iterable[int]) -> int:
    """Every two of which one is wanted beside the other."""
    return sum((left >> number + 1).bit_count() for number, left in enumerate(wanted))


def _read(manifest: Manifest, parse: Parse, report: Report) -> Iterator[RuleOption]:
    """The options whose files are there and can be read without a fault."""
    assert manifest.home is not None
    for listed in manifest.options:
        own = Report()
        source = read_text(manifest.home, f"options/{listed.name}.rules", own, at=listed.span)
        module = None if source is None else parse(source, own)
        for found in own:
            report.add(found)
        if source is not None and module is not None and not own.has_errors:
            yield RuleOption(listed.name, source, module.items)
