"""Whether two that clash can act in one situation: decided on the program, with the situation as evidence.

Only what is proved never to act together is acquitted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

from rulekit import ir
from rulekit.analysis.prove import Prover, Unknown
from rulekit.analysis.prove.situation import Situation, find_situation
from rulekit.base.source import Source
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Report
from rulekit.ruleset.folder import RuleSet
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import nodes

MOST_WRITTEN: Final = 5
"""Situations that are written as examples: each takes a compile."""
BUDGET: Final = 100_000
"""Readings for one clash."""


def report_clashes(
    names: Names, program: ir.Program, report: Report, rule_set: RuleSet, *, tell: bool
) -> ir.Program:
    """Report the clashes that can happen, if wished; the program without the definitions made to find out."""
    probes = {clash.probe: clash for clash in names.clashes}
    both = {item.name: item for item in program.functions if item.name in probes}
    bare = replace(program, functions=tuple(item for item in program.functions if item.name not in probes))
    if not tell:
        return bare
    prover = Prover(bare, solver=True)
    for number, clash in enumerate(names.clashes):
        item, finding = both[clash.probe], clash.finding
        found = find_situation(prover, item.params, item.body, BUDGET)
        if isinstance(found, Situation):
            said = f"; so when {found.words}" if found.words else ""
            probe = names.defines[clash.probe]
            example = _example(rule_set, probe, found, finding) if number < MOST_WRITTEN else ""
            report.add(replace(finding, message=f"{finding.message}{said}", example=example))
        elif isinstance(found, Unknown):
            hint = f"{finding.hint}; no situation was found, and not all could be tried ({found.reason})"
            report.add(replace(finding, hint=hint))
    return bare


def _example(rule_set: RuleSet, probe: i.Define, found: Situation, finding: Diagnostic) -> str:
    """The situation as an example: what is so there lets both act.

    What is to come of both it leaves to the author; what they read of parameters no example can give.
    """
    from rulekit.analysis.example_witness import verified_example

    params = {param.name.text for param in probe.params}
    (case,) = probe.cases
    assert isinstance(case, i.Case)
    texts = {source.file: source for source in rule_set.sources}
    lines = [f"given {line}" for line in found.departures]
    conditions = list(dict.fromkeys(_said(case.value, params, texts)))
    conditions = conditions or [said for said in found.told if said.partition(" ")[0] not in params]
    if not conditions:
        return ""
    lines += [f"then {condition}" for condition in conditions]
    point, *both = finding.key
    return verified_example(rule_set, f"{' and '.join(both)} meet at {point}", lines, settled=True)


def _said(e: x.Expr, params: Collection[str], texts: Mapping[str, Source]) -> Iterator[str]:
    """The conditions that hold where both act, as they are written; no stretches of the calendar."""
    match e:
        case x.Outside(value=value):
            yield from _said(value, params, texts)
        case x.Logic(op="and", left=left, right=right):
            yield from _said(left, params, texts)
            yield from _said(right, params, texts)
        case x.Not(value=value) if value.span == e.span or e.span.file not in texts:
            yield from (f"not ({said})" for said in _said(value, params, texts))
        case x.During():
            pass
        case _ if any(isinstance(n, x.Reference) and n.name.text in params for n in nodes(e)):
            pass
        case _ if e.span.line == e.span.end_line:
            yield texts[e.span.file].line(e.span.line)[e.span.column - 1 : e.span.end_column - 1]
        case _:
            pass
