"""Amendments of choices: who decides, what is asked, more norms, other norms, fewer."""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiler.amend.draft import Draft, either
from rulekit.compiler.amend.patch import Activation, Patch
from rulekit.diagnostics import Label, kinds
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

_ASKED = ("bound", "items", "candidates", "low", "high", "each")
"""The parts of a verb that are worked out when it is asked."""


def amend_choice(draft: Draft, patch: Patch) -> None:
    """`add to choice X:` norms; `replace choice X:` verb, `let`s and norms."""
    amendment, name = patch.amendment, patch.target.name
    choices = draft.space("choices")
    choice: i.Choice = choices[name]
    if amendment.op == "add" and amendment.norms:
        more = tuple(_in_force(norm, patch.activation) for norm in amendment.norms)
        _tell_same(draft, choice, more)
        choices[name] = replace(choice, norms=(*choice.norms, *more))
    elif amendment.op == "replace" and amendment.verb is not None:
        changed = _asked(draft, patch, choice)
        if changed is not None:
            choices[name] = _normed(draft, patch, changed)
    elif amendment.op == "replace":
        hint = f"begin with a verb such as `pick one x from S`, or write `add to choice {name}:` and norms"
        draft.refuse(amendment, "the replacement of a choice needs a verb", hint)
    else:
        draft.refuse(
            amendment,
            "a choice can only be replaced, or get more norms",
            f"write `add to choice {name}:` and norms under it",
        )


def _tell_same(draft: Draft, choice: i.Choice, more: tuple[i.Norm, ...]) -> None:
    """Report added norms that have a name which another norm has."""
    known = {norm.name.text: norm for norm in choice.norms if norm.name is not None}
    for norm in more:
        if norm.name is not None and norm.name.text in known:
            label = Label(known[norm.name.text].span, "first here")
            message = f"`{choice.name.text}` has `{norm.name.text}` twice"
            draft.report(kinds.DECLARED_TWICE, message, norm.name.span, "choose another name", label)


def _in_force(norm: i.Norm, activation: Activation) -> i.Norm:
    return replace(norm, clauses=(*norm.clauses, *activation.clauses()))


# -- who decides, what is asked


def amend_decider(draft: Draft, patch: Patch) -> None:
    """`set decider of choice X to E`."""
    value = _value(draft, patch, "write `set decider of choice X to E`")
    if value is not None:
        choices = draft.space("choices")
        choice: i.Choice = choices[patch.target.name]
        decider = either(value, patch.activation.condition(), choice.decider)
        choices[patch.target.name] = replace(choice, decider=decider)


def amend_let(draft: Draft, patch: Patch) -> None:
    """`set let N of choice X to E`."""
    value = _value(draft, patch, "write `set let N of choice X to E`")
    if value is not None:
        choices = draft.space("choices")
        choice: i.Choice = choices[patch.target.name]
        new = i.CaseLet(patch.amendment.span, None, x.Name(value.span, patch.target.inner), value)
        lets = _named(choice.lets, (new,), patch.activation.condition())
        choices[patch.target.name] = replace(choice, lets=lets)


def _value(draft: Draft, patch: Patch, hint: str) -> x.Expr | None:
    amendment = patch.amendment
    case = amendment.cases[0] if amendment.op in ("set", "redefine") and amendment.cases else None
    if isinstance(case, i.Case):
        return case.value
    draft.refuse(amendment, f"a {patch.target.word} can only be set", hint)
    return None


def amend_verb(draft: Draft, patch: Patch) -> None:
    """`replace verb of choice X:` a verb and its `let`s; the norms stay."""
    amendment, name = patch.amendment, patch.target.name
    if amendment.op != "replace" or amendment.verb is None:
        hint = f"write `replace verb of choice {name}:` and under it `pick`, `assign` or another verb"
        draft.refuse(amendment, "a verb can only be replaced by another verb, with its own `let`s", hint)
        return
    choices = draft.space("choices")
    changed = _asked(draft, patch, choices[name])
    if changed is not None:
        choices[name] = changed


def _asked(draft: Draft, patch: Patch, choice: i.Choice) -> i.Choice | None:
    """The choice with another verb; what is asked for a while must be answered alike."""
    amendment, condition = patch.amendment, patch.activation.condition()
    new, old = amendment.verb, choice.verb
    assert new is not None
    kept = condition is not None or patch.target.word == "verb"
    if kept and _names(new) != _names(old):
        used = " and ".join(f"`{name}`" for name in _names(old)) or "no names"
        message = f"the norms use {used}, but this verb uses other names"
        hint = "use the same names, or use `replace choice` (in force always) with its own norms"
        draft.report(
            kinds.IMPOSSIBLE_AMENDMENT,
            message,
            new.span,
            hint,
            Label(old.span, "the names that the norms use"),
        )
        return None
    if condition is not None:
        merged = _merged(new, old, condition)
        if merged is None:
            hint = "keep the verb and its amount and change only its set, or declare a separate choice"
            message = f"`{choice.name.text}` cannot ask for another kind of answer temporarily"
            draft.report(
                kinds.IMPOSSIBLE_AMENDMENT, message, new.span, hint, Label(old.span, "asked at other times")
            )
            return None
        new = merged
    draft.asked.setdefault(choice.name.text, choice)
    lets = _named(choice.lets, amendment.lets, condition) if kept else amendment.lets
    return replace(choice, verb=new, lets=lets)


