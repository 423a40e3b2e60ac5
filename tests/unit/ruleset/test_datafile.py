"""Data files: what they say, and what is told when they say it wrong."""

from __future__ import annotations

import pytest

from rulekit.diagnostics.render_text import Lines
from rulekit.ruleset import Confidence
from tests.unit.ruleset.helpers import SHIPS, codes, read, try_read, underlined

P, C, R, M, U = Confidence


def test_a_whole_file_is_read() -> None:
    """Populations, tables and values, each row with its cells, note and source."""
    data, found = read(SHIPS)

    assert [] == found
    assert "ships made up for tests" == data.about
    assert {"BOOK": "the booklet", "PAGE": "a page by somebody who owns it"} == data.sources
    ships = data.populations["Ship"]
    assert ("name", "nation", "armor", "circled", "at") == ships.columns
    assert [
        ["Alpha", "Red", 4, ("guns",), "Harbour"],
        ["Beta", "Red", 3, (), None],
        ["Gamma", "Blue", 2, ("guns", "planes"), "12"],
    ] == [[cell.plain for cell in row.cells] for row in ships.rows]
    assert ["", "seen once", ""] == [row.note for row in ships.rows]
    assert ["BOOK", "BOOK PAGE", "BOOK"] == [row.source for row in ships.rows]
    assert 2 == data.tables["fire"].keys
    assert (3, (1, 2)) == (data.values["start"].cell.plain, data.values["limit"].cell.plain)
    assert "both sides" == data.values["limit"].note


def test_confidence_is_said_by_file_block_row_and_column() -> None:
    """The nearest word counts; where nobody says one, that is known too."""
    data, _ = read(SHIPS)

    assert [(P, C, C, C, C), (P, C, C, C, R), (M,) * 5] == [
        row.confidence for row in data.populations["Ship"].rows
    ]
    assert {(P, P, P)} == {row.confidence for row in data.tables["fire"].rows}
    assert (U, P) == (data.values["start"].confidence, data.values["limit"].confidence)


def test_the_files_word_holds_where_nothing_else_is_said() -> None:
    """`confidence` at the top is the whole file's."""
    data, _ = read("format: 1\nconfidence: reconstructed\nvalues: {a: 1, b: {value: 2, confidence: printed}}")

    assert (R, P) == (data.values["a"].confidence, data.values["b"].confidence)


def test_every_cell_has_its_place() -> None:
    """Spans underline exactly the cell, also inside lists and mappings."""
    text = "format: 1\nvalues:\n  a: {value: [one, {b: 'two', c: 3}]}\n"
    data, _ = read(text)
    cell = data.values["a"].cell
    assert isinstance(cell.value, tuple)
    one, rest = cell.value
    assert isinstance(rest.value, dict)

    lines = Lines(lambda _: text)

    assert ["one", "'two'", "3"] == [
        lines.under(each.span) for each in (one, rest.value["b"], rest.value["c"])
    ]
    assert "a" == lines.under(data.values["a"].span)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("+3", 3),
        ("0", 0),
        ("-999999999999999999", -999999999999999999),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("yes", "yes"),
        ("NO", "NO"),
        ("3:1", "3:1"),
        ("1941-12", "1941-12"),
        ("1..3", "1..3"),
        ("'3'", "3"),
        ('"~"', "~"),
        ("two words", "two words"),
        ("[1, [a]]", (1, ("a",))),
        ("{a: 1}", {"a": 1}),
    ],
)
def test_cells_are_read_as_written(written: str, value: object) -> None:
    """Whole numbers, yes and no, nothing; everything else is text."""
    data, found = read(f"format: 1\nvalues:\n  it: {written}\n")

    assert [] == found
    assert value == data.values["it"].cell.plain
    assert type(value) is type(data.values["it"].cell.plain)


@pytest.mark.parametrize(
    "written", ["0145", "1.5", ".5", "1.", "1e3", "12E3", "0x1F", "0o17", ".inf", "-.5", ".nan"]
)
def test_a_number_that_may_be_a_name_is_told(written: str) -> None:
    """What YAML would turn into another number is neither turned nor passed over."""
    text = f"format: 1\nvalues:\n  it: {written}\n"
    _, found = read(text)

    assert ["ambiguous-number"] == codes(found)
    assert written == underlined(text, found[0])
    assert [] == read(text.replace(written, f"'{written}'"))[1]


