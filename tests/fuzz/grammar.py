"""Texts of the grammar at random, from the grammar itself, so that new constructs need no new line here.

A walk over lark's rules.  Every symbol costs at least the depth of its shortest derivation; within a budget
the walk takes any expansion that it can still finish, and beyond it a shortest one.
"""

from __future__ import annotations

import random
import re._constants as sre
import re._parser as sre_parser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from rulekit.syntax.parse.lark_parser import lark_parser, word_of

NAMES: Final = (
    *("Red", "Blue", "Side", "Ship", "Port", "n", "turn", "place", "hits", "die", "go", "k", "x", "side"),
    *("play", "it", "piece", "space", "'a b'", "'of'", "Ünder", "漢", "_", "None", "M", "when_", "a" * 60),
)
NUMBERS: Final = (
    "0",
    "1",
    "1",
    "2",
    "3",
    "6",
    "9",
    "20",
    "120",
    "121",
    "1000",
    "100000",
    "9" * 18,
    "9" * 19,
    "007",
)
MOST_TOKENS: Final = (10, 30, 120)
"""Tokens after which only shortest expansions are taken."""
_FREE: Final = {"COMMA", "COLON", "LPAR", "RPAR", "LBRACE", "RBRACE", "DOT", "__ANON_1"}
"""Terminals that need no blank beside them."""


@dataclass
class Words:
    """What names, numbers and texts are taken from."""

    names: Sequence[str] = NAMES
    numbers: Sequence[str] = NUMBERS
    texts: Sequence[str] = ('"x"', '""', '"a b"', '"data/x.yaml"', '"\u202e"', '"{0}"')
    cites: Sequence[str] = ("[1]", "[1.2]", "[X 3]", "[]", "[1, 2]", "[†]")


@dataclass
class _Walk:
    chance: random.Random
    words: Words
    most: int
    tokens: list[tuple[str, str]] = field(default_factory=list)


def generate(symbol: str, chance: random.Random, words: Words, depth: int) -> str:
    """Return a text that the grammar derives from a symbol, within a depth where that is possible."""
    walk = _Walk(chance, words, chance.choice(MOST_TOKENS))
    _expand(symbol, walk, depth)
    return layout(walk.tokens, chance)


def _expand(symbol: str, walk: _Walk, depth: int) -> None:
    rules = _priced_rules()
    if symbol not in rules:
        walk.tokens.append((symbol, _terminal(symbol, walk.chance, walk.words)))
        return
    expansions = rules[symbol]
    able = [parts for cost, parts in expansions if cost < depth]
    if not able or len(walk.tokens) >= walk.most or walk.chance.random() < 0.3:
        least = min(cost for cost, _ in expansions)
        able = [parts for cost, parts in expansions if cost == least]
    for part in walk.chance.choice(able):
        _expand(part, walk, depth - 1)


def layout(tokens: Sequence[tuple[str, str]], chance: random.Random) -> str:
    """Return tokens as a text: lines, indentation, blanks, and now and then a comment."""
    lines: list[str] = []
    line, depth, before = "", 0, ""
    for kind, text in tokens:
        if kind == "_INDENT":
            depth += 1
        elif kind == "_DEDENT":
            depth -= 1
        elif kind == "_NL":
            comment = "  # why" if chance.random() < 0.03 else ""
            lines += [line + comment, *([""] if chance.random() < 0.02 else [])]
            line, before = "", ""
        elif not line:
            line, before = "    " * depth + text, kind
        else:
            tight = kind in _FREE or before in _FREE
            blank = "" if tight and chance.random() < 0.6 else " "
            line, before = f"{line}{blank}{text}", kind
    return "\n".join([*lines, line]) if line else "\n".join([*lines, ""])


def _terminal(name: str, chance: random.Random, words: Words) -> str:
    match name:
        case "_NL" | "_INDENT" | "_DEDENT":
            return ""
        case "NAME" | "QUOTED":
            return chance.choice(words.names)
        case "INT":
            return chance.choice(words.numbers)
        case "STRING":
            return chance.choice(words.texts)
        case "CITE":
            return chance.choice(words.cites)
    fixed = _fixed().get(name)
    return fixed if fixed is not None else "".join(_of_pattern(_patterns()[name], chance))


# ---------------------------------------------------------------- the grammar


@cache
def _rules() -> Mapping[str, Sequence[Sequence[str]]]:
    """Expansions by the name of their symbol."""
    rules: dict[str, list[Sequence[str]]] = {}
    for rule in lark_parser().rules:
        rules.setdefault(str(rule.origin.name), []).append([str(symbol.name) for symbol in rule.expansion])
    return rules


@cache
def _priced_rules() -> Mapping[str, Sequence[tuple[int, Sequence[str]]]]:
    """Expansions by the name of their symbol, each with what it costs."""
    costs = _costs()
    return {symbol: [(_cost(row, costs), row) for row in rows] for symbol, rows in _rules().items()}


@cache
def origins() -> Mapping[str, str]:
    """For each name of a tree the symbol that it is derived from."""
    return {str(rule.alias or rule.origin.name): str(rule.origin.name) for rule in lark_parser().rules}


@cache
def _costs() -> Mapping[str, int]:
    """For each symbol the depth of its shortest derivation."""
    rules = _rules()
    costs = {part: 0 for rows in rules.values() for row in rows for part in row if part not in rules}
    changed = True
    while changed:
        changed = False
        for symbol, rows in rules.items():
            known = [_cost(row, costs) for row in rows if all(part in costs for part in row)]
            if known and 1 + min(known) < costs.get(symbol, 10**9):
                costs[symbol], changed = 1 + min(known), True
    return costs


def _cost(expansion: Sequence[str], costs: Mapping[str, int]) -> int:
    return max((costs[part] for part in expansion), default=0)


@cache
def _fixed() -> Mapping[str, str]:
    """Terminals with one spelling."""
    return {
        terminal.name: word_of(terminal) or terminal.pattern.value
        for terminal in lark_parser().terminals
        if word_of(terminal) or terminal.pattern.type == "str"
    } | {name: _only(pattern) for name, pattern in _patterns().items() if _only(pattern)}


@cache
def _patterns() -> Mapping[str, Any]:
    return {
        terminal.name: sre_parser.parse(terminal.pattern.to_regexp())
        for terminal in lark_parser().terminals
        if not word_of(terminal)
    }


def _only(pattern: Any) -> str:
    """The text of a pattern that has just one; empty for any other."""
    parts = list(pattern)
    return "".join(chr(at) for _, at in parts) if all(op is sre.LITERAL for op, _ in parts) else ""


def _of_pattern(pattern: Any, chance: random.Random) -> Iterator[str]:
    """A text that matches a pattern; conditions on what is around it are passed over."""
    for op, at in pattern:
        if op is sre.LITERAL:
            yield chr(at)
        elif op is sre.NOT_LITERAL:
            yield "x"
        elif op is sre.ANY:
            yield "."
        elif op is sre.IN:
            yield _of_set(at, chance)
        elif op is sre.BRANCH:
            yield from _of_pattern(chance.choice(at[1]), chance)
        elif op is sre.SUBPATTERN:
            yield from _of_pattern(at[3], chance)
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            low, high, inner = at
            for _ in range(chance.randint(low, min(high, low + 2))):
                yield from _of_pattern(inner, chance)


def _of_set(parts: Any, chance: random.Random) -> str:
    for op, at in chance.sample(parts, len(parts)):
        if op is sre.LITERAL:
            return chr(at)
        if op is sre.RANGE:
            return chr(chance.randint(*at))
    return "x"
