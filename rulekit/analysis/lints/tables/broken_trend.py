"""A cell of a table that alone breaks the trend of all others: perhaps a misprint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from math import prod

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import TableModel
from rulekit.compiler.typecheck.tables.boxes import TableCover
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.ir import types as t

FEWEST_CELLS, FEWEST_VALUES, SUPPORT = 12, 3, 10
"""Below the first two nothing is a trend; each step against it needs that many steps with it."""
MOST_CELLS = 20_000
Step = tuple[int, int]
"""Two rows that are neighbours along a key: their numbers, the lower key first."""


WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """A note a table; only keys that are numbers, months or odds have a trend."""
    compiled = rules.compiled
    for name, table in compiled.model.tables.items():
        if in_scope(compiled, table.decl.span):
            values = _values(compiled, name, table)
            suspects = _suspects(table, values) if values else []
            if suspects:
                yield _finding(name, table, suspects)


def _finding(name: str, table: TableModel, suspects: list[int]) -> Diagnostic:
    first, *others = [table.rows[number][0] for number in suspects]
    labels = tuple(Label(span, "or this") for span in others)
    message = f"this cell breaks the trend of `{name}`"
    hint = "check it against the booklet; if it is correct, accept this finding"
    return Diagnostic(kinds.BROKEN_TREND, message, first, labels, hint, key=(f"table {name}",))


def _values(compiled: Compiled, name: str, table: TableModel) -> Mapping[int, int]:
    """The result of each row, where it is a plain number."""
    static = compiled.model.statics.get(f"table:{name}")
    if static is None or not isinstance(static.type, t.Int):
        return {}
    sizes = [inside.bit_length() for inside in table.wanted]
    values: dict[int, int] = {}
    for number, (_, box) in enumerate(table.rows):
        at = 0
        for key, part, size in zip(table.keys, box, sizes, strict=True):
            type_ = table.params[key].type
            whole = type_.high - type_.low + 1 if isinstance(type_, t.Int | t.Month) else size
            if isinstance(type_, t.Member):
                whole = len(compiled.model.world.domains[type_.domain].members)
            at = at * whole + (part & -part).bit_length() - 1
        value = static.values[at] if at < len(static.values) else t.GAP
        if isinstance(value, int) and value != t.GAP:
            values[number] = value
    return values


def _suspects(table: TableModel, values: Mapping[int, int]) -> list[int]:
    """The cells each of which, with another value, would leave no step against the trend: two at most."""
    if len(values) < FEWEST_CELLS or len(set(values.values())) < FEWEST_VALUES:
        return []
    with_trend: list[Step] = []
    broken: list[Step] = []
    for steps in _steps(table, values):
        rises = [(a, b) for a, b in steps if values[a] < values[b]]
        falls = [(a, b) for a, b in steps if values[a] > values[b]]
        along = list(steps)
        if len(falls) > len(rises):
            along = [(b, a) for a, b in steps]
            rises, falls = [(b, a) for a, b in falls], [(b, a) for a, b in rises]
        if len(rises) >= SUPPORT * max(1, len(falls)):
            with_trend += along
            broken += falls
    if not broken:
        return []
    common = set.intersection(*({a, b} for a, b in broken))
    return sorted(cell for cell in common if _can_fit(cell, with_trend, values))


def _can_fit(cell: int, steps: list[Step], values: Mapping[int, int]) -> bool:
    """Whether some value of the cell fits between all its neighbours."""
    above = [values[b] for a, b in steps if a == cell]
    below = [values[a] for a, b in steps if b == cell]
    return not above or not below or max(below) <= min(above)


def _steps(table: TableModel, values: Mapping[int, int]) -> Iterator[set[Step]]:
    """For each key with an order, the rows that are neighbours along it while all other keys are the same."""
    cover = TableCover(tuple(box for _, box in table.rows), table.wanted, table.ordered)
    slabs = [cover.slabs(axis) for axis in range(len(table.wanted))]
    if prod(map(len, slabs)) > MOST_CELLS:
        return
    for axis, ordered in enumerate(table.ordered):
        if not ordered:
            continue
        steps: set[Step] = set()
        others = [slabs[other] for other in range(len(slabs)) if other != axis]
        for combination in product(*others):
            active = (1 << len(table.rows)) - 1
            for _, rows in combination:
                active &= rows
            line = [(active & rows).bit_length() - 1 for _, rows in slabs[axis] if active & rows]
            steps |= {(a, b) for a, b in pairwise(line) if a != b and {a, b} <= values.keys()}
        yield steps
