"""Themes: small files with colours, lines, sizes and fonts, which a publisher can write.

For screens, `light` and `dark` name a theme's colours as style sheets know them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulekit.base.files import UnreadableFile, list_files, read_named
from rulekit.base.frozen import frozen
from rulekit.base.source import Source
from rulekit.base.spelling import suggestion
from rulekit.diagnostics import Report
from rulekit.reports.sheet.model.colours import (
    COLOUR,
    NIGHT,
    PAPER,
    READ,
    at_lightness,
    contrast,
    luminance,
    tint,
)
from rulekit.reports.sheet.model.document import Sheet, SheetError, Side
from rulekit.reports.sheet.model.logos import Logo, logo_of, read_logo
from rulekit.ruleset import yaml
from rulekit.ruleset.findings import did_you_mean, wrong_shape
from rulekit.ruleset.reading import Node, Reading, Scalar

HOME = Path(__file__).parent
FORMAT = "1"
FONTS = HOME / "fonts"
COLOURS = (
    "ink", "muted", "hair", "head", "head-ink", "tint", "zebra", "instead", "instead-ink", "change",
)  # fmt: skip
_KEYS = (
    "format",
    "about",
    "like",
    "colours",
    "sides",
    "own_sides",
    "fonts",
    "scale",
    "hair",
    "line",
    "faint",
    "logo",
)
_FONTS = ("body", "bold", "stretch", "bold-weight", "files", "others")
MOST = 1_000_000
"""Bytes of a theme's file."""
MOST_PICTURE = 4_000_000
"""Bytes of a picture."""


@frozen
class Theme:
    """A theme as renderers use it: `data` is JSON; `fonts` folders with its own fonts."""

    name: str
    data: Mapping[str, Any]
    font_folders: tuple[Path, ...] = ()
    logo: Logo | None = None


def known_themes() -> tuple[str, ...]:
    """Themes that come with rulekit."""
    return tuple(sorted(path.stem for path in (HOME / "themes").glob("*.yaml")))


def read_theme(name: str) -> Theme:
    """A theme by its name, or by the path of its file.

    Raises:
        SheetError: There is none, or it is not as it should be; the message names every fault.
    """
    own = HOME / "themes" / f"{name}.yaml"
    path = own if name in known_themes() else Path(name)
    try:
        text = read_named(path, MOST).decode("utf-8-sig")
    except UnreadableFile as error:
        if error.reason != "missing":
            raise SheetError(f"the theme `{name}` {error.strerror}") from error
        hint = suggestion(name, known_themes(), f"choose from {', '.join(known_themes())}, or name a file")
        raise SheetError(f"unknown theme `{name}`; {hint}") from error
    except UnicodeDecodeError as error:
        raise SheetError(f"cannot read the theme `{name}`: {error}") from error
    report = Report()
    reading = Reading(report, path.name)
    tree = yaml.parse(Source(path.name, text), reading)
    theme = None if tree is None else _Reader(reading, path).theme(tree)
    if report.has_errors or theme is None:
        findings = ((f"{d.span.file}:{d.span.line}:{d.span.column}: {d.message}", d.hint) for d in report)
        words = tuple(f"{message} ({hint})" if hint else message for message, hint in findings)
        raise SheetError(f"invalid theme `{name}`", words)
    return theme


