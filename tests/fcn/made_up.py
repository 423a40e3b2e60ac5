"""Counters of 1943 to 1945 with made-up values, in the form in which an owner would write them.

`python -m tests.fcn.made_up` writes them as the sampler of `rules/fcn`.  A test compares them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rulekit.diagnostics import Report
from rulekit.ruleset import read_data_file

FOLDER = Path(__file__).parents[2] / "rules" / "fcn"
SAMPLER = FOLDER / "sampler"
ABOUT = "made up for this encoding, and unlike the printed counters except in shape; `README.md` says how"

YEARS = (1943, 1944, 1945)
STRENGTHS = ("dogfight", "superior", "ship", "ground")
PLANE = (*STRENGTHS, *(f"hurt_{word}" for word in STRENGTHS))
GUNS = ("aaa", "superior", "surface", "depth")
SHIP = ("cost", "buy", *GUNS, *(f"hurt_{word}" for word in GUNS))
TYPES = {
    1943: ("A6M", "D3A", "B5N", "F6F", "SBD", "TBF"),
    1944: ("A6M", "D3A", "B5N", "F6F", "SB2C", "TBF"),
    1945: ("A6M", "D3A", "B5N", "F6F", "SB2C", "TBF"),
}


def owner_file(year: int) -> str:
    """Every table of that year, with a row for each counter that its campaign has."""
    ships = ([name, *_ship(kind)] for name, kind in counters("Ship", year))
    units = ([name, *_plane(name[-2:])] for name, _ in counters("AirUnit", year))
    foot = ([name, 1, 4, 2] for name, _ in counters("Infantry", year))
    planes = ([name, *_plane(name[-2:])] for name in TYPES[year])
    lines = ["format: 1", f"about: {ABOUT}", "tables:"]
    lines += _table(f"ship_values_{year}", ("ship", *SHIP), 1, ships)
    lines += _table(f"air_values_{year}", ("unit", "cost", *PLANE), 1, units)
    lines += _table(f"infantry_values_{year}", ("unit", "cost", "ground", "hurt_ground"), 1, foot)
    lines += _table(f"plane_values_{year}", ("type", "cost", *PLANE), 1, planes)
    lines += _table(f"points_{year}", ("points", "each_turn"), 1, (["Supply", 25], ["Reinforcement", 9]))
    return "\n".join(lines) + "\n"


def counters(population: str, year: int) -> Iterator[tuple[str, str]]:
    """The counters of a campaign: each with its type, if it is a ship."""
    file = read_data_file(FOLDER, "data/forces.yaml", Report())
    assert file is not None
    found = file.populations[population]
    for row in found.rows:
        cell = {column: cell.plain for column, cell in zip(found.columns, row.cells, strict=True)}
        start = cell["start"]
        assert isinstance(start, dict)
        if str(year - 1900) in {str(key) for key in start}:
            yield str(cell["name"]), str(cell.get("type", ""))


def _ship(kind: str) -> list[int]:
    """Cost, price and guns: carriers flak alone, the others guns, submarines torpedoes."""
    price = {"CV": 6, "CVL": 4, "CVE": 3, "BB": 4}.get(kind, 2)
    if kind.startswith("CV"):
        return [1, price, 4, 2, 0, 2, 2, 1, 0, 1]
    guns = [0, 0, 3, 1] if kind == "SS" else [3, 0, 4, 2]
    return [price, price, *guns, *(-(-value // 2) for value in guns)]


def _plane(ending: str) -> list[int]:
    """Fighters fight, the others bomb."""
    values = [6, 3, 0, 0] if ending in ("FG", "6F", "6M") else [0, 0, 4, 3]
    return [1, *values, *(-(-value // 2) for value in values)]


def _table(name: str, columns: Sequence[str], keys: int, rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield f"  {name}:"
    yield f"    keys: {keys}"
    yield f"    columns: [{', '.join(columns)}]"
    yield "    rows:"
    for row in rows:
        yield f"      - [{', '.join(map(str, row))}]"


def main() -> None:
    """Write the sampler."""
    for year in YEARS:
        (SAMPLER / f"{year}.yaml").write_text(owner_file(year), encoding="utf-8")


if __name__ == "__main__":
    main()
