"""What may be wrong with options, dates and an owner's tables: told at its place, with a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.analysis.options.sets import BASE, QUIET, made
from tests.unit.cli.running import ROOT, Ran, rulekit

HARBOUR = ROOT / "tests" / "sets" / "harbour"
RULES = ROOT / "rules"
DATED = BASE.replace("1..9 = 1", "1..9 = 1\ncalendar today from Jan 1942 to Jun 1942: Dec 1941 + turn")
FOUND, FAILED = 1, 2


def one_line(folder: Path, *more: str) -> str:
    """The only finding of a check, as a line with the path left out."""
    ran = rulekit("check", folder, *QUIET, "--output-format", "concise", *more)
    (line,) = ran.out.splitlines()
    assert FOUND == ran.code
    return line.removeprefix(f"{folder}/")


CHOSEN = [
    ("an unknown option", ("fgo",), FAILED, ("RK222", "unknown option `fgo`", "did you mean `fog`?")),
    ("another set's option", ("jsis_flak_phase_in",), FAILED, ("RK222", "is an option of `pacwar`")),
    (
        "a needed one is missing",
        ("spring-tide",),
        FOUND,
        ("RK235", "needs `fog`", "fog.rules:1", "add `--with fog`"),
    ),
    (
        "two that exclude each other",
        ("night-raids", "old-salts"),
        FOUND,
        (
            "RK233",
            "`night_raids` excludes `old_salts`",
            "its reason: the harbour does not sleep",
            "also on; its reason: they know every stone",
        ),
    ),
    ("two presets at odds", ("dark", "old-weather"), FOUND, ("RK233",)),
]


@pytest.mark.parametrize(
    ("options", "code", "said"), [each[1:] for each in CHOSEN], ids=[each[0] for each in CHOSEN]
)
@pytest.mark.parametrize("verb", ["check", "play", "diff", "compile"])
def test_options_that_cannot_be_chosen(
    verb: str, options: tuple[str, ...], code: int, said: tuple[str, ...]
) -> None:
    """Every verb says the same, with the reasons of who needs or excludes, and both places."""
    ran = rulekit(verb, HARBOUR, *(word for option in options for word in ("--with", option)))

    text = ran.out + ran.err
    assert code == ran.code
    assert [] == [words for words in said if words not in " ".join(text.split())]
    assert "Traceback" not in text


def test_an_option_that_is_chosen_twice() -> None:
    """By its name, or by presets that share it: that means nothing."""

    def shown(*options: str) -> Ran:
        return rulekit("compile", HARBOUR, *(word for option in options for word in ("--with", option)))

    assert 0 == shown("fog", "fog").code
    assert shown("fog") == shown("fog", "fog")
    assert shown("fog", "night-raids") == shown("dark", "fog") == shown("night-raids", "dark", "dark")


DATES = [
    (
        "exception e:\n    in force from Jan 1950\n    set value hand to 3\n",
        "RK316",
        "no month of the calendar",
    ),
    ("exception e:\n    in force during Jul 1942 to May 1943\n    set value hand to 3\n", "RK316", ""),
    ("roll dice: d6\nmodifier m on roll dice: +1\n    from Jul 1942\n", "RK316", "no month of the calendar"),
    ("value more:\n    until May 1942: 1\n    from Jun 1942: 2\n    from Jul 1942: 3\n", "RK316", ""),
    ("state due: month = Jul 1942\n", "RK316", "Jul 1942 is outside Jan 1942..Jun 1942"),
    (
        "table t(date: month) -> 0..9:\n    | date | n |\n    | Jan 1942 to Jul 1942 | 1 |\n",
        "RK330",
        "outside Jan 1942..Jun 1942, the values of `date`",
    ),
]


@pytest.mark.parametrize(("text", "code", "said"), DATES)
def test_a_date_outside_the_calendar(tmp_path: Path, text: str, code: str, said: str) -> None:
    """In force, in a stretch, in a table, in a state: at its line."""
    line = one_line(made(tmp_path, {}, base=DATED + text))

    assert line.startswith("game.rules:") and f": {code} " in line and said in line


@pytest.mark.parametrize(
    ("date", "said"),
    [
        ("Jul 1942", "Jul 1942 is outside the calendar"),
        ("Dec 1941", "which runs from Jan 1942 to Jun 1942"),
        ("Foo 1942", "invalid month `Foo 1942`"),
        ("1942", "invalid month `1942`"),
        ("", "invalid month ``"),
    ],
)
def test_asking_for_a_date_outside_the_calendar(tmp_path: Path, date: str, said: str) -> None:
    """`explain --date` refuses, with the calendar's ends."""
    ran = rulekit("explain", "--date", date, made(tmp_path, {}, base=DATED))

    assert (FAILED, "") == (ran.code, ran.out)
    assert said in ran.err


