"""Conditions that never hold where they stand: cases never reached, norms and exceptions without work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import Condition, Role
from rulekit.diagnostics import Diagnostic, Kind, kinds

OF_ONE: Final = (kinds.UNREACHABLE_CASE, kinds.IDLE_NORM, kinds.IDLE_EXCEPTION, kinds.IDLE_CLAUSE)
OFFERED: Final = 600
"""Readings for one condition of an option that is not chosen."""
_KINDS: Final[dict[Role, Kind]] = {
    "case": kinds.UNREACHABLE_CASE,
    "branch": kinds.UNREACHABLE_CASE,
    "otherwise": kinds.UNREACHABLE_CASE,
    "note": kinds.UNREACHABLE_CASE,
    "norm": kinds.IDLE_NORM,
    "unless": kinds.IDLE_EXCEPTION,
    "when": kinds.IDLE_CLAUSE,
    "dates": kinds.IDLE_CLAUSE,
}


def lint(compiled: Compiled) -> Iterator[Diagnostic]:
    """One finding for each condition that was proved to hold in no situation.

    With options chosen only their own conditions are asked: that an option leaves a rule of the base without
    work is what it is for.
    """
    conditions = [each for each in compiled.model.conditions if asked(each, compiled)]
    # So may an option leave a norm of another one without work, by what it offers to choose from.
    yield from _dead(compiled, conditions, among=len(compiled.rule_set.options) < 2)


def lint_offered(compiled: Compiled) -> Iterator[Diagnostic]:
    """The same of options that nobody chose, of which there are many: what is proved soon."""
    yield from _dead(compiled, [each for each in compiled.model.conditions if asked(each, compiled)], OFFERED)


def _dead(
    compiled: Compiled, conditions: Sequence[Condition], budget: int | None = None, *, among: bool = True
) -> Iterator[Diagnostic]:
    if not conditions:
        return
    from rulekit.analysis.prove import Prover
    from rulekit.analysis.prove.conditions import BUDGET, dead

    forces = {part.span: name for name, variant in compiled.names.variants.items() for part in variant.force}
    lines = {source.file: source for source in compiled.rule_set.sources}
    prover = Prover(compiled.program, answers=compiled.answers, trees=compiled.trees)
    for found in dead(prover, conditions, budget or BUDGET, among=among)[0]:
        condition = found.condition
        span = condition.span
        text = lines[span.file].line(span.line)[span.column - 1 : span.end_column - 1]
        if span.end_line > span.line:
            text = lines[span.file].line(span.line)[span.column - 1 :]
        said = " ".join(text.split())
        message, hint = _words(condition, said, alone=found.alone)
        kind, where = kind_of(condition), place(condition)
        if found.alone and span in forces:
            kind, where = kinds.IDLE_CLAUSE, forces[span]
            message = f"`{where}` is never in force: `{said}` holds in no situation"
        yield Diagnostic(kind, message, span, hint=hint, under="never", key=(where, said))


def kind_of(condition: Condition) -> Kind:
    """The kind of finding that tells that a condition never holds."""
    return _KINDS[condition.role]


def asked(condition: Condition, compiled: Compiled) -> bool:
    """Whether a condition is what a check is about."""
    # The last line of a definition has to be there, whether or not the cases before it leave anything.
    forced = condition.role == "otherwise" and condition.owner in compiled.names.defines
    optional = condition.span.file.startswith("options/")
    return not forced and optional == bool(compiled.rule_set.options)


def place(condition: Condition) -> str:
    """The construct around a condition, without what the compiler makes of its name."""
    return condition.owner.split("'")[0].rsplit(":", 1)[-1]


def _words(condition: Condition, said: str, *, alone: bool) -> tuple[str, str]:
    where = place(condition)
    mend = "mend the condition, or drop what it is for"
    match condition.role:
        case "case" | "branch" if not alone:
            before = "the cases before it take all that it would"
            return f"this case of `{where}` is never reached: {before}", "put it before them, or drop it"
        case "case" | "branch" | "note":
            return f"`{said}` holds in no situation", mend
        case "otherwise":
            return (
                f"this `otherwise` of `{where}` is never reached",
                "the cases before it take everything: drop it",
            )
        case "norm":
            return f"the norm `{where}` never speaks: nothing it is about can be", mend
        case "unless" if not alone:
            return f"this exception to `{where}` never applies: where it holds `{where}` does not act", mend
        case "unless":
            return f"this exception to `{where}` never applies: it holds in no situation", mend
        case _ if not alone:
            return f"`{where}` never acts: this never holds beside the clauses before it", mend
        case _:
            return f"`{where}` never acts: this holds in no situation", mend
