"""Schematic maps and boards as SVG.

On a map, areas that share an edge touch, and a site on an edge touches both.  A board has hexes or
squares, or boxes with lines between those that touch.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import sqrt

from rulekit.reports.sheet.layout.board_layout import spread
from rulekit.reports.sheet.model.document import Area, Board, Land, Map, MapSite, Run, Spot
from rulekit.reports.sheet.render.plain import Plain

WIDTH = 1000.0
TALL = 52.0
"""The height of a map's unit, at most."""
GAP = 1.6
LETTER = 6.4
"""The usual width of a letter of 13 units."""


class Strokes:
    """A pen for maps and boards; `name` is the prefix of the ids inside."""

    def __init__(self, plain: Plain, name: str) -> None:
        self._plain, self._name = plain, name

    def opening(self, height: float, alt: str) -> Iterator[str]:
        """The beginning of a drawing, with its text for who cannot see it."""
        yield (
            f'<svg class="map" viewBox="0 0 {short(WIDTH)} {short(height)}" role="img" '
            f'aria-labelledby="{self._name}-title {self._name}-alt" xmlns="http://www.w3.org/2000/svg">'
        )
        yield f'<desc id="{self._name}-alt">{escape(alt)}</desc>'
        yield "<defs>"
        yield from self._hatches()
        yield "</defs>"

    def _hatches(self) -> Iterator[str]:
        for n in range(0, len(self._plain.sheet.sides), 2):
            yield (
                f'<pattern id="{self._name}-hatch{n}" width="7" height="7" patternUnits="userSpaceOnUse">'
                f'<path d="M0 7 7 0" stroke="var(--side{n % 4})" stroke-width=".7" fill="none"/></pattern>'
            )

    def filled_shape(self, owner: int | None, shape: str, *, plain: bool = False) -> str:
        """A shape as its owner's: hatched, plain, or with a dashed edge for nobody's.

        Args:
            shape: An element without its end: `<rect width="1"`.
            plain: Whether nobody owns anything here, so that an edge need not say so.
        """
        if owner is None:
            return f'{shape} class="edge{"" if plain else " nobody"}"/>'
        painted = f'{shape} fill="var(--side{owner % 4}-tint)"/>'
        if owner % 2 == 0:
            painted += f'{shape} fill="url(#{self._name}-hatch{owner})"/>'
        return f'{painted}{shape} class="edge"/>'

    def box(
        self, owner: int | None, x: float, y: float, width: float, height: float, *, plain: bool = False
    ) -> str:
        """A rectangle as its owner's."""
        place = f'x="{short(x)}" y="{short(y)}" width="{short(width)}" height="{short(height)}" rx="4"'
        return self.filled_shape(owner, f"<rect {place}", plain=plain)

    def symbol(self, shape: str, owner: int | None, x: float, y: float) -> str:
        """A disc or a diamond, filled or hollow by whose it is."""
        colour = "var(--muted)" if owner is None else f"var(--side{owner % 4})"
        fill = colour if owner is not None and owner % 2 == 0 else "var(--paper)"
        paint = f'fill="{fill}" stroke="{colour}" stroke-width="2"'
        if shape == "disc":
            return f'<circle cx="{short(x)}" cy="{short(y)}" r="6.5" {paint}/>'
        return f'<path d="M{short(x)} {short(y - 6.5)}l6.5 6.5-6.5 6.5-6.5-6.5z" {paint}/>'


