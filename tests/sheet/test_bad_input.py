"""What cannot be printed is told, and never clipped in silence; what can be, is."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from rulekit.base.resources import rules_folder
from rulekit.diagnostics import RulesError
from rulekit.reports.sheet.content.blocks import MAKERS
from rulekit.reports.sheet.content.build import ids
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import SheetError
from rulekit.reports.sheet.model.settings import SORTS
from rulekit.reports.sheet.render import printing
from rulekit.reports.sheet.render.printing import pdf, svg
from rulekit.reports.sheet.render.theme import read_theme
from tests.sheet.boxes import faults
from tests.sheet.helpers import PRINTED, SMALL, folder, made, sheet
from tests.unit.cli.running import alone, rulekit


def wide(columns: int) -> str:
    """A rule set with a table of so many columns."""
    names = [f"m{n}" for n in range(columns)]
    rules = SMALL.replace("enum Kind: ship, plane", f"enum Kind: ship, plane\nenum Many: {', '.join(names)}")
    rows = (["roll", *names], ["1..6", *("0" for _ in names)])
    lines = "".join(f"    | {' | '.join(row)} |\n" for row in rows)
    return f"{rules}table broad(roll: 1..6, many: Many) -> 0..3: [2.3]\n{lines}"


def test_three_hundred_columns(tmp_path: Path) -> None:
    """Too many for any paper: the table is named, by how much, in a process that gives memory back."""
    ran = alone("sheet", folder(tmp_path, wide(300)), "-o", tmp_path / "sheet.pdf", timeout=600)

    assert 2 == ran.code
    assert re.search(r"`Broad` \(table:broad\) is .* mm too wide for A4", ran.err)
    assert not (tmp_path / "sheet.pdf").exists()


def test_a_little_too_wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Smaller type prints what the usual sizes cannot, and nothing sticks out."""
    found = made(folder(tmp_path, wide(38)))

    (page,) = pdf(found, Setup())

    assert [] == faults(page)
    monkeypatch.setattr(printing, "SMALL_SCALES", ())
    with pytest.raises(SheetError, match="does not fit"):
        pdf(found, Setup())


def test_twenty_columns(tmp_path: Path) -> None:
    """As many as fit are printed."""
    (page,) = pdf(made(folder(tmp_path, wide(20))), Setup())
    assert [] == faults(page)


def test_long_text_is_whole(tmp_path: Path) -> None:
    """Ten thousand characters in words are on a page, in smaller type; what is longer is named."""
    long = "many words " * 1200
    printed = PRINTED.replace("Red fires, then Blue", long)
    with pytest.raises(SheetError) as caught:
        pdf(made(folder(tmp_path, printed=printed)), Setup())
    assert any("(sequence) is" in line and "mm too high for A4" in line for line in caught.value.details)

    for length in (3000, 9900):
        shorter = PRINTED.replace("Red fires, then Blue", long[:length])
        (page,) = pdf(made(folder(tmp_path, printed=shorter)), Setup())
        assert [] == faults(page)


def test_long_word(tmp_path: Path) -> None:
    """Ten thousand characters without a space are told, cut short."""
    printed = PRINTED.replace("Planes are no targets", "x" * 10_000)
    with pytest.raises(SheetError) as caught:
        pdf(made(folder(tmp_path, printed=printed)), Setup())
    assert any(
        "xxx..." in line and "mm too wide" in line and len(line) < 200 for line in caught.value.details
    )


@pytest.mark.parametrize(
    "words",
    [
        "日本語の文字は単語の間に空白がないので、どこでも折り返す" * 3,
        "كل سفينة تطلق النار",
        "כל אונייה יורה",
        "naïve Œuvre ≤ 5 → ½",
    ],
)
def test_other_scripts(tmp_path: Path, words: str) -> None:
    """Japanese breaks between its characters; Arabic and Hebrew have a font of their own."""
    (page,) = pdf(made(folder(tmp_path, printed=PRINTED.replace("Red fires, then Blue", words))), Setup())
    assert [] == faults(page)


@pytest.mark.parametrize("write", [pdf, svg])
def test_characters_that_no_font_has(tmp_path: Path, write: object) -> None:
    """They are told, with what to do, also where the format would let them pass."""
    printed = PRINTED.replace("Red fires, then Blue", "Red fires \U00013080")
    with pytest.raises(SheetError, match="no font of the theme has a character.*fonts: others"):
        write(made(folder(tmp_path, printed=printed)), Setup())  # type: ignore[operator]


def test_text_is_never_markup(tmp_path: Path) -> None:
    """What means something to the typesetter is printed as it is."""
    words = "#panic() ] $ * _ @ < \\ // 'y' #import @preview/a:1.0.0"
    (page,) = pdf(made(folder(tmp_path, printed=PRINTED.replace("Red fires, then Blue", words))), Setup())
    assert [] == faults(page)


