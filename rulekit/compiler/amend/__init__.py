"""Names with exceptions, variants and options laid over them.

Before: `Names` as declared.  After: `Names` in which every amendment of every variant present has been worked
in, each under the condition its variant is in force; nothing after this knows a base from a house rule, but
for the citations and places each node still carries.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.amend.allowed_lines import takes
from rulekit.compiler.amend.cases_and_clauses import amend_cases, amend_clauses
from rulekit.compiler.amend.choices import amend_choice, amend_decider, amend_let, amend_norm, amend_verb
from rulekit.compiler.amend.components import amend_calendar, amend_component, amend_state
from rulekit.compiler.amend.draft import Draft
from rulekit.compiler.amend.modifiers import amend_class, amend_modifier
from rulekit.compiler.amend.no_effect import report_idle
from rulekit.compiler.amend.order import Relations
from rulekit.compiler.amend.overlaps import check_order
from rulekit.compiler.amend.patch import Activation, Patch
from rulekit.compiler.amend.resolve_address import AddressResolver
from rulekit.compiler.amend.routines import amend_define, amend_event, amend_procedure, amend_promise
from rulekit.compiler.amend.stacking import report_unordered_modifiers
from rulekit.compiler.amend.statements import amend_statements
from rulekit.compiler.amend.tables import amend_tables, with_own_rows
from rulekit.compiler.amend.targets import PartIndex, Target
from rulekit.compiler.amend.widening import amend_roll, amend_types
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.syntax.tree import items as i

_ONE_BY_ONE: dict[str, Callable[[Draft, Patch], None]] = {
    **dict.fromkeys(("enum", "kind", "piece", "space", "group"), amend_component),
    "state": amend_state,
    "define": amend_define,
    "procedure": amend_procedure,
    "event": amend_event,
    "invariant": amend_promise,
    "roll": amend_roll,
    "stack": amend_class,
    "calendar": amend_calendar,
    "choice": amend_choice,
    "decider": amend_decider,
    "verb": amend_verb,
    "let": amend_let,
    "norm": amend_norm,
    "modifier": amend_modifier,
}
_TOGETHER: dict[str, Callable[[Draft, list[Patch]], None]] = {
    **dict.fromkeys(("row", "cell", "table"), amend_tables),
    "statement": amend_statements,
    "case": amend_cases,
    "clause": amend_clauses,
}


def amend(names: Names, report: Report) -> Names:
    """The amended names; an amendment that reaches nothing, or cannot be made, is reported."""
    names = with_own_rows(names)
    draft = Draft(names, report)
    if names.variants:
        _amended(draft, names, report)
    report_unordered_modifiers(draft)
    return draft.names()


def _amended(draft: Draft, names: Names, report: Report) -> None:
    """PartIndex that variants change."""
    _check_homes(names, report)
    reached, relations = _reached(names, report)
    patches: list[Patch] = []
    for variant in relations.in_order(report):
        beside = tuple(other for other in names.variants.values() if relations.beside(variant, other))
        for amendment, target in reached[variant.name.text]:
            patches.append(Patch(amendment, target, Activation(variant), beside))
    check_order(patches, names, relations, draft)
    report_idle(patches, names, relations, draft)
    _apply(draft, [patch for patch in patches if takes(draft, patch)])


def _reached(names: Names, report: Report) -> tuple[dict[str, list[tuple[i.Amendment, Target]]], Relations]:
    """What the amendments of each variant reach, and which variant comes after which."""
    everything, silent = PartIndex(names), Report()
    reached: dict[str, list[tuple[i.Amendment, Target]]] = {}
    amending: dict[str, set[str]] = {}
    for name, variant in names.variants.items():
        reach = AddressResolver(names, everything, name, silent if _rests(variant, names) else report)
        reached[name] = [
            (amendment, target)
            for amendment in variant.amendments
            if (target := reach.find(amendment)) is not None
        ]
        amending[name] = reach.over
    return reached, Relations(names.variants, amending)


def _apply(draft: Draft, patches: list[Patch]) -> None:
    """Types first, for all that is made of an item has them; then items, with what is added to them before
    what is done to the whole; then their parts, wherever they stand by now."""
    amend_types(draft, [patch for patch in patches if patch.amendment.op == "widen"])
    rest = [patch for patch in patches if patch.amendment.op != "widen"]
    for patch in sorted(rest, key=lambda patch: patch.amendment.op != "add"):
        word = patch.target.word
        if word in _ONE_BY_ONE:
            _ONE_BY_ONE[word](draft, patch)
        elif word not in _TOGETHER:
            draft.refuse(patch.amendment, f"a {word} can only be widened", f"write `widen {word} .. to TYPE`")
    for amend_all in dict.fromkeys(_TOGETHER.values()):
        amend_all(draft, [patch for patch in rest if _TOGETHER.get(patch.target.word) is amend_all])


def _rests(variant: i.Variant, names: Names) -> bool:
    """Whether amendments that reach nothing rest: what they are for may be of a variant that is not there."""
    return any(name.text not in names.variants for name in (*variant.over, *variant.beside))


def _check_homes(names: Names, report: Report) -> None:
    """Options and variants stand where they take part only when they are chosen."""
    for variant in names.variants.values():
        if variant.word != "exception" and not variant.span.file.startswith("options/"):
            message = f"a `{variant.word}` must be in the file of an option"
            hint = f"move it to `options/{variant.name.text}.rules`, or make it an `exception`"
            report.add(Diagnostic(kinds.IMPOSSIBLE_AMENDMENT, message, variant.span, hint=hint))
