"""`rulekit sheet SET -o FILE`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os.path import commonprefix
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulekit.base.files import UnreadableFile, read_named
from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.compiler.driver import Compiled
    from rulekit.reports.sheet.content.build import Request, SheetGaps
    from rulekit.reports.sheet.model.document import FormName, Sheet

MOST_PIXELS = 1200
"""Largest resolution of a picture, in dots per inch."""


@click.command("sheet")
@shared.option(
    "-o --output",
    "FILE",
    "Output file. The extension sets the format: .pdf, .html, .md, .csv, .svg, .png, .json.",
    required=True,
)
@shared.option(
    "--form",
    ("full", "one-page", "folder", "screen"),
    "Print everything, one page or both sides of a sheet, a folder of four pages, or a screen of three.",
    default="full",
)
@shared.option("--paper", "SIZE", "Paper size: A3, A4, A5, Letter, Legal or Tabloid.", default="A4")
@shared.flag("--landscape", "Use landscape orientation.")
@shared.option(
    "--theme",
    "NAME|FILE",
    "Colours and fonts: colour, grey, high-contrast, or a theme file.",
    default="colour",
)
@shared.option("--only", "ID", "Print one block or part only, such as `table:effect`.", default="")
@shared.option("--scenario", "NAME", "Leave out everything that cannot occur in this scenario.", default="")
@shared.option(
    "--date date",
    "MONTH",
    "Leave out everything that cannot occur in this month, such as `Jun 1943`.",
    default="",
)
@shared.option("--side", "SIDE", "Leave out what only other sides do or have.", default="")
@shared.flag("--struck", "Show what options removed, struck through.")
@shared.option("--language", "CODE", "Language: en, de, ja, or one the rule set defines.", default="en")
@shared.option("--missing", "FILE", "Save what has no wording as a file to fill in.", default="")
@shared.flag("--check", "Write nothing. Exit with 1 if FILE is out of date.")
@shared.option("--bleed", "MM", "Add bleed around each page.", type=click.FloatRange(0, 10), default=0)
@shared.flag("--marks", "Add crop marks.")
@shared.option(
    "--fold",
    ("two-up", "card"),
    "Print two pages per sheet: in reading order, or arranged to fold into a card.",
)
@shared.option("--ppi", "N", "Resolution for .png.", type=click.IntRange(36, MOST_PIXELS), default=144)
@shared.with_rule_set
def command(
    rules: shared.ChosenRules,
    output: str,
    only: str,
    language: str,
    missing: str,
    check: bool,
    form: FormName,
    scenario: str,
    date: str,
    side: str,
    struck: bool,
    **printing: Any,
) -> None:
    """Create reference sheets.

    `sheet.yaml` in the rule set decides what is on the sheets, in which order, and in which words.
    Without it, everything is printed. Lines show their rule numbers; lines changed by an
    option have a bar and the option's tag.

    Same input, same output, byte for byte. Pages of pictures are named FILE-1, FILE-2 and so on; for .csv,
    each table is a file named FILE-ID if there are several. Wording that a language lacks is printed in
    English and listed.

    Exits with 1 if errors stop the command or --check finds a difference, and with 2 if something does not
    fit. Nothing is written then.
    """
    from rulekit.reports.sheet.content import build
    from rulekit.reports.sheet.layout.paper import Setup
    from rulekit.reports.sheet.model.document import SheetError
    from rulekit.reports.sheet.render.formats import WRITERS, files_of, fit_pages, writer

    try:
        with shared.uncollected():
            write = writer(Path(output).suffix)
            compiled = rules.compile()
            if scenario:  # what looks for it loads the interpreter
                shared.known_scenario(compiled.program, scenario)
            month = build.month(date) if date else None
            request = build.Request(form, scenario, month, struck, _version(compiled), side)
            sheet, gaps = _sheet(compiled, rules.folder, request, language)
            sheet = build.only(sheet, only) if only else sheet
            frame = not only or len(sheet.blocks) != 1
            setup = Setup(frame=frame, **printing)
            sheet = fit_pages(sheet, setup, Path(output).suffix)
            files = files_of(output, sheet, write(sheet, setup))
    except SheetError as error:
        raise shared.Failure("\n  ".join((error.message, *error.details))) from error
    from rulekit.cli.files import write_bytes, write_whole

    if gaps.undecided:
        limit = "the search for what cannot occur reached its limit"
        shared.say(f"the sheet for `{scenario or date}` keeps every line: {limit}")
    _list_wordless(gaps.wordless)
    if left := sheet.left_out:
        shared.say(f"left out, because both sides of the sheet are full: {left}")
    for name, reason in gaps.not_exact.items():
        shared.say(f"left out, because its chances are not exact: `{name}` ({reason})")
    _list_missing(language, gaps.wordings)
    if missing:
        from rulekit.reports.sheet.model.messages import template

        lacking = {"names": gaps.wordless} if language == "en" else gaps.wordings
        write_whole(missing, template(language, lacking))
    if check:
        _compare(files, as_text=WRITERS[Path(output).suffix.lower()].text)
    else:
        write_bytes(files)


def _sheet(compiled: Compiled, folder: Path, request: Request, language: str) -> tuple[Sheet, SheetGaps]:
    from rulekit.diagnostics import Report, RulesError
    from rulekit.reports.sheet.content.build import sheet_and_gaps

    report, catalogue = Report(), None
    try:
        if language != "en":
            from rulekit.reports.sheet.model.messages import speak

            catalogue = speak(language, compiled, report)
            report.stop_on_error()
        return sheet_and_gaps(compiled, report, request, catalogue)
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder)


def _version(compiled: Compiled) -> str:
    """Return the revision of the rules and the version of rulekit, for the margin; no date or time."""
    from rulekit.base.resources import own_version

    own, revision = own_version() or "?", compiled.program.source_hash.rpartition(":")[2][:7]
    return f"{compiled.rule_set.manifest.id} · rulekit {own} · {revision}"


def _list_wordless(wordless: Mapping[str, str]) -> None:
    """List to standard error what has no words, and therefore is not on the sheet."""
    if wordless:
        keys = list(wordless)
        more = f" and {len(keys) - MOST_NAMED} more" if len(keys) > MOST_NAMED else ""
        shared.say(f"left out, because nothing words them: {', '.join(keys[:MOST_NAMED])}{more}")
        shared.say(
            "  cite a printed rule, or word them under `names` in `sheet.yaml`; `--missing FILE` lists them"
        )


MOST_NAMED = 12
"""Wordings of one sort that are named; the rest is counted."""
_SORTS = {
    "rules": "printed rules",
    "names": "names",
    "texts": "other wordings",
    "words": "words of the sheet itself",
}


def _list_missing(language: str, lacking: Mapping[str, Mapping[str, str]]) -> None:
    """List to standard error the wordings that are printed in English."""
    lines = [_lacks(part, list(wordings)) for part, wordings in lacking.items() if wordings]
    if lines:
        shared.say(f"no `{language}` wording; printed in English:")
        for line in lines:
            shared.say(f"  {line}")


def _lacks(part: str, keys: list[str]) -> str:
    named = ", ".join(key if len(key) <= 40 else key[:39] + "…" for key in keys[:MOST_NAMED])
    more = len(keys) - MOST_NAMED
    return f"{len(keys)} {_SORTS[part]}: {named}" + (
        f" and {more} more; `--missing FILE` lists them" if more > 0 else ""
    )


def _compare(files: Mapping[str, bytes], *, as_text: bool) -> None:
    """Compare files with the new contents; if any differs, show where and end the command with 1."""
    lines = [line for name, new in files.items() for line in _differences(Path(name), new, as_text=as_text)]
    for line in lines:
        shared.say(line)
    if lines:
        shared.say("  to update it, run the same command without `--check`")
        raise SystemExit(shared.FINDINGS)


def _differences(path: Path, new: bytes, *, as_text: bool) -> Iterator[str]:
    try:
        old = read_named(path)
    except UnreadableFile as error:
        if error.reason != "missing":
            raise shared.Failure(f"`{path}` {error.strerror}") from error
        yield f"`{path}` does not exist"
        return
    if old != new:
        yield f"`{path}` is out of date"
        if as_text:
            yield from _first_difference(*(side.decode(errors="replace").splitlines() for side in (old, new)))


def _first_difference(old: list[str], new: list[str]) -> Iterator[str]:
    """Show the first lines that differ, each around the place where it does."""
    at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    sides = [lines[at] if at < len(lines) else "" for lines in (old, new)]
    before = len(commonprefix(sides))
    before = before if all(before < len(side) for side in sides) else 0
    for sign, lines in (("-", old), ("+", new)):
        if at < len(lines):
            yield f"  {at + 1}{sign} {_around(lines[at], before)}"


def _around(line: str, at: int) -> str:
    start = max(0, at - 30)
    return ("…" if start else "") + line[start : start + 80].strip() + ("…" if len(line) > start + 80 else "")