# ---------------------------------------------------------------- themes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("format: 1\nlike: colour\ncolours: {ink: red}\n", "x.yaml:3:16: invalid colour `red`"),
        ("format: 1\nlike: colour\ncolours: {inc: '#000000'}\n", "a set of colours has no `inc`"),
        ("format: 1\nlike: color\n", "unknown theme `color`"),
        ("format: 1\n", "the theme lacks the colour `ink`"),
        ("format: 1\nlike: colour\nscale: huge\n", "invalid number `huge`; expected 0.5 to 2"),
        ("format: 1\nlike: colour\nlogo: ../secret.png\n", "`../secret.png` is outside the theme's folder"),
        ("format: 1\nlike: colour\nlogo: none.png\n", "no picture `none.png` beside the theme"),
        ("format: [\n", "invalid theme"),
    ],
)
def test_wrong_themes(tmp_path: Path, text: str, said: str) -> None:
    """Each fault of a theme has its place and what to do."""
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SheetError) as caught:
        read_theme(str(path))
    assert any(said in line for line in (caught.value.message, *caught.value.details))


def test_a_link_out_of_the_themes_folder(tmp_path: Path) -> None:
    """A logo that is a link to somewhere else is refused."""
    (tmp_path / "theme").mkdir()
    (tmp_path / "logo.png").write_bytes(b"x")
    os.symlink(tmp_path / "logo.png", tmp_path / "theme" / "logo.png")
    (tmp_path / "theme" / "x.yaml").write_text("format: 1\nlike: colour\nlogo: logo.png\n")
    with pytest.raises(SheetError) as caught:
        read_theme(str(tmp_path / "theme" / "x.yaml"))
    assert any("outside the theme's folder" in line for line in caught.value.details)


def test_missing_font(tmp_path: Path) -> None:
    """A font that is not there is told: none of the system's is taken instead."""
    path = tmp_path / "x.yaml"
    path.write_text("format: 1\nlike: colour\nfonts: {body: DejaVu Sans}\n", encoding="utf-8")
    with pytest.raises(SheetError, match="needs the font `DejaVu Sans`, which was not found"):
        pdf(sheet("vitp"), Setup(theme=str(path)))


def test_theme_of_a_publisher(tmp_path: Path) -> None:
    """Colours, lines and a logo of one's own."""
    logo = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle cx="10" cy="10" r="9"/></svg>'
    )
    (tmp_path / "logo.svg").write_text(logo, encoding="utf-8")
    path = tmp_path / "house.yaml"
    path.write_text(
        'format: 1\nlike: grey\ncolours: {head: "#402020"}\nlogo: logo.svg\nline: 1.2\n', encoding="utf-8"
    )
    (page,) = pdf(sheet("vitp"), Setup(theme=str(path)))
    assert [] == faults(page)


# ---------------------------------------------------------------- wishes and files


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("parts: []\n", 1, "must have `format`"),
        ("format: 2\n", 1, "expected `format: 1`"),
        ("format: 1\nparts:\n  - {title: A, blocks: [{tabel: x}]}\n", 3, "has no `tabel`"),
        ("format: 1\nparts:\n  - {title: A, blocks: [{title: x}]}\n", 3, "missing kind of block"),
        (
            "format: 1\nparts:\n  - {title: A, blocks: [{rules: ['9.9']}]}\n",
            3,
            "unknown printed rule `9.9`",
        ),
        ("format: 1\nparts:\n  - {title: A, columns: 9, blocks: []}\n", 3, "`columns` must be 1 to 4"),
        (
            "format: 1\nparts:\n  - {title: A, blocks: [{card: shot, needs: six}]}\n",
            3,
            "invalid `needs` `six`",
        ),
        ("format: 1\nparts:\n  - {title: A, blocks: [{card: shot, odds: all}]}\n", 3, "invalid `odds` `all`"),
        (
            "format: 1\nparts:\n  - {title: A, blocks: [{card: shot, odds: {plain: some}}]}\n",
            3,
            "expected a whole number for `plain`, found `some`",
        ),
        (
            "format: 1\nparts:\n  - {title: A, blocks: [{card: shot, odds: {plain: []}}]}\n",
            3,
            "expected a whole number for `plain`, found nothing",
        ),
        (
            "format: 1\nparts:\n  - {title: A, blocks: [{card: shot, questions: {a: b}}]}\n",
            3,
            "`questions` must be a text or a list of texts",
        ),
        (
            "format: 1\nparts:\n  - {title: A, blocks: [{sequence: true, numbers: digits}]}\n",
            3,
            "invalid `numbers` `digits`",
        ),
        (
            "format: 1\nparts:\n  - {title: A, blocks: [{sequence: true, apart: [true]}]}\n",
            3,
            "`apart` must be a text, but this is a list",
        ),
        (
            "format: 1\nparts:\n  - {title: A, blocks: [{norms: B, groups: [c]}]}\n",
            3,
            "`groups` must be a mapping, but this is a list",
        ),
        ("format: 1\nmap: {kind: Area, areas: {A: [x, 1, 2, 3]}}\n", 2, "invalid number `x`"),
    ],
)
def test_wrong_wishes(tmp_path: Path, text: str, line: int, said: str) -> None:
    """A fault of `sheet.yaml` is a finding with its place."""
    with pytest.raises(RulesError) as caught:
        made(folder(tmp_path, sheet__yaml=text))
    assert any(
        f.span.file == "sheet.yaml" and f.span.line == line and said in f.message
        for f in caught.value.diagnostics
    )


