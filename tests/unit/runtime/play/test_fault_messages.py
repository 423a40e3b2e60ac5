"""What a fault says names the rules' own things: the ship, the cup, both rules that disagree."""

from __future__ import annotations

from itertools import starmap

import pytest

from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.native.build import build as build_module
from rulekit.runtime.native.host import NativeGame
from rulekit.runtime.support.build import Build
from rulekit.testing import compile_text

MANIFEST = {"ruleset.yaml": 'id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\n'}
BUILDS = {
    "simulation": Build(),
    "told": Build(trace="operands", invariants=True),
    "covered": Build(coverage=True),
}

HEAD = """\
enum Side: Red, Blue
space Area:
    members North, South
piece Ship:
    members Alpha, Beta
    state damage: 0..3 = 2
    state sunk: flag
state n: 0..9 = 9
state moved(turn: 1..6, side: Side): 0..5
state night(turn: 1..6): flag
state order: list of Ship, at most 1
state held: set of Ship
calendar today from Jan 1942 to Mar 1942: Dec 1941 + n
state due: month = Feb 1942
cup bag of Ship
stack pile of Ship
table effect(roll: 1..6) -> 0..3:
    | roll | hits |
    | 1..6 | 1    |
extern table losses(roll: 1..9) -> 0..9:
    file "owner/losses.yaml"
define twice(k: 0..5) -> 0..10: k + k
define less -> 0..5: n - 2
procedure fire(guns: 0..5):
    set n to guns
procedure left -> 0..5:
    result n
choice go(ship) by Red:
    pick one area from Area
    forbid stays: ship is at area
    forbid area is South
choice ports by Red:
    assign each ship in Ship one area from Area
    forbid ship is Beta
choice escort by Red:
    pick exactly n ship from Ship
choice bid by Red:
    number from 0 to 20000
sequence play:
"""

SAID = {
    "add 1 to n": "`n` would be 10, outside 0..9",
    "add 2 to Beta.damage": "`damage` of `Beta` would be 4, outside 0..3",
    "add n to moved(3, Blue)": "`moved` of `3` and `Blue` would be 9, outside 0..5",
    "add Alpha to order; add Beta to order": "`order` cannot hold 2 things: at most 1",
    "put Ship on top of pile; draw 3 from pile as all; draw 1 from pile as one": (
        "cannot draw from a stack: it is empty"
    ),
    "set n to twice(n)": "`k` of `twice` would be 9, outside 0..5",
    "set n to effect(n)": "`roll` of `effect` would be 9, outside 1..6",
    "set n to losses(n)": ("`losses` needs owner data: the file `owner/losses.yaml` is missing"),
    "set n to less": "`less` would be 7, outside 0..5",
    "do fire(n)": "`guns` of `fire` would be 9, outside 0..5",
    "do left as rest; set n to rest": "the result of `left` would be 9, outside 0..5",
    "let few: 0..5 = n; set n to few": "`few` would be 9, outside 0..5",
    "set night(n) to true": "`turn` of `night` would be 9, outside 1..6",
    "set due to due + n": "`due` would be Nov 1942, outside Jan 1942 to Mar 1942",
    "choose escort as ships": "a number in the verb of `escort` would be 9, outside 0..2",
    "let ship = only(Ship); remove ship": "a set that should have one member has 2",
    "let ship = only(Ship at North); remove ship": "a set that should have one member has none",
    "draw 1 from bag as ship": "cannot draw from `bag`: it is empty",
    "draw 1 by lot from Ship at North as ship": "cannot draw at random from an empty set (`play.ship`)",
    "move Alpha to North; choose go(Alpha) as area": (
        "`go(Alpha)` has no legal answer: `stays`, `forbid_2` rule out every one"
    ),
    "choose ports as homes": "`ports` has no legal answer for `Beta`: `forbid_1` rules out every one",
    "choose bid as paid": "20,001 legal answers: at most 10,000",
    "repeat while n = 9, at most 5000 times: set n to 9": ("loop limit reached: 5,000 rounds"),
}
"""Statements, and what is said of the fault they end in."""

