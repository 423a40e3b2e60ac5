"""Sheets through Typst: PDF, SVG and PNG.

A first run measures every block at the widths it may have; the pages are packed by that; a second run draws
them.  No Typst source is ever made of a rule set's text: it goes in as data.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import typst

from rulekit.sheet.document import Sheet
from rulekit.sheet.packing import Heights, Leaf, Packer, one_page
from rulekit.sheet.paper import MM, Page, page
from rulekit.sheet.serial import to_json
from rulekit.sheet.setup import Setup
from rulekit.sheet.theme import FONTS, HOME, Theme, read_theme
from rulekit.sheet.trouble import SheetError

TEMPLATE = HOME / "typst" / "sheet.typ"
SCALES = (1.0, 0.97, 0.94, 0.91, 0.88, 0.85, 0.82)
LARGER = 1.05
"""Sizes that are tried for one page: the usual, then larger if that fits, else ever smaller; the last keeps
what is read above 6 points."""
TOO_HIGH = 1e6
MOST_LOGO = 300_000
FULL_SCALES = (1.0, 0.96, 0.93)
LITTLE_USED = 0.4
"""How much of its further pages a part must fill, or smaller type is tried."""


def pdf(sheet: Sheet, setup: Setup) -> list[bytes]:
    """A PDF/UA: tagged, with bookmarks; one file."""
    return printed(sheet, setup, "pdf")


def svg(sheet: Sheet, setup: Setup) -> list[bytes]:
    """A picture a page, its text as outlines."""
    return printed(sheet, setup, "svg")


def png(sheet: Sheet, setup: Setup) -> list[bytes]:
    """A picture a page."""
    return printed(sheet, setup, "png")


def printed(sheet: Sheet, setup: Setup, form: Literal["pdf", "svg", "png"]) -> list[bytes]:
    """The sheet; a PDF is one file, pictures are one a page.

    Raises:
        SheetError: Something of the set-up is not there, or something cannot fit on its page.
    """
    made = _Printer(sheet, setup)
    return made.output(form)


class _Printer:
    def __init__(self, sheet: Sheet, setup: Setup) -> None:
        self._sheet, self._setup = sheet, setup
        self._theme: Theme = read_theme(setup.theme)
        self._page: Page = page(setup.paper, setup.landscape, setup.fold)
        self._data = json.dumps(to_json(sheet), ensure_ascii=False)
        self._blocks = [block for part in sheet.parts for block in part.blocks]
        if not self._blocks:
            raise SheetError("nothing of the rule set is in force that a sheet could hold")
        self._check_fonts()

    def _check_fonts(self) -> None:
        fonts = self._theme.data["fonts"]
        there = {name.lower() for name in _fonts(self._theme.font_folders).families()}
        for name in (fonts["body"], fonts["bold"], *fonts["others"]):
            if name.lower() not in there:
                hint = "put its files into a folder beside the theme and name that under `fonts: files`"
                raise SheetError(
                    f"the theme `{self._theme.name}` wants the font `{name}`, which is not there; {hint}"
                )

    def output(self, form: Literal["pdf", "svg", "png"]) -> list[bytes]:
        scale, leaves = self._packed()
        inputs = self._inputs(scale, leaves)
        if not self._setup.frame:
            inputs = self._cut(inputs, scale)
        return self._drawn(inputs, form)

    # -- pages

    def _packed(self) -> tuple[float, list[Leaf]]:
        base = self._theme.data["scale"]
        if self._sheet.form == "full":
            return self._fullest(base)
        return self._one_page(base)

    def _one_page(self, base: float) -> tuple[float, list[Leaf]]:
        """The one page of the short form, in the largest type that lets everything stand on it.

        Raises:
            SheetError: Not even the least does.
        """
        count = self._page.columns(self._sheet.parts[0].columns)

        def tried(scale: float) -> tuple[Leaf | None, float, Mapping[tuple[int, float], float]]:
            heights, titles = self._measured(scale)
            return (*one_page(self._page, count, len(self._blocks), _by(heights), titles[0]), heights)

        for scale in SCALES:
            leaf, over, heights = tried(base * scale)
            if leaf is not None:
                larger = tried(base * LARGER)[0] if scale == SCALES[0] else None
                return (base * scale, [leaf]) if larger is None else (base * LARGER, [larger])
        tallest = max(range(len(self._blocks)), key=lambda b: heights[b, round(self._page.column(count), 2)])
        raise SheetError(
            f"the one-page form does not fit on {self._setup.paper}: its longest column is {over / MM:.0f} mm"
            f" too high at the least size of type, and `{self._blocks[tallest].head.title}` is its highest"
            " block; leave something out under `one_page` in `sheet.yaml`, or take a larger paper"
        )

    def _fullest(self, base: float) -> tuple[float, list[Leaf]]:
        """Pages of the full form; in a little smaller type where that spares pages that are nearly empty."""
        best: tuple[float, list[Leaf]] | None = None
        for scale in FULL_SCALES:
            heights, titles = self._measured(base * scale)
            leaves = Packer(self._page, _by(heights), titles).pack(self._sheet.parts)
            if best is None or len(leaves) < len(best[1]):
                best = base * scale, leaves
            if all(leaf.title or leaf.used > LITTLE_USED * self._page.text_height for leaf in best[1]):
                break
        assert best is not None
        return best

    def _measured(self, scale: float) -> tuple[dict[tuple[int, float], float], list[float]]:
        whole = round(self._page.text_width, 2)
        widths: list[list[float]] = []
        for part in self._sheet.parts:
            narrow = round(self._page.column(self._page.columns(part.columns)), 2)
            widths += [sorted({narrow, whole})] * len(part.blocks)
        if self._sheet.form == "one-page":
            widths = [[w[0]] for w in widths]
        inputs = self._inputs(scale, [], widths=widths)
        found = self._query({**inputs, "mode": "measure"})
        # what is too wide for a column is too high for one, so that it gets the width of the page
        heights = {
            (m["block"], round(m["width"], 2)): m["height"]
            if m["over"] <= 0 or m["width"] == whole
            else TOO_HIGH
            for m in found
            if m["kind"] == "height"
        }
        titles = [m["height"] + 7 for m in found if m["kind"] == "title"]
        return heights, titles

    def _inputs(self, scale: float, leaves: Sequence[Leaf], **more: Any) -> dict[str, str]:
        at = self._page
        setup = {
            "theme": self._theme.data,
            "scale": scale,
            "title": at.title,
            "width": at.width,
            "height": at.height,
            "margins": {"left": at.left, "right": at.right, "top": at.top, "bottom": at.bottom},
            "text-width": at.text_width,
            "gutter": at.gutter,
            "gap": at.gap,
            "bleed": self._setup.bleed * MM,
            "frame": self._setup.frame,
            "bare": False,
            "logo": self._logo(),
            "widths": [],
            "pages": [leaf.data() for leaf in leaves],
            **more,
        }
        return {"setup": json.dumps(setup), "data": self._data, "mode": "draw"}

    def _logo(self) -> dict[str, Any] | None:
        """The theme's picture: its bytes, for the template may read no file."""
        path = self._theme.logo
        if path is None:
            return None
        content = path.read_bytes()
        if len(content) > MOST_LOGO:
            raise SheetError(f"the logo `{path.name}` is larger than {MOST_LOGO:,} bytes")
        kind = path.suffix.lower().lstrip(".").replace("jpeg", "jpg")
        return {"format": kind, "bytes": list(content)}

    def _cut(self, inputs: dict[str, str], scale: float) -> dict[str, str]:
        """The same for a page that is as high as the one block on it."""
        setup = json.loads(inputs["setup"])
        width = self._page.text_width
        if not self._blocks[0].head.wide:
            width = self._page.column(self._page.columns(self._sheet.parts[0].columns))
        heights, _ = self._measured(scale)
        height = heights[0, round(width, 2)]
        rim = 6.0
        setup |= {"width": width + 2 * rim, "height": height + 2 * rim + 1, "text-width": width,
                  "margins": dict.fromkeys(("left", "right", "top", "bottom"), rim),
                  "pages": [{"part": 0, "title": False, "regions": [
                      {"kind": "columns", "widths": [width], "blocks": [[0]]}]}]}  # fmt: skip
        return {**inputs, "setup": json.dumps(setup)}

    # -- Typst

    def _compiler(self, inputs: dict[str, str]) -> typst.Compiler:
        return typst.Compiler(
            input=str(TEMPLATE), root=str(TEMPLATE.parent), font_paths=_fonts(self._theme.font_folders),
            ignore_system_fonts=True, sys_inputs=inputs, package_path=os.devnull,
        )  # fmt: skip

    def _query(self, inputs: dict[str, str]) -> list[dict[str, Any]]:
        try:
            said = self._compiler(inputs).query("<told>", field="value")
        except RuntimeError as error:
            raise _trouble(error) from error
        found: list[dict[str, Any]] = json.loads(said)
        return found

    def _drawn(self, inputs: dict[str, str], form: Literal["pdf", "svg", "png"]) -> list[bytes]:
        compiler = self._compiler(inputs)
        try:
            standard: dict[str, Any] = {"pdf_standards": ["ua-1"]}
            output, warnings = compiler.compile_with_warnings(format="pdf", **standard)
            if form != "pdf":  # what no font has is told of a PDF alone, so one was made first
                more: dict[str, Any] = {"ppi": self._setup.ppi} if form == "png" else {}
                output, warnings = compiler.compile_with_warnings(format=form, **more)
            told = json.loads(compiler.query("<told>", field="value"))
        except RuntimeError as error:
            raise _trouble(error) from error
        if warnings:
            raise SheetError("the page could not be set cleanly", tuple(str(w.message) for w in warnings))
        self._overflows(told)
        if form == "pdf" and isinstance(output, bytes):
            from rulekit.sheet.press import finished

            return [finished(output, self._setup)]
        pages = output if isinstance(output, list) else [output]
        return [page for page in pages if page is not None]

    def _overflows(self, told: Sequence[dict[str, Any]]) -> None:
        """
        Raises:
            SheetError: Something is wider than its place.
        """
        found = [
            f"`{each['title']}` ({each['block']}) is {each['over'] / MM:.1f} mm too {each['kind']} for"
            f" {self._setup.paper}: `{_cut(each['word'])}` cannot be broken"
            for each in told
            if each["kind"] in ("wide", "high") and each["over"] > 0.05
        ]
        if found:
            raise SheetError("not everything fits on its page", tuple(dict.fromkeys(found)))


def _by(heights: Mapping[tuple[int, float], float]) -> Heights:
    return lambda block, width: heights[block, round(width, 2)]


def _cut(word: str) -> str:
    return word if len(word) <= 40 else f"{word[:37]}..."


def _trouble(error: RuntimeError) -> SheetError:
    """What Typst says (its `TypstError` is a `RuntimeError`, and a query raises the latter)."""
    message = str(getattr(error, "message", error))
    if "font" in message and "glyph" in message or "could not be displayed" in message:
        hint = "name a font that has it under `fonts: others` in a theme"
        return SheetError(f"a character is in none of the theme's fonts: {message}; {hint}")
    return SheetError(f"the page cannot be set: {message}", tuple(getattr(error, "hints", ())))


@cache
def _fonts(folders: tuple[Path, ...]) -> typst.Fonts:
    """Our fonts and a theme's own; those of the system never."""
    paths = [str(FONTS), *map(str, folders)]
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=paths)
