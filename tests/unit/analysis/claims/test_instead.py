"""What the rules do instead of a claim, in words that name the value, the answer or the order."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis.check import check
from rulekit.diagnostics import Diagnostic
from tests.unit.analysis.check.sets import LEAST, write

RULES = """\
enum Side: Red, Blue
space Area:
    members North, South
state turn: 1..9 = 1
state night: flag
piece Ship:
    members S1, S2
    gun: 0..9 = 2
    state hits: 0..3 = 0
    state chief: Side or none = Red
roll fire: d6
define worth(s: Ship) -> -3..9: s.gun - s.hits
choice target(side) by side:                                   [4.1]
    pick one s from Ship, or none
    forbid sunk: s.hits > 2                                     [4.2]
procedure shoot(side):                                          [3.1]
    choose target(side) as s
    roll fire as shot
sequence play:
    step first:                                                 [5.1]
        do shoot(Red)
    step second:                                                [5.2]
        add 1 to turn
"""
PRINTED = """\
id\tkind\tsection\tsummary
TEXT.4.2\tprohibition\tTargets\tSunk ships are not attacked
TEXT.5.1\tprocedure\tA turn\tRed shoots
TEXT.5.2\tprocedure\tA turn\tThe turn ends
"""


def finding(folder: Path, claim: str) -> Diagnostic:
    """The finding of a claim called `told`."""
    files = {"rules.rules": f"{RULES}claim told: {claim}\n", "sources/text.tsv": PRINTED}
    write(folder, files, manifest=f"{LEAST}sequence: play\n")
    (only,) = (one for one in check(folder, remember=False).diagnostics if one.key == ("claim told",))
    return only


@pytest.mark.parametrize(
    ("claim", "instead"),
    [
        ("turn = 2", "`turn` is 1, not 2"),
        ("turn >= 2", "`turn` is 1, not at least 2"),
        ("2 < turn - 1", "`2 < turn - 1` is false"),
        ("night", "`night` is false"),
        ("S1 is at North", "`S1` is nowhere, not at North"),
        ("S1.chief is Blue", "`S1.chief` is Red, not Blue"),
        ("S1.chief is none", "`S1.chief` is Red, not none"),
        ("every s in Ship has s.gun > 2", "`every s in Ship has s.gun > 2` is false for S1, S2"),
        ("no s in Ship has s.gun = 2", "`no s in Ship has s.gun = 2` is false for S1, S2"),
        ("never turn = 1", "`turn = 1` is true"),
        (
            "choice target permits s.hits = 3",
            "the rules refuse an answer to `target` that is printed as legal",
        ),
        (
            "choice target forbids s is S2",
            "the rules accept an answer to `target` that is printed as illegal",
        ),
        ("choice target forbids declining", "`target` may be declined"),
        (
            "[5.2] before step first",
            "in the sequence of play step `first` comes before A turn [5.2]",
        ),
        ("see [5.2] for first", "`first` is under A turn [5.1], not under A turn [5.2]"),
    ],
)
def test_of_a_statement(tmp_path: Path, claim: str, instead: str) -> None:
    """The value that the condition compares, or what the choice or the sequence of play does."""
    one = finding(tmp_path, claim)

    assert one.conflict is not None
    assert instead == one.conflict.instead
    assert one.message.startswith(f"the claim `told` does not hold: {instead}")


@pytest.mark.parametrize(
    ("lines", "instead"),
    [
        (["answers target: S1, S2", "dice fire: 1"], "`target` asks for 1 answer, but the example gives 2"),
        (["answers target: S1", "dice fire: 1, 2"], "`fire` rolls 1 die, but the example gives 2"),
        (["answers target: S1"], "`fire` rolls a die or more, but the example gives none"),
        (
            ["given S1.hits = 3", "answers target: S1"],
            "the answer S1 to `target` is refused by Targets [4.2]",
        ),
        (
            ["answers target: S1", "dice fire: 1", "then refused by [4.2]"],
            "the last answer is legal, but Targets [4.2] should refuse it",
        ),
    ],
)
def test_of_an_example(tmp_path: Path, lines: list[str], instead: str) -> None:
    """What play uses of what is given; printed rules have their sections; the situation is the example."""
    given = [line for line in lines if line.startswith("given")]
    rest = [line for line in lines if line not in given]
    end = [] if rest[-1].startswith("then") else ["then true"]
    one = finding(tmp_path, "\n    ".join(["", *given, "when do shoot(Red)", *rest, *end]))

    assert one.conflict is not None
    assert instead == one.conflict.instead
    before = (*given, "when do shoot(Red)", *(line for line in rest if not line.startswith("then")))
    assert f"in the example: {'; '.join(before)}" == one.conflict.situation


def test_of_a_law(tmp_path: Path) -> None:
    """The value is that in the situation found."""
    write(tmp_path, {"rules.rules": f"{RULES}claim told(s: Ship): worth(s) = 2 when s.hits = 1\n"})
    (one,) = (one for one in check(tmp_path, remember=False).diagnostics if one.key == ("claim told",))

    assert one.conflict is not None
    assert "`worth(s)` is 1, not 2" == one.conflict.instead
    assert one.conflict.situation.startswith("when ") and "hits = 1" in one.conflict.situation


def test_the_rule_to_look_at_refuses_the_answer(tmp_path: Path) -> None:
    """A norm is nearer than what cites the number."""
    one = finding(
        tmp_path, "\n    given S1.hits = 3\n    when do shoot(Red)\n    answers target: S1\n    then true"
    )

    assert one.conflict is not None and one.conflict.rule is not None
    assert RULES.splitlines()[one.conflict.rule.line - 1].lstrip().startswith("forbid sunk")
