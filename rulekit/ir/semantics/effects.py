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
        ends: What it leaves; `game` also for a fault that the rules declare.
    """

    writes: frozenset[str] = frozenset()
    asks: str = ""
    draws: str = ""
    reveals: bool = False
    runs: str = ""
    ends: Left = ""


def effects(stmt: s.Stmt, keys: StateKeys) -> Effects:
    """Return the effects of a statement by itself; `keys` are those of every state."""
    writes = changes(stmt, keys)
    match stmt:
        case s.Write() | s.MarkAll() | s.Place() | s.Put() | s.Form() | s.Dissolve():
            return Effects(writes)
        case s.DrawTop() | s.Shuffle() | s.Roll() | s.DrawLot():
            return Effects(writes, draws=stmt.point)
        case s.ForEach():
            kind, name = ("", "") if stmt.order is None else (stmt.order.kind, stmt.order.name)
            asks, draws = name if kind == "chosen" else "", name if kind == "lot" else ""
            return Effects(writes, asks=asks, draws=draws)
        case s.Choose():
            return Effects(writes, asks=stmt.choice)
        case s.ChooseEach():
            return Effects(writes, asks=stmt.choice, reveals=True)
        case s.Reveal():
            return Effects(writes, reveals=True)
        case s.Do():
            return Effects(writes, runs=stmt.procedure)
        case s.Next():
            return Effects(writes, ends="run")
        case s.Leave():
            return Effects(writes, ends="loop")
        case s.Return():
            return Effects(writes, ends="procedure")
        case s.Finish() | s.Fail():
            return Effects(writes, ends="game")
        case s.Let() | s.When() | s.Repeat() | s.Together() | s.Step() | s.Say():
            return Effects(writes)
        case _:
            assert_never(stmt)


def changes(stmt: s.Stmt, keys: StateKeys) -> frozenset[str]:
    """The states that a statement itself may change.

    A group that is formed or dissolved changes every state that has it for a key: all begin anew.
    """
    match stmt:
        case s.Write() | s.MarkAll() | s.DrawTop() | s.Put() | s.Shuffle():
            return frozenset((stmt.state,))
        case s.Place():
            return frozenset((PLACE,))
        case s.Form() | s.Dissolve():
            of_group = {name for name, domains in keys.items() if stmt.domain in domains}
            return frozenset(of_group | {f"exists:{stmt.domain}"})
        case (
            s.Let() | s.When() | s.ForEach() | s.Repeat() | s.Leave() | s.Next() | s.Return() | s.Do()
            | s.Roll() | s.DrawLot() | s.Choose() | s.ChooseEach() | s.Together() | s.Step()
            | s.Reveal() | s.Say() | s.Finish() | s.Fail()
        ):  # fmt: skip
            return frozenset()
        case _:
            assert_never(stmt)


def reads(stmt: s.Stmt) -> frozenset[str]:
    """The states that a statement's own expressions read, without those that functions read for them."""
    return frozenset(state for e in expressions(stmt) for node in nodes(e) for state in read_by(node))


def read_by(e: x.Expr) -> tuple[str, ...]:
    """The states that an expression itself reads: not its operands, nor functions that it calls."""
    match e:
        case x.Read() | x.Flagged():
            return (e.state,)
        case x.At():
            return (PLACE,)
        case (
            x.Const() | x.Local() | x.Static() | x.Apply() | x.Op() | x.If() | x.Filter() | x.Fold()
            | x.Best() | x.Linked()
        ):  # fmt: skip
            return ()
        case _:
            assert_never(e)
