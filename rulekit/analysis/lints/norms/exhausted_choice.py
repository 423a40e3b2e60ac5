"""Choices that must be answered and cannot be: a duty against bans, or bans that leave nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rulekit import ir
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.verdicts import Refuted, Undecided
from rulekit.base.language import quoted_name
from rulekit.base.solver import advice
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Kind, Label, kinds

if TYPE_CHECKING:
    from rulekit.analysis.prove.duties import Duty, NothingLeft

WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each duty (or verb without a way out) that some situation makes impossible.

    With options chosen only choices that the options bring, or give norms to, are judged; of options that
    nobody chose, only duties that are soon found impossible are reported.
    """
    compiled = rules.compiled
    refuted: list[tuple[Duty, NothingLeft, Kind]] = []
    for choice in filter(rules.is_own_choice, compiled.program.choices):
        for judged in rules.duties(choice):
            duty, verdict = judged.obligation.item, judged.verdict
            if isinstance(verdict, Refuted) and not (rules.offered and duty.norm is None):
                refuted.append((duty, verdict.evidence, judged.obligation.kind))
            elif isinstance(verdict, Undecided) and not rules.offered:
                yield _undecided_duty(duty, judged.obligation.span, verdict)
    yield from _with_examples(compiled, refuted)


def _with_examples(
    compiled: Compiled, refuted: Sequence[tuple[Duty, NothingLeft, Kind]]
) -> Iterator[Diagnostic]:
    """The findings, each with its situation as an example that was run."""
    if not refuted:
        return
    from rulekit.analysis.example_witness import verify_examples  # which compiles the set again

    wanted = [(f"nothing is left of {duty.choice.name}", _lines(duty, left)) for duty, left, _ in refuted]
    examples = verify_examples(compiled.rule_set, wanted)
    for (duty, left, kind), example in zip(refuted, examples, strict=True):
        yield replace(_finding(compiled, duty, left, kind), example=example)


def _finding(compiled: Compiled, duty: Duty, left: NothingLeft, kind: Kind) -> Diagnostic:
    choice, norm = duty.choice, duty.norm
    bans = [ban.name for ban in left.bans]
    labels = tuple(Label(_span(compiled, ban), _by(compiled, ban)) for ban in left.bans)
    named = " and ".join(f"`{ban}`" for ban in bans)
    where = f"; for example, when {left.situation.words}" if left.situation.words else ""
    if norm is None:
        message = f"`{choice.name}` can run out of legal answers because of {named}{where}"
        hint = "add `, if able` to the verb, or give a norm an exception"
        key: tuple[str, ...] = (f"choice {choice.name}", *bans)
        return Diagnostic(kind, message, _span(compiled, choice), labels, hint, "must be answered", key)
    message = f"`{norm.name}` requires an answer to `{choice.name}`, but {named} can leave none{where}"
    hint = "decide which takes precedence: give one an exception, or use `over`"
    key = (f"choice {choice.name}", norm.name, *bans)
    return Diagnostic(kind, message, _span(compiled, norm), labels, hint, _by(compiled, norm), key)


def _lines(duty: Duty, left: NothingLeft) -> tuple[str, ...]:
    """The situation as the lines of an example: the choice ends in a fault."""
    choice, situation = duty.choice, left.situation
    arguments = ", ".join(situation.arguments[param.name] for param in choice.params)
    call = f"{quoted_name(choice.name)}({arguments})" if choice.params else quoted_name(choice.name)
    return (*(f"given {line}" for line in situation.departures), f"when choose {call}", "then fault")


def _undecided_duty(duty: Duty, span: Span, verdict: Undecided) -> Diagnostic:
    choice, norm = duty.choice, duty.norm
    what = f"`{norm.name}` of `{choice.name}`" if norm else f"`{choice.name}`"
    message = f"could not decide whether {what} always has a legal answer ({verdict.reason})"
    hint = advice("state what always holds in an `invariant` or `assume`")
    key = (f"choice {choice.name}", norm.name if norm else "")
    return Diagnostic(kinds.UNDECIDED_DUTY, message, span, hint=hint, key=key)


def _span(compiled: Compiled, item: ir.Choice | ir.Norm) -> Span:
    return compiled.program.sites[item.site].span


def _by(compiled: Compiled, norm: ir.Norm) -> str:
    """The printed rules of a norm, and whose it is."""
    site = compiled.program.sites[norm.site]
    cited = ", ".join(rule.split(".", 1)[-1] for rule in site.rules)
    authors = [
        variant.author
        for variant in compiled.names.variants.values()
        if variant.author and variant.span.file == site.file and variant.word != "exception"
    ]
    words = f"[{cited}]" if cited else f"`{norm.name}`"
    return f"{words} by {authors[0]}" if authors else words
