"""Which printed rules play exercises, which examples alone do, and which no play can reach."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from rulekit import ir
from rulekit.analysis.reach.finder import COMPONENTS, Place, in_play, place_of
from rulekit.analysis.reach.line_functions import with_line_functions
from rulekit.analysis.reach.made_up_data import with_made_up_data
from rulekit.analysis.reach.unreached import reasons_of
from rulekit.analysis.uses import Uses
from rulekit.base import cache
from rulekit.base.frozen import frozen
from rulekit.base.results import ResultStore, code_digest, same
from rulekit.compiler.amend.resolve_address import AddressResolver
from rulekit.compiler.amend.tables import with_own_rows
from rulekit.compiler.amend.targets import PartIndex, Target
from rulekit.compiler.driver import Compiled
from rulekit.compiler.names import Names
from rulekit.diagnostics import Report
from rulekit.ir.missing_tables import without_numbers
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.walk import statements
from rulekit.ruleset.folder import rules_cited_by_inactive_options
from rulekit.runtime import chance
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.play.examples import Examples
from rulekit.runtime.support.build import Build
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.walk import citations, nodes

BUILD = Build(coverage=True)

_PARTS: Final = ("defines", "tables", "externs", "rolls", "modifiers", "choices", "procedures", "events")
"""The mappings of items that run."""
_Component = i.Enum | i.KindUnion | i.Population | i.Group | i.StateDecl | i.Calendar

GROUP: Final = re.compile(r" rules? group$")
"""The words that only the list of printed rules adds to a heading."""

_RESULTS: ResultStore[Any] = ResultStore("played", same, same)


@frozen
class Chapter:
    """The printed rules of one chapter, by what became of them.

    `cited` are divided into `played` in games, exercised by `examples` alone, `claimed` (cited by claims,
    promises and errata only), `unreachable` from the sequence, scenarios and events, exercised by examples or
    not, and `idle`: play may reach them, and neither games nor examples did.
    `optional` are cited only by options that were not chosen; `absent` are cited nowhere and not excused.
    """

    name: str
    title: str
    printed: tuple[str, ...]
    played: tuple[str, ...]
    examples: tuple[str, ...]
    claimed: tuple[str, ...]
    unreachable: tuple[str, ...]
    idle: tuple[str, ...]
    excused: tuple[str, ...]
    absent: tuple[str, ...]
    optional: tuple[str, ...] = ()

    @property
    def cited(self) -> tuple[str, ...]:
        """Rules that something in force cites."""
        cited = {*self.exercised, *self.missed}
        return tuple(rule for rule in self.printed if rule in cited)

    @property
    def exercised(self) -> tuple[str, ...]:
        """Rules exercised by games or examples, of those that play can reach."""
        return (*self.played, *self.examples)

    @property
    def missed(self) -> tuple[str, ...]:
        """Rules that are cited and not exercised."""
        return (*self.claimed, *self.unreachable, *self.idle)


@frozen
class Coverage:
    """A rule set's coverage.

    Attributes:
        unreached: Choices and procedures that no run has reached.
        reasons: For each unreachable rule what is missing for play to reach it.
        claims: For each rule of `claimed` the claims, promises, errata and options that cite it.
    """

    chapters: tuple[Chapter, ...]
    unreached: tuple[str, ...]
    reasons: Mapping[str, tuple[str, ...]]
    claims: Mapping[str, tuple[str, ...]]


class CoverageRun:
    """Runs a rule set and notes which sites ran: in played games, and in examples."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.program = with_line_functions(compiled)
        self.lacking = tuple(dict.fromkeys(t.missing for t in without_numbers(compiled.program.statics)))
        self.played: set[int] = set()
        self.shown: set[int] = set()
        self.stopped: dict[str, int] = {}

    def examples(self) -> Examples:
        """The runner of the set's examples; give each of its results to `note`."""
        return Examples(self.program)

    def note(self, sites: Iterable[int]) -> None:
        """Sites that ran in an example."""
        self.shown.update(sites)

    def game(self, seed: int) -> None:
        """Play one game at random; with several scenarios, each in its turn.

        Missing data of the owner are made up.  A game that cannot go on with them counts among `stopped`, and
        not as played.

        Raises:
            Fault: The rules cannot go on, though no data are missing.
        """
        scenarios = self.program.scenarios
        scenario = scenarios[seed % len(scenarios)].name if scenarios else None
        base, asked = chance.stream_base(seed, "policy.agent"), 0

        def agent(choice: int, side: int, item: Any, options: Any) -> int:
            nonlocal asked
            asked += 1
            picked: int = options[chance.uniform(base, asked - 1, len(options))]
            return picked

        try:
            outcome = run_direct(self._playable, scenario, agent, seed, build=BUILD)
        except Fault as fault:
            if not self.lacking:
                raise
            self.stopped[fault.message] = self.stopped.get(fault.message, 0) + 1
        else:
            self.played.update(outcome.covered)

    @cached_property
    def _playable(self) -> ir.Program:
        return with_made_up_data(self.program)

    def restore(self, games: int) -> bool:
        """Take over what an earlier run of the same rules, examples and games has noted, if there is one."""
        kept = _RESULTS.get(self._key(games))
        if kept is None:
            return False
        self.played.update(kept["played"])
        self.shown.update(kept["shown"])
        self.stopped.update(kept["stopped"])
        return True

    def keep(self, games: int) -> None:
        """Keep what has been noted for `restore`."""
        kept = {"played": sorted(self.played), "shown": sorted(self.shown), "stopped": self.stopped}
        _RESULTS.put(self._key(games), kept)

    def _key(self, games: int) -> str:
        return cache.key_of(code_digest(), self.program.source_hash, str(games))

    def coverage(self) -> Coverage:
        """The coverage by all that has been noted so far."""
        evidence = _Evidence(self.compiled, self.program, self.played, self.shown)
        fates = {rule: evidence.fate(rule) for rule in evidence.cited}

        def rules(wanted: str) -> list[str]:
            return sorted(rule for rule, fate in fates.items() if fate == wanted)

        return Coverage(
            tuple(_chapters(self.compiled, fates)),
            tuple(self._unreached_items()),
            {rule: evidence.reasons(rule) for rule in rules("unreachable")},
            {rule: tuple(evidence.stated[rule]) for rule in rules("claimed")},
        )

    def _unreached_items(self) -> Iterator[str]:
        ran = self.played | self.shown
        for choice in self.program.choices:
            if choice.site not in ran:
                yield f"choice {choice.name}"
        for procedure in self.program.procedures:
            sites = {stmt.site for stmt in statements(procedure.body)}
            named = "'" not in procedure.name and not procedure.name.startswith("example:")
            if named and sites and not sites & ran:
                yield f"procedure {procedure.name}"


