"""The tables of the corpus as plain rows of numbers, for peers that have tables."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.faults import Case, Set, cases
from rulekit.compiler.driver import compile_rule_set
from rulekit.compiler.typecheck.tables import tables as tables_
from rulekit.diagnostics import Report, RulesError

KINDS = ("RK401", "RK402", "RK403")


@dataclass(frozen=True, slots=True)
class Row:
    """Which values of each key it covers, and the number of its result."""

    keys: tuple[tuple[int, ...], ...]
    result: int


@dataclass(frozen=True, slots=True)
class Table:
    """Keys are called `k1`, `k2`, ...; the values of each are numbered from 1, and so are the results.

    `ordered` tells of each key whether its values have an order.
    """

    sizes: tuple[int, ...]
    ordered: tuple[bool, ...]
    rows: tuple[Row, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"k{number}" for number in range(1, len(self.sizes) + 1))

    def inputs(self) -> Iterator[dict[str, int]]:
        """Combinations of keys: of those that no row tells apart one."""
        values = [
            {tuple(value in row.keys[axis] for row in self.rows): value for value in range(size, 0, -1)}
            for axis, size in enumerate(self.sizes)
        ]
        for each in itertools.product(*(sorted(alike.values()) for alike in values)):
            yield dict(zip(self.names, each, strict=True))


@cache
def tables() -> dict[str, tuple[Table, Table]]:
    """The faulty table and its twin of every case that is one table and needs no option."""
    found = {}
    for case in cases():
        if case.kind in KINDS and not any(path.startswith("options/") for path in case.faulty.files):
            found[f"{case.kind}/{case.name}"] = _pair(case)
    return found


def _pair(case: Case) -> tuple[Table, Table]:
    return _table(case.faulty), _table(case.twin)


def _table(rules: Set) -> Table:
    """The table of a set, as the compiler has its rows."""
    seen: list[Table] = []

    def note(ctx: Any, decl: Any, shape: Any, lines: Any, *, whole: bool) -> None:
        cover = shape.cover(lines)
        values = [[n for n in range(wanted.bit_length()) if wanted >> n & 1] for wanted in cover.wanted]
        results: dict[str, int] = {}
        rows = []
        for line, box in zip(lines, cover.rows, strict=True):
            keys = tuple(
                tuple(number for number, value in enumerate(of, 1) if part >> value & 1)
                for of, part in zip(values, box, strict=True)
            )
            text = str([(c.kind, c.low, c.high, [name.text for name in c.names]) for c in line.cells])
            rows.append(Row(keys, results.setdefault(text, len(results) + 1)))
        seen.append(Table(tuple(map(len, values)), cover.ordered, tuple(rows)))

    with tempfile.TemporaryDirectory() as name, mock.patch.object(tables_, "report_cover", note):
        rules.write(Path(name))
        try:
            compile_rule_set(Path(name), Report())
        except RulesError:
            pass
    (made,) = seen
    return made
