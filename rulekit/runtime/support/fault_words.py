"""Messages of faults in the rules' own names; nothing here runs unless there is a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from rulekit.base.bits import members
from rulekit.ir import Param, Program, StaticTable
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
        return _cell(self.layout.owner(address).state.name, self._keys(address))

    def _keys(self, address: int) -> list[Any]:
        values = self.layout.keys_of(address)
        return Naming(self.program).keys(self.layout.owner(address).state.keys[: len(values)], values)

    def contrary(self, address: int, mask: int) -> str:
        """The message for members of a set, or flags, that are on and off at once."""
        slots, naming = self.layout.owner(address), Naming(self.program)
        if slots.bits is None:
            both = _and_list(naming.to_json(slots.state.type, mask))
            return f"{self.cell(address)} has {both} both added and removed"
        bit = next(iter(members(mask))) + slots.bits.low
        keys = [*self._keys(address), *naming.keys((slots.bits.domain,), (bit,))]
        return f"{_cell(slots.state.name, keys)} is both marked and unmarked"

    def member(self, domain: str, number: int) -> str:
        """A member of a domain."""
        return f"`{Naming(self.program).member(domain, number)}`"

    def value(self, kind: Type, value: Any) -> str:
        """A value of a type."""
        return f"`{in_plain_text(Naming(self.program).to_json(kind, value))}`"

    def call(self, name: str, params: tuple[Param, ...], values: tuple[Any, ...]) -> str:
        """A choice or procedure with its arguments: `` `retreat(Alpha)` ``."""
        naming = Naming(self.program)
        shown = [naming.to_json(param.type, value) for param, value in zip(params, values, strict=False)]
        return f"`{name}({', '.join(map(in_plain_text, shown))})`" if shown else f"`{name}`"

    def cause(self, site: int) -> str:
        """The rule around a place: `` `landing` [TEXT.3.1] ``."""
        at = self.program.sites[site]
        return f"`{at.owner}`" + (f" [{', '.join(at.rules)}]" if at.rules else "")


def range_test(what: str, kind: Int | Month) -> Callable[[int], int]:
    """A function that gives back a number within the range, and faults for others."""
    return _test(kind.low, kind.high, lambda value: out_of_range(what, kind, value))


def chart_test(table: str, low: int, high: int) -> Callable[[int], int]:
    """A function that gives back a number that is one of a table's keys, and faults for others."""
    keys = f"its keys are {low}..{high}"
    return _test(
        low, high, lambda value: Fault("no-row", f"`{_table(table)}` has no row for {value}: {keys}")
    )


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
    name = _table(table.name)
    if table.missing:
        from rulekit.ir import missing_tables  # only the fault needs it

        message = f"`{name}` needs owner data: the file `{table.missing}` is missing"
        more = missing_tables.describe(missing_tables.without_numbers(beside, table.missing))
        raise Fault("missing-data", message, file=table.missing, more=more)
    raise Fault("no-row", f"`{name}` has no row for these keys")


def _table(name: str) -> str:
    """The name of a table in the rules."""
    return name.removeprefix("table:")


def _cell(state: str, keys: list[Any]) -> str:
    """A cell by its keys; a field is called without its kind, which the key tells."""
    return f"`{state.rpartition('.')[2]}` of {_and_list(keys)}" if keys else f"`{state}`"


def _and_list(names: list[Any]) -> str:
    return " and ".join(f"`{name}`" for name in names)
