"""What beginners type: the hint of the one finding, written in place of the slip, mends the line."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from rulekit.diagnostics import Diagnostic, Severity
from rulekit.testing import compile_text

MANIFEST = {"ruleset.yaml": 'id: text\ntitle: Text\nlanguage: "0.2"\nsides: Side\n'}
RULES = """\
enum Side: Red, Blue
space Area:
    members North, South
    borders: set of Area = Area - {it}
piece Ship:
    members Alpha, Beta, Gamma
    state damage: 0..9
state wounds(side): 0..3
state n: 0..9
state left: flag
state flagship: Ship or none
state fleet: list of Ship, at most 3
track held: 0..60
roll strike(side): d6
choice aim(side) by side:
    pick one t from fleet
procedure wound(side, k: 1..2):
    add k to n
procedure tally(side) -> 0..9:
    result n
procedure p(side: Side, s: Ship):
"""


@dataclass(frozen=True)
class Slip:
    """A line, and the part of it that a text in the hint mends; an empty part is the whole line.

    `outside` is the number of the text that belongs before the procedure, where there is one.
    """

    line: str
    wrong: str = ""
    text: int = 0
    outside: int | None = None


SLIPS = (
    Slip("when n => 3: leave_it(n)", "=>"),
    Slip("when n =< 3: leave_it(n)", "=<"),
    Slip("when n = 1 && n = 2: leave_it(n)", "&&"),
    Slip("when n = 1 || n = 2: leave_it(n)", "||"),
    Slip("when !left: leave_it(n)", "!left"),
    Slip("set n to n % 3", "%"),
    Slip("set damage of s to 2", "damage of s"),
    Slip("add 1 to damage of s", "damage of s"),
    Slip("add damage of s to n", "damage of s"),
    Slip("add 1 to wounds of side", "wounds of side", 1),
    Slip("when wounds of side > 2: leave_it(n)", "wounds of side", 1),
    Slip("set n to number of Ship", "number of Ship"),
    Slip("when s in Alpha, Beta: leave_it(n)", "in Alpha, Beta"),
    Slip("when s in Alpha, Beta or Gamma: leave_it(n)", "in Alpha, Beta or Gamma"),
    Slip("when s is not Alpha, Beta: leave_it(n)", "is not Alpha, Beta"),
    Slip("when n = 1, 2: leave_it(n)", "= 1, 2"),
    Slip("let few: list of Ship = {}", "list of Ship"),
    Slip("when s within 2 of North by borders: leave_it(n)", "s within 2 of North by borders"),
    Slip("for each t in Ship by lot: leave_it(n)", " by lot"),
    Slip("for each t in Ship, by highest its damage, ties by lot: leave_it(n)", ", ties by lot", 1),
    Slip("for each t in Ship, by highest damage: leave_it(n)", "damage"),
    Slip("let worst = Ship with highest damage", "damage"),
    Slip("let beside = join t.borders for t in Area", "join t.borders for t in Area"),
    Slip("let before = map t.damage for t in Ship", "map t.damage for t in Ship"),
    Slip("let beside = union of t.borders for t in Area", "union of t.borders"),
    Slip("for each t in Alpha, Beta: leave_it(n)", "in Alpha, Beta"),
    Slip("let two = Alpha, Beta", "= Alpha, Beta"),
    Slip("for i in 1..3: add i to held", "for i in 1..3:"),
    Slip("for t in Ship: leave_it(n)", "for t in Ship:"),
    Slip("for all t in Ship: leave_it(n)", "for all t in Ship:"),
    Slip("foreach t in Ship: leave_it(n)", "foreach t in Ship:"),
    Slip("n++"),
    Slip("n--"),
    Slip("increase n by 1"),
    Slip("decrease n by 1"),
    Slip("reduce n"),
    Slip("subtract 1 from n"),
    Slip("remove 1 from n"),
    Slip("add n by 1"),
    Slip("add n 1"),
    Slip("set n by 3"),
    Slip("set n := 3"),
    Slip("set n larger(1, 2)"),
    Slip("move s into North"),
    Slip("let x := 3"),
    Slip("let x be 3"),
    Slip("let x 3"),
    Slip("wound(side, 2)"),
    Slip("call wound(side, 2)"),
    Slip("tally(side) as x"),
    Slip("set n to n + 1 // a note", "//"),
    Slip("when s not Alpha: leave_it(n)", "not Alpha"),
    Slip("let x = n > 2 ? 1 : 2", "n > 2 ? 1 : 2"),
    Slip("set n to (1 when left otherwise 2 when n = 2 otherwise 3)", "otherwise 2 when n = 2 otherwise 3"),
    Slip("when n >= 3 and <= 5: leave_it(n)", "and <= 5"),
    Slip("when n is 3 or 4: leave_it(n)", "or 4"),
    Slip("when s is Alpha or Beta: leave_it(n)", "or Beta"),
    Slip("when side is Red or is Blue: leave_it(n)", "or is Blue"),
    Slip("when count(Ship) > 2: leave_it(n)", "count(Ship)"),
    Slip("when count(Ship where it is Alpha) > 2: leave_it(n)", "count(Ship where it is Alpha)"),
    Slip("let x = 3.5", "3.5", 0),
    Slip("set n to 3.5", "3.5", 1),
    Slip('set n to "3"', '"3"'),
    Slip("when flagship is not None: leave_it(n)", "None"),
    Slip("set flagship to null", "null"),
    Slip("when left is True: leave_it(n)", "True"),
    Slip("var x = 3"),
    Slip("int x = n + 1"),
    Slip("destroy s"),
    Slip("until n = 3: add 1 to n", "until n = 3: add 1 to n"),
    Slip("for each Ship t: leave_it(n)", "for each Ship t:"),
    Slip("for each ship: leave_it(n)", "for each ship:"),
    Slip("for each t in Ship do: leave_it(n)"),
    Slip("do wound side 2"),
    Slip("add 1 to n when n = 2"),
    Slip("add 1 to n if n = 2"),
    Slip("set n to 3 unless n = 2 and left"),
    Slip("say hello to all"),
    Slip("move all Ship to North", "all Ship"),
    Slip("let x = roll d6", "let x = roll d6", 1, outside=0),
    Slip("let x: list of Ship up to 3 = fleet", "list of Ship up to 3"),
    Slip("when n = 3 add 1 to n"),
    Slip("when not n = 3 then add 1 to n"),
    Slip("when n = 3 and not left then: add 1 to n"),
    Slip("roll d6 as x", "roll d6", 1, outside=0),
    Slip("roll 2d6 as x", "roll 2d6", 1, outside=0),
)


def errors(line: str, before: str = "") -> list[Diagnostic]:
    """What the check says of the set with this line; `leave_it(n)` stands for any statement."""
    text = before + RULES + "    " + line.replace("leave_it(n)", "add 1 to n") + "\n"
    return [
        finding
        for finding in compile_text(text, MANIFEST).findings
        if finding.kind.severity is Severity.ERROR
    ]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.line)
def test_the_hint_followed_mends_the_line(slip: Slip) -> None:
    """One finding at the slip; what its hint says to write leaves no error."""
    (finding,) = errors(slip.line)
    texts = re.findall(r"`([^`]+)`", finding.hint or "")
    before = "" if slip.outside is None else texts[slip.outside] + "\n"
    mended = slip.line.replace(slip.wrong or slip.line, texts[slip.text])

    assert mended != slip.line
    assert [] == errors(mended, before)


def test_dice_no_roll_has_been_declared_for() -> None:
    """A roll of bare dice is declared, then rolled by its name."""
    (finding,) = errors("roll 2d6 as x")

    assert (
        "declare the roll outside, `roll cast: 2d6`, and write `roll cast` in place of `roll 2d6`"
        == finding.hint
    )


def test_a_kind_is_no_choice() -> None:
    """The hint of `choose KIND` gives the choice's head and its verb."""
    (finding,) = errors("choose Ship as t")
    head, verb, use = re.findall(r"`([^`]+)`", finding.hint or "")
    declared = f"{head.replace('SIDE', 'Red')}\n    {verb}\n"

    assert [] == errors(f"{use} as t", declared)


