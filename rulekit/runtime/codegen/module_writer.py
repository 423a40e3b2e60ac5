"""The Python module being generated: its lines, its constants, and the names it gives to things.

Names from rules never become names of Python: everything is numbered.  Values reach the generated code
through the namespace, so that its text holds nothing but numbers and names made here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from rulekit.base.bits import Bits, mask_of
from rulekit.base.frozen import frozen
from rulekit.ir import Expr, StaticTable
from rulekit.ir.program import span_of
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics import operations
from rulekit.ir.semantics.faults import Fault, Finished, out_of_budget
from rulekit.ir.steps import Steps, Ways
from rulekit.ir.types import GAP, NONE, Int, Month, Type
from rulekit.runtime.optimise.optimised_program import OptimisedProgram
from rulekit.runtime.support.build import MOST_OPTIONS, MOST_SOURCE, Build, TooLarge
from rulekit.runtime.support.fault_words import FaultWords, chart_test, gap, range_test
from rulekit.runtime.support.layout import FUEL
from rulekit.runtime.support.state_changes import movers
from rulekit.runtime.support.trace import EventKinds

STEPS_AT_ONCE = 200
"""Members between which all steps are counted at the start: a tuple of rows is quicker to look up."""
PADDING = 64
"""A table whose first key is at most this far above zero is padded, which saves a subtraction."""


@frozen
class PyLine:
    """A line of Python, how deep it stands, and the site in the rules that it is there for."""

    depth: int
    text: str
    site: int


Lines = list[PyLine]

RoutineKey = tuple[str, str, bool]
"""A routine of a module: `procedure` or `choice`, its name, and whether its changes wait in a block."""


def charge(runs: str, price: int) -> tuple[str, str]:
    """Take runs, as text, at a price each from the budget, before they begin."""
    paid = runs if price == 1 else str(price) if runs == "1" else f"{runs} * {price}"
    return f"M[{FUEL}] -= {paid}", f"if M[{FUEL}] < 0: spent()"


def charge_loop(some: str, runs: str, price: int) -> tuple[str, ...]:
    """The same for the runs of a loop; `some` is true if there are any."""
    return (f"if {some}:", *(f"    {text}" for text in charge(runs, price)))


def deeper(lines: Sequence[PyLine], by: int = 1) -> Lines:
    """The lines, further in."""
    return [PyLine(line.depth + by, line.text, line.site) for line in lines]


class Unit:
    """One module under construction; `source()` is its text, `namespace` what it runs in."""

    def __init__(self, optimised: OptimisedProgram, build: Build) -> None:
        self.optimised = optimised
        self.build = build
        self.events = EventKinds()
        self.fault_words = FaultWords(optimised.program, optimised.layout)
        self.bits = Bits()
        self.namespace: dict[str, Any] = {
            "__builtins__": _BUILTINS,
            "BITS": self.bits,
            "Fault": Fault,
            "Finished": Finished,
            "NONE": NONE,
            "GAP": GAP,
            "mask_of": mask_of,
            **{name: getattr(operations, name) for name in _HELPERS},
            **_checks(),
        }
        self._lines: Lines = []
        self.names: dict[Hashable, str] = {}
        """The names of the module: the Python name, by the key of the thing it stands for."""
        self.locals: dict[str, dict[str, str]] = {}
        """For each function of the module, the names in the rules of its Python variables."""
        self.set_literals: dict[tuple[int, str], Type] = {}
        """The type of each set that is written out: by the site of its line, and its text."""
        self.deferrable: list[RoutineKey] = []
        """The routines whose calls may be put off, by the number that stands for each."""
        self._size = 0
        self._stateful: dict[str, bool] = {}

    def add(self, lines: Sequence[PyLine]) -> None:
        """Put a finished function at the end of the module."""
        self._size += sum(len(line.text) + 4 * line.depth + 1 for line in lines)
        if self._size > MOST_SOURCE:
            raise TooLarge(f"the generated code takes more than {MOST_SOURCE} characters")
        self._lines.extend(lines)

    def source(self, first: int = 0) -> str:
        """The module as Python, without its `first` lines."""
        return "".join(f"{'    ' * line.depth}{line.text}\n" for line in self._lines[first:])

    def sites(self, first: int = 0) -> list[int]:
        """The site of each line, without those of the `first`."""
        return [line.site for line in self._lines[first:]]

    def name(self, key: Hashable, prefix: str, make: Callable[[str], None] | None = None) -> str:
        """The name for `key`, numbered at its first use; `make` then puts the thing there."""
        name = self.names.get(key)
        if name is None:
            name = self.names[key] = f"{prefix}{len(self.names)}"
            if make is not None:
                make(name)
        return name

    def stateful(self, e: Expr) -> bool:
        """Whether the Python for an expression needs the state: to read it, or to pay for its loops."""
        facts = self.optimised.facts
        return bool(facts.reads(e)) or facts.pays(e)

    def stateful_function(self, name: str) -> bool:
        """Whether the Python for a function takes the state."""
        if name not in self._stateful:
            facts = self.optimised.facts
            self._stateful[name] = name in facts.paying or self.stateful(facts.functions[name].body)
        return self._stateful[name]

    def constant(self, value: Any) -> str:
        """The name of a value without a literal: a tuple, a ratio."""
        return self._bind(("constant", type(value), value), "K", lambda: value)

    def helper(self, key: str, value: Any) -> str:
        """The name of a function or object of the package, bound for this program."""
        return self._bind(("helper", key), "H", lambda: value)

    def _bind(self, key: Hashable, prefix: str, value: Callable[[], Any]) -> str:
        """The name of something in the namespace, put there at its first use."""
        name = self.name(key, prefix)
        if name not in self.namespace:
            self.namespace[name] = value()
        return name

    def range_check(self, what: str, kind: Int | Month) -> str:
        """The name of a function that gives back a number within a range, and faults for others."""
        return self.helper(f"tested {kind} {what}", range_test(what, kind))

    def chart_check(self, table: str, low: int, high: int) -> str:
        """The same for a number that is a table's key."""
        return self.helper(f"charted {table} {low}..{high}", chart_test(table, low, high))

    def gap(self, table: StaticTable) -> str:
        """The name of a function that faults for a row that a table does not have."""
        return self.helper(
            f"gap {table.name}", partial(gap, table, tuple(self.optimised.facts.tables.values()))
        )

    def mover(self, noted: bool) -> str:
        """The name of the function that moves pieces, with or without a journal."""
        plain, kept = movers(self.optimised.layout, self.bits)
        return self.helper(f"move {noted}", kept if noted else plain)

    def routine_name(self, key: RoutineKey) -> str:
        """The name of a routine's function, which the assembler of the module writes."""
        return self.name(("routine", key), "p")

    def deferral(self, key: RoutineKey) -> int:
        """The number of a routine whose calls may be put off."""
        if key not in self.deferrable:
            self.deferrable.append(key)
        return self.deferrable.index(key)

    def table(self, name: str) -> str:
        """The name of a table as nested tuples, one level a key."""
        facts, layout = self.optimised.facts, self.optimised.layout
        return self._bind(("table", name), "K", lambda: nest(facts.tables[name], layout.sizes))


