"""Amendments of modifiers and rolls; modifiers whose order matters, so that one must be over the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

from rulekit.compiler.amend.choices import suspended_clauses
from rulekit.compiler.amend.draft import Draft, Patch, condition_of, conjunction, either, value_set
from rulekit.compiler.amend.order import chain, circles, is_over, place, sort_by_over
from rulekit.compiler.amend.overlaps import reads_only, report_clash
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.types import RangeType
from rulekit.syntax.tree.walk import same


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
    return replace(modifier, value=either(value, condition, modifier.value))


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
    known = {stack.name.text: stack.span for stack in roll.stacking}
    added = patch.amendment.stacking
    hint = "choose another name, or `set` the first"
    owner = f"`{patch.target.name}` has the stacking class"
    draft.report_twice(owner, known, [stack.name for stack in added], hint)
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


ROLLED = "rolled"


def prevailing(modifiers: Iterable[i.Modifier]) -> tuple[i.Modifier, ...]:
    """Modifiers in the order they are laid on: each behind those it is over, else by their names."""
    by_name = {modifier.name.text: modifier for modifier in modifiers}
    order, rest = sort_by_over(_relations(by_name.values()))
    return tuple(by_name[name] for name in [*order, *rest])


def report_unordered_modifiers(draft: Draft) -> None:
    """Report modifiers of one roll or number whose order matters and is not said (spec 7.3, 7.4)."""
    targets: dict[tuple[str, str], list[i.Modifier]] = {}
    for modifier in draft.space("modifiers").values():
        targets.setdefault((modifier.on, modifier.target.text), []).append(modifier)
    names = draft.names()
    for modifiers in targets.values():
        over = _relations(modifiers)
        for circle in circles(over):
            draft.findings.add(_circle(modifiers, circle))
        for first, second in combinations(sorted(modifiers, key=lambda modifier: modifier.span), 2):
            why, one, two = _why(first, second, names), first.name.text, second.name.text
            if why and not (is_over(over, one, two) or is_over(over, two, one)):
                _report_unordered(draft, names, first, second, why)


def _circle(modifiers: Iterable[i.Modifier], circle: tuple[str, ...]) -> Diagnostic:
    """The finding of modifiers that are each over the next, the last over the first."""
    by_name = {modifier.name.text: modifier for modifier in modifiers}
    pairs = list(zip(circle, circle[1:], strict=False))
    first, *rest = [(place(_names_over(by_name[one]), other), other) for one, other in pairs]
    labels = tuple(Label(name.span, f"over `{other}`") for name, other in rest)
    message = chain([(one, "is over", other) for one, other in pairs])
    point = by_name[circle[0]]
    key = (f"{point.on} {point.target.text}", *circle[:-1])
    hint = "remove one `over`: only one can come last"
    return Diagnostic(kinds.UNORDERED_MODIFIERS, message, first[0].span, labels, hint, key=key)


def _why(first: i.Modifier, second: i.Modifier, names: Names) -> str:
    """Why the order of two matters; empty if it does not."""
    effects = {first.effect, second.effect}
    if effects == {"set"}:
        return "" if same(first.value, second.value) else "both say what the number becomes"
    if effects == {"half", "times"} or (effects == {"half"} and first.way != second.way):
        return "multiply and round in different ways"
    if effects == {"most", "least"}:
        low, high = (m.value for m in sorted((first, second), key=lambda modifier: modifier.effect))
        if isinstance(low, x.Integer) and isinstance(high, x.Integer) and low.value <= high.value:
            return ""
        return "bound the number from both sides"
    if effects <= {"add", "subtract"}:
        return _in_class(first, second, names)
    return ""


def _in_class(first: i.Modifier, second: i.Modifier, names: Names) -> str:
    """Whether a class of a roll counts the first of two alone."""
    roll = names.rolls.get(first.target.text) if first.on == "roll" else None
    if roll is None or not roll.stacking:
        return ""
    shared = _classes(first) & _classes(second)
    for stack in roll.stacking:
        if stack.name.text not in shared:
            continue
        if stack.policy == "exclusive":
            return f"exclude each other in `{stack.name.text}`"
        if stack.policy == "once" and not (first.effect == second.effect and same(first.value, second.value)):
            return f"count once in `{stack.name.text}`, with different numbers"
    return ""


def _classes(modifier: i.Modifier) -> set[str]:
    return {clause.name.text for clause in modifier.clauses if isinstance(clause, i.StacksClause)}


def _names_over(modifier: i.Modifier) -> tuple[x.Name, ...]:
    return tuple(clause.name for clause in modifier.clauses if isinstance(clause, i.OverClause))


def _relations(modifiers: Iterable[i.Modifier]) -> dict[str, set[str]]:
    return {modifier.name.text: {name.text for name in _names_over(modifier)} for modifier in modifiers}


def _report_unordered(draft: Draft, names: Names, first: i.Modifier, second: i.Modifier, why: str) -> None:
    message = f"{_title_of(first)} and {_title_of(second)} {why}"
    one, two = first.name.text, second.name.text
    hint = f"decide which comes last: write `over {one}` on `{two}`, or the reverse; "
    hint += "or make their conditions exclude each other"
    label = Label(first.span, "the other one")
    key = (f"{second.on} {second.target.text}", one, two)
    finding = Diagnostic(kinds.UNORDERED_MODIFIERS, message, second.span, (label,), hint, key=key)
    target = first.target.text
    roll = names.rolls.get(target)
    other = names.tables.get(target) if first.on == "table" else names.defines.get(target)
    hidden: set[str] = set()
    if first.on == "roll" and roll is not None:
        low, high = roll.dice * roll.lowest, roll.dice * (roll.lowest + roll.sides - 1)
        rolled = i.Param(roll.span, x.Name(roll.span, ROLLED), RangeType(roll.span, low, high))
        params = (*roll.params, rolled)
    elif other is not None:
        params, hidden = other.params, {ROLLED}
    else:
        return
    report_clash(draft, finding, tuple(_condition(modifier, hidden) for modifier in (first, second)), params)


def _title_of(modifier: i.Modifier) -> str:
    cite = modifier.cite
    return f"`{modifier.name.text}`" + (f" [{', '.join(cite.ids)}]" if cite is not None else "")


def _condition(modifier: i.Modifier, hidden: set[str]) -> x.Expr | None:
    """When a modifier acts, as far as it can be said away from its place."""
    parts = map(condition_of, modifier.clauses)
    return conjunction(part for part in parts if part is not None and reads_only(part, hidden))
