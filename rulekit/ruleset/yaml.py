"""YAML text to a tree of nodes: within limits, without tags, anchors or a second document.

The reader of YAML is loaded only for a text that is not in the cache, where trees are kept by content.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from rulekit.base import cache
from rulekit.base.characters import CONTROL, DIRECTION, code_point
from rulekit.base.results import ResultStore
from rulekit.base.source import Source, Span
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.ruleset.findings import beyond, direction_mark, duplicate, wrong_shape
from rulekit.ruleset.reading import CODEC, Entries, Items, Node, Reading, Scalar

MAX_DEPTH = 20
MAX_NODES = 200_000
MAX_LINE = 20_000
"""Characters of a line; the reader of YAML takes time with the square of some things on one line."""

MAX_QUICK_DEPTH = 40
"""Levels of a text that libyaml reads: it takes time with their square."""
_DEEPER = {"MappingStartEvent": 1, "SequenceStartEvent": 1, "MappingEndEvent": -1, "SequenceEndEvent": -1}

_FORMAT = "4"
"""Version of the trees in the cache."""


def parse(source: Source, reading: Reading) -> Node | None:
    """The file's tree; None, and a finding, if there is nothing to go on with.

    A tree may come with findings: a key given twice keeps its first value, a tag is passed over.
    """
    encode, decode = partial(CODEC.encode, context=source.file), partial(CODEC.decode, context=source.file)
    trees: ResultStore[Node] = ResultStore("data-tree", encode, decode)
    key = cache.key_of(_FORMAT, source.text)
    known = trees.get(key)
    if known is not None:
        return known
    before = reading.count
    node = _Parser(source, reading).parse()
    if node is not None and reading.count == before:
        trees.put(key, node)
    return node


class _Stop(Exception):
    """Raised after a finding where nothing more can be read."""


class _Parser:
    """One run over the events of one file."""

    def __init__(self, source: Source, reading: Reading) -> None:
        self._source, self._report = source, reading.add
        self._file = source.file
        self._nodes = 0

    def parse(self) -> Node | None:
        from ruamel.yaml import events as kinds
        from ruamel.yaml.error import YAMLError

        self._is: Any = kinds
        try:
            self._lines()
            return self._document(events_of(self._source.text))
        except YAMLError as error:
            self._report(_syntax(error, self._source))
        except _Stop:
            pass
        return None

    def _lines(self) -> None:
        for number, line in enumerate(self._source.text.split("\n")):
            if len(line) > MAX_LINE:
                place = _point(self._source, number, MAX_LINE)
                self._stop(beyond("characters in a line", MAX_LINE, place))
            if not line.isprintable() and (odd := CONTROL.search(line)):
                self._stop(_control_character(odd[0], _point(self._source, number, odd.start())))

    def _document(self, events: Iterator[Any]) -> Node:
        next(events)  # the stream's start
        start = next(events)
        if isinstance(start, self._is.StreamEndEvent):
            return Scalar("", True, self._source.whole())
        if start.version or start.tags:
            self._report_unsupported("a directive", start)
        node = self._node(next(events), events, 1)
        next(events)  # the document's end
        after = next(events)
        if not isinstance(after, self._is.StreamEndEvent):
            self._report_unsupported("a second document", after)
            raise _Stop
        return node

    def _node(self, event: Any, events: Iterator[Any], depth: int) -> Node:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            self._stop(beyond("values and keys in one file", MAX_NODES, self._span(event)))
        if isinstance(event, self._is.AliasEvent):
            self._report_unsupported("an alias", event)
            raise _Stop
        if event.anchor is not None:
            self._report_unsupported("an anchor", event)
        if event.tag is not None:
            self._report_unsupported("a tag", event)
        if isinstance(event, self._is.ScalarEvent):
            self._check_characters(event)
            return Scalar(event.value, not event.style, self._span(event))
        if depth > MAX_DEPTH:
            self._stop(beyond("levels inside one another", MAX_DEPTH, self._span(event)))
        if isinstance(event, self._is.SequenceStartEvent):
            return self._items(event, events, depth)
        return self._entries(event, events, depth)

    def _check_characters(self, event: Any) -> None:
        """Report what escapes such as `"\\u202e"` put into a text that could not be written in it openly."""
        text = event.value
        if text.isprintable():
            return
        if odd := CONTROL.search(text):
            self._report(_control_character(odd[0], self._span(event)))
        elif mark := DIRECTION.search(text):
            span = self._span(event)
            if not DIRECTION.search("".join(self._source.rows(span))):  # else it is found where it is written
                self._report(direction_mark(mark[0], text, span))

    def _items(self, start: Any, events: Iterator[Any], depth: int) -> Items:
        nodes: list[Node] = []
        while not isinstance(event := next(events), self._is.SequenceEndEvent):
            nodes.append(self._node(event, events, depth + 1))
        return Items(tuple(nodes), self._span(start, event))

    def _entries(self, start: Any, events: Iterator[Any], depth: int) -> Entries:
        pairs: dict[str, tuple[Scalar, Node]] = {}
        while not isinstance(event := next(events), self._is.MappingEndEvent):
            key = self._node(event, events, depth + 1)
            value = self._node(next(events), events, depth + 1)
            if not isinstance(key, Scalar) or not key.text:
                message = "a key must be a word, but this is empty, a list or a mapping"
                self._report(wrong_shape(message, key.span))
            elif key.text in pairs:
                self._report(duplicate(key.text, key.span, pairs[key.text][0].span))
            else:
                pairs[key.text] = (key, value)
        return Entries(tuple(pairs.values()), self._span(start, event))

    def _span(self, event: Any, end: Any = None) -> Span:
        first, last = event.start_mark, (end or event).end_mark
        return Span(self._file, first.line + 1, first.column + 1, last.line + 1, last.column + 1)

    def _report_unsupported(self, what: str, event: Any) -> None:
        message = f"{what} is not allowed in data files"
        hint = "write the value out: every fact has its own place and confidence"
        span = self._span(event)
        if span.end_line > span.line:
            span = Span(span.file, span.line, span.column, span.line, span.column + 1)
        self._report(Diagnostic(kinds.UNSUPPORTED_YAML, message, span, hint=hint))

    def _stop(self, finding: Diagnostic) -> None:
        self._report(finding)
        raise _Stop


_MISTAKES = (
    ("'\\t'", "tab in the indentation", "use spaces"),
    ("mapping values are not", "misplaced `:`", "put text with a `:` in quotes"),
    ("scanning a quoted scalar", "a quote that is never closed", "close it; inside the text, double it"),
    (
        "parsing a flow sequence",
        "invalid list after `[`",
        "separate cells with `,` and close it with `]`",
    ),
    ("parsing a flow mapping", "invalid mapping after `{`", "write `{key: cell}` and close it with `}`"),
    (
        "not find expected ':'",
        "missing `:` after a key",
        "write `key: value`, and indent continued text",
    ),
    ("parsing a block", "inconsistent indentation", "align the lines that belong together"),
    ("special characters", "control character", "remove it"),
)
"""Words of the reader's message, the message instead, and what to do about it."""


