"""Names with exceptions, variants and options laid over them.

Before: `Names` as declared.  After: `Names` in which every amendment of every variant present has been worked
in, each under the condition its variant is in force; nothing after this knows a base from a house rule, but
for the citations and places each node still carries.
"""

from __future__ import annotations

from dataclasses import replace

from rulekit.amend import components, parts, routines, targets
from rulekit.amend.draft import Draft, Force
from rulekit.diagnostics import Report
from rulekit.names import Names
from rulekit.syntax import items as i


def amend(names: Names, report: Report) -> Names:
    """The amended names; an amendment that reaches nothing, or cannot be made, is reported."""
    if not names.variants:
        return names
    draft = Draft(names, report)
    _check_relations(draft)
    for variant in names.variants.values():
        for amendment in variant.amendments:
            _apply(draft, amendment, Force(variant))
    return draft.names()


def _check_relations(draft: Draft) -> None:
    """`needs`, `excludes` and `over` name variants: the needed are there, the excluded are not."""
    known = draft.variants
    for variant in known.values():
        for name in variant.needs:
            if name.text not in known:
                draft.tell_not_chosen(variant, name)
        for name in variant.excludes:
            if name.text in known:
                draft.tell_excluded(variant, name, known[name.text])


def _apply(draft: Draft, amendment: i.Amendment, force: Force) -> None:
    """Work in one amendment."""
    address = amendment.address
    if address.cite is not None and not address.name:
        found = targets.by_citation(draft, address)
        if found is None:
            return
        address = found
        amendment = replace(amendment, address=address)
    match address.word:
        case "enum" | "kind" | "piece" | "space" | "group":
            components.amend_component(draft, amendment, force)
        case "choice" | "norm":
            parts.amend_choice(draft, amendment, force)
        case "modifier":
            parts.amend_modifier(draft, amendment, force)
        case "table" | "row":
            parts.amend_table(draft, amendment, force)
        case "define" | "value":
            routines.amend_define(draft, amendment, force)
        case "procedure" | "sequence" | "scenario":
            routines.amend_procedure(draft, amendment, force)
        case "step" | "phase" | "segment" | "statement":
            routines.amend_step(draft, amendment, force)
        case "state" | "track":
            components.amend_state(draft, amendment, force)
        case _:
            draft.tell_impossible(amendment, f"a {address.word} cannot be amended")
