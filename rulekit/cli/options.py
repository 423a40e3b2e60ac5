"""`rulekit options SET`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared, terminal

if TYPE_CHECKING:
    from rulekit.reports.options import Choosable

WIDE = 88
"""Cells of a line of prose."""
MOST_NAMED = 12
"""Options of a preset that are named; more are counted."""


@click.command("options")
@click.argument("set_name", metavar="SET")
@shared.option("--by author", "AUTHOR", "List only options by this author.")
@shared.option("--rule", "NUMBER", "List only options for this printed rule or chapter.")
@shared.flag("--brief --short", "Print one line per option.")
@shared.with_format("full", "json")
def command(set_name: str, author: str | None, rule: str | None, brief: bool, output_format: str) -> None:
    """List the optional rules of a rule set.

    For each option: title, author, printed rules, which side it favours, what it needs and excludes, and when
    it applies. Presets, which turn on several options at once, follow.
    """
    from rulekit.diagnostics import Report, RulesError
    from rulekit.reports.options import catalogue

    folder = shared.locate(set_name)
    try:
        available = catalogue(folder, Report())
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder, output_format)
    options = _filter_options(available.options, author, rule)
    if output_format == "json":
        plain = {"options": [asdict(option) for option in options], "presets": available.presets}
        terminal.echo_json(plain, indent=2)
        return
    if not available.options:
        terminal.echo(f"`{set_name}` has no options")
    authors = list(dict.fromkeys(option.author for option in options))
    for name in authors:
        own = [option for option in options if option.author == name]
        if len(authors) > 1:
            several = f" ({len(own)})" if len(own) > 1 else ""
            terminal.echo(terminal.style(f"by {name}" if name else "of the booklet", "head") + several)
        for option in own:
            for line in (_head(option),) if brief else _option_lines(option):
                terminal.echo(line)
        if brief and len(authors) > 1:
            terminal.echo()
    if available.presets and author is None and rule is None:
        terminal.echo(terminal.style("presets", "head"))
        for name, chosen in available.presets.items():
            few = len(chosen) <= MOST_NAMED and not brief
            words = ", ".join(chosen) if few else f"{len(chosen)} options"
            terminal.echo(_wrap(f"  {name}: {words}"))


def _filter_options(options: Sequence[Choosable], author: str | None, rule: str | None) -> list[Choosable]:
    """The options by that author and for that printed rule, or one of its chapter."""
    chosen = list(options)
    if author is not None:
        chosen = [option for option in chosen if option.author.casefold() == author.casefold()]
        _some(chosen, f"by `{author}`", author, {option.author for option in options if option.author})
    if rule is not None:
        numbers = {number for option in chosen for number in option.numbers}
        chosen = [o for o in chosen if any(n == rule or n.startswith(f"{rule}.") for n in o.numbers)]
        _some(chosen, f"for `{rule}`", rule, {*numbers, *(n.rpartition(".")[0] for n in numbers)} - {""})
    return chosen


def _some(found: Sequence[Choosable], what: str, name: str, known: set[str]) -> None:
    """Check that any option matches, or raise Failure."""
    if not found:
        raise shared.unknown(f"no option {what}", name, known)


def _option_lines(option: Choosable) -> Iterator[str]:
    yield _head(option)
    by = f"by {option.author}" if option.author else ""
    facts = [
        f"a reading of `{option.reading_of}`, chosen with `--reading`" if option.reading_of else "",
        ", ".join(filter(None, (by, option.status.replace("_", " ")))),
        f"favours {option.favours}" if option.favours else "",
        f"needs {', '.join(option.needs)}" if option.needs else "",
        f"excludes {', '.join(option.excludes)}" if option.excludes else "",
        f"over {', '.join(option.over)}" if option.over else "",
        f"with {', '.join(option.beside)}" if option.beside else "",
        f"in force {' and '.join(option.force)}" if option.force else "",
    ]
    words = "; ".join(filter(None, facts))
    if words:
        yield _wrap(f"    {words}")
    if option.reason:
        yield _wrap(f"    {option.reason}")
    yield ""


def _head(option: Choosable) -> str:
    numbers = f" [{', '.join(option.numbers)}]" if option.numbers else ""
    title = f"  {option.title}" if option.title else ""
    line = shared.fold_line(f"{option.id}{title}{numbers}")
    return terminal.style(option.id, "head") + line.removeprefix(option.id)


def _wrap(text: str) -> str:
    indent = len(text) - len(text.lstrip())
    wide = min(WIDE, shared.width())
    return textwrap.fill(text, wide, subsequent_indent=" " * (indent + 2), break_on_hyphens=False)
