"""Amendments of the classes in which modifiers of a roll stack: more, other policies and limits, none."""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiler.amend.draft import Draft, either
from rulekit.compiler.amend.step import Work
from rulekit.compiler.resolve import DUPLICATE
from rulekit.diagnostics import Label
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


def add_classes(draft: Draft, work: Work) -> None:
    """`add to roll X:` with `stack` lines."""
    amendment, name = work.amendment, work.reached.name
    if not work.force.always:
        _tell_always(draft, work)
        return
    rolls = draft.space("rolls")
    roll: i.Roll = rolls[name]
    known = {each.name.text: each for each in roll.stacking}
    for new in amendment.stacking:
        if new.name.text in known:
            label = Label(known[new.name.text].span, "first here")
            message = f"`{name}` has the class `{new.name.text}` twice"
            draft.tell(DUPLICATE, message, new.name.span, "call it otherwise; or `set` the first", label)
        known.setdefault(new.name.text, new)
    rolls[name] = replace(roll, stacking=tuple(known.values()))


def amend_class(draft: Draft, work: Work) -> None:
    """`set stack C of roll X to highest, at most 2`; `remove stack C of roll X`: what stacked in it adds."""
    amendment, name, class_ = work.amendment, work.reached.name, work.reached.inner
    rolls = draft.space("rolls")
    roll: i.Roll = rolls[name]
    old = next(each for each in roll.stacking if each.name.text == class_)
    if amendment.op == "remove" and not amendment.clauses and work.force.always:
        made: i.Stacking | None = replace(old, span=amendment.span, policy="sum", most=None, least=None)
    elif amendment.op == "remove":
        made = None
    elif amendment.stacking:
        made = _set(old, amendment.stacking[0], work.force.condition())
    else:
        hint = f"write `set stack {class_} of roll {name} to highest`, with `, at most N` behind it"
        draft.tell_impossible(amendment, "a class of modifiers can be set, or removed", hint)
        return
    if made is None:
        _tell_always(draft, work)
        return
    rolls[name] = replace(roll, stacking=tuple(made if each is old else each for each in roll.stacking))


def _set(old: i.Stacking, new: i.Stacking, condition: x.Expr | None) -> i.Stacking | None:
    """The class as it is then; for a while only the numbers of its limits are others, else None."""
    if condition is None:
        return replace(new, name=old.name, cite=new.cite or old.cite)
    limits = [(old.most, new.most), (old.least, new.least)]
    if old.policy != new.policy or any((before is None) != (now is None) for before, now in limits):
        return None
    most, least = (
        either(now, condition, before) if now is not None and before is not None else None
        for before, now in limits
    )
    return replace(old, most=most, least=least)


def _tell_always(draft: Draft, work: Work) -> None:
    hint = (
        "put it into a variant of its own, in force always; for a while only the limits can be other numbers"
    )
    draft.tell_impossible(work.amendment, "how modifiers stack is one for the whole game", hint)
