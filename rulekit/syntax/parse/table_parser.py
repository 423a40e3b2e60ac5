"""A loop over the tables of the grammar: the tree of a text without a fault, in a third of lark's time.

`QuickParser.read` returns the same tree as lark, places included (a test compares them), or None: then lark
reads the text again and says what is wrong with it (`lark_parser.py`).

The lexer does as lark's contextual one, in which each state looks only for the terminals that it allows: what
is the first of all terminals that fit is the first of fewer, if it is among them, and nearly always it is.
Keywords are one pattern, any word, which must then be a keyword that the grammar allows there, or a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from rulekit.syntax.parse.tree import Token, Tree

WORD, NAME, _END = "WORD", "NAME", "$END"
_SPACE = (" ", "\t", "#", "\n", "")
_NEWLINE, _INDENT, _DEDENT = "_NL", "_INDENT", "_DEDENT"
_OPEN, _CLOSE = ("LPAR", "LBRACE"), ("RPAR", "RBRACE")

Row = dict[str, int]
Hops = dict[tuple[int, int, str], int]
Place = tuple[int, int]
Lexeme = tuple[str, Token | None, Place | None, Place | None]
"""A terminal, its token if the tree keeps it, and where it begins and ends."""
Matcher = Callable[[str, int], re.Match[str] | None]
"""Matches a terminal at a place of a text; the group that it names is the terminal."""
_FAULT: Final[Lexeme] = "", None, None, None
"""Stands for text in which no terminal begins; no state allows it."""
Entry = Any
"""A token, a tree, or the children of a rule that has no tree of its own."""


class Rule:
    """A rule of the grammar, and how its symbols become a tree."""

    __slots__ = ("origin", "size", "data", "alone", "kept", "opened", "renames", "wraps")

    def __init__(self, origin: str, size: int, data: str, alone: bool, kept: Any) -> None:
        """A rule of `size` symbols.

        Args:
            data: The tree's name.
            alone: An only child replaces the tree.
            kept: The positions of children, each with whether its own children replace it; None for all.
        """
        self.origin, self.size, self.data, self.alone = origin, size, data, alone
        self.kept: tuple[tuple[int, bool], ...] | None = None
        if kept is not None:
            self.kept = tuple([(at, opened) for at, opened in kept])
        self.opened = origin.startswith("_")
        self.renames = size == 1 and alone and kept is None and not self.opened
        self.wraps = size == 1 and not alone and kept is None and not self.opened


def allows(
    rows: Sequence[Row] | Mapping[int, Row], rules: Sequence[Rule], states: Sequence[int], kind: str
) -> bool:
    """True if a terminal may come next, after all rules that end before it.

    A state alone may allow more: it has the terminals that may follow a rule anywhere in the grammar.
    """
    below, above = len(states), list[int]()
    while True:
        action = rows[above[-1] if above else states[below - 1]].get(kind)
        if action is None or action >= 0:
            return action is not None
        rule = rules[~action]
        below -= max(0, rule.size - len(above))
        del above[max(0, len(above) - rule.size) :]
        above.append(rows[above[-1] if above else states[below - 1]][rule.origin])


class QuickParser:
    """The loop over one grammar's tables; holds nothing of any text."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        """From the result of `condense_tables`.

        Raises:
            KeyError, TypeError, ValueError, IndexError, re.error: It is something else.
        """
        self._rows: list[Row] = tables["rows"]
        self._hops: Hops = {}
        self._rules = [Rule(*rule) for rule in tables["rules"]]
        self._start, self._end = tables["start"], tables["end"]
        self._spelling: dict[str, str] = tables["spelling"]
        self._words = {word: name for name, word in self._spelling.items() if word.isalpha()}
        self._ignored = frozenset(tables["ignored"])
        self._terminals: list[tuple[str, str]] = [(name, pattern) for name, pattern in tables["terminals"]]
        self._with_lines = frozenset(tables["with_lines"])
        self._kept = frozenset(tables["kept"])
        self._always = self._ignored | {_NEWLINE, WORD}
        self._match_any = _matcher(self._terminals)
        self._matchers: dict[frozenset[str], Matcher] = {}

    def read(self, text: str) -> Tree | None:
        """Return the tree of a text; None if it has a fault."""
        rows, rules, hops = self._rows, self._rules, self._hops
        states, values = [self._start], list[Entry]()
        begins, ends = list[Place | None](), list[Place | None]()
        for kind, token, begin, end in self._tokens(text, states):
            action = rows[states[-1]].get(kind)
            while action is not None and action < 0:
                if len(states) > 1:
                    key = states[-2], states[-1], kind
                    top = hops[key] if key in hops else self._hop(*key)
                    if top != states[-1]:
                        states[-1] = top
                        action = rows[top].get(kind)
                        continue
                rule = rules[~action]
                if rule.wraps:  # half of all rules that end
                    values[-1] = _tree(rule.data, values[-1:], begins[-1], ends[-1])
                    states[-1] = rows[states[-2]][rule.origin]
                else:
                    _reduce(rule, states, values, begins, ends)
                    states.append(rows[states[-1]][rule.origin])
                action = rows[states[-1]].get(kind)
            if action is None:
                break
            states.append(action)
            values.append(token)
            begins.append(begin)
            ends.append(end)
        return values[-1] if states[-1] == self._end else None

    def _hop(self, below: int, top: int, kind: str) -> int:
        """The state after all rules that only rename the last symbol (`?sum: product`)."""
        rows, rules = self._rows, self._rules
        reached = top
        while (action := rows[reached].get(kind, 0)) < 0 and rules[~action].renames:
            reached = rows[below][rules[~action].origin]
        self._hops[below, top, kind] = reached
        return reached

    def _tokens(self, text: str, states: list[int]) -> Iterator[Lexeme]:
        """Yield the terminals of a text, and its end; or `_FAULT` where there is none.

        Args:
            states: The stack of the parser, which has taken all terminals before.
        """
        words, ignored, kept, always = self._words, self._ignored, self._kept, self._always
        with_lines, rows, match_any = self._with_lines, self._rows, self._match_any
        depths, brackets = [0], 0
        at, line, begins, length = 0, 1, 0, len(text)
        while at < length:
            row = rows[states[-1]]
            match = match_any(text, at)
            if match is not None and match.lastgroup not in row and match.lastgroup not in always:
                match = self._matcher(row)(text, at)
            if match is None:
                yield _FAULT
                return
            kind, after = match.lastgroup or "", match.end()
            here = line, at - begins + 1
            if kind == WORD:
                kind = words.get(match.group(), NAME)
                action = row.get(kind)
                if action is None or (action < 0 and NAME in row and self._needs_name(states, kind)):
                    kind = NAME
            elif kind in with_lines and (lines := text.count("\n", at, after)):
                line += lines
                begins = text.rfind("\n", at, after) + 1
            if kind in ignored:
                at = after
                continue
            there = line, after - begins + 1
            if kind == _NEWLINE:
                if not brackets:
                    yield _NEWLINE, None, here, there
                    yield from _indents(depths, after - begins, here, there)
            else:
                if kind in _OPEN:
                    brackets += 1
                elif kind in _CLOSE and brackets:
                    brackets -= 1
                yield kind, Token(kind, match.group(), *here, *there) if kind in kept else None, here, there
            at = after
            if text[at : at + 1] == " " and text[at + 1 : at + 2] not in _SPACE:
                at += 1  # the common blank between two words, without the scanner
        for _ in depths[1:]:
            yield _DEDENT, None, None, None
        yield _END, None, None, None

    def _needs_name(self, states: Sequence[int], kind: str) -> bool:
        """True if the grammar allows a name here and not this keyword, whatever the state alone allows."""
        rows, rules = self._rows, self._rules
        return allows(rows, rules, states, NAME) and not allows(rows, rules, states, kind)

    @property
    def spelling(self) -> Mapping[str, str]:
        """Terminal name -> how it is written, for those with one spelling (`WHEN` -> `when`)."""
        return self._spelling

    @property
    def words(self) -> frozenset[str]:
        """Every keyword."""
        return frozenset(self._words)

    @cached_property
    def line_words(self) -> frozenset[str]:
        """Keywords that can begin a line and are never inside brackets."""
        every = range(len(self._rows))
        beginnings = self._after((_NEWLINE, _INDENT, _DEDENT), every)
        inside = reached = self._after(_OPEN, every)
        while reached:
            symbols = {symbol for state in reached for symbol in self._rows[state]} - {*_CLOSE}
            reached = self._after(symbols, reached) - inside
            inside |= reached
        shifted = {symbol for state in inside for symbol, action in self._rows[state].items() if action >= 0}
        first = {symbol for state in beginnings for symbol in self._rows[state]}
        return frozenset(word for word, name in self._words.items() if name in first - shifted)

    def _after(self, symbols: Collection[str], states: Iterable[int]) -> set[int]:
        """Return the states after one of these symbols in any of these states."""
        rows = (self._rows[state] for state in states)
        return {action for row in rows for symbol, action in row.items() if symbol in symbols and action >= 0}

    def _matcher(self, row: Row) -> Matcher:
        """Return what matches the terminals that a state allows; keywords are any word."""
        wanted = frozenset([name for name, _ in self._terminals if name in row or name in self._always])
        if wanted not in self._matchers:
            self._matchers[wanted] = _matcher([one for one in self._terminals if one[0] in wanted])
        return self._matchers[wanted]


def _matcher(terminals: Iterable[tuple[str, str]]) -> Matcher:
    """Return what matches the first of some terminals that is next in a text, and names it."""
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in terminals)).match


def _indents(depths: list[int], depth: int, here: Place, there: Place) -> Iterator[Lexeme]:
    """Yield the change of indentation after a line's end (`layout.py`); `depths` are the open ones."""
    if depth > depths[-1]:
        depths.append(depth)
        yield _INDENT, None, here, there
    while depth < depths[-1]:
        depths.pop()
        yield _DEDENT, None, here, there
    if depth != depths[-1]:
        yield _FAULT


