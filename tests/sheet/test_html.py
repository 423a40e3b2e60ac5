"""Sheets as HTML: structure, colours, what a stranger's words may do."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pytest

from rulekit.reports.sheet.content.build import Request, only
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import (
    Block,
    Head,
    List,
    Run,
    Sheet,
    SheetColumn,
    SheetError,
    SheetLine,
    SheetRow,
    TableBlock,
)
from rulekit.reports.sheet.render.html import fragment, html, style
from rulekit.reports.sheet.render.theme import FONTS, contrast, dark, known_themes, light, read_theme
from tests.sheet.helpers import PRINTED, block, folder, made, sheet

VOID = {"meta", "img", "br", "col", "link", "hr", "input"}
SETS = [
    ("vitp", ("damage-control", "gunnery-radar")),
    ("pacwar", ("mst-gunnery-limits", "jsis-flak-phase-in")),
    ("fcn", ()),
]


@dataclass
class Seen(HTMLParser):
    """A page as its tags: what is open where it should be closed, ids, links, text."""

    stack: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.stack or self.stack.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        if not {"style"} & set(self.stack):
            self.text.append(data)

    def all(self, name: str) -> list[str]:
        """The values of an attribute, wherever it stands."""
        return [value for _, found in self.tags if (value := found.get(name))]


def seen(page: str) -> Seen:
    """A page, read."""
    made = Seen()
    made.feed(page)
    made.close()
    assert [] == made.wrong
    assert [] == made.stack
    return made


def page(found: Sheet, setup: Setup | None = None) -> str:
    """The one file."""
    (made,) = html(found, setup or Setup())
    return made.decode()


def of(*blocks: Block, direction: str = "ltr") -> Sheet:
    """A sheet of blocks made for a test."""
    base = sheet("vitp")
    part = replace(base.parts[0], blocks=blocks)
    return replace(base, parts=(part,), direction=direction)  # type: ignore[arg-type]


def text(words: str) -> tuple[Run, ...]:
    """Plain words."""
    return (Run("text", words),)


@pytest.mark.parametrize(("name", "options"), SETS)
def test_structure(name: str, options: tuple[str, ...]) -> None:
    """Every tag is closed, every id is there once, every link and label has its target."""
    made = seen(page(sheet(name, options)))

    ids = made.all("id")
    assert len(ids) == len(set(ids))
    assert set() == {link[1:] for link in made.all("href")} - set(ids)
    assert set() == {each for label in made.all("aria-labelledby") for each in label.split()} - set(ids)
    assert ["h1"] == [tag for tag, _ in made.tags if tag == "h1"]


@pytest.mark.parametrize(("name", "options"), SETS)
def test_nothing_is_loaded(name: str, options: tuple[str, ...]) -> None:
    """The file needs no other and runs only its find box; its policy forbids all else too."""
    text_ = page(sheet(name, options))

    made = seen(text_)
    assert text_.count("<script>") == 1 and re.search(r"script-src 'sha256-[\w+/=]+'", text_)
    assert set() == {"link", "iframe", "object", "form"} & {tag for tag, _ in made.tags}
    assert [] == [each for each in made.all("src") if not each.startswith("data:")]
    assert "default-src 'none'" in text_
    addresses = set(re.findall(r"https?://[^\s\"'<)]+", text_))
    assert addresses <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize(("name", "options"), SETS)
def test_cells_of_a_head_say_what_for(name: str, options: tuple[str, ...]) -> None:
    """Every `th` has a scope, and every row of a table begins with one or lies under one."""
    made = seen(page(sheet(name, options)))
    assert [] == [found for tag, found in made.tags if tag == "th" and not found.get("scope")]


def test_every_block_and_number_is_there() -> None:
    """What the document holds is on the page: titles, printed numbers, words."""
    found = sheet("vitp", ("damage-control",))
    said = "".join(seen(page(found)).text)
    lines = [each for part in found.parts for b in part.blocks if isinstance(b, List) for each in b.lines]
    assert [] == [b.head.title for part in found.parts for b in part.blocks if b.head.title not in said]
    assert [] == [line.number for line in lines if line.number not in said]
    assert [] == [run.text for line in lines for run in line.text if run.text not in said]


def test_change_has_a_bar_a_tag_and_a_word() -> None:
    """What an option changed is marked without colour, and said aloud."""
    found = only(sheet("vitp", ("damage-control",)), "modifiers")
    assert found is not None
    text_ = page(found)
    row = next(each for each in text_.split("<tr") if 'class="added"' in each)
    assert '<span class="tag">opt 22</span>' in row and '<span class="aloud">(added)</span>' in row
    assert "tr.added > :first-child { box-shadow: inset" in text_


def test_marks_are_doubled_by_shape() -> None:
    """Sides differ in shape and letter; permissions and prohibitions have drawings and names of their own."""
    text_ = page(sheet("vitp"))
    assert ".rk .side.s0 { border-radius: 50%;" in text_ and ".rk .side.s1 { border-radius: .15em;" in text_
    assert '<abbr class="side s0" title="Japan">J</abbr>' in text_
    assert re.search(r'aria-label="may"><title>[^<]+</title><circle', text_)
    assert re.search(r'aria-label="cannot"><title>[^<]+</title><path', text_)


@pytest.mark.parametrize(("theme", "shades"), list(product(known_themes(), (light, dark))))
def test_colours_can_be_read(theme: str, shades: object) -> None:
    """Words stand out from what they stand on, light and dark, in every theme."""
    found = (light if shades is light else dark)(read_theme(theme).data)
    pairs = [("ink", "paper"), ("muted", "paper"), ("ink", "tint"), ("muted", "tint"), ("ink", "zebra"),
             ("muted", "zebra"), ("head-ink", "head"), ("ink", "instead"), ("instead-ink", "instead"),
             ("muted", "instead"), *((f"side{n}", "paper") for n in range(4)),
             *(("ink", f"side{n}-tint") for n in range(4))]  # fmt: skip
    low = {pair: round(contrast(found[pair[0]], found[pair[1]]), 2) for pair in pairs}
    assert {} == {pair: value for pair, value in low.items() if value < 4.5}


def test_hostile_words_stay_words() -> None:
    """Markup in a rule set is text on the page, in every place where words stand."""
    bad = "<script>alert(1)</script>\"'&{{ 7*7 }}"
    head = Head('x"><b>', bad, see=(bad,), by=(bad,), remark=bad, lead=text(bad))
    odd = List(replace(head, notes=(SheetLine(bad, text=text(bad)),)), (
               SheetLine(bad, text(bad), text(bad), see=(bad,), by=(bad,), status="changed"),))  # fmt: skip
    columns = (SheetColumn(text(bad), "key", bad), SheetColumn((Run("die", bad),), "text", bad))
    table = TableBlock(
        Head("t", bad), columns, (SheetRow((text(bad), (Run("tag", bad),))), SheetRow((), text(bad)))
    )
    text_ = page(of(odd, table))
    made = seen(text_)
    assert "<script>alert" not in text_
    assert bad in "".join(made.text)
    assert "49" not in "".join(made.text)


def test_table_of_300_columns_goes_on_below() -> None:
    """Columns beyond a page's width stand in further tables, each with the first column at its side."""
    columns = tuple(SheetColumn(text(f"c{n}"), "key" if n == 0 else "number") for n in range(300))
    wide = TableBlock(Head("w", "Wide"), columns, (SheetRow(tuple(text(f"v{n}") for n in range(300))),))
    made = seen(page(of(wide)))
    assert 13 == sum(tag == "table" for tag, _ in made.tags)
    said = "".join(made.text)
    assert all(f"v{n}" in said for n in range(300))
    assert 12 == sum(tag == "caption" for tag, _ in made.tags)


