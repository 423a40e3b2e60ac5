"""A loop over the tables of the grammar: the tree of a text without a fault, in a third of lark's time.

`QuickParser.read` returns the same tree as lark, places included (a test compares them), or None: then lark
reads the text again and says what is wrong with it (`lark_parser.py`).

The lexer is lark's contextual one: each state looks only for the terminals that it allows.  Keywords are one
pattern, any word, which must then be a keyword that the grammar allows there, or a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulekit.syntax.parse.tree import Token, Tree

WORD, NAME, _END = "WORD", "NAME", "$END"
_SPACE = (" ", "\t", "#", "\n", "")
_NEWLINE, _INDENT, _DEDENT = "_NL", "_INDENT", "_DEDENT"
_OPEN, _CLOSE = ("LPAR", "LBRACE"), ("RPAR", "RBRACE")

Row = dict[str, int]
Hops = dict[tuple[int, int, str], int]
Place = tuple[int, int]
Take = Callable[[str, None, Place, Place], bool]
Entry = Any
"""A token, a tree, or the children of a rule that has no tree of its own."""


class Rule:
    """A rule of the grammar, and how its symbols become a tree."""

    __slots__ = ("origin", "size", "data", "alone", "kept", "opened", "renames")

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
        self._scanners: dict[frozenset[str], Any] = {}
        self._match: list[Any] = [None] * len(self._rows)

    def read(self, text: str) -> Tree | None:
        """Return the tree of a text; None if it has a fault."""
        run = _Run(self._rows, self._rules, self._hops, self._start)
        match_of, words, ignored, kept = self._match, self._words, self._ignored, self._kept
        with_lines = self._with_lines
        rows, states, take = self._rows, run.states, run.take
        depths, brackets = [0], 0
        at, line, begins, length = 0, 1, 0, len(text)
        while at < length:
            state = states[-1]
            match = (match_of[state] or self._scanner(state))(text, at)
            if match is None:
                return None
            kind, after = match.lastgroup, match.end()
            here = line, at - begins + 1
            if kind == WORD:
                kind = words.get(match.group(), NAME)
                action = rows[state].get(kind)
                if action is None or (action < 0 and NAME in rows[state] and run.needs_name(kind)):
                    kind = NAME
            elif kind in with_lines and (lines := text.count("\n", at, after)):
                line += lines
                begins = text.rfind("\n", at, after) + 1
            if kind in ignored:
                at = after
                continue
            there = line, after - begins + 1
            if kind == _NEWLINE:
                if not brackets and not self._new_line(take, depths, after - begins, here, there):
                    return None
            else:
                if kind in _OPEN:
                    brackets += 1
                elif kind in _CLOSE and brackets:
                    brackets -= 1
                token = Token(kind, match.group(), *here, *there) if kind in kept else None
                if not take(kind, token, here, there):
                    return None
            at = after
            if text[at : at + 1] == " " and text[at + 1 : at + 2] not in _SPACE:
                at += 1  # the common blank between two words, without the scanner
        ended = all(take(_DEDENT, None, None, None) for _ in depths[1:])
        return run.finish(self._end) if ended else None

    @staticmethod
    def _new_line(take: Take, depths: list[int], depth: int, here: Place, there: Place) -> bool:
        """Take a line's end and the change of indentation after it (`layout.py`)."""
        if not take(_NEWLINE, None, here, there):
            return False
        if depth > depths[-1]:
            depths.append(depth)
            return take(_INDENT, None, here, there)
        while depth < depths[-1]:
            depths.pop()
            if not take(_DEDENT, None, here, there):
                return False
        return depth == depths[-1]

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

    def _scanner(self, state: int) -> Any:
        """Return the matcher of a state, for all terminals that it allows; keywords are any word."""
        row = self._rows[state]
        wanted = frozenset([name for name, _ in self._terminals if name in row or name in self._always])
        if wanted not in self._scanners:
            parts = (f"(?P<{name}>{pattern})" for name, pattern in self._terminals if name in wanted)
            text = "|".join(parts)
            self._scanners[wanted] = re.compile(text).match
        self._match[state] = self._scanners[wanted]
        return self._scanners[wanted]


class _Run:
    """The stacks of one text; places are (line, column), None where a symbol took up no text."""

    __slots__ = ("_rows", "_rules", "_hops", "states", "values", "begins", "ends")

    def __init__(self, rows: list[Row], rules: list[Rule], hops: Hops, start: int) -> None:
        self._rows, self._rules, self._hops = rows, rules, hops
        self.states = [start]
        self.values: list[Entry] = []
        self.begins: list[Place | None] = []
        self.ends: list[Place | None] = []

    def take(self, kind: str, token: Token | None, begin: Place | None, end: Place | None) -> bool:
        """Take one terminal, after all rules that end before it; True if the grammar allows it here."""
        rows, states = self._rows, self.states
        action = rows[states[-1]].get(kind)
        while action is not None and action < 0:
            if len(states) > 1:
                top = self._hop(states[-2], states[-1], kind)
                if top != states[-1]:
                    states[-1] = top
                    action = rows[top].get(kind)
                    continue
            self._reduce(~action)
            action = rows[states[-1]].get(kind)
        if action is None:
            return False
        states.append(action)
        self.values.append(token)
        self.begins.append(begin)
        self.ends.append(end)
        return True

    def _hop(self, below: int, top: int, kind: str) -> int:
        """The state after all rules that only rename the last symbol (`?sum: product`)."""
        key = below, top, kind
        reached = self._hops.get(key)
        if reached is None:
            rows, rules = self._rows, self._rules
            reached = top
            while (action := rows[reached].get(kind, 0)) < 0 and rules[~action].renames:
                reached = rows[below][rules[~action].origin]
            self._hops[key] = reached
        return reached

    def needs_name(self, kind: str) -> bool:
        """True if the grammar allows a name here and not this keyword, whatever the state alone allows."""
        return allows(self._rows, self._rules, self.states, NAME) and not allows(
            self._rows, self._rules, self.states, kind
        )

    def finish(self, end: int) -> Tree | None:
        """The whole tree, at the end of the text."""
        while True:
            action = self._rows[self.states[-1]].get(_END)
            if action is None or action >= 0:
                return None
            self._reduce(~action)
            if self.states[-1] == end:
                tree: Tree = self.values[-1]
                return tree

    def _reduce(self, number: int) -> None:
        """Replace a rule's symbols on the stacks by its tree."""
        rule = self._rules[number]
        size, kept = rule.size, rule.kept
        states, values, begins, ends = self.states, self.values, self.begins, self.ends
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
            entry = Tree(rule.data, parts)
            if begin is not None and end is not None:
                entry.line, entry.column = begin
                entry.end_line, entry.end_column = end
        states.append(self._rows[states[-1]][rule.origin])
        values.append(entry)
        begins.append(begin)
        ends.append(end)
