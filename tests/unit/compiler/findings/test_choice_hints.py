"""Hints about choices: what stands in backticks, put where the hint says, mends the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from rulekit.diagnostics import Diagnostic, Severity
from rulekit.testing import compile_text

MANIFEST = {"ruleset.yaml": 'id: text\ntitle: Text\nlanguage: "0.2"\nsides: Side\n'}
HEAD = """\
enum Side: Red, Blue
space Hex:
    members North, South
piece Ship:
    members Alpha, Beta
    state hits: 0..9
    state sunk: flag
state order: list of Ship, at most 2
define near(s: Ship) -> set of Hex: Hex
"""


@dataclass(frozen=True)
class Slip:
    """Rules, the part of them that is wrong, and what stands there once the hint is followed.

    In `mended`, a number in braces is that text of the hint, `{0}` the first; `names` are put in the place of
    names that the hint leaves open.
    """

    rules: str
    wrong: str
    mended: str
    names: Mapping[str, str] = field(default_factory=dict)


SLIPS = (
    Slip("choice a by Red:\n    pick one s from Ship, h from near(s)\n", ", h from near(s)", "{1}"),
    Slip(
        "choice a by Red:\n    pick one s from Ship and one h from near(s)\n",
        " and one h from near(s)",
        "{1}",
    ),
    Slip(
        "choice a by Red:\n    pick one (s, h) from Ship\n",
        "pick one (s, h) from Ship",
        "{0}",
        {"S": "Ship", "T": "Hex"},
    ),
    Slip(
        "choice a by Red:\n    pick one (s, h, t) from Ship\n    forbid at_home: t is s\n",
        "pick one (s, h, t) from Ship",
        "{0}",
        {"S": "Ship", "T": "Hex", "U": "Ship"},
    ),
    Slip("choice a by Red:\n    pick any s from Ship, one h from near(s)\n", "pick any", "{0}"),
    Slip("choice a by Red:\n    assign each s in Ship at least 1 h from near(s)\n", "at least 1", "{2}"),
    Slip("choice a by Red:\n    assign each s in Ship several h from near(s)\n", "several", "{1}"),
    Slip("choice a by Red:\n    assign each s in Ship 2 h from near(s)\n", "2 h", "{0} h"),
    Slip("choice a by Alpha:\n    decide\n", " by Alpha", "(side) {0}"),
    Slip("choice a by Red:\n    pick one s from Alpha\n", "from Alpha", "from {0}", {"x": "Alpha"}),
    Slip(
        "choice a by Red:\n    pick one s from Ship\n    forbid declining when Alpha is sunk\n",
        "from Ship\n",
        "from Ship{0}\n",
    ),
    Slip(
        "choice a by Red:\n    pick one s from Ship\n    forbid wreck: s.hits > 5\n",
        "from Ship\n",
        "from Ship{0}\n",
    ),
    Slip(
        "choice a by Red:\n    pick one s from Ship, one h from near(s)\n    forbid wreck: s.hits > 5\n",
        "near(s)\n",
        "near(s){0}\n",
    ),
    Slip(
        "choice a by Red:\n    assign each s in Ship some h from near(s)\n    forbid wreck: s.hits > 5\n",
        "near(s)\n",
        "near(s){0}\n",
    ),
    Slip(
        "choice a by Red:\n    pick one s from Ship, one h from near(s)\n"
        'procedure p:\n    choose a as m\n    when m = Alpha: say "so"\n',
        "m = ",
        "m{0} = ",
    ),
    Slip(
        "choice a by Red:\n    pick one s from Ship, one h from near(s)\n"
        "procedure p:\n    choose a as m\n    mark m as sunk\n",
        "mark m ",
        "mark m{0} ",
    ),
    Slip(
        "choice a by Red:\n    pick one s from Ship, one h from near(s)\n"
        'example "x":\n    when choose a as m\n    answers a: Alpha\n    then true\n',
        "Alpha\n    then",
        "{0}\n    then",
        {"s": "Alpha", "h": "North"},
    ),
    Slip(
        'choice a by Red:\n    pick one s from Ship\nprocedure p:\n    when a = Alpha: say "so"\n',
        "when a",
        "{0}\n    when wanted",
    ),
)


def findings(rules: str) -> tuple[Diagnostic, ...]:
    """All findings of rules."""
    return compile_text(HEAD + rules, MANIFEST).findings


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.wrong)
def test_what_the_hint_says_compiles(slip: Slip) -> None:
    """One finding has the texts; with them in place, no error and no finding of that kind is left."""
    found = [one for one in findings(slip.rules) if one.hint and one.hint.count("`") >= 2]
    hints = [one for one in found if one.kind.severity is Severity.ERROR] or found
    assert len(hints) == 1
    texts = [
        re.sub(r"\b[A-Za-z]\b", lambda name: slip.names.get(name[0], name[0]), text)
        for text in (hints[0].hint or "").split("`")[1::2]
    ]
    assert slip.rules.count(slip.wrong) == 1
    after = findings(slip.rules.replace(slip.wrong, slip.mended.format(*texts)))
    assert [] == [one for one in after if one.kind.severity is Severity.ERROR or one.kind == hints[0].kind]
