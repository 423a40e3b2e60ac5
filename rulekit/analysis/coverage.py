"""Which printed rules a rule set cites, exercises, and leaves out with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.compiler.driver import Compiled
from rulekit.ir.walk import statements
from rulekit.ruleset.folder import rules_cited_by_inactive_options
from rulekit.runtime import chance
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.play.examples import Examples
from rulekit.runtime.support.build import Build
from rulekit.syntax.tree.items import Example
from rulekit.syntax.tree.walk import citations

BUILD = Build(coverage=True)


@frozen
class Chapter:
    """The printed rules of one chapter, by what became of them.

    `exercised` are cited rules that ran in an example or a played game, or that only declare something;
    `missed` are cited rules that did not.  `optional` are cited only by options that were not chosen;
    `absent` are cited nowhere and not excused.
    """

    name: str
    title: str
    printed: tuple[str, ...]
    cited: tuple[str, ...]
    exercised: tuple[str, ...]
    excused: tuple[str, ...]
    missed: tuple[str, ...]
    absent: tuple[str, ...]
    optional: tuple[str, ...] = ()


@frozen
class Coverage:
    """A rule set's coverage; `unreached` are choices and procedures that no run has reached."""

    chapters: tuple[Chapter, ...]
    unreached: tuple[str, ...]


class CoverageRun:
    """Runs a rule set and notes which sites ran."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.program = compiled.program
        self.hit: set[int] = set()
        self.ran = 0

    def examples(self) -> Examples:
        """The runner of the set's examples; give each of its results to `note`."""
        return Examples(self.program)

    def note(self, sites: Iterable[int]) -> None:
        """Sites that ran."""
        self.hit.update(sites)
        self.ran += 1

    def game(self, seed: int) -> None:
        """Play one game at random; with several scenarios, each in its turn.

        Raises:
            Fault: The rules cannot go on.
        """
        scenarios = self.program.scenarios
        scenario = scenarios[seed % len(scenarios)].name if scenarios else None
        base, asked = chance.stream_base(seed, "policy.agent"), 0

        def agent(choice: int, side: int, item: Any, options: Any) -> int:
            nonlocal asked
            asked += 1
            picked: int = options[chance.uniform(base, asked - 1, len(options))]
            return picked

        outcome = run_direct(self.program, scenario, agent, seed, build=BUILD)
        self.note(outcome.covered)

    def coverage(self) -> Coverage:
        """What has been reached so far."""
        runs, declares = _citations(self.compiled)
        ran = {rule for rule, sites in runs.items() if sites & self.hit}
        if self.ran:
            ran |= declares - set(runs)
        cited = set(runs) | declares
        return Coverage(tuple(_chapters(self.compiled, cited, ran)), tuple(self._unreached_items()))

    def _unreached_items(self) -> Iterator[str]:
        for choice in self.program.choices:
            if choice.site not in self.hit:
                yield f"choice {choice.name}"
        for procedure in self.program.procedures:
            sites = {stmt.site for stmt in statements(procedure.body)}
            if sites and not sites & self.hit and not procedure.name.startswith("example:"):
                yield f"procedure {procedure.name}"


def _citations(compiled: Compiled) -> tuple[dict[str, set[int]], set[str]]:
    """For each rule the sites that run and cite it; and the rules that something declared cites."""
    program = compiled.program
    running = set(_running_sites(program))
    runs: dict[str, set[int]] = {}
    for number, site in enumerate(program.sites):
        if number in running and not site.owner.startswith("example "):
            for rule in site.rules:
                runs.setdefault(rule, set()).add(number)
    declares = {
        compiled.rule_set.manifest.rule_id(id_)
        for module in compiled.modules
        for item in module.items
        if not isinstance(item, Example)
        for cite in citations(item)
        for id_ in cite.ids
    }
    return runs, declares


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
    """The chapter a printed rule stands in: the first part of its number."""
    prefix = compiled.rule_set.manifest.prefix + "."
    return id_.removeprefix(prefix).replace(":", ".").split(".")[0]


def _chapters(compiled: Compiled, cited: set[str], ran: set[str]) -> Iterator[Chapter]:
    elsewhere = rules_cited_by_inactive_options(compiled.rule_set)
    prefix = compiled.rule_set.manifest.prefix + "."
    excuses = {excuse.what for excuse in compiled.rule_set.manifest.not_encodable}
    excused = {rule if rule.startswith(prefix) else prefix + rule for rule in excuses}
    chapters: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    for rules in compiled.printed:
        for rule in rules.rules:
            name = chapter_of(compiled, rule.id)
            chapters.setdefault(name, []).append(rule.id)
            if rule.id == prefix + name:
                titles[name] = rule.summary
    for name, printed in chapters.items():
        known = [rule for rule in printed if rule in cited]
        yield Chapter(
            name,
            titles.get(name, ""),
            tuple(printed),
            tuple(known),
            tuple(rule for rule in known if rule in ran),
            tuple(rule for rule in printed if rule in excused and rule not in cited),
            tuple(rule for rule in known if rule not in ran),
            tuple(rule for rule in printed if rule not in cited | excused | elsewhere),
            tuple(rule for rule in printed if rule in elsewhere - cited - excused),
        )


def only(coverage: Coverage, names: Iterable[str]) -> Coverage:
    """The coverage of some chapters."""
    wanted = set(names)
    return replace(coverage, chapters=tuple(c for c in coverage.chapters if c.name in wanted))
