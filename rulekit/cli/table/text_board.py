"""Boards as text: squares in rows and hexes staggered, each with what is on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulekit import ir
from rulekit.cli import shared
from rulekit.compiler.grid import Grid
from rulekit.compiler.populate.members import in_words
from rulekit.compiler.typecheck.conversions import without_none
from rulekit.compiler.world import FieldInfo, World
from rulekit.ir import types as t
from rulekit.runtime.play import HIDDEN, View
from rulekit.runtime.support.wording import plain

EMPTY = "."
SMALL = 250
"""Spaces of a board that is printed unasked, at most."""


class TextBoards:
    """Prints the boards of a program, as the side may see them that asks."""

    def __init__(self, world: World, program: ir.Program) -> None:
        self._world, self._program = world, program
        sides = program.by_name.domains.get(program.sides)
        self._sides = _abbreviations(sides.titles if sides is not None else ())
        self._populations = _abbreviations(
            kind
            for kind, sort in world.sorts.items()
            if sort == "population" and world.kinds[kind].domain == "piece"
        )
        self._flags = _abbreviations(
            _words(state) for state in program.states if state.keys == ("space",) and state.type == t.Flag()
        )
        self._owners = self._find_owners()
        self._titles: dict[str, Mapping[str, str]] = {}

    def small(self, view: View) -> list[str]:
        """Return the lines of all boards that are small enough to be printed at each question."""
        boards = [board for board in self._world.boards.values() if len(board.spots) <= SMALL]
        drawn = [self.lines(board.kind, view) for board in boards]
        return [line for lines in drawn if max(map(len, lines)) <= shared.width() for line in lines]

    def kinds(self, text: str) -> list[str]:
        """Return the kinds with boards of a name; without a name, all."""
        return [kind for kind in self._world.boards if not text or shared.fold(kind) == shared.fold(text)]

    def lines(self, kind: str, view: View) -> list[str]:
        """Return the lines of the board of a kind, and what its letters mean."""
        board, legend = self._world.boards[kind], dict[str, str]()
        labels = dict.fromkeys(board.spots, EMPTY)
        labels |= self._marks(board, view, legend)
        labels |= self._stacks(board, view, legend)
        key = ", ".join(f"{label} {words}" for label, words in sorted(legend.items()))
        return [*_layout(board, labels), *([f"  {key}"] if key else [])]

    # -- what is on a space

    def _marks(self, board: Grid, view: View, legend: dict[str, str]) -> dict[int, str]:
        """The labels of flags that are set and of values that are not none, by space."""
        labels: dict[int, str] = {}
        names = self._program.by_name.domains["space"].members
        for state in self._program.states:
            if state.keys != ("space",) or not isinstance(state.type, t.Flag | t.Optional):
                continue
            values = {number: view.state(state.name, names[number]) for number in board.spots}
            unseen = [number for number, value in values.items() if value is HIDDEN]
            if len(values) > SMALL and len(unseen) > len(values) // 2:
                for number in unseen:  # their marks would bury the others
                    del values[number]
            for number, value in values.items():
                label, words = self._mark(state, value)
                if label:
                    labels[number] = labels.get(number, "") + label
                    legend[label] = words
        return labels

    def _mark(self, state: ir.State, value: Any) -> tuple[str, str]:
        """The letters of a value of a space, and what they mean; none for what says nothing."""
        if value is HIDDEN:
            return "?", "hidden"
        if value is True:
            words = _words(state)
            return self._flags[words], words
        of = without_none(state.type)
        if not isinstance(of, t.Member) or not isinstance(value, str):
            return "", ""
        domain = self._program.by_name.domains[of.domain]
        title = domain.titles[domain.members.index(value)]
        if of.domain not in self._titles:
            self._titles[of.domain] = _abbreviations(domain.titles)
        return self._titles[of.domain][title], title

    def _stacks(self, board: Grid, view: View, legend: dict[str, str]) -> dict[int, str]:
        """The labels of pieces by space; of several, the first and their number, or a plus if they differ."""
        domains = self._program.by_name.domains
        spaces = {domains["space"].members[number]: number for number in board.spots}
        stacks: dict[int, list[str]] = {}
        for number, piece in enumerate(domains["piece"].members):
            place = view.state("place", piece)
            if place is not HIDDEN and place in spaces:
                label, words = self._label(number, piece, view)
                legend[label] = words
                stacks.setdefault(spaces[place], []).append(label)
        return {space: _stack_label(stack) for space, stack in stacks.items()}

    def _label(self, number: int, piece: str, view: View) -> tuple[str, str]:
        """The letters of a piece, and what they mean: side and population, where these differ."""
        population = self._world.homes["piece", number]
        info = self._owners.get(population)
        side = self._side(info, number, piece, view) if info is not None else ""
        parts = [(self._sides[side], side)] if side else []
        if not parts or len(self._populations) > 1:
            parts.append((self._populations[population], in_words(population)))
        return "".join(short for short, _ in parts), " ".join(words for _, words in parts)

    def _side(self, info: FieldInfo, number: int, piece: str, view: View) -> str:
        """The title of the side that a field holds; empty for none or what is hidden."""
        sides = self._program.by_name.domains[self._program.sides]
        if info.changes:
            name = view.state(info.store, piece)
            return sides.titles[sides.members.index(name)] if name in sides.members else ""
        value = self._program.by_name.statics[info.store].values[number]
        return sides.titles[value] if isinstance(value, int) and 0 <= value < len(sides.titles) else ""

    def _find_owners(self) -> Mapping[str, FieldInfo]:
        """Return the field that holds the side of a piece, of each population that has pieces of several."""
        owners: dict[str, FieldInfo] = {}
        for (kind, _), info in self._world.fields.items():
            of = without_none(info.type)
            if kind not in self._populations or kind in owners or info.keys:
                continue
            if isinstance(of, t.Member) and of.domain == self._program.sides:
                table = self._program.by_name.statics.get(info.store)
                values = {table.values[n] for n in self._world.kind_members(kind)} if table else set()
                if info.changes or len(values) > 1:
                    owners[kind] = info
        return owners


def _words(state: ir.State) -> str:
    """The name of a state without its kind, in words."""
    return plain(state.name.rpartition(".")[2])


def _abbreviations(names: Iterable[str]) -> dict[str, str]:
    """The shortest beginning of each name that no other has."""
    names = tuple(names)
    return {name: _shortest(name, [other for other in names if other != name]) for name in names}


def _shortest(name: str, others: Iterable[str]) -> str:
    starts = (name[:end] for end in range(1, len(name)))
    return next((start for start in starts if not any(other.startswith(start) for other in others)), name)


def _stack_label(stack: list[str]) -> str:
    if len(stack) == 1:
        return stack[0]
    return f"{stack[0]}{len(stack)}" if len(set(stack)) == 1 else f"{stack[0]}+"


_GAP = 3
"""Lines without spaces, one after another, that are printed as one."""


def _layout(board: Grid, labels: Mapping[int, str]) -> Iterator[str]:
    """Yield the lines of a board, with the labels of its rows at the left and of its columns below.

    A board that is wider than the screen is printed in parts, one below another.  Outer lines without spaces
    are left out, and so are long gaps between lines with spaces.
    """
    width = 1 + max(map(len, (*labels.values(), *(label for label, _ in board.columns))))
    step = (width + 1) // 2 if board.shape == "hex in rows" else width
    margin = 3 + max(len(label) for label, _ in board.rows)
    columns = [spot.x for spot in board.spots.values()]
    left, right = min(columns) // 2 * 2, max(columns)
    room = max(2, (shared.width() - margin) // step // 2 * 2)
    parts = (range(first, min(first + room, right + 2)) for first in range(left, right + 1, room))
    for part in parts:
        yield from _part_lines(board, labels, part, step, margin)


def _part_lines(board: Grid, labels: Mapping[int, str], part: range, step: int, margin: int) -> Iterator[str]:
    """Yield the lines of a part of a board; `part` has the places across that belong to it."""
    spots = sorted(board.spots.items(), key=lambda entry: (entry[1].y, entry[1].x))
    rows = {y: f"{label:>{margin - 1}}" for label, y in board.rows}
    lines: dict[int, str] = {}
    for number, spot in spots:
        if spot.x in part:
            line = lines.get(spot.y, rows.get(spot.y, ""))
            lines[spot.y] = f"{line:<{margin + (spot.x - part.start) * step}}{labels[number]}"
    before = min(lines, default=0)
    for y, line in lines.items():
        empty = [rows.get(between, "") for between in range(before + 1, y)]
        yield from [""] if len(empty) >= _GAP else empty
        yield line
        before = y
    below = ""
    for label, x in board.columns:
        if x in part:
            below = f"{below:<{margin + (x - part.start) * step}}{label}"
    yield below
