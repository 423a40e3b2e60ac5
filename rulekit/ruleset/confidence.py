"""How well facts are known and where they come from: as a data file says it, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ruleset.findings import did_you_mean, short
from rulekit.ruleset.model import (
    CONFIDENCE_WORDS,
    ON_TRUST,
    Confidence,
    DataFile,
    PopulationData,
    TableData,
)
from rulekit.ruleset.reading import Entries, Node, Reading, Scalar, what_is


class Provenance(NamedTuple):
    """Statements about everything in a file, a block or a row; a confidence for each column."""

    confidence: tuple[Confidence, ...]
    note: str
    source: str


@dataclass(slots=True)
class ProvenanceReader:
    """Reads the keys `confidence`, `note` and `source`; `sources` are those the file lists, if any."""

    reading: Reading
    sources: Mapping[str, str] | None = None

    def read(self, keys: Mapping[str, Node], columns: Sequence[str], above: Provenance) -> Provenance:
        """Return the statements of a block, a row or a value, over those of the level above."""
        confidence = above.confidence
        if "confidence" in keys:
            confidence = self._confidence(keys["confidence"], columns, confidence)
        note = self.reading.text(keys.get("note"), "`note`", above.note)
        return Provenance(confidence, note, self._source(keys.get("source"), above.source))

    def _confidence(
        self, node: Node, columns: Sequence[str], above: tuple[Confidence, ...]
    ) -> tuple[Confidence, ...]:
        """One word for all columns, or words for some, `default` standing for the others."""
        if not isinstance(node, Entries):
            word = self.word(node, Confidence.UNSAID)
            return above if word is Confidence.UNSAID else (word,) * len(columns)
        keys = self.reading.keys(node, "`confidence`", ("default", *columns))
        words = {name: self.word(value, Confidence.UNSAID) for name, value in keys.items()}
        default = words.get("default", Confidence.UNSAID)
        others = above if default is Confidence.UNSAID else (default,) * len(columns)
        return tuple([words.get(column, other) for column, other in zip(columns, others, strict=True)])

    def word(self, node: Node | None, default: Confidence) -> Confidence:
        """A word of confidence; `default` where there is none, or none that is known."""
        if node is None:
            return default
        if isinstance(node, Scalar) and node.text in CONFIDENCE_WORDS:
            return Confidence(node.text)
        written = short(node.text) if isinstance(node, Scalar) else what_is(node)
        hint = did_you_mean(node.text if isinstance(node, Scalar) else "", CONFIDENCE_WORDS)
        self.reading.add(
            Diagnostic(kinds.CONFIDENCE_WORD, f"{written} is not a level of confidence", node.span, hint=hint)
        )
        return default

    def _source(self, node: Node | None, above: str) -> str:
        """Keys of the file's `source`, separated by spaces; if the file lists none, any text."""
        text = self.reading.text(node, "`source`", above)
        if node is not None and self.sources is not None:
            for word in text.split():
                if word not in self.sources:
                    hint = did_you_mean(word, self.sources)
                    message = f"the file's `source` does not list {short(word)}"
                    finding = Diagnostic(kinds.UNKNOWN_SOURCE, message, node.span, hint=hint, key=(word,))
                    self.reading.add(finding)
        return text


# ---------------------------------------------------------------- counts


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
        """Those without a witness: reconstructed, missing, or of unstated confidence."""
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