def _control_character(character: str, span: Span) -> Diagnostic:
    what = "half of a surrogate pair" if "\ud800" <= character <= "\udfff" else "control character"
    return Diagnostic(kinds.YAML_SYNTAX, f"{what}: `{code_point(character)}`", span, hint="remove it")


def _syntax(error: Exception, source: Source) -> Diagnostic:
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "syntax error")
    begun: Any = getattr(error, "context_mark", None)
    words = f"{getattr(error, 'context', None) or ''} {problem}"
    message, hint = next(
        ((plain_words, what_to_do) for known, plain_words, what_to_do in _MISTAKES if known in words),
        (f"invalid YAML: {problem}", None),
    )
    span = _place(error, source)
    labels = () if begun is None else (Label(_point(source, begun.line, begun.column), "started here"),)
    return Diagnostic(
        kinds.YAML_SYNTAX, message, span, () if labels and labels[0].span == span else labels, hint
    )


def _place(error: Exception, source: Source) -> Span:
    mark: Any = getattr(error, "problem_mark", None)
    if mark is not None:
        return _point(source, mark.line, mark.column)
    position = getattr(error, "position", None)
    if not isinstance(position, int):
        return source.whole()
    before = source.text[:position]
    return _point(source, before.count("\n"), position - before.rfind("\n") - 1)


def _point(source: Source, line: int, column: int) -> Span:
    return Span(source.file, line + 1, column + 1, line + 1, column + 2)


# ---------------------------------------------------------------- events


def events_of(text: str) -> Iterator[Any]:
    """Return the events of a text, from the start of the stream to its end.

    Raises:
        YAMLError: The text is not YAML; not before the events that come before the fault.
    """
    quick = quick_events(text)
    if quick is not None:
        return iter(quick)
    from ruamel.yaml import YAML

    slow: Iterator[Any] = YAML(typ="safe", pure=True).parse(text)
    return slow


def quick_events(text: str) -> list[Any] | None:
    """Return all events by libyaml; None if it is missing, finds a fault, or might read the text otherwise.

    libyaml is some twenty times as fast as ruamel.yaml's own reader, with which a test compares it.  It puts
    an empty value elsewhere, ends a text without a last line end elsewhere, lets a tab pass, and its messages
    differ: a text with any of that, or with a fault, is left to the slower reader.
    """
    if "\t" in text or not text.endswith("\n"):
        return None
    try:
        from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]
    except ImportError:
        return None
    from ruamel.yaml.error import YAMLError

    events_read: list[Any] = []
    depth = 0
    try:
        parser = CParser(text)
        while parser.check_event():
            event = parser.get_event()
            depth += _DEEPER.get(type(event).__name__, 0)
            if depth > MAX_QUICK_DEPTH or _odd(event):
                return None
            events_read.append(event)
    except (YAMLError, ValueError):
        return None
    return events_read


def _odd(event: Any) -> bool:
    """An anchor, an alias, a tag, or an empty value that nobody wrote."""
    if getattr(event, "anchor", None) or getattr(event, "tag", None):
        return True
    return getattr(event, "value", None) == "" and not event.style
