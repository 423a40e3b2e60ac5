"""Lists that change inside a `together` block: one change after the other when it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rulekit import ir
from rulekit.ir import types as t
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame
from tests.unit.runtime import make

HAND = make.state("hand", ("Side",), t.ListOf(make.PIECE, 3), (0, 1))
"""At most three pieces."""


def change(op: str, value: ir.Expr, side: int = 0) -> ir.Stmt:
    """A change of a side's hand."""
    return make.write(op, "hand", (make.const(side, make.SIDE),), value)


def put(value: ir.Expr, *, top: bool) -> ir.Stmt:
    """Something put on the first hand, or under it."""
    many = not isinstance(value.type, t.Member)
    return ir.Put("hand", (make.const(0, make.SIDE),), value, many, top, 1)


def piece(number: int) -> ir.Const:
    """A piece."""
    return make.const(number, make.PIECE)


def pile(*pieces: int) -> ir.Const:
    """A list of pieces."""
    return make.const(pieces, make.PILE)


FULL = [change("append", piece(number)) for number in (2, 3, 4)]
DRAW = ir.DrawTop(
    "lot", "hand", (make.const(0, make.SIDE),), make.const(1), True, make.local("one", make.PIECE), 1
)
BLOCKS = {
    "each in its order": [put(piece(3), top=True), change("append", piece(2), 1), change("drop", piece(0))],
    "longer for a while": [*FULL, change("drop", piece(0)), change("drop", piece(2))],
    "too long": FULL,
    "a list on top": [put(pile(4, 3), top=True), change("drop", piece(0))],
    "a set under": [put(make.const(0b10100, make.PIECES), top=False), change("drop", piece(1))],
    "one value twice": [change("set", pile(4, 3)), change("set", pile(2), 1), change("set", pile(4, 3))],
    "two values": [change("set", pile(4, 3)), change("set", pile(3, 4))],
    "nothing is a change": [put(pile(), top=True), change("set", pile(4))],
    "set too long": [change("set", pile(0, 1, 2, 3, 4), 1), change("set", pile(2))],
    "set too long beside": [
        change("append", piece(2), 1), change("set", pile(0, 1, 2, 3, 4)), change("drop", piece(2), 1),
    ],
    "drawn from at once": [put(piece(4), top=True), DRAW, change("drop", piece(0))],
}  # fmt: skip


def outcome(play: Callable[[], Any]) -> tuple[Any, ...]:
    """The state without the budget, or the fault."""
    try:
        return tuple(play().cells[1:])
    except Fault as fault:
        return fault.name, fault.site, fault.message


@pytest.mark.parametrize("name", BLOCKS)
def test_lists_change_as_in_python(name: str) -> None:
    """One at a time, as long as need be, and only at the end too long; a block leaves nothing to the next."""
    twice = [ir.Together(tuple(BLOCKS[name]), site) for site in (1, 2)]
    program = make.program(make.procedure("play", *twice), states=(*make.STATES.values(), HAND))
    game = NativeGame(build(program))
    expected = outcome(lambda: run_direct(program))
    assert [expected, expected] == [outcome(game.play), outcome(game.play)]


def test_a_block_with_too_many_changes_ends_the_game() -> None:
    """A module has room for a thousand changes of a list, and never drops one."""
    often = ir.Repeat("times", make.const(2000), None, (FULL[0], change("drop", piece(2))), 1)
    game = NativeGame(
        build(
            make.program(
                make.procedure("play", ir.Together((often,), 2)), states=(*make.STATES.values(), HAND)
            )
        )
    )
    with pytest.raises(Fault) as caught:
        game.play()
    assert ("budget", "thing 2") == (caught.value.name, caught.value.site and caught.value.site.owner)