OWNED = BASE.replace("finish hand", "finish crt(Blue, 2)") + (
    'extern table crt(side, roll: 1..2) -> 0..9:\n    file "owner/crt.yaml"\n'
)
HEAD = "format: 1\ntables:\n  crt:\n    columns: [{}]\n    rows:\n"
ROWS = "      - [Red, 1, 3]\n      - [Red, 2, 3]\n      - [Blue, 1, 3]\n      - [Blue, 2, 3]\n"
WHOLE = HEAD.format("side, roll, result") + ROWS

OWNERS = [
    ("no such table", WHOLE.replace("crt:", "ctr:"), "game.rules:", "RK605"),
    ("a column missing", WHOLE.replace("side,", "nation,"), "owner/crt.yaml:3", "RK605"),
    (
        "a column too many",
        HEAD.format("side, roll, result, more") + ROWS.replace("3]", "3, 4]"),
        "owner/crt.yaml:3",
        "RK605",
    ),
    ("a result of a wrong type", WHOLE.replace("Red, 1, 3", "Red, 1, hit"), "owner/crt.yaml:6", "RK603"),
    ("a result out of range", WHOLE.replace("Red, 1, 3", "Red, 1, 13"), "owner/crt.yaml:6", "RK603"),
    ("a key that is none", WHOLE.replace("Red, 1, 3", "Rad, 1, 3"), "owner/crt.yaml:6", "RK604"),
    ("a row too many", WHOLE + "      - [Blue, 3, 3]\n", "owner/crt.yaml:10", "RK603"),
    ("a row twice", WHOLE + "      - [Blue, 2, 3]\n", "owner/crt.yaml:10", "RK641"),
    ("a row twice, by a range", WHOLE + "      - [Red, 1..2, 3]\n", "owner/crt.yaml:10", "RK641"),
    ("a row too few", WHOLE.replace("      - [Red, 2, 3]\n", ""), "owner/crt.yaml:3:", "RK606"),
    ("a cell too many", WHOLE.replace("Red, 1, 3", "Red, 1, 3, 4"), "owner/crt.yaml:6", "RK636"),
    ("no data file", "hello", "owner/crt.yaml:1", "RK6"),
]


@pytest.mark.parametrize(
    ("text", "place", "code"), [each[1:] for each in OWNERS], ids=[each[0] for each in OWNERS]
)
def test_an_owners_table_of_another_shape(tmp_path: Path, text: str, place: str, code: str) -> None:
    """Told once, in the owner's file where it can be."""
    folder = made(tmp_path, {}, base=OWNED)
    (folder / "owner").mkdir()
    (folder / "owner" / "crt.yaml").write_text(text)

    line = one_line(folder)

    assert line.startswith(place) and f": {code}" in line


def test_an_owners_table_that_is_not_there(tmp_path: Path) -> None:
    """No fault until it is needed; then its file and its columns are named, and the line that asks."""
    folder = made(tmp_path, {}, base=OWNED)

    assert 0 == rulekit("check", folder, *QUIET).code
    ran = rulekit("play", folder, "--agents", "random", "--seed", "1")
    assert FAILED == ran.code
    for said in ("`crt`", "`owner/crt.yaml`", "columns: [side, roll, result]", "game.rules:"):
        assert said in ran.err
    (folder / "owner").mkdir()
    (folder / "owner" / "crt.yaml").write_text(WHOLE)
    assert "result: 3" in rulekit("play", folder, "--agents", "random", "--seed", "1").out