class MapDrawing(Strokes):
    """A drawing of a map."""

    def __init__(self, block: Map, plain: Plain, name: str) -> None:
        super().__init__(plain, name)
        self._block = block
        self._across = WIDTH / max(block.width, 0.1)
        self._down = min(self._across, TALL)

    def text(self) -> str:
        """The SVG element."""
        block = self._block
        height = block.height * self._down + 4
        parts = [
            *self.opening(height, block.alt),
            *(self._area(area) for area in block.areas),
            *(self._land(land) for land in block.land),
            *(self._site(site) for site in block.sites),
            *self._key(),
            "</svg>",
        ]  # fmt: skip
        return "\n".join(parts)

    # -- areas

    def _area(self, area: Area) -> str:
        x, y = area.x * self._across + GAP, area.y * self._down + GAP
        width, height = area.width * self._across - 2 * GAP, area.height * self._down - 2 * GAP
        left, top = x + 8 + area.shift[0] * self._across, y + 17 + area.shift[1] * self._down
        room = x + width - left - 4
        size = min(14.0, 14.0 * room / max(width_of(area.name, 14), 1))
        parts = [self.box(area.owner, x, y, width, height)]
        parts.append(
            f'<text class="halo" x="{short(left)}" y="{short(top)}" font-size="{short(size)}"'
            f' font-weight="600">{escape(area.name)}</text>'
        )
        at = left
        for value in area.values:
            for run in value:
                drawn, wide = self._value(run, at, top + 19)
                parts.append(drawn)
                at += wide
            at += 9
        return f"<g>{''.join(parts)}</g>"

    def _value(self, run: Run, x: float, y: float) -> tuple[str, float]:
        if run.kind == "side":
            return self._mark(int(run.text), x + 7, y - 5), 18
        size, weight = (17, 600) if run.kind == "strong" else (13, 400)
        wide = width_of(run.text, size) + 2
        font = f'font-size="{size}" font-weight="{weight}"'
        return f'<text class="halo" x="{short(x)}" y="{short(y)}" {font}>{escape(run.text)}</text>', wide

    def _mark(self, side: int, x: float, y: float) -> str:
        letter = escape(self._plain.side(side).letter)
        colour, kind = f"var(--side{side % 4})", side % 4
        filled = kind in (0, 2)
        fill = colour if filled else "var(--paper)"
        box = 'width="13.2" height="13.2"'
        round_, corner = kind in (0, 3), 3 if kind == 2 else 1
        dash = ' stroke-dasharray="2 1.5"' if kind == 3 else ""
        paint = f'fill="{fill}" stroke="{colour}" stroke-width="1.4"{dash}'
        shape = (
            f'<circle cx="{short(x)}" cy="{short(y)}" r="6.8" {paint}/>'
            if round_
            else f'<rect x="{short(x - 6.6)}" y="{short(y - 6.6)}" {box} rx="{corner}" {paint}/>'
        )
        ink = "var(--side-ink)" if filled else colour
        return (
            f'{shape}<text x="{short(x)}" y="{short(y + 3.6)}" font-size="{10 if len(letter) == 1 else 7}" '
            f'font-weight="600" text-anchor="middle" style="fill:{ink}">{letter}</text>'
        )

    # -- what stands on it

    def _land(self, land: Land) -> str:
        x, y = land.x * self._across, land.y * self._down
        half = width_of(land.name, 10) / 2 + 8
        return (
            f'<g><rect x="{short(x - half)}" y="{short(y - 8)}" width="{short(2 * half)}" height="16" rx="3" '
            'fill="var(--muted)" stroke="var(--paper)" stroke-width="1.5"/>'
            f'<text x="{short(x)}" y="{short(y + 3.5)}" font-size="10" text-anchor="middle" '
            f'style="fill:var(--paper)">{escape(land.name)}</text></g>'
        )

    def _site(self, site: MapSite) -> str:
        x, y = site.x * self._across, site.y * self._down
        big = site.shape == "disc"
        size = 11.5
        near = 10.0
        across, down, anchor = {
            "right": (near, 4.0, "start"),
            "left": (-near, 4.0, "end"),
            "above": (0.0, -near, "middle"),
            "below": (0.0, near + 8, "middle"),
            "below-left": (-near, near + 5, "end"),
        }[site.label]
        width = width_of(site.name, size)
        start = x + across - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        shift = max(0.0, 2 - start) - max(0.0, start + width - WIDTH + 2)  # never beyond the map's edge
        weight = 600 if big else 400
        return (
            f"<g>{self.symbol(site.shape, site.owner, x, y)}"
            f'<text class="halo" x="{short(x + across + shift)}" y="{short(y + down)}" font-size="{size}" '
            f'font-weight="{weight}" text-anchor="{anchor}">{escape(site.name)}</text></g>'
        )

    def _key(self) -> Iterator[str]:
        sides = self._plain.sheet.sides
        names = [side.name for side in sides]
        for row, (what, words) in enumerate(self._block.key):
            y = 14 + 21.0 * row
            if what == "values":
                yield "".join(self._mark(n, 10 + 17 * n, y) for n in range(len(sides)))
            elif what in ("disc", "diamond"):
                yield "".join(self.symbol(what, n, 10 + 17 * n, y) for n in range(len(sides)))
            else:
                owner = names.index(what) if what in names else None
                yield self.box(owner, 2, y - 7, 32, 14)
            yield f'<text x="44" y="{short(y + 4)}" font-size="12">{escape(words)}</text>'


def width_of(text: str, size: float) -> float:
    """About how wide a text is; signs of East Asia are as wide as high."""
    wide = sum(2.05 if ord(c) > 0x2E80 else 1.2 if c.isupper() else 1 for c in text)
    return wide * LETTER * size / 13


def short(value: float) -> str:
    """A number with one decimal at most, the same on every machine."""
    return f"{value:.1f}".removesuffix(".0")


LARGEST = 92.0
"""A board's unit, at most."""
THIRD = sqrt(3.0) / 2
FLAT = ((1.0, 0.0), (0.5, THIRD), (-0.5, THIRD), (-1.0, 0.0), (-0.5, -THIRD), (0.5, -THIRD))
CORNERS = {
    "hex": FLAT,
    "pointed": tuple((y, x) for x, y in FLAT),
    "square": ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)),
}
"""The corners of a space, from its middle."""
LINE = 15.0
BETWEEN = 6.0
"""The gap between two boxes."""