def _tree(data: str, parts: list[Entry], begin: Place | None, end: Place | None) -> Tree:
    tree = Tree(data, parts)
    if begin is not None and end is not None:
        tree.line, tree.column = begin
        tree.end_line, tree.end_column = end
    return tree


def _reduce(
    rule: Rule,
    states: list[int],
    values: list[Entry],
    begins: list[Place | None],
    ends: list[Place | None],
) -> None:
    """Replace a rule's symbols on the stacks by its tree; the caller adds the state after it.

    Places are (line, column), None where a symbol took up no text.
    """
    size, kept = rule.size, rule.kept
    begin = end = None
    parts: list[Entry] = []
    if size:
        parts = values[-size:]
        begin, end = begins[-size], ends[-1]
        if begin is None:
            begin = next((place for place in begins[-size:] if place is not None), None)
        if end is None:
            end = next((place for place in reversed(ends[-size:]) if place is not None), None)
        del states[-size:], values[-size:], begins[-size:], ends[-size:]
    if kept is not None:
        chosen: list[Entry] = []
        for at, opened in kept:
            if not opened:
                chosen.append(parts[at])
            elif chosen:
                chosen += parts[at]
            else:
                chosen = parts[at]
        parts = chosen
    entry: Entry
    if rule.opened:
        entry = parts
    elif rule.alone and len(parts) == 1:
        entry = parts[0]
        if isinstance(entry, Token):  # lark gives a token its own place, whatever is around it
            begin, end = (entry.line, entry.column), (entry.end_line, entry.end_column)
    else:
        entry = _tree(rule.data, parts, begin, end)
    values.append(entry)
    begins.append(begin)
    ends.append(end)
