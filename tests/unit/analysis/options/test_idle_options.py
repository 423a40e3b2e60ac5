"""An option that changes definitions alone, whose results the data of the set leave as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis.check import check
from tests.unit.analysis.options.sets import made

BASE = """enum Side: Red, Blue
piece Plane:
    members Scout, Bomber
    engine: 1..4 = (4 when it is Bomber otherwise 1)
    strength: 0..9 = 3
    state lost: 0..1
state turn: 1..9 = 1
define rating(p: Plane) -> 0..9: p.strength
define points(p: Plane) -> 0..9: smaller(rating(p), 1 - p.lost)
sequence play:
    for each p in Plane:
        when points(p) > 0: set turn to 2
"""
OPTION = """option heavy:
    redefine define rating:
        when {}: {}
        otherwise: original(p)
"""


def idle(folder: Path) -> list[str]:
    """The messages about options without effect."""
    return [one.message for one in check(folder, each_option=True).diagnostics if one.kind.code == "RK243"]


def test_no_datum_gives_the_option_an_effect(tmp_path: Path) -> None:
    """Every plane has one step, so that its points stay; only `--all-options` asks."""
    folder = made(tmp_path, {"heavy": OPTION.format("p.engine = 4", "2")}, base=BASE)

    assert ["`heavy` has no effect with the data of the set: `points` always has the same result"] == idle(
        folder
    )
    assert "RK243" not in {one.kind.code for one in check(folder).diagnostics}


@pytest.mark.parametrize(
    "text",
    [
        OPTION.format("p.engine = 4", "0"),
        OPTION.format("p.engine = 1", "0"),
        OPTION.format("p.engine = 4", "2") + "    insert after [1]: set turn to 3\n",
        OPTION.format("turn = 9", "0"),
    ],
    ids=["a result differs", "for another plane", "it changes more", "in one situation"],
)
def test_an_option_with_an_effect_is_not_reported(tmp_path: Path, text: str) -> None:
    """One plane, one situation, or one other amendment suffices."""
    base = BASE.replace("for each p in Plane:", "for each p in Plane:    [1]")

    assert [] == idle(made(tmp_path, {"heavy": text}, base=base))
