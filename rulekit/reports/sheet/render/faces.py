"""Font files: which family, weight and slant each has, and which of them a page in HTML takes with it."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from struct import error, unpack_from

from rulekit.base.frozen import frozen

ENDINGS = (".ttf", ".otf")
FAMILY, TYPOGRAPHIC = 1, 16
"""Names of a family in a font's table of names; the second gathers all weights of it."""
MOST = 4_000_000
"""Bytes of a font that is put into a page."""


@frozen
class Face:
    """A font file; `families` are its names in small letters."""

    path: Path
    families: frozenset[str]
    weight: int
    italic: bool


def faces_in(folders: Collection[Path]) -> Iterator[Face]:
    """The fonts of some folders, by their names on disk."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            found = _face(path) if path.suffix.lower() in ENDINGS and path.is_file() else None
            if found is not None:
                yield found


def embedded(folders: Collection[Path], names: Mapping[str, str]) -> str:
    """Style rules with fonts in them: of these families, each by the name that the page has for it."""
    wanted = {name.lower(): own for name, own in names.items()}
    made: list[str] = []
    for face in faces_in(folders if names else ()):
        name = next((wanted[each] for each in sorted(face.families) if each in wanted), None)
        if name is None or face.path.stat().st_size > MOST:
            continue
        kind = "opentype" if face.path.suffix.lower() == ".otf" else "truetype"
        data = base64.b64encode(face.path.read_bytes()).decode()
        slant = "italic" if face.italic else "normal"
        how = f"font-weight: {face.weight}; font-style: {slant};"
        source = f'url(data:font/{kind};base64,{data}) format("{kind}")'
        made.append(f'@font-face {{ font-family: "{name}"; {how} src: {source}; }}\n')
    return "".join(made)


@cache
def _face(path: Path) -> Face | None:
    """Return the names in a font file; None if it is not a font."""
    try:
        data = path.read_bytes()
        tables = {
            data[at : at + 4].decode("latin-1"): unpack_from(">II", data, at + 8)
            for at in range(12, 12 + 16 * unpack_from(">H", data, 4)[0], 16)
        }
        names = frozenset(_names(data, tables["name"][0]))
        weight, slant = 400, 0
        if "OS/2" in tables:
            weight = unpack_from(">H", data, tables["OS/2"][0] + 4)[0]
            slant = unpack_from(">H", data, tables["OS/2"][0] + 62)[0]
    except (OSError, KeyError, error):
        return None
    return Face(path, names, weight, bool(slant & 1)) if names else None


def _names(data: bytes, start: int) -> Iterator[str]:
    count, texts = unpack_from(">HH", data, start + 2)
    for at in range(start + 6, start + 6 + 12 * count, 12):
        platform, _, _, kind, length, offset = unpack_from(">HHHHHH", data, at)
        if kind in (FAMILY, TYPOGRAPHIC):
            raw = data[start + texts + offset : start + texts + offset + length]
            yield raw.decode("utf-16-be" if platform in (0, 3) else "latin-1", "replace").lower()
