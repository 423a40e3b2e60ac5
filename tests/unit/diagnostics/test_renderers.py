"""The renderers of findings: what people read is golden, what programs read has a schema."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from rulekit.base import resources
from rulekit.base.source import Span
from rulekit.cli import terminal
from rulekit.diagnostics import (
    Diagnostic,
    Kind,
    Label,
    Severity,
    render_concise,
    render_full,
    render_json,
    render_text,
)

CLASH = Kind("RK999", "made-up-clash", "a clash made up for tests", Severity.ERROR, "0.1.0")
DOUBT = Kind("RK998", "made-up-doubt", "a doubt made up for tests", Severity.WARNING, "0.1.0")
REMARK = Kind("RK997", "made-up-remark", "a remark made up for tests", Severity.NOTE, "0.1.0")

FILES = {
    "a.rules": "choice target(shooter: Ship):\n    require target = opposite(shooter)    [M 13]\n",
    "b.rules": "# other house\n" * 10 + "\tforbid 東京湾 when range is long\n",
    "long.rules": "x" * 400 + " BAD " + "y" * 400 + "\n",
    "block.rules": "table fire:\n    | 1 |\n    | 2 |\n",
}


def span(file: str, line: int, start: int, end: int, end_line: int | None = None) -> Span:
    """A span by its numbers."""
    return Span(file, line, start, end_line or line, end)


def text_of(file: str) -> str:
    """The made-up files; a KeyError for any other."""
    return FILES[file]


FINDINGS = [
    Diagnostic(
        CLASH,
        "a ship must fire at a target that it may not fire at",
        span("a.rules", 2, 5, 39),
        (
            Label(span("b.rules", 11, 9, 12), "this bay is forbidden"),
            Label(span("b.rules", 11, 2, 8), "here"),
        ),
        hint="say which prevails: `over b` in a, or the reverse, which is the same thing said from the other"
        " side; `rulekit check --write-example clash.rules` keeps this case",
        under="each unit fires at the one opposite",
    ),
    Diagnostic(DOUBT, "`BAD` stands far out", span("long.rules", 1, 402, 405), under="here"),
    Diagnostic(
        REMARK,
        "a whole block",
        span("block.rules", 1, 1, 10, 3),
        (
            Label(span("block.rules", 3, 7, 8), "its last cell"),
            Label(span("block.rules", 2, 7, 8), "one before"),
        ),
    ),
    Diagnostic(
        CLASH, "`gone.rules` is not there", span("gone.rules", 1, 1, 1), hint="did you mean `a.rules`?"
    ),
    Diagnostic(CLASH, "the line ends too soon", span("a.rules", 1, 30, 30), under="here"),
]


def test_full_rendering_is_golden(golden: Callable[[str, str], None]) -> None:
    """Places, lines, underlines, labels in this and other files, hints, cut lines, missing files."""
    golden("diagnostics/full.txt", render_full.render(FINDINGS, text_of))


def test_narrow_rendering_is_golden(golden: Callable[[str, str], None]) -> None:
    """A narrow screen breaks hints between words and cuts lines nearer to the span."""
    golden("diagnostics/full-narrow.txt", render_full.render(FINDINGS, text_of, width=60))


def test_coloured_rendering_is_golden(golden: Callable[[str, str], None]) -> None:
    """Colour adds escapes to the same text."""
    painted = render_full.render(FINDINGS[:2], text_of, terminal.style)
    coloured = terminal.printable_text(painted, colour=True)

    golden("diagnostics/full-colour.txt", coloured.replace("\x1b", "<ESC>"))


def test_concise_rendering_is_golden(golden: Callable[[str, str], None]) -> None:
    """One line a finding."""
    golden("diagnostics/concise.txt", render_concise.render(FINDINGS, text_of))


def test_json_rendering_is_golden_and_fits_its_schema(golden: Callable[[str, str], None]) -> None:
    """Programs get every place, the underlined text and the kind."""
    rendered = render_json.render(FINDINGS, text_of)

    golden("diagnostics/findings.json", rendered)
    Draft202012Validator(resources.schema("diagnostics")).validate(json.loads(rendered))


@pytest.mark.parametrize("render", [render_full.render, render_concise.render])
def test_no_findings_render_as_nothing(render: Callable[..., str]) -> None:
    """A clean run prints nothing of its own."""
    assert "" == render([], text_of)


def test_labels_on_one_line_share_it() -> None:
    """A line is shown once, with an underline for each place on it."""
    found = Diagnostic(
        CLASH,
        "twice",
        span("a.rules", 1, 1, 7),
        (Label(span("a.rules", 1, 8, 14), "second"),),
        under="first",
    )

    rows = render_full.render([found], text_of).splitlines()

    assert [
        "  ┌─ a.rules:1:1",
        " 1│ choice target(shooter: Ship):",
        "  │ ────── first",
        "  │        ────── second",
    ] == rows[1:]


def test_underline_counts_cells_not_characters() -> None:
    """A tab takes the cells to the next stop, an ideograph two, an accent none."""
    line = "\t東e\u0301x"
    found = Diagnostic(CLASH, "wide", span("w", 1, 5, 6))

    rows = render_full.render([found], {"w": line}.__getitem__).splitlines()

    assert " 1│     東e\u0301x" == rows[2]
    assert "  │        ─" == rows[3]


def test_what_would_steer_the_terminal_is_not_printed() -> None:
    """Escapes, line breaks and turned reading directions in names and files become harmless."""
    hostile = "a\x1b[2Jb\u202ec\r\nd\x07"
    found = Diagnostic(CLASH, hostile, span(hostile, 1, 1, 2), (Label(span("x", 1, 1, 2), hostile),), hostile)

    for rendered in (
        render_full.render([found], lambda _: hostile),
        render_concise.render([found], lambda _: hostile),
        render_json.render([found], lambda _: hostile),
    ):
        assert not {"\x1b", "\x07", "\r", "\u202e"} & set(rendered)


def test_a_line_of_megabytes_is_cut_quickly() -> None:
    """Only what may show is measured; the line's end and its middle are as quick as its start."""
    line = "東" * 2_000_000
    findings = [Diagnostic(CLASH, "long", span("x", 1, at, at + 3)) for at in (1, 1_000_000, 2_000_001)]

    rendered = render_full.render(findings, lambda _: line)

    assert all(render_text.width(row) <= render_full.WIDTH for row in rendered.splitlines())


