"""Sheets as HTML: one file that needs nothing else, with its fonts, and fragments for pages of others."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from struct import error, unpack_from

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rulekit.base.files import list_files, read_named
from rulekit.base.frozen import frozen
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import NOTHING, Block, Sheet, SheetError, no_font
from rulekit.reports.sheet.model.serial import to_json
from rulekit.reports.sheet.render.html_view import Look
from rulekit.reports.sheet.render.theme import FONTS, Theme, dark, for_sheet, light, read_theme

HOME = Path(__file__).parent / "web"
OWN = "IBM Plex Sans"
FACES = (("Regular", 400, "normal"), ("SemiBold", 600, "normal"), ("Italic", 400, "italic"))
OVER = 5
"""How often the class is named in style sheets for pages of others, so that the page's own do not prevail."""
SCRIPTS = {
    "Rulekit Sans JP": re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]"),
    "IBM Plex Sans Arabic": re.compile("[\u0600-\u06ff\u0750-\u077f]"),
    "IBM Plex Sans Hebrew": re.compile("[\u0590-\u05ff]"),
}
"""Bundled families beside Latin, with what they are for."""


def html(sheet: Sheet, setup: Setup) -> list[bytes]:
    """One page with everything in it: styles, fonts, drawings.

    It loads nothing, and runs only the script of its find box.

    Raises:
        SheetError: There is no such theme, a font of it is missing, or nothing is on the sheet.
    """
    if not sheet.blocks:
        raise SheetError(NOTHING)
    theme = for_sheet(read_theme(setup.theme), sheet)
    _check_fonts(theme)
    page = _environment().get_template("page.html").render(
        sheet=sheet, look=Look(sheet), logo=theme.logo.url if theme.logo else "",
        style=Markup(style(theme, setup, scripts=_scripts(sheet))), **_find_box(),
    )  # fmt: skip
    return [_tidy(page).encode()]


@cache
def _find_box() -> dict[str, Markup]:
    """The script of the find box, and the digest by which the page's policy lets it alone run."""
    script = (HOME / "find.js").read_text(encoding="utf-8").strip()
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    return {"script": Markup(script), "script_hash": Markup(f"sha256-{digest}")}


def fragment(sheet: Sheet, blocks: Sequence[Block], level: int = 3, prefix: str = "") -> str:
    """Some blocks of a sheet, for a page that has `style` already.

    Args:
        level: Of their headings.
        prefix: Before the ids, where one page has blocks of several sheets.
    """
    block = _environment().get_template("blocks.html").make_module({"look": Look(sheet, prefix, blocks)})
    parts = (getattr(block, "block")(one, level) for one in blocks)  # noqa: B009
    about = f'lang="{sheet.language}" dir="{sheet.direction}"'
    return _tidy(f'<div class="rk" {about}>\n{"".join(parts)}</div>\n')


def style(
    theme: Theme, setup: Setup | None = None, *, dark_too: bool | str = True, scripts: Collection[str] = ()
) -> str:
    """The style sheet, with the theme's colours for light and dark; on paper it is always light.

    Args:
        setup: The paper of a page that is a sheet; None for fragments in pages of others.
        dark_too: Whether it turns dark for readers who want that, by their system or under a selector.
        scripts: Families for the scripts of a page, which go with it.
    """
    data = theme.data
    own = data["fonts"]["body"] == OWN
    fonts = data["fonts"]
    named = {name: name for name in (fonts["body"], *fonts["others"])}
    named[fonts["bold"]] = fonts["body"]  # weighty words are of the same family on a page
    faces = "".join(_faces()) if own else ""
    faces += embed_fonts(theme.font_folders, {name: _plain(own) for name, own in named.items()})
    faces += embed_fonts([FONTS], dict(zip(scripts, scripts, strict=True)))
    body = ", ".join(f'"{_plain(name)}"' for name in (data["fonts"]["body"], *data["fonts"]["others"]))
    more = {"body": body, "faint": data["faint"], "side-ink": "#ffffff", "scale": str(data["scale"])}
    day, night = light(data), dark(data)
    paper = _page(setup)
    day |= {"head-line": day["head"]} | more
    night |= {"head-line": night["muted"]} | more | {"side-ink": night["paper"]}
    rules = (HOME / "sheet.css").read_text(encoding="utf-8")
    if setup is None:
        rules = rules.replace(".rk ", ".rk" * OVER + " ")
    if not own:
        rules = rules.replace('"Rulekit Sans Condensed", ', "")
    at, scheme = ".rk, :root:has(> body.rk)", "light dark" if dark_too is True else "light"
    root = f"{at} {{ color-scheme: {scheme};{_variables(day)} }}"
    screen = ""
    if isinstance(dark_too, str):
        screen = f"@media screen {{ {dark_too} .rk {{ color-scheme: dark;{_variables(night)} }} }}"
    elif dark_too:
        screen = f"@media screen and (prefers-color-scheme: dark) {{ {at} {{{_variables(night)} }} }}"
    return f"{faces}{root}\n{screen}\n{paper}{rules}"