@pytest.mark.parametrize(
    ("text", "name", "under", "hint"),
    [
        ("format: 1\nabuot: x", "unknown-key", "abuot", "did you mean `about`?"),
        ("format: 1\nvalues:\n  a: 1\n  a: 2", "duplicate-key", "a", "keep one"),
        ("format: 1\nconfidence: certain", "confidence-word", "certain", "known here"),
        ("format: 1\nconfidence: [printed]", "confidence-word", "[printed]", "known here"),
        ("format: 1\nconfidence: printde", "confidence-word", "printde", "did you mean `printed`?"),
        ("format: 1\nvalues: [1]", "wrong-shape", "[1]", ""),
        ("format: 1\nabout: [1]", "wrong-shape", "[1]", ""),
        ("format: 1\n? [a]\n: 1", "wrong-shape", "[a]", ""),
        ("format: 1\nvalues: {'': 1}", "wrong-shape", "''", ""),
        ("format: 2", "not-a-data-file", "2", "format: 1"),
        ("title: x", "not-a-data-file", "", "format: 1"),
        ("", "not-a-data-file", "", "format: 1"),
        ("# nothing\n", "not-a-data-file", "", "format: 1"),
        ("- 1\n- 2", "not-a-data-file", "", "format: 1"),
        ("format: 1\nvalues: {a: &x 1}", "unsupported-yaml", "&x 1", "write the value out"),
        ("format: 1\nvalues: {a: *x}", "unsupported-yaml", "*x", "write the value out"),
        (
            "format: 1\nvalues: {a: !!python/object:os.system x}",
            "unsupported-yaml",
            "!!python/object:os.system x",
            "",
        ),
        ("format: 1\n---\nformat: 1", "unsupported-yaml", "---", "write the value out"),
        ("%YAML 1.1\n---\nformat: 1", "unsupported-yaml", "---", ""),
        ("format: 1\nabout: a: b", "yaml-syntax", ":", "in quotes"),
        ("format: 1\nvalues: {a: [1, 2", "yaml-syntax", "", "close it with `]`"),
        ("format: 1\nvalues: {a: 1", "yaml-syntax", "", "close it with `}`"),
        ("format: 1\nabout: 'x", "yaml-syntax", "", "close it"),
        ("format: 1\nvalues:\n\t a: 1", "yaml-syntax", "\t", "use spaces"),
        ("format: 1\nvalues:\n  a: 1\n b: 2", "yaml-syntax", "b", "align"),
        ("format: 1\nabout: \x01", "yaml-syntax", "\x01", "remove it"),
    ],
)
def test_a_mistake_is_told_where_it_is(text: str, name: str, under: str, hint: str) -> None:
    """The finding underlines the mistake and says what to do."""
    _, found = try_read(text)

    assert [name] == codes(found)
    assert under == underlined(text, found[0])
    assert hint in (found[0].hint or "")


def population(extra: str = "", columns: str = "[name, armor]", rows: str = "[]") -> str:
    """A data file with one population."""
    return f"format: 1\npopulations:\n  Ship:\n    columns: {columns}\n    rows: {rows}\n{extra}"