def test_long_word_is_broken_not_clipped() -> None:
    """10,000 letters in a cell are all there, and may break anywhere."""
    long = TableBlock(Head("w", "Long"), (SheetColumn(text("a"), "key"),), (SheetRow((text("x" * 10_000),)),))
    text_ = page(of(long))
    assert "x" * 10_000 in text_
    assert '<table class="long"' in text_ and ".rk .long th, .rk .long td { overflow-wrap: anywhere;" in text_


def test_text_against_the_direction() -> None:
    """Hebrew in an English sheet finds its own direction; a sheet in Arabic runs from the right."""
    line = SheetLine(text=text("שלום"))
    assert '<li dir="auto">' in page(of(List(Head("l", "L"), (line,))))
    turned = page(of(List(Head("l", "L"), (line, SheetLine(text=text("left")))), direction="rtl"))
    assert 'dir="rtl"' in turned and turned.count('dir="auto"') == 1


def test_same_bytes() -> None:
    """The same sheet gives the same file."""
    assert page(sheet("vitp")) == page(sheet("vitp"))


def test_numbers_lead_to_their_lines() -> None:
    """A printed number is a link where a line of the sheet says that rule."""
    text_ = page(sheet("vitp"))
    assert '<a href="#rule-7_55">7.55</a>' in text_ and 'id="rule-7_55"' in text_


def test_fragment_fits_into_a_page_of_others() -> None:
    """A block alone has its own ids, its language, and closes what it opens."""
    found = sheet("vitp")
    made = seen(fragment(found, [block(found, "table:effect")], 4, "v-"))
    assert ("div", {"class": "rk", "lang": "en", "dir": "ltr"}) == made.tags[0]
    assert all(each.startswith("v-") for each in made.all("id"))
    assert "h4" in {tag for tag, _ in made.tags}


