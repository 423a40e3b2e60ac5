"""Gaps and overlaps of tables, beside the slow way: every combination of keys looked at."""

from __future__ import annotations

from itertools import combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.compiler.typecheck.tables.boxes import Box, TableCover, inside, of_positions, runs, volume

SIZE = 5
WHOLE = (1 << SIZE) - 1

masks = st.integers(1, WHOLE)
stretches = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)).map(
    lambda ends: of_positions(range(min(ends), max(ends) + 1))
)


@st.composite
def covers(draw: st.DrawFn) -> TableCover:
    """Up to six rows over one to three keys, with an order or without."""
    keys = draw(st.integers(1, 3))
    ordered = tuple(draw(st.booleans()) for _ in range(keys))
    parts = [stretches if each else masks for each in ordered]
    rows = tuple(tuple(draw(part) for part in parts) for _ in range(draw(st.integers(0, 6))))
    return TableCover(rows, tuple(draw(part) for part in parts), ordered)


def cells(box: Box) -> set[tuple[int, ...]]:
    """Every combination in a box."""
    return set(product(*([n for n in range(SIZE) if part >> n & 1] for part in box)))


@settings(max_examples=300, deadline=None)
@given(covers())
def test_gaps_are_what_no_row_covers(cover: TableCover) -> None:
    """All of it, in boxes that do not meet; grown, a gap stays one."""
    covered = set().union(*map(cells, cover.rows))
    gaps = cover.gaps()

    assert cells(cover.wanted) - covered == set().union(*map(cells, gaps))
    assert sum(map(volume, gaps)) == len(set().union(*map(cells, gaps)))
    for gap in gaps:
        grown = cover.grown(gap)
        assert inside(gap, grown)
        assert set() == cells(grown) & covered
        assert cells(grown) <= cells(cover.wanted)


@settings(max_examples=300, deadline=None)
@given(covers())
def test_overlaps_are_what_two_rows_cover(cover: TableCover) -> None:
    """Every pair of rows that meet where something is wanted, with all that both cover."""
    expected = {
        (one, other): cells(cover.rows[one]) & cells(cover.rows[other])
        for one, other in combinations(range(len(cover.rows)), 2)
    }
    found = {(one, other): cells(box) for one, other, box in cover.overlaps()}

    meeting = {pair: both for pair, both in expected.items() if both & cells(cover.wanted)}
    assert meeting == {pair: both for pair, both in found.items() if both & cells(cover.wanted)}


@settings(max_examples=300, deadline=None)
@given(covers(), st.data())
def test_a_moved_edge_mends_all_of_it(cover: TableCover, data: st.DataObject) -> None:
    """Whatever edit is named, nothing is missing there after it, and nothing that was whole is double."""
    gaps = cover.gaps()
    if not gaps or not cover.rows:
        return
    group = [gaps[n] for n in data.draw(st.sampled_from(cover.groups(gaps)))]
    number = data.draw(st.integers(0, len(cover.rows) - 1))
    for axis, position, begins in cover.edge_moves(group, number, gap=True):
        row = cover.rows[number]
        ((low, high),) = runs(row[axis])
        ends = (position, high) if begins else (low, position)
        moved = (*row[:axis], of_positions(range(ends[0], ends[1] + 1)), *row[axis + 1 :])
        added = cells(moved) - cells(row)
        assert set().union(*map(cells, group)) == added


@given(st.integers(0, 1 << 12))
def test_runs_are_the_stretches_of_a_mask(mask: int) -> None:
    """Put together they are the mask again, and no two touch."""
    found = list(runs(mask))

    assert mask == sum(of_positions(range(low, high + 1)) for low, high in found)
    assert all(a[1] + 1 < b[0] for a, b in zip(found, found[1:], strict=False))


def test_a_misread_edge_is_named() -> None:
    """One that leaves a gap, and one that covers too much."""
    rows = [((0, 2), (4, 8)), ((0, 4), (4, 8))]
    gap, overlap = (
        TableCover(tuple((of_positions(range(a, b + 1)),) for a, b in each), (511,), (True,)) for each in rows
    )

    assert [(0, 3, False)] == list(gap.edge_moves(gap.gaps(), 0, gap=True))
    assert [(0, 3, True)] == list(gap.edge_moves(gap.gaps(), 1, gap=True))
    double = [box for _, _, box in overlap.overlaps()]
    assert [(0, 3, False)] == list(overlap.edge_moves(double, 0, gap=False))
    assert [(0, 5, True)] == list(overlap.edge_moves(double, 1, gap=False))
