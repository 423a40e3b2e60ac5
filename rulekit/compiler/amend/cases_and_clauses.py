"""Amendments of lines of definitions and of single clauses, which their printed numbers reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Draft, either
from rulekit.compiler.amend.patch import Patch
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

_REDEFINE = "`redefine` the whole definition, with `original` for the unchanged part"


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
    """The line as it is then; None: it is gone."""
    amendment, condition = patch.amendment, patch.activation.condition(patch.amendment.clauses)
    assert isinstance(case, i.Case)
    value = _value(amendment)
    if value is not None:
        return replace(case, value=either(value, condition, case.value))
    if amendment.op != "remove":
        draft.refuse(amendment, "a line of a definition can only be set or removed", _REDEFINE)
    elif condition is None:
        return None
    elif case.test is None or isinstance(case.test, i.DateSpan):
        draft.refuse(amendment, "this line cannot be removed temporarily", _REDEFINE)
    else:
        test = x.Logic(case.test.span, "and", case.test, x.Not(condition.span, condition))
        return replace(case, test=test)
    return case


def amend_clauses(draft: Draft, patches: Iterable[Patch]) -> None:
    """`set [7.53] to E`, `remove [7.53]`, where a clause of a norm or modifier cites 7.53."""
    for patch in patches:
        name, place = patch.target.name, patch.target.part
        assert place is not None
        if patch.target.of == "modifier":
            modifiers = draft.space("modifiers")
            if name in modifiers:  # else another variant has removed it for good
                modifier: i.Modifier = modifiers[name]
                clauses = _clauses(draft, patch, modifier.clauses, place)
                modifiers[name] = replace(modifier, clauses=clauses)
        else:
            choices = draft.space("choices")
            choice: i.Choice = choices[name]
            norms = (
                replace(norm, clauses=_clauses(draft, patch, norm.clauses, place)) for norm in choice.norms
            )
            choices[name] = replace(choice, norms=tuple(norms))


def _clauses(draft: Draft, patch: Patch, clauses: tuple[i.Clause, ...], place: Span) -> tuple[i.Clause, ...]:
    changed = (_clause(draft, patch, clause) if clause.span == place else clause for clause in clauses)
    return tuple(clause for clause in changed if clause is not None)


def _clause(draft: Draft, patch: Patch, clause: i.Clause) -> i.Clause | None:
    """The clause as it is then; None: it is gone."""
    amendment, condition = patch.amendment, patch.activation.condition(patch.amendment.clauses)
    value = _value(amendment)
    if amendment.op == "remove" and condition is None:
        return None
    if isinstance(clause, i.StacksClause | i.OverClause) or not (
        value is not None or amendment.op == "remove"
    ):
        draft.refuse(
            amendment, "a condition can only be set or removed; `stacks` and `over` can only be removed"
        )
        return clause
    at = clause.span
    old = (
        x.During(at, clause.dates.first, clause.dates.last)
        if isinstance(clause, i.SpanClause)
        else clause.condition
    )
    if value is not None:
        new = either(value, condition, old)
    elif isinstance(clause, i.UnlessClause):
        assert condition is not None
        new = x.Logic(old.span, "and", old, x.Not(condition.span, condition))
    else:
        assert condition is not None
        new = x.Logic(old.span, "or", condition, old)
    if isinstance(clause, i.UnlessClause):
        return replace(clause, condition=new)
    return i.WhenClause(at, clause.cite, new)


def _value(amendment: i.Amendment) -> x.Expr | None:
    """The one value that something is set to."""
    case = amendment.cases[0] if amendment.op == "set" and amendment.cases else None
    return case.value if isinstance(case, i.Case) else None
