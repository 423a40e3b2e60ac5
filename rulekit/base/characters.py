"""Characters that deceive: marks of direction, characters without a sign, letters that look like others.

Scripts and look-alikes follow Unicode Technical Standard #39 in small: the letters of Greek, Cyrillic and
Armenian that common fonts draw like Latin ones, and the styled forms of letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of text."""
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
"""Characters that no text needs: controls, other line ends, byte order marks, halves of surrogate pairs."""
UNSEEN = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that show nothing."""

_OPENING = {"\u202a": "\u202c", "\u202b": "\u202c", "\u202d": "\u202c", "\u202e": "\u202c"}
_OPENING |= {"\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069"}

_LIKE_LATIN = {
    "A": "0391 0410", "B": "0392 0412", "C": "0421", "E": "0395 0415", "F": "03DC", "G": "050C",
    "H": "0397 041D", "I": "0399 0406", "J": "037F 0408", "K": "039A 041A", "L": "053C", "M": "039C 041C",
    "N": "039D", "O": "039F 041E 0555", "P": "03A1 0420", "Q": "051A", "S": "0405 054F", "T": "03A4 0422",
    "U": "054D", "W": "051C", "X": "03A7 0425", "Y": "03A5 0423 04AE", "Z": "0396",
    "a": "0251 03B1 0430", "c": "03F2 0441", "d": "0501", "e": "0435", "g": "0261 0581", "h": "04BB 0570",
    "i": "0131 0269 03B9 0456", "j": "03F3 0458", "l": "01C0 04CF", "n": "0578", "o": "03BF 043E 0585",
    "p": "03C1 0440", "q": "051B 0566", "s": "0455", "u": "03C5 057D", "v": "03BD", "w": "051D", "x": "0445",
    "y": "0443 04AF",
}  # fmt: skip
_LATIN_OF = {chr(int(code, 16)): latin for latin, codes in _LIKE_LATIN.items() for code in codes.split()}
_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN")
_STYLED = ("<font>", "<wide>", "<narrow>")


def code_point(character: str) -> str:
    """Return the number of a character in Unicode's own way: `U+202E`."""
    return f"U+{ord(character):04X}"


def lacks_end(line: str) -> bool:
    """Return whether a mark that turns the direction lacks its end on the line."""
    ends: list[str] = []
    for mark in DIRECTION.findall(line):
        if mark in _OPENING:
            ends.append(_OPENING[mark])
        elif mark in ends:
            del ends[len(ends) - 1 - ends[::-1].index(mark) :]
    return bool(ends)


def skeleton(name: str) -> str:
    """Return a text that names share if they look alike; accents count, and so does the case of letters."""
    if name.isascii():
        return name
    letters = unicodedata.normalize("NFD", UNSEEN.sub("", name))
    return unicodedata.normalize("NFC", "".join(map(_plain, letters)))


def foreign_letter(name: str) -> tuple[str, str, str] | None:
    """Return a letter of another script than the rest of its word, which it looks like, and both scripts.

    Letters that look like no other, such as a delta before Latin ones, are not counted.
    """
    for word in re.findall(r"[^\W\d_]+", name):
        scripts = Counter(script for letter in word if (script := _script(letter)))
        if len(scripts) > 1:
            main = max(_SCRIPTS, key=lambda script: scripts[script])
            for letter in word:
                own = _script(letter)
                if own and own != main and _looks_like(letter, main):
                    return letter, own.capitalize(), main.capitalize()
    return None


def _looks_like(letter: str, script: str) -> bool:
    latin = skeleton(letter)
    return any(_plain(other) == latin for other in (latin, *_LATIN_OF) if _script(other) == script)


@lru_cache(maxsize=1000)
def _script(letter: str) -> str:
    script = unicodedata.name(letter, "").partition(" ")[0]
    return script if script in _SCRIPTS else ""


def _plain(character: str) -> str:
    kind, _, codes = unicodedata.decomposition(character).partition(" ")
    if kind in _STYLED:
        return "".join(_plain(chr(int(code, 16))) for code in codes.split())
    return _LATIN_OF.get(character, character)
