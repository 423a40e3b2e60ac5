"""Compiling a rule set to play or check it: the stages of the driver, then the amendments that clash.

Amendments of one point without an order clash unless they provably never act together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rulekit.analysis.verdicts import Judged, NotChecked, Obligation, Proved, Refuted, Undecided, Verdict
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.compiler.incremental import Workspace
from rulekit.compiler.names import Clash
from rulekit.diagnostics import Report
from rulekit.ruleset.folder import RuleSet
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import nodes

if TYPE_CHECKING:  # the prover and the interpreter are loaded only where there are clashes
    from rulekit.analysis.prove.situation import Situation

    JudgedClash = Judged[Clash, Situation]

MOST_WRITTEN: Final = 5
"""Situations that are written as examples: each takes a compile."""
CLASH_BUDGET: Final = 100_000
"""Readings for one clash."""


def compile_without_clashes(
    folder: Path,
    report: Report,
    *,
    options: Iterable[str] = (),
    overlays: Iterable[Path] = (),
    workspace: Workspace | None = None,
) -> Compiled:
    """Compile a rule set's folder; amendments that clash in some situation are errors.

    Arguments as for `compile_rule_set`.

    Raises:
        RulesError: Some stage has found an error, or amendments clash.
    """
    compiled = compile_rule_set(folder, report, options=options, overlays=overlays, workspace=workspace)
    check_clashes(compiled, report)
    report.stop_on_error()
    return compiled


def check_clashes(compiled: Compiled, report: Report) -> tuple[JudgedClash, ...]:
    """Report the amendments that may act together, and return the verdicts on all without an order."""
    judged = tuple(_judge_clashes(compiled)) if compiled.names.clashes else ()
    _report_clashes(compiled, judged, report)
    if compiled.names.unmet:
        _report_unmet(compiled, report)
    return judged


def _report_unmet(compiled: Compiled, report: Report) -> None:
    """Report the amendments of which no situation has both conditions."""
    from rulekit.analysis.prove import Prover
    from rulekit.analysis.prove.situation import find_situation

    work = compiled.workspace
    prover = Prover(compiled.program, solver=True, answers=work.answers, trees=work.trees)
    for clash in compiled.names.unmet:
        body = compiled.model.functions[clash.probe].body
        if isinstance(find_situation(prover, (), body, CLASH_BUDGET), Proved):
            report.add(clash.finding)


def _judge_clashes(compiled: Compiled) -> Iterator[JudgedClash]:
    """Prove of each two amendments of one point without an order that they never act together."""
    from rulekit.analysis.prove import Prover
    from rulekit.analysis.prove.situation import find_situation

    work = compiled.workspace
    prover = Prover(compiled.program, solver=True, answers=work.answers, trees=work.trees)
    for clash in compiled.names.clashes:
        point, *both = clash.finding.key
        subject = f"{' and '.join(both)} at {point}"
        verdict: Verdict[Situation] = Proved(how="their conditions exclude each other")
        if clash.probe:
            probe = compiled.model.functions[clash.probe]
            verdict = find_situation(prover, probe.params, probe.body, CLASH_BUDGET)
        yield Judged(Obligation("pair", clash, subject, clash.finding.span, clash.finding.kind), verdict)


def _report_clashes(compiled: Compiled, judged: Iterable[JudgedClash], report: Report) -> None:
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
    from rulekit.analysis.example_witness import verified_example

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