def _check_fonts(theme: Theme) -> None:
    """Check that the page can embed the theme's font, or raise SheetError."""
    name = theme.data["fonts"]["body"]
    if name == OWN:
        return
    there = {family for face in faces_in((FONTS, *theme.font_folders)) for family in face.families}
    if name.lower() not in there:
        raise SheetError(no_font(theme.name, name))


def _scripts(sheet: Sheet) -> tuple[str, ...]:
    text = json.dumps(to_json(sheet), ensure_ascii=False)
    return tuple(name for name, script in SCRIPTS.items() if script.search(text))


def _variables(colours: Mapping[str, str]) -> str:
    return "".join(f" --{name}: {value};" for name, value in colours.items())


def _page(setup: Setup | None) -> str:
    if setup is None:
        return ""
    from rulekit.reports.sheet.layout.paper import page

    size = page(setup.paper, setup.landscape)
    return f"@page {{ size: {size.width:g}pt {size.height:g}pt; margin: 12mm 11mm 14mm; }}\n"


def _faces() -> Iterator[str]:
    for name, weight, slant in FACES:
        path = HOME / f"RulekitSansCondensed-{name}.woff2"
        yield _face_rule(path, "woff2", "woff2", "Rulekit Sans Condensed", weight, slant)


def _face_rule(path: Path, type_: str, form: str, name: str, weight: int, slant: str) -> str:
    data = base64.b64encode(read_named(path)).decode()
    source = f'url(data:font/{type_};base64,{data}) format("{form}")'
    how = f"font-weight: {weight}; font-style: {slant}; src: {source};"
    return f'@font-face {{ font-family: "{name}"; {how} }}\n'


def _plain(name: str) -> str:
    """A font's name without what a style sheet would read as its own."""
    return re.sub(r"[^\w \-.]", "", name)


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(HOME)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=False)


def _tidy(page: str) -> str:
    return re.sub(r"\n\s*\n+", "\n", page)


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
        for name in list_files(folder):
            face = _face(folder / name) if name.lower().endswith(ENDINGS) else None
            if face is not None:
                yield face


def embed_fonts(folders: Collection[Path], names: Mapping[str, str]) -> str:
    """Style rules with fonts in them: of these families, each by the name that the page has for it."""
    wanted = {name.lower(): own for name, own in names.items()}
    rules: list[str] = []
    for face in faces_in(folders if names else ()):
        name = next((wanted[family] for family in sorted(face.families) if family in wanted), None)
        if name is None or face.path.stat().st_size > MOST:
            continue
        kind = "opentype" if face.path.suffix.lower() == ".otf" else "truetype"
        slant = "italic" if face.italic else "normal"
        rules.append(_face_rule(face.path, kind, kind, name, face.weight, slant))
    return "".join(rules)


@cache
def _face(path: Path) -> Face | None:
    """Return the names in a font file; None if it is not a font."""
    try:
        data = read_named(path)
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
