"""Names with exceptions, variants and options laid over them.

Before: `Names` as declared.  After: `Names` in which every amendment of every variant present has been worked
in, each under the condition its variant is in force; nothing after this knows a base from a house rule, but
for the citations and places each node still carries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiler.amend import choices, components, rolls, routines
from rulekit.compiler.amend.containment import Containment
from rulekit.compiler.amend.draft import Activation, Draft, Patch
from rulekit.compiler.amend.order import Relations
from rulekit.compiler.amend.overlaps import check_order, report_idle
from rulekit.compiler.amend.precedence import NewText, yield_to_overriding
from rulekit.compiler.amend.resolve_address import AddressResolver
from rulekit.compiler.amend.rolls import report_unordered_modifiers
from rulekit.compiler.amend.routines import amend_statements
from rulekit.compiler.amend.tables import amend_tables, with_own_rows
from rulekit.compiler.amend.targets import OWNERS, SPACES, PartIndex, Target
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.syntax.tree import items as i

_ONE_BY_ONE: dict[str, Callable[[Draft, Patch, Any], Any]] = {
    **dict.fromkeys(("enum", "kind", "piece", "space", "group"), components.amend_component),
    "state": components.amend_state,
    "define": routines.amend_define,
    "procedure": routines.amend_procedure,
    "event": routines.amend_event,
    "invariant": routines.amend_promise,
    "roll": rolls.amend_roll,
    "stack": rolls.amend_class,
    "calendar": components.amend_calendar,
    "choice": choices.amend_choice,
    "decider": choices.amend_decider,
    "verb": choices.amend_verb,
    "let": choices.amend_let,
    "norm": choices.amend_norm,
    "modifier": rolls.amend_modifier,
}
"""By the word for what changes: what returns an item as it is then, or None if it is gone for good."""
_TOGETHER: dict[str, Callable[[Draft, list[Patch]], None]] = {
    **dict.fromkeys(("row", "cell", "table"), amend_tables),
    "statement": amend_statements,
    "case": routines.amend_cases,
    "clause": choices.amend_clauses,
}


def amend(names: Names, report: Report) -> Names:
    """The amended names; an amendment that reaches nothing, or cannot be made, is reported."""
    names = with_own_rows(names)
    draft = Draft(names, report)
    if names.variants:
        _work_in(draft, names, report)
    report_unordered_modifiers(draft)
    return draft.names()


def _work_in(draft: Draft, names: Names, report: Report) -> None:
    _check_homes(names, report)
    everything = PartIndex(names)
    reached, relations = _find_targets(names, everything, report)
    patches: list[Patch] = []
    for variant in relations.in_order(report):
        beside = relations.all_beside(variant)
        for amendment, target in reached[variant.name.text]:
            patches.append(Patch(amendment, target, Activation(variant), beside))
    containment = Containment(names, patches)
    patches = list(NewText(names, everything, relations, draft).follow(patches, containment))
    check_order(patches, names, relations, draft, containment)
    report_idle(patches, names, relations, draft, containment)
    remaining = yield_to_overriding(patches, relations)
    _apply(draft, [patch for patch in remaining if _is_allowed(draft, patch)])


def _find_targets(
    names: Names, everything: PartIndex, report: Report
) -> tuple[dict[str, list[tuple[i.Amendment, Target]]], Relations]:
    """What the amendments of each variant reach, and which variant comes after which."""
    silent = Report()
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
    """Amend types first, which the rest relies on; then items, additions before all else; then parts."""
    components.amend_types(draft, [patch for patch in patches if patch.amendment.op == "widen"])
    rest = [patch for patch in patches if patch.amendment.op != "widen"]
    for patch in sorted(rest, key=lambda patch: patch.amendment.op != "add"):
        word = patch.target.word
        if word in _ONE_BY_ONE:
            _amend_item(draft, patch)
        elif word not in _TOGETHER:
            draft.refuse(patch.amendment, f"a {word} can only be widened", f"write `widen {word} .. to TYPE`")
    for amend_all in dict.fromkeys(_TOGETHER.values()):
        amend_all(draft, [patch for patch in rest if _TOGETHER.get(patch.target.word) is amend_all])


def _amend_item(draft: Draft, patch: Patch) -> None:
    """Work one patch into the item that it reaches, which another variant may have removed for good."""
    word, name = patch.target.word, patch.target.name
    items = draft.space(SPACES[OWNERS.get(word, (word,))[0]])
    if name not in items:
        return
    changed = _ONE_BY_ONE[word](draft, patch, items[name])
    if changed is None:
        del items[name]
    else:
        items[name] = changed


def _rests(variant: i.Variant, names: Names) -> bool:
    """True if amendments that reach nothing are ignored: a variant that this one names is absent."""
    return any(name.text not in names.variants for name in (*variant.over, *variant.beside))


def _check_homes(names: Names, report: Report) -> None:
    """Report options and variants in a file that takes part whatever is chosen."""
    for variant in names.variants.values():
        if variant.word != "exception" and not variant.span.file.startswith("options/"):
            message = f"a `{variant.word}` must be in the file of an option"
            hint = f"move it to `options/{variant.name.text}.rules`"
            if variant.of is None:
                hint = f"{hint}, or make it an `exception`"
            report.add(Diagnostic(kinds.IMPOSSIBLE_AMENDMENT, message, variant.span, hint=hint))


# -- the lines of an amendment

_WORDS = {
    "members": "members", "norms": "norms", "rows": "rows", "notes": "notes", "fields": "fields",
    "body": "statements", "cases": "a value", "verb": "a verb", "lets": "`let`s", "secret": "`secret`",
    "default": "`default`", "dice": "dice", "type": "a type", "most": "a number",
    "deep": "a depth",
    "stacking": "stacking classes", "months": "months",
}  # fmt: skip
_OF_CHOICE = ("verb", "lets", "secret", "default", "norms")
_TAKES: dict[tuple[str, str], tuple[str, ...]] = {
    ("enum", "add"): ("members",),
    ("kind", "add"): ("members", "fields"),
    ("piece", "add"): ("members", "fields"),
    ("space", "add"): ("members", "fields"),
    ("group", "add"): ("fields",),
    ("group", "widen"): ("most",),
    ("procedure", "widen"): ("deep",),
    ("state", "set"): ("cases",),
    ("table", "add"): ("rows", "notes"),
    ("table", "replace"): ("rows", "notes"),
    ("row", "replace"): ("rows",),
    ("choice", "add"): ("norms",),
    ("choice", "replace"): _OF_CHOICE,
    ("verb", "replace"): ("verb", "lets"),
    ("norm", "replace"): ("norms",),
    ("procedure", "replace"): ("body",),
    ("event", "replace"): ("body",),
    ("statement", "replace"): ("body",),
    ("roll", "set"): ("dice",),
    ("roll", "add"): ("stacking",),
    ("stack", "set"): ("stacking",),
    ("calendar", "set"): ("cases", "months"),
    **{(word, "set"): ("cases",) for word in ("define", "modifier", "decider", "let", "invariant", "cell")},
    **{(word, "set"): ("cases",) for word in ("case", "clause")},
    **{(word, "widen"): ("type",) for word in ("parameter", "field", "column", "result", "state")},
}
"""The lines that each sort of thing takes with each amendment; others report lines of no use themselves."""


def _is_allowed(draft: Draft, patch: Patch) -> bool:
    """True if an amendment has only lines that its target can take; the others are reported."""
    taken = _TAKES.get((patch.target.word, patch.amendment.op))
    if taken is None:
        return True
    present = [part for part in _WORDS if getattr(patch.amendment, part)]
    strange = [_WORDS[part] for part in present if part not in taken]
    if 0 < len(strange) < len(present):
        words = " and ".join(word.removeprefix("a ") for word in strange)
        message = f"a {patch.target.word} cannot take {words} here"
        hint = f"it can take {', '.join(_WORDS[part] for part in taken)}"
        draft.refuse(patch.amendment, message, hint)
        return False
    return True
