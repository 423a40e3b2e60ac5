"""One mistake is one finding: what follows from it is not told again."""

from __future__ import annotations

import pytest

from tests.unit.compiler.findings.cases import Case

CASES = (
    Case(
        "a line that lost its indentation",
        """
state fuel: 0..9
procedure burn:
    when fuel > 0:                              #! RK111 "indented block"
    take 1 from fuel
    say "x"
procedure rest_of_it:
    for each n in {1, 2}:                       # in their order #! RK111

    # the line below stands too far to the left
    add 1 to fuel
""",
        ("indent the lines that belong to it", "indent the lines that belong to it"),
    ),
    Case(
        "a header with nothing below it at all",
        """
state fuel: 0..9
procedure burn:
    take 1 from fuel
    when fuel > 0:                              #! RK111
""",
        ("or remove the `:`",),
    ),
    Case(
        "a row with too many cells leaves no gap",
        """
table t(roll: 1..6) -> 0..9:
    | roll | result |
    | 1..3 | 1 | 2  |                           #! RK330 "3 cells"
    | 4..6 | 2      |
""",
        ("",),
    ),
    Case(
        "neither does a row with a key out of range, nor one without its kind",
        """
enum Target: Ship, Plane
table t(roll: 1..6, target: Target) -> 0..9:
    | roll | target | result |
    | 1..7 | Ship   | 1      |                  #! RK330 "outside 1..6, the values of `roll`"
    | 1..6 | Plain  | 1      |                  #! RK210
""",
        ("", "did you mean `Plane`?"),
    ),
    Case(
        "a misspelt heading of a table",
        """
enum Kind: Ship, Plane, Convoy
table by_kind(roll: 1..6, kind) -> 0..3:
    | roll | Ship | Plain | Convoy |    #! RK330 "heads neither"
    | -    | 1    | 2     | 3      |
table by_roll(roll: 1..6, kind) -> 0..3:
    | kin  | 1..3 | 4..6 |              #! RK330 "heads neither"
    | Ship | 1    | 2    |
table losses(roll: 1..6, kind) -> (ships: 0..3, planes: 0..3):
    | roll | kin  | ships | planes |
    | -    | Ship | 1     | 2      |    #! RK330 "3 results"
table far(roll: 1..6, kind) -> 0..3:
    | roll | Ship | Xyz |               #! RK330 "heads neither"
    | -    | 1    | 2   |
""",
        ("did you mean `Plane`?", "did you mean `kind`?", "did you mean `kind`?", ""),
    ),
    Case(
        "a type that nothing declares",
        """
enum Side: Red, Blue
state leader: Sied or none                      #! RK203
state seen: set of Sied                         #! RK203
state first_one: Sied = Red                     #! RK203
define next_one -> Sied: first_one              #! RK203
define rank(who: Sied) -> 0..9: 3               #! RK203
procedure p:
    let other_one: Sied = Red                   #! RK203
    set leader to Red
    set first_one to other_one
    when other_one is Red and rank(Red) > 3: say "x"
    when next_one is Red: say "x"
""",
        ("did you mean `Side`?",) * 6,
    ),
    Case(
        "a definition with a fault",
        """
define range: fule + 1                          #! RK210
define twice: 2 * range
procedure p:
    when range is empty: say "x"
    let far = range
    add far to far
""",
        ("",),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_mistake_is_one_finding(case: Case) -> None:
    """Only the line with the mistake has a finding."""
    case.holds()
