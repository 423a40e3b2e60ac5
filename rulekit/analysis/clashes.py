"""Amendments of one point without an order: can both act in one situation?

Only amendments that provably never act together are not reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from rulekit.analysis.example_witness import verified_example
from rulekit.analysis.prove import Prover
from rulekit.analysis.prove.situation import Situation, find_situation
from rulekit.analysis.verdicts import Judged, NotChecked, Obligation, Proved, Refuted, Undecided
from rulekit.compiler.driver import Compiled
from rulekit.compiler.names import Clash
from rulekit.diagnostics import Report
from rulekit.ruleset.folder import RuleSet
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import nodes

MOST_WRITTEN: Final = 5
"""Situations that are written as examples: each takes a compile."""
BUDGET: Final = 100_000
"""Readings for one clash."""


JudgedClash = Judged[Clash, Situation]


def judge_clashes(compiled: Compiled) -> Iterator[JudgedClash]:
    """Prove of each two amendments of one point without an order that they never act together."""
    prover = Prover(compiled.program, solver=True)
    for clash in compiled.names.clashes:
        point, *both = clash.finding.key
        subject = f"{' and '.join(both)} at {point}"
        probe = compiled.model.functions[clash.probe]
        verdict = find_situation(prover, probe.params, probe.body, BUDGET)
        yield Judged(Obligation("pair", clash, subject, clash.finding.span, clash.finding.kind), verdict)


def report_clashes(compiled: Compiled, judged: Iterable[JudgedClash], report: Report) -> None:
    """Report the amendments that were not proved never to act together."""
    for number, one in enumerate(judged):
        clash, finding = one.obligation.item, one.obligation.item.finding
        match one.verdict:
            case Refuted(evidence=situation):
                where = f"; for example, when {situation.words}" if situation.words else ""
                example = _example(compiled, clash, situation) if number < MOST_WRITTEN else ""
                report.add(replace(finding, message=f"{finding.message}{where}", example=example))
            case Undecided(reason=reason):
                hint = f"{finding.hint}; no situation was found, but not all could be tried ({reason})"
                report.add(replace(finding, hint=hint))
            case Proved() | NotChecked():
                pass


def _example(compiled: Compiled, clash: Clash, situation: Situation) -> str:
    """The situation as an example: what is so there lets both act.

    What is to come of both it leaves to the author; what they read of parameters no example can give.
    """
    probe, rule_set = compiled.names.defines[clash.probe], compiled.rule_set
    params = {param.name.text for param in probe.params}
    (case,) = probe.cases
    assert isinstance(case, i.Case)
    lines = [f"given {line}" for line in situation.departures]
    conditions = list(dict.fromkeys(_conditions(case.value, params, rule_set)))
    conditions = conditions or [
        words for words in situation.depends_on if words.partition(" ")[0] not in params
    ]
    if not conditions:
        return ""
    lines += [f"then {condition}" for condition in conditions]
    point, *both = clash.finding.key
    return verified_example(rule_set, f"{' and '.join(both)} meet at {point}", lines)


def _conditions(e: x.Expr, params: Collection[str], rule_set: RuleSet) -> Iterator[str]:
    """The conditions that hold where both act, as they are written; no stretches of the calendar."""
    if isinstance(e, x.Outside):
        yield from _conditions(e.value, params, rule_set)
    elif isinstance(e, x.Logic) and e.op == "and":
        yield from _conditions(e.left, params, rule_set)
        yield from _conditions(e.right, params, rule_set)
    elif isinstance(e, x.Not) and (e.value.span == e.span or not rule_set.rows(e.span)):
        yield from (f"not ({words})" for words in _conditions(e.value, params, rule_set))
    elif not isinstance(e, x.During) and e.span.line == e.span.end_line:
        if not any(isinstance(node, x.Reference) and node.name.text in params for node in nodes(e)):
            yield from rule_set.rows(e.span)
