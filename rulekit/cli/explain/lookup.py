"""Lookup of printed rules and names in a rule set, for `rulekit explain`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulekit.base.files import excerpt
from rulekit.base.source import Span
from rulekit.base.spelling import nearest
from rulekit.cli.shared import fold
from rulekit.compiler.driver import Compiled
from rulekit.compiler.names import name_of
from rulekit.ruleset import RowData
from rulekit.syntax.tree.items import Enum, Example, Item, Modifier, Variant, word_of
from rulekit.syntax.tree.walk import citations

WIDTH = 100
MOST_LINES = 40
"""Lines of a declaration that are shown."""


class RuleLookup:
    """Looks things up in one compiled rule set."""

    def __init__(self, compiled: Compiled, folder: Path) -> None:
        self._compiled, self._folder = compiled, folder
        self._prefix = compiled.rule_set.manifest.prefix
        self._items = [item for module in compiled.modules for item in module.items]
        self._summaries = {rule.id: rule for rules in compiled.printed for rule in rules.rules}

    # -- a printed rule

    def printed_rule(self, what: str) -> Iterator[str]:
        """Describe a printed rule: its text, the lines that encode it, its examples."""
        id_ = what if what in self._summaries or " " in what else f"{self._prefix}.{what}"
        cited = [(item, at) for item in self._items for at in self._citation_spans(item, id_)]
        if id_ in self._summaries:
            rule = self._summaries[id_]
            yield f"{rule.id}  {rule.kind}"
            yield textwrap.fill(rule.summary, WIDTH, initial_indent="  ", subsequent_indent="  ")
        elif cited:
            yield f"{id_}  (not in the lists of printed rules)"
        else:
            return
        for excuse in self._compiled.rule_set.manifest.not_encodable:
            if id_ in (excuse.what, f"{self._prefix}.{excuse.what}"):
                yield f"  not encoded: {excuse.reason}"
        encoded = [(item, at) for item, at in cited if not isinstance(item, Example)]
        if encoded:
            yield "encoded by"
        for item, at in encoded:
            yield f"  {word_of(item)} {name_of(item)}, {self._folder / at.file}:{at.line}"
            yield f"      {self._line(at)}"
        shown = dict.fromkeys(item for item, _ in cited if isinstance(item, Example))
        if shown:
            yield "tested by"
        for example in shown:
            yield f"  {name_of(example)}, {self._folder / example.span.file}:{example.span.line}"
        if not encoded and not any(
            id_.endswith(e.what) for e in self._compiled.rule_set.manifest.not_encodable
        ):
            yield "  not cited"

    def _citation_spans(self, item: Item, id_: str) -> Iterator[Span]:
        """Return the places where an item cites a rule, each line once."""
        seen = set()
        for cite in citations(item):
            full = {rule if " " in rule else f"{self._prefix}.{rule}" for rule in cite.ids} | set(cite.ids)
            if id_ in full and cite.span.line not in seen:
                seen.add(cite.span.line)
                yield cite.span

    def _line(self, at: Span) -> str:
        lines = excerpt(str(self._folder / at.file)).split("\n")
        line = lines[at.line - 1] if at.line <= len(lines) else ""
        return line[: at.column - 1].strip() or line.strip()

    # -- a name

    def declarations_of(self, what: str) -> Iterator[str]:
        """Declarations of that name, what amends them, and what the data say of it."""
        wanted = fold(what)
        for item in self._items:
            if fold(name_of(item)) == wanted or wanted in _members(item):
                yield from self._declaration_lines(item)
        for item in self._items:
            if isinstance(item, Modifier) and fold(item.target.text) == wanted:
                yield f"modified by {name_of(item)}, {self._folder / item.span.file}:{item.span.line}"
                yield from self._source(item.span)
            if isinstance(item, Variant):
                for amendment in item.amendments:
                    named = (amendment.address.name, amendment.address.of_name)
                    if any(name is not None and fold(name.text) == wanted for name in named):
                        at = amendment.span
                        yield f"amended by {name_of(item)}, {self._folder / at.file}:{at.line}"
                        yield from self._source(at)
        yield from self._data(wanted)

    def _declaration_lines(self, item: Item) -> Iterator[str]:
        yield f"{word_of(item)} {name_of(item)}, {self._folder / item.span.file}:{item.span.line}"
        yield from self._source(item.span)
        ids = dict.fromkeys(id_ for cite in citations(item) for id_ in cite.ids)
        for id_ in ids:
            rule = self._summaries.get(id_ if " " in id_ else f"{self._prefix}.{id_}")
            if rule is not None:
                yield f"    [{id_}] {rule.summary}"

    def _source(self, at: Span) -> Iterator[str]:
        """The lines of a stretch of text, without the blank ones at its end."""
        text = excerpt(str(self._folder / at.file)).split("\n")[: at.end_line]
        if len(text) == at.end_line:
            text[-1] = text[-1] if text[-1][: at.end_column - 1].strip() else ""
        lines = text[at.line - 1 :]
        while lines and not lines[-1].strip():
            lines.pop()
        for line in lines[:MOST_LINES]:
            yield f"  {line.rstrip()}"
        if len(lines) > MOST_LINES:
            yield f"  and {len(lines) - MOST_LINES} more lines"

    def _data(self, wanted: str) -> Iterator[str]:
        """Rows of data files with that name, each fact with its confidence."""
        for file in self._compiled.data.files.values():
            for population in file.populations.values() if file is not None else ():
                for row in population.rows:
                    if row.cells and fold(str(row.cells[0].plain)) == wanted:
                        at = row.span
                        made_up = ", made up" if population.sampler else ""
                        where = f"{self._folder / at.file}:{at.line}"
                        yield f"{population.name} {row.cells[0].plain}, {where}{made_up}"
                        yield from _facts(population.columns, row)

    def near(self, what: str, errata: Iterable[str]) -> list[str]:
        """Names, numbers and errata entries that look alike."""
        names = [name_of(item) for item in self._items if not isinstance(item, Example)]
        numbers = [id_.removeprefix(f"{self._prefix}.") for id_ in self._summaries]
        return nearest("_".join(what.split()), {*names, *numbers, *errata}, 3)


def _facts(columns: tuple[str, ...], row: RowData) -> Iterator[str]:
    for column, cell, confidence in zip(columns, row.cells, row.confidence, strict=True):
        words = ", ".join(map(str, cell.plain)) if isinstance(cell.plain, tuple) else str(cell.plain)
        yield f"  {column}: {'none' if cell.plain is None else words or 'nothing'}  ({confidence})"
    if row.note:
        yield textwrap.fill(f"note: {row.note}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    if row.source:
        yield f"  source: {row.source}"


def _members(item: Item) -> set[str]:
    return {fold(member.name.text) for member in item.members} if isinstance(item, Enum) else set()
