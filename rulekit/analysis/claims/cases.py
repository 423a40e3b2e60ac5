"""Claimed examples, played like those of the rule set."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile

from rulekit import ir
from rulekit.analysis.claims.booklet import Booklet
from rulekit.analysis.claims.verdict import ClaimVerdict, Contradiction
from rulekit.analysis.claims.words import comparison_of, denial, source_text, words_of_value
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.compiler.driver import Compiled
from rulekit.compiler.lower import heading_of, lower, lower_for_claims
from rulekit.compiler.model import CaseModel, ClaimModel
from rulekit.compiler.weave_events import weave_events
from rulekit.diagnostics.conflict import IN_EXAMPLE
from rulekit.ir.reachable import for_examples
from rulekit.ir.semantics.names import Naming
from rulekit.runtime.play.examples import ExampleResult, Examples
from rulekit.syntax.parse.comments import without_citation
from rulekit.syntax.tree import items as i

_ENDS = ("then", "chance", "mean")
"""Words that begin what an example expects."""


class CaseRunner:
    """Runs the claimed examples of a rule set in a program of their own: the one that is played has none."""

    def __init__(self, compiled: Compiled, booklet: Booklet, tell: Callable[[ClaimModel], bool]) -> None:
        self._compiled, self._booklet, self._tell = compiled, booklet, tell

    def verdict(self, claim: ClaimModel) -> ClaimVerdict:
        """Play a claimed example."""
        assert isinstance(claim.content, CaseModel)
        example = claim.content.example
        result = self._results[example.name]
        if result.passed:
            return Proved()
        if result.undecided:
            return Undecided(result.reason)
        if result.broken is None or example.measures or not self._tell(claim):
            place = result.refused_at.span if result.refused_at else None
            words = (
                self._words(result.reason) if not example.measures else self._words_of_measure(claim, result)
            )
            return Refuted(Contradiction(words, self._situation(claim), place, result.sites))
        number = next(n for n, (_, failing) in enumerate(example.then) if failing == result.broken)
        return Refuted(Contradiction(self._instead(claim, number), self._situation(claim), ran=result.sites))

    def _situation(self, claim: ClaimModel) -> str:
        """The lines of an example before what it expects."""
        rows = map(without_citation, self._compiled.rule_set.rows(claim.decl.span)[1:])
        before = [row for row in takewhile(lambda row: not row.lstrip().startswith(_ENDS), rows) if row]
        indent = min((len(row) - len(row.lstrip()) for row in before), default=0)
        lines = ("; " * (row[indent] != " ") + " ".join(row.split()) for row in before)
        return IN_EXAMPLE + " ".join(lines).replace(" ; ", "; ").removeprefix("; ")

    def _words(self, reason: str) -> str:
        """Return why an example fails, with printed rules as citations and without the code of a fault."""
        reason = re.sub(r"^a fault: (RK\d+ [a-z-]+: )?", "the game stops: ", reason)
        rule = rf"{re.escape(self._compiled.rule_set.manifest.prefix)}\.[^\s,]+"
        return re.sub(rf"{rule}(?:, {rule})*", lambda rules: self._booklet.cite(rules[0].split(", ")), reason)

    def _words_of_measure(self, claim: ClaimModel, result: ExampleResult) -> str:
        """Why a chance is not as claimed, with what it is the chance of."""
        assert isinstance(claim.content, CaseModel) and isinstance(claim.decl, i.Claim)
        written = claim.decl.content
        assert isinstance(written, i.Example)
        for measure, line in zip(claim.content.example.measures, written.measures, strict=True):
            if measure.site == result.broken:
                what = f"the {measure.word} of `{source_text(self._compiled, line.of.span)}`"
                return result.reason.replace(f"the {measure.word}", what, 1)
        return self._words(result.reason)

    def _instead(self, claim: ClaimModel, number: int) -> str:
        """The condition that is false, and the value that it compares."""
        assert isinstance(claim.content, CaseModel) and isinstance(claim.decl, i.Claim)
        written = claim.decl.content
        assert isinstance(written, i.Example)
        conditions = [then.condition for then in written.then if then.condition is not None]
        first = comparison_of(claim.content.example.then[number][0])
        name = claim.content.example.name
        values = self._outcomes.outcome(self._outcomes.program.by_name.examples[name]) if first else ()
        value = None
        if first is not None and number < len(values):
            value = words_of_value(Naming(self._runner.program).to_json(first.type, values[number]))
        return denial(self._compiled, conditions[number], value)

    @cached_property
    def _results(self) -> Mapping[str, ExampleResult]:
        return {result.name: result for result in self._runner.all()}

    @cached_property
    def _outcomes(self) -> Examples:
        """The examples that fail, with the compared values in the place of their conditions."""

        def with_values(case: CaseModel) -> CaseModel:
            pairs = [(comparison_of(condition), condition, site) for condition, site in case.example.then]
            then = tuple((compared or whole, site) for compared, whole, site in pairs)
            return replace(case, example=replace(case.example, then=then))

        failed = [case for case in self._all() if self._results[case.example.name].broken is not None]
        return Examples(self._program(list(map(with_values, failed))))

    def _all(self) -> Sequence[CaseModel]:
        contents = (claim.content for claim in self._compiled.model.claims)
        return [content for content in contents if isinstance(content, CaseModel)]

    @cached_property
    def _runner(self) -> Examples:
        return Examples(self._program(self._all()))

    def _program(self, cases: Sequence[CaseModel]) -> ir.Program:
        return program_of_cases(self._compiled, cases)


def program_of_cases(compiled: Compiled, cases: Sequence[CaseModel]) -> ir.Program:
    """Return the rule set with the examples of claims, and no other."""
    model, program = compiled.model, compiled.program
    procedures = {n: item for n, item in model.procedures.items() if not n.startswith("example:")}
    procedures |= {procedure.name: procedure for case in cases for procedure in case.procedures}
    judged = replace(model, procedures=procedures, examples=tuple(case.example for case in cases))
    lowered = lower(judged, weave_events(judged, entry=""), heading_of(program, entry=""))
    return for_examples(lower_for_claims(lowered, model))
