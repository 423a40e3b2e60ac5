"""The map as whole operations need it, worked out once; hexes are numbers here."""

from __future__ import annotations

from benchmarks.plain_night.chart import ALLIES, JAPAN, Chart, Row

LINK_POINTS = {"clear": 1, "atoll": 1, "none_at_all": 1, "mixed": 2, "mountain": 3}
SOURCES = {
    "Tokyo": JAPAN, "Osaka": JAPAN,
    "Oahu": ALLIES, "Calcutta": ALLIES, "Brisbane": ALLIES, "Noumea": ALLIES, "Chungking": ALLIES,
}  # fmt: skip
UNPRINTED_CAPACITY = 6
FARTHEST_SAIL = 6

Steps = list[list[tuple[int, int]]]


class Board:
    """What the map never changes.

    Attributes:
        links: From each hex, the hexes to which a command link goes on, with the points each takes.
        marches: The same for troops: a point along a road, two across country.
        sea_ways: Neighbours that ships can enter.
        reach: For each hex, where a force comes in 0, 1, ... 6 steps, in order.
        before: For each hex, the last step but one of the way from it to every hex that a force can reach.
    """

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        rows: list[Row] = list(chart.counters["Hex"].values())
        self.port = [row["port"] for row in rows]
        self.airfield = [row["launch"] > 0 for row in rows]
        self.capacity = [row["launch"] or UNPRINTED_CAPACITY for row in rows]
        self.land = [row["terrain"] != "none_at_all" for row in rows]
        self.city = [row["city"] for row in rows]
        self.china = [row["region"] == "China" for row in rows]
        self.sources = [SOURCES.get(row["name"]) for row in rows]
        self.sea_ways = [[way.number for way in spot.ways] for spot in chart.hexes]
        self.places = [(spot.row, spot.slant) for spot in chart.hexes]
        self.links: Steps = []
        self.marches: Steps = []
        for spot, row in zip(chart.hexes, rows, strict=True):
            links, marches = [], []
            for near in spot.near:
                beside = rows[near.number]
                by_road = near.name in row["road"]
                by_land = row["landmass"] is not None and row["landmass"] == beside["landmass"]
                by_sea = near.water != "inland" and spot.water != "inland"
                if by_road or by_land:
                    marches.append((near.number, 1 if by_road else 2))
                if by_sea or by_road:
                    links.append((near.number, 1))
                elif by_land:
                    links.append((near.number, LINK_POINTS[beside["terrain"]]))
            self.links.append(links)
            self.marches.append(marches)
        self.reach: list[list[list[int]]] = []
        self.before: list[dict[int, int]] = []
        for start in range(len(rows)):
            self._sail_from(start)

    def _sail_from(self, start: int) -> None:
        """Ways by the fewest steps; of several, the one by the lowest hexes."""
        before = {start: start}
        front, reach = [start], [[start]]
        for _ in range(FARTHEST_SAIL):
            beyond = []
            for spot in front:
                for way in self.sea_ways[spot]:
                    if way not in before:
                        before[way] = spot
                        beyond.append(way)
            front = beyond
            reach.append(sorted(before))
        self.before.append(before)
        self.reach.append(reach)

    def way(self, start: int, goal: int) -> list[int]:
        """The hexes between two that a force sails."""
        before, between = self.before[start], []
        while (goal := before[goal]) != start:
            between.append(goal)
        return between[::-1]

    def apart(self, a: int, b: int) -> int:
        """Hexes as the crow flies."""
        (row, slant), (other_row, other_slant) = self.places[a], self.places[b]
        across, up = slant - other_slant, row - other_row
        return max(abs(across), abs(up), abs(across + up))
