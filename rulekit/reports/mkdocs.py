"""The mkdocs plugin `rulekit`: tables and sequences of rule sets on pages of a documentation.

A line of a page that begins with `::: rulekit` names a rule set and parts of its sheet; each build puts these
blocks in its place.

    ::: rulekit SET table:NAME modifiers with=OPTION

Names without `=` after the set are ids of blocks or parts; without any it is the whole sheet.  `with`,
`scenario`, `date`, `side`, `language` and `form` are as on the command line; `level` is that of the headings.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin

from rulekit.base.frozen import frozen
from rulekit.reports.sheet.model.document import Block, Sheet

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_SHEET = '<div class="rk"'
"""How the HTML of each block begins."""
_DIRECTIVE = re.compile(r"^::: rulekit(?=\s|$)(.*)$")
_KEYS = ("with", "scenario", "date", "side", "language", "form", "level")
STYLE = "assets/rulekit-sheet.css"


class DirectiveError(Exception):
    """A directive asks for something that does not exist."""


@frozen
class Directive:
    """The contents of a directive line; `options` are those in force."""

    rule_set: str
    wanted: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    scenario: str = ""
    date: str = ""
    language: str = "en"
    form: str = "full"
    level: int = 3
    side: str = ""


def parse(line: str) -> Directive | None:
    """The directive of a line; None for any other line.

    Raises:
        DirectiveError: It begins like one, and is none.
    """
    directive = _DIRECTIVE.match(line.rstrip())
    if directive is None:
        return None
    try:
        words = shlex.split(directive[1])
    except ValueError as error:
        raise DirectiveError(f"missing closing quotation mark: {directive[1].strip()}") from error
    settings: dict[str, list[str]] = {key: [] for key in _KEYS}
    names = []

    def last(key: str, default: str) -> str:
        return (settings[key] or [default])[-1]

    for word in words:
        key, sign, value = word.partition("=")
        if sign and key in _KEYS:
            settings[key].append(value)
        elif sign:
            raise DirectiveError(f"unknown setting `{key}`; choose from {', '.join(_KEYS)}")
        else:
            names.append(word)
    if not names:
        raise DirectiveError("missing rule set; write `::: rulekit SET`, then the blocks to show")
    level, form = last("level", "3"), last("form", "full")
    if level not in "23456" or len(level) != 1:
        raise DirectiveError(f"`level={level}`: expected a heading level from 2 to 6")
    if form not in ("full", "one-page"):
        raise DirectiveError(f"`form={form}`: expected full or one-page")
    return Directive(names[0], tuple(names[1:]), tuple(settings["with"]), last("scenario", ""),
                     last("date", ""), last("language", "en"), form, int(level),
                     last("side", ""))  # fmt: skip


class Sheets:
    """Makes blocks of rule sets, each compiled once per choice of options; paths begin in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[Directive, Sheet] = {}
        self.folders: set[Path] = set()

    def html(self, directive: Directive, prefix: str) -> str:
        """The blocks that a directive asks for; `prefix` begins their ids.

        Raises:
            DirectiveError: Something of it does not exist, or the rule set has findings.
        """
        from rulekit.reports.sheet.render.html import fragment

        sheet = self._sheet(directive)
        return fragment(sheet, tuple(self._blocks(sheet, directive)), directive.level, prefix)

    def _blocks(self, sheet: Sheet, directive: Directive) -> Iterator[Block]:
        from rulekit.reports.sheet.content.build import only
        from rulekit.reports.sheet.model.document import SheetError

        if not directive.wanted:
            yield from sheet.blocks
        try:
            for name in directive.wanted:
                yield from only(sheet, name).blocks
        except SheetError as error:
            raise DirectiveError(f"the rule set `{directive.rule_set}`: {error.message}") from error

    def _sheet(self, directive: Directive) -> Sheet:
        key = replace(directive, wanted=(), level=0)
        if key not in self._made:
            self._made[key] = self._make_sheet(directive)
        return self._made[key]

    def _make_sheet(self, directive: Directive) -> Sheet:
        from rulekit.analysis.compile import compile_without_clashes
        from rulekit.diagnostics import Report, RulesError
        from rulekit.reports.sheet.content.build import Request, month, sheet_of
        from rulekit.reports.sheet.model.document import FormName, SheetError
        from rulekit.reports.sheet.model.messages import speak
        from rulekit.reports.sheet.reachability.applies import scenario_named

        folder = self._folder_of(directive.rule_set)
        self.folders.add(folder)
        report = Report()
        try:
            compiled = compile_without_clashes(folder, Report(), options=directive.options)
            catalogue = speak(directive.language, compiled, report)
            report.stop_on_error()
            date = month(directive.date) if directive.date else None
            if directive.scenario and scenario_named(compiled.program, directive.scenario) is None:
                raise DirectiveError(f"`{directive.rule_set}` has no scenario `{directive.scenario}`")
            form: FormName = "one-page" if directive.form == "one-page" else "full"
            request = Request(form, directive.scenario, date, side=directive.side)
            return sheet_of(compiled, report, request, catalogue)
        except RulesError as error:
            first = next(iter(error.diagnostics))
            place = f"{first.span.file}:{first.span.line}"
            raise DirectiveError(f"the rule set `{directive.rule_set}`: {place}: {first.message}") from error
        except SheetError as error:
            raise DirectiveError(error.message) from error

    def _folder_of(self, name: str) -> Path:
        """A rule set by its path from the documentation's configuration, or by its id."""
        from rulekit.base.resources import rules_folder

        for folder in (self._folder / name, rules_folder() / name):
            if (folder / "ruleset.yaml").is_file():
                return folder
        raise DirectiveError(f"unknown rule set `{name}`")


