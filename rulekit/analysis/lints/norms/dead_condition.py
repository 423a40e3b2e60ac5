"""Conditions that never hold where they stand: cases never reached, norms and exceptions without work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.verdicts import Refuted
from rulekit.compiler.model import Condition, owner_of
from rulekit.diagnostics import Diagnostic, kinds

WHEN = Occasion(offered=True)
KINDS: Final = (kinds.UNREACHABLE_CASE, kinds.IDLE_NORM, kinds.IDLE_EXCEPTION, kinds.IDLE_CLAUSE)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each condition that provably holds in no situation."""
    variants = rules.compiled.names.variants
    forces = {part.span: name for name, variant in variants.items() for part in variant.force}
    for judged in rules.conditions:
        if not isinstance(judged.verdict, Refuted):
            continue
        condition, alone = judged.obligation.item, judged.verdict.evidence.alone
        span, kind, where = condition.span, judged.obligation.kind, owner_of(condition)
        text = " ".join(rules.compiled.rule_set.rows(span)[0].split())  # of several lines the first
        message, hint = _words(condition, text, alone=alone)
        if alone and span in forces:
            kind, where = kinds.IDLE_CLAUSE, forces[span]
            message = f"`{where}` is never in force: `{text}` is never true"
        yield Diagnostic(kind, message, span, hint=hint, under="never", key=(where, text))


def _words(condition: Condition, said: str, *, alone: bool) -> tuple[str, str]:
    where = owner_of(condition)
    mend = "correct the condition, or remove it"
    match condition.role:
        case "case" | "branch" if not alone:
            message = f"unreachable case of `{where}`: earlier cases cover it"
            return message, "move it up, or remove it"
        case "case" | "branch" | "note":
            return f"`{said}` is never true", mend
        case "otherwise":
            return (
                f"unreachable `otherwise` of `{where}`",
                "the earlier cases cover everything: remove it",
            )
        case "norm":
            return f"the norm `{where}` has no effect: the situation it covers cannot occur", mend
        case "unless" if not alone:
            return (
                f"this exception to `{where}` never applies: `{where}` has no effect wherever it is true",
                mend,
            )
        case "unless":
            return f"this exception to `{where}` never applies: it is never true", mend
        case _ if not alone:
            return f"`{where}` never applies: this condition contradicts the clauses before it", mend
        case _:
            return f"`{where}` never applies: this condition is never true", mend
