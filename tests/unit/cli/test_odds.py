"""`rulekit odds`: answers, and what it says of questions that have none."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from tests.unit.cli.running import ROOT, alone, rulekit
from tests.unit.reports.ships import SHIPS

RULES = (
    SHIPS
    + """\
state lead: 0..9
procedure volley -> 0..60:                              [7.8]
    let sum: 0..60 = 0
    repeat 10 times:
        roll fire as shot
        add shot to sum
    result sum
claim a_third:                                          [7.51]
    when do shoot(Alpha)
    chance Alpha.damage > 0
scenario late:
    set Alpha.damage to 3
"""
)
AGENTS = """
def last(session, decision):
    return decision.legal_answers[-1]


def wrong(session, decision):
    return "nothing of the kind"


def broken(session, decision):
    return decision.legal_answers[99]
"""
SCHEMA = json.loads((ROOT / "schemas" / "odds.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def rules(tmp_path: Path) -> str:
    """A small set."""
    (tmp_path / "ruleset.yaml").write_text('id: small\ntitle: Small\nlanguage: "0.2"\nsides: Side\n')
    (tmp_path / "small.rules").write_text(RULES)
    (tmp_path / "last.py").write_text(AGENTS)
    (tmp_path / "bad.py").write_text("1 / 0\n")
    return str(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["shoot(Alpha)", "--of", "Alpha.damage > 0"], "  yes  33.3 %  ██████████"),
        (["do shoot(Alpha)", "--of", "Alpha.damage", "--fraction"], "  6  1/6  █████"),
        (["roll fire"], "  6  16.7 %  █████"),
        (["fire"], "  6  16.7 %  █████"),
        (["a_third", "--fraction"], "  yes  1/3  ██████████"),
        (["shoot(Alpha)", "--scenario", "late", "--of", "Alpha.damage"], "  9  16.7 %  █████"),
        (["shoot(Alpha)", "--given", "Alpha.damage = 2", "--of", "Alpha.damage"], "  8  16.7 %  █████"),
        (["aimed", "--answers", "aim: Beta", "--of", "Beta.damage > 0"], "  yes  33.3 %  ██████████"),
        (["aimed", "--agents", "random", "--of", "Beta.damage > 0"], "  yes  16.7 %  █████"),
        (
            ["aimed", "--best", "aim: Beta.damage", "--of", "Beta.damage > 0"],
            "assumed: `aim` by the best answer for `Beta.damage` (Beta)",
        ),
        (["aimed", "--best", "aim by Red: Beta.damage > 0", "--of", "Beta.damage"], "  5  16.7 %  █████"),
        (["aimed", "--best", "aim by Blue: Beta.damage", "--of", "Beta.damage"], "  0  100.0 %  " + 30 * "█"),
        (["aimed", "--agents", "{folder}/last.py:last", "--of", "Beta.damage"], "  5  16.7 %  █████"),
        (
            ["aimed", "--agents", "{folder}/last.py:last", "--of", "lead"],
            "assumed: `aim` by `last.py:last`",
        ),
        (["aimed", "--of", "Beta.damage > 0"], "assumed: `aim` by the first legal answer"),
        (["volley", "--agents", "none"], "volley  mean 35, sd 5.401"),
        (
            ["aimed", "--answers", "aim: Beta", "--agents", "none", "--of", "lead"],
            "  0  100.0 %  " + 30 * "█",
        ),
        (
            ["shoot(Alpha)", "--given", "Alpha.damage = 4", "--of", "Alpha.damage"],
            "  fault RK701 out-of-range  16.7 %  █████",
        ),
        (["lead + 1"], "  1  100.0 %  ██████████████████████████████"),
        (["set lead to 3", "lead * 2"], "  6  100.0 %  ██████████████████████████████"),
        (["volley"], "volley  mean 35, sd 5.401"),
    ],
)
def test_answers(rules: str, arguments: list[str], line: str) -> None:
    """Each has this line, and the command succeeds."""
    result = rulekit("odds", rules, *[text.format(folder=rules) for text in arguments])

    assert (result.code, result.err) == (0, "")
    assert line in result.out.splitlines()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["shoot(Alpa)", "--of", "lead"],
            "unknown name `Alpa` in `shoot(Alpa)` at `Alpa)`; did you mean `Alpha`?",
        ),
        (["shot(Alpha)"], "did you mean `shoot`?"),
        (["amied", "--of", "lead"], "unknown procedure or definition `amied`; did you mean `aimed`?"),
        (["a_thrid"], "unknown name `a_thrid` in `a_thrid`; did you mean `a_third`?"),
        (["lead", "--of", "led"], "unknown name `led` in `led`; did you mean `lead`?"),
        (["shoot(Alpha)"], "`shoot(Alpha)` has no value: say what to look at at its end"),
        (["shoot"], "`shoot` takes 1 argument, found 0"),
        (["shoot(Alpha)", "--of", "Alpha.damag"], "did you mean `damage`?"),
        (["shoot(Alpha)", "--of", "lead >"], "in `lead >`"),
        (["shoot(Alpha)", "--of", "lead", "--scenario", "lat"], "did you mean `late`?"),
        (["shoot(Alpha)", "--of", "lead", "--given", "led = 3"], "did you mean `lead`?"),
        (["shoot(Alpha)", "--of", "lead", "--given", "@nowhere.txt"], "nowhere.txt"),
        (["shoot(Alpha)", "--of", "lead", "--given", "Alpha.damage = 12"], "12"),
        (["aimed", "--agents", "none", "--of", "lead"], "`aim` is asked, and has no answer"),
        (["aimed", "--answers", "aim by Blue: Beta", "--of", "lead"], "`aim` is asked of another side"),
        (["aimed", "--best", "aims: lead", "--of", "lead"], "unknown choice `aims`; did you mean `aim`?"),
        (["aimed", "--best", "aim by Rad: lead", "--of", "lead"], "unknown side `Rad`; did you mean `Red`?"),
        (["aimed", "--best", "aim", "--of", "lead"], "expected a choice and a value"),
        (
            ["aimed", "--best", "aim: led", "--of", "lead"],
            "unknown name `led` in `led`; did you mean `lead`?",
        ),
        (["aimed", "--best", "aim: Alpha", "--of", "lead"], "expected a number or condition, found `Alpha`"),
        (["a_third", "--best", "aim: lead"], "`a_third` says itself who answers"),
        (
            ["aimed", "--best", "aim: lead", "--of", "lead", "--situations", "1"],
            "the best answers are not known",
        ),
        (["aimed", "--best", "aim: lead", "--of", "lead", "--estimate", "9"], "not known from trials"),
        (["aimed", "--agents", "randon", "--of", "lead"], "unknown agent `randon`; did you mean `random`?"),
        (
            ["aimed", "--agents", "{folder}/last.py:lst", "--of", "lead"],
            "no function `lst`; did you mean `last`?",
        ),
        (["aimed", "--agents", "{folder}/lost.py:last", "--of", "lead"], "lost.py"),
        (["aimed", "--agents", "{folder}/bad.py:last", "--of", "lead"], "bad.py` fails: ZeroDivisionError"),
        (["aimed", "--agents", "{folder}/last.py:wrong", "--of", "lead"], "`last.py:wrong` answers `aim`: "),
        (
            ["aimed", "--agents", "{folder}/last.py:wrong", "--of", "lead", "--estimate", "9"],
            "`last.py:wrong` answers `aim`: ",
        ),
        (
            ["aimed", "--agents", "{folder}/last.py:broken", "--of", "lead"],
            "`last.py:broken` fails at `aim`: IndexError: ",
        ),
        (
            ["aimed", "--agents", "{folder}/last.py:broken", "--of", "lead", "--estimate", "9"],
            "last.py`, line 11)",
        ),
        (["aimed", "--answers", "aims: Beta", "--of", "lead"], "did you mean `aim`?"),
        (["roll fire", "--estimate", "0"], "0"),
        (["roll fire", "--seconds", "0"], "0"),
        (["roll fire", "--situations", "0"], "0"),
        (["roll fire", "--exact", "--estimate", "5"], "exclude each other"),
        (["roll fire", "--of", 'lead"\nexample "x'], "lead"),
    ],
)
def test_questions_without_an_answer(rules: str, arguments: list[str], message: str) -> None:
    """Each is told in one line, with what is wrong, and never with a traceback."""
    result = rulekit("odds", rules, *[text.format(folder=rules) for text in arguments])

    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err
    assert result.out == ""


def test_a_bounded_answer_says_so(rules: str) -> None:
    """It gives both ends, and with --exact the command fails."""
    result = rulekit("odds", rules, "volley", "--situations", "60", "--exact")

    assert result.code == 1
    assert result.out.startswith("bounded: ")
    assert "the answer is bounded, not exact" in result.err
    assert "hint: allow more with --seconds" in result.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["volley"],
        ["volley", "--situations", "60"],
        ["volley", "--estimate", "100"],
        ["shoot(Alpha)", "--of", "Alpha.damage", "--of", "Alpha.damage > 5", "--joint"],
        ["shoot(Alpha)", "--given", "Alpha.damage = 4", "--of", "Alpha.damage"],
    ],
)
def test_answers_for_programs(rules: str, arguments: list[str]) -> None:
    """JSON fits the schema; CSV has a line for each outcome."""
    data = json.loads(rulekit("odds", rules, *arguments, "--output-format", "json").out)
    lines = rulekit("odds", rules, *arguments, "--output-format", "csv").out.splitlines()

    jsonschema.validate(data, SCHEMA)
    assert len(lines) == len(data["outcomes"]) + 1
    assert len({line.count(",") for line in lines}) == 1


def test_cases_stand_beside_each_other(rules: str, tmp_path: Path) -> None:
    """A column for each fact, and one plot with all; an end that is unlikely in each case is one line."""
    plot = tmp_path / "cases.svg"
    vary = ("--vary", "Alpha.damage = 3", "--vary", "Alpha.damage = 0")
    ran = rulekit("odds", rules, "shoot(Alpha)", "--of", "Alpha.damage", *vary, "--plot", str(plot))

    assert [
        "Alpha.damage",
        "        Alpha.damage = 3  Alpha.damage = 0",
        "  mean             4.833             1.833",
        "  0                0.0 %            66.7 %",
        "  3               66.7 %             0.0 %",
        "  5                0.0 %            16.7 %",
        "  6                0.0 %            16.7 %",
        "  8               16.7 %             0.0 %",
        "  9               16.7 %             0.0 %",
    ] == ran.out.splitlines()
    assert 1 == plot.read_text(encoding="utf-8").count('<g id="axes_')
    ran = rulekit("odds", rules, "volley", "--vary", "lead = 1", "--vary", "lead = 2")
    assert re.search(r"^  51\.\. +0\.1 % +0\.1 %$", ran.out, re.MULTILINE)


def test_cases_share_the_facts_of_standard_input(rules: str) -> None:
    """Every case has them, not only the first."""
    vary = ("--vary", "lead = 1", "--vary", "lead = 2")
    ran = alone(
        *("odds", rules, "shoot(Alpha)", "--of", "Alpha.damage", "--given", "@-", *vary),
        typed="Alpha.damage = 1\n",
    )

    assert ["mean", "2.833", "2.833"] == ran.out.splitlines()[2].split()


@pytest.mark.parametrize("output", ["json", "csv"])
def test_cases_for_programs(rules: str, output: str) -> None:
    """JSON has the distributions of each case, CSV a column for it."""
    vary = ("--vary", "Alpha.damage = 3", "--vary", "Alpha.damage = 0", "--output-format", output)
    ran = rulekit("odds", rules, "shoot(Alpha)", "--of", "Alpha.damage", *vary)

    if output == "json":
        data = json.loads(ran.out)
        assert ["Alpha.damage = 3", "Alpha.damage = 0"] == list(data)
        for (part,) in data.values():
            jsonschema.validate(part, SCHEMA)
    else:
        lines = [line.split(",") for line in ran.out.splitlines()]
        assert ["case", "Alpha.damage", "chance", "fraction"] == lines[0]
        assert [["Alpha.damage = 3", "Alpha.damage = 0"][n // 3] for n in range(6)] == [
            line[0] for line in lines[1:]
        ]


def test_rules_with_an_option_are_compared_with_the_base(rules: str) -> None:
    """Each by its own rules; an option that does not exist is an error with the nearest name."""
    folder = Path(rules)
    (folder / "options").mkdir()
    (folder / "options" / "heavy.rules").write_text(
        'option heavy "Heavy guns" by House, optional_rule: [7]\n    reason "louder"\n'
        "modifier heavier on roll fire: +2 [7]\n"
    )
    manifest = folder / "ruleset.yaml"
    manifest.write_text(manifest.read_text() + "options: [heavy]\n")
    words = ("shoot(Alpha)", "--of", "Alpha.damage > 0", "--with", "heavy", "--compare")
    ran = rulekit("odds", rules, *words, "base")

    assert [
        "        heavy    base",
        "  no   33.3 %  66.7 %",
        "  yes  66.7 %  33.3 %",
    ] == ran.out.splitlines()[1:4]
    assert "did you mean `heavy`" in rulekit("odds", rules, *words, "heavi").err


def test_a_plot_has_room_for_seven_cases(rules: str, tmp_path: Path) -> None:
    """More are refused."""
    vary = [word for n in range(8) for word in ("--vary", f"Alpha.damage = {n}")]
    ran = rulekit("odds", rules, "shoot(Alpha)", "--of", "lead", *vary, "--plot", str(tmp_path / "cases.svg"))

    assert (2, "rulekit: a plot has room for 7 cases\n") == (ran.code, ran.err)


def test_answers_apart_for_programs(rules: str) -> None:
    """Of several things without --joint: a distribution for each."""
    arguments = ["shoot(Alpha)", "--of", "Alpha.damage", "--of", "Alpha.damage > 5"]
    parts = json.loads(rulekit("odds", rules, *arguments, "--output-format", "json").out)
    tables = rulekit("odds", rules, *arguments, "--output-format", "csv").out.split("\n\n")

    for part, table in zip(parts, tables, strict=True):
        jsonschema.validate(part, SCHEMA)
        assert len(table.splitlines()) == len(part["outcomes"]) + 1
    assert [part["names"] for part in parts] == [["Alpha.damage"], ["Alpha.damage > 5"]]


def test_estimates_repeat(rules: str) -> None:
    """A seed gives the same estimate; another one, another."""
    first, again, other = (
        rulekit("odds", rules, "volley", "--estimate", "200", "--seed", seed).out for seed in "778"
    )

    assert first == again
    assert first != other


def test_own_agents_answer_in_estimates_too(rules: str) -> None:
    """The share of each value is near the exact one, the ship is the agent's, and the seed decides."""
    arguments = ["aimed", "--agents", f"{rules}/last.py:last", "--of", "Beta.damage"]
    arguments += ["--output-format", "json", "--estimate", "3000", "--seed"]
    first, again, other = (
        json.loads(rulekit("odds", rules, *arguments, seed).out)["outcomes"] for seed in "778"
    )
    shares = {row["value"]: row["chance"] for row in first}

    assert first == again != other
    assert {0, 5, 6} == set(shares)
    assert abs(shares[0] - 2 / 3) < 0.035 and abs(shares[5] - 1 / 6) < 0.028  # 4 sigma


