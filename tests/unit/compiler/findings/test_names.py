"""Findings about names, amendments and the manifest: both places, and the nearest name."""

from __future__ import annotations

import pytest

from rulekit.diagnostics import Diagnostic
from tests.unit.compiler.findings.cases import Case

USED_AS_VALUES = """
enum Side: Red, Blue
roll fire: d6
choice course by Red:
    decide
procedure count_up -> 0..9:
    result 1
procedure tidy:
    say "x"
state lead: 0..9
procedure p:
    roll fire
    set lead to fire                            #! RK210 "unknown name `fire`"
    when course: say "x"                        #! RK210
    set lead to count_up                        #! RK210
    set lead to count_up()                      #! RK210 "unknown function or table `count_up`"
    set lead to tidy                            #! RK210
    set lead to laed                            #! RK210
"""

SAID_OUTSIDE_ITS_QUANTIFIER = """
piece Ship:
    members Alpha
    state damage: 0..9
    state tired: flag
define two -> flag: some s in Ship has s.damage > 3 and s is tired           #! RK210 "unknown name `s`"
define all -> flag: (some s in Ship has s is tired) and (every s in Ship has s.damage > 3)
"""

CASES = (
    Case(
        "what a quantifier names is known in its test alone",
        SAID_OUTSIDE_ITS_QUANTIFIER,
        ("write `has (.. and ..)`",),
    ),
    Case(
        "the result of a statement is known by the name that it is given",
        USED_AS_VALUES,
        (
            "`roll fire as shown`",
            "`choose course as wanted`",
            "`do count_up as made`",
            "`do count_up as made`",
            "`do tidy`",
            "did you mean `lead`?",
        ),
    ),
    Case(
        "variants name variants, and those who play",
        "enum Side: Red, Blue\n",
        (
            "did you mean `night_fight`?",
            "did you mean `fog`?",
            "did you mean `cloudy`?",
            "did you mean `Red`?",
        ),
        {
            "options/night-fight.rules": "option night_fight:\n"
            "    needs night_fihgt                  #! RK230\n"
            "    excludes fgo                       #! RK230\n"
            "    over clouds                        #! RK230\n"
            "    favours Rde                        #! RK230\n",
            "options/fog.rules": 'option fog:\n    reason "x"\n',
            "options/weather.rules": 'option cloudy:\n    reason "x"\n',
        },
        ("night-fight",),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_names(case: Case) -> None:
    """Each name that is not there is told once, with what is meant."""
    case.holds()


def the_one(case: Case) -> Diagnostic:
    """The only finding of a case."""
    (found,) = case.found()
    return found


@pytest.mark.parametrize(
    "head, at",
    [
        ("procedure p(side):\n", 13),
        ("procedure p(lead: 0..9):\n    let side = lead\n", 9),
        ("procedure p(lead: 0..9):\n    choose course(Red) as side\n", 27),
    ],
)
def test_a_shadowed_name_shows_the_other_place(head: str, at: int) -> None:
    """A parameter, a `let` and a result alike."""
    course = "enum Side: Red, Blue\nchoice course(side) by side:\n    decide\n"
    found = the_one(Case("", f'{course}{head}    for each side in Side: say "x"\n'))

    assert "RK213" == found.kind.code
    assert [(3 + head.count("\n"), at)] == [(label.span.line, label.span.column) for label in found.labels]


def test_a_shadowed_parameter_of_a_definition_or_choice_is_shown() -> None:
    """Quantifiers and options take names too."""
    text = "enum Side: Red, Blue\ndefine f(s: Side) -> flag: every s in Side is s\n"
    choice = "enum Side: Red, Blue\nchoice c(side) by side:\n    pick one side from Side\n"

    assert [(2, 10)] == [(label.span.line, label.span.column) for label in the_one(Case("", text)).labels]
    assert [(2, 10)] == [(label.span.line, label.span.column) for label in the_one(Case("", choice)).labels]


MANIFEST = """\
id: text
title: Text
language: "9.1"
options: [night, fog]
"""


def test_the_language_is_underlined_in_the_manifest() -> None:
    """Not the first line, where another key may stand."""
    found = the_one(Case("", "enum Side: Red, Blue\n", files={"ruleset.yaml": MANIFEST}))

    assert ("RK223", "ruleset.yaml:3:11") == (found.kind.code, str(found.span))


@pytest.mark.parametrize(
    "wanted, hint", [("nigth", "did you mean `night`?"), ("x", "known here: `fog`, `night`")]
)
def test_an_unknown_option_has_its_nearest(wanted: str, hint: str) -> None:
    """The finding stands at the manifest's list of options."""
    files = {"ruleset.yaml": MANIFEST.replace("9.1", "0.2")}
    found = the_one(Case("", "enum Side: Red, Blue\n", files=files, options=(wanted,)))

    assert ("RK222", "ruleset.yaml:4:10", hint) == (found.kind.code, str(found.span), found.hint)


def test_a_set_without_options_says_so() -> None:
    """There is no nearest."""
    found = the_one(Case("", "enum Side: Red, Blue\n", options=("fog",)))

    assert ("RK222", "this rule set has no options") == (found.kind.code, found.hint)
