"""Amendments of events and invariants: other ones, or none."""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiler.amend.draft import Draft, either, under
from rulekit.compiler.amend.step import Work
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


def amend_event(draft: Draft, work: Work) -> None:
    """`remove event X`; `replace event X:` statements."""
    amendment, name = work.amendment, work.reached.name
    events = draft.space("events")
    event: i.Event | None = events.get(name)
    if event is None:  # another variant has removed it for good
        return
    condition = work.force.condition(amendment.clauses)
    if amendment.op == "replace" and amendment.body:
        events[name] = replace(event, body=under(condition, amendment.body, event.body, amendment.span))
    elif amendment.op != "remove":
        draft.tell_impossible(amendment, "an event can be removed, or replaced by statements")
    elif condition is None:
        del events[name]
    else:
        here = event.condition
        still = x.Logic(here.span, "and", here, x.Not(condition.span, condition))
        events[name] = replace(event, condition=still)


def amend_promise(draft: Draft, work: Work) -> None:
    """`remove invariant X`; `set invariant X to E`."""
    amendment, name = work.amendment, work.reached.name
    promises = draft.space("promises")
    promise: i.Promise | None = promises.get(name)
    if promise is None:  # another variant has removed it for good
        return
    condition = work.force.condition(amendment.clauses)
    case = amendment.cases[0] if amendment.op == "set" and amendment.cases else None
    if isinstance(case, i.Case):
        promises[name] = replace(promise, condition=either(case.value, condition, promise.condition))
    elif amendment.op != "remove":
        hint = f"write `set invariant {name} to CONDITION`"
        draft.tell_impossible(amendment, "an invariant can be removed, or set", hint)
    elif condition is None:
        del promises[name]
    else:
        loose = x.Logic(promise.condition.span, "or", condition, promise.condition)
        promises[name] = replace(promise, condition=loose)
