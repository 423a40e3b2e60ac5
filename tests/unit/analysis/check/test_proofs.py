"""`check --proofs`: every question with its answer, and of what is unknown the reason and the limit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

from rulekit.base.resources import schema
from tests.unit.analysis.check.sets import LEAST, write
from tests.unit.cli.running import Ran, rulekit

RULES = """
enum Side: Red, Blue
piece Ship:
    members Alpha, Beta
    state hits: 0..9
    state seen: flag
state turn: 0..9
state code: 0..9999
roll storm: d6
invariant afloat: some s in Ship has s.hits < 6
table wind(roll: 1..6, seen: flag) -> 0..3:
    | roll | seen | wind |
    | 1..3 | true | 1    |
    | 1..3 | false | 0   |
    | 4..6 | true | 2    |
    | 4..6 | false | 3   |
modifier gale on roll storm: +1 when turn > 8
extern table losses(roll: 1..6) -> 0..9:
    file "losses.yaml"
choice kept by Red:
    pick one ship from Ship
    forbid wreck: ship.hits > 5
choice lost by Red:
    pick one ship from Ship
    forbid hurt: ship.hits > 2
choice healed by Red:
    pick at least 1 ship from Ship
    forbid hurt: some s in chosen has s.hits > 2
choice anybody by Red:
    pick one ship from Ship
choice nobody by Red:
    pick one ship from Ship, or none
    forbid hurt: ship.hits > 2
sequence play:
    repeat until turn = 9:
        add 1 to turn
    repeat until Alpha is seen:
        choose kept as ship
        roll storm as thrown
        when wind(thrown, ship.seen) = losses(thrown): mark ship as seen
claim two: count of Ship = 2
claim three: count of Ship = 3
claim squares(a: 0..9999): not a * a = 50000001
"""
PLAYED = f"{LEAST}sequence: play\n"
LISTED = f"{LEAST}options: [calm, fog, radar]\n"
OPTIONS = {
    "options/fog.rules": "option fog:\n    in force while turn > 3\n    set value range to 2\n",
    "options/radar.rules": "option radar:\n    in force while turn > 5\n    set value range to 7\n",
    "options/calm.rules": "option calm:\n    in force while turn < 3\n    set value range to 9\n",
}


def answers(folder: Path, *ways: str) -> list[dict[str, Any]]:
    """The answers as JSON, which is as the schema says."""
    ran = rulekit("check", folder, "--proofs", "--output-format", "json", *ways)
    report = json.loads(ran.out)
    jsonschema.Draft202012Validator(schema("diagnostics")).validate(report)
    found: list[dict[str, Any]] = report["proofs"]
    return found


def by_name(found: list[dict[str, Any]], question: str) -> dict[str, tuple[str, str]]:
    """For each subject of a question the answer, and the reason or the code of the finding."""
    return {
        each["subject"]: (each["answer"], each["code"] or each["reason"])
        for each in found
        if each["question"] == question
    }


class TestAnswers:
    def test_choices(self, tmp_path: Path) -> None:
        """Proved with the promise that it takes; refuted; what norms say of a whole answer is not asked."""
        write(tmp_path, {"rules.rules": RULES}, PLAYED)
        found = answers(tmp_path)
        of = by_name(found, "choice")
        (kept,) = (each for each in found if each["subject"] == "kept")

        assert ("proved", ["afloat"], 120_000) == (kept["answer"], kept["given"], kept["limit"])
        assert ("refuted", "RK510") == of["lost"]
        assert ("not-asked", "`hurt` cannot be judged before the answer is finished") == of["healed"]
        assert ("proved", "no norm forbids an option") == of["anybody"]
        assert ("proved", "nobody must answer it") == of["nobody"]

    def test_tables_rolls_loops_claims(self, tmp_path: Path) -> None:
        """What the owner has is unknown; a roll that leaves its table is refuted; a counter proves an end."""
        write(tmp_path, {"rules.rules": RULES}, PLAYED)
        found = answers(tmp_path)
        loops = [each["answer"] for each in found if each["question"] == "loop"]

        assert ("proved", "12 combinations") == by_name(found, "table")["wind"]
        assert ("unknown", "the owner's file `losses.yaml` is missing") == by_name(found, "table")["losses"]
        assert ("refuted", "RK520") == by_name(found, "roll")["storm for roll of wind"]
        assert ["proved", "unknown"] == loops
        assert ("proved", "") == by_name(found, "claim")["two"]
        assert ("refuted", "RK411") == by_name(found, "claim")["three"]
        assert ("unknown", "not all values of `a` can be tried") == by_name(found, "claim")["squares"]

    def test_pairs_of_options(self, tmp_path: Path) -> None:
        """Two that never act together are proved so; how many pairs were looked at is told."""
        write(tmp_path, {"rules.rules": "state turn: 1..9 = 1\nvalue range: 5\n", **OPTIONS}, LISTED)
        pairs = by_name(answers(tmp_path), "pair")
        chosen = by_name(answers(tmp_path, "--with", "fog", "--with", "calm"), "pair")

        assert {"fog and radar", "calm and fog", "calm and radar"} == {
            each.removesuffix(" at define range") for each in pairs
        }
        assert ("refuted", "RK234") == pairs["fog and radar at define range"]
        apart = ("proved", "never act together: their conditions exclude each other")
        assert apart == pairs["calm and fog at define range"] == chosen["calm and fog at define range"]
        together = ("proved", "0 meet at nothing; in 1 group")
        assert {"3 pairs of options": together} == by_name(answers(tmp_path), "options")


class TestTelling:
    def told(self, folder: Path, *ways: str) -> Ran:
        """What a check says."""
        write(folder, {"rules.rules": RULES}, PLAYED)
        return rulekit("check", folder, "--proofs", *ways)

    def test_words(self, tmp_path: Path) -> None:
        """A paragraph for each question behind the findings; the exit code is that of these."""
        ran = self.told(tmp_path)

        assert 1 == ran.code
        assert "\n  proved 3\n    kept (given afloat), anybody, nobody\n" in ran.out
        assert "  undecided 1\n    squares  " in ran.out

    def test_a_line_each(self, tmp_path: Path) -> None:
        """For editors and scripts."""
        ran = self.told(tmp_path, "--output-format", "concise")

        assert (
            f"{tmp_path / 'rules.rules'}:23:1: refuted choice lost: Alpha.hits = 3, Beta.hits = 3; RK510"
            in (ran.out.splitlines())
        )

    def test_errors_and_formats(self, tmp_path: Path) -> None:
        """Behind errors nothing is proved; SARIF has findings only."""
        write(tmp_path, {"rules.rules": "state turn: trn\n"})
        wrong, sarif = rulekit("check", tmp_path, "--proofs"), self.told(tmp_path, "--output-format", "sarif")

        assert 1 == wrong.code and "fix the errors first" in wrong.err
        assert 2 == sarif.code and "`--output-format` must be one of full, concise, json" in sarif.err
