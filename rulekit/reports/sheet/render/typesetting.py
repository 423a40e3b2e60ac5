"""Typst, with our templates and a document as data: measuring and drawing.

No Typst source is ever made of a rule set's text.  Every warning is an error here, and what the templates
tell of too wide or too high is one too: Typst itself would clip without a word.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import typst

from rulekit.reports.sheet.layout.packing import End, Leaf
from rulekit.reports.sheet.layout.paper import MM, PageSize, Setup, page
from rulekit.reports.sheet.model.document import NOTHING, Sheet, SheetError, no_font
from rulekit.reports.sheet.model.logos import MOST_PRINTED
from rulekit.reports.sheet.model.serial import to_json
from rulekit.reports.sheet.render.links import with_links
from rulekit.reports.sheet.render.theme import FONTS, HOME, Theme, for_sheet, read_theme

TEMPLATES = HOME / "typst"
MAIN = "sheet.typ"
Form = Literal["pdf", "svg", "png"]


class Overflowing(SheetError):
    """Something does not fit; `over` is how much of the page's width is missing at most."""

    def __init__(self, details: tuple[str, ...], over: float) -> None:
        super().__init__("some content does not fit on its page", details)
        self.over = over


class Typesetter:
    """One sheet in one set-up.

    Raises:
        SheetError: Paper, theme or font does not exist, or nothing is on the sheet.

    Attributes:
        texts: Each block as JSON.
        common: All that the height of a block depends on beside itself, its width and the size of type.
    """

    def __init__(self, sheet: Sheet, setup: Setup) -> None:
        self.sheet, self.setup = sheet, setup
        self.theme: Theme = for_sheet(read_theme(setup.theme), sheet)
        self.page: PageSize = page(setup.paper, setup.landscape, setup.fold)
        self.blocks = sheet.blocks
        if not self.blocks:
            raise SheetError(NOTHING)
        self._check_fonts()
        plain = to_json(sheet)
        self._data = json.dumps(plain, ensure_ascii=False)
        self._linked = json.dumps(with_links(plain), ensure_ascii=False)
        self.texts = [json.dumps(block) for part in plain["parts"] for block in part["blocks"]]
        titles = [part["title"] for part in plain["parts"]]
        rest = (plain["sides"], plain["words"], plain["language"], plain["form"], titles, self.theme.data)
        self.common = json.dumps([rest, setup.frame, self.page.text_width, self.page.title])

    def _check_fonts(self) -> None:
        fonts = self.theme.data["fonts"]
        there = {name.lower() for name in _fonts(self.theme.font_folders).families()}
        for name in (fonts["body"], fonts["bold"], *fonts["others"]):
            if name.lower() not in there:
                raise SheetError(no_font(self.theme.name, name))

    def inputs(self, scale: float, leaves: Sequence[Leaf] = (), **more: Any) -> dict[str, Any]:
        """The set-up that the templates read; `more` overrides it."""
        at = self.page
        return {
            "theme": self.theme.data,
            "scale": scale,
            "title": at.title,
            "width": at.width,
            "height": at.height,
            "margins": {"left": at.left, "right": at.right, "top": at.top, "bottom": at.bottom},
            "text-width": at.text_width,
            "text-height": at.text_height,
            "gutter": at.gutter,
            "gap": at.gap,
            "bleed": self.setup.bleed * MM,
            "frame": self.setup.frame,
            "logo": self._logo(),
            "widths": [],
            "rows": False,
            "pages": [leaf.data() for leaf in leaves],
            **more,
        }

    def _logo(self) -> dict[str, Any] | None:
        """The theme's picture: its bytes, for the template may read no file."""
        logo = self.theme.logo
        if logo is None:
            return None
        if len(logo.data) > MOST_PRINTED:
            raise SheetError(f"the logo of the theme is larger than {MOST_PRINTED:,} bytes")
        return {"format": logo.format, "bytes": list(logo.data)}

    def measurements(self, inputs: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the measurements that the templates make."""
        return _query(self._compiler(inputs, "measure"))

    def end(self, scale: float, block: int, used: float) -> End:
        """Return where a block ends that begins below so many points of a page and goes on over others."""
        flow = {"block": block, "used": used}
        measured = _query(self._compiler(self.inputs(scale, flow=flow), "flow"))
        (end,) = (item for item in measured if item["kind"] == "flow")
        return End(end["page"] - 1, end["used"])

    def draw(self, inputs: dict[str, Any], form: Form) -> list[bytes]:
        """Return the finished file, or pictures of its pages.

        Raises:
            SheetError: Something does not fit, or a character has no font.
        """
        self._overflows(_query(self._compiler(inputs, "draw")))
        try:
            standard: dict[str, Any] = {"pdf_standards": ["ua-1"]}
            output, warnings = self._compiler(inputs, "draw").compile_with_warnings(format="pdf", **standard)
            if form != "pdf":  # only a PDF reports characters that no font has, so it is made first
                more: dict[str, Any] = {"ppi": self.setup.ppi} if form == "png" else {}
                output, warnings = self._compiler(inputs, "draw").compile_with_warnings(format=form, **more)
        except RuntimeError as error:
            raise _trouble(error) from error
        if warnings:
            raise SheetError("cannot typeset the page cleanly", tuple(str(w.message) for w in warnings))
        files = output if isinstance(output, list) else [output]
        return [file for file in files if file is not None]

    def _compiler(self, inputs: dict[str, Any], mode: Literal["measure", "flow", "draw"]) -> typst.Compiler:
        """Return a compiler for one run: after it, files that are not on the disk are forgotten."""
        setup, data = json.dumps({**inputs, "mode": mode}), self._linked if mode == "draw" else self._data
        files: Any = {**_templates(), "setup.json": setup.encode(), "data.json": data.encode()}
        return typst.Compiler(
            input=files,
            font_paths=_fonts(self.theme.font_folders),
            ignore_system_fonts=True,
            package_path=os.devnull,
        )

    def _overflows(self, told: Sequence[dict[str, Any]]) -> None:
        """Check that everything fits its place and its page, or raise SheetError."""
        over = [item for item in told if item["kind"] in ("wide", "high") and item["over"] > 0.05]
        overflows = [
            f"`{item['title']}` ({item['block']}) is {item['over'] / MM:.1f} mm too {item['kind']} for"
            f" {self.setup.paper}: `{_cut(item['word'])}` cannot be broken"
            for item in over
        ]
        if overflows:
            most = max(item["over"] for item in over) / self.page.text_width
            raise Overflowing(tuple(dict.fromkeys(overflows)), most)


def _query(compiler: typst.Compiler) -> list[dict[str, Any]]:
    try:
        measurements: list[dict[str, Any]] = json.loads(compiler.query("<told>", field="value"))
    except RuntimeError as error:
        raise _trouble(error) from error
    return measurements


def _cut(word: str) -> str:
    return word if len(word) <= 40 else f"{word[:37]}..."


def _trouble(error: RuntimeError) -> SheetError:
    """Return the error for a message of Typst; queries raise a plain `RuntimeError`."""
    message = str(getattr(error, "message", error))
    if "font" in message and "glyph" in message or "could not be displayed" in message:
        hint = "name a font that has it under `fonts: others` in a theme"
        return SheetError(f"no font of the theme has a character: {message}; {hint}")
    return SheetError(f"cannot typeset the page: {message}", tuple(getattr(error, "hints", ())))


@cache
def _templates() -> dict[str, bytes]:
    """The files of the templates; Typst begins with `main.typ`.

    The set-up and the data are files beside them, not inputs: where inputs are others, Typst sets all anew.
    """
    files = {file.name: file.read_bytes() for file in TEMPLATES.glob("*.typ")}
    return {"main.typ": files.pop(MAIN), **files}


@cache
def _fonts(folders: tuple[Path, ...]) -> typst.Fonts:
    paths = [str(FONTS), *map(str, folders)]
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=paths)
