"""Boxes of a board: none covers another or its words, however crowded and on whatever paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from rulekit.reports.sheet.content.build import only
from rulekit.reports.sheet.layout.board_layout import HIGH, WIDE, spread
from rulekit.reports.sheet.layout.paper import PAPERS, Setup
from rulekit.reports.sheet.model.document import Board, Head, Run, Sheet, Spot, strong, text
from rulekit.reports.sheet.render.html import html
from rulekit.reports.sheet.render.printing import pdf
from tests.sheet.boxes import Rule, Word, frames, pages
from tests.sheet.helpers import sheet

WORDS = ("Sea", "Island", "North", "Archipelago", "of", "Port", "Strait", "Ai", "Queen Charlotte")


def random_board(seed: int) -> Sheet:
    """A sheet with one board of boxes at random places, many of them in a corner."""
    random = Random(seed)
    count = random.randint(2, 24)
    corner = random.choice((1.0, 0.6, 0.2))
    spots = tuple(
        Spot(
            " ".join(random.choices(WORDS, k=random.randint(1, 3))),
            random.random() * WIDE * corner,
            random.random() * HIGH * corner,
            random.choice(((), (strong("12"),), (text("air 7"), tuple(Run("ticked", "42") for _ in "abc")))),
            random.choice((None, 0, 1)),
            random.choice(((), ("disc",), ("disc", "diamond"))),
            (),
            random.choice(((), (), ("Far",))),
        )
        for _ in range(count)
    )
    ways = tuple(pair for pair in combinations(range(count), 2) if random.random() < 0.1)
    whole = sheet("vitp")
    board = Board(Head("board:x", "Random", wide=True), "box", WIDE, HIGH, spots, ways, (), (), "a map")
    return replace(whole, parts=(replace(whole.parts[0], blocks=(board,)),))


def on_another(boxes: Sequence[Rule]) -> list[tuple[Rule, Rule]]:
    """Pairs of boxes that meet."""
    return [(a, b) for a, b in combinations(boxes, 2) if _meet(a, b)]


def _meet(a: Rule, b: Rule | Word) -> bool:
    across, down = min(a.right, b.right) - max(a.left, b.left), min(a.bottom, b.bottom) - max(a.top, b.top)
    return across > 0 and down > 0


def check_board(shown: Sheet, setup: Setup, count: int) -> None:
    """Print a board alone; its boxes are apart inside its frame, and each word in one of them."""
    (made,) = pdf(shown, setup)
    (page,), (rules,) = pages(made), frames(made)
    frame, *boxes = sorted(rules, key=lambda rule: (rule.left - rule.right) * (rule.bottom - rule.top))

    assert count == len(boxes)
    assert [] == on_another(boxes)
    assert all(frame.left <= box.left and box.right <= frame.right for box in boxes)
    assert all(frame.top <= box.top and box.bottom <= frame.bottom for box in boxes)
    words = [word for word in page.words if _meet(frame, word)]
    assert [] == [word.text for word in words if 1 != sum(_meet(box, word) for box in boxes)]


@pytest.mark.parametrize(
    ("seed", "paper"),
    [
        *((seed, ("A5", "A4", "Tabloid")[seed % 3]) for seed in range(6)),
        *(pytest.param(seed, "A5", marks=pytest.mark.slow) for seed in range(100, 160)),
    ],
)
def test_random_boards(seed: int, paper: str) -> None:
    """Names of one to three words, values, ticks and marks, at random places."""
    shown = random_board(seed)
    (board,) = shown.blocks

    assert isinstance(board, Board)
    check_board(shown, Setup(paper=paper, frame=False), len(board.spots))


@pytest.mark.parametrize(
    ("paper", "landscape"),
    [
        pytest.param(paper, turned, marks=() if paper == "A5" else pytest.mark.slow)
        for paper, turned in product(PAPERS, (False, True))
    ],
)
def test_the_board_of_areas(paper: str, landscape: bool) -> None:
    """The one shipped board of boxes, alone, on all papers."""
    shown = only(sheet("fcn"), "board:Area")
    (board,) = shown.blocks

    assert isinstance(board, Board)
    check_board(shown, Setup(paper=paper, landscape=landscape, frame=False), len(board.spots))


@pytest.mark.parametrize("seed", range(20))
def test_random_boards_on_screens(seed: int) -> None:
    """The same in HTML."""
    (page,) = html(random_board(seed), Setup())
    drawing = page.decode().partition('<svg class="map"')[2].partition("</svg>")[0]
    rectangles = re.findall(r'<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"', drawing)
    numbers = {tuple(map(float, rectangle)) for rectangle in rectangles}
    boxes = [Rule(x, y, x + width, y + height) for x, y, width, height in numbers]

    assert len(boxes) >= 2
    assert [] == on_another(boxes)


@pytest.mark.parametrize("seed", range(40))
def test_boxes_are_spread(seed: int) -> None:
    """Whatever their sizes, boxes end up apart; those that were apart stay where they were."""
    random = Random(seed)
    sizes = [(random.uniform(1, 40), random.uniform(1, 20)) for _ in range(random.randint(1, 40))]
    points = [(random.uniform(0, 100), random.uniform(0, 80)) for _ in sizes]
    middles, height = spread(points, sizes, 100, 80, 2)
    boxes = [
        Rule(x - w / 2, y - h / 2, x + w / 2, y + h / 2)
        for (x, y), (w, h) in zip(middles, sizes, strict=True)
    ]

    assert [] == on_another(boxes)
    assert all(box.left >= -1e-6 and box.right <= 100 + 1e-6 and box.bottom <= height + 1e-6 for box in boxes)
    assert height >= 80
    assert (middles, height) == spread(middles, sizes, 100, height, 1.9)
