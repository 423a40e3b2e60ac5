"""Whether two amendments that reach one point have an order, or can act together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

from rulekit.compiler.amend.act_together import combined
from rulekit.compiler.amend.clash import reads_only, same, tell_clash
from rulekit.compiler.amend.draft import UNORDERED, Draft
from rulekit.compiler.amend.order import Relations
from rulekit.compiler.amend.step import Work
from rulekit.compiler.amend.targets import SPACES, Reached
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Label
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

_ALONE = ("define", "procedure", "state", "decider", "let", "event", "invariant", "roll")
"""What is one thing whatever is done to it."""
_DOES = {"instead": "replace", "widen": "widen", "ends": "set the ends of"}
_DONE = {"instead": "replaced", "widen": "widened", "ends": "set"}
_SAID = tuple(
    f.name for f in fields(i.Amendment) if f.name not in ("span", "cite", "op", "address", "clauses")
)
"""What an amendment brings."""


def check_order(works: Iterable[Work], names: Names, relations: Relations, draft: Draft) -> None:
    """Two variants that reach one point in one situation: one says that it is over the other, or with it.

    Those that say the same need no order (spec 11.5).
    """
    before: dict[tuple[Reached, str], list[Work]] = {}
    for work in works:
        way = way_of(work)
        if not way:
            continue
        for earlier in (*before.get((work.reached, way), ()), *_around(work, before, names)):
            if not _settled(earlier, work, relations, draft) and _tell(earlier, work, names, draft):
                break  # what else it clashes with is of the same cause
        before.setdefault((work.reached, way), []).append(work)


def way_of(work: Work) -> str:
    """How an amendment needs its point for itself: in place of it, or beside it; empty if it does not.

    A calendar's ends are one point, the month that it is another.
    """
    op = work.amendment.op
    if op in ("before", "after"):
        return op
    if work.amendment.months is not None:
        return "ends"
    if op == "widen":  # of ranges the widest holds, of other types there is one
        return "" if work.amendment.most or hasattr(work.amendment.type, "low") else "widen"
    if work.reached.word in _ALONE and op != "add":
        return "instead"
    return "instead" if op in ("replace", "remove", "set", "redefine") else ""


def _around(work: Work, before: dict[tuple[Reached, str], list[Work]], names: Names) -> Sequence[Work]:
    """What was done to the whole of which this is a part, or to parts of this whole."""
    if way_of(work) != "instead":
        return ()
    return [
        earlier
        for (reached, way), all_ in before.items()
        if way == "instead"
        and (part_of(work.reached, reached, names) or part_of(reached, work.reached, names))
        for earlier in all_
    ]


def part_of(part: Reached, whole: Reached, names: Names) -> bool:
    """Whether replacing the whole takes away what is done to the part."""
    if part.name != whole.name:
        return False
    if whole.word == "table":
        return part.word in ("row", "cell")
    if whole.word == "row":
        return part.word == "cell" and part.part == whole.part
    if whole.word == "choice":
        declared = {norm.span for norm in names.choices[whole.name].norms}
        return part.word in ("verb", "let") or (part.word == "norm" and part.part in declared)
    return whole.word == "verb" and part.word == "let"


def _settled(earlier: Work, work: Work, relations: Relations, draft: Draft) -> bool:
    first, second = earlier.force.variant, work.force.variant
    if first is second or relations.prevails(second, first):
        return True
    one, two = earlier.amendment, work.amendment
    if one.op == two.op == "remove":
        return True
    alike = all(same(getattr(one, part), getattr(two, part)) for part in _SAID)
    if earlier.reached == work.reached and one.op == two.op and alike:
        return True
    return relations.beside(second, first) and combined(earlier, work, draft)


def _tell(earlier: Work, work: Work, names: Names, draft: Draft) -> bool:
    """Whether it is certain that the two act together; else that is left to be found out."""
    first, second = earlier.force.variant, work.force.variant
    where = f"this in `{work.reached.name}`" if work.reached.part is not None else f"`{work.reached.name}`"
    way = way_of(work)
    does = _DOES.get(way, f"put statements {way} one step of")
    where = where if way == "instead" else f"`{work.reached.name}`"
    message = f"{called(earlier)} and {called(work)} both {does} {where}"
    hint = f"say which prevails: `over {first.name.text}` in `{second.name.text}`, or the reverse"
    done = _DONE.get(way, "done")
    label = Label(earlier.amendment.span, f"{done} here by `{first.name.text}`")
    key = (f"{work.reached.word} {work.reached.name}", first.name.text, second.name.text)
    finding = Diagnostic(UNORDERED, message, work.amendment.span, (label,), hint, key=key)
    params, hidden = _readable(work.reached, names)
    conditions = tuple(_condition(each, hidden) for each in (earlier, work))
    return tell_clash(draft, finding, conditions, params)


def called(work: Work) -> str:
    """A variant with its author and the printed number of what it does."""
    variant = work.force.variant
    by = f" by {variant.author}" if variant.author else ""
    cite = work.amendment.cite or variant.cite
    return f"`{variant.name.text}`{by}" + (f" [{', '.join(cite.ids)}]" if cite is not None else "")


def _condition(work: Work, hidden: frozenset[str] | None) -> x.Expr | None:
    """When an amendment acts, as far as it can be said away from its place: at least then."""
    own = tuple(
        clause for clause in work.amendment.clauses if hidden is not None and reads_only(clause, hidden)
    )
    return work.force.condition(own)


def _readable(reached: Reached, names: Names) -> tuple[tuple[i.Param, ...], frozenset[str] | None]:
    """The parameters of what is reached, and the names that are known only inside it; None: any may be."""
    if reached.word == "norm":
        choice = names.choices[reached.name]
        asked = (choice.verb.item, choice.verb.option, *(let.name for let in choice.lets))
        own = {name.text for name in asked if name is not None}
        return choice.params, frozenset({*own, "answer", "chosen", "before"})
    space = _HOMES.get(reached.word) or SPACES.get(reached.of or reached.word)
    if space is None:
        return (), None
    item = getattr(names, space)[reached.name]
    return getattr(item, "params", ()), frozenset()


_HOMES = {"row": "tables", "cell": "tables"}
