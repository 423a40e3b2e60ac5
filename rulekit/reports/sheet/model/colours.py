"""Colours as `#1d3551`: their contrast, and the same hue lighter or darker."""

from __future__ import annotations

import re
from collections.abc import Iterator

COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")
PAPER, NIGHT = "#ffffff", "#14161a"
"""Backgrounds of text, light and dark."""
READ = 4.5
"""Least contrast of text."""


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """The luminance of a colour, from 0 to 1."""

    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(part) for part in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _parts(colour: str) -> Iterator[float]:
    return (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))


def at_lightness(colour: str, lightness: float) -> str:
    """A colour's hue at another lightness, from 0 to 1."""
    from colorsys import hls_to_rgb, rgb_to_hls

    hue, _, saturation = rgb_to_hls(*_parts(colour))
    mild = saturation if lightness > 0.3 else min(saturation, 0.45)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in hls_to_rgb(hue, lightness, mild))


def tint(colour: str) -> str:
    """A tint of a colour to print text on."""
    parts = (round(255 * (1 - (1 - part) * 0.14)) for part in _parts(colour))
    return "#" + "".join(f"{part:02x}" for part in parts)
