"""Findings about what is declared: types that cannot be made, kinds, fields, characters."""

from __future__ import annotations

import pytest

from tests.unit.compiler.findings.cases import Case

CASES = (
    Case(
        "types that cannot be made",
        """
enum Side: Red, Blue
state fuel: 9..0                                #! RK301
state far: set of 0..99                         #! RK301
state alarm: flag or none                       #! RK301
state order: list of Side, at most 0            #! RK301
state orders: list of list of Side, at most 2, at most 3        #! RK301
state score: 0..2000000000                      #! RK301
""",
        (
            "`0..9`",
            "`list of TYPE, at most N`",
            "remove `or none`",
            "`at most`",
            "use a parameter",
            "smaller range",
        ),
    ),
    Case(
        "a field of a type that nothing declares is not asked for its data",
        """
enum Side: Red, Blue
piece Ship:
    members Alpha, Beta
    side: Sied                                  #! RK203
""",
        ("did you mean `Side`?",),
    ),
    Case(
        "a union declared below is a kind, but not yet",
        """
kind Unit is Vessel or Plane                    #! RK204 "`Vessel` is declared below"
kind Vessel is Ship or Boat
piece Ship:
    members Alpha
piece Boat:
    members Beta
piece Plane:
    members Gamma
""",
        ("declare it above",),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_component(case: Case) -> None:
    """Told once, with what to write."""
    case.holds()


def test_a_control_character_is_underlined() -> None:
    """Not its line's beginning."""
    (found,) = Case("", "enum Side: Red, Blue\nstate fuel:\x07 0..9\n").found()

    assert ("RK103", "rules.rules:2:12") == (found.kind.code, str(found.span))
