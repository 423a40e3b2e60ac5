"""Amendments of modifiers and of the stacking classes of a roll."""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiler.amend.choices import suspended
from rulekit.compiler.amend.draft import Draft, either
from rulekit.compiler.amend.patch import Patch
from rulekit.diagnostics import Label, kinds
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


def amend_modifier(draft: Draft, patch: Patch) -> None:
    """`remove modifier X`; `set modifier X to E`."""
    amendment, name = patch.amendment, patch.target.name
    modifiers = draft.space("modifiers")
    modifier: i.Modifier | None = modifiers.get(name)
    if modifier is None:  # another variant has removed it for good
        return
    if amendment.op == "remove":
        gone = suspended(modifier.clauses, amendment, patch.activation)
        if gone is None:
            del modifiers[name]
        else:
            modifiers[name] = replace(modifier, clauses=gone)
        return
    case = amendment.cases[0] if amendment.op in ("set", "redefine") and amendment.cases else None
    if not isinstance(case, i.Case) or modifier.value is None:
        draft.refuse(amendment, "a modifier can only be removed, or its number set")
        return
    condition = patch.activation.condition()
    value = case.value
    if condition is not None:
        value = x.Conditional(amendment.span, case.value, condition, modifier.value)
    modifiers[name] = replace(modifier, value=value)


# -- stacking classes


def add_classes(draft: Draft, patch: Patch) -> None:
    """`add to roll X:` with `stack` lines."""
    amendment, name = patch.amendment, patch.target.name
    if not patch.activation.always:
        _tell_always(draft, patch)
        return
    rolls = draft.space("rolls")
    roll: i.Roll = rolls[name]
    known = {stack.name.text: stack for stack in roll.stacking}
    for new in amendment.stacking:
        if new.name.text in known:
            label = Label(known[new.name.text].span, "first here")
            message = f"`{name}` has the stacking class `{new.name.text}` twice"
            draft.report(
                kinds.DECLARED_TWICE, message, new.name.span, "choose another name, or `set` the first", label
            )
        known.setdefault(new.name.text, new)
    rolls[name] = replace(roll, stacking=tuple(known.values()))


def amend_class(draft: Draft, patch: Patch) -> None:
    """`set stack C of roll X to highest, at most 2`; `remove stack C of roll X`: what stacked in it adds."""
    amendment, name, class_ = patch.amendment, patch.target.name, patch.target.inner
    rolls = draft.space("rolls")
    roll: i.Roll = rolls[name]
    old = next(stack for stack in roll.stacking if stack.name.text == class_)
    if amendment.op == "remove" and not amendment.clauses and patch.activation.always:
        changed: i.Stacking | None = replace(old, span=amendment.span, policy="sum", most=None, least=None)
    elif amendment.op == "remove":
        changed = None
    elif amendment.stacking:
        changed = _set(old, amendment.stacking[0], patch.activation.condition())
    else:
        hint = f"write `set stack {class_} of roll {name} to highest`, with `, at most N` after it"
        draft.refuse(amendment, "a stacking class can only be set or removed", hint)
        return
    if changed is None:
        _tell_always(draft, patch)
        return
    rolls[name] = replace(roll, stacking=tuple(changed if stack is old else stack for stack in roll.stacking))


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


def _tell_always(draft: Draft, patch: Patch) -> None:
    hint = "use a separate variant, in force always; only the numbers of the limits can change temporarily"
    draft.refuse(patch.amendment, "stacking cannot change during the game", hint)