class _Evidence:
    """The lines and items that cite each rule, and which of them ran.

    A line whose runs are noted counts where it ran itself: a statement, a norm, a definition or its case, a
    row, a choice, a modifier.  What has no runs of its own counts with the item around it, such as a note.
    A component counts when something that ran uses it by name.
    """

    def __init__(
        self, compiled: Compiled, program: ir.Program, played: Collection[int], shown: Collection[int]
    ) -> None:
        self._compiled, self._names = compiled, compiled.names
        self._sites = program.sites
        self._lines: dict[str, set[int]] = defaultdict(set)
        self._owned: dict[str, set[int]] = defaultdict(set)
        for site in _running_sites(program):
            owner = _owner(self._sites[site].owner)
            if owner.startswith("example "):
                continue
            self._owned[owner].add(site)
            for rule in self._sites[site].rules:
                self._lines[rule].add(site)
        for owner, site in _rolls(program):
            self._owned[owner].add(site)
        self._played, self._shown = _Runs(self, played), _Runs(self, shown)
        self._wholes: dict[str, set[Place]] = defaultdict(set)
        self._components: dict[str, list[frozenset[str]]] = defaultdict(list)
        self.stated: dict[str, dict[str, None]] = defaultdict(dict)
        self._sort_citations()

    def _sort_citations(self) -> None:
        """Note what cites without a run of its own."""
        for space in _PARTS:
            for name, item in getattr(self._names, space).items():
                for rule in self._rules(item):
                    self._wholes[rule].add((space, name))
        for space in COMPONENTS:
            for item in getattr(self._names, space).values():
                for cite, used in citations_of_component(item):
                    for rule in self._rules(cite):
                        self._components[rule].append(used)
        declared = with_own_rows(self._compiled.declared)
        for variant in self._names.variants.values():
            own = {rule for cite in (variant.cite,) if cite for rule in self._rules(cite)}
            for amendment, target in _targets(variant, declared):
                space, name = place_of(target, declared)
                for rule in {*own, *self._rules(amendment)}:
                    if space in _PARTS:
                        self._wholes[rule].add((space, name))
                    elif space in COMPONENTS:
                        self._components[rule].append(frozenset((target.inner or name,)))
        spaces = (self._names.variants, self._names.claims, self._names.promises, self._names.errata)
        for item in (item for space in spaces for item in space.values()):
            for rule in self._rules(item):
                self.stated[rule][f"{i.word_of(item)} `{item.name.text}`"] = None

    def _rules(self, tree: object) -> Iterator[str]:
        manifest = self._compiled.rule_set.manifest
        return (manifest.rule_id(id_) for cite in citations(tree) for id_ in cite.ids)

    @cached_property
    def cited(self) -> frozenset[str]:
        """The rules that something in force cites, examples left out."""
        return frozenset((*self._lines, *self._wholes, *self._components, *self.stated))

    def fate(self, rule: str) -> str:
        """The division of `Chapter` that a cited rule is in."""
        if self._is_exercised(rule, self._played):
            return "played"
        if not (self._lines[rule] or self._wholes[rule] or self._components[rule]):
            return "claimed"
        if self._is_cut(rule):
            return "unreachable"
        return "examples" if self._is_exercised(rule, self._shown) else "idle"

    def _is_exercised(self, rule: str, runs: _Runs) -> bool:
        lines = self._lines[rule]
        if lines & runs.sites:
            return True
        exact = {_owner(self._sites[site].owner) for site in lines}
        if any(name not in exact and name in runs.items for _, name in self._wholes[rule]):
            return True
        return any(names & runs.used for names in self._components[rule])

    def _is_cut(self, rule: str) -> bool:
        """Whether play reaches nothing that cites a rule."""
        if self._components[rule] or not self._wholes[rule]:
            return False
        return self._in_play is not None and not self._wholes[rule] & self._in_play

    @cached_property
    def _in_play(self) -> frozenset[Place] | None:
        return in_play(self._compiled)

    def reasons(self, rule: str) -> tuple[str, ...]:
        """Why play reaches nothing that cites a rule."""
        return tuple(dict.fromkeys(self._reasons[place] for place in sorted(self._wholes[rule])))

    @cached_property
    def _reasons(self) -> Mapping[Place, str]:
        return reasons_of(self._compiled, self._in_play or frozenset())

    def items_of(self, sites: Collection[int]) -> frozenset[str]:
        """The items of which a line ran."""
        return frozenset(name for name, own in self._owned.items() if own & set(sites))

    def names_used_by(self, items: Collection[str]) -> frozenset[str]:
        """The names that some items use in any way."""
        uses = Uses()
        for space in _PARTS:
            for name, item in getattr(self._names, space).items():
                if name in items:
                    uses.add(item)
        return frozenset(uses.read | uses.changed | uses.counted)


