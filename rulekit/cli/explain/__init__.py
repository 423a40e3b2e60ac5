"""`rulekit explain WHAT [SET]`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulekit.base.spelling import meant
from rulekit.cli import shared, terminal
from rulekit.diagnostics import Diagnostic, Report

if TYPE_CHECKING:
    from rulekit.reports.show import RuleLine
    from rulekit.reports.show.dates import Dated

_CODE = re.compile(r"RK\d*", re.IGNORECASE)
_MARK = re.compile(r"[ \t]*#![^\n]*$", re.MULTILINE)
"""The mark of a test at the end of a line of an example."""


@click.command("explain")
@click.argument("what")
@click.argument("set_name", metavar="[SET]", required=False)
@shared.flag("--as-printed", "Also show the contradictions of the booklet that WHAT is part of.")
@shared.option("--date", "MONTH", "Show the rules in force in a month: `--date 'Mar 1943' SET`.")
@shared.with_options
def command(what: str, set_name: str | None, as_printed: bool, date: str | None, **chosen: Any) -> None:
    """Explain a finding, a printed rule, an errata entry or a name.

    WHAT is a code or name (`RK402`, `table-overlap`) or the id of a finding (`RK411:claim three_areas`); add
    a SET to see the finding itself, also one that only `check --as-printed` or `--all-options` reports.

    With a SET, WHAT can also be a rule number (`7.55`), a name in the rules or the data, or an errata entry
    of the set or of one of its options. For a rule number, rulekit shows its text, the lines that encode it
    and the examples that test it. --as-printed adds what `check --as-printed` reports about it.

    With --date, WHAT is a SET: rulekit lists every dated line of its rules, marked `+` if it applies in that
    month and `-` if it does not.
    """
    if date is not None:
        if set_name is not None:
            raise click.UsageError("with `--date`, name only a SET")
        _on_date(shared.ChosenRules(what, **chosen), date)
        return
    from rulekit.diagnostics import pages

    if as_printed and set_name is None:
        raise click.UsageError("`--as-printed` needs a SET")
    page = pages.find(what)
    if page is None and ":" in what:
        page = pages.find(what.partition(":")[0])
        if page is not None and set_name is not None:
            _finding(what, shared.ChosenRules(set_name, **chosen), as_printed)
    if page is not None:
        _show_page(page)
        return
    if set_name is None:
        raise shared.Failure(_unknown(what))
    if what in shared.known_sets() and set_name not in shared.known_sets() and not Path(set_name).is_dir():
        what, set_name = set_name, what  # the set was named first, as everywhere else
    rules = shared.ChosenRules(set_name, **chosen)
    _look_up(what, rules)
    if as_printed:
        _contradictions(what, rules)


def _show_page(page: str) -> None:
    """Show a page of the documentation, without marks of tests; as Markdown where there is no terminal."""
    text = _MARK.sub("", page.rstrip())
    if not terminal.is_terminal(sys.stdout):
        terminal.echo(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    drawn = StringIO()
    colour = terminal.has_colour()
    console = Console(file=drawn, width=shared.width(), force_terminal=True, no_color=not colour)
    console.print(Markdown(text, code_theme="ansi_dark" if colour else "bw"))
    terminal.echo_drawn(drawn.getvalue().rstrip(), colour=colour)


def _look_up(what: str, rules: shared.ChosenRules) -> None:
    """Show an errata entry, or a printed rule and the declarations of a name."""
    from rulekit.cli.explain.lookup import RuleLookup
    from rulekit.cli.show.errata import ErrataLookup

    compiled = rules.compile()
    entries, errata = RuleLookup(compiled, rules.folder), ErrataLookup(rules, compiled)
    if what in compiled.declared.errata:
        lines = errata.lines(what)
    else:
        lines = [*entries.printed_rule(what), *entries.declarations_of(what)] or errata.lines(what)
    if not lines:
        near = entries.near(what, errata.names)
        hint = f"; similar: {', '.join(near)}" if near else ""
        if _CODE.fullmatch(what):
            raise shared.Failure(_unknown(what))
        raise shared.Failure(f"`{what}` is neither a rule number nor a name in `{rules.name}`{hint}")
    for line in lines:
        shown = shared.fold_line(line)
        terminal.echo(terminal.style(shown, "head") if line and not line.startswith(" ") else shown)


def _contradictions(what: str, rules: shared.ChosenRules) -> None:
    """Show the findings of `check --as-printed` about a printed rule, a claim or an errata entry."""
    from rulekit.ruleset import read_manifest

    manifest = read_manifest(rules.folder, Report())
    bare = what.removeprefix(f"{manifest.prefix}.") if manifest is not None else what
    findings = [
        finding
        for finding in _findings(rules, as_printed=True)
        if (conflict := finding.conflict) is not None
        and (
            finding.key[0] in (f"claim {what}", f"errata {what}")
            or conflict.played is not None
            and conflict.played.errata == what
            or any(statement.rule == bare for statement in (*conflict.printed, *conflict.against))
        )
    ]
    terminal.echo()
    if findings:
        shared.tell(_at_folder(findings, rules), "full")
    else:
        terminal.echo(f"`check --as-printed` reports no contradiction of `{what}`")


def _finding(what: str, rules: shared.ChosenRules, as_printed: bool) -> None:
    """Show what is found in a rule set under an id, be it accepted or not."""
    near: set[str] = set()
    for printed, each_option in ((False, False), (True, False), (False, True)):
        if as_printed and not printed or each_option and rules.options:
            continue
        findings = _findings(rules, as_printed=printed, each_option=each_option)
        meant = [finding for finding in findings if finding.id == what]
        if meant:
            shared.tell(_at_folder(meant, rules), "full")
            terminal.echo()
            return
        near |= {finding.id for finding in findings}
    raise shared.unknown(f"`{what}` is not a finding of `{rules.folder}`", what, near)


def _findings(
    rules: shared.ChosenRules, *, as_printed: bool = False, each_option: bool = False
) -> Sequence[Diagnostic]:
    """All findings of a check, accepted ones too."""
    from rulekit.analysis.check import check
    from rulekit.reports.sheet import lint as lint_of_sheets

    checked = check(
        rules.folder,
        options=rules.options,
        overlays=rules.overlays,
        each_option=each_option,
        as_printed=as_printed,
        lints=(lint_of_sheets,),
    )
    return (*checked.diagnostics, *checked.accepted)


def _at_folder(findings: Sequence[Diagnostic], rules: shared.ChosenRules) -> Sequence[Diagnostic]:
    """Findings with their places as the user would type them."""
    from rulekit.analysis.check import relocate

    return relocate(findings, rules.folder)


def _on_date(rules: shared.ChosenRules, date: str) -> None:
    from rulekit.cli.show import Gutter
    from rulekit.ir.types import month_number, month_text
    from rulekit.reports.show.dates import on_date

    name, compiled = rules.name, rules.compile()
    calendar = next(iter(compiled.names.calendars.values()), None)
    if calendar is None:
        raise shared.Failure(f"`{name}` has no calendar, so no line has dates")
    try:
        month = month_number(date)
    except ValueError:
        raise shared.Failure(f"invalid month `{date}`; expected, for example, `Mar 1943`") from None
    if not calendar.first <= month <= calendar.last:
        ends = f"from {month_text(calendar.first)} to {month_text(calendar.last)}"
        raise shared.Failure(f"{month_text(month)} is outside the calendar of `{name}`, which runs {ends}")
    dated = list(on_date(compiled.declared, compiled.rule_set.sources, month))
    places = Gutter(row for entry in dated for row in (entry.head, entry.row))
    for text in places.lines(_dated_rows(dated)):
        terminal.echo(text)
    holding = sum(entry.holds for entry in dated)
    terminal.echo(f"{month_text(month)}: {holding} of {len(dated)} dated lines apply")


def _dated_rows(dated: Sequence[Dated]) -> Iterator[tuple[RuleLine, str, str]]:
    """The rows, marked as holding or not, each under the head of its item."""
    head = None
    for entry in dated:
        if entry.head != head and entry.head != entry.row:
            yield entry.head, "  ", ""
        head = entry.head
        yield entry.row, "+ " if entry.holds else "- ", ""


def _unknown(what: str) -> str:
    from rulekit.diagnostics.pages import pages

    known = [name for page in pages() for name in (page.code, page.name)]
    code = _CODE.fullmatch(what) is not None
    near = meant(what.upper() if code else what.lower(), known, cutoff=0.8 if code else 0.6)
    if code:
        return f"unknown code `{what}`; " + (near or f"{known[0]} to {known[-2]} have a page each")
    return f"unknown code `{what}`; " + (near or "to look up a rule number or a name, add a SET")
