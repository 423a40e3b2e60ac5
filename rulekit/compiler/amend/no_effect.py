"""Amendments that change nothing, and variants of which nothing is left."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulekit.compiler.amend.act_together import uses_original
from rulekit.compiler.amend.clash import same
from rulekit.compiler.amend.draft import Draft
from rulekit.compiler.amend.order import Relations, is_over
from rulekit.compiler.amend.overlaps import part_of, way_of
from rulekit.compiler.amend.step import Work
from rulekit.compiler.amend.targets import SAME, SPACES, Reached
from rulekit.compiler.names import SPACES as HOMES
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Label, Severity, declare
from rulekit.syntax.tree import items as i

IDLE_AMENDMENT = declare(
    "RK238", "idle-amendment", "an amendment that says what is so already", Severity.WARNING, since="0.1.0"
)
IDLE_VARIANT = declare(
    "RK239", "idle-variant", "a variant of which another that it needs leaves nothing", Severity.WARNING,
    since="0.1.0",
)  # fmt: skip
IDLE_BESIDE = declare(
    "RK240", "idle-beside", "a variant of which another leaves nothing", Severity.NOTE, since="0.1.0"
)

_NO_EFFECT = (i.Variant, i.Example, i.Claim, i.Errata)
"""What changes nothing of play."""


def tell_idle(works: Sequence[Work], names: Names, relations: Relations, draft: Draft) -> None:
    """Report amendments that set what is so, and variants that others override in all that they say."""
    for work in works:
        declared = _declared(work, names)
        if declared is not None and _alone(work, works, names):
            draft.report.add(_says_what_is_so(work, declared))
    needs = {name: {other.text for other in made.needs} for name, made in names.variants.items()}
    places: dict[int, list[int]] = {}
    for place, work in enumerate(works):
        places.setdefault(id(work.force.variant), []).append(place)
    for name, variant in names.variants.items():
        own = [works[place] for place in places.get(id(variant), ())]
        if not own or len(own) < len(variant.amendments) or _brings(variant, names):
            continue
        over = [_prevailing(works, place, names, relations) for place in places[id(variant)]]
        prevailing = [each for each in over if each is not None]
        if len(prevailing) == len(own):
            draft.report.add(
                _nothing_left(variant, own, prevailing, is_needed=_needed(name, prevailing, needs))
            )


def _needed(name: str, prevailing: Collection[Work], needs: dict[str, set[str]]) -> bool:
    """Whether all that prevail are always there with a variant."""
    return all(is_over(needs, name, work.force.variant.name.text) for work in prevailing)


def _alone(work: Work, works: Sequence[Work], names: Names) -> bool:
    """Whether no other variant reaches the same, nor a part or the whole of it."""
    return not any(
        other.force.variant is not work.force.variant
        and (
            other.reached == work.reached
            or part_of(other.reached, work.reached, names)
            or part_of(work.reached, other.reached, names)
        )
        for other in works
    )


def _declared(work: Work, names: Names) -> i.Item | i.Norm | i.TableRow | None:
    """What is declared as an amendment says it, if it is."""
    made, reached = work.amendment, work.reached
    if made.op not in ("set", "redefine", "replace"):
        return None
    if reached.word == "norm":
        found = [norm for norm in names.choices[reached.name].norms if norm.span == reached.part]
        alike = len(made.norms) == 1 and found and same(_unnamed(made.norms[0]), _unnamed(found[0]))
        return found[0] if alike else None
    if reached.word == "row":
        rows = [row for row in names.tables[reached.name].rows if row.span == reached.part]
        return rows[0] if rows and len(made.rows) == 1 and same(made.rows[0], rows[0]) else None
    item = _item(reached, names)
    return item if item is not None and _says(made, item, reached) else None


def _unnamed(norm: i.Norm) -> tuple[object, ...]:
    """What a norm says, whatever it is called."""
    return (norm.word, norm.condition, norm.clauses)


def _item(reached: Reached, names: Names) -> i.Item | None:
    space = SPACES.get(reached.of or reached.word) if reached.word not in ("case", "clause") else None
    item: i.Item | None = getattr(names, space).get(reached.name) if space is not None else None
    return item


def _says(made: i.Amendment, item: i.Item, reached: Reached) -> bool:
    """Whether an item says already what an amendment makes of it."""
    (case, *more) = made.cases or (None,)
    value = case.value if isinstance(case, i.Case) and not more and case.test is None else None
    match item:
        case i.Define() if SAME.get(reached.word, reached.word) == "define" and made.cases:
            return same(made.cases, item.cases)
        case i.StateDecl() if value is not None:
            return item.initial is not None and same(value, item.initial)
        case i.Modifier() if value is not None and reached.word == "modifier":
            return item.value is not None and same(value, item.value)
        case i.Promise() if value is not None:
            return same(value, item.condition)
        case i.Procedure() | i.Event() if made.body and made.op == "replace":
            return same(made.body, item.body)
        case i.Roll() if made.dice is not None:
            return made.dice == (item.dice, item.sides, item.lowest)
        case i.Table() if made.rows and reached.word == "table":
            return same(made.rows, item.rows) and same(made.notes, item.notes)
        case _:
            return False


def _prevailing(works: Sequence[Work], place: int, names: Names, relations: Relations) -> Work | None:
    """One of another variant, after the one at `place`, that always takes the place of all that this does."""
    work = works[place]
    if way_of(work) != "instead":
        return None
    for other in works[place + 1 :]:
        if (
            way_of(other) == "instead"
            and other.force.always
            and not other.amendment.clauses
            and (other.reached == work.reached or part_of(work.reached, other.reached, names))
            and relations.prevails(other.force.variant, work.force.variant)
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


def _says_what_is_so(work: Work, declared: i.Item | i.Norm | i.TableRow) -> Diagnostic:
    name, amendment = work.force.variant.name.text, work.amendment
    part = f"a part of `{work.reached.name}`" if work.reached.part is not None else f"`{work.reached.name}`"
    message = f"`{name}` changes nothing of {part}: it is so already"
    label = Label(declared.span, "so it is declared")
    hint = "say what the variant changes, or drop the line"
    key = (f"{work.reached.word} {work.reached.name}", name)
    return Diagnostic(IDLE_AMENDMENT, message, amendment.span, (label,), hint, key=key)


def _nothing_left(
    variant: i.Variant, own: Sequence[Work], prevailing: Sequence[Work], *, is_needed: bool
) -> Diagnostic:
    name = variant.name.text
    others = list(dict.fromkeys(f"`{work.force.variant.name.text}`" for work in prevailing))
    verb = "prevails" if len(others) == 1 else "prevail"
    who = f"{' and '.join(others)}, which {'it needs' if is_needed else 'may be chosen with it'},"
    message = f"nothing of `{name}` is left: {who} {verb} in all that it says"
    labels = tuple(Label(work.amendment.span, "this prevails") for work in prevailing[:3])
    hint = "say which of both is meant: drop its lines, or turn the `over` round"
    if not is_needed:
        hint = "where both make no sense together, let one exclude the other"
    kind = IDLE_VARIANT if is_needed else IDLE_BESIDE
    return Diagnostic(kind, message, variant.name.span, labels, hint, key=(f"variant {name}", *others))