@pytest.mark.parametrize(
    ("text", "name", "under", "hint"),
    [
        (population(rows="[[Alpha]]"), "cell-count", "[Alpha]", "without a cell is `armor`"),
        (population(rows="[[Alpha, 1, 2, 3]]"), "cell-count", "2", "the last column is `armor`"),
        (population(rows="[Alpha]"), "wrong-shape", "Alpha", "[cell, cell, ...]"),
        (population(rows="[[[Alpha], 1]]"), "wrong-shape", "[Alpha]", ""),
        (population(rows="[[~, 1]]"), "wrong-shape", "~", ""),
        (population(rows="[[A, 1], [A, 2]]"), "duplicate-row", "A", "keep one"),
        (population(rows="[{row: [A, 1], not: x}]"), "unknown-key", "not", "did you mean `note`?"),
        (population(rows="[{note: x}]"), "missing-key", "", "row"),
        (population(rows="[{row: [A, 1], confidence: {armour: printed}}]"), "unknown-key", "armour", "armor"),
        (population(rows="{A: 1}"), "wrong-shape", "{A: 1}", ""),
        (population(columns="[name, name]"), "duplicate-key", "name", "keep one"),
        (population(columns="[]"), "wrong-shape", "[]", ""),
        (population(columns="name"), "wrong-shape", "name", ""),
        (
            population("source: {BOOK: x}\n", rows="[{row: [A, 1], source: BOKO}]"),
            "unknown-source",
            "BOKO",
            "BOOK",
        ),
        ("format: 1\npopulations: {Ship: {columns: [name]}}", "missing-key", "", "rows"),
        ("format: 1\npopulations: {Ship: 3}", "wrong-shape", "3", ""),
        ("format: 1\ntables: {t: {columns: [a], rows: []}}", "wrong-shape", "[a]", "keys"),
        ("format: 1\ntables: {t: {columns: [a, b], keys: 2, rows: []}}", "wrong-shape", "2", "keys"),
        ("format: 1\ntables: {t: {columns: [a, b], keys: x, rows: []}}", "wrong-shape", "x", ""),
        (
            "format: 1\ntables: {t: {columns: [a, b, c], rows: [[1, 2, 3], [1, 2, 4]]}}",
            "duplicate-row",
            "1, 2",
            "",
        ),
    ],
)
def test_a_mistake_in_a_block_is_told_where_it_is(text: str, name: str, under: str, hint: str) -> None:
    """The same for populations and tables."""
    _, found = try_read(text)

    assert [name] == codes(found)
    assert under == underlined(text, found[0])
    assert hint in (found[0].hint or "")


def test_several_mistakes_are_told_in_one_run() -> None:
    """One mistake hides no other, and what is right is still read."""
    text = (
        SHIPS.replace("about", "abuot").replace("[Alpha, Red, 4", "[Alpha, 4").replace("printed\n", "sure\n")
    )
    data, found = read(text)

    assert ["unknown-key", "cell-count", "confidence-word"] == codes(found)
    assert ["Beta", "Gamma"] == [row.cells[0].plain for row in data.populations["Ship"].rows]


def test_tables_may_have_several_results() -> None:
    """`keys` says how many columns a row is found by."""
    data, found = read("format: 1\ntables: {t: {columns: [a, b, c], keys: 1, rows: [[1, 2, 3], [2, 2, 3]]}}")

    assert [] == found
    assert 1 == data.tables["t"].keys


def test_the_findings_of_one_file_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many one note says that there are more."""
    monkeypatch.setattr("rulekit.ruleset.reading.MAX_FINDINGS", 100)
    rows = ", ".join(f"[S{number}]" if number % 2 else f"[S{number}, 1, 2]" for number in range(500))
    _, found = read(population(rows=f"[{rows}]"))

    assert 101 == len(found)
    assert "many-findings" in codes(found)


def test_a_column_that_every_row_has_is_missed_once() -> None:
    """Where all rows have one cell too many, or too few, the columns are told and not each row."""
    for rows, under, hint in (
        ("[[Alpha, 1, 2], {row: [Beta, 1, 2], note: as told}]", "too few", "name the missing column"),
        ("[[Alpha], [Beta]]", "too many", "the last one is `armor`"),
    ):
        _, (found,) = read(population(rows=rows))
        assert ("cell-count", 4, under) == (found.kind.name, found.span.line, found.under)
        assert found.hint is not None and hint in found.hint


def test_a_table_without_a_column_has_one_mistake() -> None:
    """Its `keys` are those of the columns that it should have."""
    table = "  t: {keys: 2, columns: [land, cost], rows: [[clear, foot, 1], [rough, foot, 2]]}\n"
    _, found = read("format: 1\ntables:\n" + table)

    assert ["cell-count"] == codes(found)
