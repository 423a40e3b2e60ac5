"""`rulekit simulate`: what it prints and writes, and what it says of simulations that cannot be."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from tests.unit.cli.commands import working_folder
from tests.unit.cli.running import FERRY, ROOT, rulekit

SCHEMA = json.loads((ROOT / "schemas" / "simulation.schema.json").read_text(encoding="utf-8"))
SIMULATE = ("simulate", str(FERRY), "--workers", "1")


def test_the_table() -> None:
    """A heading for each measure, and a line with an interval for each value."""
    ran = rulekit(*SIMULATE, "--games", "30", "--of", "result", "--of", "tolls(Red)")

    assert 0 == ran.code
    lines = ran.out.splitlines()
    assert "30 games · agents random · seed 0 · intervals of 95 %" == lines[0]
    assert "result" == lines[1]
    assert re.fullmatch(r"  Blue +\d+\.\d ± \d+\.\d %  [█▏▎▍▌▋▊▉]+", lines[2])
    assert any(line.startswith("tolls(Red)  mean ") for line in lines)


@pytest.mark.parametrize("more", [(), ("--compare", "base", "--with", "calm")])
def test_json_follows_the_schema(tmp_path: Path, more: tuple[str, ...]) -> None:
    """With and without a comparison."""
    folder = working_folder(tmp_path) / "set"
    words = ("--games", "9", "--of", "tolls(Red)", "--of", "Swift.place", "--output-format", "json")
    ran = rulekit("simulate", str(folder), "--workers", "1", *words, *more)
    data = json.loads(ran.out)

    jsonschema.validate(data, SCHEMA)
    assert (
        9
        == data["games"]
        == sum(round(row["chance"] * 9) for row in data["measures"][0]["distribution"]["outcomes"])
    )


def test_traces_play_again(tmp_path: Path) -> None:
    """The log of an extreme game is an answer file that gives the same result."""
    ran = rulekit(*SIMULATE, "--games", "20", "--of", "tolls(Red)", "--trace-worst", str(tmp_path / "logs"))
    logs = sorted((tmp_path / "logs").iterdir())

    assert ["1-tolls-Red-greatest.jsonl", "1-tolls-Red-least.jsonl"] == [log.name for log in logs]
    for log in logs:
        again = rulekit("play", str(FERRY), "--agents", str(log), "--log", "-")
        assert 0 == again.code, again.err
        assert log.read_text().splitlines()[1:] == again.out.splitlines()[1:]
        assert f"{log}: game " in ran.err


def test_the_report_has_all_plots(tmp_path: Path) -> None:
    """Results, length, losses, measures, and differences; nothing from elsewhere is loaded."""
    folder = working_folder(tmp_path) / "set"
    page = tmp_path / "report.html"
    words = ("--games", "20", "--of", "day", "--with", "calm", "--compare", "base", "--report", str(page))
    ran = rulekit("simulate", str(folder), "--workers", "1", *words)
    text = page.read_text(encoding="utf-8")

    assert 0 == ran.code, ran.err
    heads = ["result", "decisions", "lost Red", "lost Blue", "day"]
    assert heads == re.findall(r"<h2>(.*?)</h2>", text)
    assert 2 * len(heads) <= text.count('<svg role="img" aria-label="')
    assert [] == re.findall(r'(?:src|href)="(?!#)[^"]*"', text.replace('xlink:href="#', 'href="#'))


def test_the_report_draws_all_by_one_value(tmp_path: Path) -> None:
    """The result, and the losses of all sides in one plot; one value alone draws nothing."""
    page = tmp_path / "report.html"
    words = ("--games", "40", "--by", "tolls(Red)", "--report", str(page))
    ran = rulekit(*SIMULATE, *words)
    text = page.read_text(encoding="utf-8")

    assert 0 == ran.code, ran.err
    section = text[text.index("<h2>By tolls(Red)</h2>") :]
    assert [
        "Mean losses of each side up to each value of tolls(Red)",
        "The result by tolls(Red)",
        "The mean of lost Red, lost Blue by tolls(Red)",
        "The mean of decisions by tolls(Red)",
    ] == re.findall(r'aria-label="(.*?)"', section)
    rulekit(*SIMULATE, "--games", "3", "--by", "1", "--report", str(page))
    assert "All games end with the same value: nothing is drawn by it." in page.read_text(encoding="utf-8")
    assert "--by is for a report" in rulekit(*SIMULATE, "--games", "3", "--by", "day").err


def test_a_file_of_python_plays(tmp_path: Path) -> None:
    """For all sides or one, with workers; the extreme games are those that its answers gave."""
    agents = tmp_path / "agents.py"
    agents.write_text("def last(session, decision):\n    return decision.legal_answers[-1]\n")
    words = ("--agent", f"Red={agents}:last", "--games", "20", "--of", "tolls(Red)", "--workers", "2")
    ran = rulekit("simulate", str(FERRY), *words, "--trace-worst", str(tmp_path / "logs"))

    assert 0 == ran.code, ran.err
    assert ran.out.startswith("20 games · agents Red agents.py:last, Blue random · seed 0")
    for log in sorted((tmp_path / "logs").iterdir()):
        again = rulekit("play", str(FERRY), "--agents", str(log), "--log", "-")
        assert log.read_text().splitlines()[1:] == again.out.splitlines()[1:]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--of", "tols(Red)"), "did you mean `tolls`?"),
        (("--of", "reslt"), "unknown name `reslt` in `reslt`; did you mean `result`?"),
        (("--of", "lost Rad"), "unknown side `Rad` in `lost Rad`; did you mean `Red`?"),
        (("--where", "day"), "expected a condition, found `day`"),
        (("--where", "day > 5"), "none of 3 games ends with `day > 5` true"),
        (
            ("--agents", "person"),
            "unknown agent `person`; choose from random, first-legal, or name `FILE.py:NAME`",
        ),
        (("--agents", "nowhere.py:best"), "`nowhere.py` not found"),
        (("--agent", "Red=rondom"), "unknown agent `rondom`; did you mean `random`?"),
        (("--agent", "Read=random"), "unknown side `Read` in agents; did you mean `Red`?"),
        (("--agent", "Red"), "expected SIDE=WHO"),
        (("--scenario", "evening"), "unknown scenario `evening`"),
        (("--games", "0"), "0 is not in the range x>=1"),
        (("--games", "five"), "'five' is not a whole number"),
        (("--save", "/nowhere/games"), "cannot write `/nowhere/games`: no such file or directory"),
        (("--report", "/nowhere/page.html"), "cannot write `/nowhere/page.html`"),
        (("--trace-worst", "/nowhere/logs"), "cannot write in `/nowhere/logs`"),
    ],
)
def test_what_cannot_be_simulated_is_told(words: tuple[str, ...], message: str) -> None:
    """In a line, with the nearest name, and with exit code 2."""
    ran = rulekit(*SIMULATE, "--games", "3", *words)

    assert 2 == ran.code
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_rules_without_sides(tmp_path: Path) -> None:
    """Are played by all; the log of a fault before the first decision ends with it."""
    (tmp_path / "ruleset.yaml").write_text('id: small\ntitle: Small\nlanguage: "0.2"\nsequence: play\n')
    (tmp_path / "small.rules").write_text(
        "state lead: 0..4\nroll fire: d6\n"
        "sequence play:\n    roll fire as shot                                  [1]\n"
        "    add shot to lead                                   [2]\n"
    )
    words = (
        "--games",
        "9",
        "--agents",
        "first-legal",
        "--of",
        "lead",
        "--trace-worst",
        str(tmp_path / "logs"),
    )
    ran = rulekit("simulate", str(tmp_path), "--workers", "1", *words)

    assert 0 == ran.code, ran.err
    assert ran.out.startswith("9 games · agents first-legal · seed 0")
    (log,) = (tmp_path / "logs").glob("fault-*")
    assert ["start", "roll"] == [json.loads(line)["kind"] for line in log.read_text().splitlines()][:2]


def test_faults_are_outcomes(tmp_path: Path) -> None:
    """With how often they occur and the first such game; nothing is lost."""
    (tmp_path / "ruleset.yaml").write_text(
        'id: small\ntitle: Small\nlanguage: "0.2"\nsides: Side\nsequence: play\n'
    )
    (tmp_path / "small.rules").write_text(
        "enum Side: Red, Blue\nstate lead: 0..4\nroll fire: d6\n"
        "sequence play:\n    roll fire as shot                                  [1]\n"
        "    add shot to lead                                   [2]\n"
        "    finish Red\n"
    )
    ran = rulekit("simulate", str(tmp_path), "--workers", "1", "--games", "40", "--output-format", "json")
    data = json.loads(ran.out)
    (fault,) = data["faults"]
    shares = {
        str(row.get("value", "fault")): row["chance"]
        for row in data["measures"][0]["distribution"]["outcomes"]
    }

    assert 0.2 < shares["fault"] < 0.5
    assert fault["games"] == round(shares["fault"] * 40)
    assert "RK" in fault["code"] and fault["rules"] == ["SMALL.2"]


@pytest.mark.parametrize("address", ["", "somewhere", "tcp://here:port", "foo://here:1"])
def test_what_is_no_address_of_a_scheduler(address: str) -> None:
    """One line that says how to write one."""
    ran = rulekit("simulate", str(FERRY), "--games", "9", "--dask", address)

    assert 2 == ran.code
    assert f"rulekit: `{address}` is not the address of a Dask scheduler; write tcp://HOST:PORT\n" == ran.err
