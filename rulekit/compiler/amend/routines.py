"""Amendments of definitions and procedures, which live on as `original`, and of events and invariants.

Lines of definitions, and steps and statements, can also be amended alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Draft, Patch, conjunction, either, under, unless, value_set
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import with_blocks

_REDEFINE = "`redefine` the whole definition, with `original` for the unchanged part"


def amend_define(draft: Draft, patch: Patch, define: i.Define) -> i.Define:
    """`redefine define X: ...`, `set value X to E`; `original(..)` in it is what was there before."""
    amendment, name = patch.amendment, patch.target.name
    if amendment.op not in ("set", "redefine", "replace") or not amendment.cases:
        hint = f"write `redefine define {name}: EXPRESSION`"
        draft.refuse(amendment, f"`{name}` can only be redefined", hint)
        return define
    base = _keep(draft, "defines", define)
    new = replace(define, cases=amendment.cases, cite=amendment.cite or define.cite)
    condition = patch.condition()
    if condition is None:
        draft.originals[name] = base
        return new
    own = _keep_beside(draft, "defines", patch, new, base)
    arguments = tuple(x.Reference(param.span, param.name) for param in define.params)

    def call(target: str) -> x.Expr:
        named = x.Name(amendment.span, target)
        return x.Call(amendment.span, named, arguments) if arguments else x.Reference(amendment.span, named)

    return replace(
        define,
        cases=(
            i.Case(amendment.span, amendment.cite, condition, call(own)),
            i.Case(define.span, define.cite, None, call(base)),
        ),
    )


def amend_procedure(draft: Draft, patch: Patch, procedure: i.Procedure) -> i.Procedure:
    """`replace procedure X:` statements; `do original(..)` runs what was there before."""
    amendment, name = patch.amendment, patch.target.name
    if amendment.op != "replace" or not amendment.body:
        hint = "to change part of it, name a step: `insert before step X:`"
        draft.refuse(amendment, f"`{name}` can only be replaced as a whole", hint)
        return procedure
    base = _keep(draft, "procedures", replace(procedure, sort="procedure", deep=None))
    new = replace(procedure, body=amendment.body, cite=amendment.cite or procedure.cite)
    condition = patch.condition()
    if condition is None:
        draft.originals[name] = base
        return new
    own = _keep_beside(draft, "procedures", patch, replace(new, sort="procedure", deep=None), base)
    branches = ((condition, _calling(own, procedure, amendment)),)
    when = s.When(amendment.span, amendment.cite, branches, _calling(base, procedure, amendment))
    return replace(procedure, body=(when,))


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
    """Keep a replaced item, with what is `original` to it, under a name of its own; return that name."""
    name = item.name.text
    base = draft.free(space, f"{name}'base")
    draft.declared[base] = name
    draft.space(space)[base] = replace(item, name=x.Name(item.name.span, base))
    if name in draft.originals:
        draft.originals[base] = draft.originals[name]
    return base


def _keep_beside(draft: Draft, space: str, patch: Patch, new: i.Define | i.Procedure, base: str) -> str:
    """Keep what replaces an item at times, beside that item; return its name."""
    name = new.name.text
    own = draft.free(space, f"{name}'{patch.activation.variant.name.text}")
    draft.space(space)[own] = replace(new, name=x.Name(patch.amendment.span, own))
    draft.declared[own], draft.originals[own] = name, base
    return own


def amend_event(draft: Draft, patch: Patch, event: i.EventDecl) -> i.EventDecl | None:
    """`remove event X`; `replace event X:` statements."""
    amendment, condition = patch.amendment, patch.condition()
    if amendment.op == "replace" and amendment.body:
        return replace(event, body=under(condition, amendment.body, event.body, amendment.span))
    if amendment.op == "remove":
        return None if condition is None else replace(event, condition=unless(event.condition, condition))
    draft.refuse(amendment, "an event can only be removed, or replaced by statements")
    return event


def amend_promise(draft: Draft, patch: Patch, promise: i.Promise) -> i.Promise | None:
    """`remove invariant X`; `set invariant X to E`."""
    amendment, condition, value = patch.amendment, patch.condition(), value_set(patch.amendment)
    if value is not None:
        return replace(promise, condition=either(value, condition, promise.condition))
    if amendment.op == "remove":
        here = promise.condition
        loose = None if condition is None else x.Logic(here.span, "or", condition, here)
        return None if loose is None else replace(promise, condition=loose)
    hint = f"write `set invariant {patch.target.name} to CONDITION`"
    draft.refuse(amendment, "an invariant can only be removed or set", hint)
    return promise


# -- lines of definitions


def amend_cases(draft: Draft, patches: Iterable[Patch]) -> None:
    """`set [3.4] to E`, `remove [3.4]`, where a line of a definition cites 3.4: wherever it stands by now."""
    defines = draft.space("defines")
    for patch in patches:
        place = patch.target.part
        for name, define in defines.items():
            if any(case.span == place for case in define.cases):
                cases = (_case(draft, patch, case) if case.span == place else case for case in define.cases)
                defines[name] = replace(define, cases=tuple(case for case in cases if case is not None))


def _case(draft: Draft, patch: Patch, case: i.Case | i.CaseLet) -> i.Case | i.CaseLet | None:
    """The amended line; None if it is gone."""
    amendment, condition, value = patch.amendment, patch.condition(), value_set(patch.amendment)
    assert isinstance(case, i.Case)
    if value is not None:
        return replace(case, value=either(value, condition, case.value))
    if amendment.op != "remove":
        draft.refuse(amendment, "a line of a definition can only be set or removed", _REDEFINE)
    elif condition is None:
        return None
    elif case.test is None or isinstance(case.test, i.DateSpan):
        draft.refuse(amendment, "this line cannot be removed temporarily", _REDEFINE)
    else:
        return replace(case, test=unless(case.test, condition))
    return case


Body = tuple[s.Statement, ...]


@dataclass(slots=True)
class _Edits:
    """The amendments of one statement."""

    before: list[Patch] = field(default_factory=list)
    after: list[Patch] = field(default_factory=list)
    instead: list[Patch] = field(default_factory=list)


def amend_statements(draft: Draft, patches: Sequence[Patch]) -> None:
    """`insert before` and `after`, `replace`, `remove`, wherever the statement stands by now.

    A procedure that another amendment replaced lives on beside the new one, and is amended there; so is what
    amendments bring.
    """
    edits: dict[Span, _Edits] = {}
    for patch in patches:
        place, op = patch.target.part, patch.amendment.op
        assert place is not None
        at = edits.setdefault(place, _Edits())
        if op in ("before", "after"):
            (at.before if op == "before" else at.after).append(patch)
        elif op == "remove" or (op == "replace" and patch.amendment.body):
            at.instead.append(patch)
        else:
            hint = "use `insert before`, `insert after`, `replace` or `remove`"
            draft.refuse(patch.amendment, f"{op} does not apply to a step", hint)
    if not edits:
        return
    for space in ("procedures", "events"):
        routines = draft.space(space)
        for name, routine in routines.items():
            body = _edit_block(routine.body, edits)
            if body != routine.body:
                routines[name] = replace(routine, body=body)


def _edit_block(body: Body, edits: dict[Span, _Edits]) -> Body:
    """A block with the statements in it edited, the inner ones first."""
    block: list[s.Statement] = []
    for statement in body:
        inner = with_blocks(statement, lambda body: _edit_block(body, edits))
        edit = edits.get(statement.span)
        block += _around(inner, edit, edits) if edit is not None else (inner,)
    return tuple(block)


def _around(statement: s.Statement, edit: _Edits, edits: dict[Span, _Edits]) -> Body:
    """What stands for a statement; insertions in the order of the variants, which `over` and `with` give."""
    core: Body = (statement,)
    for patches in _acting_together(edit.instead):
        core = _instead(core, patches, edits)
    return (
        *(inserted for patch in edit.before for inserted in _bringing(patch, edits)),
        *core,
        *(inserted for patch in edit.after for inserted in _bringing(patch, edits)),
    )


def _bringing(patch: Patch, edits: dict[Span, _Edits]) -> Body:
    return under(patch.condition(), _edit_block(patch.amendment.body, edits), (), patch.amendment.span)


def _acting_together(patches: list[Patch]) -> list[list[Patch]]:
    """Patches in their order, with those that act with one another in one group."""
    groups: list[list[Patch]] = []
    for patch in patches:
        if groups and any(other.activation.variant in patch.beside for other in groups[-1]):
            groups[-1].append(patch)
        else:
            groups.append([patch])
    return groups


def _instead(core: Body, patches: list[Patch], edits: dict[Span, _Edits]) -> Body:
    """What stands for a statement once what one amendment brings, or several together, is worked in."""
    amendment, condition = patches[0].amendment, _any(patches)
    if amendment.op == "remove":
        return () if condition is None else under(condition, (), core, amendment.span)
    if len(patches) == 1:
        brought = _edit_block(amendment.body, edits)
    else:
        brought = tuple(inserted for patch in patches for inserted in _bringing(patch, edits))
    if len(core) == 1 and isinstance(core[0], s.Step):
        step = core[0]
        return (replace(step, body=under(condition, brought, step.body, amendment.span)),)
    return under(condition, brought, core, amendment.span)


def _any(patches: list[Patch]) -> x.Expr | None:
    """When one of some amendments acts, or more of them."""
    conditions = [patch.condition() for patch in patches]
    return None if None in conditions else conjunction(conditions, "or")
