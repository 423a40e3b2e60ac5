"""A board as SVG: spaces as hexes or boxes, with lines between those that touch."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import sqrt

from rulekit.reports.sheet.layout.map_svg import WIDTH, Strokes, short, width_of
from rulekit.reports.sheet.model.document import Board, Spot
from rulekit.reports.sheet.render.plain import Plain

LARGEST = 92.0
"""A board's unit, at most."""
THIRD = sqrt(3.0) / 2
CORNERS = ((1.0, 0.0), (0.5, THIRD), (-0.5, THIRD), (-1.0, 0.0), (-0.5, -THIRD), (0.5, -THIRD))
LINE = 15.0


def svg(block: Board, plain: Plain, name: str) -> str:
    """The board; `name` begins the ids inside of it."""
    return _Drawing(block, plain, name).text()


class _Drawing(Strokes):
    def __init__(self, block: Board, plain: Plain, name: str) -> None:
        super().__init__(plain, name)
        self._block = block
        self._across = min(WIDTH / max(block.width, 0.1), LARGEST)
        self._down = self._across if block.shape == "hex" else min(self._across, 66.0)
        self._left = (WIDTH - block.width * self._across) / 2
        self._owned = any(spot.owner is not None for spot in block.spots)

    def text(self) -> str:
        block = self._block
        foot = 26.0 if block.key else 0.0
        height = block.height * self._down + 4 + foot
        parts = [
            *self.opened(height, block.alt),
            *(self._way(*way) for way in block.ways),
            *(self._spot(spot) for spot in block.spots),
            *(self._closed(*pair) for pair in block.closed),
            *self._key(height - 10),
            "</svg>",
        ]
        return "\n".join(parts)

    def _at(self, spot: Spot) -> tuple[float, float]:
        return self._left + spot.x * self._across, 2 + spot.y * self._down

    def _way(self, one: int, other: int) -> str:
        (a, b), (c, d) = self._at(self._block.spots[one]), self._at(self._block.spots[other])
        line = f'x1="{short(a)}" y1="{short(b)}" x2="{short(c)}" y2="{short(d)}"'
        return f'<line {line} stroke="var(--muted)" stroke-width="1.6"/>'

    def _closed(self, one: int, other: int) -> str:
        """A thick line on the side between two hexes."""
        (a, b), (c, d) = self._at(self._block.spots[one]), self._at(self._block.spots[other])
        x, y, across, down = (a + c) / 2, (b + d) / 2, (c - a) / (4 * THIRD), (d - b) / (4 * THIRD)
        line = (
            f'x1="{short(x - down)}" y1="{short(y + across)}" x2="{short(x + down)}" y2="{short(y - across)}"'
        )
        return f'<line {line} stroke="var(--ink)" stroke-width="5" stroke-linecap="round"/>'

    def _spot(self, spot: Spot) -> str:
        x, y = self._at(spot)
        values = "   ".join(self._plain.runs(value) for value in spot.values)
        hexed = self._block.shape == "hex"
        room = 1.6 * self._across if hexed else 150.0
        names = _broken(spot.name, room, 13.0)
        lines = [*names, *([values] if values else []), *(f"↔ {other}" for other in spot.also)]
        tall = LINE * len(lines) + (16 if spot.marks else 0)
        if hexed:
            corners = " ".join(
                f"{short(x + dx * self._across)},{short(y + dy * self._across)}" for dx, dy in CORNERS
            )
            made = [self.filled(spot.owner, f'<polygon points="{corners}"', plain=True)]
        else:
            wide = max(width_of(line, 13) for line in lines) + 16
            x = min(max(x, wide / 2 + 1), WIDTH - wide / 2 - 1)
            made = [
                self.box(spot.owner, x - wide / 2, y - tall / 2 - 4, wide, tall + 8, plain=not self._owned)
            ]
        top = y - tall / 2 + 11
        for number, line in enumerate(lines):
            weight = 600 if number < len(names) else 400
            size = min(13.0, 13.0 * room / max(width_of(line, 13), 1))
            made.append(
                f'<text class="halo" x="{short(x)}" y="{short(top + LINE * number)}" text-anchor="middle" '
                f'font-size="{short(size)}" font-weight="{weight}">{escape(line)}</text>'
            )
        start = x - 9 * (len(spot.marks) - 1)
        for number, mark in enumerate(spot.marks):
            made.append(self.symbol(mark, spot.owner, start + 18 * number, top + LINE * len(lines) - 4))
        return f"<g>{''.join(made)}</g>"

    def _key(self, y: float) -> Iterator[str]:
        names, x = [side.name for side in self._plain.sheet.sides], 2.0
        for what, said in self._block.key:
            if what in ("disc", "diamond"):
                yield self.symbol(what, None, x + 16, y)
            elif what == "closed":
                yield f'<path d="M{short(x)} {short(y)}h30" stroke="var(--ink)" stroke-width="5"/>'
            else:
                yield self.box(names.index(what) if what in names else None, x, y - 7, 32, 14)
            yield f'<text x="{short(x + 40)}" y="{short(y + 4)}" font-size="12">{escape(said)}</text>'
            x += 62 + width_of(said, 12)


def _broken(name: str, room: float, size: float) -> list[str]:
    """A name in lines that have room."""
    lines: list[str] = []
    for word in name.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [name]
