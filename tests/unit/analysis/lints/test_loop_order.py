"""The lint loop-order."""

from __future__ import annotations

import pytest

from rulekit.testing import mismatches

SHIPS = (
    "enum Ship: Alpha, Beta, Gamma\nstate seen: list of Ship, at most 3\nstate sunk: set of Ship\n"
    "roll luck: d6\nstate latest: Ship or none\nstate after(ship): Ship or none\nprocedure pass:\n"
)


@pytest.mark.parametrize(
    ("over", "body"),
    [
        ("{Gamma, Alpha}", "add x to seen"),
        ("{3, 2}", "roll luck as die"),
        ("{Beta, Alpha, Gamma}", "return"),
        ("{Gamma, Alpha}", "set latest to x"),
    ],
)
def test_another_order_is_found(over: str, body: str) -> None:
    """The finding names the order of the loop."""
    assert [] == mismatches(f"{SHIPS}    for each x in {over}: {body} #! RK450\n")


@pytest.mark.parametrize(
    ("over", "body"),
    [
        ("{Alpha, Gamma}", "add x to seen"),
        ("{Gamma, Alpha}, Gamma first", "add x to seen"),
        ("{2, 10}", "roll luck as die"),
        ("Ship", "add x to seen"),
        ("{Gamma, Alpha}", "add x to sunk"),
        ("{Gamma, Alpha}", "set latest to Beta"),
        ("{Gamma, Alpha}", "set after(x) to x"),
    ],
)
def test_the_same_order_and_no_order_are_in_order(over: str, body: str) -> None:
    """Numbers are compared as numbers; where the body changes nothing in order, none is needed."""
    assert [] == mismatches(f"{SHIPS}    for each x in {over}: {body}\n")