class _Reader:
    def __init__(self, reading: Reading, path: Path) -> None:
        self._reading, self._path = reading, path

    def theme(self, tree: Node) -> Theme:
        reading = self._reading
        keys = reading.keys(tree, "a theme", _KEYS, ("format",))
        reading.format(keys, FORMAT)
        base = dict(_PLAIN)
        if "like" in keys:
            like = reading.text(keys["like"], "`like`")
            if like in known_themes() and (HOME / "themes" / f"{like}.yaml") != self._path:
                base = dict(read_theme(like).data)
            else:
                self._wrong(keys["like"], f"unknown theme `{like}`", did_you_mean(like, known_themes()))
        colours = {**base["colours"], **self._colours(keys.get("colours"), COLOURS)}
        sides = [dict(side) for side in base["sides"]]
        for number, node in enumerate(reading.items(keys.get("sides"), "`sides`")):
            own = self._colours(node, ("ink", "tint"))
            if number < len(sides):
                sides[number] |= own
            else:
                sides.append({"ink": "#000000", "tint": "#ffffff"} | own)
        fonts, folders = self._fonts(keys.get("fonts"), dict(base["fonts"]))
        data = {
            "colours": colours,
            "sides": sides,
            "fonts": fonts,
            "scale": self._number(keys.get("scale"), base["scale"], 0.5, 2),
            "hair": self._number(keys.get("hair"), base["hair"], 0.1, 3),
            "line": self._number(keys.get("line"), base["line"], 0.1, 5),
            "faint": self._word(keys.get("faint"), base["faint"], ("normal", "italic")),
            "own-sides": self._word(keys.get("own_sides"), base["own-sides"], ("true", "false")),
        }
        missing = [name for name in COLOURS if name not in colours]
        if missing:
            self._wrong(tree, f"the theme lacks the colour `{missing[0]}`", "or write `like: colour`")
        return Theme(self._path.stem, data, folders, self._logo(keys.get("logo")))

    def _wrong(self, node: Node, message: str, hint: str | None = None) -> None:
        self._reading.add(wrong_shape(message, node.span, hint))

    def _colours(self, node: Node | None, wanted: tuple[str, ...]) -> dict[str, str]:
        if node is None:
            return {}
        colours = {}
        for name, value in self._reading.keys(node, "a set of colours", wanted).items():
            words = self._reading.text(value, f"`{name}`")
            if COLOUR.match(words):
                colours[name] = words.lower()
            elif words:
                self._wrong(
                    value, f"invalid colour `{words}`", 'write six digits in quotes, as in `"#1d3551"`'
                )
        return colours

    def _number(self, node: Node | None, default: float, low: float, high: float) -> float:
        if node is None:
            return default
        words = self._reading.text(node, "a number")
        try:
            number = float(words) if len(words) < 12 else -1
        except ValueError:
            number = -1
        if low <= number <= high:
            return number
        self._wrong(node, f"invalid number `{words}`; expected {low} to {high}")
        return default

    def _word(self, node: Node | None, default: str, known_words: tuple[str, ...]) -> str:
        words = self._reading.text(node, "a word", default)
        if words not in known_words:
            assert node is not None
            self._wrong(node, f"`{words}` is not a word for this key", did_you_mean(words, known_words))
            return default
        return words

    def _fonts(self, node: Node | None, base: dict[str, Any]) -> tuple[dict[str, Any], tuple[Path, ...]]:
        if node is None:
            return base, ()
        reading = self._reading
        keys = reading.keys(node, "`fonts`", _FONTS)
        for name in ("body", "bold"):
            if name in keys:
                base[name] = reading.text(keys[name], f"`{name}`")
                base["stretch" if name == "body" else "bold-weight"] = None
        if "bold" not in keys and "body" in keys:
            base["bold"], base["bold-weight"] = base["body"], 600
        if "stretch" in keys:
            base["stretch"] = self._number(keys["stretch"], 100, 50, 200)
        if "bold-weight" in keys:
            base["bold-weight"] = int(self._number(keys["bold-weight"], 600, 100, 900))
        if "others" in keys:
            base["others"] = [*reading.texts(keys["others"], "`others`"), *base["others"]]
        if "files" not in keys:
            return base, ()
        folder = self._inside(keys["files"], reading.text(keys["files"], "`files`"))
        if folder is None or not os.path.isdir(folder):
            self._wrong(keys["files"], "`files` must name a folder beside the theme")
            return base, ()
        try:  # Typst opens them by itself, and would wait for a pipe
            irregular = [
                name for name in list_files(folder) if not stat.S_ISREG(os.lstat(folder / name).st_mode)
            ]
        except OSError as error:
            self._wrong(keys["files"], f"the folder of fonts {error.strerror}")
            return base, ()
        if irregular:
            self._wrong(keys["files"], f"`{irregular[0]}` in the folder of fonts is not a regular file")
            return base, ()
        return base, (folder,)

    def _logo(self, node: Node | None) -> Logo | None:
        """The picture beside the theme."""
        if node is None or isinstance(node, Scalar) and self._inside(node, node.text) is None:
            return None
        return read_logo(self._reading, self._path.parent, node, "the theme", MOST_PICTURE)

    def _inside(self, node: Node, words: str) -> Path | None:
        """A path in the theme's folder; a path out of it, also by a link, is refused."""
        folder = self._path.parent.resolve()
        with suppress(OSError, RuntimeError, ValueError):  # no path has a NUL; links may go round in circles
            path = (folder / words).resolve()
            if words and path.is_relative_to(folder):
                return path
        self._wrong(node, f"`{words}` is outside the theme's folder")
        return None


