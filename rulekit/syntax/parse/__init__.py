"""Text to tree: `parse` returns the items without a fault and reports every fault.

Before: any text.  After: a `syntax.Module` of whole items; an item with a fault is not among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from rulekit.base import resources
from rulekit.base.source import Source, Span
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.syntax.parse.builder import Builder, ItemRefused
from rulekit.syntax.parse.grammar import quick_parser
from rulekit.syntax.parse.item_cache import ItemCache
from rulekit.syntax.parse.layout import ItemText, items_of
from rulekit.syntax.parse.recovery import take_out
from rulekit.syntax.parse.table_store import key_of
from rulekit.syntax.parse.text_checks import (
    bracket_fault,
    check_size,
    check_tabs,
    control_fault,
    has_many_brackets,
)
from rulekit.syntax.tree.items import Item, Module

Parse = Callable[[Source, Report], Module]
"""A function that parses a text, or has parsed it before; it reports faults."""
MAX_FAULTS = 5
"""Faults reported of one item at most."""


def parse(source: Source, report: Report) -> Module:
    """Return the items of a text; report each fault at its place."""
    items: list[Item] = []
    source = _plain(source, report)
    first = re.search(r"^[^\S\n]+(?=[^\s#])", source.text, re.MULTILINE)
    pieces = list(items_of(source.text))
    if first and (not pieces or source.text.count("\n", 0, first.start()) < pieces[0].offset):
        line = source.text.count("\n", 0, first.start()) + 1
        span = Span(source.file, line, 1, line, 1 + len(first.group()))
        message, hint = "the first item is indented", "items begin at the left edge"
        report.add(Diagnostic(kinds.UNEVEN_INDENTATION, message, span, hint=hint))
    known = ItemCache(source, key_of(resources.grammar_text()))
    for piece in pieces:
        item = known.get(piece.text, piece.offset)
        if item is None:
            item = parse_item(piece, source.file, report)
            if item is not None:
                known.put(piece.text, piece.offset, item)
        if item is not None:
            items.append(item)
    known.save()
    return Module(source.file, tuple(items))


def _plain(source: Source, report: Report) -> Source:
    """Return the text with `\\n` as line end; empty, with a finding, if it has control characters."""
    text = source.text.replace("\r\n", "\n").replace("\r", "\n")
    source = replace(source, text=text)
    fault = control_fault(source)
    if fault is None:
        return source
    report.add(fault)
    return replace(source, text="")


def parse_item(piece: ItemText, file: str, report: Report) -> Item | None:
    """Return one item; None where it has a fault.  More faults are found without the lines refused."""
    if not check_size(piece, file, report) or not check_tabs(piece, file, report):
        return None
    item = _attempt(piece.text, piece.offset, file)
    fault = bracket_fault(piece, file) if item is None or has_many_brackets(piece) else None
    if fault is not None and (item is None or fault.kind is kinds.TOO_DEEP):
        report.add(fault)
        return None
    if isinstance(item, Item):
        return item
    _report_faults(piece, file, report)
    return None


def _report_faults(piece: ItemText, file: str, report: Report) -> None:
    """Report an item's first fault, and those of what is left without the lines that were refused."""
    lines = piece.text.split("\n")

    def reads(lines: list[str], number: int) -> bool:
        fault = _fault(lines, piece.offset, file)
        return fault is None or fault.span.line - piece.offset > number

    for _ in range(MAX_FAULTS):
        fault = _fault(lines, piece.offset, file)
        if fault is None:
            return
        report.add(fault)
        if fault.kind is kinds.TOO_DEEP or not take_out(lines, fault.span.line - piece.offset, reads):
            return


def _fault(lines: list[str], offset: int, file: str) -> Diagnostic | None:
    """Return the first fault of an item's lines; None if they have none."""
    item = _attempt("\n".join(lines), offset, file)
    if item is None:
        from rulekit.syntax.parse.errors import fault_of  # loads lark, which nothing else needs

        return fault_of(lines, offset, file)
    return item if isinstance(item, Diagnostic) else None


def _attempt(text: str, offset: int, file: str) -> Item | Diagnostic | None:
    """Return the item, or why it is refused; None if the grammar does not allow its text."""
    tree = quick_parser().read(text)
    if tree is None:
        return None
    try:
        builder = Builder(file, offset)
        nodes = [child for child in tree.children if not isinstance(child, str)]
        item: Item = builder.build(nodes[0])
        return item
    except ItemRefused as error:
        return error.finding
