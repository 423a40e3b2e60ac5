"""Confidence, note and source of facts: how well they are known, and where they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ruleset.findings import did_you_mean, short
from rulekit.ruleset.model import CONFIDENCE_WORDS, Confidence
from rulekit.ruleset.reading import Reading, what_is
from rulekit.ruleset.tree import Entries, Node, Scalar


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
        self.reading.tell(
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
                    self.reading.tell(finding)
        return text
