"""Amendments inside procedures: before, after, in place of a step or of the statement that cites a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulekit.amend.draft import Draft, under
from rulekit.amend.work import Work
from rulekit.source import Span
from rulekit.syntax import expr as x
from rulekit.syntax import stmt as s

Body = tuple[s.Statement, ...]


@dataclass(slots=True)
class _Edits:
    """What is done to one statement."""

    before: list[Work] = field(default_factory=list)
    after: list[Work] = field(default_factory=list)
    instead: list[Work] = field(default_factory=list)


def amend_statements(draft: Draft, works: Sequence[Work]) -> None:
    """`insert before` and `after`, `replace`, `remove`, wherever the statement stands by now.

    A procedure that another amendment replaced lives on beside the new one, and is amended there.
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
    procedures = draft.space("procedures")
    for name, procedure in procedures.items():
        body = _edited(procedure.body, edits)
        if body != procedure.body:
            procedures[name] = replace(procedure, body=body)


def _edited(body: Body, edits: dict[Span, _Edits]) -> Body:
    """A block with the statements in it edited, the inner ones first."""
    made: list[s.Statement] = []
    for statement in body:
        inner = _inside(statement, edits)
        found = edits.get(statement.span)
        made += _around(inner, found) if found is not None else (inner,)
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


def _around(statement: s.Statement, edits: _Edits) -> Body:
    """What stands for a statement; insertions in the order of the variants, which `over` gives."""
    core: Body = (statement,)
    for work in edits.instead:
        core = _instead(core, work)
    return (
        *(each for work in edits.before for each in _bringing(work)),
        *core,
        *(each for work in edits.after for each in _bringing(work)),
    )


def _bringing(work: Work) -> Body:
    return under(_condition(work), work.amendment.body, (), work.amendment.span)


def _instead(core: Body, work: Work) -> Body:
    """What stands for a statement once one amendment more is worked in."""
    condition, amendment = _condition(work), work.amendment
    if amendment.op == "remove":
        return () if condition is None else under(condition, (), core, amendment.span)
    if len(core) == 1 and isinstance(core[0], s.Step):
        step = core[0]
        return (replace(step, body=under(condition, amendment.body, step.body, amendment.span)),)
    return under(condition, amendment.body, core, amendment.span)


def _condition(work: Work) -> x.Expr | None:
    return work.force.condition(work.amendment.clauses)
