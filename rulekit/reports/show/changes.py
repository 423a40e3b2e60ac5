"""Differences between two versions of a rule set: item by item, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.compiler.names import SPACES, name_of
from rulekit.reports.show.items import Shown
from rulekit.reports.show.rows import RuleLine
from rulekit.syntax.tree import items as i

NOT_RULES = (i.Example, i.Claim, i.Errata, i.Variant)
"""Items that change nothing by themselves: examples, what is said of a booklet, and the variants whose
amendments are seen where they act."""


@frozen
class ItemChange:
    """An item that one reading has otherwise than the other, or alone.

    Attributes:
        head: The item's first line.
        gone: Lines that the first reading has and the second has not.
        come: The reverse.
    """

    word: Literal["added", "removed", "changed"]
    item: i.Item
    head: RuleLine
    gone: tuple[RuleLine, ...]
    come: tuple[RuleLine, ...]


def changes(before: Sequence[Shown], now: Sequence[Shown]) -> Iterator[ItemChange]:
    """The differences, in the order of files and lines."""
    old, new = _by_name(before), _by_name(now)
    heads = {key: shown.rows[0] for key, shown in (*old.items(), *new.items())}
    for key, head in sorted(heads.items(), key=lambda entry: (entry[1].file, entry[1].line)):
        first, second = old.get(key), new.get(key)
        if first is None:
            assert second is not None
            yield ItemChange("added", second.item, head, (), second.rows[1:])
        elif second is None:
            yield ItemChange("removed", first.item, head, first.rows[1:], ())
        else:
            gone, come = _between(first.rows, second.rows)
            if gone or come:
                yield ItemChange("changed", second.item, head, gone, come)


def _by_name(side: Sequence[Shown]) -> dict[tuple[str, str], Shown]:
    rules = (shown for shown in side if not isinstance(shown.item, NOT_RULES))
    return {(_space(rule.item), name_of(rule.item)): rule for rule in rules}


def _space(item: i.Item) -> str:
    """Return the namespace of an item; an extern table with rows of its own is the same table."""
    return SPACES[i.Table if isinstance(item, i.ExternTable) else type(item)]


def _between(
    old: Sequence[RuleLine], new: Sequence[RuleLine]
) -> tuple[tuple[RuleLine, ...], tuple[RuleLine, ...]]:
    """The lines that went and those that came; spaces before a line do not count."""
    before, after = ([row.text.strip() for row in rows] for rows in (old, new))
    gone: list[RuleLine] = []
    come: list[RuleLine] = []
    for op, first, last, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if op != "equal":
            gone += [row for row in old[first:last] if row.text.strip()]
            come += [row for row in new[start:end] if row.text.strip()]
    return tuple(gone), tuple(come)
