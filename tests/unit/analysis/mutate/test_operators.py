"""What each operator changes, and into what."""

from __future__ import annotations

import pytest

from rulekit.analysis.mutate import OPERATORS
from tests.unit.analysis.mutate.helpers import changes, of_text

SHIPS = """piece Ship:
    members Alpha, Beta
    armor: 0..9 = 3
    state damage: 0..20
    state struck: flag
"""


def test_an_edge_is_off_by_one_and_a_comparison_turned() -> None:
    """Each order has a neighbour and an opposite; equality only the opposite."""
    text = SHIPS + "define sunk(s: Ship) -> flag: s.damage > s.armor or s.damage = 9\n"

    assert [
        ("s.damage > s.armor", "s.damage >= s.armor"),
        ("s.damage > s.armor", "s.damage < s.armor"),
        ("s.damage = 9", "not (s.damage = 9)"),
    ] == changes(text, "comparisons")


def test_predicates_and_quantifiers_turn() -> None:
    """`is` and `in` are denied; one quantifier stands for another."""
    text = SHIPS + (
        "define hit(s: Ship) -> flag: s is struck\n"
        "define odd(s: Ship) -> flag: s in {Alpha}\n"
        "define all_hit -> flag: every s in Ship is struck\n"
        "define none_hit -> flag: no s in Ship has s.damage > 0\n"
    )

    found = changes(text, "comparisons")

    assert ("s is struck", "not (s is struck)") in found
    assert ("s in {Alpha}", "not (s in {Alpha})") in found
    assert ("every s in Ship is struck", "some s in Ship is struck") in found
    assert ("no s in Ship has s.damage > 0", "some s in Ship has s.damage > 0") in found


def test_numbers_go_up_and_down() -> None:
    """Everywhere but in types: what a value may be is no rule of play."""
    text = "state turn: 1..9 = 1\ndefine late -> 0..20: turn + 7\n"

    assert [("7", "8"), ("7", "6")] == changes(text, "numbers")


def test_a_number_below_nought_has_its_sign() -> None:
    """Nought less one is minus one."""
    assert ("0", "-1") in changes("define start -> -5..5: 0\n", "numbers")


def test_months_move() -> None:
    """Both ends of a stretch of time, but never past one another."""
    text = (
        "state month: month = Dec 1941\n"
        "calendar today from Dec 1941 to Dec 1945: month\n"
        "value range -> 0..9:\n"
        "    until May 1942: 2\n"
        "    from Jun 1942: 3\n"
    )

    found = [now for _, now in changes(text, "numbers")]

    assert {"until Jun 1942", "until Apr 1942", "from Jul 1942", "from May 1942"} <= set(found)


def test_dice_are_more_and_fewer_and_lose_a_side() -> None:
    """A point of chance rolls other dice."""
    text = "roll fire: 2d6\nprocedure shoot:\n    roll fire as die\n"

    assert [("fire", "fire: 3d6"), ("fire", "fire: d6"), ("fire", "fire: 2d5")] == changes(text, "numbers")


def test_cells_and_borders_of_a_table_change() -> None:
    """Numbers by one, names to what the next row has, and the border between two rows moves both ways."""
    text = """enum Result: no_effect, hit
table effect(roll: 1..6) -> Result:
    | roll | result |
    | 1..4 | -      |
    | 5..6 | hit    |
table strength(roll: 1..6) -> 0..9:
    | roll | strength |
    | 1..3 | 2        |
    | 4..6 | 5        |
"""
    assert [
        ("1..4", "1..3"),
        ("1..4", "1..5"),
        ("-", "hit"),
        ("hit", "-"),
        ("1..3", "1..2"),
        ("1..3", "1..4"),
        ("2", "3"),
        ("2", "1"),
        ("5", "6"),
        ("5", "4"),
    ] == changes(text, "tables")


def test_parts_of_cells_and_shifts_change() -> None:
    """Each number of a cell changes by one, borders with hyphens move, and left becomes right."""
    text = """table crt(odds: ratio, roll: 1..4) -> (attacker: 0..9, defender: 0..9):
    | roll | 1:1 | 2:1 |
    | 1-2  | 1/2 | -   |
    | 3-4  | 1/2 | -   |
modifier guns on table crt: 1 column left
"""
    cells = [("1/2", "2/2"), ("1/2", "0/2"), ("1/2", "1/3"), ("1/2", "1/1")]
    assert [("1-2", "1"), ("1-2", "1..3"), *cells, *cells] == changes(text, "tables")
    assert ("modifier guns on table crt: 1 column left", "modifier guns on table crt: 1 column right") in [
        *changes(text, "signs")
    ]