def citations_of_component(item: _Component) -> Iterator[tuple[Cite, frozenset[str]]]:
    """Yield each citation with the names that use it: a field or member, else any name of the component."""
    parts = [node for node in nodes(item) if isinstance(node, i.FieldDecl | i.Member)]
    whole = frozenset((item.name.text, *(part.name.text for part in parts)))
    inner: set[str] = set()
    for part in parts:
        for cite in citations(part):
            inner.update(cite.ids)
            yield cite, frozenset((part.name.text,))
    for cite in citations(item):
        if not inner.issuperset(cite.ids):
            yield replace(cite, ids=tuple(id_ for id_ in cite.ids if id_ not in inner)), whole


class _Runs:
    """The sites that ran, and what follows from them."""

    def __init__(self, evidence: _Evidence, sites: Collection[int]) -> None:
        self._evidence = evidence
        self.sites = frozenset(sites)

    @cached_property
    def items(self) -> frozenset[str]:
        """The items that ran."""
        return self._evidence.items_of(self.sites)

    @cached_property
    def used(self) -> frozenset[str]:
        """The names that items which ran use."""
        return self._evidence.names_used_by(self.items)


def _owner(owner: str) -> str:
    """The item of a site's owner: a choice for its norms, a roll or a definition for its functions."""
    if owner.startswith("example "):
        return owner
    return owner.removeprefix("roll:").removeprefix("value:").split(".")[0]


