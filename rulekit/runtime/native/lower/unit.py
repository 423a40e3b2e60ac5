"""One module under construction: its functions, its memory, and the tables and buffers that code asks for."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any, Final, cast

from rulekit.base.frozen import frozen
from rulekit.ir import Apply
from rulekit.ir.program import Choice, span_of
from rulekit.ir.semantics.faults import KINDS
from rulekit.ir.steps import Ways
from rulekit.ir.types import GAP, Int, ListOf, MapOf, Ratio, SetOf, Type
from rulekit.runtime.native import lir
from rulekit.runtime.native.log.table import ROOM_OF_GAMES, ROOM_OF_STEPS, EventTable
from rulekit.runtime.native.lower.memory import (
    CELL,
    MOST_ENTRIES,
    NOTES,
    OPTIONS,
    ModuleMemory,
    Shapes,
    StateCells,
    value_words,
)
from rulekit.runtime.native.refusals import BuildRefusal, CannotLower
from rulekit.runtime.optimise.optimised_program import OptimisedProgram
from rulekit.runtime.support.build import MOST_OPTIONS

WIDTHS: Final[tuple[lir.Width, ...]] = (1, 2, 4, 8)


@frozen
class TableAddress:
    """A table in the fixed part: where it begins, the bytes of an entry, and those of a number in it."""

    address: int
    step: int
    width: lir.Width


class ModuleUnit:
    """A module under construction; see the module."""

    def __init__(
        self, optimised: OptimisedProgram, *, stops: bool, log: bool = False, invariants: bool = False
    ) -> None:
        self.stops = stops
        """Whether the module stops at questions; else a policy answers them."""
        self.log = EventTable(ROOM_OF_STEPS if stops else ROOM_OF_GAMES) if log else None
        """The events that are written; None in a module without a log."""
        self.tests_invariants = invariants
        """Whether invariants are tested after each change."""
        self.optimised = optimised
        self.program = optimised.program
        self.facts = optimised.facts
        self.layout = optimised.layout
        self.shapes = Shapes(optimised.layout.sizes)
        self.memory = ModuleMemory(self.shapes)
        self.cells = StateCells(self.program, self.layout, self.memory)
        self.question = self.memory.reserve(OPTIONS // CELL + 1 + self._most_options()) if stops else 0
        """Where the open question stands."""
        self.setting_up = self.memory.reserve(1) if invariants else 0
        """Where a module that tests invariants notes that a scenario is being set up."""
        self.functions: dict[str, lir.LowFunction] = {}
        self.faults: dict[str, int] = {name: number for number, name in enumerate(KINDS, 1)}
        """The number of each kind of fault; those that the rules declare come after the others."""
        self.messages: dict[tuple[str, tuple[Type, ...]], int] = {}
        """The number of each message of a fault, from 1, with the types of its values."""
        self.noted = self.memory.reserve(self._most_noted())
        """Where the values of a message are."""
        self.refusals: list[BuildRefusal] = []
        """The parts that cannot be lowered, in the order of lowering."""
        self.ways: dict[str, None] = {}
        """The tables of ways that are looked up."""
        self.wanted: list[str] = []
        """Functions of the rules that are called, in the order of their first calls."""
        self._buffers: dict[tuple[str, str], int] = {}
        self._results: dict[str, int] = {}
        self._tables: dict[str, TableAddress] = {}

    def _most_options(self) -> int:
        """The most options of any question, with none or the end of picks."""
        return 1 + max(map(self.options_of, self.program.choices), default=0)

    def _most_noted(self) -> int:
        """The most words of the values in a message: those of a choice, or of a cell and its causes."""

        def room(kind: Type | None) -> int:
            try:
                return 0 if kind is None else self.shapes.room(kind)
            except CannotLower:
                return 0  # what has such a value is refused

        of_choices = (
            sum(map(room, (*(param.type for param in item.params), item.item_type)))
            for item in self.program.choices
        )
        of_cells = (2 + len(item.keys) + room(item.type) for item in self.program.states)
        return max((2, *of_choices, *of_cells))

    def options_of(self, choice: Choice) -> int:
        """The most options of one part of a choice."""
        match choice.verb:
            case "decide":
                return 2
            case "pick_record":
                sizes = (64 * self.shapes.words(among.type) for _, among in choice.fields)
                return min(prod(sizes), MOST_OPTIONS)
            case "number" | "share":
                kind = choice.option.type
                return min(kind.high - kind.low + 1, MOST_OPTIONS) if isinstance(kind, Int) else MOST_OPTIONS
            case _:
                whole = choice.candidates or choice.items
                return 64 * self.shapes.words(whole.type) if whole is not None else MOST_OPTIONS

    def add(self, function: lir.LowFunction) -> None:
        """Put a finished function into the module."""
        self.functions[function.name] = function

    def refuse(self, cannot: CannotLower, site: int) -> None:
        """Note what cannot be lowered, at its own place or at this one."""
        self.refusals.append(BuildRefusal(cannot.what, cannot.site if cannot.site >= 0 else site))

    def fault(self, name: str) -> int:
        """The number of a kind of fault."""
        return self.faults.setdefault(name, len(self.faults) + 1)

    def message(self, text: str, types: tuple[Type, ...]) -> int:
        """The number of a message."""
        return self.messages.setdefault((text, types), len(self.messages) + 1)

    def buffer(self, owner: str, name: str, words: int) -> int:
        """Room that one function and those that it calls use while it runs, under a name of its own; its
        address.
        """
        key = (owner, name)
        if key not in self._buffers:
            memory = self.memory
            self._buffers[key] = memory.set_aside(owner, words) if self.stops else memory.reserve(words)
        return self._buffers[key]

    def room_of_notes(self, words: int) -> int:
        """Room for what waits for the end of a `together` block."""
        return self.memory.set_aside(NOTES, words) if self.stops else self.memory.reserve(words)

    def name_of_call(self, e: Apply) -> str:
        """The name of a function of the rules that is called, which will be lowered."""
        if e.function not in self.wanted:
            self.wanted.append(e.function)
        return function_name(e.function)

    def way(self, table: str) -> str:
        """The name of the function that finds the ways of a table, which will be made."""
        self.ways.setdefault(table)
        return f"way {table}"

    def apart(self, kind: Type) -> bool:
        """Whether a function leaves its result in a buffer, because it has more than one word."""
        return isinstance(kind, ListOf | MapOf) or self.shapes.words(kind) > 1

    def result(self, owner: str, kind: Type) -> int:
        """Where a function leaves its result, if it has more than one word."""
        if owner not in self._results:
            self._results[owner] = self.memory.reserve(self.shapes.room(kind))
        return self._results[owner]

    def rows(self, words: Iterable[Iterable[int]], count: int) -> int:
        """A table of rows of so many words; its address."""
        return self.memory.keep_words([word for row in words for word in _fill(row, count)])

    def table(self, name: str) -> TableAddress:
        """A table of the rules, dense over its keys."""
        if name not in self._tables:
            self._tables[name] = self._table(name)
        return self._tables[name]

    def _table(self, name: str) -> TableAddress:
        table = self.facts.tables[name]
        values = cast(Any, table.values)
        sizes = [high - low + 1 for low, high in (span_of(key, self.layout.sizes) for key in table.keys)]
        entries = 1
        for size in sizes:
            entries *= size
        if entries > MOST_ENTRIES or isinstance(values, Ways):
            raise CannotLower(f"the table `{name}`, of {entries:,} entries,")
        if isinstance(table.type, SetOf | ListOf):
            return self._table_of_rows(table.type, list(values))
        if isinstance(table.type, Ratio):
            return self._table_of_rows(table.type, list(values))
        self.shapes.words(table.type)
        numbers = [value_words(self.shapes, table.type, value)[0] for value in values]
        width = next(
            width
            for width in WIDTHS
            if all(-(1 << 8 * width - 1) <= number < 1 << 8 * width - 1 for number in numbers)
        )
        content = b"".join(number.to_bytes(width, "little", signed=True) for number in numbers)
        return TableAddress(self.memory.keep(content), width, width)

    def _table_of_rows(self, kind: SetOf | ListOf | Ratio, values: list[Any]) -> TableAddress:
        rows = [() if value == GAP else value_words(self.shapes, kind, value) for value in values]
        longest = max((len(row) for row in rows), default=1)
        count = max(longest, 1) if isinstance(kind, ListOf) else self.shapes.words(kind)
        return TableAddress(self.rows(rows, count), count * CELL, 8)


def _fill(row: Iterable[int], count: int) -> list[int]:
    words = list(row)
    return words + [0] * (count - len(words))


def function_name(name: str) -> str:
    """The name of the low-level function for a function of the rules."""
    return f"function {name}"