TOGETHER = {
    ("set n to 1 [3.1]", "set n to 2 [3.2]"): "`n` is set to two values",
    ("set n to 1 [3.1]", "take 2 from n [3.2]"): "`n` is both set and changed",
    ("take 2 from n [3.1]", "set n to 1 [3.2]"): "`n` is both set and changed",
    ("move Alpha to North [3.1]", "move Ship to South [3.2]"): "`Alpha` is moved to two places",
    ("mark Ship as sunk [3.1]", "unmark Beta as sunk [3.2]"): "`sunk` of `Beta` is both marked and unmarked",
    ("add Ship to held [3.1]", "take Alpha from held [3.2]"): "`held` has `Alpha` both added and removed",
    ("set night(2) to true [3.1]", "set night(2) to false [3.2]"): (
        "`night` of `2` is both marked and unmarked"
    ),
    ("add Alpha to order [3.1]", "set order to order [3.2]"): "`order` is both set and changed",
    ("set pile to pile [3.1]", "put Ship at North under pile [3.2]"): "`pile` is both set and changed",
}
"""Two statements of one moment, and what is wrong with them."""


def fault_of(text: str, build: Build) -> Fault:
    """The fault that playing a text ends in."""
    made = compile_text(text, MANIFEST)
    assert made.program is not None, made.findings
    with pytest.raises(Fault) as raised:
        run_direct(made.program, build=build)
    return raised.value


def lines(statements: str, depth: int = 1) -> str:
    """Statements parted by semicolons, each on its line."""
    return "".join(f"{'    ' * depth}{each.strip()}\n" for each in statements.split(";"))


def at_one_moment(first: str, last: str) -> str:
    """Rules in which two statements disagree; a third between them agrees with both."""
    return HEAD + "    together:\n" + lines("; ".join((first, "add 0 to Alpha.damage", last)), 2)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize(("statements", "said"), SAID.items())
def test_message(statements: str, said: str, build: str) -> None:
    """In all ways to build, the fault says the same."""
    assert said == fault_of(HEAD + lines(statements), BUILDS[build]).message


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize(("pair", "said"), TOGETHER.items())
def test_both_rules_that_disagree_are_named(pair: tuple[str, str], said: str, build: str) -> None:
    """With what they cite; a change that agrees with both, and stands between them, is not to blame."""
    message = fault_of(at_one_moment(*pair), BUILDS[build]).message

    assert f"{said} at once, by `play` [TEXT.3.1] and by `play` [TEXT.3.2]" == message


@pytest.mark.parametrize("text", [*(HEAD + lines(each) for each in SAID), *starmap(at_one_moment, TOGETHER)])
def test_a_module_says_the_same(text: str) -> None:
    """Name, site and message of a fault are those of Python."""
    made = compile_text(text, MANIFEST)
    assert made.program is not None
    with pytest.raises(Fault) as raised:
        NativeGame(build_module(made.program)).play()

    expected = fault_of(text, Build())
    assert (expected.name, expected.site, expected.message) == (
        raised.value.name,
        raised.value.site,
        raised.value.message,
    )


def test_a_broken_promise_is_told_where_it_was_broken() -> None:
    """The statement, with what it cites; the promise is named."""
    text = HEAD.replace("sequence play:", "invariant few: n < 5\nsequence play:")
    fault = fault_of(text + "    set n to 1\n    set n to 7 [4.2]\n", BUILDS["told"])

    assert "`few` does not hold" == fault.message
    assert fault.site is not None
    assert ("TEXT.4.2",) == fault.site.rules


def test_a_promise_that_set_up_breaks_is_told_where_it_stands() -> None:
    """No statement of the sequence has broken it."""
    text = (
        "state n: 0..9\ninvariant few: n < 5\nscenario s:\n    set n to 7\nsequence play:\n    set n to 1\n"
    )
    fault = fault_of(text, BUILDS["told"])

    assert fault.site is not None
    assert 2 == fault.site.line


@pytest.mark.parametrize("build", BUILDS)
def test_events_without_an_end(build: str) -> None:
    """Two events of which each brings about the other: told at the first of them."""
    text = (
        "state red: flag\nstate blue: flag\n"
        "event attack as soon as red:\n    set red to false\n    set blue to true\n"
        "event counter as soon as blue:\n    set blue to false\n    set red to true\n"
        "sequence play:\n    set red to true\n"
    )

    fault = fault_of(text, BUILDS[build])

    assert ("endless-loop", "loop limit reached: 1,000 rounds") == (
        fault.name,
        fault.message,
    )
    assert fault.site is not None
    assert "attack" == fault.site.owner
