"""`rulekit check --as-printed` and `rulekit show errata`, on a small rule set."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rulekit.base import resources
from tests.unit.cli.running import rulekit

MANIFEST = 'id: hulls\ntitle: Hulls\nlanguage: "0.2"\n'
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

LISTED = """\
id\tkind\tsection\tpage\tsummary
HULLS.3.1\ttable\t\t12\tThe Alpha has an armor of 3
HULLS.chart\ttable\tShip chart\t20\tArmor: Alpha 4, Beta 2
"""
FOG = """\
# Fog changes nothing here.
claim thin_in_fog: Alpha.armor = 1                      [19.1]
errata fog_armor "armor in fog":
    printed "one"                                       [19.1]
    settles thin_in_fog
    play "three"                                        [3.1]
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
        assert "RK411 [chart] conflicts with [3.1]: `Alpha.armor` is 3, not 4 [RK411:" in as_printed.out


def test_errata_are_shown(hulls: Path) -> None:
    """What is printed, what is played, by whom and why, which claim shows it; all entries, or one by name."""
    shown = rulekit("show", "errata", hulls)

    assert 0 == shown.code
    assert (
        "armor: how strong the Alpha is\n"
        '   printed     3.1: "three"\n'
        '   printed     chart: "four"\n'
        "   played      `Alpha.armor = 3` [3.1]\n"
        "   why         the chart is of an earlier edition\n"
        "   decided by  House\n"
        "   confidence  the check proves that the rules play this reading\n"
        "   claim       `in_the_chart`, HULLS/hulls.rules:4:7: Alpha.armor = 4\n"
        "   in play     `Alpha.armor` is 3, not 4\n"
        "   as printed  `rulekit check HULLS --as-printed` reports `RK411:claim in_the_chart`\n"
        "   entry       HULLS/hulls.rules:5:8\n"
    ) == unwrapped(shown.out).replace(str(hulls), "HULLS")
    assert shown == rulekit("show", "errata", hulls, "armor") == rulekit("explain", "armor", hulls)


def unwrapped(text: str) -> str:
    """The lines of an entry before they are folded."""
    return re.sub(r"\n {15,}", " ", text)


def test_an_unknown_entry_is_an_error_with_a_hint(hulls: Path) -> None:
    """Near names are offered; the exit code is 2."""
    shown, explained = rulekit("show", "errata", hulls, "armour"), rulekit("explain", "armour", hulls)

    assert (2, 2) == (shown.code, explained.code)
    assert "no errata entry" in shown.err and "did you mean `armor`?" in shown.err
    assert "similar: armor" in explained.err


def test_a_finding_has_both_statements_of_the_list(hulls: Path) -> None:
    """Section, page and summary come from `sources/`; programs get them as fields that fit the schema."""
    (hulls / "sources").mkdir()
    (hulls / "sources" / "hulls.tsv").write_text(LISTED, encoding="utf-8")
    full = rulekit("check", hulls, "--as-printed").out
    report = json.loads(rulekit("check", hulls, "--as-printed", "--output-format", "json").out)
    ((finding),) = report["findings"]

    assert "RK411 broken-claim]: Ship chart [chart] conflicts with [3.1]: `Alpha.armor` is 3, not 4\n" in full
    assert '= printed  chart, Ship chart, page 20: "four" (summary: Armor: Alpha 4, Beta 2)\n' in full
    assert '= against  3.1, page 12: "three" (summary: The Alpha has an armor of 3)\n' in full
    assert "= played  `Alpha.armor = 3` [3.1]: the chart is of an earlier edition (by House)\n" in full
    Draft202012Validator(resources.schema("diagnostics")).validate(report)
    conflict = finding["conflict"]
    assert [("chart", "Ship chart", "20")] == [
        (s["rule"], s["section"], s["page"]) for s in conflict["printed"]
    ]
    assert ["The Alpha has an armor of 3"] == [statement["summary"] for statement in conflict["against"]]
    assert ("`Alpha.armor` is 3, not 4", 3, "armor") == (
        conflict["instead"], conflict["rule"]["line"], conflict["played"]["errata"]
    )  # fmt: skip


@pytest.mark.parametrize("output_format", ["github", "sarif"])
def test_code_hosts_show_both_statements(hulls: Path, output_format: str) -> None:
    """The text of the remark has them."""
    shown = rulekit("check", hulls, "--as-printed", "--output-format", output_format).out

    assert "printed: chart: " in shown and "against: 3.1: " in shown and "played: `Alpha.armor = 3`" in shown


def test_a_finding_as_printed_is_explained_by_its_id(hulls: Path) -> None:
    """With the flag or without; a printed rule with what contradicts it."""
    id_ = "RK411:claim in_the_chart"
    explained = rulekit("explain", id_, hulls)
    of_rule = rulekit("explain", "chart", hulls, "--as-printed")
    of_entry = rulekit("explain", "armor", hulls, "--as-printed")
    wrong = rulekit("explain", f"{id_}s", hulls)

    assert 0 == explained.code and "[chart] conflicts with [3.1]" in explained.out
    assert explained == rulekit("explain", id_, hulls, "--as-printed")
    assert "[chart] conflicts with [3.1]" in of_rule.out and "[chart] conflicts with [3.1]" in of_entry.out
    assert 2 == wrong.code and f"did you mean `{id_}`?" in wrong.err
    assert 2 == rulekit("explain", "RK411", "--as-printed").code


def test_errata_of_an_option_are_found_without_choosing_it(hulls: Path) -> None:
    """`show errata` and `explain` choose the options that the entry is about."""
    (hulls / "ruleset.yaml").write_text(f"{MANIFEST}options: [fog]\n", encoding="utf-8")
    (hulls / "options").mkdir()
    (hulls / "options" / "fog.rules").write_text(FOG, encoding="utf-8")
    shown, explained = rulekit("show", "errata", hulls, "fog_armor"), rulekit("explain", "fog_armor", hulls)

    assert 0 == shown.code and shown == explained
    assert "reports `RK411:claim thin_in_fog`" in unwrapped(shown.out)
    assert "did you mean `fog_armor`?" in rulekit("show", "errata", hulls, "fog_armour").err
    assert ["armor", "fog_armor"] == [
        line.partition(":")[0]
        for line in rulekit("show", "errata", hulls).out.splitlines()
        if line[:1].isalpha()
    ]