@pytest.mark.parametrize("condition", ["s is sunk", "sunk(s)", "every t in Ship is sunk"])
def test_a_word_that_nothing_defines(condition: str) -> None:
    """The hint has the first line of its definition."""
    (finding,) = errors(f"when {condition}: leave_it(n)")
    (head,) = re.findall(r"`([^`]+)`", finding.hint or "")

    assert "define sunk(s: Ship):" == head
    assert [] == errors(f"when {condition}: leave_it(n)", f"{head} s.damage > 3\n")


def test_a_printed_name_has_members_near_it() -> None:
    """Members of the type expected, the nearest first."""
    (finding,) = errors("when s in {'1st ALP', Beta}: leave_it(n)")

    assert "write a member, such as `Alpha`, `Beta`, `Gamma`" == finding.hint


def test_a_misspelt_word_stays_one() -> None:
    """A word alone on its line that looks like a keyword is that keyword, not a procedure."""
    (finding,) = errors("shufle")

    assert "did you mean `shuffle`?" == finding.hint


@pytest.mark.parametrize("declared", ["state few: list of Ship", "define few -> list of Ship: {}"])
def test_a_list_without_its_bound(declared: str) -> None:
    """The hint has the type with a bound, also where the line ends after the type."""
    (finding,) = errors("leave_it(n)", f"{declared}\n")
    (bounded,) = re.findall(r"`([^`]+)`", finding.hint or "")

    assert "list of Ship, at most 9" == bounded
    assert [] == errors("leave_it(n)", declared.replace("list of Ship", bounded) + "\n")