def test_signs_turn() -> None:
    """Plus and minus, more and less, up and down, the highest and the lowest."""
    text = SHIPS + (
        "define left(s: Ship) -> -99..99: larger(0, s.armor - s.damage) / 2 rounded down\n"
        "define most -> 0..20: (highest damage in Ship otherwise 0)\n"
        "procedure hurt(s: Ship):\n    add 1 to s.damage\n"
    )

    found = changes(text, "signs")

    assert ("s.armor - s.damage", "s.armor + s.damage") in found
    assert ("larger(0, s.armor - s.damage)", "smaller(0, s.armor - s.damage)") in found
    assert ("highest damage in Ship", "lowest damage in Ship") in found
    assert ("add 1 to s.damage", "take 1 from s.damage") in found
    assert any(now.endswith("rounded up") for _, now in found)


def test_a_condition_loses_a_part() -> None:
    """`and` and `or` change places, and each part stands alone."""
    text = SHIPS + "define hurt(s: Ship) -> flag: s is struck and not (s.damage = 0)\n"

    assert [
        ("s is struck and not (s.damage = 0)", "s is struck or not (s.damage = 0)"),
        ("s is struck and not (s.damage = 0)", "s is struck"),
        ("s is struck and not (s.damage = 0)", "not (s.damage = 0)"),
        ("not (s.damage = 0)", "s.damage = 0"),
    ] == changes(text, "logic")


def test_a_plain_condition_is_denied() -> None:
    """A flag that is a whole condition has nothing to turn but itself."""
    text = "state night: flag\nstate turn: 0..9\nprocedure go:\n    when night: set turn to 1\n"

    assert [("night", "not (night)")] == changes(text, "logic")


RULES = (
    SHIPS
    + """state turn: 1..8 = 1
roll fire(s: Ship): d6
modifier close on roll fire: +1 when turn = 1 unless s is struck
choice aim(side) by side:
    pick one s from Ship
    forbid hit: s is struck when turn > 2
    forbid s is Alpha
procedure shoot(side):
    choose aim(side) as s
    roll fire(s) as die
    when die > 3: mark s as struck
define worth(s: Ship) -> 0..9:
    when s is struck: 0
    otherwise: 3
"""
)


def test_what_may_be_left_out() -> None:
    """Clauses, exceptions, norms, modifiers and cases."""
    assert ["when turn = 1", "when turn > 2", "when s is struck: 0"] == [
        was for was, _ in changes(RULES, "clauses")
    ]
    assert [("unless s is struck", "(left out)")] == changes(RULES, "exceptions")
    assert 2 == len(changes(RULES, "norms"))
    assert 1 == len(changes(RULES, "modifiers"))


def test_who_decides_and_whether_he_must() -> None:
    """The other side is asked; what must be answered may be left."""
    assert [("side", "other(side)"), ("pick one s from Ship", "(or none)")] == changes(RULES, "deciders")


def test_what_happens_is_left_out_or_comes_later() -> None:
    """A statement is left out unless what it gives is needed; steps and procedures change places."""
    text = """state turn: 0..9
state moved: 0..9
procedure one:
    set turn to 1
procedure two:
    set moved to 2
sequence play:
    step first: do one
    step second: do two
"""
    assert [
        ("set turn to 1", "(left out)"),
        ("set moved to 2", "(left out)"),
        ("step first: do one", "(left out)"),
        ("step first: do one", "(after step second)"),
        ("do one", "(left out)"),
        ("step second: do two", "(left out)"),
        ("do two", "(left out)"),
    ] == changes(text, "steps")


def test_an_exception_loses_what_it_does_and_what_it_waits_for() -> None:
    """Each amendment is left out, and each condition it is in force under."""
    text = (
        RULES
        + """exception first_turn:
    in force while turn = 1
    redefine define worth: 1
"""
    )
    found = changes(text, "exceptions")

    assert ("turn = 1", "(always in force)") in found
    assert 3 == len(found)


@pytest.mark.parametrize("operator", OPERATORS)
def test_no_number_in_a_type_and_no_oracle_is_changed(operator: str) -> None:
    """Invariants, examples and claims are what changes are held against."""
    text = SHIPS + (
        "invariant afloat: every s in Ship has s.damage < 20\n"
        "claim two: count of Ship = 2\n"
        'example "all is well":\n    then Alpha.damage = 0\n'
    )
    assert [] == changes(text, operator)


def test_an_id_is_of_the_item_alone() -> None:
    """What is written before an item changes no id in it."""
    ids = [each.id for each in of_text(RULES) if each.owner == "procedure shoot"]
    later = [each.id for each in of_text("state extra: 0..9 = 3\n" + RULES)]

    assert ids and set(ids) <= set(later)
    assert len(later) == len(set(later))