_PLAIN: Mapping[str, Any] = {
    "colours": {},
    "sides": [{"ink": "#000000", "tint": "#ffffff"} for _ in range(4)],
    "fonts": {
        "body": "IBM Plex Sans",
        "stretch": 75,
        "bold": "IBM Plex Sans Cond SmBld",
        "bold-weight": None,
        "others": ["Rulekit Sans JP", "IBM Plex Sans Arabic", "IBM Plex Sans Hebrew"],
    },
    "scale": 1.0,
    "hair": 0.35,
    "line": 0.8,
    "faint": "normal",
    "own-sides": "false",
}


def for_sheet(theme: Theme, sheet: Sheet) -> Theme:
    """Return a theme with the colours of a sheet's sides, and its picture where the theme has none."""
    theme = with_sides(theme, sheet.sides)
    return theme if theme.logo or not sheet.logo else replace(theme, logo=logo_of(sheet.logo))


def with_sides(theme: Theme, sides: Sequence[Side]) -> Theme:
    """Return a theme with the colours that a rule set gives its sides, if the theme lets it."""
    if theme.data["own-sides"] != "true" or not any(side.colour for side in sides):
        return theme
    own = [dict(side) for side in theme.data["sides"]]
    own += [{"ink": "#000000", "tint": "#ffffff"} for _ in range(len(sides) - len(own))]
    for number, side in enumerate(sides):
        if side.colour:
            own[number] = {"ink": side.colour, "tint": tint(side.colour)}
    return replace(theme, data={**theme.data, "sides": own})


def light(data: Mapping[str, Any]) -> dict[str, str]:
    """The theme's own colours by the names that the style sheet knows."""
    sides = enumerate(data["sides"])
    drawn = {
        f"side{n}{part}": side[key] for n, side in sides for part, key in (("", "ink"), ("-tint", "tint"))
    }
    return {"paper": PAPER, **data["colours"], **drawn}


STRONG = 14
"""The contrast of text on a dark screen in themes whose quiet text is as strong as the rest."""


def dark(data: Mapping[str, Any]) -> dict[str, str]:
    """The same hues for a dark screen: inks lightened until they can be read there, tints darkened."""
    night = "#000000" if contrast(data["colours"]["muted"], PAPER) > STRONG else NIGHT
    tints = {"tint": 0.14, "zebra": 0.115, "instead": 0.16, "head": 0.24}
    tinted = (at_lightness(data["colours"]["instead"], 0.16), at_lightness(data["colours"]["tint"], 0.14))
    ground = (max(tinted, key=luminance), READ + 0.5) if night == NIGHT else (night, STRONG)
    colours = {"paper": night}
    for name, colour in light(data).items():
        if name == "paper":
            continue
        if name in tints:
            colours[name] = at_lightness(colour, tints[name] if night == NIGHT or name == "head" else 0.0)
        elif name.endswith("-tint"):
            colours[name] = at_lightness(colour, 0.2 if night == NIGHT else 0.0)
        elif name == "hair":
            colours[name] = at_lightness(colour, 0.32 if night == NIGHT else 1.0)
        elif name == "head-ink":
            colours[name] = "#ffffff"
        elif name in ("ink", "change"):
            colours[name] = at_lightness(colour, 0.92 if night == NIGHT else 1.0)
        else:
            colours[name] = _readable(colour, *ground)
    return colours


def _readable(colour: str, ground: str, least: float) -> str:
    for step in range(40, 101):
        nearer = at_lightness(colour, step / 100)
        if contrast(nearer, ground) >= least:
            return nearer
    return "#ffffff"
