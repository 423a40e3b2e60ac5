"""One amendment to be worked in, and whether two that replace one thing have an order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulekit.amend.draft import UNORDERED, Force
from rulekit.amend.order import prevails
from rulekit.amend.reach import Reached
from rulekit.diagnostics import Diagnostic, Label, Report
from rulekit.names import Names
from rulekit.syntax import items as i


@dataclass(frozen=True, slots=True)
class Work:
    """An amendment, what it reaches and when it acts.  Works stand in the order in which they are done."""

    amendment: i.Amendment
    reached: Reached
    force: Force


def check_order(works: Iterable[Work], names: Names, report: Report) -> None:
    """Two variants that replace one thing: one of them says that it is over the other (spec 11.5)."""
    before: dict[Reached, list[Work]] = {}
    for work in works:
        if not _replaces(work):
            continue
        for earlier in (*before.get(work.reached, ()), *_around(work, before)):
            if not _agree(earlier, work, names):
                _tell(earlier, work, report)
                break
        before.setdefault(work.reached, []).append(work)


def _replaces(work: Work) -> bool:
    if work.reached.word in ("define", "value", "procedure", "sequence", "scenario", "state", "track"):
        return True
    return work.amendment.op in ("replace", "remove", "set", "redefine")


def _around(work: Work, before: dict[Reached, list[Work]]) -> list[Work]:
    """What was done to the whole table of a row, or to rows of the whole table."""
    if work.reached.word == "row":
        return before.get(Reached("table", work.reached.name), [])
    if work.reached.word == "table":
        name = work.reached.name
        return [w for r, all_ in before.items() if r.word == "row" and r.name == name for w in all_]
    return []


def _agree(earlier: Work, work: Work, names: Names) -> bool:
    first, second = earlier.force.variant, work.force.variant
    if first is second or earlier.amendment.op == work.amendment.op == "remove":
        return True
    return prevails(names.variants, second, first)


def _tell(earlier: Work, work: Work, report: Report) -> None:
    first, second = earlier.force.variant.name.text, work.force.variant.name.text
    message = f"`{first}` and `{second}` both replace this in `{work.reached.name}`"
    if work.reached.part is None:
        message = f"`{first}` and `{second}` both replace `{work.reached.name}`"
    hint = f"say which prevails: `over {first}` in `{second}`, or the reverse"
    label = Label(earlier.amendment.span, f"replaced here by `{first}`")
    report.add(Diagnostic(UNORDERED, message, work.amendment.span, (label,), hint))
