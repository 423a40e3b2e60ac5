"""Examples that pass without a rule that they cite."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from rulekit.analysis.mutate import BrokenExamples, VacuityJudge
from tests.unit.analysis.mutate.helpers import written
from tests.unit.cli.running import DUEL, ROOT, rulekit


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache is of this test alone."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))


SMALL = """
state hits(side): 0..9                          [1]
state night: 0..1
roll strike(side): d6                           [2]
modifier by_night on roll strike: -1 when night = 1 [2:1]

table effect(roll: 0..6) -> 0..3:
    | roll | effect |
    | 0..4 | 0      |
    | 5    | 1      | [3:1]
    | 6    | 2      | [3:2]

define steady(side) -> flag:
    when night = 1: false                       [4:1]
    otherwise: hits(side) < 3                   [4:2]

choice target(side) by side:
    pick one t from Side
    forbid own: t is side                       [5]
        unless night = 1

procedure wound(side, number: 0..3):            [6]
    add number to hits(side)

procedure fight(side):
    roll strike(side) as shown
    do wound(other(side), effect(shown))        [7]
    when night = 1: set hits(side) to 0         [8]
    set night to 1                              [9]
    set night to 0                              [9]
"""


def fates(tmp_path: Path, *examples: str) -> list[tuple[str, str]]:
    """The rules that some examples cite, without the prefix, each with its fate."""
    compiled = written(SMALL + "\n".join(examples) + "\n", tmp_path)
    judge = VacuityJudge(compiled)
    citations = [citation for example in compiled.program.examples for citation in judge.judge(example)]
    return [(citation.rule.partition(".")[2], citation.fate) for citation in citations]


def test_an_effect_that_the_example_expects_is_asserted(tmp_path: Path) -> None:
    """Without the statement, or with an empty procedure, the hit is missing."""
    example = 'example "a six":                             [6, 7]\n'
    example += "    when do fight(Red)\n    dice strike: 6\n    then hits(Blue) = 2\n"

    assert [("6", "asserted"), ("7", "asserted")] == fates(tmp_path, example)


def test_an_effect_that_makes_no_difference_is_vacuous(tmp_path: Path) -> None:
    """A four does not wound, so nothing shows whether anybody is wounded."""
    example = 'example "a four":                            [6, 7]\n'
    example += "    when do fight(Red)\n    dice strike: 4\n    then night = 0\n"

    assert [("6", "vacuous"), ("7", "vacuous")] == fates(tmp_path, example)


def test_rows_count_by_the_value_that_they_give(tmp_path: Path) -> None:
    """The row that gives the value is asserted; the other is not even reached."""
    example = 'example "a five":                            [3:1, 3:2]\n    then effect(5) = 1\n'

    assert [("3:1", "asserted"), ("3:2", "vacuous")] == fates(tmp_path, example)


def test_a_modifier_counts_if_the_result_needs_it(tmp_path: Path) -> None:
    """A four and a three do the same; a six and a five do not."""
    given = "    given night = 1\n    when do fight(Red)\n    dice strike: {}\n    then hits(Blue) = {}\n"
    four = 'example "four":                              [2:1]\n' + given.format(4, 0)
    six = 'example "six":                               [2:1]\n' + given.format(6, 1)

    assert [("2:1", "vacuous"), ("2:1", "asserted")] == fates(tmp_path, four, six)


def test_a_norm_counts_if_it_refuses(tmp_path: Path) -> None:
    """An answer that the norm would not refuse does not show it, unless it would refuse everything."""
    refused = 'example "own":                               [5]\n'
    refused += "    when choose target(Red)\n    answers target: Red\n    then refused by [5]\n"
    legal = 'example "by night":                          [5]\n    given night = 1\n'
    legal += "    when choose target(Red) as aim\n    answers target: Red\n    then aim is Red\n"
    idle = 'example "count":                             [5]\n    then hits(Red) = 0\n'

    assert [("5", "asserted"), ("5", "bounded"), ("5", "vacuous")] == fates(tmp_path, refused, legal, idle)


def test_an_example_of_where_a_rule_does_not_act_is_bounded(tmp_path: Path) -> None:
    """By day nothing is undone, and with the statement in force always something would be."""
    example = 'example "by day":                            [8]\n    given hits(Red) = 1\n'
    example += "    when do fight(Red)\n    dice strike: 1\n    then hits(Red) = 1\n"

    assert [("8", "bounded")] == fates(tmp_path, example)


def test_cases_are_emptied_one_by_one(tmp_path: Path) -> None:
    """The case that gives the value is asserted, and the one above it where it does not hold."""
    example = 'example "by day":                            [4:1, 4:2]\n    then steady(Red)\n'

    assert [("4:1", "bounded"), ("4:2", "asserted")] == fates(tmp_path, example)


def test_one_construct_of_several_is_enough(tmp_path: Path) -> None:
    """Two statements cite one rule: without the second the night goes on."""
    example = 'example "the night ends":                    [9]\n'
    example += "    when do fight(Red)\n    dice strike: 1\n    then night = 0\n"

    assert [("9", "asserted")] == fates(tmp_path, example)


def test_what_an_example_cannot_do_without_is_asserted(tmp_path: Path) -> None:
    """A die that it gives, and a state whose value it expects."""
    example = 'example "none":                              [1, 2, 77]\n'
    example += "    when do fight(Red)\n    dice strike: 1\n    then hits(Red) = 0\n"

    assert [("1", "asserted"), ("2", "asserted"), ("77", "unjudged")] == fates(tmp_path, example)


def test_examples_that_fail_are_not_judged(tmp_path: Path) -> None:
    """They would pass with nothing emptied or not, and show neither."""
    with pytest.raises(BrokenExamples, match="wrong"):
        fates(tmp_path, 'example "wrong":    [1]\n    then hits(Red) = 1\n')


def test_the_command_lists_vacuous_examples(golden: Callable[[str, str], None], tmp_path: Path) -> None:
    """With the lines that they pass without or do not reach; the exit code is that of findings."""
    one = 'example "a four":                            [6, 7]\n'
    one += "    when do fight(Red)\n    dice strike: 4\n    then night = 0\n"
    other = 'example "a five":                            [3:1, 3:2]\n    then effect(5) = 1\n'
    rules = tmp_path / "rules"
    rules.mkdir()
    written(SMALL + one + other, rules)

    first, again = (rulekit("test", rules, "--vacuous") for _ in range(2))

    assert first == again
    assert (1, "") == (first.code, first.err)
    golden("cli/vacuous.txt", first.out.replace(str(tmp_path), "FOLDER"))


def test_json_is_as_its_schema_says() -> None:
    """Every citation is in it, whatever its fate."""
    schema = json.loads((ROOT / "schemas" / "vacuous.schema.json").read_text())
    ran = rulekit("test", DUEL, "--vacuous", "--output-format", "json")

    report = json.loads(ran.out)

    jsonschema.validate(report, schema)
    assert "duel" == report["set"]
    assert {"asserted"} == {citation["fate"] for citation in report["citations"]}


def test_it_does_not_go_with_mutants() -> None:
    """Each of the two has a report of its own."""
    ran = rulekit("test", DUEL, "--vacuous", "--mutate")

    assert 2 == ran.code
    assert "--vacuous and --mutate exclude each other" in ran.err
