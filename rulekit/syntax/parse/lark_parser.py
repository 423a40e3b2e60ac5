"""Lark's own parser, which makes the tables and explains the faults of a text."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import lark
from lark import Lark, Token
from lark.grammar import Rule
from lark.lark import PostLex
from lark.lexer import Lexer, PatternRE, TerminalDef
from lark.parsers.lalr_analysis import Shift

from rulekit.base import resources
from rulekit.syntax.parse.layout import UnevenIndentation
from rulekit.syntax.parse.table_parser import NAME, WORD, allows
from rulekit.syntax.parse.table_parser import Rule as ParserRule
from rulekit.syntax.parse.table_store import key_of, load_tables, store_tables

WHOLE_WORD = r"(?!\w)"
"""The end of a keyword's pattern."""
KEYWORD = 1
"""The priority of keywords; names have 0."""
_OPEN, _CLOSE = ("LPAR", "LBRACE"), ("RPAR", "RBRACE")


class Indenter(PostLex):
    """Yields the tokens of one item with indents and dedents put in.  One instance serves one parser."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depths = [0]
        brackets = 0
        token = Token("_NL", "", 0, 1, 1, 1, 1)
        for token in stream:
            if token.type == "_NL":
                if not brackets:
                    yield token
                    yield from self._change(token, depths)
                continue
            if token.type in _OPEN:
                brackets += 1
            elif token.type in _CLOSE:
                brackets = max(0, brackets - 1)
            yield token
        while len(depths) > 1:
            depths.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token)  # the text ends in blanks: there it ends

    def _change(self, token: Token, depths: list[int]) -> Iterator[Token]:
        depth = len(token.rsplit("\n", 1)[1])
        if depth > depths[-1]:
            depths.append(depth)
            yield Token.new_borrow_pos("_INDENT", "", token)
        while depth < depths[-1]:
            depths.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token)
        if depth != depths[-1]:
            raise UnevenIndentation(token.end_line or 1)


class ExactLexer(Lexer):
    """Lark's contextual lexer, but a keyword that the grammar does not allow at its place is a name (2.5)."""

    def __init__(self, built: Lark, lexer: Lexer) -> None:
        numbers = {rule: number for number, rule in enumerate(built.rules)}
        self._lexer = lexer
        self._words = {terminal.name for terminal in built.terminals if word_of(terminal) is not None}
        self._rows = _rows(built, numbers, lambda state: state)
        self._rules = [ParserRule(*_rule(rule)) for rule in built.rules]

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        for token in self._lexer.lex(lexer_state, parser_state):
            states = parser_state.state_stack
            allowed = [name for name in (NAME, token.type) if allows(self._rows, self._rules, states, name)]
            if token.type in self._words and allowed == [NAME]:
                token.type = NAME
            yield token


def _exact(built: Lark) -> Lark:
    connector: Any = built.parser.lexer
    connector.lexer = ExactLexer(built, connector.lexer)
    return built


def _whole_word(terminal: TerminalDef) -> None:
    """Make a keyword a whole word: lark would else cut `set` out of `setx` where no name can stand."""
    pattern = terminal.pattern
    if pattern.type == "str" and pattern.value.isalpha():
        terminal.pattern = PatternRE(pattern.value + WHOLE_WORD)
        terminal.priority = KEYWORD


def _build(text: str) -> Lark:
    return _exact(
        Lark(
            text,
            parser="lalr",
            lexer="contextual",
            postlex=Indenter(),
            propagate_positions=True,
            start="start",
            edit_terminals=_whole_word,
        )
    )


def tables(text: str) -> bytes:
    """The tables of a grammar: a line for the quick parser, and one for lark."""
    return _serialise(_build(text), text)


def _serialise(built: Lark, text: str) -> bytes:
    data, memo = built.memo_serialize([TerminalDef, Rule])
    plain = {**data, "options": {**data["options"], "postlex": None, "edit_terminals": None}}
    quick = {"key": key_of(text), "quick": condense_tables(built)}
    own = {"key": key_of(text), "lark": lark.__version__, "data": plain, "memo": memo}
    return b"\n".join(json.dumps(line, separators=(",", ":")).encode() for line in (quick, own))


