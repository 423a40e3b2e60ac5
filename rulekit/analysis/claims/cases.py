"""Claimed examples, played like those of the rule set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from rulekit import ir
from rulekit.analysis.claims.verdict import ClaimVerdict, contradiction
from rulekit.analysis.claims.words import comparison_of, source_text, words_of_value
from rulekit.analysis.verdicts import Proved
from rulekit.compiler.driver import Compiled
from rulekit.compiler.lower import heading_of, lower, lower_for_claims
from rulekit.compiler.model import CaseModel, ClaimModel
from rulekit.compiler.weave_events import weave_events
from rulekit.ir.reachable import for_examples
from rulekit.ir.semantics.names import Naming
from rulekit.runtime.play.examples import ExampleResult, Examples
from rulekit.syntax.tree import items as i


class CaseRunner:
    """Runs the claimed examples of a rule set in a program of their own: the one that is played has none."""

    def __init__(self, compiled: Compiled, tell: Callable[[ClaimModel], bool]) -> None:
        self._compiled, self._tell = compiled, tell

    def verdict(self, claim: ClaimModel) -> ClaimVerdict:
        """Play a claimed example."""
        assert isinstance(claim.content, CaseModel)
        example = claim.content.example
        result = self._results[example.name]
        if result.passed:
            return Proved()
        if result.broken is None or not self._tell(claim):
            reason = result.reason.replace(f"{self._compiled.rule_set.manifest.prefix}.", "")
            return contradiction(reason)
        number = next(n for n, (_, failing) in enumerate(example.then) if failing == result.broken)
        return contradiction(self._instead(claim, number), self._runner.program.sites[result.broken].span)

    def _instead(self, claim: ClaimModel, number: int) -> str:
        """The condition that is false, and the value that it compares."""
        assert isinstance(claim.content, CaseModel) and isinstance(claim.decl, i.Claim)
        written = claim.decl.content
        assert isinstance(written, i.Example)
        conditions = [then.condition for then in written.then if then.condition is not None]
        failed = f"`{source_text(self._compiled, conditions[number].span)}` is false"
        about = comparison_of(claim.content.example.then[number][0])
        name = claim.content.example.name
        values = self._outcomes.outcome(self._outcomes.program.by_name.examples[name]) if about else ()
        if about is None or number >= len(values):
            return failed
        first, how = about
        shown = Naming(self._runner.program).to_json(first.type, values[number])
        return f"{failed}: {how.format(words_of_value(shown))}"

    @cached_property
    def _results(self) -> Mapping[str, ExampleResult]:
        return {result.name: result for result in self._runner.all()}

    @cached_property
    def _outcomes(self) -> Examples:
        """The examples that fail, with the compared values in the place of their conditions."""

        def with_values(case: CaseModel) -> CaseModel:
            pairs = [(comparison_of(condition), condition, site) for condition, site in case.example.then]
            then = tuple((compared[0] if compared else whole, site) for compared, whole, site in pairs)
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
        """The rule set with these examples and no other."""
        model, program = self._compiled.model, self._compiled.program
        procedures = {n: item for n, item in model.procedures.items() if not n.startswith("example:")}
        procedures |= {procedure.name: procedure for case in cases for procedure in case.procedures}
        judged = replace(model, procedures=procedures, examples=tuple(case.example for case in cases))
        lowered = lower(judged, weave_events(judged, entry=""), heading_of(program, entry=""))
        return for_examples(lower_for_claims(lowered, model))
