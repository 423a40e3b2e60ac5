"""Choices that must be answered and cannot be: a duty against bans, or bans that leave nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rulekit import ir
from rulekit.base.language import quoted
from rulekit.base.solver import advice
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Label, kinds

if TYPE_CHECKING:
    from rulekit.analysis.prove.duties import Impossible, Undecided


OFFERED: Final = 2_000
"""Readings for one duty of options that are not chosen."""


def lint(compiled: Compiled) -> Iterator[Diagnostic]:
    """A finding for each duty (or verb without a way out) that some situation makes impossible.

    With options chosen only choices that the options bring, or give norms to, are asked.
    """
    from rulekit.analysis.prove.duties import BUDGET, Impossible

    found = list(_found(compiled, BUDGET, solver=True))
    yield from _refuted(compiled, [each for each in found if isinstance(each, Impossible)])
    yield from (_undecided(compiled, each) for each in found if not isinstance(each, Impossible))


def lint_offered(compiled: Compiled) -> Iterator[Diagnostic]:
    """The duties of options that nobody chose, of which there are many: what is soon found impossible."""
    from rulekit.analysis.prove.duties import Impossible

    found = _found(compiled, OFFERED, solver=False)
    duties = [each for each in found if isinstance(each, Impossible) and each.duty is not None]
    yield from _refuted(compiled, duties)


def _found(compiled: Compiled, budget: int, *, solver: bool) -> Iterator[Impossible | Undecided]:
    from rulekit.analysis.prove import Prover
    from rulekit.analysis.prove.duties import impossible

    prover = Prover(compiled.program, solver=solver, answers=compiled.answers, trees=compiled.trees)
    for choice in compiled.program.choices:
        if _asked(compiled, choice):
            yield from impossible(prover, choice, budget)


def _refuted(compiled: Compiled, found: Sequence[Impossible]) -> Iterator[Diagnostic]:
    """What can be impossible, each with its situation as an example that was run."""
    if not found:
        return
    from rulekit.analysis.example_witness import verify_examples  # which compiles the set again

    shown = verify_examples(
        compiled.rule_set, [(f"nothing is left of {each.choice.name}", _lines(each)) for each in found]
    )
    for each, example in zip(found, shown, strict=True):
        yield replace(_told(compiled, each), example=example)


def _told(compiled: Compiled, found: Impossible) -> Diagnostic:
    choice, duty = found.choice, found.duty
    bans = [ban.name for ban in found.bans]
    labels = tuple(Label(_span(compiled, ban), _by(compiled, ban)) for ban in found.bans)
    what = f"{' and '.join(f'`{ban}`' for ban in bans)} {'leave' if len(bans) > 1 else 'leaves'} nothing"
    if found.situation.words:
        what += f"; so when {found.situation.words}"
    if duty is None:
        message = f"`{choice.name}` must be answered, and {what}"
        hint = "end the verb in `, if able`, or give the norm an exception"
        key: tuple[str, ...] = (f"choice {choice.name}", *bans)
        return Diagnostic(
            kinds.EXHAUSTED_CHOICE, message, _span(compiled, choice), labels, hint, "must be answered", key
        )
    message = f"`{duty.name}` forbids to decline `{choice.name}`, and {what}"
    hint = "say which prevails: give one an exception, or amend it in an option that is `over` the other"
    key = (f"choice {choice.name}", duty.name, *bans)
    return Diagnostic(
        kinds.DUTY_AGAINST_BAN, message, _span(compiled, duty), labels, hint, _by(compiled, duty), key
    )


def _lines(found: Impossible) -> tuple[str, ...]:
    """The situation as the lines of an example: the choice ends in a fault."""
    choice, situation = found.choice, found.situation
    arguments = ", ".join(situation.arguments[param.name] for param in choice.params)
    asked = f"{quoted(choice.name)}({arguments})" if choice.params else quoted(choice.name)
    return (*(f"given {line}" for line in situation.departures), f"when choose {asked}", "then fault")


def _undecided(compiled: Compiled, found: Undecided) -> Diagnostic:
    choice, duty = found.choice, found.duty
    what = f"`{duty.name}` of `{choice.name}`" if duty else f"`{choice.name}`"
    message = f"whether {what} can always be obeyed was not found out ({found.reason})"
    hint = advice("say in an `invariant` or `assume` what is always so")
    key = (f"choice {choice.name}", duty.name if duty else "")
    return Diagnostic(kinds.UNDECIDED_DUTY, message, _span(compiled, duty or choice), hint=hint, key=key)


def _asked(compiled: Compiled, choice: ir.Choice) -> bool:
    if not compiled.rule_set.options:
        return True
    parts: tuple[ir.Choice | ir.Norm, ...] = (choice, *choice.norms)
    return any(compiled.program.sites[part.site].file.startswith("options/") for part in parts)


def _span(compiled: Compiled, item: ir.Choice | ir.Norm) -> Span:
    site = compiled.program.sites[item.site]
    return Span.at(site.file, site.line, site.column)


def _by(compiled: Compiled, norm: ir.Norm) -> str:
    """The printed rules of a norm, and whose it is."""
    site = compiled.program.sites[norm.site]
    cited = ", ".join(rule.split(".", 1)[-1] for rule in site.rules)
    authors = [
        variant.author
        for variant in compiled.names.variants.values()
        if variant.author and variant.span.file == site.file and variant.word != "exception"
    ]
    said = f"[{cited}]" if cited else f"`{norm.name}`"
    return f"{said} by {authors[0]}" if authors else said