def test_fragments_link_only_to_their_own_lines() -> None:
    """Not to lines of other blocks of the sheet, which are not on the page."""
    found = sheet("fcn")
    for one in found.blocks:
        made = seen(fragment(found, [one], 4, "f-"))
        links = {each.removeprefix("#") for each in made.all("href") if each.startswith("#")}
        assert links <= set(made.all("id"))


def test_nothing_to_print_is_told() -> None:
    """An empty sheet is no file."""
    with pytest.raises(SheetError, match="nothing of the rule set is in force"):
        html(replace(sheet("vitp"), parts=()), Setup())


@pytest.mark.parametrize("theme", known_themes())
def test_every_theme(theme: str) -> None:
    """A theme's colours are the page's."""
    text_ = page(sheet("vitp"), Setup(theme=theme))
    colours = read_theme(theme).data["colours"]
    assert f"--ink: {colours['ink']};" in text_ and f"--head: {colours['head']};" in text_


def test_theme_of_a_publisher(tmp_path: Path) -> None:
    """A theme's file brings its logo into the page, and loads nothing else."""
    (tmp_path / "logo.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', encoding="utf-8"
    )
    (tmp_path / "own.yaml").write_text("format: 1\nlike: grey\nlogo: logo.svg\n", encoding="utf-8")
    text_ = page(sheet("vitp"), Setup(theme=str(tmp_path / "own.yaml")))
    assert '<img class="logo" src="data:image/svg+xml;base64,' in text_ and "<script/>" not in text_
    assert 3 == text_.count("@font-face")


def test_a_font_that_is_not_there(tmp_path: Path) -> None:
    """It is told, as for pages of paper; in a style sheet its name would be no more than a name."""
    path = tmp_path / "own.yaml"
    path.write_text("format: 1\nlike: grey\nfonts: {body: 'My {Font}; x'}\n", encoding="utf-8")
    with pytest.raises(SheetError, match="needs the font `My {Font}; x`, which was not found"):
        html(sheet("vitp"), Setup(theme=str(path)))
    rules = style(read_theme(str(path)))
    assert '--body: "My Font x", ' in rules and "@font-face" not in rules


@pytest.mark.parametrize("setup", [Setup(theme="gray"), Setup(paper="A44")])
def test_unknown_theme_and_paper(setup: Setup) -> None:
    """What is not there is told, and nothing is made."""
    with pytest.raises(SheetError, match="unknown"):
        html(sheet("vitp"), setup)


def test_one_page_form() -> None:
    """The short form is a page with one part."""
    made = seen(page(sheet("vitp", (), Request(form="one-page"))))
    assert 1 == [found.get("class") for _, found in made.tags].count("part")


def test_fonts_of_a_theme_go_with_the_page(tmp_path: Path) -> None:
    """A publisher's fonts are inside the file, under the names that its styles use; no other font is."""
    (tmp_path / "fonts").mkdir()
    shutil.copy(FONTS / "IBMPlexSansHebrew-Regular.ttf", tmp_path / "fonts" / "own.ttf")
    (tmp_path / "fonts" / "broken.ttf").write_bytes(b"no font")
    text = "format: 1\nlike: colour\nfonts: {body: IBM Plex Sans Hebrew, files: fonts}\n"
    (tmp_path / "own.yaml").write_text(text, encoding="utf-8")
    (page,) = html(sheet("vitp"), Setup(theme=str(tmp_path / "own.yaml")))
    styles = page.decode()
    assert 1 == styles.count("@font-face") and "data:font/truetype;base64," in styles
    assert '@font-face { font-family: "IBM Plex Sans Hebrew"; font-weight: 400;' in styles
    assert '--body: "IBM Plex Sans Hebrew"' in styles


@pytest.mark.parametrize(
    ("words", "family"),
    [
        ("日本語", "Rulekit Sans JP"),
        ("كل سفينة", "IBM Plex Sans Arabic"),
        ("כל אונייה", "IBM Plex Sans Hebrew"),
    ],
)
def test_scripts_take_their_font_with_them(tmp_path: Path, words: str, family: str) -> None:
    """A page with another script has its font inside; one without has not."""
    printed = PRINTED.replace("Red fires, then Blue", words)
    (page,) = html(made(folder(tmp_path / "a", printed=printed)), Setup())
    (other,) = html(made(folder(tmp_path / "b")), Setup())
    rule = f'@font-face {{ font-family: "{family}"'
    assert rule in page.decode() and rule not in other.decode()
