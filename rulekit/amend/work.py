"""One amendment to be worked in, and whether two that reach one point have an order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulekit.amend.clash import reads_only, same, tell_clash
from rulekit.amend.draft import UNORDERED, Draft, Force
from rulekit.amend.order import prevails
from rulekit.amend.reach import SPACES, Reached
from rulekit.diagnostics import Diagnostic, Label
from rulekit.names import Names
from rulekit.syntax import expr as x
from rulekit.syntax import items as i


@dataclass(frozen=True, slots=True)
class Work:
    """An amendment, what it reaches and when it acts.  Works stand in the order in which they are done."""

    amendment: i.Amendment
    reached: Reached
    force: Force


def check_order(works: Iterable[Work], names: Names, draft: Draft) -> None:
    """Two variants that reach one point in one situation: one of them says that it is over the other.

    Those that say the same need no order (spec 11.5).
    """
    before: dict[tuple[Reached, str], list[Work]] = {}
    for work in works:
        way = _way(work)
        if not way:
            continue
        for earlier in (*before.get((work.reached, way), ()), *_around(work, before)):
            if not _agree(earlier, work, names):
                _tell(earlier, work, names, draft)
                break
        before.setdefault((work.reached, way), []).append(work)


def _way(work: Work) -> str:
    """How an amendment needs its point for itself: in place of it, or beside it; empty if it does not."""
    if work.amendment.op in ("before", "after"):
        return work.amendment.op
    if work.reached.word in ("define", "value", "procedure", "sequence", "scenario", "state", "track"):
        return "instead"
    return "instead" if work.amendment.op in ("replace", "remove", "set", "redefine") else ""


def _around(work: Work, before: dict[tuple[Reached, str], list[Work]]) -> list[Work]:
    """What was done to the whole table of a row, or to rows of the whole table."""
    if work.reached.word == "row":
        return before.get((Reached("table", work.reached.name), "instead"), [])
    if work.reached.word == "table" and _way(work):
        name = work.reached.name
        return [w for (r, _), all_ in before.items() if r.word == "row" and r.name == name for w in all_]
    return []


def _agree(earlier: Work, work: Work, names: Names) -> bool:
    first, second = earlier.force.variant, work.force.variant
    if first is second or prevails(names.variants, second, first):
        return True
    one, two = earlier.amendment, work.amendment
    if one.op == two.op == "remove":
        return True
    return (
        earlier.reached == work.reached
        and one.op == two.op
        and all(
            same(getattr(one, part), getattr(two, part))
            for part in ("norms", "rows", "notes", "body", "cases")
        )
    )


def _tell(earlier: Work, work: Work, names: Names, draft: Draft) -> None:
    first, second = earlier.force.variant, work.force.variant
    where = f"this in `{work.reached.name}`" if work.reached.part is not None else f"`{work.reached.name}`"
    does = f"put statements {_way(work)} one step of" if _way(work) != "instead" else "replace"
    where = f"`{work.reached.name}`" if _way(work) != "instead" else where
    message = f"{_called(earlier)} and {_called(work)} both {does} {where}"
    hint = f"say which prevails: `over {first.name.text}` in `{second.name.text}`, or the reverse"
    done = "done" if _way(work) != "instead" else "replaced"
    label = Label(earlier.amendment.span, f"{done} here by `{first.name.text}`")
    point = f"{work.reached.word} {work.reached.name}"
    key = (point, first.name.text, second.name.text)
    finding = Diagnostic(UNORDERED, message, work.amendment.span, (label,), hint, key=key)
    params, hidden = _readable(work.reached, names)
    conditions = tuple(_condition(each, hidden) for each in (earlier, work))
    tell_clash(draft, finding, conditions, params)


def _called(work: Work) -> str:
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
    if reached.word == "statement":
        return (), None
    space = "tables" if reached.word == "row" else SPACES[reached.word]
    item = getattr(names, space)[reached.name]
    return getattr(item, "params", ()), frozenset()
