"""`rulekit show WHAT SET [NAME]...`."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared, terminal

if TYPE_CHECKING:
    from rulekit.compiler.driver import Compiled
    from rulekit.reports.show import RuleLine, Shown

TEXT = 76
"""Cells for a rule's text before its printed numbers."""
NARROW = 50
"""The fewest cells to the right of a place; with fewer, the place goes over the row."""

_CITED = re.compile(r"^(.*?\S)\s*(\[[^\[\]]*\])$")


@click.command("show")
@click.argument("what", type=click.Choice(["model", "syntax", "ir", "python", "errata", "owner"]))
@shared.with_rule_set
@click.argument("names", nargs=-1, metavar="[NAME]...")
@shared.flag("--amended", "With `model`: show only what exceptions and options changed.")
@shared.option(
    "--form",
    ("direct", "session"),
    "With `python`: code that calls an agent at choices, or code that stops there.",
    default="direct",
)
@shared.with_format("full", "markdown", text="Output for the terminal or, with `errata`, as Markdown.")
def command(
    what: str,
    rules: shared.ChosenRules,
    names: tuple[str, ...],
    amended: bool,
    form: str,
    output_format: str,
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

    `rulekit show errata SET` lists where the booklet contradicts itself or is silent, what is played and why,
    and the claims that show it. NAME selects entries. Without --with, it includes the errata of all options.

    `rulekit show owner SET` prints a data file for every value you must copy from your own game, with empty
    cells. NAME selects tables, kinds or files.
    """
    match what:
        case "syntax":
            _syntax(rules, names)
        case "ir":
            _ir(rules, names)
        case "python":
            _python(rules, names, form)
        case "errata":
            _errata(rules, names, output_format)
        case "owner":
            _owner(rules, names)
        case _:
            _model(rules, names, amended)


def _model(rules: shared.ChosenRules, names: Sequence[str], amended: bool) -> None:
    from rulekit.compiler.names import name_of

    items = shown_of(rules.compile())
    _check_names(rules, names, {name_of(item.item) for item in items})
    chosen = [item for item in items if (not names or name_of(item.item) in names)]
    _print(item.rows for item in chosen if item.amended or not amended)


def _syntax(rules: shared.ChosenRules, names: Sequence[str]) -> None:
    from rulekit.diagnostics import Report, RulesError
    from rulekit.reports.show.syntax import item_trees
    from rulekit.ruleset.folder import Inputs, read_rule_set
    from rulekit.syntax.parse import parse

    report = Report()
    try:
        rule_set = read_rule_set(rules.folder, rules.options, rules.overlays, report, Inputs())
        report.stop_on_error()
        assert rule_set is not None
        modules = [parse(source, report) for source in rule_set.sources]
        report.stop_on_error()
    except RulesError as error:
        shared.stop_with(error.diagnostics, rules.folder)
    trees = list(item_trees(modules))
    _check_names(rules, names, {tree.name for tree in trees})
    _print(tree.rows for tree in trees if not names or tree.name in names)


def _ir(rules: shared.ChosenRules, names: Sequence[str]) -> None:
    from rulekit.reports.show.ir import entries

    compiled = rules.compile()
    items = list(entries(compiled.program, compiled.rule_set.manifest.prefix))
    _check_names(rules, names, {name for item in items for name in item.names})
    _print(item.rows for item in items if not names or item.names & set(names))


def _python(rules: shared.ChosenRules, names: Sequence[str], form: str) -> None:
    from rulekit.reports.show.python import PythonView
    from rulekit.runtime.support.build import SESSION, SIMULATION

    compiled, build = rules.compile(), SESSION if form == "session" else SIMULATION
    view = PythonView(compiled.program, compiled.rule_set.manifest.prefix, build)
    _check_names(rules, names, view.names)
    _print(entry.rows for entry in (view.selection(names) if names else view.whole()))


def _check_names(
    rules: shared.ChosenRules, names: Iterable[str], known: Collection[str], what: str = "item"
) -> None:
    """Check that all names exist, or raise Failure with the nearest ones."""
    for name in names:
        if name not in known:
            raise shared.unknown(f"no {what} of `{rules.folder}` is named `{name}`", name, known)


def _print(items: Iterable[Sequence[RuleLine]]) -> None:
    """Print items with a blank line after each; places are aligned over all of them."""
    shown = list(items)
    places = Gutter(row for rows in shown for row in rows)
    for rows in shown:
        for text in places.lines((row, "", "") for row in rows):
            terminal.echo(text)
        terminal.echo()


def _errata(rules: shared.ChosenRules, names: Sequence[str], output_format: str) -> None:
    from rulekit.cli.show.errata import ErrataLookup
    from rulekit.reports.show.errata import markdown, plain

    compiled = rules.compile()
    errata, manifest = ErrataLookup(rules, compiled), compiled.rule_set.manifest
    if names:
        _check_names(rules, names, errata.names, "errata entry")
    chosen = [entry for name in names or ("",) for entry in errata.entries(name)]
    if output_format == "markdown":
        text = markdown(manifest.title, manifest.edition, manifest.id, chosen)
    else:
        text = "\n".join(plain(entry, str(rules.folder), rules.name) for entry in chosen)
    terminal.echo(text, nl=False)


def _owner(rules: shared.ChosenRules, names: Sequence[str]) -> None:
    from rulekit.ir import missing_tables
    from rulekit.reports.show.owner import forms

    compiled = rules.compile()
    lacking = missing_tables.made_up_or_missing(compiled.program.statics)
    of_tables = {
        table: {missing_tables.name_of(table), missing_tables.owner_file(table)} for table in lacking
    }
    of_forms = {form: {form.kind, form.file} for form in forms(compiled)}
    known = set().union(*of_tables.values(), *of_forms.values())
    for name in names:
        if name not in known:
            raise shared.unknown(f"`{name}` needs no owner data", name, known)
    populations = [form for form in of_forms if not names or of_forms[form] & set(names)]
    tables = [table for table in lacking if not names or of_tables[table] & set(names)]
    if not populations and not tables:
        shared.say("no owner data is missing", plain=True)
        return
    lines = [line for form in populations for line in form.lines]
    terminal.echo(missing_tables.template(tables, lines), nl=False)


def shown_of(compiled: Compiled) -> Sequence[Shown]:
    """Return the items of a compiled rule set with everything in force worked in."""
    from rulekit.reports.show import shown_items

    return shown_items(compiled.declared, compiled.names, compiled.rule_set.sources)


class Gutter:
    """The places of rows: a file and a line before each or, in a narrow terminal, a file over its rows.

    Args:
        rows: All rows that are shown; their places are as wide as the widest.
    """

    def __init__(self, rows: Iterable[RuleLine]) -> None:
        shown = list(rows)
        self._cells = max((len(_place(row)) for row in shown), default=0)
        self._stacked = terminal.is_terminal(sys.stdout) and shared.width() - self._cells - 2 < NARROW
        if self._stacked:
            self._cells = max((len(str(row.line)) for row in shown), default=0)

    def lines(self, rows: Iterable[tuple[RuleLine, str, str]]) -> Iterator[str]:
        """Return the lines of one item, each of whose rows has a mark and a style."""
        file = ""
        for row, mark, role in rows:
            if self._stacked and row.file and row.file != file:
                file = row.file
                yield terminal.style(file, "quiet")
            place = str(row.line if row.file else "") if self._stacked else _place(row)
            place = f"{place:{'>' if self._stacked else '<'}{self._cells}}"
            text = _text(row, mark, self._cells + 2)
            before, after = terminal.style(place, "quiet"), terminal.style(text, role) if role else text
            yield f"{before}  {after}" if text else before.rstrip()


def _text(row: RuleLine, mark: str, left: int) -> str:
    """Return a row's text, followed by its citation and its origin, as it fits to the right of its place."""
    text, cited = row.text, row.cited or ""
    if row.cited is None and (written := _CITED.match(text)):
        text, cited = written[1], written[2]
    by = f"<{row.by}>" if row.by else ""
    after = "  ".join(filter(None, (cited, by)))
    full = f"{mark}{text:<{TEXT}}  {after}" if after else f"{mark}{text}"
    room = shared.width() - left
    if terminal.is_terminal(sys.stdout) and len(full) > room:
        full = _narrower(f"{mark}{text}", after, left, room)
    return full.rstrip()


def _narrower(text: str, after: str, left: int, room: int) -> str:
    """Return a line of rules in rows that fit: citations follow the text, later rows are indented."""
    words = f"{text.rstrip()}  {after}" if after else text.rstrip()
    if len(words) <= room:
        return words
    start = len(words) - len(words.lstrip(" +-"))
    words = words[:start] + re.sub(r" {3,}", "  ", words[start:])
    wrapped = textwrap.wrap(
        words,
        max(room, 24),
        subsequent_indent=" " * (start + 4),
        break_on_hyphens=False,
        break_long_words=False,
        replace_whitespace=False,
    )
    return f"\n{' ' * left}".join(wrapped)


def _place(row: RuleLine) -> str:
    return f"{row.file}:{row.line}" if row.file else ""