@given(
    text=st.text(max_size=300),
    numbers=st.tuples(*[st.integers(min_value=1, max_value=400)] * 4),
    width=st.integers(min_value=0, max_value=130),
)
def test_any_span_in_any_text_renders(text: str, numbers: tuple[int, int, int, int], width: int) -> None:
    """A renderer draws what it is given, even places that the text does not have."""
    line, column, end_line, end_column = numbers
    found = Diagnostic(CLASH, text, Span("x", line % 5 + 1, column, end_line % 5 + 1, end_column), (), text)

    full = render_full.render([found], lambda _: text, width=width)
    concise = render_concise.render([found], lambda _: text)
    data = json.loads(render_json.render([found], lambda _: text))

    assert len(full.splitlines()) >= 2
    assert 1 == len(concise.splitlines())
    assert text == data["findings"][0]["message"]


@given(column=st.integers(min_value=1, max_value=900), width=st.integers(min_value=40, max_value=120))
def test_a_cut_line_shows_the_start_of_its_span(column: int, width: int) -> None:
    """Wherever the span starts, the character there stands over the start of the underline."""
    line = "".join(chr(0x4E00 + index) if index % 7 == 0 else chr(97 + index % 26) for index in range(900))
    found = Diagnostic(CLASH, "here", span("x", 1, column, column + 1))

    _, _, shown, underline = render_full.render([found], lambda _: line, width=width).splitlines()

    at = render_text.width(underline) - underline.count("─")
    cells = "".join(each * render_text.width(each) for each in shown)
    assert line[column - 1] == cells[at]
    assert render_text.width(shown) <= width


def test_findings_are_counted_in_words() -> None:
    """The last line of a run says how many of each severity there were."""
    assert "3 errors, 1 warning, 1 note" == render_text.count(FINDINGS)
    assert "1 error" == render_text.count(FINDINGS[:1])
    assert "no findings" == render_text.count([])


def test_undecodable_files_are_shown_without_their_lines() -> None:
    """A file that cannot be read as text still has its place named."""

    def broken(file: str) -> str:
        return b"\xff".decode("utf-8") + file

    rendered = render_full.render([Diagnostic(CLASH, "broken", span("x", 3, 1, 2), under="here")], broken)

    assert ["  ┌─ x:3:1", "  │ here"] == rendered.splitlines()[1:]
