"""A theme's colours for a screen: light as they are, dark worked out from them, as style sheets want them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

PAPER, NIGHT = "#ffffff", "#14161a"
"""Backgrounds of text, light and dark."""
READ = 4.5
"""Least contrast of text."""


def light(data: Mapping[str, Any]) -> dict[str, str]:
    """The theme's own colours by the names that the style sheet knows."""
    sides = enumerate(data["sides"])
    drawn = {
        f"side{n}{part}": side[key] for n, side in sides for part, key in (("", "ink"), ("-tint", "tint"))
    }
    return {"paper": PAPER, **data["colours"], **drawn}


def dark(data: Mapping[str, Any]) -> dict[str, str]:
    """The same hues for a dark screen: inks lightened until they can be read there, tints darkened."""
    night = "#000000" if contrast(data["colours"]["muted"], PAPER) > 15 else NIGHT
    tints = {"tint": 0.14, "zebra": 0.115, "instead": 0.16, "head": 0.24}
    made = {"paper": night}
    for name, colour in light(data).items():
        if name == "paper":
            continue
        if name in tints:
            made[name] = _at(colour, tints[name] if night == NIGHT or name == "head" else 0.0)
        elif name.endswith("-tint"):
            made[name] = _at(colour, 0.2 if night == NIGHT else 0.0)
        elif name == "hair":
            made[name] = _at(colour, 0.32 if night == NIGHT else 1.0)
        elif name == "head-ink":
            made[name] = "#ffffff"
        elif name in ("ink", "change"):
            made[name] = _at(colour, 0.92 if night == NIGHT else 1.0)
        else:
            worst = max(
                (_at(data["colours"]["instead"], 0.16), _at(data["colours"]["tint"], 0.14)), key=_light
            )
            made[name] = _readable(colour, worst)
    return made


def contrast(one: str, other: str) -> float:
    """How far two colours stand apart, from 1 to 21."""
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def _readable(colour: str, ground: str) -> str:
    for step in range(40, 101):
        found = _at(colour, step / 100)
        if contrast(found, ground) >= READ + 0.5:
            return found
    return "#ffffff"


def _light(colour: str) -> float:
    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(each) for each in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _parts(colour: str) -> Iterator[float]:
    return (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))


def _at(colour: str, lightness: float) -> str:
    """A colour's hue at another lightness, from 0 to 1."""
    from colorsys import hls_to_rgb, rgb_to_hls

    hue, _, saturation = rgb_to_hls(*_parts(colour))
    mild = saturation if lightness > 0.3 else min(saturation, 0.45)
    return "#" + "".join(f"{round(255 * each):02x}" for each in hls_to_rgb(hue, lightness, mild))
