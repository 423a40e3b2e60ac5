"""A made-up owner's copy of full size: 3,000 hexes and 500 units, the sampler in a corner of a wide ocean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from tests.atp import sampler
from tests.atp import sampler_counters as counters

Row = tuple[object, ...]

ROWS, COLUMNS = range(5, 55), range(35, 95)
ISLANDS = 17
"""Of so many hexes of the ocean one is an island with an airfield and an anchorage."""
MORE = {"Ground": 140, "Naval": 80, "Air": 49}
"""Units beyond those of the sampler."""


def write(folder: Path) -> list[Path]:
    """Write the three files of an owner, as `rulekit show owner` asks for them."""
    texts = sampler.files()
    texts["map.yaml"] += "\n".join(sampler.rows(_ocean())) + "\n"
    texts["counters.yaml"] = _counters(texts["counters.yaml"])
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def _ocean() -> Iterator[Sequence[object]]:
    """The hexes that the sampler's map lacks."""
    taken = sampler.Map().cells
    for number, spot in enumerate((row, column) for row in ROWS for column in COLUMNS):
        if spot not in taken:
            island = number % ISLANDS == 0
            terrain, territory = ("clear", "Other_Islands") if island else ("sea", "Ocean")
            own = (sampler.coordinate(spot), None, None, terrain, territory, island, None, island, island)
            yield [*own, *[None] * (len(sampler.HEX) - len(own))]


def _counters(text: str) -> str:
    """The sampler's counters, and more of each kind at the end of its rows."""
    for name, last in (("Ground", "  Naval:"), ("Naval", "  Air:"), ("Air", "  Pilots:")):
        rows = "\n".join(sampler.rows(islice(_more(name), MORE[name])))
        text = text.replace(f"\n{last}\n", f"\n{rows}\n{last}\n")
    return text


def _more(name: str) -> Iterator[Sequence[object]]:
    """Copies of the sampler's units without end; they come on turns 2 to 9, where their first one comes."""
    printed: dict[str, Sequence[Row]] = {
        "Ground": [(*row[:-1], *_entry(row)) for row in counters.GROUND],
        "Naval": [(*row[:-1], *_entry(row)) for row in counters.NAVAL],
        "Air": [(*row[:8], False, False, False, None, *_entry(row)) for row in _planes()],
    }
    for number, row in enumerate(cycle(printed[name])):
        arrives, posts, lands = row[-3:]
        yield (f"{row[0]} / {number}", *row[1:-3], 2 + number % 8, posts, lands)


def _entry(row: Row) -> Row:
    entry = row[-1]
    assert isinstance(entry, tuple)
    return entry


def _planes() -> Iterator[Row]:
    for row in counters.AIR:
        yield (*row[:4], list(str(row[4])), *row[5:])
