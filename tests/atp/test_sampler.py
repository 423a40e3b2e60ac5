"""The sampler: its files say what the code beside this test makes, and it has what the rules ask for."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

import pytest

from rulekit.compiler.driver import Compiled
from tests.atp.sampler import FOLDER, Map, files
from tests.atp.sampler_counters import AIR, GROUND, NAVAL, POL
from tests.atp.sampler_map import SECOND_SHORES, around, drawn
from tests.atp.sampler_tables import BANDS, DICE, ODDS, tables


@pytest.mark.parametrize("name", ["map.yaml", "counters.yaml", "tables.yaml"])
def test_files_are_as_written(name: str) -> None:
    """`python -m tests.atp.sampler` writes them."""
    assert files()[name] == (FOLDER / name).read_text(encoding="utf-8")


def test_no_number_is_one_of_the_printed_map() -> None:
    """The booklet's numbers end with row 48 and column 53; columns from 70 on are ours, and row 99."""
    assert all(70 <= column <= 94 for _, column in drawn())
    assert {99} == {coordinate[0] for _, coordinate, _, _ in SECOND_SHORES.values()}


def test_hexes_touch_both_ways() -> None:
    """The drawing's own neighbours, with which hexsides are checked."""
    cells = drawn()
    assert 500 == len(cells)
    assert all(spot in set(around(other)) for spot in cells for other in around(spot) if other in cells)


def test_the_board_agrees_with_the_drawing(atp: Compiled) -> None:
    """The neighbours that rulekit works out are those of the drawing."""
    program, hexes = atp.program, Map()
    members = program.by_name.domains["space"].members
    neighbours = program.by_name.statics["Hex.neighbours"].values
    spots = {name.replace(" ", "_"): spot for spot, name in ((s, hexes.name(s)) for s in hexes.cells)}
    for name, spot in spots.items():
        mask = neighbours[members.index(name)]
        assert isinstance(mask, int)
        found = {members[n] for n in range(len(members)) if mask >> n & 1}
        assert {hexes.name(s).replace(" ", "_") for s in around(spot) if s in hexes.cells} == found


def test_a_unit_of_every_kind() -> None:
    """Each type, size and arm that rules name has a unit, and each nation a ground unit."""
    sizes = {size for _, _, size, *_ in GROUND}
    arms = {arm for _, _, _, arm, *_ in GROUND}
    nations = {nation for _, nation, *_ in GROUND}
    assert {"battalion", "regiment", "brigade", "division", "corps", "army"} == sizes
    assert {"infantry", "motorized", "armor", "parachute", "glider", "irregular"} == arms
    assert 15 == len(nations)
    types = {kind for _, _, kind, *_ in NAVAL}
    assert set("CV CVL CVE BB BC CA CL CLAA DD APD Type_T TR APA LCD LST Type_SB SS".split()) == types
    assert set("LSDT") <= {letter for _, _, _, _, bombers, *_ in AIR for letter in bombers}
    assert {"Japan": 12, "Allies": 20} == {
        side: sum(1 for _, one, *_ in POL if one == side) for side in ("Japan", "Allies")
    }


def test_results_grow_with_the_die_and_the_column() -> None:
    """Except on the defender's half of ground combat, where the columns run the other way."""
    for name, made in tables().items():
        if made.columns[:2] not in (("odds", "roll"), ("factors", "roll")):
            continue
        across = ODDS if made.columns[0] == "odds" else BANDS
        found = {(row[0], row[1]): _weight(row[2:]) for row in made.rows}
        for column in across:
            assert _rises([found[column, roll] for roll in DICE]), name
        columns = reversed(across) if name == "ground_defence" else across
        for roll, row in itertools.product(DICE, [list(columns)]):
            assert _rises([found[column, roll] for column in row]), name


WORDS: Mapping[object, int] = {"no_effect": 0, "damaged": 1, "sunk": 2}


def _weight(results: tuple[object, ...]) -> tuple[int, ...]:
    """Results as numbers; the losses on a deck count only while the ship floats."""
    first = WORDS.get(results[0])
    if first is not None:
        return (first,)
    return tuple(int(str(part) == "True") if isinstance(part, bool) else int(str(part)) for part in results)


def _rises(numbers: list[tuple[int, ...]]) -> bool:
    return all(sum(before) <= sum(after) for before, after in itertools.pairwise(numbers))


def test_every_file_says_that_it_is_made_up() -> None:
    """In its head, and by the confidence of all facts."""
    for text in files().values():
        assert re.search(r"^confidence: reconstructed$", text, re.MULTILINE)
        assert "made up for this encoding" in text
