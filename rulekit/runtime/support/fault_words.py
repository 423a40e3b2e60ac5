"""Messages of faults in the rules' own names; nothing here runs unless there is a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from rulekit.base.bits import members
from rulekit.ir import Program, StaticTable
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import Fault, out_of_range
from rulekit.ir.semantics.names import Naming, in_plain_text
from rulekit.ir.types import Int, Month, Type
from rulekit.runtime.support.layout import Layout


class FaultWords:
    """Names of one program's things."""

    def __init__(self, program: Program, layout: Layout) -> None:
        self.program = program
        self.layout = layout

    def cell(self, address: int) -> str:
        """A cell of the state: `` `damage` of `Alpha` ``."""
        return texts.cell(self.layout.owner(address).state.name, self._keys(address))

    def _keys(self, address: int) -> list[str]:
        values = self.layout.keys_of(address)
        keys = self.layout.owner(address).state.keys[: len(values)]
        return list(map(str, Naming(self.program).keys(keys, values)))

    def contrary(self, address: int, mask: int) -> str:
        """The message for members of a set, or flags, that are on and off at once."""
        slots, naming = self.layout.owner(address), Naming(self.program)
        if slots.bits is None:
            both = texts.and_list(list(map(str, naming.to_json(slots.state.type, mask))))
            return texts.in_and_out(self.cell(address), both)
        bit = next(iter(members(mask))) + slots.bits.low
        keys = [*self._keys(address), *map(str, naming.keys((slots.bits.domain,), (bit,)))]
        return texts.on_and_off(texts.cell(slots.state.name, keys))

    def member(self, domain: str, number: int) -> str:
        """A member of a domain."""
        return Naming(self.program).member(domain, number)

    def value(self, kind: Type, value: Any) -> str:
        """A value of a type."""
        return in_plain_text(Naming(self.program).to_json(kind, value))

    def cause(self, site: int) -> str:
        """The rule around a place."""
        at = self.program.sites[site]
        return texts.cause(at.owner, at.rules)


def range_test(what: str, kind: Int | Month) -> Callable[[int], int]:
    """A function that gives back a number within the range, and faults for others."""
    return _test(kind.low, kind.high, lambda value: out_of_range(what, kind, value))


def chart_test(table: str, low: int, high: int) -> Callable[[int], int]:
    """A function that gives back a number that is one of a table's keys, and faults for others."""
    return _test(low, high, lambda value: Fault("no-row", texts.no_row_for(table, low, high, str(value))))


def _test(low: int, high: int, fault: Callable[[int], Fault]) -> Callable[[int], int]:
    def test(value: int) -> int:
        if low <= value <= high:
            return value
        raise fault(value)

    return test


def gap(table: StaticTable, beside: Iterable[StaticTable] = ()) -> NoReturn:
    """Fault: a table has no row for some keys, or none at all without the owner's file.

    Args:
        beside: All tables; those of the same file are listed together.
    """
    if table.missing:
        from rulekit.ir import missing_tables  # only the fault needs it

        more = missing_tables.describe(missing_tables.without_numbers(beside, table.missing))
        raise Fault("missing-data", texts.no_data(table), file=table.missing, more=more)
    raise Fault("no-row", texts.no_row(table.name))
