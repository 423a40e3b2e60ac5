"""Positions of the spaces of a board: hexes by column and row, boxes by hand or computed.

Only sums, products and square roots: the same points on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from rulekit.compiler.grid import Shape

Point = tuple[float, float]
Way = tuple[int, int]
WIDE, HIGH = 12.0, 8.0
"""A board of boxes, in units of its own; as high at most."""
LETTER, PAD, LINE = 0.088, 0.36, 0.62
"""About how wide a letter, and how high a box, are in these units, and the space beside the letters."""
APART = (0.12, 0.14)
"""The gaps between two boxes, across and down, in these units."""
NOTHING = 1e-9
"""The rounding of sums, at most."""
ROUNDS = 160
MOST = 150
"""Spaces that a layout is worked out for."""
ROOT = sqrt(3.0)


def hexes(cells: Sequence[tuple[int, int]]) -> tuple[list[Point], float, float]:
    """The middles of hexes by column and row (every other column half a hex lower), and the board's size."""
    left = min(column for column, _ in cells)
    points = [(1.5 * (column - left), ROOT * (row + 0.5 * (column % 2))) for column, row in cells]
    return _frame(points, 1.0, ROOT / 2)


def grid(shape: Shape, cells: Sequence[tuple[int, int]]) -> tuple[list[Point], float, float]:
    """The middles of the spaces of a declared board by their steps to the right and down, and its size."""
    match shape:
        case "square":
            return _frame([(2.0 * x, 2.0 * y) for x, y in cells], 1.0, 1.0)
        case "hex in rows":
            return _frame([(ROOT / 2 * x, 1.5 * y) for x, y in cells], ROOT / 2, 1.0)
        case "hex in columns":
            return _frame([(1.5 * x, ROOT / 2 * y) for x, y in cells], 1.0, ROOT / 2)


def _frame(points: Sequence[Point], across: float, down: float) -> tuple[list[Point], float, float]:
    """Points moved so that spaces of half a width and height begin at 0, and the size of them all."""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    moved = [(round(x - left + across, 3), round(y - top + down, 3)) for x, y in points]
    width, height = max(x for x, _ in moved) + across, max(y for _, y in moved) + down
    return moved, round(width, 3), round(height, 3)


def near(points: Sequence[Point], way: Way, apart: float = ROOT) -> bool:
    """Return whether two hexes, or squares that are `apart`, lie side by side."""
    (ax, ay), (bx, by) = points[way[0]], points[way[1]]
    return sqrt((ax - bx) ** 2 + (ay - by) ** 2) < apart + 0.1


def arrange(
    labels: Sequence[int], ways: Sequence[Way], given: Sequence[Point] | None = None
) -> tuple[list[Point], float]:
    """The middles of boxes on a board, none on top of another, and the board's height: less for a few.

    Args:
        labels: How many letters are in each.
        given: Points by hand, in any unit; else those that touch are put near each other.
    """
    points = list(given) if given is not None else _worked_out(len(labels), ways)
    sizes = [(min(count, 16) * LETTER + PAD, LINE) for count in labels]
    high = round(min(HIGH, 2.0 + 0.3 * len(labels)), 2)
    points = _stretch(points, sizes, high)
    for _ in range(ROUNDS):
        if not _push_apart(points, sizes, APART):
            break
    return [(round(x, 2), round(y, 2)) for x, y in _stretch(points, sizes, high)], high


def spread(
    points: Sequence[Point], sizes: Sequence[Point], width: float, height: float, gap: float
) -> tuple[list[Point], float]:
    """The middles of boxes, moved until none is on another, and the height that they need.

    They move the shorter way inside the board; where that is not enough, down to a lower foot.

    Args:
        gap: Between any two.
    """

    def inside(at: Point, size: Point) -> Point:
        across, down = (
            max(s / 2, min(p, whole - s / 2)) for p, s, whole in zip(at, size, (width, height), strict=True)
        )
        return across, down

    middles = list(map(inside, points, sizes))
    for _ in range(ROUNDS):
        moved = _push_apart(middles, sizes, (gap, gap))
        middles = list(map(inside, middles, sizes))
        if not moved:
            break
    placed: list[int] = []
    for n in sorted(range(len(middles)), key=lambda n: middles[n][1]):
        (x, y), (wide, high) = middles[n], sizes[n]
        beside = [m for m in placed if (sizes[m][0] + wide) / 2 + gap - abs(middles[m][0] - x) > NOTHING]
        lowest = (middles[m][1] + (sizes[m][1] + high) / 2 + gap for m in beside)
        middles[n] = (x, max((y, *lowest)))
        placed.append(n)
    feet = (y + high / 2 for (_, y), (_, high) in zip(middles, sizes, strict=True))
    return middles, max((height, *feet))


