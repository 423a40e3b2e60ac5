"""Answers kept from one check to the next, by what their questions are made of.

A question is the same as long as nothing has changed of what it can reach: its expressions, the definitions
that they call, directly or not, the tables and states that those read, and the domains that any of these
names.  So an edit of one rule, and an option, costs the questions that it touches.  A situation is kept in
words only (`kept_words`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from rulekit import ir
from rulekit.analysis.prove.search import Answer
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base.frozen import frozen
from rulekit.base.results import ResultStore, ResultTable, plain_table, same
from rulekit.ir import walk
from rulekit.ir.memo import Trees
from rulekit.ir.semantics.effects import read_by

_ANSWERS: Final[ResultStore[Mapping[str, Any]]] = ResultStore("answers", same, plain_table)
MOST: Final = 20_000
"""Answers kept for one rule set: those that were asked for last."""
_SEEN: Final = "seen"
_NUMBERED: Final = re.compile(r"'other \d+")
_WORD: Final = re.compile(r"[^\W\d]\w*")


def answer_table(key: str | None = None) -> ResultTable[Any]:
    """Return the table of the answers to questions about one rule set, with whatever options.

    Args:
        key: Names the set, and all that gives the same question another answer (this rulekit's code).  None:
            nothing is read or written, and what is known is known while the table lives.
    """
    return ResultTable(_ANSWERS, key, MOST)


class AnswerCache:
    """The answers to questions, in a table that holds them as plain JSON."""

    def __init__(self, table: ResultTable[Any]) -> None:
        self._answers = table

    def get(self, question: str, *, shown: bool) -> Answer | None:
        """What is known; None if that is nothing, or a situation that is to be shown.

        What has no name (is empty) is never known.
        """
        plain = self._answers.get(question) if question else None
        if plain is None or (shown and plain == _SEEN):
            return None
        try:
            return _answer(plain)
        except (TypeError, ValueError):
            return None

    def put(self, question: str, answer: Answer) -> None:
        """Keep an answer."""
        if question:
            self._answers.put(question, _plain(answer))

    def words(self, question: str) -> list[Any] | None:
        """Return a situation in words as it was kept; None if there is none."""
        plain = self._answers.get(question) if question else None
        return plain if isinstance(plain, list) else None

    def put_words(self, question: str, plain: list[Any]) -> None:
        """Keep a situation in words, as plain JSON."""
        if question:
            self._answers.put(question, plain)


def _plain(answer: Answer) -> Any:
    match answer:
        case Refuted():
            return _SEEN
        case Proved():
            return answer.tried
        case Undecided():
            return [answer.reason, answer.tried]


def _answer(plain: Any) -> Answer:
    if plain == _SEEN:
        return Refuted({})
    if isinstance(plain, int):
        return Proved(plain)
    reason, tried = plain
    if not isinstance(reason, str) or not isinstance(tried, int):
        raise TypeError("no answer")
    return Undecided(reason, tried)


class QuestionKeys:
    """Gives questions about one program their names.

    Args:
        trees: What is known of trees of the program.
    """

    def __init__(self, program: ir.Program, trees: Trees | None = None) -> None:
        self._trees = trees or Trees()
        self._functions: Mapping[str, ir.Function] = program.by_name.functions
        self._parts: dict[str, tuple[bytes, frozenset[str]]] = {}
        self._said: dict[int, tuple[ir.Expr, str, frozenset[str], frozenset[str]]] = {}
        self._domains = program.by_name.domains
        self._domain_of = {kind.name: kind.domain for kind in program.kinds}
        self._domain_of |= {name: name for name in self._domains}
        self._kinds: dict[str, str] = {}
        for kind in program.kinds:
            text = self._trees.of("text", kind, repr)
            self._kinds[kind.domain] = self._kinds.get(kind.domain, "") + text
        self._order = {state.name: number for number, state in enumerate(program.states)}
        self._tables = {table.name: table for table in program.statics}  # as declared: no steps yet
        self._states = program.by_name.states

    def of(
        self, params: Sequence[ir.Param], tests: Sequence[ir.Expr], *more: object, in_words: bool = False
    ) -> str:
        """The name of the question whether tests can hold together; empty if they are too deep to have one.

        Args:
            more: What else decides the answer.
            in_words: Whether the answer is a situation in words.  Then the names of members and the order of
                states decide it, too.
        """
        try:
            return self._of(params, tests, more, in_words=in_words)
        except RecursionError:
            return ""

    def _of(
        self,
        params: Sequence[ir.Param],
        tests: Sequence[ir.Expr],
        more: tuple[object, ...],
        *,
        in_words: bool,
    ) -> str:
        head = repr((params, more))
        texts, domains = [head], set(self._domains_in(_WORD.findall(head)))
        reached: set[str] = set()
        for test in tests:
            text, named, parts = self._in_full(test)
            texts.append(text)
            domains |= named
            reached |= parts
        digest = hashlib.blake2b(_canonical("\n".join(texts)).encode(), digest_size=16)
        around = self._around(reached)
        for part in sorted(around):
            content, named = self._part(part)
            digest.update(content)
            domains |= named
        for name in sorted(domains):
            domain = self._domains[name]
            shown = self._trees.of("names", domain, _names_in) if in_words else len(domain.members)
            digest.update(f"{name} {shown} {self._kinds.get(name)}\n".encode())
        if in_words:
            states = [part.removeprefix(_STATE) for part in around if part.startswith(_STATE)]
            digest.update(repr(sorted(states, key=self._order.__getitem__)).encode())
        return digest.hexdigest()

    def _in_full(self, test: ir.Expr) -> tuple[str, frozenset[str], frozenset[str]]:
        """An expression in full, the domains that it names, and what it reads and calls."""
        known = self._said.get(id(test))
        if known is None or known[0] is not test:
            text = repr(test)
            named = self._domains_in(_WORD.findall(text))
            known = self._said[id(test)] = test, text, named, frozenset(_reach(test))
        return known[1:]

    def _around(self, parts: Iterable[str]) -> set[str]:
        """The same parts with all that they reach in turn."""
        around: set[str] = set()
        waiting = list(parts)
        while waiting:
            part = waiting.pop()
            if part in around:
                continue
            around.add(part)
            sort, _, name = part.partition(" ")
            if sort == "function" and name in self._functions:
                waiting += self._trees.of("reached", self._functions[name], _reached_by)
            elif sort == "table" and self._tables[name].steps_by:
                waiting.append(f"{_TABLE}{self._tables[name].steps_by}")
        return around

    def _domains_in(self, words: Iterable[str]) -> frozenset[str]:
        """The domains that words name, or kinds of their members."""
        return frozenset(self._domain_of[word] for word in words if word in self._domain_of)

    def _part(self, part: str) -> tuple[bytes, frozenset[str]]:
        """A digest of a definition, a table or a state, and the domains that it names."""
        if part not in self._parts:
            sort, _, name = part.partition(" ")
            of: Mapping[str, object] = {"function": self._functions, "state": self._states}.get(
                sort, self._tables
            )
            brief = self._trees.of("in brief", of.get(name), _in_brief)
            self._parts[part] = brief.digest.encode(), self._domains_in(brief.words)
        return self._parts[part]


@frozen
class _Brief:
    """A digest of a definition, a table or a state, without its place in the text; and the words in it."""

    digest: str
    words: frozenset[str]


def _in_brief(of: object) -> _Brief:
    content = replace(of, site=0) if isinstance(of, ir.Function | ir.State) else of
    text = repr(content)
    digest = hashlib.blake2b(_canonical(text).encode(), digest_size=16).hexdigest()
    return _Brief(digest, frozenset(_WORD.findall(text)))


def _canonical(text: str) -> str:
    """The text with the numbers of made names (`x'other 17`) counted from its beginning.

    They are counted through a whole program: an edit anywhere would give each later question another name.
    """
    numbers: dict[str, str] = {}
    return _NUMBERED.sub(lambda made: numbers.setdefault(made[0], f"'other {len(numbers)}"), text)


def _reached_by(function: ir.Function) -> frozenset[str]:
    return frozenset(_reach(function.body))


_FUNCTION: Final = "function "
_STATE: Final = "state "
_TABLE: Final = "table "


def _names_in(domain: ir.Domain) -> str:
    return repr((domain.name, domain.members))


def _reach(test: ir.Expr) -> Iterator[str]:
    for node in walk.nodes(test):
        if isinstance(node, ir.Apply):
            yield f"{_FUNCTION}{node.function}"
        elif isinstance(node, ir.Static):
            yield f"{_TABLE}{node.table}"
        else:
            yield from (f"{_STATE}{name}" for name in read_by(node))
