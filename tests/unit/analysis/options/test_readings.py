"""Readings: options that answer the question of an errata entry in another way."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.diagnostics import Report
from rulekit.reports.options import catalogue
from tests.unit.analysis.options.sets import BASE as GAME
from tests.unit.analysis.options.sets import made
from tests.unit.analysis.options.test_check import told
from tests.unit.cli.running import rulekit

BASE = (
    GAME.replace("hand: 5", "hand: 4")
    + """
errata cards "how many cards there are":            [1.1]
    printed "four"                                  [1.1]
    printed "five, and six in the example"          [2.1]
    play hand = 4                                   [1.1]
    by House
"""
)
FIVE = 'reading five of cards "five":\n    play hand = 5\n    set value hand to 5\n'
SIX = 'reading six of cards "six" by Ann:\n    reason "so the example"\n    set value hand to 6\n'
OWN = 'example "one more":\n    then hand = 5\n'


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    """A set whose errata entry offers two more readings."""
    return made(tmp_path, {"five": FIVE + OWN, "six": SIX}, base=BASE)


def test_readings_of_one_entry_exclude_each_other(cards: Path) -> None:
    """Nothing needs to say so, and a check of all options never lays one over the other."""
    assert [] == told(cards, "--all-options")
    message = "`five` and `six` cannot be used together: both are readings of `cards`"
    assert [("RK233", message)] == told(cards, "--reading", "five", "--reading", "six")


def test_a_reading_is_played_and_tested(cards: Path) -> None:
    """Its examples run with it, and what it states as played must be what the rules do."""
    assert "1 of 1 examples passed" in rulekit("test", cards, "--reading", "five").out
    assert [] == told(cards, "--reading", "five")
    (cards / "options" / "five.rules").write_text(FIVE.replace("to 5", "to 6"))
    (finding,) = told(cards, "--reading", "five")
    assert "RK412" == finding[0]
    assert [finding] == told(cards, "--all-options")


def test_the_entry_says_which_reading_is_in_force(cards: Path) -> None:
    """The default or the chosen one, each with the others that may be played."""
    base = rulekit("show", "errata", cards, "cards").out
    assert "played      `hand = 4` [1.1]" in base
    assert "or played   five (`--reading five`)" in base
    chosen = rulekit("show", "errata", cards, "cards", "--reading", "six").out
    assert "played      six [1.1]" in chosen
    assert "why         so the example" in chosen
    assert "decided by  Ann" in chosen
    assert "or played   `hand = 4` (the default)" in chosen


def test_options_say_what_they_are_readings_of(cards: Path) -> None:
    """For programs as well."""
    assert {"five": "cards", "six": "cards"} == {
        option.id: option.reading_of for option in catalogue(cards, Report()).options
    }


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("calm", "`calm` is an option, not a reading; turn it on with `--with calm`"),
        ("sixx", "unknown reading `sixx`; did you mean `six`?"),
    ],
)
def test_only_readings_are_chosen_as_readings(tmp_path: Path, chosen: str, message: str) -> None:
    """Anything else is refused before the set is compiled."""
    folder = made(tmp_path, {"six": SIX, "calm": "option calm:\n    set value hand to 3\n"}, base=BASE)
    run = rulekit("check", folder, "--reading", chosen)
    assert 2 == run.code
    assert message in run.err


def test_a_reading_needs_its_entry(tmp_path: Path) -> None:
    """Found while the reading is off."""
    folder = made(tmp_path, {"six": SIX.replace("of cards", "of card")}, base=BASE)
    assert [("RK210", "unknown errata entry `card`")] == told(folder)


def test_a_set_without_readings_says_so(tmp_path: Path) -> None:
    """Whatever is asked for."""
    folder = made(tmp_path, {"calm": "option calm:\n    set value hand to 3\n"}, base=BASE)
    assert "offers no readings" in rulekit("check", folder, "--reading", "five").err
