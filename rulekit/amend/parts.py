"""Amendments of choices and their norms, of modifiers, of tables and their rows."""

from __future__ import annotations

from dataclasses import replace

from rulekit.amend.draft import Draft, Force
from rulekit.syntax import expr as x
from rulekit.syntax import items as i


def amend_choice(draft: Draft, amendment: i.Amendment, force: Force) -> None:
    """`add to choice X:` norms; `remove norm N of choice X`; `replace norm N of choice X:` one norm."""
    address = amendment.address
    choices = draft.space("choices")
    name = address.of_name if address.word == "norm" else address.name
    if name is None:
        draft.tell_impossible(
            amendment, "a norm is named together with its choice", "write `norm N of choice X`"
        )
        return
    choice = choices.get(name.text)
    if choice is None:
        draft.tell_missing(name, choices, "choice")
        return
    if address.word == "norm":
        _amend_norm(draft, amendment, force, choice)
        return
    if amendment.op != "add" or not amendment.norms:
        draft.tell_impossible(
            amendment, "norms can be added to a choice", "write `add to choice X:` and norms under it"
        )
        return
    more = tuple(replace(norm, clauses=(*norm.clauses, *force.clauses())) for norm in amendment.norms)
    choices[name.text] = replace(choice, norms=(*choice.norms, *more))


def _amend_norm(draft: Draft, amendment: i.Amendment, force: Force, choice: i.Choice) -> None:
    address = amendment.address
    assert address.name is not None
    named = {norm.name.text: number for number, norm in enumerate(choice.norms) if norm.name is not None}
    named |= {f"{norm.word}_{number + 1}": number for number, norm in enumerate(choice.norms)}
    at = named.get(address.name.text)
    if at is None:
        draft.tell_missing(address.name, named, f"norm of `{choice.name.text}`")
        return
    norms = list(choice.norms)
    gone = _suspended(norms[at].clauses, amendment, force)
    if amendment.op == "remove":
        norms[at : at + 1] = [replace(norms[at], clauses=gone)] if gone is not None else []
    elif amendment.op == "replace" and len(amendment.norms) == 1:
        new = amendment.norms[0]
        new = replace(new, name=new.name or norms[at].name, clauses=(*new.clauses, *force.clauses()))
        if draft.once("norms", f"{choice.name.text}.{address.name.text}", force, amendment.span):
            norms[at : at + 1] = [new] if gone is None else [replace(norms[at], clauses=gone), new]
    else:
        draft.tell_impossible(amendment, "a norm can be removed, or replaced by one norm")
        return
    draft.space("choices")[choice.name.text] = replace(choice, norms=tuple(norms))


def _suspended(
    clauses: tuple[i.Clause, ...], amendment: i.Amendment, force: Force
) -> tuple[i.Clause, ...] | None:
    """Clauses under which a norm or modifier sleeps while the amendment acts; None: it is gone for good."""
    condition = force.condition(amendment.clauses)
    if condition is None:
        return None
    return (*clauses, i.UnlessClause(amendment.span, amendment.cite, condition))


def amend_modifier(draft: Draft, amendment: i.Amendment, force: Force) -> None:
    """`remove modifier X`; `set modifier X to E`."""
    address = amendment.address
    assert address.name is not None
    modifiers = draft.space("modifiers")
    found = modifiers.get(address.name.text)
    if found is None:
        draft.tell_missing(address.name, modifiers, "modifier")
        return
    name = address.name.text
    if amendment.op == "remove":
        gone = _suspended(found.clauses, amendment, force)
        if gone is None:
            del modifiers[name]
        else:
            modifiers[name] = replace(found, clauses=gone)
        return
    case = amendment.cases[0] if amendment.op in ("set", "redefine") and amendment.cases else None
    if not isinstance(case, i.Case) or found.value is None:
        draft.tell_impossible(amendment, "a modifier can be removed, or its number set")
        return
    if draft.once("modifiers", name, force, amendment.span):
        condition = force.condition()
        value = (
            case.value
            if condition is None
            else x.Conditional(amendment.span, case.value, condition, found.value)
        )
        modifiers[name] = replace(found, value=value)


def amend_table(draft: Draft, amendment: i.Amendment, force: Force) -> None:
    """`add to table X:` rows and notes; `replace`, `remove row K of table X`; `replace table X:`.

    While the variant is not always in force the amended table stands beside the base, and a look-up takes the
    one that holds then.
    """
    address = amendment.address
    tables = draft.space("tables")
    name = address.of_name if address.word == "row" else address.name
    assert name is not None
    found = tables.get(name.text)
    if found is None:
        draft.tell_missing(name, tables, "table")
        return
    changed = _changed_table(draft, amendment, found)
    if changed is None:
        return
    if amendment.op != "add" and not draft.once("tables", name.text, force, amendment.span):
        return
    condition = force.condition(amendment.clauses)
    if condition is None:
        tables[name.text] = changed
        return
    other = f"{name.text}'{force.variant.name.text}"
    while other in tables:
        other += "'"
    tables[other] = replace(changed, name=x.Name(changed.name.span, other))
    clause = i.WhenClause(amendment.span, amendment.cite, condition)
    draft.alternatives[name.text] = ((clause, other), *draft.alternatives.get(name.text, ()))


def _changed_table(draft: Draft, amendment: i.Amendment, table: i.Table) -> i.Table | None:
    if amendment.address.word == "row":
        return _changed_row(draft, amendment, table)
    if amendment.op == "add":
        return replace(table, rows=(*table.rows, *amendment.rows), notes=(*table.notes, *amendment.notes))
    if amendment.op == "replace" and amendment.rows:
        return replace(table, rows=amendment.rows, notes=amendment.notes)
    draft.tell_impossible(
        amendment,
        "rows can be added to a table, or all of them replaced",
        "name one with `row KEY of table X`",
    )
    return None


def _changed_row(draft: Draft, amendment: i.Amendment, table: i.Table) -> i.Table | None:
    key = amendment.address.row
    assert key is not None
    rows = list(table.rows)
    found = [
        number for number, row in enumerate(rows) if number and row.cells and _same_key(row.cells[0], key)
    ]
    if len(found) != 1:
        what = "no row" if not found else f"{len(found)} rows"
        draft.tell_impossible(
            amendment,
            f"{what} of `{table.name.text}` begins with this key",
            "write the key as the table does",
        )
        return None
    if amendment.op == "remove":
        del rows[found[0]]
    elif amendment.op == "replace" and amendment.rows:
        rows[found[0] : found[0] + 1] = amendment.rows
    else:
        draft.tell_impossible(amendment, "a row can be removed, or replaced by rows")
        return None
    return replace(table, rows=tuple(rows))


def _same_key(one: i.Cell, other: i.Cell) -> bool:
    same = (one.low, one.high, [n.text for n in one.names]) == (
        other.low,
        other.high,
        [n.text for n in other.names],
    )
    return same and (one.kind == other.kind or {one.kind, other.kind} <= {"int", "signed"})
