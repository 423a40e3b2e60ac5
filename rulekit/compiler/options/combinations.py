"""The options of a rule set, chosen or not: what each brings, and what they say of one another."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from rulekit.base.frozen import frozen
from rulekit.base.source import Source, Span
from rulekit.compiler.amend.order import Relations, chain, circles, place, way
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.ruleset import Manifest, read_text
from rulekit.ruleset.findings import did_you_mean
from rulekit.ruleset.folder import option_sources
from rulekit.syntax.parse import Parse
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name

LONGEST = 90
"""Characters of a reason that stand beside a place."""
_VARIANT = re.compile(r"^(?:variant|option|reading|exception)[ ]+(?:(\w+)|'([^'\n]+)')", re.MULTILINE)


@frozen
class VariantPlace:
    """A variant in the file of an option, found by its first line alone."""

    option: str
    span: Span


VariantPlaces = Callable[[Manifest], Mapping[str, VariantPlace]]
"""Gives the variants in the files of all options."""


def variants_in_options(manifest: Manifest) -> dict[str, VariantPlace]:
    """The variants in the files of all options, by name, and each option by its own."""
    variants: dict[str, VariantPlace] = {}
    for name, source in option_sources(manifest):
        for match in _VARIANT.finditer(source.text):
            plain, quoted = match.groups()
            line = source.text.count("\n", 0, match.start()) + 1
            span = Span(source.file, line, 1, line, 1 + len(match.group()))
            variants.setdefault(plain or "_".join(quoted.split()), VariantPlace(name, span))
    for option in manifest.options:
        top = Span(f"options/{option.name}.rules", 1, 1, 1, 1)
        variants.setdefault(option.name.replace("-", "_"), VariantPlace(option.name, top))
    return variants


def check_relations(
    variants: Mapping[str, i.Variant],
    manifest: Manifest,
    chosen: Collection[str],
    report: Report,
    in_options: VariantPlaces,
) -> None:
    """What the variants that are there say of one another and of those that are not.

    Args:
        chosen: The options whose files take part.
        in_options: Gives the variants in the files of all options.
    """
    here = {option.replace("-", "_") for option in chosen}
    names = [name for variant in variants.values() for name in _names_in(variant)]
    if not names and not any(variant.of for variant in variants.values()):
        return
    elsewhere = {} if {name.text for name in names} <= variants.keys() else in_options(manifest)
    check_names(variants, elsewhere, report)
    reported, excluded = check_possible(variants, report), exclusions(variants)
    for variant in variants.values():
        for name in variant.needs:
            if name.text not in variants and name.text not in here and name.text in elsewhere:
                report.add(_missing_need(variant, name, elsewhere[name.text]))
        for name in excluded[variant.name.text]:
            other = variants.get(name.text)
            pair = frozenset((variant.name.text, name.text))
            if other is not None and pair not in reported:
                reported.add(pair)
                report.add(_exclusion(variant, name, other))


def _names_in(variant: i.Variant) -> tuple[Name, ...]:
    return (*variant.needs, *variant.excludes, *variant.over, *variant.beside)


def exclusions(variants: Mapping[str, i.Variant]) -> dict[str, tuple[Name, ...]]:
    """Return what each variant excludes: variants that it names, and other readings of its entry."""
    readings: dict[str, list[i.Variant]] = {}
    for variant in variants.values():
        if variant.of is not None:
            readings.setdefault(variant.of.text, []).append(variant)
    excluded = {name: variant.excludes for name, variant in variants.items()}
    for rivals in readings.values():
        for one in rivals:
            others = (other.name for other in rivals if other is not one)
            excluded[one.name.text] += tuple(replace(name, span=one.name.span) for name in others)
    return excluded


def check_names(variants: Mapping[str, i.Variant], others: Collection[str], report: Report) -> None:
    """What is named is a variant, or an option, whether it is chosen or not."""
    known = {*variants, *others}
    for variant in variants.values():
        for name in _names_in(variant):
            if name.text not in known:
                message, hint = f"no variant or option is named `{name.text}`", did_you_mean(name.text, known)
                report.add(Diagnostic(kinds.NOTHING_TO_AMEND, message, name.span, hint=hint))


def check_possible(variants: Mapping[str, i.Variant], report: Report) -> set[frozenset[str]]:
    """Nothing needs or excludes itself, or needs what excludes what it needs; return the pairs that do."""
    needs = needs_of(variants)
    for circle in circles(needs):
        report.add(_circle(variants, circle))
    closures = {name: closure(needs, name) for name in variants}
    excluded = exclusions(variants)
    reported: set[frozenset[str]] = set()
    for name, around in closures.items():
        for one, other in _excluding(excluded, around):
            inner = (part for part in around - {name} if {one, other} <= closures[part])
            if any(name not in closures[part] or part < name for part in inner):
                continue  # the finding is about the one that is needed
            pair = frozenset((one, other))
            if pair not in reported or name not in pair:
                report.add(_unkeepable(variants, needs, name, one, place(excluded[one], other)))
            reported.add(pair)
    return reported


def needs_of(variants: Mapping[str, i.Variant]) -> dict[str, list[str]]:
    """What each variant needs of those that are there."""
    return {
        name: [other.text for other in variant.needs if other.text in variants]
        for name, variant in variants.items()
    }


def closure(needs: Mapping[str, Collection[str]], name: str) -> frozenset[str]:
    """A variant with all that it needs, itself or by way of others."""
    reached, waiting = {name}, [name]
    while waiting:
        for other in needs.get(waiting.pop(), ()):
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return frozenset(reached)


def _excluding(
    excluded: Mapping[str, Collection[Name]], around: Collection[str]
) -> Iterator[tuple[str, str]]:
    for one in sorted(around):
        for other in excluded[one]:
            if other.text in around:
                yield one, other.text


# ---------------------------------------------------------------- findings


def _circle(variants: Mapping[str, i.Variant], circle: tuple[str, ...]) -> Diagnostic:
    pairs = list(zip(circle, circle[1:], strict=False))
    message = chain([(one, "needs", other) for one, other in pairs])
    first, *rest = [place(variants[one].needs, other) for one, other in pairs]
    labels = tuple(Label(name.span, f"needs `{name.text}`") for name in rest)
    hint = "remove one `needs`, or merge them into one option" if rest else "remove it"
    return Diagnostic(kinds.IMPOSSIBLE_RELATIONS, message, first.span, labels, hint)


def _unkeepable(
    variants: Mapping[str, i.Variant],
    needs: Mapping[str, Collection[str]],
    name: str,
    one: str,
    excluded: Name,
) -> Diagnostic:
    """`name` needs, or is, both `one` and the `excluded`, which `one` excludes."""
    other = excluded.text
    to_one = _needing(needs, name, one)
    to_other = _needing(needs, name, other)
    message = chain([*to_one, (one, "excludes", other)])
    if to_other and one == name:
        message = f"{message}, and {chain(to_other).partition(' ')[2]}"
    elif to_other:
        message = f"{message}; and {chain(to_other)}"
    places = [place(variants[a].needs, b) for a, _, b in (*to_one, *to_other)]
    words = [(name, f"needs `{name.text}`") for name in dict.fromkeys(places)]
    (first, _), *rest = [*words, (excluded, f"excludes `{other}`")]
    labels = tuple(Label(name.span, text) for name, text in rest)
    hint = "it can never be turned on: remove one of these lines"
    return Diagnostic(kinds.IMPOSSIBLE_RELATIONS, message, first.span, labels, hint)


def _needing(needs: Mapping[str, Collection[str]], start: str, goal: str) -> list[tuple[str, str, str]]:
    """The links by which one needs another; none from a variant to itself."""
    steps = way(needs, start, goal) if start != goal else ()
    return [(one, "needs", other) for one, other in zip(steps, steps[1:], strict=False)]


def _missing_need(variant: i.Variant, name: Name, missing: VariantPlace) -> Diagnostic:
    message = f"`{variant.name.text}` needs `{name.text}`, which is off"
    hint = f"add `--with {missing.option}`"
    label = Label(missing.span, "off")
    return Diagnostic(kinds.NEEDED_VARIANT, message, name.span, (label,), hint, _reason(variant))


def _exclusion(variant: i.Variant, name: Name, other: i.Variant) -> Diagnostic:
    one, two = variant.name.text, name.text
    why = f"`{one}` excludes `{two}`"
    if variant.of is not None and name.span == variant.name.span:
        why = f"both are readings of `{variant.of.text}`"
    message = f"`{one}` and `{two}` cannot be used together: {why}"
    back = [name for name in other.excludes if name.text == variant.name.text]
    reason = _reason(other)
    label = Label(other.name.span, "also on" + (f"; {reason}" if reason else ""))
    labels = (label, *(Label(excluding.span, f"excludes `{excluding.text}`") for excluding in back))
    hint = "turn on only one of them"
    return Diagnostic(kinds.EXCLUDED_TOGETHER, message, name.span, labels, hint, _reason(variant))


def _reason(variant: i.Variant) -> str:
    """Why a variant is, as its author says, in a few words."""
    reason = variant.reason
    if len(reason) > LONGEST:
        reason = f"{reason[: LONGEST - 3].rstrip()}..."
    return f"its reason: {reason}" if reason else ""


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
        self.all = {option.name: option for option in _read(manifest, parse, report)}
        own = [(variant, option.name) for option in self.all.values() for variant in option.variants]
        self.variants = {item.name.text: item for item in base if isinstance(item, i.Variant)}
        self.variants |= {variant.name.text: variant for variant, _ in own}
        self.base = base
        self._home = {name.replace("-", "_"): name for name in self.all}
        self._home |= {variant.name.text: option for variant, option in own}
        unread = len(self.all) < len(manifest.options)
        check_names(self.variants, variants_in_options(manifest) if unread else self._home, report)
        check_possible(self.variants, report)
        Relations(self.variants, {}).in_order(report)
        self.needed = {name: self._options_in(name, lambda variant: variant.needs) for name in self.all}
        """The options that each option needs, by name."""
        excluded = exclusions(self.variants)
        self.excluded = {
            name: self._options_in(name, lambda variant: excluded[variant.name.text]) for name in self.all
        }
        """The options that each option excludes: by name, or as other readings of an errata entry."""
        self.around: dict[str, Group] = {name: closure(self.needed, name) for name in self.all}
        self._against: dict[str, set[str]] = {name: set() for name in self.all}
        for name, others in self.excluded.items():
            for other in others:
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

    def _options_in(self, option: str, names_on: Callable[[i.Variant], Iterable[Name]]) -> list[str]:
        """The options that the variants of an option name."""
        names = (name.text for variant in self.all[option].variants for name in names_on(variant))
        return [self._home[name] for name in names if name in self._home]

    def home(self, name: str) -> str:
        """The option that brings a variant; the name itself if that is an option's, or of the base."""
        return self._home.get(name, name)

    def _needs_known(self, option: str) -> bool:
        """Whether all that an option needs is there and could be read."""
        names = {name.text for variant in self.all[option].variants for name in variant.needs}
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
        around, against = self._masks()
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
        """The fewest options with which each claim, entry of errata and reading is tried, where any are."""
        homes = [
            (frozenset(), self.base),
            *((self.around[name], self.all[name].items) for name in self.possible),
        ]
        for home, items in homes:
            for item in items:
                if isinstance(item, i.Claim | i.Errata) or isinstance(item, i.Variant) and item.of:
                    needs = {self._home[name.text] for name in item.needs if name.text in self._home}
                    group = home | self._with(needs)
                    if group and self.whole(group):
                        yield group

    def _masks(self) -> tuple[list[int], list[int]]:
        """Of each possible option, as sets of numbers: itself with what it needs; what that excludes."""
        numbers = {name: number for number, name in enumerate(self.possible)}

        def mask(names: Iterable[str]) -> int:
            return sum(1 << numbers[name] for name in set(names) if name in numbers)

        against = (
            set().union(*(self._against[other] for other in self.around[name])) for name in self.possible
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
        for finding in own:
            report.add(finding)
        if source is not None and module is not None and not own.has_errors:
            yield RuleOption(listed.name, source, module.items)
