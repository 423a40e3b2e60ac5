"""Amendments of definitions, procedures and steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulekit.amend.draft import Draft, Force, under
from rulekit.syntax import expr as x
from rulekit.syntax import items as i
from rulekit.syntax import stmt as s

Edit = Callable[[s.Statement], tuple[s.Statement, ...]]


def base_name(name: str) -> str:
    """The name under which a replaced definition or procedure lives on."""
    return f"{name}'base"


def amend_define(draft: Draft, amendment: i.Amendment, force: Force) -> None:
    """`redefine define X: ...`, `set value X to E`; `original(..)` in it is what was there before."""
    address = amendment.address
    assert address.name is not None
    defines = draft.space("defines")
    name = address.name.text
    found = defines.get(name)
    if found is None:
        draft.tell_missing(address.name, defines, address.word)
        return
    if amendment.op not in ("set", "redefine", "replace") or not amendment.cases:
        draft.tell_impossible(
            amendment, f"`{name}` can be redefined", f"write `redefine define {name}: EXPRESSION`"
        )
        return
    if not draft.once("defines", name, force, amendment.span):
        return
    base, own = _free(defines, base_name(name)), _free(defines, f"{name}'{force.variant.name.text}")
    defines[base] = replace(found, name=x.Name(found.name.span, base))
    new = replace(found, cases=amendment.cases, cite=amendment.cite or found.cite)
    condition = force.condition(amendment.clauses)
    if condition is None:
        defines[name] = new
        draft.originals[name] = base
        return
    defines[own] = replace(new, name=x.Name(amendment.span, own))
    draft.originals[own] = base
    arguments = tuple(x.Reference(param.span, param.name) for param in found.params)

    def call(target: str) -> x.Expr:
        named = x.Name(amendment.span, target)
        return x.Call(amendment.span, named, arguments) if arguments else x.Reference(amendment.span, named)

    defines[name] = replace(
        found,
        cases=(
            i.Case(amendment.span, amendment.cite, condition, call(own)),
            i.Case(found.span, found.cite, None, call(base)),
        ),
    )


def _free(space: dict[str, Any], name: str) -> str:
    while name in space:
        name += "'"
    return name


def amend_procedure(draft: Draft, amendment: i.Amendment, force: Force) -> None:
    """`replace procedure X:` statements; `do original(..)` runs what was there before."""
    address = amendment.address
    assert address.name is not None
    procedures = draft.space("procedures")
    name = address.name.text
    found = procedures.get(name)
    if found is None:
        draft.tell_missing(address.name, procedures, address.word)
        return
    if amendment.op != "replace" or not amendment.body:
        hint = "parts of it are named by their steps: `insert before step X:`"
        draft.tell_impossible(amendment, f"`{name}` can be replaced as a whole", hint)
        return
    if not draft.once("procedures", name, force, amendment.span):
        return
    base = _free(procedures, base_name(name))
    procedures[base] = replace(found, name=x.Name(found.name.span, base), sort="procedure")
    draft.originals[name] = base
    body = under(force.condition(amendment.clauses), amendment.body, found.body, amendment.span)
    procedures[name] = replace(found, body=body, cite=amendment.cite or found.cite)


def amend_step(draft: Draft, amendment: i.Amendment, force: Force) -> None:
    """`insert before` and `after`, `replace`, `remove step X`: by name, or by what its line cites."""
    address = amendment.address
    places = [
        (name, matches)
        for name, procedure in draft.space("procedures").items()
        if (matches := _matching(procedure.body, address))
    ]
    total = sum(matches for _, matches in places)
    if total != 1:
        what = address.name.text if address.name else ", ".join(address.cite.ids) if address.cite else ""
        message = f"no step is `{what}`" if not total else f"{total} steps are `{what}`"
        hint = None if not total else "name it: `step X of procedure P`"
        draft.tell_impossible(amendment, message, hint)
        return
    name = places[0][0]
    if amendment.op in ("replace", "remove") and not draft.once(
        "steps", f"{name}.{_key(address)}", force, amendment.span
    ):
        return
    procedures = draft.space("procedures")
    procedure = procedures[name]
    edit = _editor(amendment, force)
    procedures[name] = replace(procedure, body=_edited(procedure.body, address, edit))


def _key(address: i.Address) -> str:
    return address.name.text if address.name else str(address.cite.ids if address.cite else "")


def _editor(amendment: i.Amendment, force: Force) -> Edit:
    """What becomes of the statement that is addressed."""
    condition = force.condition(amendment.clauses)
    span = amendment.span

    def edit(found: s.Statement) -> tuple[s.Statement, ...]:
        match amendment.op:
            case "before":
                return (*under(condition, amendment.body, (), span), found)
            case "after":
                return (found, *under(condition, amendment.body, (), span))
            case "remove":
                return () if condition is None else under(condition, (), (found,), span)
            case _ if isinstance(found, s.Step):
                return (replace(found, body=under(condition, amendment.body, found.body, span)),)
            case _:
                return under(condition, amendment.body, (found,), span)

    return edit


def _is_addressed(statement: s.Statement, address: i.Address) -> bool:
    if address.name is not None and address.word != "statement":
        return isinstance(statement, s.Step) and statement.name.text == address.name.text
    cites = (
        address.cite is not None
        and statement.cite is not None
        and set(address.cite.ids) & set(statement.cite.ids)
    )
    return bool(cites) and (address.word == "statement" or isinstance(statement, s.Step))


def _matching(body: tuple[s.Statement, ...], address: i.Address) -> int:
    """How many statements of a block, at any depth, are addressed."""
    return sum(
        _is_addressed(statement, address) + sum(_matching(inner, address) for inner in blocks(statement))
        for statement in body
    )


def blocks(statement: s.Statement) -> tuple[tuple[s.Statement, ...], ...]:
    """The blocks inside a statement."""
    match statement:
        case s.When():
            return (*(body for _, body in statement.branches), statement.otherwise)
        case s.ForEach() | s.Step() | s.Repeat() | s.Together():
            return (statement.body,)
        case _:
            return ()


def _edited(body: tuple[s.Statement, ...], address: i.Address, edit: Edit) -> tuple[s.Statement, ...]:
    """A block with the addressed statement edited."""
    made: list[s.Statement] = []
    for statement in body:
        if _is_addressed(statement, address):
            made += edit(statement)
            continue
        match statement:
            case s.When():
                branches = tuple((test, _edited(inner, address, edit)) for test, inner in statement.branches)
                otherwise = _edited(statement.otherwise, address, edit)
                made.append(replace(statement, branches=branches, otherwise=otherwise))
            case s.ForEach() | s.Step() | s.Repeat() | s.Together():
                made.append(replace(statement, body=_edited(statement.body, address, edit)))
            case _:
                made.append(statement)
    return tuple(made)
