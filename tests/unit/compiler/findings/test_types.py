"""Findings about types, numbers and results: what is told, where, and how to mend it."""

from __future__ import annotations

import pytest

from tests.unit.compiler.findings.cases import Case

NOBODY = """
piece Ship:
    members Alpha, Beta
procedure scout:
    let seen = {}                               #! RK313 "cannot infer the type of this value"
    let first_one = none                        #! RK313
    add Alpha to seen
define nobody: {}                               #! RK313
define leader: none                             #! RK313
define crew -> 0..9: count of nobody
choice pick_one(side: Ship) by Ship:            #! RK310
    pick one s from Ship
    let left = {}                               #! RK313
"""
ENDS = """
state fuel: 0..9
procedure plain -> 0..9:                        #! RK320 "`plain` declares a result"
    add 1 to fuel
procedure once -> 0..9:                         #! RK320
    when fuel > 3: result 1
procedure loops -> 0..9:                        #! RK320
    repeat while fuel > 3: result 1
procedure walks -> 0..9:                        #! RK320
    step one for each n in {1, 2}: result n
procedure sound -> 0..9:
    when fuel > 3: result 1
    otherwise: finish
"""
NUMBERS = """
state fuel: 0..9
state low: 3..5
track lead: 0..9
procedure p(n: 3..4):
    set fuel to 12                              #! RK316 "12 is outside 0..9"
    add 12 to fuel                              #! RK316 "with 12 added, this is always outside 0..9"
    take 12 from fuel                           #! RK316 "with 12 subtracted, this is always outside 0..9"
    add n to low                                #! RK316 "with 3..4 added, this is always outside 3..5"
    set low to n + 4                            #! RK316 "7..8 is outside 3..5"
    add 9 to fuel
    take 2 from low
    add 12 to lead
    let left: 0..9 = fuel
    add 12 to left                              #! RK316
"""
KEPT = """
roll fire: d6
state fuel: 0..9
procedure p(n: 0..9):
    let left = 3
    take 1 from left                            #! RK317 "cannot change `left`"
    take 1 from n                               #! RK317
    roll fire as shot
    add 1 to shot                               #! RK317
    for each k in {1, 2}: set k to 2            #! RK317
"""
CASES = (
    Case(
        "`{}` and `none` of no type",
        NOBODY,
        (
            "`let seen: set of KIND = {}`",
            "`let first_one: KIND or none = none`",
            "`define nobody -> set of KIND: {}`",
            "`define leader -> KIND or none: none`",
            "",
            "write the value",
        ),
    ),
    Case(
        "a declared result on every way",
        ENDS,
        ("end every path", "`otherwise: result EXPRESSION`", "after the loop", "after the loop"),
    ),
    Case(
        "numbers out of reach",
        NUMBERS,
        (
            "widen the range",
            "or `set` it",
            "or `set` it",
            "or `set` it",
            "change the number",
            "change the number",
        ),
    ),
    Case(
        "what keeps its value",
        KEPT,
        ("`let left: TYPE = ...`", "`let NAME: 0..9 = n`", "`let NAME: 1..6 = shot`", "`let NAME: 1..2 = k`"),
    ),
    Case(
        "a number as a condition, and a division by 0",
        """
state fuel: 0..9
state held(n: 0..9): 0..9
define third(n: 0..9) -> 0..9: 9 / n rounded down       #! RK310
procedure p(n: 0..9):
    when fuel: say "x"                          #! RK310
    when n: say "x"                             #! RK310
    when held(n): say "x"                       #! RK310
""",
        ("`larger(.., 1)`", "`fuel > 0`", "`n > 0`", "`.. > 0`"),
    ),
    Case(
        "a filter that takes too little",
        """
enum Side: Red, Blue
define many: count of Side where it is Red      #! RK310 "expected a set, found `0..2`"
define any_one: some s in Side where it is Red  #! RK310 "expected a set, found `flag`"
""",
        ("`count of (S where ..)`", "add parentheses"),
    ),
    Case(
        "beginnings",
        """
state fuel: 0..9 = stock                        #! RK322 "definitions and tables cannot be used here"
state rest_of_it: 0..9 = fuel                   #! RK322 "this value is known only in play"
define stock: 4
""",
        ("write the value itself", "numbers, names and fixed fields"),
    ),
    Case(
        "what is given in an example",
        """
space Area:
    members North
piece Ship:
    members Alpha, Beta
state alarm: flag
state fuel: 0..9
example "a flag among pieces":
    given alarm, Alpha at North                 #! RK310 "`flag` has no place"
    then true
example "a number at a place":
    given fuel at North                         #! RK310 "`0..9` has no place"
    then true
example "a piece without a place":
    given Alpha                                 #! RK340 "missing place"
    then true
example "pieces, sets of them, and values":
    given Alpha, Ship at North, alarm = true, fuel = 3
    then Alpha is at North
""",
        ("`given alarm = true`", "`given fuel = VALUE`", "`given PIECE at PLACE`"),
    ),
    Case(
        "dates without a calendar are told at the first",
        """
value range -> 0..40:
    until May 1942: 20                          #! RK318
    from Jun 1942: 22
    from Jun 1943: 24
""",
        ("`calendar today",),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_finding(case: Case) -> None:
    """What is marked is told, and nothing else."""
    case.holds()


def test_a_missing_result_shows_the_end() -> None:
    """The last line, behind which nothing gives one; the finding stands at the procedure's name."""
    text = "state fuel: 0..9\nprocedure burn -> 0..9:\n    take 1 from fuel\n    when fuel > 3: result 1\n"
    (found,) = Case("", text).found()

    assert "rules.rules:2:11" == str(found.span)
    assert ["rules.rules:4:5"] == [str(label.span) for label in found.labels]
