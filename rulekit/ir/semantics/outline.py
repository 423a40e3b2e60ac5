"""The names that a function, procedure or choice reads, calls, runs and asks by itself.

An outline depends on its item alone, so that programs which share an item can share it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.ir import expr as x
from rulekit.ir import stmt as s
from rulekit.ir import walk
from rulekit.ir.program import Choice, Function
from rulekit.ir.semantics.effects import read_by

CHANCE: Final = (s.Roll, s.DrawLot, s.DrawTop)
_NEVER: Final[Mapping[type, bool]] = dict.fromkeys((x.Const, x.Local, x.Static, x.Op, x.If), True)
"""Expressions that read no state by themselves and call nothing."""


@frozen
class Reads:
    """The states that some expressions read, and the functions that they call; calls are not followed."""

    states: frozenset[str]
    calls: frozenset[str]


@frozen
class BlockOutline:
    """The effects of a block and of the blocks in it, not those of the procedures and choices that it uses.

    Attributes:
        reads: Of its expressions.
        runs: The procedures that it runs, in order.
        results: Those of them of which it keeps the result.
        asks: The choices that it asks, in order.
        answers: Those of them that it asks once.
        reveals: Whether it reveals a value.
        secret: The expressions that say who sees what it draws, rolls or reveals, where some sides do not.
    """

    reads: Reads
    runs: tuple[str, ...]
    results: frozenset[str]
    asks: tuple[str, ...]
    answers: frozenset[str]
    reveals: bool
    secret: tuple[x.Expr, ...]


def reads_of(*expressions: x.Expr) -> Reads:
    """Return what expressions read and call by themselves."""
    states: set[str] = set()
    calls: set[str] = set()
    for e in expressions:
        for node in walk.nodes(e):
            if node.__class__ in _NEVER:
                continue
            if isinstance(node, x.Apply):
                calls.add(node.function)
            else:
                states.update(read_by(node))
    return Reads(frozenset(states), frozenset(calls))


def outline_of_block(block: s.Block) -> BlockOutline:
    """Return the outline of a block."""
    statements = list(walk.statements(block))
    runs = [stmt for stmt in statements if isinstance(stmt, s.Do)]
    asks = [stmt for stmt in statements if isinstance(stmt, s.Choose | s.ChooseEach)]
    return BlockOutline(
        reads=reads_of(*(e for stmt in statements for e in walk.expressions(stmt))),
        runs=_names(stmt.procedure for stmt in runs),
        results=frozenset(stmt.procedure for stmt in runs if stmt.local is not None),
        asks=_names(stmt.choice for stmt in asks),
        answers=frozenset(stmt.choice for stmt in asks if isinstance(stmt, s.Choose)),
        reveals=any(isinstance(stmt, s.Reveal) for stmt in statements),
        secret=tuple(
            stmt.known
            for stmt in statements
            if isinstance(stmt, (*CHANCE, s.Reveal)) and stmt.known is not None
        ),
    )


def reads_of_function(function: Function) -> Reads:
    """Return what the body of a function reads and calls."""
    return reads_of(function.body)


def reads_of_choice(choice: Choice) -> Reads:
    """Return the reads of a choice: of its decider, its `let`s, its answers and its norms."""
    parts = (
        choice.decider,
        *(value for _, value in choice.lets),
        *choice.asked,
        *(part for norm in choice.norms for part in (norm.test, norm.cover, norm.whole)),
    )
    return reads_of(*(part for part in parts if part is not None))


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