def _worked_out(count: int, ways: Sequence[Way]) -> list[Point]:
    """Points as far apart as the steps between them, as nearly as can be (stress majorisation)."""
    steps = _steps(count, ways)
    side = int(sqrt(count)) + 1
    points = [
        (float(n % side) + 0.013 * n, float(n // side) + 0.007 * n * n / max(count, 1)) for n in range(count)
    ]
    for _ in range(ROUNDS):
        for a in range(count):
            x = y = total = 0.0
            for b in range(count):
                if a == b:
                    continue
                wanted = steps[a][b]
                weight = 1.0 / (wanted * wanted)
                dx, dy = points[a][0] - points[b][0], points[a][1] - points[b][1]
                apart = max(sqrt(dx * dx + dy * dy), 0.01)
                x += weight * (points[b][0] + wanted * dx / apart)
                y += weight * (points[b][1] + wanted * dy / apart)
                total += weight
            if total:
                points[a] = (x / total, y / total)
    return _turn(points)


def _steps(count: int, ways: Sequence[Way]) -> list[list[float]]:
    """Fewest ways between any two; those that nothing links are further apart than all others."""
    beside: list[list[int]] = [[] for _ in range(count)]
    for a, b in ways:
        beside[a].append(b)
        beside[b].append(a)
    distances = []
    for start in range(count):
        reached, front = {start: 0}, [start]
        while front:
            following = []
            for at in front:
                for other in beside[at]:
                    if other not in reached:
                        reached[other] = reached[at] + 1
                        following.append(other)
            front = following
        distances.append([float(reached.get(n, max(reached.values()) + 2)) for n in range(count)])
    return [[max(distances[a][b], distances[b][a]) for b in range(count)] for a in range(count)]


def _turn(points: Sequence[Point]) -> list[Point]:
    """Turned so that they spread most from left to right."""
    count = max(len(points), 1)
    mx, my = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    xx = sum((x - mx) ** 2 for x, _ in points)
    yy = sum((y - my) ** 2 for _, y in points)
    xy = sum((x - mx) * (y - my) for x, y in points)
    most = (xx + yy) / 2 + sqrt(((xx - yy) / 2) ** 2 + xy * xy)
    across, down = (xy, most - xx) if abs(xy) > 1e-9 else ((1.0, 0.0) if xx >= yy else (0.0, 1.0))
    long = max(sqrt(across * across + down * down), 1e-9)
    across, down = across / long, down / long
    return [((x - mx) * across + (y - my) * down, (y - my) * across - (x - mx) * down) for x, y in points]


def _stretch(points: Sequence[Point], sizes: Sequence[Point], tall: float) -> list[Point]:
    """Filling the board, with half a box at its edges."""
    axes = []
    rims = (max(w for w, _ in sizes) / 2, max(h for _, h in sizes) / 2)
    for axis, whole in ((0, WIDE), (1, tall)):
        low, high = min(p[axis] for p in points), max(p[axis] for p in points)
        room = whole - 2 * rims[axis]
        scale = room / (high - low) if high > low else 0.0
        axes.append([rims[axis] + (p[axis] - low) * scale if scale else whole / 2 for p in points])
    return list(zip(axes[0], axes[1], strict=True))


def _push_apart(points: list[Point], sizes: Sequence[Point], gap: Point) -> bool:
    """Boxes that lie on each other moved apart, the shorter way; whether any was.

    Args:
        gap: The gaps between two, across and down.
    """
    moved = False
    for b in range(len(points)):
        for a in range(b):
            dx, dy = points[b][0] - points[a][0], points[b][1] - points[a][1]
            over = (
                (sizes[a][0] + sizes[b][0]) / 2 + gap[0] - abs(dx),
                (sizes[a][1] + sizes[b][1]) / 2 + gap[1] - abs(dy),
            )
            if min(over) <= NOTHING:
                continue
            moved = True
            if over[0] * 0.6 < over[1]:
                step = over[0] / 2 * (1 if dx >= 0 else -1)
                points[a] = (points[a][0] - step, points[a][1])
                points[b] = (points[b][0] + step, points[b][1])
            else:
                step = over[1] / 2 * (1 if dy >= 0 else -1)
                points[a] = (points[a][0], points[a][1] - step)
                points[b] = (points[b][0], points[b][1] + step)
    return moved
