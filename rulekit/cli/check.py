"""`rulekit check SET`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rulekit.cli import shared


@click.command("check")
@click.argument("sets", nargs=-1, metavar="SET...")
@shared.with_options
@shared.with_format("full", "concise", "json")
@click.option("--no-notes", is_flag=True, help="Leave out what is only worth knowing.")
def command(
    sets: tuple[str, ...],
    options: tuple[str, ...],
    overlays: tuple[Path, ...],
    output_format: str,
    no_notes: bool,
) -> None:
    """Find what a rule set gets wrong.

    Names, types, tables with gaps or overlaps, dangling names in data, citations of rules that are not
    printed, claims that do not hold; and, as notes, which facts are taken on trust.  Sets that have not
    changed are answered from the cache.

    Exits 0 if nothing but notes was found, 1 with findings, 2 if a set is not there.
    """
    from rulekit.checking import check, located
    from rulekit.diagnostics import Diagnostic, Severity
    from rulekit.diagnostics.render_text import count

    if not sets:
        known = ", ".join(shared.known_sets()) or "none"
        raise click.UsageError(f"name a rule set: a folder, or one that comes with rulekit ({known})")
    folders = [shared.locate(name) for name in sets]
    found: list[Diagnostic] = []
    for folder in folders:
        found += located(check(folder, options=options, overlays=overlays).diagnostics, folder)
    shown = [d for d in found if not (no_notes and d.kind.severity is Severity.NOTE)]
    shared.tell(shown, output_format)
    if output_format != "json":
        click.echo(count(shown), err=True)
    if shared.unreadable(found):
        sys.exit(shared.FAILED)
    sys.exit(shared.FINDINGS if any(d.kind.severity is not Severity.NOTE for d in found) else 0)
