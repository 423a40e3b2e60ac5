"""What every format of a sheet shows: the title of each block, links to the rule that they name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from html import unescape

import pytest

from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import List, Sheet
from rulekit.reports.sheet.render.html import html
from rulekit.reports.sheet.render.html_view import Look
from rulekit.reports.sheet.render.markdown import markdown
from rulekit.reports.sheet.render.printing import pdf
from tests.sheet.boxes import pages
from tests.sheet.helpers import sheet

SETS: list[tuple[str, tuple[str, ...]]] = [
    ("vitp", ("damage-control",)),
    ("fcn", ()),
    ("pacwar", ("house-sequence", "jsis-flak-phase-in")),
]


def squeezed(text: str) -> str:
    """Text without the spaces and line ends that a format adds."""
    return re.sub(r"[\s\\]+", "", text)


@cache
def printed(name: str, options: tuple[str, ...]) -> str:
    """The words of a PDF."""
    (made,) = pdf(sheet(name, options), Setup())
    return " ".join(word.text for page in pages(made) for word in page.words)


def on_a_page(name: str, options: tuple[str, ...]) -> str:
    """The words of an HTML page."""
    (made,) = html(sheet(name, options), Setup())
    body = made.decode().partition("<main")[2]
    return re.sub(r"<[^>]+>", "", body)


def in_markdown(name: str, options: tuple[str, ...]) -> str:
    """The words of a Markdown file."""
    (made,) = markdown(sheet(name, options), Setup())
    return made.decode()


@pytest.mark.parametrize(("name", "options"), SETS)
@pytest.mark.parametrize("words_of", [printed, on_a_page, in_markdown])
def test_every_title(
    name: str, options: tuple[str, ...], words_of: Callable[[str, tuple[str, ...]], str]
) -> None:
    """The title of every block is there as often as blocks have it; a part's own is there once for both."""
    made = sheet(name, options)
    wanted = Counter(block.head.title for block in made.blocks if not block.head.bare)
    wanted += Counter(part.title for part in made.parts)
    text = squeezed(unescape(words_of(name, options)))
    assert {} == {title: n for title, n in wanted.items() if text.count(squeezed(title)) < n}


@pytest.mark.parametrize(("name", "options"), SETS)
@pytest.mark.parametrize("words_of", [printed, on_a_page, in_markdown])
def test_every_tag(
    name: str, options: tuple[str, ...], words_of: Callable[[str, tuple[str, ...]], str]
) -> None:
    """The author's tag of every option in force is there."""
    tags = {tag for block in sheet(name, options).blocks for tag in block.head.by}
    text = words_of(name, options)
    assert set() == {tag for tag in tags if tag not in text}


def test_title_that_another_part_has() -> None:
    """An option called like another part keeps its title, its status and its tag."""
    made = sheet("pacwar", ("house-sequence",))
    option = next(block for block in made.blocks if block.head.id == "option:house_sequence")
    assert option.head.title in {part.title for part in made.parts} and not option.head.bare
    page = printed("pacwar", ("house-sequence",))
    assert f"{option.head.title} House" in page


@pytest.mark.parametrize(("name", "options"), SETS)
def test_links_lead_to_the_rule_they_name(name: str, options: tuple[str, ...]) -> None:
    """The number that a link shows, with the chapter of its block, is that of the line it leads to."""
    made = sheet(name, options)
    (page,) = html(made, Setup())
    numbers = _numbers_by_anchor(made)
    chapters = {Look(made).id(block): block.head.chapter for block in made.blocks}
    links = 0
    for section in page.decode().split('<section class="block')[1:]:
        block = re.search(r'id="([^"]+)"', section)
        assert block is not None
        for target, text in re.findall(r'<a href="#(rule-[^"]+)">([^<]*)</a>', section):
            links += 1
            assert numbers[target] in (unescape(text), chapters[block[1]] + text)
    assert links >= 5


def test_short_numbers_are_short_only_to_the_eye() -> None:
    """Lines of an option have whole numbers; its head has the chapter that a reader need not see again."""
    made = sheet("pacwar", ("jsis-flak-phase-in",))
    option = next(block for block in made.blocks if block.head.id == "option:jsis_flak_phase_in")
    assert isinstance(option, List)
    assert option.head.chapter
    assert all(line.number.startswith(option.head.chapter) for line in option.lines)
    assert all(option.head.short_number(line.number).startswith(".") for line in option.lines)


def _numbers_by_anchor(made: Sheet) -> dict[str, str]:
    """The number of the line with each id, read off the page's own anchors."""
    look = Look(made)
    numbers: dict[str, str] = {}
    for block in made.blocks:
        for group in getattr(block, "groups", ()):
            lines = getattr(group, "lines", ())
            for line in lines:
                anchor = re.search(r'id="([^"]+)"', look.anchor(line))
                if anchor:
                    numbers[anchor[1]] = line.number
        for line in (*getattr(block, "follows", ()), *(block.lines if isinstance(block, List) else ())):
            anchor = re.search(r'id="([^"]+)"', look.anchor(line))
            if anchor:
                numbers[anchor[1]] = line.number
    return numbers
