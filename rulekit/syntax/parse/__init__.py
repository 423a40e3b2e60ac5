"""Text to tree: `parse` gives the items that could be read and reports every fault it finds.

Before: any text.  After: a `syntax.Module` of whole items; an item with a fault is not among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from rulekit.base import resources
from rulekit.base.source import Source, Span
from rulekit.diagnostics import Diagnostic, Edit, Fix, Kind, Report, kinds
from rulekit.syntax.parse.amendments import Builder
from rulekit.syntax.parse.builder_base import MAX_DEPTH, Refused
from rulekit.syntax.parse.grammar import key, quick_parser
from rulekit.syntax.parse.item_cache import Store
from rulekit.syntax.parse.layout import Piece, items_of
from rulekit.syntax.parse.recovery import take_out
from rulekit.syntax.tree.items import Item, Module

Parse = Callable[[Source, Report], Module]
"""Who parses, or has parsed, a text; faults are reported."""
MAX_ITEM = 200_000
"""Characters of one item."""
TAB = " " * 4
"""What a tab was meant to be."""
MAX_FAULTS = 5
"""Faults looked for in one item before it is given up."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# What is not closed on its line is taken to the line's end, or every start would be tried as far as there.
_PLAIN = re.compile(
    r"\"[^\"\n]*(?:\"|$)|'(?:[^'\n]|'(?=\w))+(?:'(?!\w)|$)|\[[^\]\n]*(?:\]|$)|#[^\n]*|[(){}]|\n[ ]*([a-z]*)",
    re.MULTILINE,
)


def parse(source: Source, report: Report) -> Module:
    """The items of a text, each fault reported at its place."""
    items: list[Item] = []
    source = _plain(source, report)
    first = re.search(r"^[^\S\n]+(?=[^\s#])", source.text, re.MULTILINE)
    pieces = list(items_of(source.text))
    if first and (not pieces or source.text.count("\n", 0, first.start()) < pieces[0].offset):
        line = source.text.count("\n", 0, first.start()) + 1
        span = Span(source.file, line, 1, line, 1 + len(first.group()))
        report.add(
            Diagnostic(
                kinds.UNEVEN_INDENTATION,
                "the first item is indented",
                span,
                hint="items begin at the left edge",
            )
        )
    store = Store(source, key(resources.grammar_text()))
    for piece in pieces:
        made = store.get(piece.text, piece.offset)
        if made is None:
            made = parse_item(piece, source.file, report)
            if made is not None:
                store.put(piece.text, piece.offset, made)
        if made is not None:
            items.append(made)
    store.save()
    return Module(source.file, tuple(items))


def _plain(source: Source, report: Report) -> Source:
    """The text with one kind of line end; empty, with a finding, where it is no text of rules."""
    text = source.text.replace("\r\n", "\n").replace("\r", "\n")
    odd = _CONTROL.search(text)
    if odd is None:
        return replace(source, text=text)
    line = text.count("\n", 0, odd.start()) + 1
    column = odd.start() - text.rfind("\n", 0, odd.start())
    span = Span(source.file, line, column, line, column + 1)
    report.add(
        Diagnostic(
            kinds.CONTROL_CHARACTER, "the file holds control characters", span, hint="it may be no text"
        )
    )
    return replace(source, text="")


def parse_item(piece: Piece, file: str, report: Report) -> Item | None:
    """One item; None where it has a fault.  More faults of it are found by blanking what was refused."""
    if len(piece.text) > MAX_ITEM:
        span = Span(file, piece.offset + 1, 1, piece.offset + 1, 2)
        report.add(Diagnostic(kinds.TOO_LARGE, f"the item has more than {MAX_ITEM:,} characters", span))
        return None
    lines = piece.text.split("\n")
    if not _plain_checks(piece, file, lines, report):
        return None
    sound = True

    def reads(lines: list[str], number: int) -> bool:
        found = _attempt(lines, piece.offset, file)
        return not isinstance(found, Diagnostic) or found.span.line - piece.offset > number

    for _ in range(MAX_FAULTS):
        found = _attempt(lines, piece.offset, file)
        if not isinstance(found, Diagnostic):
            return found if sound else None
        sound = False
        report.add(found)
        if found.kind is kinds.TOO_DEEP or not take_out(lines, found.span.line - piece.offset, reads):
            return None
    return None


