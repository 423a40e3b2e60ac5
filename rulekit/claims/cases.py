"""Claimed examples, played like the rule set's own."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from rulekit.claims.verdict import Verdict
from rulekit.driver import Compiled
from rulekit.lower import lower
from rulekit.model import Case, ClaimModel
from rulekit.play.examples import Examples
from rulekit.source import Span


class Cases:
    """Runs the claimed examples of a rule set in a program of their own: the one that is played has none."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled

    def verdict(self, claim: ClaimModel) -> Verdict:
        """How a claimed example comes out."""
        assert isinstance(claim.content, Case)
        result = self._runner.run(claim.content.example)
        if result.passed:
            return Verdict(claim, "holds")
        place = None
        if result.broken is not None:
            site = self._runner.program.sites[result.broken]
            place = Span(site.file, site.line, site.column, site.line, site.column + 1)
        return Verdict(claim, "broken", result.reason, place)

    @cached_property
    def _runner(self) -> Examples:
        model, program = self._compiled.model, self._compiled.program
        cases = [claim.content for claim in model.claims if isinstance(claim.content, Case)]
        procedures = {made.name: made for case in cases for made in case.procedures}
        own = {name: made for name, made in model.procedures.items() if not name.startswith("example:")}
        made = replace(
            model, procedures={**own, **procedures}, examples=tuple(case.example for case in cases)
        )
        return Examples(
            lower(
                made,
                name=program.name,
                title=program.title,
                edition=program.edition,
                language=program.language,
                source_hash=program.source_hash,
                options=program.options,
                sides=program.sides,
                entry=program.entry,
            )
        )
