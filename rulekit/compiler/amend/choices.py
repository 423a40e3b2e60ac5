"""Amendments of choices: who decides, what is asked, more norms, other norms, fewer.

Single clauses of norms and modifiers are reached by their printed numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from rulekit.compiler.amend.draft import Activation, Draft, Patch, condition_of, either, unless, value_set
from rulekit.diagnostics import Label, kinds
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

_PARTS_ASKED = ("bound", "items", "candidates", "low", "high", "each")
"""The parts of a verb that are worked out when it is asked."""


def amend_choice(draft: Draft, patch: Patch, choice: i.Choice) -> i.Choice:
    """`add to choice X:` norms; `replace choice X:` verb, `let`s and norms."""
    amendment, name = patch.amendment, patch.target.name
    if amendment.op == "add" and amendment.norms:
        more = tuple(_in_force(norm, patch.activation) for norm in amendment.norms)
        known = {norm.name.text: norm.name.span for norm in choice.norms if norm.name is not None}
        names = [norm.name for norm in more if norm.name is not None]
        draft.report_twice(f"`{choice.name.text}` has", known, names, "choose another name")
        return replace(choice, norms=(*choice.norms, *more))
    if amendment.op == "replace" and amendment.verb is not None:
        changed = _with_verb(draft, patch, choice, amendment.verb)
        return choice if changed is choice else _with_norms(draft, patch, changed)
    if amendment.op == "replace":
        hint = f"begin with a verb such as `pick one x from S`, or write `add to choice {name}:` and norms"
        draft.refuse(amendment, "the replacement of a choice needs a verb", hint)
    else:
        hint = f"write `add to choice {name}:` and norms under it"
        draft.refuse(amendment, "a choice can only be replaced, or get more norms", hint)
    return choice


def _in_force(norm: i.Norm, activation: Activation) -> i.Norm:
    return replace(norm, clauses=(*norm.clauses, *activation.clauses()))


# -- who decides, what is asked


def amend_decider(draft: Draft, patch: Patch, choice: i.Choice) -> i.Choice:
    """`set decider of choice X to E`."""
    value = _value_only_set(draft, patch, "set decider of")
    if value is None:
        return choice
    return replace(choice, decider=either(value, patch.activation.condition(), choice.decider))


def amend_let(draft: Draft, patch: Patch, choice: i.Choice) -> i.Choice:
    """`set let N of choice X to E`."""
    value = _value_only_set(draft, patch, "set let N of")
    if value is None:
        return choice
    new = i.CaseLet(patch.amendment.span, None, x.Name(value.span, patch.target.inner), value)
    return replace(choice, lets=_with_lets(choice.lets, (new,), patch.activation.condition()))


def _value_only_set(draft: Draft, patch: Patch, line: str) -> x.Expr | None:
    """The value that a part is set to; None, reported, if something else is done to the part."""
    value = value_set(patch.amendment, ("set", "redefine"))
    if value is None:
        message = f"a {patch.target.word} can only be set"
        draft.refuse(patch.amendment, message, f"write `{line} choice X to E`")
    return value


def amend_verb(draft: Draft, patch: Patch, choice: i.Choice) -> i.Choice:
    """`replace verb of choice X:` a verb and its `let`s; the norms stay."""
    amendment, name = patch.amendment, patch.target.name
    if amendment.op == "replace" and amendment.verb is not None:
        return _with_verb(draft, patch, choice, amendment.verb)
    hint = f"write `replace verb of choice {name}:` and under it `pick`, `assign` or another verb"
    draft.refuse(amendment, "a verb can only be replaced by another verb, with its own `let`s", hint)
    return choice


def _with_verb(draft: Draft, patch: Patch, choice: i.Choice, new: i.Verb) -> i.Choice:
    """The choice with another verb; what is asked for a while must be answered alike, else it stays."""
    amendment, condition, old = patch.amendment, patch.activation.condition(), choice.verb
    kept = condition is not None or patch.target.word == "verb"
    merged = new if condition is None else _merged_verb(new, old, condition)
    names = tuple(name.text for name in old.names)
    if kept and tuple(name.text for name in new.names) != names:
        used = " and ".join(f"`{name}`" for name in names) or "no names"
        message = f"the norms use {used}, but this verb uses other names"
        hint = "use the same names, or use `replace choice` (in force always) with its own norms"
        label = Label(old.span, "the names that the norms use")
    elif merged is None:
        message = f"`{choice.name.text}` cannot ask for another kind of answer temporarily"
        hint = "keep the verb and its amount and change only its set, or declare a separate choice"
        label = Label(old.span, "asked at other times")
    else:
        draft.asked.setdefault(choice.name.text, choice)
        lets = _with_lets(choice.lets, amendment.lets, condition) if kept else amendment.lets
        return replace(choice, verb=merged, lets=lets)
    draft.report(kinds.IMPOSSIBLE_AMENDMENT, message, new.span, hint, label)
    return choice


def _merged_verb(new: i.Verb, old: i.Verb, condition: x.Expr) -> i.Verb | None:
    """A verb that asks the one while a condition holds, else the other; None if they are not alike."""
    alike = (new.word, new.amount, new.able, len(new.also)) == (old.word, old.amount, old.able, len(old.also))
    if not alike:
        return None
    parts: dict[str, x.Expr] = {}
    for part in _PARTS_ASKED:
        now, before = getattr(new, part), getattr(old, part)
        if (now is None) != (before is None):
            return None
        if now is not None:
            parts[part] = either(now, condition, before)
    also = tuple(
        replace(one, candidates=either(one.candidates, condition, other.candidates))
        for one, other in zip(new.also, old.also, strict=True)
    )
    return replace(new, also=also, **parts)  # type: ignore[arg-type]


def _with_lets(
    lets: tuple[i.CaseLet, ...], more: tuple[i.CaseLet, ...], condition: x.Expr | None
) -> tuple[i.CaseLet, ...]:
    """`let`s with others among them: one of a name that is there takes its place, the others come last."""
    by_name = {let.name.text: let for let in lets}
    for let in more:
        old = by_name.get(let.name.text)
        value = let.value if old is None else either(let.value, condition, old.value)
        by_name[let.name.text] = replace(let, value=value)
    return tuple(by_name.values())


def _with_norms(draft: Draft, patch: Patch, choice: i.Choice) -> i.Choice:
    """A replaced choice with its own norms, in place of those it was declared with; added ones stay."""
    amendment, condition = patch.amendment, patch.activation.condition()
    if condition is not None and amendment.secret != choice.secret:
        message = f"`{choice.name.text}` is secret for the whole game or not at all"
        draft.refuse(amendment, message, "remove `in force`, or declare a separate choice")
    declared = {norm.span for norm in draft.base.choices[choice.name.text].norms}
    norms = _suspend_norms(
        choice.norms, patch, lambda norm: not draft.origins(norm.span).isdisjoint(declared)
    )
    new = tuple(_in_force(norm, patch.activation) for norm in amendment.norms)
    default = amendment.default if condition is None else choice.default
    if condition is not None and amendment.default is not None and default is not None:
        default = either(amendment.default, condition, default)
    return replace(choice, norms=(*norms, *new), secret=amendment.secret, default=default)


# -- norms


def amend_norm(draft: Draft, patch: Patch, choice: i.Choice) -> i.Choice:
    """`remove norm N of choice X`; `replace norm N of choice X:` one norm.

    A later variant reaches all that the norm has become by then, but for what it is `with`.
    """
    amendment, place = patch.amendment, patch.target.part
    if not (amendment.op == "remove" or (amendment.op == "replace" and len(amendment.norms) == 1)):
        draft.refuse(amendment, "a norm can only be removed, or replaced by one norm")
        return choice
    assert place is not None
    norms = _suspend_norms(
        choice.norms, patch, lambda norm: place in draft.origins(norm.span) and not patch.acts_with(norm.span)
    )
    if amendment.op == "replace":
        new = amendment.norms[0]
        draft.note_replacement(new.span, place)
        name = new.name or next((n.name for n in choice.norms if n.span == place), None)
        norms.append(_in_force(replace(new, name=name), patch.activation))
    return replace(choice, norms=tuple(norms))


def _suspend_norms(
    norms: Iterable[i.Norm], patch: Patch, is_reached: Callable[[i.Norm], bool]
) -> list[i.Norm]:
    """Norms of which those that a patch reaches sleep while it acts, or are gone."""
    left: list[i.Norm] = []
    for norm in norms:
        clauses = suspended_clauses(norm.clauses, patch) if is_reached(norm) else norm.clauses
        if clauses is not None:
            left.append(replace(norm, clauses=clauses))
    return left


def suspended_clauses(clauses: tuple[i.Clause, ...], patch: Patch) -> tuple[i.Clause, ...] | None:
    """Clauses under which a norm or modifier sleeps while a patch acts; None: it is gone for good."""
    condition = patch.condition()
    if condition is None:
        return None
    return (*clauses, i.UnlessClause(patch.amendment.span, patch.amendment.cite, condition))


# -- clauses


def amend_clauses(draft: Draft, patches: Iterable[Patch]) -> None:
    """`set [7.53] to E`, `remove [7.53]`, where a clause of a norm or modifier cites 7.53."""
    choices, modifiers = draft.space("choices"), draft.space("modifiers")
    for patch in patches:
        name = patch.target.name
        if patch.target.of != "modifier":
            norms = [replace(n, clauses=_clauses(draft, patch, n.clauses)) for n in choices[name].norms]
            choices[name] = replace(choices[name], norms=tuple(norms))
        elif name in modifiers:  # else another variant has removed it for good
            clauses = _clauses(draft, patch, modifiers[name].clauses)
            modifiers[name] = replace(modifiers[name], clauses=clauses)


def _clauses(draft: Draft, patch: Patch, clauses: tuple[i.Clause, ...]) -> tuple[i.Clause, ...]:
    place = patch.target.part
    changed = (_clause(draft, patch, clause) if clause.span == place else clause for clause in clauses)
    return tuple(clause for clause in changed if clause is not None)


def _clause(draft: Draft, patch: Patch, clause: i.Clause) -> i.Clause | None:
    """The clause as it is then; None: it is gone."""
    amendment, condition, value = patch.amendment, patch.condition(), value_set(patch.amendment)
    if amendment.op == "remove" and condition is None:
        return None
    has_order = isinstance(clause, i.StacksClause | i.OverClause)
    if has_order or (value is None and amendment.op != "remove"):
        message = "a condition can only be set or removed; `stacks` and `over` can only be removed"
        draft.refuse(amendment, message)
        return clause
    is_unless = isinstance(clause, i.UnlessClause)
    old = clause.condition if isinstance(clause, i.UnlessClause) else condition_of(clause)
    assert old is not None
    if value is not None:
        new = either(value, condition, old)
    else:
        assert condition is not None
        new = unless(old, condition) if is_unless else x.Logic(old.span, "or", condition, old)
    make = i.UnlessClause if is_unless else i.WhenClause
    return make(clause.span, clause.cite, new)