def _rolls(program: ir.Program) -> Iterator[tuple[str, int]]:
    """The statements that roll, each with the point that it rolls at."""
    for procedure in program.procedures:
        for stmt in statements(procedure.body):
            if isinstance(stmt, ir.Roll):
                yield stmt.point, stmt.site


def _targets(variant: i.Variant, declared: Names) -> Iterator[tuple[i.Amendment, Target]]:
    """The amendments of a variant, each with what it changes."""
    resolver = AddressResolver(declared, PartIndex(declared), variant.name.text, Report())
    for amendment in variant.amendments:
        target = resolver.find(amendment)
        if target is not None:
            yield amendment, target


def _running_sites(program: ir.Program) -> Iterator[int]:
    """Sites that a build with coverage notes when they run."""
    for procedure in program.procedures:
        yield from (stmt.site for stmt in statements(procedure.body))
    for function in program.functions:
        yield function.site
    for choice in program.choices:
        yield choice.site
        yield from (norm.site for norm in choice.norms)


def chapter_of(compiled: Compiled, id_: str) -> str:
    """The chapter of a printed rule: the first part of its number."""
    prefix = compiled.rule_set.manifest.prefix + "."
    return id_.removeprefix(prefix).replace(":", ".").split(".")[0]


def _chapters(compiled: Compiled, fates: Mapping[str, str]) -> Iterator[Chapter]:
    elsewhere = rules_cited_by_inactive_options(compiled.rule_set)
    prefix = compiled.rule_set.manifest.prefix + "."
    excuses = {excuse.what for excuse in compiled.rule_set.manifest.not_encodable}
    excused = {rule if rule.startswith(prefix) else prefix + rule for rule in excuses}
    chapters: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    sections: dict[str, list[str]] = defaultdict(list)
    for rules in compiled.printed:
        for rule in rules.rules:
            name = chapter_of(compiled, rule.id)
            chapters.setdefault(name, []).append(rule.id)
            if section := rule.extra.get("section", ""):
                sections[name].append(section)
            if rule.id == prefix + name:
                titles[name] = section or GROUP.sub("", rule.summary)

    def fate(rule: str) -> str:
        if rule in fates:
            return fates[rule]
        return "excused" if rule in excused else "optional" if rule in elsewhere else "absent"

    for name, printed in chapters.items():
        divided: dict[str, list[str]] = defaultdict(list)
        for id_ in printed:
            divided[fate(id_)].append(id_)
        parts = {part: tuple(rules) for part, rules in divided.items()}
        empty = dict.fromkeys(
            ("played", "examples", "claimed", "unreachable", "idle", "excused", "absent"), ()
        )
        title = titles.get(name) or _title(sections[name])
        yield Chapter(name, title, tuple(printed), **{**empty, **parts})


def _title(sections: Iterable[str]) -> str:
    """The title of a chapter with rules of these sections: the first, and how many there are besides."""
    first, *others = dict.fromkeys(sections) or ("",)
    return f"{first} and {len(others)} more" if others else first


def only(coverage: Coverage, names: Iterable[str]) -> Coverage:
    """The coverage of some chapters."""
    wanted = set(names)
    return replace(coverage, chapters=tuple(c for c in coverage.chapters if c.name in wanted))
