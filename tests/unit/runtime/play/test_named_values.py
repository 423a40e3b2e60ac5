"""Values by the names of the rules: states, fields, tables and definitions, for the host and for a side."""

from __future__ import annotations

from typing import Any

import pytest

import rulekit
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.play import HIDDEN, Game, Session
from rulekit.runtime.play.named_values import UnknownName
from rulekit.testing import MANIFEST, compile_text, manifest

RULES = """
enum Side: Red, Blue
piece Ship:
    members Ada, Bea
    speed: 0..9 = 5
    state damage: 0..9
space Port:
    members Fox
    state damage: 0..3 = 2
state turn: 1..9 = 3
state hits(side): 0..9
state bid(side): 0..9 = 4, known to side
enum Effect: miss, hit
table effect(roll: 1..6, side) -> Effect:
    | roll | Red  | Blue |
    | 1..4 | miss | miss |
    | 5..  | hit  | miss |
table chart(roll: 1..2) -> (loss: 0..3, flees: flag):
    | roll | loss | flees |
    | 1    | 0    | false |
    | 2    | 1    | true  |
define slow(s: Ship, less: 0..9) -> 0..9: larger(0, s.speed - less)
define doubled(n: 0..9) -> 0..18: 2 * n
define mine(side) -> 0..9: bid(side)
define both -> 0..18: bid(Red) + bid(Blue)
choice go by Red:
    decide
sequence play:
    set Ada.damage to 1
    choose go
"""


@pytest.fixture(scope="module")
def session() -> Session:
    """The rules, at their first decision."""
    made = compile_text(RULES, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert made.program is not None, made.findings
    return Game(made.program).start()


@pytest.mark.parametrize(
    ("name", "keys", "value"),
    [
        ("turn", (), 3),
        ("hits", ("Red",), 0),
        ("damage", ("Ada",), 1),
        ("damage", ("Fox",), 2),
        ("Ship.damage", ("Ada",), 1),
        ("speed", ("Bea",), 5),
        ("slow", ("Ada", 2), 3),
        ("doubled", (9,), 18),
        ("effect", (5, "Red"), "hit"),
        ("chart", (2,), {"loss": 1, "flees": True}),
        ("place", ("Ada",), None),
    ],
)
def test_anything_with_a_name_has_a_value(
    session: Session, name: str, keys: tuple[Any, ...], value: Any
) -> None:
    """As JSON; a field by its own name, of the kind that the key belongs to."""
    assert value == session.value(name, *keys)


def test_arguments_may_be_given_by_parameter(session: Session) -> None:
    """In any order, some of them by place."""
    assert 3 == session.value("slow", less=2, s="Ada") == session.value("slow", "Ada", less=2)


@pytest.mark.parametrize(
    ("name", "keys", "error", "message"),
    [
        ("damge", ("Ada",), UnknownName, "unknown name `damge`; did you mean `damage`?"),
        ("damage", (), ValueError, "`damage`: expected 1 key, found 0"),
        ("slow", ("Ada",), ValueError, "missing value for `less`, of type `0..9`"),
        ("slow", ("Ada", 1, 2), ValueError, "`slow`: expected 2 arguments, found 3"),
        ("slow", ("Fox", 1), ValueError, "`Fox` is none of `piece`"),
        ("effect", (7, "Red"), ValueError, "7 is no `1..6`"),
        ("chart", (3,), ValueError, "3 is no `1..2`"),
    ],
)
def test_mistakes_are_named(
    session: Session, name: str, keys: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    """With the nearest name, if there is one."""
    with pytest.raises(error) as raised:
        session.value(name, *keys)

    assert message in str(raised.value)


def test_a_state_is_looked_for_among_states(session: Session) -> None:
    """`state` reads fields by their own names too, and offers the nearest of them."""
    assert (1, 2) == (session.state("damage", "Ada"), session.state("damage", "Fox"))
    with pytest.raises(KeyError, match="unknown state `hitz`; did you mean `hits`"):
        session.state("hitz", "Red")


def test_names_list_what_can_be_read(session: Session) -> None:
    """Each with its parameters and its type; nothing that the compiler has made."""
    names = session.names

    assert "damage(Ship): 0..9 | damage(Port): 0..3" == names["damage"]
    assert "slow(s: Ship, less: 0..9): 0..9" == names["slow"]
    assert "effect(roll: 1..6, side: Side): Effect" == names["effect"]
    assert "turn: 1..9" == names["turn"]
    assert not [name for name in names if ":" in name or "'" in name or "." in name]


def test_a_side_reads_no_value_that_depends_on_what_is_hidden(session: Session) -> None:
    """What its own arguments make it read is its own."""
    red = session.view("Red")

    assert 4 == red.value("mine", "Red") == red.value("bid", "Red")
    assert [HIDDEN] * 3 == [red.value("mine", "Blue"), red.value("bid", "Blue"), red.value("both")]
    assert 3 == red.value("slow", "Ada", 2)


@pytest.mark.parametrize("name", ["vitp", "fcn", "pacwar"])
def test_every_definition_of_a_shipped_set_can_be_asked_for(name: str) -> None:
    """For the first value of each type of its parameters: a value, or an error with its reason."""
    session = rulekit.load(name).start(seed=1)
    program, naming = session.game.program, session.game.naming
    for function in program.functions:
        shown = function.name.removeprefix("table:")
        if shown in session.names:
            arguments = [first_of(param.type, naming) for param in function.params]
            try:
                session.value(shown, *arguments)
            except (Fault, ValueError) as error:
                assert str(error)


def first_of(kind: Any, naming: Any) -> Any:
    """Some value of a type as JSON."""
    kind = getattr(kind, "of", kind) if type(kind).__name__ == "Optional" else kind
    match type(kind).__name__:
        case "Member":
            known = naming.kinds.get(kind.name)
            members = -1 if known is None or known.domain != kind.domain else known.members
            return next(m for n, m in enumerate(naming.domains[kind.domain].members) if members >> n & 1)
        case "Int":
            return kind.low
        case "Flag":
            return True
        case "SetOf" | "ListOf":
            return []
        case _:
            return None
