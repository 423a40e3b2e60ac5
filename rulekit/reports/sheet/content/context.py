"""The context that makers of blocks share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.reports.sheet.content.changes import Force
from rulekit.reports.sheet.content.wording import SheetWords
from rulekit.reports.sheet.model.document import SheetLine, Side, text
from rulekit.reports.sheet.model.messages import Messages
from rulekit.reports.sheet.reachability.applies import EVERYTHING, Applies
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

Tell = Callable[[str, str, Sequence[str]], None]
"""Receives a missing thing: its kind, its name, and the names that exist."""


def existing(tell: Tell, what: str, wanted: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return the names that exist; report the others."""
    names = (*known,)
    for name in wanted:
        if name not in names:
            tell(what, name, names)
    return tuple(name for name in wanted if name in names)


@frozen
class LeftOut:
    """Something of the rules that nothing words: how it is written, and where."""

    written: str
    span: Span


@frozen
class Context:
    """One sheet in the making.

    Attributes:
        date: The month that the sheet is for, `12 * year + month - 1`; None for all of them.
        applies: The rules that can occur in the sheet's scenario and month.
        struck: Whether what an option removed is shown struck through, and not left out.
        tabled: Printed rules that a table of this sheet says; lists need not repeat them.
        on_cards: Rolls and values whose modifiers are on a card of this sheet.
        of_others: Printed rules, choices, norms and steps that concern other sides than the sheet's alone.
        left_out: Lines without words, which the sheet lacks, by their keys under `names` in the settings.
        not_exact: Questions without an exact answer, which the sheet lacks, each with the reason.
    """

    compiled: Compiled
    words: SheetWords
    force: Force
    catalogue: Messages
    sides: tuple[Side, ...]
    date: int | None
    struck: bool
    applies: Applies = EVERYTHING
    tabled: frozenset[str] = frozenset()
    on_cards: frozenset[str] = frozenset()
    of_others: frozenset[str] = frozenset()
    left_out: dict[str, LeftOut] = field(default_factory=dict)
    not_exact: dict[str, str] = field(default_factory=dict)

    def leave_out(self, key: str, written: str, span: Span) -> None:
        """Note something that has no words; `key` is by what `names` in the settings would word it."""
        self.left_out.setdefault(key, LeftOut(written, span))

    @property
    def side_kind(self) -> str:
        """The enum of those who play."""
        return self.compiled.program.sides

    def side(self, name: object) -> int | None:
        """The place in `sides` of a side by its name or title; None for any other value."""
        enum = self.compiled.names.enums.get(self.side_kind)
        names = [(member.name.text, member.title) for member in enum.members] if enum else []
        return next((place for place, pair in enumerate(names) if name and str(name) in pair), None)

    def value(self, name: str) -> int | None:
        """The number that a definition gives; None if it is not a plain number."""
        define = self.compiled.names.defines.get(name)
        case = define.cases[0] if define else None
        if isinstance(case, i.Case) and isinstance(case.value, x.Integer):
            return case.value.value
        return None

    def line(self, id_: str, *, numbered: bool = True) -> SheetLine:
        """A printed rule as a line, marked with what options did to it."""
        status, by = self.force.state_of(id_)
        number = self.words.number(id_) if numbered else ""
        return SheetLine(number, text=text(self.words.rule(id_)), status=status, by=by)

    def lines(self, ids: Iterable[str]) -> tuple[SheetLine, ...]:
        """Printed rules as lines; with `struck`, one that an option replaced comes struck before the new."""
        lines: dict[str, SheetLine] = {}
        for id_ in ids:
            replaced = self.force.replaced_rules.get(id_) if self.struck else None
            lines.setdefault(id_, self.line(id_))
            if replaced is not None:
                tags, others = replaced
                lines[id_] = replace(lines[id_], status="removed", by=tags)
                for other in filter(self.words.rule, others):
                    lines.setdefault(other, self.line(other))
        return tuple(lines.values())

    def is_played(self, id_: str) -> bool:
        """True if a printed rule is in force, can occur and concerns the sheet's side.

        Set-up cannot occur after the beginning.
        """
        rule = self.words.printed.get(id_)
        over = self.applies.later and rule is not None and rule.kind == "setup"
        return not over and not any(
            id_ in left for left in (self.force.not_in_force, self.applies.rules, self.of_others)
        )

    def in_time(self, item: i.Modifier | i.Norm) -> bool:
        """Return whether something can matter here, and has not been ruled out by its dates."""
        if not self.applies.at(item.span):
            return False
        spans = (c.dates for c in item.clauses if isinstance(c, i.SpanClause))
        return all(self.holds(span.first, span.last) for span in spans)

    def holds(self, first: int | None, last: int | None) -> bool:
        """Return whether a stretch of months has the sheet's date in it."""
        if self.date is None:
            return True
        return (first is None or first <= self.date) and (last is None or self.date <= last)
