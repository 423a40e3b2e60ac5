"""Amendments of choices: more norms, other norms, fewer."""

from __future__ import annotations

from dataclasses import replace

from rulekit.amend.draft import Draft, Force
from rulekit.amend.work import Work
from rulekit.syntax import items as i


def amend_choice(draft: Draft, work: Work) -> None:
    """`add to choice X:` norms."""
    amendment, force = work.amendment, work.force
    if amendment.op != "add" or not amendment.norms:
        draft.tell_impossible(
            amendment, "norms can be added to a choice", "write `add to choice X:` and norms under it"
        )
        return
    choices = draft.space("choices")
    choice: i.Choice = choices[work.reached.name]
    more = tuple(replace(norm, clauses=(*norm.clauses, *force.clauses())) for norm in amendment.norms)
    choices[work.reached.name] = replace(choice, norms=(*choice.norms, *more))


def amend_norm(draft: Draft, work: Work) -> None:
    """`remove norm N of choice X`; `replace norm N of choice X:` one norm.

    A later variant reaches all that the norm has become by then.
    """
    amendment, force, place = work.amendment, work.force, work.reached.part
    if not (amendment.op == "remove" or (amendment.op == "replace" and len(amendment.norms) == 1)):
        draft.tell_impossible(amendment, "a norm can be removed, or replaced by one norm")
        return
    assert place is not None
    choices = draft.space("choices")
    choice: i.Choice = choices[work.reached.name]
    norms: list[i.Norm] = []
    for norm in choice.norms:
        if draft.origins.get(norm.span, norm.span) != place:
            norms.append(norm)
            continue
        clauses = suspended(norm.clauses, amendment, force)
        if clauses is not None:
            norms.append(replace(norm, clauses=clauses))
    if amendment.op == "replace":
        new = amendment.norms[0]
        draft.origins[new.span] = place
        name = new.name or next((n.name for n in choice.norms if n.span == place), None)
        norms.append(replace(new, name=name, clauses=(*new.clauses, *force.clauses())))
    choices[work.reached.name] = replace(choice, norms=tuple(norms))


def suspended(
    clauses: tuple[i.Clause, ...], amendment: i.Amendment, force: Force
) -> tuple[i.Clause, ...] | None:
    """Clauses under which a norm or modifier sleeps while the amendment acts; None: it is gone for good."""
    condition = force.condition(amendment.clauses)
    if condition is None:
        return None
    return (*clauses, i.UnlessClause(amendment.span, amendment.cite, condition))