def _names(verb: i.Verb) -> tuple[str, ...]:
    return tuple(name.text for name in (verb.item, verb.option) if name is not None)


def _merged(new: i.Verb, old: i.Verb, condition: x.Expr) -> i.Verb | None:
    """A verb that asks the one while a condition holds, else the other; None if they are not alike."""
    if (new.word, new.amount, new.able) != (old.word, old.amount, old.able):
        return None
    parts: dict[str, x.Expr | None] = {}
    for part in _ASKED:
        first: x.Expr | None = getattr(new, part)
        second: x.Expr | None = getattr(old, part)
        if first is None or second is None:
            if first is not second:
                return None
        else:
            parts[part] = either(first, condition, second)
    return replace(new, **parts)  # type: ignore[arg-type]


def _named(
    lets: tuple[i.CaseLet, ...], more: tuple[i.CaseLet, ...], condition: x.Expr | None
) -> tuple[i.CaseLet, ...]:
    """`let`s with others among them: one of a name that is there takes its place, the others come last."""
    by_name = {let.name.text: let for let in lets}
    for let in more:
        old = by_name.get(let.name.text)
        value = let.value if old is None else either(let.value, condition, old.value)
        by_name[let.name.text] = replace(let, value=value)
    return tuple(by_name.values())


def _normed(draft: Draft, patch: Patch, choice: i.Choice) -> i.Choice:
    """A replaced choice with its own norms, in place of those it was declared with; added ones stay."""
    amendment, condition = patch.amendment, patch.activation.condition()
    if condition is not None and amendment.secret != choice.secret:
        message = f"`{choice.name.text}` is secret for the whole game or not at all"
        draft.refuse(amendment, message, "remove `in force`, or declare a separate choice")
    declared = {norm.span for norm in draft.base.choices[choice.name.text].norms}
    norms: list[i.Norm] = []
    for norm in choice.norms:
        own = not draft.origins(norm.span).isdisjoint(declared)
        clauses = suspended(norm.clauses, amendment, patch.activation) if own else norm.clauses
        if clauses is not None:
            norms.append(replace(norm, clauses=clauses))
    new = tuple(_in_force(norm, patch.activation) for norm in amendment.norms)
    default = amendment.default
    if condition is not None:
        default = choice.default
        if amendment.default is not None and default is not None:
            default = either(amendment.default, condition, default)
    return replace(choice, norms=(*norms, *new), secret=amendment.secret, default=default)


# -- norms


def amend_norm(draft: Draft, patch: Patch) -> None:
    """`remove norm N of choice X`; `replace norm N of choice X:` one norm.

    A later variant reaches all that the norm has become by then, but for what it is `with`.
    """
    amendment, activation, place = patch.amendment, patch.activation, patch.target.part
    if not (amendment.op == "remove" or (amendment.op == "replace" and len(amendment.norms) == 1)):
        draft.refuse(amendment, "a norm can only be removed, or replaced by one norm")
        return
    assert place is not None
    choices = draft.space("choices")
    choice: i.Choice = choices[patch.target.name]
    norms: list[i.Norm] = []
    for norm in choice.norms:
        if place not in draft.origins(norm.span) or patch.acts_with(norm.span):
            norms.append(norm)
            continue
        clauses = suspended(norm.clauses, amendment, activation)
        if clauses is not None:
            norms.append(replace(norm, clauses=clauses))
    if amendment.op == "replace":
        new = amendment.norms[0]
        draft.note_replacement(new.span, place)
        name = new.name or next((n.name for n in choice.norms if n.span == place), None)
        norms.append(_in_force(replace(new, name=name), activation))
    choices[patch.target.name] = replace(choice, norms=tuple(norms))


def suspended(
    clauses: tuple[i.Clause, ...], amendment: i.Amendment, activation: Activation
) -> tuple[i.Clause, ...] | None:
    """Clauses under which a norm or modifier sleeps while the amendment acts; None: it is gone for good."""
    condition = activation.condition(amendment.clauses)
    if condition is None:
        return None
    return (*clauses, i.UnlessClause(amendment.span, amendment.cite, condition))