def nest(table: StaticTable, sizes: Mapping[str, int]) -> Any:
    """The values of a table as tuples in tuples, padded below as `padding_of` says.

    Steps between many members are a mapping that works out the row of a member when it is first looked up.
    """
    steps: object = table.values
    if isinstance(steps, Ways):
        return steps.rows
    if isinstance(steps, Steps):
        return (
            steps.rows
            if steps.size > STEPS_AT_ONCE
            else tuple(tuple(steps.rows[n]) for n in range(steps.size))
        )
    values: Sequence[Any] = table.values
    for domain in reversed(table.keys):
        low, high = span_of(domain, sizes)
        size = high - low + 1
        rows = [tuple(values[start : start + size]) for start in range(0, len(values), max(size, 1))]
        values = [(GAP,) * padding_of(low) + row for row in rows]
    return values[0] if values else GAP


def padding_of(low: int) -> int:
    """How many entries stand before the one for the lowest key."""
    return low if 0 < low <= PADDING else 0


def _checks() -> dict[str, Any]:
    """Functions that fault, for generated code."""

    def exceed_budget() -> Any:
        raise out_of_budget()

    def endless(limit: int) -> None:
        raise Fault("endless-loop", texts.endless(f"{limit:,}"))

    def illegal() -> None:
        raise Fault("illegal-answer", "the answer is not legal")

    def top(values: tuple[Any, ...]) -> Any:
        if not values:
            raise Fault("empty-draw", texts.EMPTY_STACK)
        return values[0]

    def firsts(values: tuple[int, ...], heads: tuple[int, ...]) -> tuple[int, ...]:
        ahead = tuple(dict.fromkeys(head for head in heads if head in values))
        return ahead + tuple(value for value in values if value not in ahead)

    def splits(
        groups: tuple[tuple[int, ...], ...], number: Callable[[int], Any], highest: bool
    ) -> list[tuple[int, ...]]:
        parts = (groupby(sorted(group, key=number, reverse=highest), number) for group in groups)
        return [tuple(equal) for part in parts for _, equal in part]

    def lots(source: Any, point: int, groups: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        return tuple([one for tied in groups for one in source.shuffle(point, tied)])

    def heaps(groups: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        return tuple([mask_of(tied) for tied in groups if tied])

    def without_one(left: tuple[int, ...], one: int) -> tuple[int, ...]:
        rest = left[0] & ~(1 << one)
        return (rest, *left[1:]) if rest else left[1:]

    def few(values: Sequence[int]) -> Sequence[int]:
        if len(values) > MOST_OPTIONS:
            raise Fault("too-many-options", texts.too_many(MOST_OPTIONS, f"{len(values):,}"))
        return values

    checks = (endless, illegal, top, firsts, splits, lots, heaps, without_one, few)
    return {"spent": exceed_budget, **{check.__name__: check for check in checks}}


_HELPERS = (
    "at_most beside contains divide index_of union_of item modulo no_value only ratio without"
).split()

_BUILTINS = {
    known.__name__: known for known in (len, min, max, abs, range, sorted, tuple, dict, zip, Exception)
}
"""All that generated code can reach of Python's own functions."""