def test_lines_of_a_board() -> None:
    """The lines of a board are no members: their header has a comma."""
    board = "space Square, squares in columns a..c, rows 3..1\n"
    (finding,) = errors("leave_it(n)", board + "enum Three: lines of 3 in Square\n")
    (header,) = re.findall(r"`([^`]+)`", finding.hint or "")

    assert [] == errors("leave_it(n)", f"{board}{header}\n")


@pytest.mark.parametrize(
    ("declared", "hint"),
    [
        ("kind Unit is Ship, Area", "write `or` between the kinds, and no comma"),
        ("state hand(side): set of Ship, known to side, count", "write `counted`"),
        (
            "table crt(odds: ratio) -> 0..3:\n    | 1-1 | 3-1+ |\n    | 1 | 2 |",
            "odds beyond the last column count as that one: write `3-1`",
        ),
        (
            "table near(n: 1..2) -> set of 1..2:\n    | n | near |\n    | 1.. | {1, 2} |",
            "write `({1, 2})`",
        ),
        (
            "table crt(n: 1..2) -> (ours: 0..3, theirs: 0..3):\n    | 1 | 2 |\n    | 1/0* | 0/2 |\n"
            "    note *: 0/0 when true",
            "a mark stands for the part before it: give the value of that part alone",
        ),
    ],
)
def test_declarations_as_booklets_have_them(declared: str, hint: str) -> None:
    """Signs that the language writes in another way, or leaves out."""
    (finding,) = errors("leave_it(n)", f"{declared}\n")

    assert hint == finding.hint


@pytest.mark.parametrize("verb", ["number from 1 to 6", "decide", "arrange Ship as t"])
def test_a_verb_that_is_always_answered(verb: str) -> None:
    """What is to be left out is what is wrong."""
    (finding,) = errors("leave_it(n)", f"choice go by Red:\n    {verb}, if able\n")

    assert (finding.hint or "").endswith("leave out `, if able`")
    assert [] == errors("leave_it(n)", f"choice go by Red:\n    {verb}\n")


def test_a_field_that_one_part_of_a_kind_has() -> None:
    """The hint names the kind to test, and its test makes the field known."""
    rules = "piece Plane:\n    members Zero\nkind Unit is Ship or Plane\ndefine hurt(u: Unit) -> flag: "
    (finding,) = errors("leave_it(n)", f"{rules}u.damage > 1\n")
    (test,) = re.findall(r"`([^`]+)`", finding.hint or "")

    assert [] == errors("leave_it(n)", f"{rules}u {test} and u.damage > 1\n")


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("{Alpha, Beta} are tired", "write `is`, also of several"),
        ("Alpha is at North", "write `at` without `is`"),
    ],
)
def test_what_an_example_gives(given: str, hint: str) -> None:
    """`is` and `at` each stand alone."""
    (finding,) = errors("leave_it(n)", f'example "e":\n    given {given}\n    then n = 0\n')

    assert hint == finding.hint


def test_named_results_without_parentheses() -> None:
    """The hint has the results as the header should give them."""
    wrong = "a: 0..3, b: 0..1"
    rules = f"table losses(k: 1..2) -> {wrong}:\n    | k | a | b |\n    | 1 | 0 | 1 |\n    | 2 | 3 | 0 |\n"
    (finding,) = errors("leave_it(n)", rules)
    (results,) = re.findall(r"`-> ([^`]+)`", finding.hint or "")

    assert results == f"({wrong})"
    assert [] == errors("leave_it(n)", rules.replace(wrong, results))


def test_a_verb_without_none_has_no_declining() -> None:
    """The hint for a verb that may not end in `, or none` is to remove the norm."""
    declining = "choice ready by Red:\n    {}\n    forbid declining\n"

    (pick,) = errors("leave_it(n)", declining.format("pick one s from Ship"))
    (decide,) = errors("leave_it(n)", declining.format("decide"))

    assert "end the verb in `, or none`" == pick.hint
    assert [] == errors("leave_it(n)", declining.format("pick one s from Ship, or none"))
    assert "remove it: this verb always has an answer" == decide.hint
