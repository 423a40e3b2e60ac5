"""Amendments of definitions and procedures, which live on as `original`, and of events and invariants."""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiler.amend.draft import Draft, either, under
from rulekit.compiler.amend.patch import Patch
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s


def amend_define(draft: Draft, patch: Patch) -> None:
    """`redefine define X: ...`, `set value X to E`; `original(..)` in it is what was there before."""
    amendment, name = patch.amendment, patch.target.name
    if amendment.op not in ("set", "redefine", "replace") or not amendment.cases:
        hint = f"write `redefine define {name}: EXPRESSION`"
        draft.refuse(amendment, f"`{name}` can only be redefined", hint)
        return
    defines = draft.space("defines")
    define: i.Define = defines[name]
    base = _keep(draft, "defines", define)
    new = replace(define, cases=amendment.cases, cite=amendment.cite or define.cite)
    condition = patch.activation.condition(amendment.clauses)
    if condition is None:
        defines[name] = new
        draft.originals[name] = base
        return
    own = draft.free("defines", f"{name}'{patch.activation.variant.name.text}")
    defines[own] = replace(new, name=x.Name(amendment.span, own))
    draft.originals[own] = base
    arguments = tuple(x.Reference(param.span, param.name) for param in define.params)

    def call(target: str) -> x.Expr:
        named = x.Name(amendment.span, target)
        return x.Call(amendment.span, named, arguments) if arguments else x.Reference(amendment.span, named)

    defines[name] = replace(
        define,
        cases=(
            i.Case(amendment.span, amendment.cite, condition, call(own)),
            i.Case(define.span, define.cite, None, call(base)),
        ),
    )


def amend_procedure(draft: Draft, patch: Patch) -> None:
    """`replace procedure X:` statements; `do original(..)` runs what was there before."""
    amendment, name = patch.amendment, patch.target.name
    if amendment.op != "replace" or not amendment.body:
        hint = "to change part of it, name a step: `insert before step X:`"
        draft.refuse(amendment, f"`{name}` can only be replaced as a whole", hint)
        return
    procedures = draft.space("procedures")
    procedure: i.Procedure = procedures[name]
    base = _keep(draft, "procedures", replace(procedure, sort="procedure"))
    new = replace(procedure, body=amendment.body, cite=amendment.cite or procedure.cite)
    condition = patch.activation.condition(amendment.clauses)
    if condition is None:
        procedures[name] = new
        draft.originals[name] = base
        return
    own = draft.free("procedures", f"{name}'{patch.activation.variant.name.text}")
    draft.declared[own] = name
    procedures[own] = replace(new, name=x.Name(amendment.span, own), sort="procedure")
    draft.originals[own] = base
    branches = ((condition, _calling(own, procedure, amendment)),)
    when = s.When(amendment.span, amendment.cite, branches, _calling(base, procedure, amendment))
    procedures[name] = replace(procedure, body=(when,))


def _calling(target: str, procedure: i.Procedure, amendment: i.Amendment) -> tuple[s.Statement, ...]:
    """Run another procedure in place of this one, and give its result."""
    at = amendment.span
    arguments = tuple(x.Reference(param.span, param.name) for param in procedure.params)
    call = x.Call(at, x.Name(at, target), arguments)
    if procedure.result is None:
        return (s.Do(at, None, call, None),)
    result = x.Name(at, "result")
    return s.Do(at, None, call, result), s.Return(at, None, x.Reference(at, result))


def _keep(draft: Draft, space: str, item: i.Define | i.Procedure) -> str:
    """Keep what was there under a name of its own, with what is `original` to it."""
    name = item.name.text
    base = draft.free(space, f"{name}'base")
    draft.declared[base] = name
    draft.space(space)[base] = replace(item, name=x.Name(item.name.span, base))
    if name in draft.originals:
        draft.originals[base] = draft.originals[name]
    return base


def amend_event(draft: Draft, patch: Patch) -> None:
    """`remove event X`; `replace event X:` statements."""
    amendment, name = patch.amendment, patch.target.name
    events = draft.space("events")
    event: i.EventDecl | None = events.get(name)
    if event is None:  # another variant has removed it for good
        return
    condition = patch.activation.condition(amendment.clauses)
    if amendment.op == "replace" and amendment.body:
        events[name] = replace(event, body=under(condition, amendment.body, event.body, amendment.span))
    elif amendment.op != "remove":
        draft.refuse(amendment, "an event can only be removed, or replaced by statements")
    elif condition is None:
        del events[name]
    else:
        here = event.condition
        still = x.Logic(here.span, "and", here, x.Not(condition.span, condition))
        events[name] = replace(event, condition=still)


def amend_promise(draft: Draft, patch: Patch) -> None:
    """`remove invariant X`; `set invariant X to E`."""
    amendment, name = patch.amendment, patch.target.name
    promises = draft.space("promises")
    promise: i.Promise | None = promises.get(name)
    if promise is None:  # another variant has removed it for good
        return
    condition = patch.activation.condition(amendment.clauses)
    case = amendment.cases[0] if amendment.op == "set" and amendment.cases else None
    if isinstance(case, i.Case):
        promises[name] = replace(promise, condition=either(case.value, condition, promise.condition))
    elif amendment.op != "remove":
        hint = f"write `set invariant {name} to CONDITION`"
        draft.refuse(amendment, "an invariant can only be removed or set", hint)
    elif condition is None:
        del promises[name]
    else:
        loose = x.Logic(promise.condition.span, "or", condition, promise.condition)
        promises[name] = replace(promise, condition=loose)
