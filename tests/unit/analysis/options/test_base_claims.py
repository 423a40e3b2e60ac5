"""Claims of the base are tried again with each option, and each two, that change what they read."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis.check import check
from rulekit.diagnostics import Diagnostic
from tests.unit.analysis.options.sets import made

BASE = """enum Side: Red, Blue
piece Ship:
    members Akagi, Kaga
    state damage: 0..9
value wind: 2
define drag(s: Ship) -> 0..9: 1
define speed(s: Ship) -> -40..40: 5 - drag(s) + wind
choice course by Red:
    pick one ship from Ship
    forbid slow: speed(ship) < 3
claim never_still(s: Ship): speed(s) > 0                [6.1]
claim all_may_go: choice course permits ship is Akagi   [6.2]
sequence play:
    choose course as ship
"""
STRONG = "option {}:\n    redefine define drag: original(s) + {}\n"
CALM = "option calm:\n    set value wind to {}\n"


def denials(folder: Path) -> list[Diagnostic]:
    """The claims of the base that options contradict, in `check --all-options`."""
    return [one for one in check(folder, each_option=True).diagnostics if one.kind.code == "RK417"]


def keys(folder: Path) -> list[tuple[str, ...]]:
    """The claim and the options of each."""
    return [one.key for one in denials(folder)]


def test_an_option_that_changes_what_a_claim_reads_by_way_of_others_denies_it(tmp_path: Path) -> None:
    """At the change, with the claim as a label; only `--all-options` tries."""
    folder = made(tmp_path, {"strong": STRONG.format("strong", 8)}, base=BASE)

    second, first = denials(folder)

    assert ("claim never_still", "strong") == first.key
    assert (
        "with `strong` the claim `never_still` [6.1] does not hold: `speed(s)` is -2, not more than 0"
        " at the start of the game"
    ) == first.message
    assert ("options/strong.rules", 2) == (first.span.file, first.span.line)
    assert [("game.rules", 11)] == [(label.span.file, label.span.line) for label in first.labels]
    assert ("claim all_may_go", "strong") == second.key
    assert [] == [one for one in check(folder).diagnostics if one.kind.code == "RK417"]


@pytest.mark.parametrize(
    "text",
    [
        "option strong:\n    redefine define drag: original(s) + 8    [6.1, 6.2]\n",
        "option strong:\n    redefine define speed: 0\n    add to choice course:\n        forbid true\n",
        STRONG.format("strong", 0),
    ],
    ids=["it cites the rules", "it changes what the claims name", "they hold"],
)
def test_an_option_that_means_to_contradict_a_claim_is_not_reported(tmp_path: Path, text: str) -> None:
    """It cites the claim's rule, or changes what the claim itself names."""
    assert [] == keys(made(tmp_path, {"strong": text}, base=BASE))


def test_two_options_that_contradict_a_claim_only_together(tmp_path: Path) -> None:
    """Both are named; either alone leaves the claim true."""
    folder = made(tmp_path, {"strong": STRONG.format("strong", 2), "calm": CALM.format(0)}, base=BASE)

    assert [("claim all_may_go", "calm", "strong")] == keys(folder)


def test_two_of_which_one_contradicts_a_claim_alone(tmp_path: Path) -> None:
    """Only that one is reported."""
    folder = made(tmp_path, {"strong": STRONG.format("strong", 8), "calm": CALM.format(1)}, base=BASE)

    assert {("strong",)} == {key[1:] for key in keys(folder)}


def test_a_claim_that_fails_without_options_is_not_reported_again(tmp_path: Path) -> None:
    """Its own finding says it."""
    base = BASE.replace("speed(s) > 0 ", "speed(s) > 6 ").replace(
        "permits ship is Akagi", "permits ship is Kaga"
    )
    folder = made(tmp_path, {"strong": STRONG.format("strong", 1)}, base=base)

    assert [] == keys(folder)


def test_a_claim_of_what_an_option_removes_is_not_tried(tmp_path: Path) -> None:
    """It says nothing of the game with the option."""
    base = BASE.replace(
        "[6.2]", "[6.2]\nclaim cells: every s in Ship has drag(s) + extra = 1\nvalue extra: 0"
    )
    text = "option strong:\n    widen result of define drag to 0..19\n    redefine define drag: 9\n"

    assert ("claim never_still", "strong") in keys(made(tmp_path, {"strong": text}, base=base))


def test_the_cache_and_other_processes_know_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of groups is reported as it was at first."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    folder = made(tmp_path, {"strong": STRONG.format("strong", 8)}, base=BASE)

    first = keys(folder)
    (folder / "options" / "calm.rules").write_text(CALM.format(1))
    manifest = folder / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("[strong]", "[strong, calm]"))

    assert first == keys(folder) == keys(folder)