class PluginSettings(Config):  # type: ignore[no-untyped-call]
    """The settings of the plugin in `mkdocs.yml`."""

    theme = config_options.Type(str, default="colour")
    """A theme of sheets, by its name or its path from the configuration."""
    dark = config_options.Type((bool, str), default=False)
    """Whether blocks turn dark with the reader's system, or the selector of the site's dark theme."""


class RulekitPlugin(BasePlugin[PluginSettings]):  # type: ignore[no-untyped-call]
    """Puts blocks of sheets in the place of directives, and links their style sheet on those pages."""

    def on_config(self, config: Any) -> Any:
        """Forget the sheets of another build."""
        self._sheets = Sheets(Path(config.config_file_path or ".").resolve().parent)
        return config

    def on_files(self, files: Any, *, config: Any) -> Any:
        """Add the style sheet, with the theme's colours."""
        from mkdocs.structure.files import File

        files.append(File.generated(config, STYLE, content=self._style(config)))
        return files

    def _style(self, config: Any) -> str:
        from rulekit.reports.sheet.model.document import SheetError
        from rulekit.reports.sheet.render.html import style
        from rulekit.reports.sheet.render.theme import known_themes, read_theme

        name = self.config.theme
        path = name if name in known_themes() else str(Path(config.config_file_path).resolve().parent / name)
        try:
            return style(read_theme(path), dark_too=cast("bool | str", self.config.dark))
        except SheetError as error:
            raise PluginError(f"rulekit: {error.message}") from error

    def on_page_markdown(self, markdown: str, *, page: Any, config: Any, files: Any) -> str:
        """Put blocks in the place of directives; a wrong one ends the build with its place."""
        return expand(markdown, self._sheets, page.file.src_uri)

    def on_post_page(self, output: str, *, page: Any, config: Any) -> str:
        """Link the style sheet, which has fonts, where a page shows a sheet."""
        from mkdocs.utils import get_relative_url

        if _SHEET not in output:
            return output
        link = f'<link rel="stylesheet" href="{get_relative_url(STYLE, page.url)}">'
        return output.replace("</head>", f"{link}\n</head>", 1)

    def on_serve(self, server: Any, *, config: Any, builder: Any) -> Any:
        """Build again when a rule set changes."""
        for folder in sorted(self._sheets.folders):
            server.watch(str(folder))
        return server


def expand(markdown: str, sheets: Sheets, page: str) -> str:
    """A page with blocks in the place of its directives; those in code are left alone.

    Raises:
        PluginError: A directive is wrong; the message has its page and line.
    """
    fence = ""
    lines = []
    for number, line in enumerate(markdown.splitlines(), 1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        try:
            directive = None if fence else parse(line)
            lines.append(line if directive is None else f"\n{sheets.html(directive, f'sheet{number}-')}\n")
        except DirectiveError as error:
            raise PluginError(f"{page}, line {number}: {error}") from error
    return "\n".join(lines) + "\n"


__all__ = ["Directive", "DirectiveError", "RulekitPlugin", "Sheets", "expand", "parse"]
