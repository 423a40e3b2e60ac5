"""A compiled rule set under inspection: what its lints and `check --proofs` share, each worked out once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rulekit import ir
from rulekit.analysis.uses import Uses, uses
from rulekit.base.source import option_of
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import ClaimModel, Condition
from rulekit.ir.semantics.facts import Facts

if TYPE_CHECKING:  # the prover and the interpreter are loaded only where a question is asked
    from rulekit.analysis.claims import JudgedClaim
    from rulekit.analysis.options.base_claims import Retrial
    from rulekit.analysis.options.joint_norms import JudgedJoint
    from rulekit.analysis.prove import Prover
    from rulekit.analysis.prove.conditions import JudgedCondition
    from rulekit.analysis.prove.duties import JudgedDuty
    from rulekit.analysis.prove.rolls import JudgedUse
    from rulekit.analysis.prove.secrecy.disclosures import JudgedSign

OFFERED_CONDITION: Final = 600
"""Readings for one condition of options that nobody chose."""
OFFERED_DUTY: Final = 2_000
"""Readings for one duty of options that nobody chose."""


class Inspection:
    """One compiled rule set, and the verdicts on its obligations.

    Attributes:
        offered: Whether the check itself laid the options over the set, one group of many: only what is
            proved soon is asked.
        with_claims: Whether claims are judged even so.
        as_printed: Whether no errata are applied.

    Args:
        conditions_of: The options whose own conditions are judged; None for all that are chosen.
        retrial: Claims of the base that are tried again with the options.
        base: Gives the program without options; None if the two are not compared.
    """

    def __init__(
        self,
        compiled: Compiled,
        *,
        offered: bool = False,
        with_claims: bool = False,
        as_printed: bool = False,
        conditions_of: frozenset[str] | None = None,
        retrial: Retrial | None = None,
        base: Callable[[], ir.Program | None] | None = None,
    ) -> None:
        self.compiled, self._conditions_of, self.retrial = compiled, conditions_of, retrial
        self._base = base
        self.offered, self.with_claims, self.as_printed = offered, with_claims, as_printed
        self._duties: dict[str, tuple[JudgedDuty, ...]] = {}

    @cached_property
    def uses(self) -> Uses:
        """How the rules in force and the manifest use names."""
        return uses(self.compiled)

    @cached_property
    def prover(self) -> Prover:
        """A prover without a solver."""
        return self._prover(solver=False)

    @cached_property
    def solver(self) -> Prover:
        """A prover that gives a solver what its search leaves open."""
        return self._prover(solver=True)

    def _prover(self, *, solver: bool) -> Prover:
        from rulekit.analysis.prove import Prover

        compiled = self.compiled
        work = compiled.workspace
        return Prover(compiled.program, solver=solver, answers=work.answers, trees=work.trees)

    @cached_property
    def unchanged(self) -> Sequence[str]:
        """The definitions that show that the options change nothing; none if the check does not compare."""
        if self._base is None or not self._changes_definitions_alone() or (base := self._base()) is None:
            return ()
        from rulekit.analysis.options.idle_options import unchanged_results

        return unchanged_results(base, self.compiled.program, self.compiled.workspace)

    def _changes_definitions_alone(self) -> bool:
        variants = [one for one in self.compiled.names.variants.values() if one.word != "exception"]
        words = {amendment.address.word for variant in variants for amendment in variant.amendments}
        return bool(words) and words <= {"define", "value"}

    def duties(self, choice: ir.Choice) -> Sequence[JudgedDuty]:
        """The duties to answer a choice: do norms leave a legal answer?"""
        from rulekit.analysis.prove.duties import BUDGET, judge_duties

        if choice.name not in self._duties:
            prover, budget = (self.prover, OFFERED_DUTY) if self.offered else (self.solver, BUDGET)
            self._duties[choice.name] = tuple(judge_duties(prover, choice, budget))
        return self._duties[choice.name]

    @cached_property
    def joint_norms(self) -> Sequence[JudgedJoint]:
        """The choices that several of the options amend: do their norms leave a legal answer together?"""
        if not self.compiled.rule_set.options:
            return ()
        from rulekit.analysis.options.joint_norms import judge_joint_norms

        return tuple(judge_joint_norms(self.compiled, self.prover))

    def is_own_choice(self, choice: ir.Choice) -> bool:
        """Return whether the chosen options bring a choice, or give it norms; without options, true."""
        if not self.compiled.rule_set.options:
            return True
        parts: tuple[ir.Choice | ir.Norm, ...] = (choice, *choice.norms)
        sites = self.compiled.program.sites
        return any(sites[part.site].file.startswith("options/") for part in parts)

    @cached_property
    def rolls(self) -> Sequence[JudgedUse]:
        """The uses of rolls: is there room for every total?"""
        from rulekit.analysis.prove.rolls import Rolled, judge_uses

        program = self.compiled.program
        rolled = Rolled(program, self.compiled.workspace.trees)
        procedures = [
            procedure for procedure in program.procedures if not procedure.name.startswith("example:")
        ]
        return [judged for procedure in procedures for judged in judge_uses(self.solver, rolled, procedure)]

    @cached_property
    def conditions(self) -> Sequence[JudgedCondition]:
        """The conditions of the rules: does each hold in some situation?

        With options chosen only their own conditions are judged: an option may well leave a rule of the base
        without work, or a norm of another option, by what it offers to choose from.
        """
        conditions = list(self._own_conditions())
        if not conditions:
            return ()
        from rulekit.analysis.prove.conditions import judge_conditions

        if self.offered:
            return list(judge_conditions(self.prover, conditions, OFFERED_CONDITION))
        return list(judge_conditions(self.prover, conditions, among=len(self.compiled.rule_set.options) < 2))

    def _own_conditions(self) -> Iterator[Condition]:
        compiled = self.compiled
        with_options = bool(compiled.rule_set.options)
        for condition in compiled.model.conditions:
            # The last line of a definition must be there, whether or not the cases before it leave anything.
            forced = condition.role == "otherwise" and condition.owner in compiled.names.defines
            option = option_of(condition.span.file)
            judged = not option or self._conditions_of is None or option in self._conditions_of
            if not forced and bool(option) == with_options and judged:
                yield condition

    @cached_property
    def signs(self) -> Sequence[JudgedSign]:
        """The signs by which sides may notice what is hidden from them: does each keep the secret?"""
        work = self.compiled.workspace
        facts = Facts(self.compiled.program, work.trees)
        if all(state.known_to is None for state in facts.program.states) and not facts.secret_draws:
            return ()
        from rulekit.analysis.prove.secrecy.disclosures import judge_signs

        solver = not self.offered
        return list(judge_signs(facts, solver=solver, answers=work.answers, trees=work.trees))

    @cached_property
    def claims(self) -> Sequence[JudgedClaim]:
        """The claims, and the readings of errata: does each hold?"""
        if not self.compiled.model.claims:
            return ()
        from rulekit.analysis.claims import judge_claims

        def own(claim: ClaimModel) -> bool:
            return self.retrial is None or claim.name not in self.retrial.claims

        return list(
            judge_claims(self.compiled, tell=lambda claim: self.as_printed or not claim.settled, only=own)
        )

    @cached_property
    def retried_claims(self) -> Sequence[JudgedClaim]:
        """The claims of the base that are tried again: does each hold with the options?"""
        retrial = self.retrial
        if retrial is None:
            return ()
        from rulekit.analysis.claims import judge_claims

        tried = retrial.claims
        return list(judge_claims(self.compiled, tell=lambda _: True, only=lambda claim: claim.name in tried))
