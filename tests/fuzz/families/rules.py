"""Texts of rules: made by the grammar, or real items with parts exchanged, or spoiled.  They are parsed."""

from __future__ import annotations

import random
import zlib

from rulekit.base.files import normal_text
from rulekit.base.source import Source
from rulekit.diagnostics import Report
from rulekit.syntax.parse import item_cache, parse
from rulekit.syntax.parse.grammar import quick_parser
from rulekit.syntax.parse.lark_parser import lark_parser
from rulekit.syntax.parse.layout import UnevenIndentation, items_of
from tests.fuzz import grammar
from tests.fuzz.family import Family, expect
from tests.fuzz.mutation import spoil, to_bytes
from tests.fuzz.promises import check_findings
from tests.fuzz.seeds import exchanged, item_texts
from tests.invariants.trees import module_violations


def generate(chance: random.Random) -> bytes:
    """Return some items."""
    items = [_item(chance) for _ in range(chance.choice((1, 1, 1, 1, 2)))]
    text = "\n".join(items)
    if chance.random() < 0.4:
        text = spoil(text, chance)
    return to_bytes(text, chance)


def _item(chance: random.Random) -> str:
    match chance.randrange(3):
        case 0:
            return grammar.generate("item", chance, grammar.Words(), chance.choice((10, 16, 20, 24, 40)))
        case 1:
            return exchanged(chance.choice(item_texts()), chance, grammar.Words())
    return chance.choice(item_texts())


def run(data: bytes) -> None:
    """Parse a text; its trees are as declared, survive the cache, and are found at other lines alike."""
    try:
        text = normal_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return
    report, number = Report(), zlib.crc32(data)
    module = parse(Source("a.rules", text), report)
    check_findings(tuple(report), lambda file: text, number)
    if number % 4 == 0:
        violations = list(module_violations(module))
        expect(not violations, "trees are as declared", violations)
    for item in module.items if number % 2 == 0 else ():
        again = item_cache.CODEC.decode(item_cache.CODEC.encode(item, ("a.rules", 0)), ("a.rules", 0))
        expect(item == again, "an item survives the cache", item)
    if number % 16 == 0:
        _check_quick(text)


def _check_quick(text: str) -> None:
    """The quick parser allows what lark allows."""
    from lark.exceptions import UnexpectedInput

    for piece in items_of(text):
        try:
            lark_parser().parse(piece.text)
            allowed = True
        except (UnexpectedInput, UnevenIndentation):
            allowed = False
        expect(allowed == (quick_parser().read(piece.text) is not None), "both parsers agree", piece.text)


FAMILY = Family("rules", generate, run, weight=200)