def test_nothing_half_written(tmp_path: Path) -> None:
    """Where it does not fit, and where nothing may be written, no file is left behind."""
    at = folder(tmp_path / "set", wide(300))
    (tmp_path / "out").mkdir()
    ran = rulekit("sheet", str(at), "-o", str(tmp_path / "out" / "x.pdf"))
    assert 2 == ran.code and "mm too wide for A4" in ran.err
    assert [] == list((tmp_path / "out").iterdir())

    ran = rulekit("sheet", "vitp", "-o", str(tmp_path / "nowhere" / "x.pdf"))
    assert 2 == ran.code and "cannot write" in ran.err and "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-o", "x.pfd"), "did you mean `.pdf`?"),
        (("-o", "x"), "a file without an extension"),
        (("-o", "x.pdf", "--only", "table:efect"), "did you mean `table:effect`?"),
        (("-o", "x.pdf", "--date", "Junember 1943"), "invalid month"),
        (("-o", "x.pdf", "--date", "Jun 1939"), "is not in the calendar of `vitp`, which runs from Dec 1941"),
        (("-o", "x.pdf", "--scenario", "never"), "unknown scenario `never`"),
        (("-o", "x.pdf", "--paper", "B5"), "unknown paper size `B5`"),
        (("-o", "x.pdf", "--theme", "pink"), "unknown theme `pink`"),
    ],
)
def test_wrong_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    """Each is told in one line with what there is, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    ran = rulekit("sheet", "vitp", *arguments)
    assert 2 == ran.code and said in ran.err and "Traceback" not in ran.err
    assert [] == list(tmp_path.iterdir())


def test_a_check_tells_faults_of_the_wishes(tmp_path: Path) -> None:
    """Names that are not there, with file, line and what is near; for the one-page form as well."""
    text = (
        "format: 1\nparts:\n  - title: A\n    blocks:\n      - {table: efect}\n"
        "one_page:\n  blocks:\n    - {modifiers: [shoot]}\n"
    )
    ran = rulekit("check", str(folder(tmp_path / "full", sheet__yaml=text)))
    assert 1 == ran.code
    said = ran.out + ran.err
    assert "RK660" in said and "unknown table `efect`" in said and "did you mean `effect`?" in said
    assert "sheet.yaml:5" in said
    short = text.replace("efect", "effect")
    ran = rulekit("check", str(folder(tmp_path / "short", sheet__yaml=short)))
    assert "unknown roll `shoot`" in (said := ran.out + ran.err) and "sheet.yaml:8" in said


def test_a_month_without_a_calendar(tmp_path: Path) -> None:
    """A sheet for a month would be that for all of them."""
    at = folder(tmp_path / "set")
    ran = rulekit("sheet", str(at), "-o", str(tmp_path / "x.md"), "--date", "Jun 1943")
    assert 2 == ran.code and "the rules of `t` have no calendar" in ran.err
    assert not (tmp_path / "x.md").exists()


def test_what_only_an_option_has(tmp_path: Path) -> None:
    """It is left out while that option is off, and is there when it is in force."""
    at = shutil.copytree(rules_folder() / "pacwar", tmp_path / "pacwar")
    wishes = "format: 1\nparts:\n  - title: A\n    blocks: [{table: allied_improved_flak}, modifiers]\n"
    (at / "sheet.yaml").write_text(wishes, encoding="utf-8")
    assert "table:allied_improved_flak" not in ids(made(at))
    assert "table:allied_improved_flak" in ids(made(at, ("jsis-flak-phase-in",)))


def test_every_sort_of_block_has_a_maker() -> None:
    """What `sheet.yaml` may ask for can be made."""
    assert sorted(SORTS) == sorted(MAKERS)
