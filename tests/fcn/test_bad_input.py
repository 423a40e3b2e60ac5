"""What is wrong in a set-up or in an owner's file is told with its place and what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from ruamel.yaml import YAML

import rulekit
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report, RulesError
from rulekit.ir import missing_tables

from .made_up import FOLDER, PLANE, SAMPLER, SHIP, TYPES, YEARS, counters, owner_file


def findings(folder: Path, overlays: tuple[Path, ...] = ()) -> list[tuple[str, str, int, str]]:
    """The errors of a set: code, file, line, message and hint."""
    try:
        compile_rule_set(folder, Report(), overlays=overlays)
    except RulesError as error:
        return [
            (each.kind.code, Path(each.span.file).name, each.span.line, f"{each.message} ({each.hint})")
            for each in error.diagnostics
        ]
    return []


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The rule set, to be spoiled."""
    return Path(shutil.copytree(FOLDER, tmp_path / "fcn"))


def spoil(file: Path, good: str, bad: str) -> int:
    """Write `bad` for `good`; the number of the line."""
    text = file.read_text(encoding="utf-8")
    assert good in text
    file.write_text(text.replace(good, bad, 1), encoding="utf-8")
    return text[: text.index(good)].count("\n") + 1


def test_a_set_up_in_an_area_that_is_not_there(copy: Path) -> None:
    """The row is told, and the name that was meant."""
    line = spoil(copy / "data" / "forces.yaml", "{42: West Coast", "{42: West Cost")

    (found,) = findings(copy)
    assert found[:3] == ("RK604", "forces.yaml", line)
    assert "West Cost" in found[3] and "West Coast" in found[3]


def test_a_force_that_is_not_there(copy: Path) -> None:
    """A row for a counter that the campaign does not have."""
    line = spoil(copy / "data" / "1942.yaml", "[Hornet, ", "[Hornett, ")

    found = findings(copy)
    assert ("RK604", "1942.yaml", line) in {each[:3] for each in found}


def test_an_owners_file_without_a_column(tmp_path: Path) -> None:
    """The column is named, and those that are wanted."""
    file = tmp_path / "1943.yaml"
    file.write_text(owner_file(1943).replace("hurt_depth", "hurt", 1), encoding="utf-8")

    ((code, where, line, told),) = findings(FOLDER, (file,))
    assert (code, where, line) == ("RK605", "1943.yaml", 4)
    assert "`ship_values_1943` has no column `hurt_depth`" in told and "hurt_surface, hurt_depth)" in told


def test_an_owners_file_without_a_counter(tmp_path: Path) -> None:
    """The counters of the year are listed, and those of others are not wanted."""
    file, text = tmp_path / "1943.yaml", owner_file(1943)
    row = next(line for line in text.splitlines(keepends=True) if line.startswith("      - [Hiyo,"))
    file.write_text(text.replace(row, row.replace("Hiyo", "Kaga")), encoding="utf-8")

    found = {each[0]: each[3] for each in findings(FOLDER, (file,))}
    assert (
        "ship Kaga is not among the listed keys" in found["RK607"]
        and "no row for ship Hiyo" in found["RK606"]
    )


def test_a_set_up_over_an_airfields_limit(copy: Path) -> None:
    """Told at the row that is one too much; the claim, the limit and the others are shown beside it."""
    file = copy / "data" / "forces.yaml"
    for unit in ("3rd BG", "22nd BG", "38th BG", "8th FG"):
        row = f"[{unit}, US, false, false, {{42: "
        line = spoil(file, f"{row}US Reinforcements", f"{row}Alaska")

    (found,) = (each for each in rulekit.check(copy) if each.kind.code == "RK411")
    assert ("data/forces.yaml", line) == (found.span.file, found.span.line)
    assert "`airfields_fit`" in found.message and "Alaska" in found.message and found.hint is not None
    assert "6 are counted, this one too" == found.under
    beside = [(Path(each.span.file).name, each.text) for each in found.labels]
    counted = [("forces.yaml", "counted")] * 5
    assert [("claims.rules", "what is claimed"), ("map.yaml", "`limit` of Alaska"), *counted] == beside


def test_an_owners_set_up_over_a_limit(tmp_path: Path) -> None:
    """In a file laid over the set's, for a campaign whose numbers are not there: the owner's row is told."""
    file = tmp_path / "own.yaml"
    rows = "".join(f"      - [{unit}, {{43: Samoa}}]\n" for unit in ("MAG 21", "MAG 22", "MAG 23"))
    head = "format: 1\npopulations:\n  AirUnit:\n    columns: [name, start]\n    rows:\n"
    file.write_text(head + rows, encoding="utf-8")

    (found,) = (each for each in rulekit.check("fcn", data=[file]) if each.kind.code == "RK411")
    assert (file.name, 8) == (Path(found.span.file).name, found.span.line)
    assert "Samoa, year = 43" in found.message


@pytest.mark.parametrize("year", YEARS)
def test_the_sampler_is_as_written(year: int) -> None:
    """`python -m tests.fcn.made_up` writes it; the check and games name the owner's file."""
    assert owner_file(year) == (SAMPLER / f"{year}.yaml").read_text(encoding="utf-8")
    files = {missing_tables.owner_file(table) for table in rulekit.load("fcn").program.statics}
    assert f"owner/{year}.yaml" in files


@pytest.mark.parametrize("year", YEARS)
def test_a_form_has_every_counter_of_its_year(year: int) -> None:
    """Every table with every column, and a row for every counter that the campaign has."""
    form = YAML(typ="safe").load(template(year))["tables"]
    for table, (columns, keys) in wanted(year).items():
        assert list(columns) == form[table]["columns"]
        assert sorted(keys) == sorted(row[0] for row in form[table]["rows"])
    assert ["points", "result"] == form[f"points_{year}"]["columns"]


@pytest.mark.parametrize("year", YEARS)
def test_the_file_to_fill_in_is_what_an_owner_needs(year: int, tmp_path: Path) -> None:
    """With numbers in its empty cells it starts the campaign; no row is wanting and none too much."""
    file = tmp_path / "own.yaml"
    file.write_text(template(year).replace("~", "1"), "utf-8")

    session = rulekit.load("fcn", data=[file]).start(seed=1, scenario=str(year))
    assert year - 1900 == session.state("year")


def template(year: int) -> str:
    """The form of a year's file, its cells empty."""
    statics = missing_tables.made_up_or_missing(rulekit.load("fcn").program.statics)
    file = f"owner/{year}.yaml"
    return missing_tables.template([one for one in statics if missing_tables.owner_file(one) == file])


def wanted(year: int) -> dict[str, tuple[tuple[str, ...], list[str]]]:
    """The tables of a campaign's counters: their columns, and the counters that are set up."""
    return {
        f"{table}_{year}": (columns, keys)
        for table, columns, keys in (
            ("ship_values", ("ship", *SHIP), [name for name, _ in counters("Ship", year)]),
            ("air_values", ("unit", "cost", *PLANE), [name for name, _ in counters("AirUnit", year)]),
            (
                "infantry_values",
                ("unit", "cost", "ground", "hurt_ground"),
                [name for name, _ in counters("Infantry", year)],
            ),
            ("plane_values", ("type", "cost", *PLANE), list(TYPES[year])),
        )
    }
