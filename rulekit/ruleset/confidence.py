"""The facts of a rule set, counted by how well they are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ruleset.findings import short
from rulekit.ruleset.model import ON_TRUST, Confidence, DataFile, PopulationData, TableData


@frozen
class Trust:
    """The facts of one column of a population or table, or all values of a file, by confidence.

    `what`: `population`, `table` or `values`; `column` is empty for values, whose `name` is empty too.
    A population's names and a table's keys are not counted: they say what a fact is about.
    """

    file: str
    what: str
    name: str
    column: str
    counts: Mapping[Confidence, int]
    span: Span

    @property
    def facts(self) -> int:
        """All of them."""
        return sum(self.counts.values())

    @property
    def on_trust(self) -> int:
        """Those nobody vouches for: reconstructed, missing, or nothing said."""
        return sum(count for word, count in self.counts.items() if word in ON_TRUST)


def confidence_summary(files: Iterable[DataFile]) -> tuple[Trust, ...]:
    """A count per file, population or table, and column; then one for each file's values."""
    return tuple([trust for file in files for trust in _file(file)])


def on_trust(files: Iterable[DataFile]) -> Iterator[Diagnostic]:
    """A note for each population, table or file's values with facts taken on trust."""
    groups: dict[tuple[str, str, str], list[Trust]] = {}
    for trust in confidence_summary(files):
        groups.setdefault((trust.file, trust.what, trust.name), []).append(trust)
    for group in groups.values():
        if any(trust.on_trust for trust in group):
            yield _note(group)


def _file(file: DataFile) -> Iterator[Trust]:
    for population in file.populations.values():
        yield from _columns(file.file, "population", population)
    for table in file.tables.values():
        yield from _columns(file.file, "table", table)
    if file.values:
        counts = Counter(value.confidence for value in file.values.values())
        yield Trust(file.file, "values", "", "", counts, next(iter(file.values.values())).span)


def _columns(file: str, what: str, block: PopulationData | TableData) -> Iterator[Trust]:
    for index, column in enumerate(block.columns[block.keys :], start=block.keys):
        counts = Counter(row.confidence[index] for row in block.rows)
        yield Trust(file, what, block.name, column, counts, block.span)


def _note(group: list[Trust]) -> Diagnostic:
    first = group[0]
    facts, trusted = sum(trust.facts for trust in group), sum(trust.on_trust for trust in group)
    counts: Counter[Confidence] = Counter()
    for trust in group:
        counts.update(trust.counts)
    words = ", ".join(f"{counts[word]} {word}" for word in Confidence if word in ON_TRUST and counts[word])
    columns = ", ".join(f"`{trust.column}` {trust.on_trust}" for trust in group if trust.on_trust)
    subject = f"{first.what} {short(first.name)}" if first.name else "the values"
    message = f"{trusted} of {facts} facts in {subject} are unverified ({words})"
    if first.name:
        message += f": {columns}"
    key = (f"{first.what} {first.name}",) if first.name else (first.what, first.file)
    return Diagnostic(kinds.FACTS_ON_TRUST, message, first.span, key=key)
