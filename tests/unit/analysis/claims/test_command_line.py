"""`rulekit check --as-printed` and `rulekit show errata`, on a small rule set."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli.running import rulekit

MANIFEST = 'id: hulls\ntitle: Hulls\nlanguage: "0.1"\n'
RULES = """\
piece Ship:
    members Alpha
    armor: 0..9 = 3                                     [3.1]
claim in_the_chart: Alpha.armor = 4                     [chart]
errata armor "how strong the Alpha is":
    printed "three"                                     [3.1]
    printed "four"                                      [chart]
    settles in_the_chart
    play Alpha.armor = 3                                [3.1]
    by House
    reason "the chart is of an earlier edition"
"""


@pytest.fixture
def hulls(tmp_path: Path) -> Path:
    """A set with one contradiction, which is settled."""
    (tmp_path / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "hulls.rules").write_text(RULES, encoding="utf-8")
    return tmp_path


def test_errata_settle_until_the_set_is_read_as_printed(hulls: Path) -> None:
    """Clean and 0; with the flag a finding with both places and 1; each is remembered apart."""
    for _ in range(2):
        as_played = rulekit("check", hulls)
        as_printed = rulekit("check", hulls, "--as-printed", "--output-format", "concise")

        assert (0, "") == (as_played.code, as_played.out)
        assert 1 == as_printed.code
        assert (
            "[chart] conflicts with [3.1]: the claim `in_the_chart` does not hold: it is 3" in as_printed.out
        )


def test_errata_are_shown(hulls: Path) -> None:
    """What is printed, what is played, by whom and why, and what the rules say to it."""
    shown = rulekit("show", "errata", hulls)

    assert 0 == shown.code
    assert (
        "1. how strong the Alpha is\n"
        "   printed [3.1] three\n"
        "   printed [chart] four\n"
        "   played  [3.1] `Alpha.armor = 3`\n"
        "   by      House: the chart is of an earlier edition\n"
        "   `in_the_chart`, `Alpha.armor = 4`, does not hold: it is 3\n"
    ) == shown.out
