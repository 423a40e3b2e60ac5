"""Addresses of cells, bits of flags and positions in tables, as Python text.

A key whose type allows values outside its domain is checked where it is used; every other key is
trusted, because the type checker has shown that it fits.
"""

from __future__ import annotations

from rulekit.ir import Const, Expr
from rulekit.ir.types import Int
from rulekit.runtime.codegen.expressions.writer import ADD, ATOM, MULTIPLY, Py, Writer, less
from rulekit.runtime.codegen.module_writer import padding_of
from rulekit.runtime.support.layout import Key


def cell(writer: Writer, state: str, keys: tuple[Expr, ...]) -> Py:
    """The address of a cell; `keys` lacks the last key of a flag state."""
    layout = writer.optimised.layout
    slots = layout.derived[state] if state in layout.derived else layout.slots[state]
    fixed, parts = slots.base, []
    for key, place in zip(keys, slots.keys, strict=True):
        number = constant(key, place)
        if number is not None:
            fixed += (number - place.low) * place.stride
            continue
        fixed -= place.low * place.stride
        value = _in_range(writer, key, place, state)
        parts.append(value.at(ADD) if place.stride == 1 else f"{value.at(MULTIPLY)} * {place.stride}")
    if not parts:
        return Py(str(fixed), ATOM)
    return less(Py(" + ".join(parts), ADD), -fixed)


def bit(writer: Writer, state: str, key: Expr) -> Py:
    """The bit of a flag state's last key."""
    bits = writer.optimised.layout.slots[state].bits
    assert bits is not None
    number = constant(key, bits)
    if number is not None:
        return Py(str(number - bits.low), ATOM)
    return less(_in_range(writer, key, bits, state), bits.low)


def row(writer: Writer, table: str, key: Expr, domain: str | tuple[int, int]) -> str:
    """The position of a key within its level of a table."""
    if isinstance(domain, str):
        return writer.text(key)
    low, high = domain
    shift = low - padding_of(low)
    if isinstance(key, Const) and isinstance(key.value, int) and low <= key.value <= high:
        return str(key.value - shift)
    if not writer.optimised.facts.fits(key, domain):
        return less(Py(f"{writer.unit.chart_check(table, low, high)}({writer.text(key)})", ATOM), shift).text
    return less(writer.value(key), shift).text


def constant(key: Expr, place: Key) -> int | None:
    """A key known now that lies in its domain."""
    if isinstance(key, Const) and isinstance(key.value, int):
        domain = place.domain
        if isinstance(domain, str) and key.value >= 0:
            return int(key.value)
        if isinstance(domain, tuple) and domain[0] <= key.value <= domain[1]:
            return int(key.value)
    return None


def _in_range(writer: Writer, key: Expr, place: Key, state: str) -> Py:
    """A key as a value, checked where its type allows too much."""
    domain = place.domain
    if isinstance(domain, tuple) and not writer.optimised.facts.fits(key, domain):
        tested = writer.unit.range_check(f"a key of `{state}`", Int(*domain))
        return Py(f"{tested}({writer.text(key)})", ATOM)
    return writer.value(key)
