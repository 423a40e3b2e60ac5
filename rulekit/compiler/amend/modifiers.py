"""Amendments of modifiers: silent, or with another number."""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiler.amend.choices import suspended
from rulekit.compiler.amend.draft import Draft
from rulekit.compiler.amend.step import Work
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


def amend_modifier(draft: Draft, work: Work) -> None:
    """`remove modifier X`; `set modifier X to E`."""
    amendment, name = work.amendment, work.reached.name
    modifiers = draft.space("modifiers")
    found: i.Modifier | None = modifiers.get(name)
    if found is None:  # another variant has removed it for good
        return
    if amendment.op == "remove":
        gone = suspended(found.clauses, amendment, work.force)
        if gone is None:
            del modifiers[name]
        else:
            modifiers[name] = replace(found, clauses=gone)
        return
    case = amendment.cases[0] if amendment.op in ("set", "redefine") and amendment.cases else None
    if not isinstance(case, i.Case) or found.value is None:
        draft.tell_impossible(amendment, "a modifier can be removed, or its number set")
        return
    condition = work.force.condition()
    value = case.value
    if condition is not None:
        value = x.Conditional(amendment.span, case.value, condition, found.value)
    modifiers[name] = replace(found, value=value)
