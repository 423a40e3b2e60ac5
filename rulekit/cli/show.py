"""`rulekit show model SET [NAME]...`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.compiler.driver import Compiled
    from rulekit.reports.show import Row, Shown

TEXT = 76
"""Cells for a rule's text before its printed numbers."""

_CITED = re.compile(r"^(.*?\S)\s*(\[[^\[\]]*\])$")


@click.command("show")
@click.argument("what", type=click.Choice(["model", "errata", "owner"]))
@click.argument("set_name", metavar="SET")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--amended", is_flag=True, help="Show only what exceptions and options changed.")
@shared.with_format("full", "markdown", text="Output for the terminal or as Markdown.")
@shared.with_options
def command(
    what: str,
    set_name: str,
    names: tuple[str, ...],
    amended: bool,
    output_format: str,
    options: tuple[str, ...],
    overlays: tuple[Path, ...],
) -> None:
    """Print the rules that apply, with their sources.

    `rulekit show model SET --with OPTION` prints the rules with the option applied. Name items to print only
    those. Each line shows its location and the exception or option that added or changed it.

    `rulekit show errata SET` lists where the booklet contradicts itself or is silent, and what is played.
    Without --with, it includes the options in the preset `as-printed`.

    `rulekit show owner SET` prints a data file for every value you must copy from your own game, with empty
    cells. NAME selects tables or files.
    """
    from rulekit.compiler.names import name_of

    folder = shared.locate(set_name)
    if what == "owner":
        _owner(shared.compiled(folder, options, overlays), names)
        return
    if what == "errata":
        _errata(folder, output_format, options, overlays)
        return
    found = shown_of(shared.compiled(folder, options, overlays))
    known = {name_of(each.item) for each in found}
    for name in names:
        if name not in known:
            from rulekit.ruleset.findings import did_you_mean

            message, hint = f"nothing in `{set_name}` is called `{name}`", did_you_mean(name, known)
            raise shared.Failure(message if hint is None else f"{message}; {hint}")
    wanted = [
        each for each in found if (not names or name_of(each.item) in names) and (each.amended or not amended)
    ]
    places = width(row for each in wanted for row in each.rows)
    for each in wanted:
        for row in each.rows:
            click.echo(line(row, places))
        click.echo()


def _errata(folder: Path, output_format: str, options: tuple[str, ...], overlays: tuple[Path, ...]) -> None:
    from rulekit.analysis.groups import AS_PRINTED
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
            message = f"no numbers of `{name}` are wanted from the owner"
            raise shared.Failure(message if hint is None else f"{message}; {hint}")
    chosen = [table for table in lacking if not names or of[table] & set(names)]
    if chosen:
        click.echo(missing_tables.template(chosen), nl=False)
    else:
        shared.say("all numbers are here: nothing is wanted from the owner", plain=True)


def shown_of(made: Compiled) -> Sequence[Shown]:
    """The items of a compiled rule set as they stand."""
    from rulekit.reports.show import shown

    return shown(made.declared, made.names, made.rule_set.sources)


def width(rows: Iterable[Row]) -> int:
    """Cells of the longest place."""
    return max((len(_place(row)) for row in rows), default=0)


def line(row: Row, places: int, mark: str = "") -> str:
    """A row with its place before it, and who brought it behind."""
    text, cited = row.text, ""
    if found := _CITED.match(text):
        text, cited = found[1], found[2]
    by = f"<{row.by}>" if row.by else ""
    behind = "  ".join(filter(None, (cited, by)))
    full = f"{mark}{text:<{TEXT}}  {behind}" if behind else f"{mark}{text}"
    return (click.style(f"{_place(row):<{places}}", dim=True) + f"  {full}").rstrip()


def _place(row: Row) -> str:
    return f"{row.file}:{row.line}"
