"""Texts of the project that inputs are made from: items of rules and tiny rule sets, with parts exchanged."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from rulekit.syntax.parse.grammar import quick_parser
from rulekit.syntax.parse.layout import items_of
from rulekit.syntax.parse.tree import Tree
from rulekit.testing import MANIFEST, RULES, manifest
from tests.fuzz import grammar
from tests.language.test_language import FILES, chunks
from tests.unit.spec.pages import examples, pages

ROOT = Path(__file__).parents[2]
MOST_ITEM = 700
"""Characters of an item that serves as a seed."""
MOST_SET = 1_800
"""Characters of the rules of a set that serves as one."""
_NAME = re.compile(r"[^\W\d]\w*")

Node = tuple[str, int, int]
"""A part of an item on one line: the symbol that it is derived from, and where it begins and ends."""


@cache
def item_texts() -> Sequence[str]:
    """Items of the language's tests and of small rule sets, sorted."""
    folders = ("tests/language", "tests/sets", "examples", "rules/fcn")
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.rules")))
    texts = {piece.text for path in paths for piece in items_of(path.read_text(encoding="utf-8"))}
    return sorted(text for text in texts if len(text) <= MOST_ITEM)


@cache
def rule_sets() -> Sequence[Mapping[str, str]]:
    """The files of small rule sets, by their paths: of tests, and the examples of the documentation."""
    folders = sorted(path.parent for path in (ROOT / "tests").rglob("ruleset.yaml"))
    sets = [_files(folder) for folder in folders]
    sets += [_with_manifest(example.text, example.files) for page in pages() for example in examples(page)]
    chunks_of_tests = (chunk for path in FILES for chunk in chunks(path))
    sets += [_with_manifest(chunk.files[RULES].lstrip("\n"), chunk.files) for chunk in chunks_of_tests]
    return [files for files in sets if 0 < _size(files) <= MOST_SET]


def _with_manifest(text: str, others: Mapping[str, str]) -> dict[str, str]:
    """The files of a set with these rules; if they have a sequence, it is the entry."""
    files = {**others, RULES: text}
    entry = re.search(r"^sequence (\w+)", text, re.MULTILINE)
    return {MANIFEST: manifest(files) + (f"sequence: {entry[1]}\n" if entry else ""), **files}


def _size(files: Mapping[str, str]) -> int:
    return sum(len(text) for name, text in files.items() if name.endswith(".rules"))


def _files(folder: Path) -> dict[str, str]:
    names = (path for path in sorted(folder.rglob("*")) if path.suffix in (".rules", ".yaml", ".tsv"))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in names}


def words_of(texts: Sequence[str], chance: random.Random) -> grammar.Words:
    """Return words for generated parts: mostly names that stand in these texts."""
    names = sorted({name for text in texts for name in _NAME.findall(text)} - quick_parser().words)
    sample = tuple(chance.sample(names, min(len(names), 12)))
    return grammar.Words(
        names=(*sample, *sample, chance.choice(grammar.NAMES)), numbers=("0", "1", "2", "3", "6")
    )


# ---------------------------------------------------------------- exchanging parts


def exchanged(text: str, chance: random.Random, words: grammar.Words) -> str:
    """Return an item with one part in place of another of its kind: of some item, or made for it."""
    nodes = nodes_of(text)
    if not nodes:
        return text
    symbol, begin, end = chance.choice(nodes)
    match chance.randrange(3):
        case 0:
            part = grammar.generate(symbol, chance, words, chance.choice((4, 8, 16))).split("\n")[0]
        case 1:
            part = _part_of(chance.choice(item_texts()), symbol, chance) or text[begin:end]
        case _:
            part = _part_of(text, symbol, chance)
    return text[:begin] + part + text[end:]


def _part_of(text: str, symbol: str, chance: random.Random) -> str:
    alike = [text[begin:end] for other, begin, end in nodes_of(text) if other == symbol]
    return chance.choice(alike) if alike else ""


@lru_cache(5000)
def nodes_of(text: str) -> Sequence[Node]:
    """Return the parts of an item that are on one line; none if it has a fault."""
    tree = quick_parser().read(text)
    if tree is None:
        return ()
    starts, origins, nodes = [0], grammar.origins(), []
    for match in re.finditer("\n", text):
        starts.append(match.end())
    stack: list[object] = [tree]
    while stack:
        node = stack.pop()
        if not isinstance(node, Tree):
            continue
        stack += node.children
        line = getattr(node, "line", None)
        if line is not None and line == node.end_line and node.data in origins:
            start = starts[line - 1]
            nodes.append((origins[node.data], start + node.column - 1, start + node.end_column - 1))
    return nodes
