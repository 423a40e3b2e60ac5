"""Lark's parser for the grammar, from tables worked out once.

The tables come with an installed package, or lie in the user's cache; else they are worked out and
kept.  They are JSON: a table is data, and a damaged one is worked out anew.
"""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import PatternRE, TerminalDef

from rulekit import cache, resources
from rulekit.parse.layout import Layout

_KIND = "parser-tables"


_WHOLE_WORD = r"(?!\w)"


def _whole_word(terminal: TerminalDef) -> None:
    """Make a keyword a whole word: lark would else cut `set` out of `setx` where no name can stand."""
    pattern = terminal.pattern
    if pattern.type == "str" and pattern.value.isalpha():
        terminal.pattern = PatternRE(pattern.value + _WHOLE_WORD)
        terminal.priority = 1


def _build(text: str) -> Lark:
    return Lark(
        text,
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        propagate_positions=True,
        start="start",
        edit_terminals=_whole_word,
    )


def tables(text: str) -> bytes:
    """The parser tables of a grammar, as JSON that names the grammar and the lark they belong to."""
    return _written(_build(text), text)


def _written(built: Lark, text: str) -> bytes:
    data, memo = built.memo_serialize([TerminalDef, Rule])
    plain = {**data, "options": {**data["options"], "postlex": None, "edit_terminals": None}}
    return json.dumps({"key": key(text), "data": plain, "memo": memo}, separators=(",", ":")).encode()


def key(text: str) -> str:
    """What tables must carry to be used for this grammar."""
    return hashlib.sha256(f"3:{lark.__version__}:{text}".encode()).hexdigest()


def _load(stored: bytes, wanted: str) -> Lark | None:
    """The parser from its tables; None where they are damaged or another grammar's."""
    try:
        loaded: dict[str, Any] = json.loads(stored)
        if loaded["key"] != wanted:
            return None
        data, memo = loaded["data"], {int(k): v for k, v in loaded["memo"].items()}
        parser = data["parser"]["parser"]
        parser["tokens"] = {int(k): v for k, v in parser["tokens"].items()}
        parser["states"] = {
            int(k): {int(token): tuple(action) for token, action in row.items()}
            for k, row in parser["states"].items()
        }
        made: Lark = Lark._load_from_dict(data, memo, postlex=Layout())  # type: ignore[no-untyped-call]
        return made
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None


@functools.cache
def parser() -> Lark:
    """The parser, ready to use; one a process."""
    text = resources.grammar_text()
    wanted = key(text)
    for stored in (resources.parser_tables(), cache.get(_KIND, wanted)):
        made = _load(stored, wanted) if stored else None
        if made is not None:
            return made
    built = _build(text)
    cache.put(_KIND, wanted, _written(built, text))
    return built


@functools.cache
def spelling() -> dict[str, str]:
    """Terminal name -> how it is written, for those with one spelling (`WHEN` -> `when`)."""
    found = {}
    for terminal in parser().terminals:
        word = terminal.pattern.value.removesuffix(_WHOLE_WORD)
        if terminal.pattern.type == "str" or word != terminal.pattern.value and word.isalpha():
            found[terminal.name] = word
    return found


@functools.cache
def words() -> frozenset[str]:
    """Every keyword of the language."""
    return frozenset(word for word in spelling().values() if word.isalpha())
