"""Generic access to what is written: nodes of one sort, citations, and the blocks inside statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from operator import attrgetter
from typing import Any, Final, assert_never, get_args

from rulekit.base.source import Span
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.expr import Expr
from rulekit.syntax.tree.stmt import Cite

Block = tuple[s.Statement, ...]

PLAIN: Final = frozenset(("Span", "str", "int", "bool"))
"""The types, as they are written, of the fields of nodes that hold no nodes."""


def blocks(statement: s.Statement) -> tuple[Block, ...]:
    """Return the blocks of a statement, in the order in which they are written."""
    if isinstance(statement, s.Simple):
        return ()
    match statement:
        case s.When():
            return (*(body for _, body in statement.branches), statement.otherwise)
        case s.ForEach() | s.Step() | s.Repeat() | s.Together():
            return (statement.body,)
        case _:
            assert_never(statement)


def with_blocks(statement: s.Statement, change: Callable[[Block], Block]) -> s.Statement:
    """Return the statement with each of its blocks changed."""
    if isinstance(statement, s.Simple):
        return statement
    match statement:
        case s.When():
            branches = tuple((test, change(body)) for test, body in statement.branches)
            return replace(statement, branches=branches, otherwise=change(statement.otherwise))
        case s.ForEach() | s.Step() | s.Repeat() | s.Together():
            return replace(statement, body=change(statement.body))
        case _:
            assert_never(statement)


def nodes(tree: object, *, expressions: bool = True) -> Iterator[object]:
    """Yield every node of a piece of syntax (or of a tuple of such), itself first; spans do not count.

    `expressions`: whether to include expressions, which hold most nodes.
    """
    known = _known if expressions else _outside
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
            continue
        kind = type(node)
        parts_of = known[kind] if kind in known else _reader(kind, known)
        if parts_of is not None:
            yield node
            waiting += parts_of(node)


def citations(tree: object) -> Iterator[Cite]:
    """Yield every citation in a piece of syntax, or in a tuple of such."""
    return (node for node in nodes(tree, expressions=False) if isinstance(node, Cite))


def same(left: object, right: object) -> bool:
    """True if two pieces of syntax say the same, wherever they are and whatever they cite."""
    if type(left) is not type(right):
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, Span | Cite):
        return True
    if is_dataclass(left):
        return all(same(getattr(left, part.name), getattr(right, part.name)) for part in fields(left))
    return left == right


_Reader = Callable[[Any], tuple[object, ...]]
_Known = dict[type[Any], _Reader | None]
_known: _Known = {}
_outside: _Known = dict.fromkeys(get_args(Expr))
"""Readers of the fields of each class of nodes, the last first; None for other classes, and here for
expressions."""


def _reader(kind: type[Any], known: _Known) -> _Reader | None:
    read: _Reader | None = None
    if is_dataclass(kind) and not issubclass(kind, Span):
        names = [field.name for field in reversed(fields(kind)) if field.type not in PLAIN]
        match names:
            case []:
                read = _no_parts
            case [name]:
                read = _only_part(name)
            case _:
                read = attrgetter(*names)
    known[kind] = read
    return read


def _no_parts(node: object) -> tuple[object, ...]:
    return ()


def _only_part(name: str) -> _Reader:
    return lambda node: (getattr(node, name),)