def _load(loaded: dict[str, Any]) -> Lark:
    if loaded["lark"] != lark.__version__:
        raise ValueError("the tables of another lark")
    data, memo = loaded["data"], {int(k): v for k, v in loaded["memo"].items()}
    parser = data["parser"]["parser"]
    parser["tokens"] = {int(k): v for k, v in parser["tokens"].items()}
    parser["states"] = {
        int(k): {int(token): tuple(action) for token, action in row.items()}
        for k, row in parser["states"].items()
    }
    loaded_parser: Lark = Lark._load_from_dict(data, memo, postlex=Indenter())  # type: ignore[no-untyped-call]
    return _exact(loaded_parser)


@functools.cache
def lark_parser() -> Lark:
    """Lark's parser, ready to use; one a process."""
    text = resources.grammar_text()
    built = load_tables(text, 1, _load)
    if built is None:
        built = _build(text)
        store_tables(text, _serialise(built, text))
    return built


def condense_tables(built: Lark) -> dict[str, Any]:
    """States, rules and terminals of a parser as JSON.

    A state's row maps a symbol's name to the state after it, or to ~rule where a rule ends.
    """
    table = built.parser.parser._parse_table
    terminals = _in_order(built.terminals)
    rules = sorted(built.rules, key=str)
    number = {rule: at for at, rule in enumerate(rules)}
    states = sorted(table.states)
    place = {state: at for at, state in enumerate(states)}
    rows = _rows(built, number, place.__getitem__)
    return {
        "rows": [rows[state] for state in states],
        "rules": [_rule(rule) for rule in rules],
        "start": place[table.start_states["start"]],
        "end": place[table.end_states["start"]],
        "terminals": terminals,
        "spelling": _spelling(built.terminals),
        "with_lines": [name for name, pattern in terminals if "\n" in pattern],
        "ignored": sorted(built.lexer_conf.ignore),
        "kept": sorted({name for rule in rules for name in _tokens(rule)}),
    }


def _rows(built: Lark, number: Mapping[Any, int], place: Callable[[Any], int]) -> dict[Any, dict[str, int]]:
    """State -> symbol -> the `place` of the state after it, or ~number of the rule that ends."""
    return {
        state: {name: place(arg) if action is Shift else ~number[arg] for name, (action, arg) in row.items()}
        for state, row in built.parser.parser._parse_table.states.items()
    }


def word_of(terminal: TerminalDef) -> str | None:
    """The keyword that a terminal is, if it is one."""
    pattern = terminal.pattern
    word = pattern.value.removesuffix(WHOLE_WORD)
    return word if isinstance(pattern, PatternRE) and word != pattern.value and word.isalpha() else None


def _in_order(terminals: Collection[TerminalDef]) -> list[tuple[str, str]]:
    """Names and patterns in lark's order of trying them; where keywords would stand, any word."""

    def rank(terminal: TerminalDef) -> tuple[int, int, int, str]:
        return -terminal.priority, -terminal.pattern.max_width, -len(terminal.pattern.value), terminal.name

    any_word = next((WORD, terminal.pattern.to_regexp()) for terminal in terminals if terminal.name == NAME)
    rest = sorted(
        (terminal for terminal in terminals if word_of(terminal) is None and terminal.name != NAME), key=rank
    )
    first = sum(terminal.priority >= KEYWORD for terminal in rest)
    patterns = [(terminal.name, terminal.pattern.to_regexp()) for terminal in rest]
    return [*patterns[:first], any_word, *patterns[first:]]


def _tokens(rule: Any) -> list[str]:
    """The terminals that stay in a rule's tree."""
    return [symbol.name for symbol in rule.expansion if symbol.is_term and not symbol.filter_out]


def _rule(rule: Any) -> list[Any]:
    kept = [
        [at, not symbol.is_term and symbol.name.startswith("_")]
        for at, symbol in enumerate(rule.expansion)
        if not (symbol.is_term and symbol.filter_out)
    ]
    size = len(rule.expansion)
    whole = len(kept) == size and not any(opened for _, opened in kept)
    alone = bool(rule.options.expand1) and not rule.alias
    return [str(rule.origin.name), size, str(rule.alias or rule.origin.name), alone, None if whole else kept]


def _spelling(terminals: Collection[TerminalDef]) -> dict[str, str]:
    spellings = {}
    for terminal in terminals:
        word = word_of(terminal)
        if word is not None or terminal.pattern.type == "str":
            spellings[terminal.name] = word or terminal.pattern.value
    return spellings
