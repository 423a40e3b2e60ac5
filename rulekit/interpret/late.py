"""Changes made inside a `together` block: noted one by one, landed all at the end.

While the block runs, nothing it changes can be read.  At its end numbers added to one cell are summed,
equal changes merge, and changes that disagree about one cell are the fault `simultaneous-conflict`.
Entries are four values each: what, where, which value, and the number of the event that noted it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from rulekit.interpret.faults import Fault
from rulekit.interpret.layout import Layout
from rulekit.interpret.writes import Journal, bounds, dissolve, dropped, store_indexed

SET, ADD, MARK, UNMARK, APPEND, DROP, TOP, UNDER, PLACE, DISSOLVE = range(10)
FIELDS: Final = 4

Late = list[Any]


@dataclass
class _Cell:
    """What was noted for one cell."""

    value: Any = None
    is_set: bool = False
    added: int = 0
    adds: int = 0
    marked: int = 0
    unmarked: int = 0
    changes: list[tuple[int, Any]] = field(default_factory=list)

    def take(self, what: int, value: Any, who: Callable[[], str]) -> None:
        """Join one more change to those noted already; nothing put in or taken out is no change."""
        if what in (MARK, UNMARK) and not value:
            return
        if what == SET:
            others = self.adds or self.changes or self.marked | self.unmarked
            if others or self.is_set and self.value != value:
                _conflict(f"one thing is set to two values, or set and changed, by {who()}")
            self.is_set, self.value = True, value
        elif self.is_set:
            _conflict(f"one thing is both set and changed, by {who()}")
        elif what == ADD:
            self.added += value
            self.adds += 1
        elif what in (MARK, UNMARK):
            self.marked |= value if what == MARK else 0
            self.unmarked |= value if what == UNMARK else 0
            if self.marked & self.unmarked:
                _conflict(f"one thing is both put in and taken out, by {who()}")
        else:
            self.changes.append((what, value))

    def result(self, old: Any) -> Any:
        """What the cell holds after all changes, before its range is looked at."""
        if self.is_set:
            return self.value
        if self.adds:
            return old + self.added
        for what, value in self.changes:
            old = _listed(old, what, value)
        return old if self.changes else (old | self.marked) & ~self.unmarked


def land(
    layout: Layout,
    cells: list[Any],
    journal: Journal,
    late: Late,
    move: Callable[[int, int], None],
    who: Callable[[int], str],
) -> None:
    """Make all the noted changes; `who` names an event's cause for a conflict's message."""
    found: dict[int, _Cell] = {}
    places: dict[int, int] = {}
    for what, where, value, event in entries(late):
        if what == PLACE:
            if places.setdefault(where, value) != value:
                _conflict(f"one piece is moved to two places, by {who(event)}")
        elif what != DISSOLVE:
            found.setdefault(where, _Cell()).take(what, value, lambda event=event: who(event))  # type: ignore[misc]
    for address, cell in found.items():
        value = bounds(layout.owner(address).state, cell.result(cells[address]))
        store_indexed(layout, cells, journal, address, value)
    for piece, space in places.items():
        move(1 << piece, space)
    for what, where, value, _ in entries(late):
        if what == DISSOLVE:
            dissolve(cells, journal, where, value)
    late.clear()


def entries(late: Late) -> Iterator[tuple[int, int, Any, int]]:
    """The entries of a list of late changes."""
    for start in range(0, len(late), FIELDS):
        what, where, value, event = late[start : start + FIELDS]
        yield what, where, value, event


def _listed(values: tuple[Any, ...], what: int, value: Any) -> tuple[Any, ...]:
    """A list after one change; what is put on top or under is a list itself."""
    if what == APPEND:
        return (*values, value)
    if what == DROP:
        return dropped(values, value)
    return (*value, *values) if what == TOP else (*values, *value)


def _conflict(message: str) -> NoReturn:
    raise Fault("simultaneous-conflict", message)
