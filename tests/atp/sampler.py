"""Writes the sampler of `rules/atp`: `python -m tests.atp.sampler`. A test compares them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rulekit.ir.missing_tables import yaml_cell
from tests.atp import sampler_counters as counters
from tests.atp import sampler_map as drawing
from tests.atp.sampler_map import Spot
from tests.atp.sampler_tables import tables

FOLDER = Path(__file__).parents[2] / "rules" / "atp" / "sampler"
ABOUT = "made up for this encoding, and unlike the printed game except in shape; `README.md` says how"

HEX = (
    "name", "title", "coordinate", "terrain", "territory", "coastal", "reef", "airfield", "anchorage",
    "resource",
    "west", "oil", "mountains", "rivers", "walls", "straits", "shut", "ledo_road", "kokoda_trail",
    "shore_of",
    "joins", "parted",
)  # fmt: skip
ENTRY = ("arrives", "posts", "lands")
GROUND = ("name", "nation", "size", "arm", "cel", "factor", "moves", "anchor", *ENTRY)
NAVAL = (
    "name",
    "nation",
    "type",
    "bombard",
    "torpedo",
    "capacity",
    "flak",
    "defence",
    "cel",
    "range",
    *ENTRY,
)
AIR = (
    "name", "nation", "attack", "bombs", "bombers", "defence", "range", "cel", "carrier", "flying_boat",
    "transport",
    "ship", *ENTRY,
)  # fmt: skip


def cell(value: object) -> str:
    """A cell of a data file."""
    match value:
        case None:
            return "~"
        case bool():
            return str(value).lower()
        case list() | tuple():
            return f"[{', '.join(map(cell, value))}]"
        case int():
            return str(value)
    text = str(value)
    return f"'{text}'" if text.isdigit() else yaml_cell(text)


def rows(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of rows."""
    for row in rows:
        yield f"      - [{', '.join(map(cell, row))}]"