class BoardDrawing(Strokes):
    """A drawing of a board."""

    def __init__(self, block: Board, plain: Plain, name: str) -> None:
        super().__init__(plain, name)
        self._block = block
        self._across = min(WIDTH / max(block.width, 0.1), LARGEST)
        self._down = self._across if block.shape != "box" else min(self._across, 66.0)
        self._left = (WIDTH - block.width * self._across) / 2
        self._owned = any(spot.owner is not None for spot in block.spots)
        self._corners = CORNERS.get(block.shape)
        self._room = 1.6 * self._across if self._corners else 150.0
        self._middles = [(self._left + s.x * self._across, 2 + s.y * self._down) for s in block.spots]
        self._high = block.height * self._down + 4
        if not self._corners:
            sizes = list(map(self._size, block.spots))
            self._middles, self._high = spread(self._middles, sizes, WIDTH, self._high, BETWEEN)

    def text(self) -> str:
        """The SVG element."""
        block = self._block
        foot = 26.0 if block.key else 0.0
        height = self._high + foot
        parts = [
            *self.opening(height, block.alt),
            *(self._way(*way) for way in block.ways),
            *map(self._spot, block.spots, self._middles),
            *(self._closed_side(*pair) for pair in block.closed),
            *self._key(height - 10),
            "</svg>",
        ]
        return "\n".join(parts)

    def _way(self, one: int, other: int) -> str:
        (a, b), (c, d) = self._middles[one], self._middles[other]
        return f'<line {_ends(a, b, c, d)} stroke="var(--muted)" stroke-width="1.6"/>'

    def _closed_side(self, one: int, other: int) -> str:
        (a, b), (c, d) = self._middles[one], self._middles[other]
        part = 2 if self._block.shape == "square" else 4 * THIRD
        x, y, across, down = (a + c) / 2, (b + d) / 2, (c - a) / part, (d - b) / part
        line = _ends(x - down, y + across, x + down, y - across)
        return f'<line {line} stroke="var(--ink)" stroke-width="5" stroke-linecap="round"/>'

    def _names(self, spot: Spot) -> list[str]:
        return _break_lines(spot.name, self._room, 13.0)

    def _lines(self, spot: Spot) -> list[str]:
        values = "   ".join(self._plain.runs(value) for value in spot.values)
        return [*self._names(spot), *([values] if values else []), *(f"↔ {other}" for other in spot.also)]

    def _tall(self, spot: Spot) -> float:
        return LINE * len(self._lines(spot)) + (16 if spot.marks else 0)

    def _size(self, spot: Spot) -> tuple[float, float]:
        """The width and height of a box."""
        wide = max(min(width_of(line, 13), self._room) for line in self._lines(spot))
        return wide + 16, self._tall(spot) + 8

    def _spot(self, spot: Spot, middle: tuple[float, float]) -> str:
        x, y = middle
        names, lines, tall, room = self._names(spot), self._lines(spot), self._tall(spot), self._room
        if self._corners:
            points = " ".join(
                f"{short(x + dx * self._across)},{short(y + dy * self._across)}" for dx, dy in self._corners
            )
            parts = [self.filled_shape(spot.owner, f'<polygon points="{points}"', plain=True)]
        else:
            wide, high = self._size(spot)
            parts = [self.box(spot.owner, x - wide / 2, y - high / 2, wide, high, plain=not self._owned)]
        top = y - tall / 2 + 11
        for number, line in enumerate(lines):
            weight = 600 if number < len(names) else 400
            size = min(13.0, 13.0 * room / max(width_of(line, 13), 1))
            parts.append(
                f'<text class="halo" x="{short(x)}" y="{short(top + LINE * number)}" text-anchor="middle" '
                f'font-size="{short(size)}" font-weight="{weight}">{escape(line)}</text>'
            )
        start = x - 9 * (len(spot.marks) - 1)
        for number, mark in enumerate(spot.marks):
            parts.append(self.symbol(mark, spot.owner, start + 18 * number, top + LINE * len(lines) - 4))
        return f"<g>{''.join(parts)}</g>"

    def _key(self, y: float) -> Iterator[str]:
        names, x = [side.name for side in self._plain.sheet.sides], 2.0
        for what, words in self._block.key:
            if what in ("disc", "diamond"):
                yield self.symbol(what, None, x + 16, y)
            elif what == "closed":
                yield f'<path d="M{short(x)} {short(y)}h30" stroke="var(--ink)" stroke-width="5"/>'
            else:
                yield self.box(names.index(what) if what in names else None, x, y - 7, 32, 14)
            yield f'<text x="{short(x + 40)}" y="{short(y + 4)}" font-size="12">{escape(words)}</text>'
            x += 62 + width_of(words, 12)


def _ends(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'x1="{short(x1)}" y1="{short(y1)}" x2="{short(x2)}" y2="{short(y2)}"'


def _break_lines(name: str, room: float, size: float) -> list[str]:
    lines: list[str] = []
    for word in name.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [name]
