"""A data file as it was written, and careful reading of it: values of the wrong shape become findings.

`yaml` makes the tree from YAML or from the cache: texts, lists and mappings, each with its place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulekit.base.codec import Codec, Encoding
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset.findings import duplicate, missing_key, unknown_key, wrong_shape

MAX_FINDINGS = 10_000
"""Findings of one file that are kept; more of them would hide the first."""

NOTHING = frozenset(("", "~", "null", "Null", "NULL"))


@frozen
class Scalar:
    """A stretch of text; `plain` if it was written without quotes, so that it may be a number."""

    text: str
    plain: bool
    span: Span


@frozen
class Items:
    """A list."""

    nodes: tuple[Node, ...]
    span: Span


@frozen
class Entries:
    """A mapping, in the order written; no key occurs twice."""

    pairs: tuple[tuple[Scalar, Node], ...]
    span: Span


Node = Scalar | Items | Entries


def _write_span(span: Span, file: str) -> list[int]:
    return [span.line, span.column, span.end_line, span.end_column]


def _read_span(plain: Any, file: str) -> Span:
    return Span(file, *plain)


CODEC: Codec[Node] = Codec(Node, Encoding(Span, list, _write_span, _read_span))
"""Trees as plain JSON; the context is the file."""


@dataclass(slots=True)
class Reading:
    """Reads one file's tree and reports its faults; every method returns something to go on with."""

    report: Report
    file: str
    count: int = field(default=0, init=False)

    def add(self, finding: Diagnostic) -> None:
        """Report a finding; after too many of them, only that there are more."""
        self.count += 1
        if self.count <= MAX_FINDINGS:
            self.report.add(finding)
        elif self.count == MAX_FINDINGS + 1:
            message = f"more than {MAX_FINDINGS:,} findings in this file, of which the first are kept"
            self.report.add(Diagnostic(kinds.MANY_FINDINGS, message, Span(self.file, 1, 1, 1, 1)))

    def mapping(self, node: Node, where: str) -> Iterator[tuple[Scalar, Node]]:
        """Yield the entries of a mapping whose keys are the author's; `where` names it: "`populations`"."""
        if isinstance(node, Entries):
            for key, value in node.pairs:
                self.line(key, "a key")
                yield key, value
        elif not is_nothing(node):
            self._report_shape("a mapping", node, where)

    def keys(
        self, node: Node, where: str, known: Collection[str], required: Collection[str] = ()
    ) -> dict[str, Node]:
        """Return the known entries of a mapping whose keys the format fixes; report the other keys.

        A `format` that is required is 1, the only one there is.
        """
        if not isinstance(node, Entries):
            self._report_shape("a mapping", node, where, "write `key: value`, one per line")
            return {}
        entries: dict[str, Node] = {}
        for key, value in node.pairs:
            if key.text in known:
                entries[key.text] = value
            else:
                self.add(unknown_key(key.text, key.span, known, where))
        for name in required:
            if name not in entries:
                only = "1" if name == "format" else "..."
                self.add(missing_key(name, _start(node.span), where, only))
        return entries

    def format(self, keys: Mapping[str, Node], known: str) -> None:
        """Report a `format` that this rulekit does not know."""
        if "format" in keys and self.text(keys["format"], "`format`") != known:
            self.add(wrong_shape(f"expected `format: {known}`", keys["format"].span))

    def items(self, node: Node | None, where: str) -> tuple[Node, ...]:
        """Return the nodes of a list; none for a key that is absent or empty."""
        if node is None or is_nothing(node):
            return ()
        if isinstance(node, Items):
            return node.nodes
        self._report_shape("a list", node, where, "write `[...]`, or one line `- ...` for each entry")
        return ()

    def text(self, node: Node | None, where: str, default: str = "") -> str:
        """Return a text, with or without quotes; `default` for an absent key."""
        if node is None:
            return default
        if isinstance(node, Scalar) and not (node.plain and node.text in NOTHING):
            return node.text
        self._report_shape("a text", node, where)
        return default

    def line(self, node: Node | None, where: str) -> str:
        """Return a text that is shown on a line with others; report line breaks in it, the last one apart."""
        text = self.text(node, where).rstrip("\n")
        if "\n" in text and node is not None:
            self.add(wrong_shape(f"{where} must be on one line", node.span))
        return text

    def texts(self, node: Node | None, where: str) -> dict[str, Span]:
        """Return the places of a list of texts, each of which may occur once."""
        places: dict[str, Span] = {}
        for item in self.items(node, where):
            text = self.line(item, f"an entry of {where}")
            if text in places:
                self.add(duplicate(text, item.span, places[text]))
            elif text:
                places[text] = item.span
        return places

    def named_texts(self, node: Node | None, where: str) -> Mapping[str, str]:
        """Return a mapping of the author's names to texts."""
        if node is None:
            return {}
        return {key.text: self.text(value, f"`{key.text}`") for key, value in self.mapping(node, where)}

    def whole(self, node: Node | None, where: str, default: int) -> int:
        """Return a number of at most nine digits, without a sign; `default` for an absent key."""
        if node is None:
            return default
        if isinstance(node, Scalar) and node.text.isascii() and node.text.isdigit() and len(node.text) < 10:
            return int(node.text)
        self._report_shape("a number", node, where)
        return default

    def _report_shape(self, shape: str, node: Node, where: str, hint: str | None = None) -> None:
        self.add(wrong_shape(f"{where} must be {shape}, but this is {what_is(node)}", node.span, hint))


def is_nothing(node: Node) -> bool:
    """True if a value is empty, `~` or `null`."""
    return isinstance(node, Scalar) and node.plain and node.text in NOTHING


def what_is(node: Node) -> str:
    """Return the words for a node after "but this is"."""
    match node:
        case Items():
            return "a list"
        case Entries():
            return "a mapping"
        case Scalar(text, plain):
            return "empty" if plain and text in NOTHING else "a text" if not plain else "a single value"


def _start(span: Span) -> Span:
    return Span(span.file, span.line, span.column, span.line, span.column)
