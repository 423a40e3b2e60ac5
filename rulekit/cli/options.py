"""`rulekit options SET`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.catalogue import Choosable

WIDE = 88
"""Cells of a line of prose."""


@click.command("options")
@click.argument("set_name", metavar="SET")
@shared.with_format("full", "json")
def command(set_name: str, output_format: str) -> None:
    """List what can be switched on with `--with`.

    Each option with its title, its author, the printed rules it encodes, whom it favours, what it needs and
    excludes, and when it is in force; then the presets, which are names for several options at once.
    """
    from rulekit.catalogue import catalogue
    from rulekit.diagnostics import Report, RulesError

    folder = shared.locate(set_name)
    try:
        found = catalogue(folder, Report())
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder, output_format)
    if output_format == "json":
        plain = {"options": [asdict(option) for option in found.options], "presets": found.presets}
        click.echo(json.dumps(plain, indent=2, ensure_ascii=False))
        return
    if not found.options:
        click.echo(f"`{set_name}` has no options")
    for option in found.options:
        for line in _told(option):
            click.echo(line)
    if found.presets:
        click.echo(click.style("presets", bold=True))
        for name, options in found.presets.items():
            click.echo(_wrapped(f"  {name}: {', '.join(options)}"))


def _told(option: Choosable) -> Iterator[str]:
    """An option in a few lines."""
    numbers = f" [{', '.join(option.numbers)}]" if option.numbers else ""
    title = f"  {option.title}" if option.title else ""
    yield click.style(option.id, bold=True) + title + numbers
    by = f"by {option.author}" if option.author else ""
    facts = [
        ", ".join(filter(None, (by, option.status.replace("_", " ")))),
        f"favours {option.favours}" if option.favours else "",
        f"needs {', '.join(option.needs)}" if option.needs else "",
        f"excludes {', '.join(option.excludes)}" if option.excludes else "",
        f"over {', '.join(option.over)}" if option.over else "",
        f"with {', '.join(option.beside)}" if option.beside else "",
        f"in force {' and '.join(option.force)}" if option.force else "",
    ]
    said = "; ".join(filter(None, facts))
    if said:
        yield _wrapped(f"    {said}")
    if option.reason:
        yield _wrapped(f"    {option.reason}")
    yield ""


def _wrapped(text: str) -> str:
    indent = len(text) - len(text.lstrip())
    return textwrap.fill(text, WIDE, subsequent_indent=" " * (indent + 2), break_on_hyphens=False)
