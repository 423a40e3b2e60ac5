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
from rulekit.base.source import Span, option_of
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Kind, Label, kinds

if TYPE_CHECKING:
    from rulekit.analysis.options.joint_norms import JointNorms
    from rulekit.analysis.prove.duties import Duty, NothingLeft

WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each duty (or verb without a way out) that some situation makes impossible.

    With options chosen only choices that the options bring, or give norms to, are judged; of options that
    nobody chose, only duties that are soon found impossible, and verbs that norms of several leave without
    an answer: of one option too, which `check_options` makes a note.
    """
    from rulekit.analysis.prove.duties import Duty

    compiled = rules.compiled
    refuted: list[_Refuted] = []
    together = set()
    for joint in rules.joint_norms:
        of_one = len(joint.obligation.item.options) < 2
        if isinstance(joint.verdict, Refuted) and (rules.offered or not of_one):
            item, left = joint.obligation.item, joint.verdict.evidence
            together.add(item.choice.name)
            finding = _joint_finding(compiled, item, left, joint.obligation.kind)
            refuted.append((Duty(item.choice, None), left, finding))
    for choice in filter(rules.is_own_choice, compiled.program.choices):
        for judged in rules.duties(choice):
            duty, verdict = judged.obligation.item, judged.verdict
            alone = duty.norm is None and (rules.offered or choice.name in together)
            if isinstance(verdict, Refuted) and not alone:
                finding = _finding(compiled, duty, verdict.evidence, judged.obligation.kind)
                refuted.append((duty, verdict.evidence, finding))
            elif isinstance(verdict, Undecided) and not rules.offered:
                yield _undecided_duty(duty, judged.obligation.span, verdict)
    yield from _with_examples(compiled, refuted)


_Refuted = tuple["Duty", "NothingLeft", Diagnostic]


def _with_examples(compiled: Compiled, refuted: Sequence[_Refuted]) -> Iterator[Diagnostic]:
    """The findings, each with its situation as an example that was run."""
    if not refuted:
        return
    from rulekit.analysis.example_witness import verify_examples  # which compiles the set again

    wanted = [(f"nothing is left of {duty.choice.name}", _lines(duty, left)) for duty, left, _ in refuted]
    examples = verify_examples(compiled.rule_set, wanted)
    for (_, _, finding), example in zip(refuted, examples, strict=True):
        yield replace(finding, example=example)


def _finding(compiled: Compiled, duty: Duty, left: NothingLeft, kind: Kind) -> Diagnostic:
    choice, norm = duty.choice, duty.norm
    bans = [ban.name for ban in left.bans]
    labels = tuple(Label(_span(compiled, ban), _by(compiled, ban)) for ban in left.bans)
    named = " and ".join(f"`{ban}`" for ban in bans)
    where = _where(left)
    if norm is None:
        message = f"`{choice.name}` can run out of legal answers because of {named}{where}"
        hint = "give a norm an exception, such as `unless ..`"
        if choice.among and choice.verb not in ("arrange", "share"):
            hint = "add `, if able` to the verb, or give a norm an exception"
        key: tuple[str, ...] = (f"choice {choice.name}", *bans)
        return Diagnostic(kind, message, _span(compiled, choice), labels, hint, "must be answered", key)
    message = f"`{norm.name}` requires an answer to `{choice.name}`, but {named} can leave none{where}"
    hint = "decide which takes precedence: give one an exception, or use `over`"
    key = (f"choice {choice.name}", norm.name, *bans)
    return Diagnostic(kind, message, _span(compiled, norm), labels, hint, _by(compiled, norm), key)


def _joint_finding(compiled: Compiled, item: JointNorms, left: NothingLeft, kind: Kind) -> Diagnostic:
    """The finding of a choice that several options leave without an answer: at what an option says last."""
    choice, sites = item.choice, compiled.program.sites
    parts = [(sites[ban.site].span, f"`{ban.name}`{_author(compiled, ban)}") for ban in left.bans]
    declared = compiled.names.choices.get(choice.name)
    if declared is not None and declared.verb.span.file.startswith("options/"):
        parts.append((declared.verb.span, f"the verb of `{option_of(declared.verb.span.file)}`"))
    (first, _), *others = sorted(parts, key=lambda part: part[0].file.startswith("options/"), reverse=True)
    *most, last = (words for _, words in parts)
    names = f"{', '.join(most)} and {last}" if most else last
    together = "together " if len(parts) > 1 else ""
    message = f"{together}{names} can leave no legal answer to `{choice.name}`{_where(left)}"
    hint = "give one norm an exception, replace it `over` the other, or let one option exclude the other"
    if len(item.options) < 2:
        hint = "change the norm, or give it an exception"
    labels = tuple(Label(span, f"{words} also applies") for span, words in others)
    key = (f"choice {choice.name}", *sorted(ban.name for ban in left.bans))
    return Diagnostic(kind, message, first, labels, hint, key=key)


def _where(left: NothingLeft) -> str:
    return f"; for example, when {left.situation.words}" if left.situation.words else ""


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
    cited = ", ".join(rule.split(".", 1)[-1] for rule in compiled.program.sites[norm.site].rules)
    return (f"[{cited}]" if cited else f"`{norm.name}`") + _author(compiled, norm)


def _author(compiled: Compiled, norm: ir.Norm) -> str:
    """`by` and the author of the option that brings a norm; empty if it has none."""
    file = compiled.program.sites[norm.site].file
    variants = (one for one in compiled.names.variants.values() if one.word != "exception")
    return next((f" by {one.author}" for one in variants if one.author and one.span.file == file), "")
