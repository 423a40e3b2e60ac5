"""The quick parser against lark's: texts of the project, and such texts with a piece out of place."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from rulekit.syntax.parse import tree as own
from rulekit.syntax.parse.grammar import quick_parser
from rulekit.syntax.parse.lark_parser import lark_parser
from rulekit.syntax.parse.layout import UnevenIndentation, items_of

ROOT = Path(__file__).parents[3]
PLACE = ("line", "column", "end_line", "end_column")
TEXTS = sorted(
    {
        piece.text
        for folder in ("rules", "tests/language", "tests/sets")
        for path in (ROOT / folder).rglob("*.rules")
        for piece in items_of(path.read_text(encoding="utf-8"))
    }
)


def lark_reads(text: str) -> Tree[Token] | None:
    """The tree by lark; None where it finds a fault."""
    try:
        return lark_parser().parse(text)
    except (UnexpectedInput, UnevenIndentation):
        return None


def plain(node: Tree[Token] | own.Tree | Token | own.Token | None) -> object:
    """A tree with its places as tuples."""
    if node is None:
        return None
    at = node.meta if isinstance(node, Tree) else node
    place = tuple(getattr(at, name, None) for name in PLACE)
    if isinstance(node, Token | own.Token):
        return str(node), node.type, place
    return str(node.data), place, [plain(child) for child in node.children]


def agree(text: str) -> bool:
    """Whether both give one tree; says on the way whether there is one."""
    wanted = lark_reads(text)
    assert plain(quick_parser().read(text)) == plain(wanted), text
    return wanted is not None


def test_texts_of_the_project() -> None:
    read = [agree(text) for text in random.Random(1).sample(TEXTS, 1200)]
    assert 1000 < sum(read) < 1200, "sound texts and faulty ones"


@pytest.mark.parametrize("depth", [2, 4, 8, 12])
def test_texts_that_end_in_blanks(depth: int) -> None:
    """What is open ends where the text does."""
    assert agree(f"procedure b:\n    when a:\n        do c\n{' ' * depth}") == (depth in (4, 8))


@pytest.mark.slow
def test_every_text_of_the_project() -> None:
    assert sum(map(agree, TEXTS)) > 4000


def spoiled(text: str, luck: random.Random) -> str:
    """A text with one piece taken out, doubled, moved or made something else."""
    begin = luck.randrange(len(text))
    end = min(len(text), begin + luck.choice((1, 1, 1, 4, 12)))
    other = luck.choice(
        (*" \t\n()[]{}'\"#,.:;-+*=<>|§d1", "and", " when ", "\n    ", " 3d6 ", "Mar 1943", "é")
    )
    pieces = (text[:begin], text[begin:end], text[end:])
    return luck.choice(
        (
            pieces[0] + pieces[2],
            pieces[0] + other + pieces[2],
            pieces[0] + other + pieces[1] + pieces[2],
            pieces[0] + pieces[1] + pieces[1] + pieces[2],
        )
    )


@pytest.mark.parametrize("seed", range(4))
def test_spoiled_texts(seed: int) -> None:
    luck = random.Random(seed)
    short = [text for text in TEXTS if len(text) < 700]
    read = [agree(spoiled(luck.choice(short), luck)) for _ in range(300)]
    assert 30 < sum(read) < 290, "some are sound after all"
