"""Counters with texts are printed as cards, in every format."""

from __future__ import annotations

import io

import pdfplumber
import pytest

from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import Counters, Sheet
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


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Sheet:
    """A sheet with three cards: of two texts, one, none."""
    at = tmp_path_factory.mktemp("cards") / "t"
    return made(folder(at, RULES, PRINTED, data_in_cards__yaml=CARDS, sheet__yaml=WISHES))


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
