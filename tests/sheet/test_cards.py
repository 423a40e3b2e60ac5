"""Counters with texts are printed as cards, in every format."""

from __future__ import annotations

import io
from pathlib import Path

import pdfplumber
import pytest

from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import Counters, Sheet, SheetError
from rulekit.reports.sheet.render.html import html
from rulekit.reports.sheet.render.markdown import markdown
from rulekit.reports.sheet.render.printing import pdf
from tests.sheet.boxes import faults
from tests.sheet.helpers import PRINTED, SMALL, block, folder, made, plain

RULES = f"""{SMALL}
piece Card from "data/cards.yaml":
    worth: 0..9
    words, small_print: text
"""
CARDS = """format: 1
populations:
  Card:
    columns: [name, worth, words, small_print]
    rows:
      - [Silk, 4, "Land it <b>dry</b> & quick.", "Not with the tide."]
      - [Tea, 2, "Land it.", ~]
      - [Fog, 0, ~, ~]
"""
WISHES = """format: 1
parts:
  - title: Cards
    blocks:
      - {counters: [Card], factors: [worth]}
"""


def printed(at: Path, wishes: str = WISHES, cards: str = CARDS) -> Sheet:
    """The sheet of a set with these cards."""
    return made(folder(at, RULES, PRINTED, data_in_cards__yaml=cards, sheet__yaml=wishes))


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Sheet:
    """A sheet with three cards: of two texts, one, none."""
    return printed(tmp_path_factory.mktemp("cards") / "t")


def test_the_words_of_a_card(cards: Sheet) -> None:
    found = block(cards, "counters:Card")
    assert isinstance(found, Counters)
    counters = [counter for _, group, _ in found.groups for counter in group]
    assert [
        ("Silk", ["Land it <b>dry</b> & quick.", "Not with the tide."]),
        ("Tea", ["Land it."]),
        ("Fog", []),
    ] == [(counter.name, list(map(plain, counter.words))) for counter in counters]


def test_html(cards: Sheet) -> None:
    """Texts are text there, never markup."""
    page = html(cards, Setup())[0].decode()
    assert "Land it &lt;b&gt;dry&lt;/b&gt; &amp; quick." in page
    assert "Not with the tide." in page


def test_markdown(cards: Sheet) -> None:
    assert "Not with the tide." in markdown(cards, Setup())[0].decode()


def test_pdf(cards: Sheet) -> None:
    """Every word is on the page, and nothing leaves its box."""
    (data,) = pdf(cards, Setup())
    assert [] == faults(data)
    with pdfplumber.open(io.BytesIO(data)) as document:
        text = " ".join(page.extract_text() for page in document.pages)
    assert "Not with the tide." in " ".join(text.split())


def test_cards_to_cut_out(tmp_path: Path) -> None:
    """Sixty cards, 44 mm wide and 7/5 as high, go on over several pages."""
    many = "".join(f"      - [Sack {number}, 1, Land it., ~]\n" for number in range(60))
    wishes = WISHES.replace("[worth]}", "[worth], size: 44}")
    (data,) = pdf(printed(tmp_path / "t", wishes, CARDS + many), Setup())

    assert [] == faults(data)
    with pdfplumber.open(io.BytesIO(data)) as document:
        assert 4 == len(document.pages)
        boxes = [box for page in document.pages for box in (*page.curves, *page.rects)]
    tall = 44 * 1.4 / 25.4 * 72
    assert len([box for box in boxes if abs(box["height"] - tall) < 0.5]) >= 63


def test_a_text_too_long_for_its_card(tmp_path: Path) -> None:
    wishes = WISHES.replace("[worth]}", "[worth], size: 20}")
    text = CARDS.replace("Land it.", "Land it. " * 40)
    with pytest.raises(SheetError) as refused:
        pdf(printed(tmp_path / "t", wishes, text), Setup())
    assert "too high for A4: `Tea`" in "".join(refused.value.details)


def test_numbers_that_the_owners_copy_alone_has(tmp_path: Path) -> None:
    """Counters are without factors, and a note says where these are."""
    rules = RULES + 'extern table worth_of(card) -> (worth: 0..9, rent: 0..9):\n    file "owner/worth.yaml"\n'
    wishes = WISHES.replace("factors: [worth]", "factors: [worth], numbers: [worth_of]")
    found = block(
        made(folder(tmp_path / "t", rules, PRINTED, data_in_cards__yaml=CARDS, sheet__yaml=wishes)),
        "counters:Card",
    )
    assert isinstance(found, Counters)
    assert not any(counter.front for _, group, _ in found.groups for counter in group)
    assert ["values in your own copy"] == [plain(note.text) for note in found.head.notes]
