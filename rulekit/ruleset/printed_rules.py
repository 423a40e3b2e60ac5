"""The list of printed rules, `sources/*.tsv`: a rule a line, its id, its kind, what it says in our words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulekit.base.frozen import frozen
from rulekit.base.source import Source, Span
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.ruleset.files import read_text
from rulekit.ruleset.findings import beyond, did_you_mean, short
from rulekit.ruleset.reading import Reading
from rulekit.syntax.parse.text_checks import control_fault

REQUIRED = ("id", "kind", "summary")
MAX_RULES = 20_000


@frozen
class PrintedRule:
    """One printed rule; `extra` holds the columns that rulekit gives no meaning, by their names."""

    id: str
    kind: str
    summary: str
    extra: Mapping[str, str]
    span: Span


@frozen
class PrintedRules:
    """One list, in the order written; no id occurs twice."""

    file: str
    columns: tuple[str, ...]
    rules: tuple[PrintedRule, ...]


def read_sources(folder: Path, name: str, report: Report) -> PrintedRules | None:
    """Read one list; None, and a finding, if it has no usable first line."""
    source = read_text(folder, name, report)
    return None if source is None else parse_sources(source, report)


def parse_sources(source: Source, report: Report) -> PrintedRules | None:
    """The same, from text in hand.  Tabs part the cells; quotes mean nothing; blank lines are passed over."""
    reading = Reading(report, source.file)
    if control := control_fault(source):
        reading.add(control)
        return None
    lines = [line.removesuffix("\r") for line in source.text.split("\n")]
    columns = tuple(lines[0].split("\t"))
    if fault := _header_fault(columns, source):
        reading.add(fault)
        return None
    rules: dict[str, PrintedRule] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        if len(rules) >= MAX_RULES:
            reading.add(beyond("printed rules in one file", MAX_RULES, _span(source, number, 0, line)))
            break
        rule = _rule(line.split("\t"), columns, _span(source, number, 0, line), reading)
        if rule and rules.setdefault(rule.id, rule) is not rule:
            reading.add(_duplicate(rule, rules[rule.id]))
    return PrintedRules(source.file, columns, tuple(rules.values()))


def _header_fault(columns: Sequence[str], source: Source) -> Diagnostic | None:
    missing = [name for name in REQUIRED if name not in columns]
    twice = next((name for index, name in enumerate(columns) if name in columns[:index]), None)
    if missing:
        names = " and ".join(f"`{name}`" for name in missing)
        message = f"the first line must name the column{'s' if missing[1:] else ''} {names}"
        hint: str | None = "start it with `id<tab>kind<tab>summary`, separated by tabs"
        if len(columns) > 1 and not missing[1:]:
            hint = did_you_mean(missing[0], [name for name in columns if name not in REQUIRED])
    elif twice is not None or "" in columns:
        message = (
            f"the first line names {short(twice)} twice" if twice else "the first line has an empty name"
        )
        hint = "give each column a name of its own"
    else:
        return None
    return Diagnostic(kinds.SOURCES_HEADER, message, _span(source, 1, 0, source.line(1)), hint=hint)


def _rule(cells: Sequence[str], columns: Sequence[str], span: Span, reading: Reading) -> PrintedRule | None:
    if len(cells) != len(columns):
        message = f"{len(cells)} columns, but the first line names {len(columns)}"
        hint = "separate the columns with one tab; remove tabs inside texts"
        reading.add(Diagnostic(kinds.SOURCES_COLUMNS, message, span, hint=hint))
        return None
    named = dict(zip(columns, map(str.strip, cells), strict=True))
    for name in REQUIRED:
        if not named[name]:
            reading.add(Diagnostic(kinds.SOURCES_COLUMNS, f"the rule's `{name}` is empty", span))
            return None
    extra = {name: text for name, text in named.items() if name not in REQUIRED}
    return PrintedRule(named["id"], named["kind"], named["summary"], extra, span)


def _duplicate(rule: PrintedRule, first: PrintedRule) -> Diagnostic:
    return Diagnostic(
        kinds.DUPLICATE_RULE_ID,
        f"{short(rule.id)} is listed twice",
        rule.span,
        (Label(first.span, "listed here first"),),
        hint="number the parts of one printed rule, as in `4.2:1` and `4.2:2`",
        under="listed again",
    )


def _span(source: Source, line: int, start: int, text: str) -> Span:
    return Span(source.file, line, start + 1, line, start + len(text) + 1)
