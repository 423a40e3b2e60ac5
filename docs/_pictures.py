"""Pictures of sheets and odds on pages of the documentation, drawn from the rules when they are built.

A line `<!-- gallery: NAME NAME:2 -->` becomes the pages of a sheet of `GALLERY`, or one of them, each with a
link to its page of the PDF; `<!-- odds: NAME -->` the plot of the questions of `ODDS`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from mkdocs.structure.files import File, Files

_GALLERY = re.compile(r"^<!-- gallery: (.+) -->$", re.MULTILINE)
GALLERY: dict[str, tuple[str, tuple[str, ...], str]] = {
    "vitp": ("vitp", (), "full"),
    "vitp-one-page": ("vitp", (), "one-page"),
    "fcn": ("fcn", (), "full"),
    "atp": ("atp", (), "full"),
    "atp-one-page": ("atp", (), "one-page"),
    "house-rules": (
        "pacwar",
        ("house-coastal-defense", "jsis-flak-phase-in", "m80-battle-line", "m80-defense-modifiers"),
        "full",
    ),
}  # fmt: skip
"""Sheets shown as pictures: the rule set, its options, the form."""
PICTURE_PPI = 72
_PLOT = re.compile(r"^<!-- odds: (\S+) -->$", re.MULTILINE)
_NIGHT = "shell(Hiei, Mahan, short, full)"
ODDS: dict[str, tuple[str, str, str, tuple[tuple[str, str, str | None], ...]]] = {
    "flak-by-month": (
        "Hits of eight points of improved flak of the Allies, by month",
        "pacwar",
        "fire_flak(Allies, 8)",
        tuple((month, f"month = {month}", "jsis-flak-phase-in")
              for month in ("Jul 1942", "Sep 1942", "Dec 1942", "Mar 1943", "May 1943")),
    ),
    "japanese-flak-by-month": (
        "Hits of eight points of unimproved flak of Japan, by month",
        "pacwar",
        "fire_flak(Japan, 8)",
        tuple((month, f"month = {month}", "jsis-flak-phase-in")
              for month in ("Dec 1942", "Apr 1943", "Sep 1943", "Jan 1944", "May 1944", "Jun 1944")),
    ),
    "battleship-at-night": (
        "Hits of the Hiei on a destroyer at short range",
        "pacwar",
        _NIGHT,
        (("base game, by day or by night", "light = Night", None),
         ("with the limits, by night", "light = Night", "mst-gunnery-limits")),
    ),
}  # fmt: skip
"""Plots: the title, the rule set, the question, and for each case its name, what is given, and the option."""


def on_files(files: Files, config: Any) -> Files:
    """Add the sheets as PDF, and their pages as pictures."""
    for name in GALLERY:
        pdf, pictures = printed(name)
        files.append(File.generated(config, f"assets/sheets/{name}.pdf", content=pdf))
        for number, picture in enumerate(pictures, 1):
            files.append(File.generated(config, f"assets/sheets/{name}-{number}.png", content=picture))
    for name in ODDS:
        files.append(File.generated(config, f"assets/odds/{name}.svg", content=plotted(name)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Put pictures in the place of galleries."""
    up = "../" * page.url.rstrip("/").count("/") + ("../" if page.url.strip("./") else "")
    markdown = _PLOT.sub(lambda match: plot(match[1], up), markdown)
    return _GALLERY.sub(lambda match: gallery(match[1].split(), up), markdown)


@cache
def printed(name: str) -> tuple[bytes, tuple[bytes, ...]]:
    """A sheet of the gallery as a PDF, and its pages as pictures."""
    from rulekit.base.resources import rules_folder
    from rulekit.compiler.driver import compile_rule_set
    from rulekit.diagnostics import Report
    from rulekit.reports.sheet.content.build import Request, sheet_of
    from rulekit.reports.sheet.layout.paper import Setup
    from rulekit.reports.sheet.render.printing import pdf, png

    rules, options, form = GALLERY[name]
    compiled = compile_rule_set(rules_folder() / rules, Report(), options=options)
    sheet = sheet_of(compiled, Report(), Request("one-page" if form == "one-page" else "full"))
    (document,) = pdf(sheet, Setup())
    return document, tuple(png(sheet, Setup(ppi=PICTURE_PPI)))


def gallery(wanted: list[str], up: str) -> str:
    """Pictures of sheets, each with a link to its page of the PDF; `NAME:3` is one page."""
    items = []
    for entry in wanted:
        name, _, only = entry.partition(":")
        pages, whole = len(printed(name)[1]), GALLERY[name][2] == "full"
        for number in range(1, pages + 1):
            if only in ("", str(number)):
                at = f"{up}assets/sheets/{name}"
                words = f"Page {number} of {pages}" if whole else "Everything on one page"
                loading = "lazy" if items else "eager"  # the first picture is often what a page begins with
                picture = f'<img src="{at}-{number}.png" alt="" loading="{loading}" width="595" height="842">'
                items.append(f'<li><a href="{at}.pdf#page={number}">{picture}<span>{words}</span></a></li>')
    return f'<ul class="gallery">{"".join(items)}</ul>'


@cache
def plotted(name: str) -> bytes:
    """The plot of a question, its cases beside each other, as SVG."""
    from rulekit.reports.odds.plots import picture

    title, rules, question, asked = ODDS[name]
    cases = {}
    for words, given, option in asked:
        of = "Mahan.damage" if question is _NIGHT else ()
        part = _game(rules, option).odds(question, given=given, of=of)
        part.names = (title,)
        cases[words] = part
    return picture([cases], "svg")


@cache
def _game(rules: str, option: str | None) -> Any:
    """A rule set that comes with rulekit, with an option."""
    import rulekit
    from rulekit.base.resources import rules_folder

    return rulekit.load(rules_folder() / rules, options=[option] if option else [])


def plot(name: str, up: str) -> str:
    """The picture of a plot, with its title."""
    return f'<p><img src="{up}assets/odds/{name}.svg" alt="{ODDS[name][0]}" loading="lazy"></p>'
