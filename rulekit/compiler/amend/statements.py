"""Amendments inside procedures: before, after, in place of a step or of the statement that cites a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Draft, under
from rulekit.compiler.amend.step import Work
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s

Body = tuple[s.Statement, ...]


@dataclass(slots=True)
class _Edits:
    """What is done to one statement."""

    before: list[Work] = field(default_factory=list)
    after: list[Work] = field(default_factory=list)
    instead: list[Work] = field(default_factory=list)


def amend_statements(draft: Draft, works: Sequence[Work]) -> None:
    """`insert before` and `after`, `replace`, `remove`, wherever the statement stands by now.

    A procedure that another amendment replaced lives on beside the new one, and is amended there; so is what
    amendments bring.
    """
    edits: dict[Span, _Edits] = {}
    for work in works:
        place, op = work.reached.part, work.amendment.op
        assert place is not None
        at = edits.setdefault(place, _Edits())
        if op in ("before", "after"):
            (at.before if op == "before" else at.after).append(work)
        elif op == "remove" or (op == "replace" and work.amendment.body):
            at.instead.append(work)
        else:
            hint = "`insert before`, `insert after`, `replace` or `remove` it"
            draft.tell_impossible(work.amendment, f"nothing is {op}ed to a step", hint)
    if not edits:
        return
    for space in ("procedures", "events"):
        routines = draft.space(space)
        for name, routine in routines.items():
            body = _edited(routine.body, edits)
            if body != routine.body:
                routines[name] = replace(routine, body=body)


def _edited(body: Body, edits: dict[Span, _Edits]) -> Body:
    """A block with the statements in it edited, the inner ones first."""
    made: list[s.Statement] = []
    for statement in body:
        inner = _inside(statement, edits)
        found = edits.get(statement.span)
        made += _around(inner, found, edits) if found is not None else (inner,)
    return tuple(made)


def _inside(statement: s.Statement, edits: dict[Span, _Edits]) -> s.Statement:
    match statement:
        case s.When():
            branches = tuple((test, _edited(body, edits)) for test, body in statement.branches)
            return replace(statement, branches=branches, otherwise=_edited(statement.otherwise, edits))
        case s.ForEach() | s.Step() | s.Repeat() | s.Together():
            return replace(statement, body=_edited(statement.body, edits))
        case _:
            return statement


def _around(statement: s.Statement, found: _Edits, edits: dict[Span, _Edits]) -> Body:
    """What stands for a statement; insertions in the order of the variants, which `over` and `with` give."""
    core: Body = (statement,)
    for works in _acting_together(found.instead):
        core = _instead(core, works, edits)
    return (
        *(each for work in found.before for each in _bringing(work, edits)),
        *core,
        *(each for work in found.after for each in _bringing(work, edits)),
    )


def _bringing(work: Work, edits: dict[Span, _Edits]) -> Body:
    return under(_condition(work), _edited(work.amendment.body, edits), (), work.amendment.span)


def _acting_together(works: list[Work]) -> list[list[Work]]:
    """Works in their order, with those that act with one another in one group."""
    groups: list[list[Work]] = []
    for work in works:
        if groups and any(each.force.variant in work.beside for each in groups[-1]):
            groups[-1].append(work)
        else:
            groups.append([work])
    return groups


def _instead(core: Body, works: list[Work], edits: dict[Span, _Edits]) -> Body:
    """What stands for a statement once what one amendment brings, or several together, is worked in."""
    amendment, condition = works[0].amendment, _any(works)
    if amendment.op == "remove":
        return () if condition is None else under(condition, (), core, amendment.span)
    if len(works) == 1:
        brought = _edited(amendment.body, edits)
    else:
        brought = tuple(each for work in works for each in _bringing(work, edits))
    if len(core) == 1 and isinstance(core[0], s.Step):
        step = core[0]
        return (replace(step, body=under(condition, brought, step.body, amendment.span)),)
    return under(condition, brought, core, amendment.span)


def _any(works: list[Work]) -> x.Expr | None:
    """When one of some amendments acts, or more of them."""
    made: x.Expr | None = None
    for condition in map(_condition, works):
        if condition is None:
            return None
        made = condition if made is None else x.Logic(condition.span, "or", made, condition)
    return made


def _condition(work: Work) -> x.Expr | None:
    return work.force.condition(work.amendment.clauses)
