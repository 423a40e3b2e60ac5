"""The effects of one statement by itself, without those of its blocks and of what it runs.

The only place that says which states a statement changes, and what it asks, draws, shows, runs or leaves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, assert_never

from rulekit.base.frozen import frozen
from rulekit.ir import expr as x
from rulekit.ir import stmt as s
from rulekit.ir.program import Key
from rulekit.ir.walk import expressions, nodes

PLACE = "place"
"""The state of where each piece is."""

Left = Literal["", "run", "loop", "procedure", "game"]
StateKeys = Mapping[str, Sequence[Key]]
"""The keys of each state."""


@frozen
class Effects:
    """The effects of a statement by itself.

    Attributes:
        writes: States that it may change, `place` and `exists:GROUP` among them.
        asks: The choice that it asks; empty if none.
        draws: The point of chance that it uses; empty if none.
        reveals: It shows something hidden.
        runs: The procedure that it runs; empty if none.
        ends: The part that it leaves; `game` also for a fault that the rules declare.
    """

    writes: frozenset[str] = frozenset()
    asks: str = ""
    draws: str = ""
    reveals: bool = False
    runs: str = ""
    ends: Left = ""


def effects(stmt: s.Stmt, keys: StateKeys) -> Effects:
    """Return the effects of a statement by itself; `keys` are those of every state.

    A group that is formed or dissolved changes every state that has it for a key: all begin anew.
    """
    match stmt:
        case s.Write() | s.MarkAll() | s.Put():
            return Effects(frozenset((stmt.state,)))
        case s.DrawTop() | s.Shuffle():
            return Effects(frozenset((stmt.state,)), draws=stmt.point)
        case s.Place():
            return Effects(frozenset((PLACE,)))
        case s.Form() | s.Dissolve():
            of_group = {name for name, domains in keys.items() if stmt.domain in domains}
            return Effects(frozenset(of_group | {f"exists:{stmt.domain}"}))
        case s.Roll() | s.DrawLot():
            return Effects(draws=stmt.point)
        case s.ForEach(order=s.Order(kind="chosen", name=name)):
            return Effects(asks=name)
        case s.ForEach(order=s.Order(kind="lot", name=name)):
            return Effects(draws=name)
        case s.Choose():
            return Effects(asks=stmt.choice)
        case s.ChooseEach():
            return Effects(asks=stmt.choice, reveals=True)
        case s.Reveal():
            return Effects(reveals=True)
        case s.Do():
            return Effects(runs=stmt.procedure)
        case s.Next():
            return Effects(ends="run")
        case s.Leave():
            return Effects(ends="loop")
        case s.Return():
            return Effects(ends="procedure")
        case s.Finish() | s.Fail():
            return Effects(ends="game")
        case s.Let() | s.When() | s.ForEach() | s.Repeat() | s.Together() | s.Step() | s.Say() | s.Tell():
            return Effects()
        case _:
            assert_never(stmt)


def changes(stmt: s.Stmt, keys: StateKeys) -> frozenset[str]:
    """Return the states that a statement itself may change."""
    return effects(stmt, keys).writes


def reads(stmt: s.Stmt) -> frozenset[str]:
    """Return the states that a statement's own expressions read, without those that called functions read."""
    return frozenset(state for e in expressions(stmt) for node in nodes(e) for state in read_by(node))


def read_by(e: x.Expr) -> tuple[str, ...]:
    """Return the states that an expression itself reads: not its operands, nor functions that it calls."""
    match e:
        case x.Read() | x.Flagged():
            return (e.state,)
        case x.At():
            return (PLACE,)
        case (
            x.Const() | x.Local() | x.Static() | x.Apply() | x.Op() | x.If() | x.Filter() | x.Fold()
            | x.Best() | x.Linked() | x.BestWay()
        ):  # fmt: skip
            return ()
        case _:
            assert_never(e)
