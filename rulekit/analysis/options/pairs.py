"""Findings of options together: of presets, and of every two options that may be chosen together.

The check looks for a finding of a group that the base lacks in smaller groups, too, and reports it for as few
options as it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from rulekit.analysis.lints.norms.dead_condition import KINDS
from rulekit.analysis.options.base_claims import Retrial, retrials
from rulekit.base.source import Span, option_of
from rulekit.base.spelling import nearest
from rulekit.compiler.incremental import Workspace
from rulekit.compiler.options.combinations import MOST_GROUPS, Group, RuleOption, RuleOptions
from rulekit.compiler.options.third_parties import groups_apart
from rulekit.compiler.options.undeclared_needs import borrowing
from rulekit.diagnostics import Diagnostic, Kind, Label, Report, Severity, kinds
from rulekit.ruleset import Manifest, list_names, read_manifest
from rulekit.ruleset.folder import read_rule_set

_OF_ONE = (*KINDS, kinds.IDLE_AMENDMENT)

BASE: Group = frozenset()
MOST_TOLD = 4
"""Options that are shown beside a finding, and presets."""

Narrower = Callable[[Group, Iterable[Diagnostic]], Iterable[Group]]
"""Tells in which smaller groups the findings of a group will be looked for."""


class GroupFindings(Protocol):
    """Gives everything that is found with some options chosen."""

    def __call__(self, group: Group, *, fully: bool = False) -> Iterable[Diagnostic]:
        """Of one group; `fully`: also those of conditions that are judged in another group."""

    claims: frozenset[Group]
    """Groups of which it is asked whether their claims hold, too."""

    conditions: Mapping[Group, Group]
    """The options whose conditions are judged in a group; in groups without an entry all are."""

    retrials: Mapping[Group, Retrial]
    """Claims of the base that are tried again with a group."""

    def ahead(self, groups: Sequence[Group], narrower: Narrower) -> None:
        """Make ready to be asked for all of these, and for smaller groups that follow from what they have."""


def check_set(folder: Path, workspace: Workspace, find: GroupFindings, report: Report, *, each: bool) -> None:
    """Report the findings of a set without chosen options: its own, and those of its options and presets.

    Args:
        workspace: Reads files.
        find: Compiles, or knows; it is asked about few groups if nothing is found.
        report: Gets what is found of the base, too.
        each: Whether every option is looked at alone too, with its claims, and every preset.
    """
    manifest = read_manifest(folder, Report())
    if manifest is None or not manifest.options:
        _add(find(BASE), report)
        if manifest is not None:
            check_listed(folder, manifest, report)
        return
    rule_set = read_rule_set(folder, (), (), Report(), workspace)
    sources = rule_set.sources if rule_set is not None else ()
    base = [item for source in sources for item in workspace.parse(source, Report()).items]
    options = RuleOptions(manifest, base, workspace.parse, report)
    check_presets(options, report)
    check_listed(folder, manifest, report)
    groups = _groups(options, find, each=each)
    find.ahead((BASE, *groups), _Narrowing(options).groups)
    known = tuple(find(BASE))
    _add(known, report)
    if not any(finding.kind.severity is Severity.ERROR for finding in known):
        _add(check_options(options, groups, find, known), report)


def groups_together(options: RuleOptions) -> list[Group]:
    """Return groups that have every two options that may be chosen together, some of them apart from others.

    Pairs beyond the limits are counted in `options.untried`.
    """
    groups = list(options.groups())
    apart, left = groups_apart(options)
    options.untried += left
    return list(dict.fromkeys([*groups, *apart]))


def _groups(options: RuleOptions, find: GroupFindings, *, each: bool) -> tuple[Group, ...]:
    """The groups that are looked at, whatever is found."""
    groups = [*groups_together(options), *(options.around[name] for name in borrowing(options))]
    if each:
        groups += [options.around[name] for name in options.possible]
        groups += filter(options.whole, map(frozenset, options.manifest.presets.values()))
        find.claims = frozenset(options.with_claims())
        groups += sorted(find.claims, key=sorted)
        find.retrials = retrials(options)
        groups += find.retrials
    groups = list(dict.fromkeys(groups))
    find.conditions = _judges(groups)
    return tuple(groups)


def _judges(groups: Iterable[Group]) -> dict[Group, Group]:
    """Return which options' conditions each group judges: those in no smaller group.

    A condition without work is reported only if it is so in every group with its option.
    """
    seen: Group = frozenset()
    judged: dict[Group, Group] = {}
    for group in sorted(groups, key=len):
        judged[group], seen = group - seen, seen | group
    return judged


def _add(findings: Iterable[Diagnostic], report: Report) -> None:
    for finding in findings:
        report.add(finding)


def check_listed(folder: Path, manifest: Manifest, report: Report) -> None:
    """Every file in `options/` is that of an option: any other never takes part."""
    listed = {option.name for option in manifest.options}
    for file in list_names(folder, report, "options", (".rules",)):
        name = option_of(file)
        if name in listed:
            continue
        message = f"`{file}` does not belong to any option: the manifest does not list `{name}`"
        hint = f"add `{name}` to `options` in `ruleset.yaml`"
        if near := nearest(name, listed):
            hint = f"{hint}; or did you mean `options/{near[0]}.rules`?"
        report.add(
            Diagnostic(
                kinds.UNLISTED_OPTION, message, Span(file, 1, 1, 1, 1), hint=hint, key=(f"option {name}",)
            )
        )


def check_presets(options: RuleOptions, report: Report) -> None:
    """The options of a preset do not exclude each other, and what each needs is there."""
    for preset, listed in options.manifest.in_presets.items():
        chosen = {entry.name: entry for entry in listed if entry.name in options.all}
        for name, entry in chosen.items():
            for other in options.needed[name]:
                if other not in chosen:
                    message = f"preset `{preset}` has `{name}`, which needs `{other}`"
                    label = _label(options.all[name], "needs", f"needs `{other}`")
                    hint, key = f"add `{other}` to it", (f"preset {preset}", name, other)
                    report.add(
                        Diagnostic(kinds.IMPOSSIBLE_PRESET, message, entry.span, (label,), hint, key=key)
                    )
            for other in options.excluded[name]:
                if other in chosen and not (other < name and name in options.excluded[other]):
                    message = (
                        f"preset `{preset}` has `{name}`, which excludes `{other}`, but includes that too"
                    )
                    labels = (
                        Label(chosen[other].span, "excluded"),
                        _label(options.all[name], "excludes", f"excludes `{other}`"),
                    )
                    hint, key = "remove one of them", (f"preset {preset}", name, other)
                    report.add(
                        Diagnostic(kinds.IMPOSSIBLE_PRESET, message, entry.span, labels, hint, key=key)
                    )


def _label(option: RuleOption, which: str, text: str) -> Label:
    spans = [variant.name.span for variant in option.variants if getattr(variant, which) or variant.of]
    return Label(spans[0], text)


def check_options(
    options: RuleOptions, groups: Sequence[Group], find: GroupFindings, known: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """Yield the findings of options together that the base lacks."""
    if options.untried:
        yield _untried_pairs(options)
    search = _Search(options, find, frozenset(map(_sign, known)))
    yield from _denials(search, find.retrials, {finding.key for finding in known})
    reported: set[Sign] = set()
    for group in groups:
        for finding, around in search.at(group):
            if finding.kind == kinds.DENIED_BY_OPTION:
                continue
            if finding.kind in _OF_ONE and not (
                _its_own(finding, around, options)
                and all(search.has(other, finding) for other in groups if _homes(finding, options) <= other)
            ):
                continue  # another option takes its work away, or gives it some
            sign = _sign(finding)
            if sign not in reported:
                alone = any(around <= options.around[name] for name in around)
                if finding.kind == kinds.EXHAUSTED_TOGETHER and alone:
                    finding = replace(finding, kind=kinds.EXHAUSTED_CHOICE)  # a note of one author's norms
                yield _with_presets(search.explain(finding, around), options)
            reported.add(sign)


def _denials(
    search: _Search, retrials: Mapping[Group, Retrial], known: Collection[tuple[str, ...]]
) -> Iterator[Diagnostic]:
    """Yield the claims of the base that options contradict, none with two of which one does it alone.

    Args:
        known: The keys of findings of the base: a claim that is false there is not an option's fault.
    """
    denied: dict[str, set[str]] = {}
    for group, retrial in sorted(retrials.items(), key=lambda item: len(item[1].options)):
        for finding in search.of_kind(group, kinds.DENIED_BY_OPTION):
            claim, *by = finding.key
            alone = denied.setdefault(claim, set())
            if len(by) == 1:
                alone.update(by)
            is_new = len(by) == 1 or not alone & set(by)
            if is_new and (claim,) not in known and claim.removeprefix("claim ") not in retrial.knowing:
                yield finding


def _its_own(finding: Diagnostic, group: Group, options: RuleOptions) -> bool:
    """Whether a finding is of one option, with what that needs."""
    return any(group <= options.around[name] for name in _homes(finding, options))


def _homes(finding: Diagnostic, options: RuleOptions) -> Group:
    """The option in whose file a finding is."""
    return frozenset(name for name, option in options.all.items() if option.source.file == finding.span.file)


def _untried_pairs(options: RuleOptions) -> Diagnostic:
    """Return the finding that some pairs were not examined."""
    message = (
        f"{options.untried:,} of {options.pairs:,} pairs of options were not looked at together: no more than"
        f" {MOST_GROUPS} groups are tried"
    )
    hint = "`--with` looks at those that are chosen; fewer options that exclude each other make fewer groups"
    return Diagnostic(
        kinds.UNTRIED_PAIRS, message, options.manifest.options[0].span, hint=hint, key=("options",)
    )


Sign = tuple[str, tuple[str, ...], Span]


def _sign(finding: Diagnostic) -> Sign:
    """Return the same for two findings of different groups that differ only in their situation."""
    return (finding.kind.code, finding.key or (finding.message,), finding.span)


class _Narrowing:
    """Tells for which findings the check looks in smaller groups, and in which first."""

    def __init__(self, options: RuleOptions) -> None:
        self._options = options
        self._accepted = {excuse.what for excuse in options.manifest.accept}

    def groups(self, group: Group, findings: Iterable[Diagnostic]) -> Iterator[Group]:
        """Yield the groups in which the warnings of a group are looked for first."""
        for finding in findings:
            if self.is_narrowed(finding) and (least := self.least(finding, group)) < group and least:
                yield least

    def is_narrowed(self, finding: Diagnostic) -> bool:
        """True if a finding is looked for with the options alone that it is about: a warning not accepted."""
        return finding.kind.severity is Severity.WARNING and finding.id not in self._accepted

    def least(self, finding: Diagnostic, group: Group) -> Group:
        """The options of a group in whose files a finding is, with what they need."""
        around, files = self._options.around, _files(finding)
        shown = (name for name in sorted(group) if self._options.all[name].source.file in files)
        return frozenset().union(*(around[name] for name in shown))


class _Search:
    """Groups that were looked at, and what was new in each."""

    def __init__(self, options: RuleOptions, find: GroupFindings, known: Collection[Sign]) -> None:
        self._options, self._find, self._known = options, find, known
        self._narrowing = _Narrowing(options)
        self._found: dict[tuple[Group, bool], dict[Sign, Diagnostic]] = {(BASE, False): {}}

    def _new(self, group: Group, *, fully: bool = True) -> dict[Sign, Diagnostic]:
        fully &= self._find.conditions.get(group, group) != group
        if (group, fully) not in self._found:
            findings = {_sign(finding): finding for finding in self._find(group, fully=fully)}
            self._found[group, fully] = {
                sign: finding for sign, finding in findings.items() if sign not in self._known
            }
        return self._found[group, fully]

    def has(self, group: Group, finding: Diagnostic) -> bool:
        """Whether a finding is new in a group."""
        sign = _sign(finding)
        return sign in self._new(group, fully=False) or (finding.kind in KINDS and sign in self._new(group))

    def of_kind(self, group: Group, kind: Kind) -> Iterator[Diagnostic]:
        """Return what is new in a group, of one kind."""
        return (finding for finding in self._new(group, fully=False).values() if finding.kind == kind)

    def at(self, group: Group, *, fully: bool = False) -> Iterator[tuple[Diagnostic, Group]]:
        """Yield the new findings of a group: first of smaller ones, each with the part that has it.

        A warning is looked for with the options alone that it is about.  Where that does not explain it, and
        where errors hide what else there is, both halves of the group are looked at.  An accepted warning
        starts no such search.
        """
        new = self._new(group, fully=fully)
        parts: list[Group] = []
        for finding in new.values():
            match finding.kind.severity:
                case Severity.ERROR:
                    parts = self._halves(group)
                case Severity.WARNING if self._narrowing.is_narrowed(finding):
                    least = self._narrowing.least(finding, group)
                    if least < group and _sign(finding) in self._new(least):
                        yield finding, least
                    else:
                        parts = self._halves(group)
        for part in parts:
            yield from self.at(part, fully=True)
        yield from ((finding, group) for finding in new.values())

    def _halves(self, group: Group) -> list[Group]:
        """Two smaller groups, each with what it needs; none where it cannot be made smaller."""
        around = self._options.around
        tops = [name for name in sorted(group) if not any(name in around[other] for other in group - {name})]
        middle = len(tops) // 2
        parts = [
            frozenset().union(*(around[name] for name in half)) for half in (tops[:middle], tops[middle:])
        ]
        return parts if middle else []

    def explain(self, finding: Diagnostic, group: Group) -> Diagnostic:
        """A finding with the options that it needs and does not show."""
        least = self._narrowing.least(finding, group)
        is_narrowed = finding.kind.severity is Severity.ERROR or self._narrowing.is_narrowed(finding)
        if not is_narrowed or least == group:
            return finding
        if _sign(finding) in self._new(least):
            return finding
        group = self._with_finding(finding, group, least)
        variants = (self._options.all[name].variants[:1] for name in sorted(group - least))
        spans = [variant.name.span for some in variants for variant in some]
        words = ("with this option", *("and this" for _ in spans))
        labels = tuple(Label(span, word) for span, word in zip(spans[:MOST_TOLD], words, strict=False))
        return replace(finding, labels=(*finding.labels, *labels))

    def _with_finding(self, finding: Diagnostic, group: Group, least: Group) -> Group:
        """The group without options that the finding does not need: first many are left out, then few."""
        around = self._options.around
        blocks = [sorted(group - least)]
        while blocks:
            block = [name for name in blocks.pop() if name in group]
            without = frozenset(other for other in group if around[other].isdisjoint(block))
            if without < group and least <= without and _sign(finding) in self._new(without):
                group = without
            elif len(block) > 1:
                middle = len(block) // 2
                blocks += (block[middle:], block[:middle])
        return group


def _with_presets(finding: Diagnostic, options: RuleOptions) -> Diagnostic:
    """A finding of two options with the presets that have both."""
    files = _files(finding)
    names = {name for name, option in options.all.items() if option.source.file in files}
    labels = [
        Label(listed[-1].span, f"preset `{preset}` has both")
        for preset, entries in options.manifest.in_presets.items()
        if len(names) == 2 and len(listed := [entry for entry in entries if entry.name in names]) == 2
    ]
    return replace(finding, labels=(*finding.labels, *labels[:MOST_TOLD]))


def _files(finding: Diagnostic) -> set[str]:
    return {finding.span.file, *(label.span.file for label in finding.labels)}
