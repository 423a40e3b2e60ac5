"""The parser for the grammar, from tables worked out once, and the keywords of the language."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from rulekit.base import resources
from rulekit.syntax.parse.table_parser import QuickParser
from rulekit.syntax.parse.table_store import load_tables


@functools.cache
def quick_parser() -> QuickParser:
    """Return the parser that reads every text first; one a process."""
    grammar = resources.grammar_text()
    parser = load_tables(grammar, 0, lambda loaded: QuickParser(loaded["quick"]))
    if parser is not None:
        return parser
    from rulekit.syntax.parse.lark_parser import condense_tables, lark_parser  # takes longer than most texts

    return QuickParser(condense_tables(lark_parser()))


def spelling() -> Mapping[str, str]:
    """Terminal name -> how it is written, for those with one spelling (`WHEN` -> `when`)."""
    return quick_parser().spelling


def words() -> frozenset[str]:
    """Every keyword of the language."""
    return quick_parser().words


def line_words() -> frozenset[str]:
    """Keywords that can begin a line and are never inside brackets."""
    return quick_parser().line_words