def population(name: str, columns: Sequence[str], members: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of a population."""
    yield f"  {name}:"
    yield f"    columns: [{', '.join(columns)}]"
    yield "    rows:"
    yield from rows(members)


def head(about: str) -> list[str]:
    """The first lines of a file."""
    return ["format: 1", "about: >-", f"  {about}:", f"  {ABOUT}.", "confidence: reconstructed"]


# ------------------------------------------------------------------------------ map


class Map:
    """The hexes of the drawing with all that is listed beside it."""

    def __init__(self) -> None:
        self.cells = drawing.drawn()
        self.names = {spot: name for name, spot in drawing.PLACES.items()}
        second = drawing.SECOND_SHORES.values()
        self.joins: dict[Spot, list[str]] = {}
        self.parted: dict[Spot, list[str]] = {}
        for name, (main, _, lands, seas) in zip(drawing.SECOND_SHORES, second, strict=True):
            whole = drawing.PLACES[main]
            for spot in [*(drawing.PLACES[one] if isinstance(one, str) else one for one in lands), *seas]:
                if spot != whole:
                    self.joins.setdefault(spot, []).append(name)
                    self.parted.setdefault(spot, []).append(main)
                    self.parted.setdefault(whole, []).append(self.name(spot))

    def name(self, spot: Spot) -> str:
        """A hex's name; its coordinate, if it has none."""
        return self.names.get(spot, coordinate(spot))

    def is_sea(self, spot: Spot) -> bool:
        """Whether a hex is all sea; off the map nothing is."""
        return self.cells.get(spot, "").startswith("..")

    def across(self, sides: Iterable[tuple[str | Spot, str | Spot]]) -> dict[Spot, list[str]]:
        """The hexes across some hexsides, for each hex."""
        found: dict[Spot, list[str]] = {}
        for pair in sides:
            one, other = (drawing.PLACES[end] if isinstance(end, str) else end for end in pair)
            assert other in drawing.around(one), pair
            found.setdefault(one, []).append(self.name(other))
            found.setdefault(other, []).append(self.name(one))
        return found

    def hexes(self) -> Iterator[tuple[object, ...]]:
        """A row for each hex, then one for each second shore."""
        sides = [
            self.across(pairs)
            for pairs in (
                drawing.MOUNTAINS, drawing.RIVERS, drawing.WALLS, drawing.STRAITS, drawing.SHUT,
                [*zip(drawing.LEDO_ROAD, drawing.LEDO_ROAD[1:], strict=False)],
                [*zip(drawing.KOKODA_TRAIL, drawing.KOKODA_TRAIL[1:], strict=False)],
            )
        ]  # fmt: skip
        for spot, drawn in self.cells.items():
            own = [sorted(of.get(spot, ())) for of in sides]
            joins = [sorted(of.get(spot, ())) for of in (self.joins, self.parted)]
            yield (*self._own(spot, drawn), *own, None, *joins)
        yield from self._second_shores()

    def _own(self, spot: Spot, drawn: str) -> tuple[object, ...]:
        name = self.names.get(spot)
        if self.is_sea(spot):
            reef = drawn == "..r"
            return (coordinate(spot), None, None, "sea", "Ocean", False, reef, False, False, False, False, 0)
        return (
            name or coordinate(spot),
            None,
            coordinate(spot) if name else None,
            drawing.TERRAINS[drawn[2]],
            drawing.TERRITORIES[drawn[:2]],
            any(map(self.is_sea, drawing.around(spot))),
            False,
            name is not None and name not in drawing.NO_AIRFIELD,
            name is not None
            and name not in drawing.NO_ANCHORAGE
            and any(map(self.is_sea, drawing.around(spot))),
            name in drawing.RESOURCES,
            spot[1] in drawing.WEST.get(spot[0], ()) and drawn[:2] in ("CH", "NC"),
            drawing.OIL.get(name or "", 0),
        )

    def _second_shores(self) -> Iterator[tuple[object, ...]]:
        for name, (main, at, lands, seas) in drawing.SECOND_SHORES.items():
            drawn = self.cells[drawing.PLACES[main]]
            land = lands != [main]
            terrain = drawing.TERRAINS[drawn[2]] if land else "sea"
            territory = (
                drawing.TERRITORIES[self.cells[drawing.PLACES[str(lands[0])]][:2]] if land else "Ocean"
            )
            joins = sorted(one if isinstance(one, str) else self.name(one) for one in [*lands, *seas])
            own = (name, None, coordinate(at), terrain, territory, land, *[False] * 5, 0)
            yield (*own, *[[]] * 7, main, [one for one in joins if one != main], [])


def coordinate(spot: Spot) -> str:
    """The number of a hex, row before column."""
    return f"{spot[0]:02}{spot[1]:02}"


# ------------------------------------------------------------------------------ files


def files() -> dict[str, str]:
    """The text of each file, by its name."""
    return {"map.yaml": _map(), "counters.yaml": _counters(), "tables.yaml": _tables()}


def _map() -> str:
    hexes = ([*row[:5], *(part or None for part in row[5:])] for row in Map().hexes())
    lines = [*head("a map of a folded ocean"), "populations:", *population("Hex", HEX, hexes)]
    return "\n".join(lines) + "\n"


def _counters() -> str:
    lines = [*head("counters and markers"), "populations:"]
    lines += population("Ground", GROUND, ((*row[:-1], *row[-1]) for row in counters.GROUND))
    lines += population("Naval", NAVAL, ((*row[:-1], *row[-1]) for row in counters.NAVAL))
    lines += population("Air", AIR, map(_air, counters.AIR))
    lines += population(
        "Pilots", ("name", "cel", "carrier", *ENTRY), ((*r[:-1], *r[-1]) for r in counters.PILOTS)
    )
    lines += population(
        "Pol", ("name", "side", "commonwealth", *ENTRY), ((*r[:-1], *r[-1]) for r in counters.POL)
    )
    return "\n".join(lines) + "\n"


def _air(row: tuple[object, ...]) -> tuple[object, ...]:
    *start, marks, ship, entry = row
    name, nation, attack, bombs, bombers, defence, reach, cel = start
    flags = (mark in str(marks) for mark in "cft")
    assert isinstance(entry, tuple)
    return (name, nation, attack, bombs, list(str(bombers)), defence, reach, cel, *flags, ship, *entry)


def _tables() -> str:
    lines = [*head("a terrain chart and combat tables"), "tables:"]
    for name, made in tables().items():
        lines += [f"  {name}:", f"    note: {cell(made.about)}", f"    keys: {made.keys}"]
        lines += [f"    columns: [{', '.join(made.columns)}]", "    rows:", *rows(made.rows)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for file, text in files().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
