"""A claim that does not hold is shown as an example in the situation that was found, run before."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis.check import check
from tests.unit.analysis.check.sets import write

RULES = """\
enum Side: Red, Blue
state turn: 1..9 = 1
piece Ship:
    members S1, S2, S3
    gun: 0..9 = 2
    state hits: 0..3 = 0
define worth(s: Ship) -> 0..9:
    when s.hits < 2: s.gun
    otherwise: 0
"""


def shown(folder: Path, claim: str) -> tuple[tuple[str, str], ...]:
    """The findings of the claim, each with its example."""
    write(folder, {"rules.rules": f"{RULES}{claim}\n"})
    found = check(folder, remember=False).diagnostics
    return tuple((each.kind.code, each.example) for each in found if each.key == ("claim told",))


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("claim told: turn = 2", "    then not (turn = 2)\n"),
        (
            "claim told(s: Ship): worth(s) = 2",
            "    given S1.hits = 2\n    then not (worth(S1) = 2)\n",
        ),
        (
            "claim told(s: Ship): worth(s) = 2 when turn < 4",
            "    given S1.hits = 2\n    then (turn < 4) and not (worth(S1) = 2)\n",
        ),
        (
            "claim told(hits: 0..3, s: Ship): s.hits = hits or (hits >\n    2)",
            "    given S1.hits = 1\n    then not (S1.hits = 0 or (0 > 2))\n",
        ),
        ("claim told: never turn = 1", "    then (turn = 1)\n"),
        ("claim told: always turn > 1", "    then not (turn > 1)\n"),
        (
            "procedure go:\n    add 1 to turn\nclaim told: never turn = 2",
            "    when do go\n    then breaks told\n",
        ),
    ],
)
def test_what_denies_it_is_an_example(tmp_path: Path, claim: str, lines: str) -> None:
    """Parameters have their values, fields of the same name stay; put into the rules, the example holds."""
    ((code, text),) = shown(tmp_path, claim)

    assert ("RK411", f'example "claim told":\n{lines}') == (code, text)
    write(tmp_path, {"kept.rules": text})
    assert not [each for each in check(tmp_path, remember=False).diagnostics if each.kind.code == "RK413"]


CHOICE = """\
choice target(side) by side:                                   [4.1]
    pick one s from Ship, or none
    forbid sunk: s.hits > 2                                     [4.2]
    forbid declining when turn > 3                              [4.3]
choice harbour(side) by side:
    pick one s from Ship
    permit s is S1                                              [5.1]
"""


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        (
            "choice target forbids s.hits > 1",
            "given S1.hits = 2\n    when choose target(Red)\n    answers target: S1\n    then true\n",
        ),
        (
            "choice target permits s.hits = 3",
            "given S1.hits = 3\n    when choose target(Red)\n    answers target: S1\n"
            "    then refused by [4.2]\n",
        ),
        (
            "choice target permits declining",
            "given turn = 4\n    when choose target(Red)\n    answers target: none\n"
            "    then refused by [4.3]\n",
        ),
        (
            "choice harbour permits s is S2",
            "when choose harbour(Red)\n    answers harbour: S2\n    then refused by [5.1]\n",
        ),
    ],
)
def test_what_a_choice_is_answered(tmp_path: Path, claim: str, lines: str) -> None:
    """It takes what it is said to refuse, or a norm refuses it: by that norm's printed number."""
    ((code, text),) = shown(tmp_path, f"{CHOICE}claim told: {claim}")

    assert ("RK411", f'example "claim told":\n    {lines}') == (code, text)


def test_what_holds_has_none(tmp_path: Path) -> None:
    """Nothing to show."""
    assert () == shown(tmp_path, "claim told(s: Ship): worth(s) <= 2")
