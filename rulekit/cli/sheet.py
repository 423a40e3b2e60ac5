"""`rulekit sheet SET -o FILE`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.compiler.driver import Compiled
    from rulekit.reports.sheet.content.build import Request
    from rulekit.reports.sheet.model.document import Sheet, SheetError


MOST_PIXELS = 1200
"""Largest resolution of a picture, in dots per inch."""


@click.command("sheet")
@click.argument("set_name", metavar="SET")
@click.option(
    "-o", "--output", required=True, metavar="FILE",
    help="Output file. The extension sets the format: .pdf, .html, .md, .csv, .svg, .png, .json.",
)  # fmt: skip
@click.option(
    "--form", type=click.Choice(["full", "one-page"]), default="full", show_default=True,
    help="Print everything, or what fits on one page.",
)  # fmt: skip
@click.option(
    "--paper",
    default="A4",
    show_default=True,
    metavar="SIZE",
    help="Paper size: A3, A4, A5, Letter, Legal or Tabloid.",
)
@click.option("--landscape", is_flag=True, help="Use landscape orientation.")
@click.option(
    "--theme", default="colour", show_default=True, metavar="NAME|FILE",
    help="Colours and fonts: colour, grey, high-contrast, or a theme file.",
)  # fmt: skip
@click.option(
    "--only", default="", metavar="ID", help="Print one block or part only, such as `table:effect`."
)
@click.option(
    "--scenario", default="", metavar="NAME", help="Leave out everything that cannot occur in this scenario."
)
@click.option(
    "--date",
    "date",
    default="",
    metavar="MONTH",
    help="Leave out everything that cannot occur in this month, such as `Jun 1943`.",
)
@click.option("--struck", is_flag=True, help="Show what options removed, struck through.")
@click.option(
    "--language",
    default="en",
    show_default=True,
    metavar="CODE",
    help="Language: en, de, ja, or one the rule set defines.",
)
@click.option(
    "--missing", default="", metavar="FILE",
    help="Save untranslated wording as a message file to fill in.",
)  # fmt: skip
@click.option("--check", is_flag=True, help="Write nothing. Exit with 1 if FILE is out of date.")
@click.option(
    "--bleed", type=click.FloatRange(0, 10), default=0, metavar="MM", help="Add bleed around each page."
)
@click.option("--marks", is_flag=True, help="Add crop marks.")
@click.option(
    "--fold", type=click.Choice(["two-up", "card"]), default=None,
    help="Print two pages per sheet: in reading order, or arranged to fold into a card.",
)  # fmt: skip
@click.option(
    "--ppi",
    type=click.IntRange(36, MOST_PIXELS),
    default=144,
    show_default=True,
    metavar="N",
    help="Resolution for .png.",
)
@shared.with_options
def command(
    set_name: str,
    output: str,
    form: str,
    paper: str,
    landscape: bool,
    theme: str,
    only: str,
    scenario: str,
    date: str,
    struck: bool,
    language: str,
    missing: str,
    check: bool,
    bleed: float,
    marks: bool,
    fold: str | None,
    ppi: int,
    options: tuple[str, ...],
    overlays: tuple[Path, ...],
) -> None:
    """Create reference sheets.

    `sheet.yaml` in the rule set decides what is on the sheets, in which order, and in which words.
    Without it, everything is printed. Every line shows its rule number; lines changed by an
    option have a bar and the option's tag.

    Same input, same output, byte for byte. Pages of pictures are named FILE-1, FILE-2 and so on; for .csv,
    each table is a file named FILE-ID if there are several. Wording that a language lacks is printed in
    English and listed.

    Exits with 1 if errors stop the command or --check finds a difference, and with 2 if something does not
    fit. Nothing is written then.
    """
    from rulekit.reports.sheet.layout.paper import Setup
    from rulekit.reports.sheet.model.document import SheetError
    from rulekit.reports.sheet.render.formats import named, writer

    folder = shared.locate(set_name)
    try:
        with shared.uncollected():
            write = writer(Path(output).suffix)
            made = shared.compiled(folder, options, overlays)
            lacking: dict[str, Mapping[str, str]] = {}
            request = _request(made, form, scenario, date, struck)
            sheet = _sheet(made, folder, request, language, only, lacking)
            frame = not only or len(sheet.blocks) != 1
            setup = Setup(paper, landscape, theme, bleed, marks, fold or "", frame=frame, ppi=ppi)
            files = write(sheet, setup)
    except SheetError as error:
        raise _failure(error) from error
    from rulekit.cli.files import write_bytes, write_whole
    from rulekit.cli.sheet import compare, tell_missing

    found = named(output, sheet, files)
    tell_missing(language, lacking)
    if missing:
        from rulekit.reports.sheet.model.messages import template

        write_whole(missing, template(language, lacking))
    if check:
        compare(found)
    else:
        write_bytes(found)


def _request(made: Compiled, form: str, scenario: str, date: str, struck: bool) -> Request:
    from rulekit.reports.sheet.content import build

    if scenario:  # what looks for it loads the interpreter
        shared.known_scenario(made.program, scenario)
    return build.Request(
        form="one-page" if form == "one-page" else "full",
        scenario=scenario,
        date=build.month(date) if date else None,
        struck=struck,
        version=_version(made),
    )


def _sheet(
    made: Compiled,
    folder: Path,
    request: Request,
    language: str,
    only: str,
    lacking: dict[str, Mapping[str, str]],
) -> Sheet:
    from rulekit.diagnostics import Report, RulesError
    from rulekit.reports.sheet.content import build

    try:
        report = Report()
        catalogue = None
        if language != "en":
            from rulekit.reports.sheet.model.messages import speak

            catalogue = speak(language, made, report)
            report.stop_on_error()
        sheet = build.sheet_of(made, report, request, catalogue, lacking)
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder)
    return build.wanted(sheet, only) if only else sheet


def _version(made: Compiled) -> str:
    """Return the revision of the rules and the version of rulekit, for the margin; no date or time."""
    from rulekit.base.resources import own_version

    own = own_version() or "?"
    return f"{made.rule_set.manifest.id} · rulekit {own} · {made.program.source_hash.rpartition(':')[2][:7]}"


def _failure(error: SheetError) -> shared.Failure:
    return shared.Failure("\n  ".join((error.message, *error.details)))


MOST_NAMED = 12
"""Wordings of one sort that are named; the rest is counted."""
_SORTS = {
    "rules": "printed rules",
    "names": "names",
    "texts": "other wordings",
    "words": "words of the sheet itself",
}
_READ = (".html", ".md", ".csv", ".json", ".svg")
"""Endings of files that are lines of text."""


def tell_missing(language: str, lacking: Mapping[str, Mapping[str, str]]) -> None:
    """List to standard error the wordings that are printed in English."""
    told = [line for part, wordings in lacking.items() if wordings for line in _lacks(part, list(wordings))]
    if told:
        shared.say(f"no `{language}` wording; printed in English:")
        for line in told:
            shared.say(f"  {line}")


def _lacks(part: str, keys: list[str]) -> Iterator[str]:
    named = ", ".join(key if len(key) <= 40 else key[:39] + "…" for key in keys[:MOST_NAMED])
    more = (
        f" and {len(keys) - MOST_NAMED} more; `--missing FILE` lists them" if len(keys) > MOST_NAMED else ""
    )
    yield f"{len(keys)} {_SORTS[part]}: {named}{more}"


def compare(files: Mapping[str, bytes]) -> None:
    """Compare files with the new contents; if any differs, show where and end the command with 1."""
    stale = [said for name, wanted in files.items() for said in _differs(Path(name), wanted)]
    if not stale:
        return
    for said in stale:
        shared.say(said)
    shared.say("  to update it, run the same command without `--check`")
    raise SystemExit(shared.FINDINGS)


def _differs(path: Path, wanted: bytes) -> Iterable[str]:
    try:
        there = path.read_bytes()
    except FileNotFoundError:
        yield f"`{path}` does not exist"
        return
    except OSError as error:
        raise shared.Failure(f"cannot read `{path}`: {(error.strerror or str(error)).lower()}") from error
    if there == wanted:
        return
    yield f"`{path}` is out of date"
    if path.suffix.lower() in _READ:
        yield from _first(there.decode(errors="replace"), wanted.decode(errors="replace"))


def _first(there: str, wanted: str) -> Iterator[str]:
    """The first lines that differ, each as far as it is short."""
    old, new = there.splitlines(), wanted.splitlines()
    at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    for sign, lines in (("-", old), ("+", new)):
        if at < len(lines):
            other = _other(old, new, lines, at)
            pairs = enumerate(zip(lines[at], other, strict=False))
            before = next((n for n, (a, b) in pairs if a != b), 0)
            yield f"  {at + 1}{sign} {_cut(lines[at], before)}"


def _other(old: list[str], new: list[str], lines: list[str], at: int) -> str:
    other = new if lines is old else old
    return other[at] if at < len(other) else ""


def _cut(line: str, at: int) -> str:
    """A stretch of a long line with the place where it differs."""
    start = max(0, at - 30)
    return ("…" if start else "") + line[start : start + 80].strip() + ("…" if len(line) > start + 80 else "")
