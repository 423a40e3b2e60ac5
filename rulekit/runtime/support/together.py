"""Changes made inside a `together` block: noted one by one, landed all at the end.

While the block runs, nothing it changes can be read.  At its end numbers added to one cell are summed,
equal changes merge, and changes that disagree about one cell are the fault `simultaneous-conflict`.
Entries are four values each: what, where, which value, and the number of the event that noted it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.operations import without
from rulekit.runtime.support.fault_words import FaultWords
from rulekit.runtime.support.layout import Layout
from rulekit.runtime.support.state_changes import Journal, Landers, bounds, dissolve, hide, store_indexed

SET, ADD, MARK, UNMARK, APPEND, DROP, TOP, UNDER, PLACE, DISSOLVE = range(10)
FIELDS: Final = 4

Late = list[Any]
Entry = tuple[int, int, Any, int]


@dataclass
class _Cell:
    """The changes noted for one cell."""

    value: Any = None
    is_set: bool = False
    added: int = 0
    adds: int = 0
    marked: int = 0
    unmarked: int = 0
    changes: list[tuple[int, Any]] = field(default_factory=list)

    def take(self, what: int, value: Any) -> bool:
        """Join one more change to those noted already; whether it agrees with them.

        An empty insertion or removal does not count as a change.
        """
        if what in (MARK, UNMARK) and not value:
            return True
        if what == SET:
            others = self.adds or self.changes or self.marked | self.unmarked
            if others or self.is_set and self.value != value:
                return False
            self.is_set, self.value = True, value
        elif self.is_set:
            return False
        elif what == ADD:
            self.added += value
            self.adds += 1
        elif what in (MARK, UNMARK):
            self.marked |= value if what == MARK else 0
            self.unmarked |= value if what == UNMARK else 0
            return not self.marked & self.unmarked
        else:
            self.changes.append((what, value))
        return True

    def result(self, old: Any) -> Any:
        """The value of the cell after all changes, before its range is tested."""
        if self.is_set:
            return self.value
        if self.adds:
            return old + self.added
        for what, value in self.changes:
            old = _change_list(old, what, value)
        return old if self.changes else (old | self.marked) & ~self.unmarked


def land(
    landers: Landers,
    cells: list[Any],
    journal: Journal,
    late: Late,
    move: Callable[[int, int], None],
    site: Callable[[int], int],
) -> list[tuple[int, Any]]:
    """Make all the noted changes; the `site` of an event is for the message of a fault.

    Returns:
        The cells to which something was added, and what they hold now.
    """
    layout, words = landers.layout, landers.words
    sums = _sole_sums(late)
    settled = _sole_values(late) if sums is None else ({at: cells[at] + sums[at] for at in sums}, {})
    if settled is not None:
        values, places = settled
        for address, value in values.items():
            if journal is None:
                landers[address](cells, value)
            else:
                _write(layout, cells, journal, address, value, 0, words)
        added_to = list(sums or ())
    else:
        changed, places = _changes_by_cell(late, words, site)
        for address, cell in changed.items():
            marks = cell.marked | cell.unmarked
            _write(layout, cells, journal, address, cell.result(cells[address]), marks, words)
        added_to = [address for address, cell in changed.items() if cell.adds]
    added = [(address, cells[address]) for address in added_to]
    moved: dict[int, int] = {}
    for piece, space in places.items():
        hide(layout, layout.slots["place"], cells, journal, layout.slots["place"].base + piece, 0)
        moved[space] = moved.get(space, 0) | 1 << piece
    for space, pieces in moved.items():
        move(pieces, space)
    if settled is None:
        for what, where, value, _ in entries(late):
            if what == DISSOLVE:
                dissolve(cells, journal, where, value)
    late.clear()
    return added


def _sole_values(late: Late) -> tuple[dict[int, Any], dict[int, int]] | None:
    """The values of cells and the places of pieces, if `late` has nothing else and no two disagree."""
    values: dict[int, Any] = {}
    places: dict[int, int] = {}
    for what, where, value in zip(late[::FIELDS], late[1::FIELDS], late[2::FIELDS], strict=True):
        if what != SET and what != PLACE:
            return None
        if (values if what == SET else places).setdefault(where, value) != value:
            return None
    return values, places


def _sole_sums(late: Late) -> dict[int, int] | None:
    """The sum added to each cell, if `late` holds additions alone."""
    if late[::FIELDS].count(ADD) * FIELDS < len(late):
        return None
    sums: dict[int, int] = {}
    for where, value in zip(late[1::FIELDS], late[2::FIELDS], strict=True):
        sums[where] = sums.get(where, 0) + value
    return sums


def _changes_by_cell(
    late: Late, words: FaultWords, site: Callable[[int], int]
) -> tuple[dict[int, _Cell], dict[int, int]]:
    """The changes of each cell together, and the places of pieces.

    Raises:
        Fault: Two changes disagree.
    """
    changed: dict[int, _Cell] = {}
    places: dict[int, int] = {}
    for what, where, value, event in entries(late):
        if what == PLACE:
            agreed = places.setdefault(where, value) == value
        else:
            agreed = what == DISSOLVE or changed.setdefault(where, _Cell()).take(what, value)
        if not agreed:
            _conflict(late, (what, where, value, event), words, site)
    return changed, places


def _write(
    layout: Layout,
    cells: list[Any],
    journal: Journal,
    address: int,
    value: Any,
    marks: int,
    words: FaultWords,
) -> None:
    """Write one cell, within the range of its state; `marks` are the flags of it that change."""
    slots = layout.owner(address)
    value = bounds(slots.state, words, value, address)
    hide(layout, slots, cells, journal, address, marks)
    store_indexed(layout, slots, cells, journal, address, value)


def entries(late: Late) -> Iterator[Entry]:
    """The entries of a list of late changes."""
    for start in range(0, len(late), FIELDS):
        what, where, value, event = late[start : start + FIELDS]
        yield what, where, value, event


def _change_list(values: tuple[Any, ...], what: int, value: Any) -> tuple[Any, ...]:
    """A list after one change; things put on top or under are a list themselves."""
    if what == APPEND:
        return (*values, value)
    if what == DROP:
        return without(values, value)
    return (*value, *values) if what == TOP else (*values, *value)


def _conflict(late: Late, last: Entry, words: FaultWords, site: Callable[[int], int]) -> NoReturn:
    """Fault: the last entry does not agree with an earlier one, which is looked for here."""
    first = next(entry for entry in entries(late) if _clash(entry, last))
    causes = dict.fromkeys(words.cause(site(event)) for *_, event in (first, last))
    raise Fault("simultaneous-conflict", texts.at_once(_clashing(first, last, words), tuple(causes)))


def _clash(one: Entry, other: Entry) -> bool:
    """Whether two entries are about one thing and cannot both be."""
    (what, where, value, _), (last, at, changed, _) = one, other
    if where != at or what == DISSOLVE or (what == PLACE) != (last == PLACE):
        return False
    if what in (MARK, UNMARK) and last in (MARK, UNMARK):
        return what != last and bool(value & changed)
    if what == last and what in (SET, PLACE):
        return bool(value != changed)
    return SET in (what, last) and bool(value or what not in (MARK, UNMARK))


def _clashing(one: Entry, other: Entry, words: FaultWords) -> str:
    """The conflict between two entries, in words."""
    (what, where, value, _), (last, _, changed, _) = one, other
    if what == PLACE:
        return texts.two_places(words.member("piece", where))
    if what == last == SET:
        return texts.two_values(words.cell(where))
    if SET in (what, last):
        return texts.set_and_changed(words.cell(where))
    return words.contrary(where, value & changed)
