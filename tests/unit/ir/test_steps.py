"""Steps by a fixed relation are worked out when they are looked up."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise, product
from pathlib import Path

import pytest

from benchmarks.growth import write_map
from rulekit import load
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import serial
from rulekit.ir.semantics.work import Work
from rulekit.ir.steps import MOST_ALL_KEPT, Steps, Ways, reach_of, reached_at_cost, touched_together
from rulekit.ir.types import GAP, NONE
from rulekit.runtime.codegen.module_writer import STEPS_AT_ONCE, nest


def fewest(relation: list[int], start: int, end: int) -> int:
    """The steps from one member to another, found by trying every way a step longer."""
    reached, steps = {start}, 0
    while end not in reached:
        further = reached | {to for at in reached for to in range(len(relation)) if relation[at] >> to & 1}
        if further == reached:
            return NONE
        reached, steps = further, steps + 1
    return steps


@pytest.mark.parametrize("seed", range(20))
def test_the_reach_of_a_member_is_all_within_so_many_steps(seed: int) -> None:
    """The fewest steps to them are no more; a start outside the mask reaches into it."""
    draw = random.Random(seed)
    size = draw.randint(2, 9)
    relation = [draw.getrandbits(size) & draw.getrandbits(size) for _ in range(size)]
    everyone = (1 << size) - 1
    for start, most in product(range(size), range(4)):
        near = [end for end in range(size) if 0 <= fewest(relation, start, end) <= most]
        assert sum(1 << end for end in near) == reach_of(relation, everyone, start, most)
        others = everyone & ~(1 << start)
        assert reach_of(relation, others, start, 1) == relation[start] & others


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_the_fewest_steps(seed: int) -> None:
    """Whatever the relation: one-way, with members out of reach, with members beside themselves."""
    draw = random.Random(seed)
    size = draw.randint(1, 12)
    relation = [draw.getrandbits(size) & draw.getrandbits(size) for _ in range(size)]
    expected = tuple(fewest(relation, a, b) for a in range(size) for b in range(size))

    assert expected == tuple(Steps(relation)) == Steps(relation)[:]


@pytest.mark.parametrize("seed", range(20))
def test_the_way_is_the_first_of_the_shortest(seed: int) -> None:
    """Of all ways with the fewest steps the first in order, both ends included; none where no way leads."""
    draw = random.Random(seed)
    size = draw.randint(1, 6)
    relation = [draw.getrandbits(size) & draw.getrandbits(size) for _ in range(size)]
    for start, goal in product(range(size), repeat=2):
        steps = fewest(relation, start, goal)
        inner = product(range(size), repeat=max(steps - 1, 0))
        ways = [(start, *way, goal)[: steps + 1] for way in inner if steps != NONE]
        led = [way for way in ways if all(relation[a] >> b & 1 for a, b in pairwise(way))]
        assert min(led, default=()) == Ways(relation)[start * size + goal]


def test_members_without_the_field_touch_nothing() -> None:
    """A space of another kind has no such relation."""
    assert [0, 1, NONE, 0] == list(Steps((0b10, GAP)))


def test_a_row_is_worked_out_when_it_is_looked_up() -> None:
    """And none else; members that are not there have no row."""
    steps = Steps([0b10, 0b01])
    assert 1 == steps[1]
    assert [0] == list(steps.rows)
    for wrong in (NONE, -1, 2):
        with pytest.raises(IndexError):
            steps.rows[wrong]


def test_rows_kept_are_bounded() -> None:
    """A domain beyond the bound works some rows out anew, and look-ups then count for a row."""
    size = 2 * MOST_ALL_KEPT
    steps = Steps([0] * size)
    for start in range(size):
        assert 0 == steps.rows[start][start]
    assert len(steps.rows) <= MOST_ALL_KEPT // 2


def test_a_program_holds_no_steps(tmp_path: Path) -> None:
    """A large map loads without them; what is written is the name of the relation."""
    write_map(tmp_path, 2 * STEPS_AT_ONCE, 5)
    program = compile_rule_set(tmp_path, Report()).program
    (written,) = [table for table in program.statics if table.steps_by]
    (read,) = [table for table in serial.from_json(serial.to_json(program)).statics if table.steps_by]
    assert (written, "Hex.near", ()) == (read, read.steps_by, read.values)

    table = program.by_name.statics[written.name]
    rows = nest(table, program.by_name.sizes)
    assert {} == rows
    assert (rows[3][7], list(rows)) == (table.values[3 * 2 * STEPS_AT_ONCE + 7], [3])
    assert 0 < Work(program).function("apart") < 20
    assert load(tmp_path).start(seed=1).decision is None


@pytest.mark.parametrize("seed", range(60))
def test_members_reached_at_a_cost(seed: int) -> None:
    """As by trying every step until no way becomes cheaper; some steps cost nothing, or are closed."""
    draw = random.Random(seed)
    size, most = draw.randint(1, 10), draw.randint(0, 12)
    over, start = draw.getrandbits(size), draw.getrandbits(size)
    costs = {(a, b): draw.choice((None, None, 0, 1, 2, 5)) for a in range(size) for b in range(size)}
    asked: list[int] = []

    def steps(at: int) -> list[int]:
        asked.append(at)
        return [sum(1 << b for b in range(size) if costs[at, b] == cost) for cost in range(6)]

    cheapest = {at: 0 for at in range(size) if start >> at & 1}
    for _ in range(size):
        for (a, b), cost in costs.items():
            if a in cheapest and cost is not None and over >> b & 1:
                cheapest[b] = min(cheapest.get(b, 1000), cheapest[a] + cost)
    near = sorted(at for at, cost in cheapest.items() if cost <= most)

    touched = partial(touched_together, steps=steps)
    assert sum(1 << at for at in near) & over == reached_at_cost(over, start, most, touched)
    assert near == sorted(asked)
    assert sorted(asked, key=cheapest.__getitem__) == asked


@pytest.mark.parametrize("seed", range(60))
def test_members_closed_to_all_steps(seed: int) -> None:
    """They may be left out of where one goes, if those at the start are put back."""
    draw = random.Random(seed)
    size, most = draw.randint(1, 10), draw.randint(0, 12)
    over, start, closed = (draw.getrandbits(size) for _ in range(3))
    rows = [[draw.getrandbits(size) & draw.getrandbits(size) for _ in range(4)] for _ in range(size)]

    opened = partial(touched_together, steps=lambda at: [row & ~closed for row in rows[at]])
    whole = partial(touched_together, steps=rows.__getitem__)

    without = reached_at_cost(over, start, most, opened)
    assert without == reached_at_cost(over & ~closed, start, most, whole) | start & over
