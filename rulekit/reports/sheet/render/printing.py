"""Sheets as PDF, SVG and PNG.

A first run of Typst measures blocks at the widths they may have; the pages are packed by that; a second run
draws them.
"""

from __future__ import annotations

from rulekit.reports.sheet.layout.fitting import alone, packed
from rulekit.reports.sheet.layout.press import finished
from rulekit.reports.sheet.layout.setup import Setup
from rulekit.reports.sheet.model.document import Sheet
from rulekit.reports.sheet.render.typesetting import Form, Typesetter


def pdf(sheet: Sheet, setup: Setup) -> list[bytes]:
    """A PDF/UA: tagged, with bookmarks; one file."""
    return [finished(each, setup) for each in printed(sheet, setup, "pdf")]


def svg(sheet: Sheet, setup: Setup) -> list[bytes]:
    """A picture a page, its text as outlines."""
    return printed(sheet, setup, "svg")


def png(sheet: Sheet, setup: Setup) -> list[bytes]:
    """A picture a page."""
    return printed(sheet, setup, "png")


def printed(sheet: Sheet, setup: Setup, form: Form) -> list[bytes]:
    """The sheet as Typst draws it.

    Raises:
        SheetError: Something of the set-up is not there, or something cannot fit on its page.
    """
    setter = Typesetter(sheet, setup)
    if not setup.frame and len(setter.blocks) == 1:
        return setter.drawn(alone(setter), form)
    return setter.drawn(setter.inputs(*packed(setter)), form)
