"""Amendments of modifiers, and of the dice and the stacking classes of rolls."""

from __future__ import annotations

from dataclasses import replace

from rulekit.compiler.amend.choices import suspended_clauses
from rulekit.compiler.amend.draft import Draft, Patch, either, value_set
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


def amend_modifier(draft: Draft, patch: Patch, modifier: i.Modifier) -> i.Modifier | None:
    """`remove modifier X`; `set modifier X to E`."""
    amendment = patch.amendment
    if amendment.op == "remove":
        clauses = suspended_clauses(modifier.clauses, patch)
        return None if clauses is None else replace(modifier, clauses=clauses)
    value = value_set(amendment, ("set", "redefine"))
    if value is None or modifier.value is None:
        draft.refuse(amendment, "a modifier can only be removed, or its number set")
        return modifier
    condition = patch.activation.condition()
    if condition is not None:
        value = x.Conditional(amendment.span, value, condition, modifier.value)
    return replace(modifier, value=value)


def amend_roll(draft: Draft, patch: Patch, roll: i.Roll) -> i.Roll:
    """`set roll X to 2d6`; `add to roll X:` with `stack` lines."""
    amendment, name = patch.amendment, patch.target.name
    if amendment.op == "add" and amendment.stacking:
        return _with_classes(draft, patch, roll)
    if amendment.op == "set" and amendment.dice is not None and patch.activation.always:
        dice, sides, lowest = amendment.dice
        return replace(roll, dice=dice, sides=sides, lowest=lowest)
    hint = f"write `set roll {name} to 2d6`, in force always, or amend its modifiers and stacking classes"
    draft.refuse(amendment, f"only the dice of `{name}` can be amended", hint)
    return roll


# -- stacking classes


def _with_classes(draft: Draft, patch: Patch, roll: i.Roll) -> i.Roll:
    if not patch.activation.always:
        _refuse_temporary(draft, patch)
        return roll
    known = {stack.name.text: stack for stack in roll.stacking}
    added = patch.amendment.stacking
    places = {name: stack.span for name, stack in known.items()}
    hint = "choose another name, or `set` the first"
    owner = f"`{patch.target.name}` has the stacking class"
    draft.report_twice(owner, places, [stack.name for stack in added], hint)
    new = [stack for stack in added if stack.name.text not in known]
    return replace(roll, stacking=(*roll.stacking, *new))


def amend_class(draft: Draft, patch: Patch, roll: i.Roll) -> i.Roll:
    """`set stack C of roll X to highest, at most 2`; `remove stack C of roll X`: what stacked in it adds."""
    amendment, class_ = patch.amendment, patch.target.inner
    old = next(stack for stack in roll.stacking if stack.name.text == class_)
    if amendment.op == "remove" and not amendment.clauses and patch.activation.always:
        changed: i.Stacking | None = replace(old, span=amendment.span, policy="sum", most=None, least=None)
    elif amendment.op == "remove":
        changed = None
    elif amendment.stacking:
        changed = _set(old, amendment.stacking[0], patch.activation.condition())
    else:
        set_it = f"`set stack {class_} of roll {patch.target.name} to highest`"
        hint = f"write {set_it}, with `, at most N` after it"
        draft.refuse(amendment, "a stacking class can only be set or removed", hint)
        return roll
    if changed is None:
        _refuse_temporary(draft, patch)
        return roll
    return replace(roll, stacking=tuple(changed if stack is old else stack for stack in roll.stacking))


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


def _refuse_temporary(draft: Draft, patch: Patch) -> None:
    hint = "use a separate variant, in force always; only the numbers of the limits can change temporarily"
    draft.refuse(patch.amendment, "stacking cannot change during the game", hint)
