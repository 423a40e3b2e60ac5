"""The parser for the grammar, from tables worked out once.

The tables come with an installed package, or lie in the user's cache; else lark works them out and they are
kept.  They are two lines of JSON: what `quick.py` needs, which reads every text first, and what lark needs,
which is asked only about a text with a fault.  A table is data, and a damaged one is worked out anew.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from rulekit.base import cache, resources
from rulekit.syntax.parse.table_parser import QuickParser

_KIND = "parser-tables"
_P = TypeVar("_P")


def key(text: str) -> str:
    """What tables must carry to be used for this grammar."""
    return hashlib.sha256(f"6:{text}".encode()).hexdigest()


def stored(text: str, line: int, load: Callable[[dict[str, Any]], _P]) -> _P | None:
    """What one line of the first sound tables gives; None where there are none for this grammar."""
    wanted = key(text)
    for written in (resources.parser_tables(), cache.get(_KIND, wanted)):
        try:
            loaded = json.loads(written.split(b"\n")[line]) if written else {}
            if loaded.get("key") == wanted:
                return load(loaded)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, re.error):
            continue
    return None


def keep(text: str, tables: bytes) -> None:
    """Keep what was worked out for a grammar."""
    cache.put(_KIND, key(text), tables)


@functools.cache
def quick_parser() -> QuickParser:
    """The parser that is asked first; one a process."""
    made = stored(resources.grammar_text(), 0, lambda loaded: QuickParser(loaded["quick"]))
    if made is not None:
        return made
    from rulekit.syntax.parse.lark_parser import condensed, parser

    return QuickParser(condensed(parser()))


def spelling() -> Mapping[str, str]:
    """Terminal name -> how it is written, for those with one spelling (`WHEN` -> `when`)."""
    return quick_parser().spelling


def words() -> frozenset[str]:
    """Every keyword of the language."""
    return quick_parser().words