def _attempt(lines: list[str], offset: int, file: str) -> Item | Diagnostic:
    """The item, or the first fault of its text."""
    tree = quick_parser().read("\n".join(lines))
    if tree is None:
        from rulekit.syntax.parse.errors import fault_of  # which asks lark, who is needed for nothing else

        return fault_of(lines, offset, file)
    try:
        builder = Builder(file, offset)
        nodes = [child for child in tree.children if not isinstance(child, str)]
        made: Item = builder.build(nodes[0])
        return made
    except Refused as error:
        return error.finding


def _plain_checks(piece: Piece, file: str, lines: list[str], report: Report) -> bool:
    """Tabs and brackets, which would blur every later finding."""
    tabbed = _tabbed(lines)
    for number, (indent, fixed) in tabbed.items():
        line = number + piece.offset
        span = Span(file, line, 1, line, len(indent) + 1)
        fix = None if fixed is None else Fix("indent with spaces", (Edit(span, fixed),))
        message = "the line is indented with a tab"
        report.add(Diagnostic(kinds.TAB_INDENTATION, message, span, hint="indent with spaces", fix=fix))
    return _brackets(piece, file, report) and not tabbed


def _tabbed(lines: list[str]) -> dict[int, tuple[str, str | None]]:
    """Indentations that have tabs, by line; and those with four spaces for each tab.

    None where that is not certain: beside spaces, or in an item whose other lines are indented otherwise.
    """
    indents = [line[: len(line) - len(line.lstrip())] for line in lines]
    depths = {
        len(indent)
        for indent, line in zip(indents, lines, strict=True)
        if indent and line.strip() and "\t" not in indent
    }
    found: dict[int, tuple[str, str | None]] = {}
    for number, indent in enumerate(indents, 1):
        if "\t" in indent:
            spaces = indent.replace("\t", TAB)
            certain = " " not in indent and (not depths or len(spaces) in depths)
            found[number] = indent, spaces if certain else None
    return found


def _brackets(piece: Piece, file: str, report: Report) -> bool:
    """Each bracket has its partner, before the next line that begins with a keyword."""
    opened: list[tuple[str, int]] = []

    def tell(kind: Kind, message: str, at: int, hint: str) -> bool:
        line = piece.text.count("\n", 0, at)
        column = at - piece.text.rfind("\n", 0, at)
        span = Span(file, line + piece.offset + 1, column, line + piece.offset + 1, column + 1)
        report.add(Diagnostic(kind, message, span, hint=hint))
        return False

    for match in _PLAIN.finditer(piece.text):
        text = match.group()
        if text in "({":
            opened.append((text, match.start()))
            if len(opened) > MAX_DEPTH:
                return tell(
                    kinds.TOO_DEEP,
                    f"more than {MAX_DEPTH} brackets are open",
                    match.start(),
                    "name parts of it",
                )
        elif text in ")}":
            if not opened:
                return tell(
                    kinds.UNCLOSED_BRACKET, f"this `{text}` closes nothing", match.start(), "take it out"
                )
            was, at = opened.pop()
            if (was == "(") != (text == ")"):
                return tell(
                    kinds.UNCLOSED_BRACKET,
                    f"this `{was}` is closed by `{text}`",
                    at,
                    "use the same kind of bracket",
                )
        elif opened and match.group(1) in _LINE_WORDS:
            break
    if opened:
        was, at = opened[-1]
        return tell(
            kinds.UNCLOSED_BRACKET,
            f"this `{was}` is never closed",
            at,
            f"close it with `{')' if was == '(' else '}'}`",
        )
    return True


_LINE_WORDS = frozenset(
    "let set add take mark unmark move remove do choose roll draw shuffle put form dissolve reveal result "
    "return leave next finish say when otherwise repeat together phase segment step forbid permit require "
    "unless pick assign state members given then dice answers draws".split()
)
