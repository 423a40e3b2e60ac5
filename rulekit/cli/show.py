"""`rulekit show WHAT SET [NAME]...`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.compiler.driver import Compiled
    from rulekit.reports.show import RuleLine, Shown

TEXT = 76
"""Cells for a rule's text before its printed numbers."""

_CITED = re.compile(r"^(.*?\S)\s*(\[[^\[\]]*\])$")


@click.command("show")
@click.argument("what", type=click.Choice(["model", "syntax", "ir", "python", "errata", "owner"]))
@click.argument("set_name", metavar="SET")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--amended", is_flag=True, help="With `model`: show only what exceptions and options changed.")
@click.option(
    "--form",
    type=click.Choice(["direct", "session"]),
    default="direct",
    show_default=True,
    help="With `python`: code that calls an agent at choices, or code that stops there.",
)
@shared.with_format("full", "markdown", text="Output for the terminal or, with `errata`, as Markdown.")
@shared.with_options
def command(
    what: str,
    set_name: str,
    names: tuple[str, ...],
    amended: bool,
    form: str,
    output_format: str,
    options: tuple[str, ...],
    overlays: tuple[Path, ...],
) -> None:
    """Print the rules that apply, with their sources.

    `rulekit show model SET --with OPTION` prints the rules with the option applied. Name items to print only
    those. Each line shows its location and the exception or option that added or changed it.

    `rulekit show syntax SET` prints the tree of each item as the parser read it, before options and
    exceptions are applied: classes, fields, and the span of each node.

    `rulekit show ir SET` prints the compiled program as text: names bound, options applied, types known. A
    line without a rule number has that of the line it belongs to.

    `rulekit show python SET` prints the Python that is generated from the program and run, under the names
    of the rules, with a legend of the state's cells and the constants. NAME selects procedures, choices,
    definitions and tables.

    `rulekit show errata SET` lists where the booklet contradicts itself or is silent, and what is played.
    Without --with, it includes the options in the preset `as-printed`.

    `rulekit show owner SET` prints a data file for every value you must copy from your own game, with empty
    cells. NAME selects tables or files.
    """
    folder = shared.locate(set_name)
    match what:
        case "syntax":
            _syntax(folder, names, options, overlays)
        case "ir":
            _ir(folder, names, shared.compiled(folder, options, overlays))
        case "python":
            _python(folder, names, shared.compiled(folder, options, overlays), form)
        case "errata":
            _errata(folder, output_format, options, overlays)
        case "owner":
            _owner(shared.compiled(folder, options, overlays), names)
        case _:
            _model(folder, names, shared.compiled(folder, options, overlays), amended)


def _model(folder: Path, names: Sequence[str], made: Compiled, amended: bool) -> None:
    from rulekit.compiler.names import name_of

    items = shown_of(made)
    _known(folder, names, {name_of(item.item) for item in items})
    chosen = [item for item in items if (not names or name_of(item.item) in names)]
    _print(item.rows for item in chosen if item.amended or not amended)


def _syntax(folder: Path, names: Sequence[str], options: Sequence[str], overlays: Sequence[Path]) -> None:
    from rulekit.diagnostics import Report, RulesError
    from rulekit.reports.show.syntax import item_trees
    from rulekit.ruleset.folder import read_rule_set
    from rulekit.ruleset.inputs import Inputs
    from rulekit.syntax.parse import parse

    report = Report()
    try:
        rule_set = read_rule_set(folder, options, overlays, report, Inputs())
        report.stop_on_error()
        assert rule_set is not None
        modules = [parse(source, report) for source in rule_set.sources]
        report.stop_on_error()
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder)
    trees = list(item_trees(modules))
    _known(folder, names, {tree.name for tree in trees})
    _print(tree.rows for tree in trees if not names or tree.name in names)


def _ir(folder: Path, names: Sequence[str], made: Compiled) -> None:
    from rulekit.reports.show.ir import entries

    found = list(entries(made.program, made.rule_set.manifest.prefix))
    _known(folder, names, {name for entry in found for name in entry.names})
    _print(entry.rows for entry in found if not names or entry.names & set(names))


def _python(folder: Path, names: Sequence[str], made: Compiled, form: str) -> None:
    from rulekit.reports.show.python import PythonView
    from rulekit.runtime.support.build import SESSION, SIMULATION

    build = SESSION if form == "session" else SIMULATION
    view = PythonView(made.program, made.rule_set.manifest.prefix, build)
    _known(folder, names, view.names)
    _print(entry.rows for entry in (view.selected(names) if names else view.whole()))


def _known(folder: Path, names: Iterable[str], known: Collection[str]) -> None:
    """Check that all names exist.

    Raises:
        Failure: One does not; the message has the names that come near.
    """
    from rulekit.ruleset.findings import did_you_mean

    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise shared.Failure(f"no item of `{folder}` is named `{name}`" + (f"; {hint}" if hint else ""))


def _print(items: Iterable[Sequence[RuleLine]]) -> None:
    """Print items with a blank line after each; places are aligned over all of them."""
    shown = list(items)
    places = width(row for rows in shown for row in rows)
    for rows in shown:
        for row in rows:
            click.echo(line(row, places))
        click.echo()


def _errata(folder: Path, output_format: str, options: tuple[str, ...], overlays: tuple[Path, ...]) -> None:
    from rulekit.analysis.options.groups import AS_PRINTED
    from rulekit.reports.show.errata import markdown, openings, plain

    made = [shared.compiled(folder, options, overlays)]
    manifest = made[0].rule_set.manifest
    if not options and AS_PRINTED in manifest.presets:
        made.append(shared.compiled(folder, (AS_PRINTED,), overlays))
    found = openings(made)
    if output_format == "markdown":
        text = markdown(manifest.title, manifest.edition, manifest.id, found)
    else:
        text = plain(found)
    click.echo(text, nl=False)


def _owner(made: Compiled, names: Sequence[str]) -> None:
    from rulekit.ir import missing_tables
    from rulekit.ruleset.findings import did_you_mean

    lacking = missing_tables.wanted(made.program.statics)
    of = {table: {missing_tables.name_of(table), table.missing} for table in lacking}
    known = set().union(*of.values())
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            message = f"`{name}` needs no owner data"
            raise shared.Failure(message if hint is None else f"{message}; {hint}")
    chosen = [table for table in lacking if not names or of[table] & set(names)]
    if chosen:
        click.echo(missing_tables.template(chosen), nl=False)
    else:
        shared.say("no owner data is missing", plain=True)


def shown_of(made: Compiled) -> Sequence[Shown]:
    """The items of a compiled rule set as they stand."""
    from rulekit.reports.show import shown

    return shown(made.declared, made.names, made.rule_set.sources)


def width(rows: Iterable[RuleLine]) -> int:
    """Cells of the longest place."""
    return max((len(_place(row)) for row in rows), default=0)


def line(row: RuleLine, places: int, mark: str = "") -> str:
    """A row with its place before it, and who brought it behind."""
    text, cited = row.text, row.cited or ""
    if row.cited is None and (written := _CITED.match(text)):
        text, cited = written[1], written[2]
    by = f"<{row.by}>" if row.by else ""
    behind = "  ".join(filter(None, (cited, by)))
    full = f"{mark}{text:<{TEXT}}  {behind}" if behind else f"{mark}{text}"
    return (click.style(f"{_place(row):<{places}}", dim=True) + f"  {full}").rstrip()


def _place(row: RuleLine) -> str:
    return f"{row.file}:{row.line}" if row.file else ""
