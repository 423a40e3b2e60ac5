"""Amendments that change nothing, and variants of which nothing is left."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulekit.compiler.amend.draft import Draft, Patch
from rulekit.compiler.amend.order import Relations, is_over
from rulekit.compiler.amend.overlaps import manner_of, part_of, same, uses_original
from rulekit.compiler.amend.targets import SAME, SPACES, Target
from rulekit.compiler.names import SPACES as HOMES
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import items as i

_NO_EFFECT = (i.Variant, i.Example, i.Claim, i.Errata)
"""What changes nothing of play."""


def report_idle(patches: Sequence[Patch], names: Names, relations: Relations, draft: Draft) -> None:
    """Report amendments that set what is so, and variants that others override in all that they say."""
    for patch in patches:
        declared = _declared(patch, names)
        if declared is not None and _alone(patch, patches, names):
            draft.findings.add(_says_what_is_so(patch, declared))
    needs = {name: {other.text for other in variant.needs} for name, variant in names.variants.items()}
    places: dict[int, list[int]] = {}
    for place, patch in enumerate(patches):
        places.setdefault(id(patch.activation.variant), []).append(place)
    for name, variant in names.variants.items():
        own = [patches[place] for place in places.get(id(variant), ())]
        if not own or len(own) < len(variant.amendments) or _brings(variant, names):
            continue
        over = [_prevailing(patches, place, names, relations) for place in places[id(variant)]]
        prevailing = [patch for patch in over if patch is not None]
        if len(prevailing) == len(own):
            draft.findings.add(
                _nothing_left(variant, own, prevailing, is_needed=_needed(name, prevailing, needs))
            )


def _needed(name: str, prevailing: Collection[Patch], needs: dict[str, set[str]]) -> bool:
    """Whether all that prevail are always there with a variant."""
    return all(is_over(needs, name, patch.activation.variant.name.text) for patch in prevailing)


def _alone(patch: Patch, patches: Sequence[Patch], names: Names) -> bool:
    """Whether no other variant reaches the same, nor a part or the whole of it."""
    return not any(
        other.activation.variant is not patch.activation.variant
        and (
            other.target == patch.target
            or part_of(other.target, patch.target, names)
            or part_of(patch.target, other.target, names)
        )
        for other in patches
    )


def _declared(patch: Patch, names: Names) -> i.Item | i.Norm | i.TableRow | None:
    """What is declared as an amendment says it, if it is."""
    amendment, target = patch.amendment, patch.target
    if amendment.op not in ("set", "redefine", "replace"):
        return None
    if target.word == "norm":
        norms = [norm for norm in names.choices[target.name].norms if norm.span == target.part]
        alike = len(amendment.norms) == 1 and norms and same(_unnamed(amendment.norms[0]), _unnamed(norms[0]))
        return norms[0] if alike else None
    if target.word == "row":
        rows = [row for row in names.tables[target.name].rows if row.span == target.part]
        return rows[0] if rows and len(amendment.rows) == 1 and same(amendment.rows[0], rows[0]) else None
    item = _item(target, names)
    return item if item is not None and _says(amendment, item, target) else None


def _unnamed(norm: i.Norm) -> tuple[object, ...]:
    """What a norm says, whatever it is called."""
    return (norm.word, norm.condition, norm.clauses)


def _item(target: Target, names: Names) -> i.Item | None:
    space = SPACES.get(target.of or target.word) if target.word not in ("case", "clause") else None
    item: i.Item | None = getattr(names, space).get(target.name) if space is not None else None
    return item


def _says(amendment: i.Amendment, item: i.Item, target: Target) -> bool:
    """Whether an item says already what an amendment makes of it."""
    (case, *more) = amendment.cases or (None,)
    value = case.value if isinstance(case, i.Case) and not more and case.test is None else None
    match item:
        case i.Define() if SAME.get(target.word, target.word) == "define" and amendment.cases:
            return same(amendment.cases, item.cases)
        case i.StateDecl() if value is not None:
            return item.initial is not None and same(value, item.initial)
        case i.Modifier() if value is not None and target.word == "modifier":
            return item.value is not None and same(value, item.value)
        case i.Promise() if value is not None:
            return same(value, item.condition)
        case i.Procedure() | i.EventDecl() if amendment.body and amendment.op == "replace":
            return same(amendment.body, item.body)
        case i.Roll() if amendment.dice is not None:
            return amendment.dice == (item.dice, item.sides, item.lowest)
        case i.Table() if amendment.rows and target.word == "table":
            return same(amendment.rows, item.rows) and same(amendment.notes, item.notes)
        case _:
            return False


def _prevailing(patches: Sequence[Patch], place: int, names: Names, relations: Relations) -> Patch | None:
    """One of another variant, after the one at `place`, that always takes the place of all that this does."""
    patch = patches[place]
    if manner_of(patch) != "instead":
        return None
    for other in patches[place + 1 :]:
        if (
            manner_of(other) == "instead"
            and other.activation.always
            and not other.amendment.clauses
            and (other.target == patch.target or part_of(patch.target, other.target, names))
            and relations.prevails(other.activation.variant, patch.activation.variant)
            and not uses_original(other)
        ):
            return other
    return None


def _brings(variant: i.Variant, names: Names) -> bool:
    """Whether the file of an option or variant declares something of its own, which may act."""
    if variant.word == "exception":
        return False
    spaces = (space for kind, space in HOMES.items() if kind not in _NO_EFFECT)
    items = (item for space in spaces for item in getattr(names, space).values())
    return any(item.span.file == variant.span.file for item in items)


def _says_what_is_so(patch: Patch, declared: i.Item | i.Norm | i.TableRow) -> Diagnostic:
    name, amendment = patch.activation.variant.name.text, patch.amendment
    part = f"a part of `{patch.target.name}`" if patch.target.part is not None else f"`{patch.target.name}`"
    message = f"`{name}` sets {part} to what it already is"
    label = Label(declared.span, "declared here")
    hint = "change the value, or remove the line"
    key = (f"{patch.target.word} {patch.target.name}", name)
    return Diagnostic(kinds.IDLE_AMENDMENT, message, amendment.span, (label,), hint, key=key)


def _nothing_left(
    variant: i.Variant, own: Sequence[Patch], prevailing: Sequence[Patch], *, is_needed: bool
) -> Diagnostic:
    name = variant.name.text
    others = list(dict.fromkeys(f"`{patch.activation.variant.name.text}`" for patch in prevailing))
    verb = "overrides" if len(others) == 1 else "override"
    who = f"{' and '.join(others)}, which {'it needs' if is_needed else 'can be turned on with it'},"
    message = f"`{name}` has no effect: {who} {verb} everything"
    labels = tuple(Label(patch.amendment.span, "this takes precedence") for patch in prevailing[:3])
    hint = "remove its lines, or reverse the `over`"
    if not is_needed:
        hint = "if they make no sense together, let one exclude the other"
    kind = kinds.IDLE_VARIANT if is_needed else kinds.IDLE_BESIDE
    return Diagnostic(kind, message, variant.name.span, labels, hint, key=(f"variant {name}", *others))
