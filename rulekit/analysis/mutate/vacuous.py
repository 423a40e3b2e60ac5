"""Vacuous citations: an example cites a rule, and passes as well without what the rule says.

Each example runs with each construct that cites one of its rules emptied, one at a time.  One failure is
enough: the example asserts something of the rule.  An example that shows where a rule does not act passes
without it; that one asserts something if it fails where the construct acts always.

The citations of an example are known until the rules, the example or rulekit change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal

from rulekit import ir
from rulekit.analysis.mutate.judge import SPARE_FUEL, BrokenExamples
from rulekit.analysis.mutate.running import content_of_rules
from rulekit.analysis.mutate.switches import STATE, Switch, SwitchedProgram
from rulekit.analysis.reach.coverage import citations_of_component
from rulekit.analysis.reach.finder import COMPONENTS
from rulekit.analysis.reach.line_functions import with_line_functions
from rulekit.base import cache
from rulekit.base.codec import Codec
from rulekit.base.frozen import frozen
from rulekit.base.results import ResultStore, code_digest
from rulekit.compiler.driver import Compiled
from rulekit.ir.reachable import for_examples
from rulekit.runtime.play.examples import ExampleResult, Examples
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name
from rulekit.syntax.tree.walk import citations, nodes

CitationFate = Literal["asserted", "bounded", "vacuous", "unjudged"]

Line = tuple[str, int]
"""A file and a line."""


@frozen
class ExampleCitation:
    """A rule that an example cites.

    Attributes:
        fate: `asserted`: the example fails with a construct of the rule emptied; `bounded`: it fails only
            with one that acts always; `vacuous`: it passes with each of them; `unjudged`: no construct cites
            the rule, none that the example reaches can be emptied, or the copy takes more than the budget.
        reached: The lines of the constructs that the example reaches.
        unreached: The lines of the others.
    """

    example: str
    rule: str
    fate: CitationFate
    reached: tuple[Line, ...] = ()
    unreached: tuple[Line, ...] = ()


class VacuityJudge:
    """Judges the citations of the examples of a rule set."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._program = compiled.program
        self._rules = cache.key_of(code_digest(), *content_of_rules(compiled))

    def judge(self, example: ir.Example) -> tuple[ExampleCitation, ...]:
        """Return the citations of an example; of an earlier run, if nothing has changed.

        Raises:
            BrokenExamples: The example fails already.
        """
        written = self._compiled.declared.examples[example.name]
        text = self._compiled.rule_set.rows(written.span)
        key = cache.key_of(self._rules, *text)
        known = _RESULTS.get(key)
        if known is None:
            known = tuple(self._judge(example))
            _RESULTS.put(key, known)
        return known

    def _judge(self, example: ir.Example) -> Iterator[ExampleCitation]:
        before = self._run(example, 0, self._fuel)
        if before.spent > self._fuel:  # the copy works more than the rules do
            yield from (
                ExampleCitation(example.name, rule, "unjudged", (), ())
                for rule in rules_of(self._program, example)
            )
            return
        if not before.passed:
            raise BrokenExamples([example.name])
        noted, fuel = before.sites | before.prepared, SPARE_FUEL + 10 * before.spent

        def fails(switch: Switch) -> bool:
            return self._fails(example, switch, fuel)

        for rule in rules_of(self._program, example):
            switches = self._switched.by_rule.get(rule, [])
            reached = [switch for switch in switches if switch.noted in noted]
            fate = "asserted" if rule in self._rules_used_by(example) else _fate(switches, reached, fails)
            if fate == "vacuous" and rule in self._rules_of_notes:
                fate = "unjudged"
            at = self._lines(reached)
            rest = (line for line in self._lines(switches) if line not in at)
            yield ExampleCitation(example.name, rule, fate, at, tuple(rest))

    def _lines(self, switches: Iterable[Switch]) -> tuple[Line, ...]:
        sites = (self._switched.program.sites[switch.site] for switch in switches)
        return tuple(dict.fromkeys((site.file, site.line) for site in sites))

    # -- runs

    @cached_property
    def _switched(self) -> SwitchedProgram:
        return SwitchedProgram(with_line_functions(self._compiled))

    @cached_property
    def _examples(self) -> Examples:
        return Examples(for_examples(self._switched.program))

    @cached_property
    def _fuel(self) -> int:
        return self._examples.game.fuel

    def _run(self, example: ir.Example, number: int, fuel: int) -> ExampleResult:
        self._examples.game.fuel = fuel
        self._examples.begin = {STATE: number}
        return self._examples.run(example)

    def _fails(self, example: ir.Example, switch: Switch, fuel: int) -> bool:
        """True if an example fails with a switch on; an error of the changed program is a failure too."""
        try:
            return self._run(example, switch.number, fuel).failed
        except Exception:
            return True

    # -- what an example uses and cannot do without

    def _rules_used_by(self, example: ir.Example) -> frozenset[str]:
        """The rules without which an example could not be stated, or would have something left over.

        That is a component named in what it expects or answers, a choice that it answers, dice and draws that
        it gives, an invariant that it breaks, and what refuses its answer.
        """
        by_name, sites = self._program.by_name, self._program.sites
        written = self._compiled.names.examples[example.name]
        names = {node.text for node in nodes((written.then, written.answers)) if isinstance(node, Name)}
        used = {rule for rule, words in self._components if not names.isdisjoint(words)}
        choices = [by_name.choices[name] for name, _ in example.answers]
        points = [by_name.points[name] for name, _ in (*example.dice, *example.draws)]
        at = [*(item.site for item in choices), *(item.site for item in points)]
        if example.breaks is not None:
            at.append(example.breaks.site)
        used.update(rule for site in at for rule in sites[site].rules)
        return frozenset((*used, *example.refused))

    @cached_property
    def _rules_of_notes(self) -> frozenset[str]:
        """The rules that notes of tables cite: a note has no switch."""
        tables, manifest = self._compiled.names.tables.values(), self._compiled.rule_set.manifest
        notes = [node for node in nodes(tuple(tables), expressions=False) if isinstance(node, i.Note)]
        return frozenset(manifest.rule_id(id_) for cite in citations(tuple(notes)) for id_ in cite.ids)

    @cached_property
    def _components(self) -> list[tuple[str, frozenset[str]]]:
        names, manifest = self._compiled.names, self._compiled.rule_set.manifest
        return [
            (manifest.rule_id(id_), words)
            for space in COMPONENTS
            for item in getattr(names, space).values()
            for cite, words in citations_of_component(item)
            for id_ in cite.ids
        ]


def rules_of(program: ir.Program, example: ir.Example) -> tuple[str, ...]:
    """Return the rules that an example or a line of it cites."""
    sites = (example.site, *(site for _, site in example.then))
    return tuple(dict.fromkeys(rule for site in sites for rule in program.sites[site].rules))


def _fate(
    switches: Sequence[Switch], reached: Sequence[Switch], fails: Callable[[Switch], bool]
) -> CitationFate:
    """The fate of a citation by the switches of its rule: all of them, and those that the example reaches."""
    possible = [switch for switch in reached if switch.number]
    if any(fails(switch) for switch in possible if not switch.always):
        return "asserted"
    if any(fails(switch) for switch in possible if switch.always):
        return "bounded"
    emptied = {switch.site for switch in possible if not switch.always}
    return "vacuous" if switches and all(switch.site in emptied for switch in reached) else "unjudged"


_CODEC: Codec[tuple[ExampleCitation, ...]] = Codec(tuple[ExampleCitation, ...])
_RESULTS = ResultStore("vacuous", _CODEC.encode, _CODEC.decode)
