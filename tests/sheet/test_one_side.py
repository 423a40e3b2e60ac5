"""A side's card: what only other sides do or have is not on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from rulekit.reports.sheet.content.build import Request
from rulekit.reports.sheet.model.document import (
    Counters,
    Outline,
    Roster,
    Runs,
    Sheet,
    SheetError,
    TableBlock,
)
from tests.sheet.helpers import sheet

SIDES = {"vitp": ("Japan", "Allies"), "fcn": ("US", "Japan")}


@cache
def card(name: str, side: str) -> Sheet:
    """The sheet of a shipped set for a side."""
    return sheet(name, request=Request(side=side))


def steps(found: Sheet) -> list[str]:
    """The steps of the sequence, with their numbers."""
    outline = next(block for block in found.blocks if block.head.id == "sequence")
    assert isinstance(outline, Outline)
    return [f"{line.number} {line.title[0].text}" for line in outline.lines]


def marked(found: Sheet) -> Iterator[Runs]:
    """The texts whose marks say whose something is: of pieces, of columns, and of rows of tables."""
    for block in found.blocks:
        if isinstance(block, Roster):
            yield from block.columns
            yield from (title for title, _ in block.rows)
            yield from (stand.title for _, stands in block.rows for stand in stands)
        elif isinstance(block, TableBlock):
            yield from (row.cells[0] for row in block.rows if row.cells)


def of_sides(texts: Iterator[Runs]) -> set[str]:
    """The marks of sides in some texts."""
    return {run.text for runs in texts for run in runs if run.kind == "side"}


def test_steps_of_the_other_side_are_left_out() -> None:
    """Those of both, and those that nobody decides, stay."""
    whole, japan, allies = steps(sheet("vitp")), steps(card("vitp", "Japan")), steps(card("vitp", "Allies"))

    assert {"5.34 Japan fires"} <= set(japan) - set(allies)
    assert {"5.35 The Allies fire"} <= set(allies) - set(japan)
    assert {"5.22 Air units", "5.71 Control", "5.38 Everything else waits"} <= set(allies) & set(japan)
    assert set(whole) == set(allies) | set(japan)


@pytest.mark.parametrize(
    "name, number, side", [(n, i, s) for n, two in SIDES.items() for i, s in enumerate(two)]
)
def test_what_the_other_side_has_is_left_out(name: str, number: int, side: str) -> None:
    """Pieces, counters, columns and rows; what has no mark stays, and so does what is left without loss."""
    found = card(name, side)
    counters = [
        counter
        for block in found.blocks
        if isinstance(block, Counters)
        for _, group, _ in block.groups
        for counter in group
    ]

    assert of_sides(marked(found)) <= {str(number)}
    assert {counter.side for counter in counters} <= {None, number}
    assert {"0", "1"} == of_sides(marked(sheet("vitp")))
    assert side in found.title


def test_both_cards_have_all_counters() -> None:
    """None is lost between them."""

    def names(found: Sheet) -> set[str]:
        blocks = (block for block in found.blocks if isinstance(block, Counters))
        return {one.name for block in blocks for _, group, _ in block.groups for one in group}

    assert names(sheet("fcn")) == names(card("fcn", "US")) | names(card("fcn", "Japan"))


def test_a_side_by_its_title_in_any_case_and_an_unknown_one() -> None:
    """As typed; what is meant is suggested."""
    assert card("vitp", "allies") == card("vitp", "Allies")
    with pytest.raises(SheetError, match="unknown side `Alies`; did you mean `Allies`"):
        card("vitp", "Alies")
