"""Examples answer what a game would ask, and no more."""

from __future__ import annotations

from rulekit.runtime.play.examples import Examples
from rulekit.testing import compile_text

PICKS = """
enum Side: Red, Blue
piece Ship:
    members Alpha, Beta, Gamma
    state hit: flag
state wanted: 0..3 = 2
choice two(side, left: set of Ship) by side:
    pick exactly most ship from left
    let most = wanted
procedure hurt(left: set of Ship):
    choose two(Red, left) as both
    for each s in both: mark s as hit
example "all that are left":
    when do hurt({Alpha, Beta})
    then Alpha is hit and Beta is hit
example "all that are left, and said so":
    when do hurt({Alpha, Beta})
    answers two: Alpha, Beta
    then Alpha is hit and Beta is hit
example "all that are left behind the first":
    when do hurt(Ship)
    answers two: Alpha, Gamma
    then Alpha is hit and Beta is not hit
example "a choice that is open":
    when do hurt(Ship)
    then Alpha is hit
"""


def test_what_must_be_picked_needs_no_answer() -> None:
    """Where a pick takes all that are left an example may answer or not; where it is open it must."""
    made = compile_text(PICKS)
    assert made.program is not None, made.findings
    found = Examples(made.program).all()
    assert [True, True, True, False] == [each.passed for each in found], [each.reason for each in found]
    assert "the example gives no answer" in found[3].reason


SETS = """
enum Side: Red, Blue
enum Area: North, South, East
enum Fleet: First, Second
choice raids by Red:
    assign each fleet in Fleet some area from Area - {East}
choice bases by Red:
    pick any base from Area
procedure raid:
    choose raids as aim
procedure base:
    choose bases as built
example "South, and what else?":
    when do raid
    answers raids: First -> South
    then true
example "built at North, and where else?":
    when do base
    answers bases: North
    then true
example "nobody raids the East":
    when do raid
    answers raids: First -> East
    then true
"""


def test_a_set_needs_its_end_and_a_refusal_names_what_is_legal() -> None:
    """The reason says how to end the set, and what might be answered where no rule forbids the answer."""
    made = compile_text(SETS)
    assert made.program is not None, made.findings
    open_map, open_set, refused = (each.reason for each in Examples(made.program).all())
    assert "asked for First, but the example gives no answer; `First -> done` ends it" in open_map
    assert "is asked, but the example gives no answer; `done` ends it" in open_set
    assert "the answer East to `raids` is refused; legal: North, South" in refused


SIDES = """
enum Side: Red, Blue
choice wish(side) by side:
    decide
procedure ask:
    choose wish(Red) as red
    choose wish(Blue) as blue
example "who is asked first":
    when do ask
    answers wish by Red: true
    answers wish by Blue: false
    then true
example "who is not":
    when do ask
    answers wish by Blue: true
    answers wish by Red: false
    then true
example "nothing is said of it":
    when do ask
    answers wish: true, false
    then true
"""


def test_an_answer_may_say_whose_it_is() -> None:
    """Then that side must be asked; where nothing is said whoever is asked gives it."""
    made = compile_text(SIDES)
    assert made.program is not None, made.findings

    first, second, third = Examples(made.program).all()

    assert first.passed and third.passed
    assert "`wish` is asked of Red, and answered by Blue" == second.reason


BROKEN = """
state gold: 0..9 = 5
state debt: 0..9
invariant rich: gold > 3
invariant sober: debt = 0
procedure borrow:
    together:
        take 4 from gold
        add 4 to gold
    add 1 to debt
example "not in a block that ends well":
    when do borrow
    then breaks rich
example "the other":
    when do borrow
    then breaks sober
example "a fault is none":
    when take 9 from gold
    then breaks sober
"""


def test_only_the_promise_that_is_named_is_tested() -> None:
    """A block is one change; what else goes wrong fails the example."""
    made = compile_text(BROKEN)
    assert made.program is not None, made.findings

    block, other, fault = Examples(made.program).all()

    assert "`rich` is expected to be broken, and was not" == block.reason
    assert other.passed
    assert fault.reason.startswith("a fault: ") and "out-of-range" in fault.reason


ASKED = """
enum Side: Red, Blue
roll luck: d6
choice sail(side) by side:
    decide
procedure move:
    choose sail(Red) as sailing
    when sailing: roll luck as thrown
    choose sail(Blue) as other_sailing
example "of another side":
    when do move
    answers sail: false
    then asks sail by Red
example "with a die too many":
    when do move
    answers sail: true
    dice luck: 1, 2
    then asks sail
example "not asked any more":
    when do move
    answers sail: false, false
    then asks sail
"""


def test_what_is_asked_in_the_end() -> None:
    """Of the side that is said, with nothing left over, and before all is over."""
    made = compile_text(ASKED)
    assert made.program is not None, made.findings

    side, dice, over = Examples(made.program).all()

    assert "`sail` is asked of Blue, and said to be asked of Red" == side.reason
    assert "`luck` rolls 1 die, but the example gives 2" == dice.reason
    assert "`sail` is expected to be asked at the end, and was not" == over.reason