def test_given_answers_come_before_those_of_an_own_agent(rules: str) -> None:
    """In estimates as in exact odds."""
    arguments = [
        "aimed",
        "--agents",
        f"{rules}/last.py:last",
        "--answers",
        "aim: Alpha",
        "--of",
        "Beta.damage",
    ]

    assert "  0  100.0 ± 3.6 %" in rulekit("odds", rules, *arguments, "--estimate", "50").out


@pytest.mark.parametrize("arguments", [[], ["--agents", "{folder}/last.py:last"], ["--agents", "random"]])
def test_estimates_tell_what_they_assume(rules: str, arguments: list[str]) -> None:
    """The choices that were asked, and how they were answered: the same as of exact odds."""
    asked = [
        ["aimed", "--of", "Beta.damage", *[text.format(folder=rules) for text in arguments]],
        ["aimed", "--of", "Beta.damage", "--answers", "aim: Alpha"],
        ["shoot(Alpha)", "--of", "Alpha.damage"],
    ]
    for question in asked:
        exact, estimated = (
            json.loads(rulekit("odds", rules, *question, *how, "--output-format", "json").out)["assumed"]
            for how in ([], ["--estimate", "50"])
        )
        assert (exact["given"], exact["answered"], exact["by"]) == (
            estimated["given"],
            estimated["answered"],
            estimated["by"],
        )


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    """At once, before it is read as facts."""
    huge = tmp_path / "facts"
    huge.write_bytes(b" " * (1024 * 1024 + 1))
    ran = rulekit("odds", "vitp", "turn", "--given", f"@{huge}")
    assert (2, "") == (ran.code, ran.out) and "has more than 1,048,576 bytes" in ran.err
