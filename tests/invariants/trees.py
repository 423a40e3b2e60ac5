"""The invariants of trees as written, from the annotations of their classes."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rulekit.base.source import Span
from rulekit.syntax.tree.expr import Name
from rulekit.syntax.tree.items import Answer, FieldDecl, Given, Module, Stacking
from rulekit.syntax.tree.stmt import Cite


def module_violations(module: Module) -> Iterator[str]:
    """After parse: nodes are as declared, and their spans are inside their parents and the file."""
    for item in module.items:
        yield from type_violations(item)
        yield from _misplaced(item, item.span, item.span)


def type_violations(node: Any) -> Iterator[str]:
    """After every stage: each field has the type that its annotation names."""
    if isinstance(node, tuple):
        for part in node:
            yield from type_violations(part)
    elif is_dataclass(node) and not isinstance(node, Span):
        for name, hint in _hints(type(node)).items():
            value = getattr(node, name)
            if not _fits(value, hint):
                yield f"{_place(node)}: field {name} is {value!r}, not {hint}"
            # `set ... to sum` limits a class that its address names; the title of an example may be empty
            titled = isinstance(node, Stacking) or isinstance(node, Given) and node.kind == "example"
            if isinstance(value, Name) and not value.text and not titled:
                yield f"{_place(node)}: field {name} is empty"
            yield from type_violations(value)


@cache
def _hints(cls: type) -> Mapping[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}  # type: ignore[arg-type]


def _fits(value: object, hint: Any) -> bool:
    """True if a value is of an annotation; parts of records are looked at on their own."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return value in parts
    if origin in (Union, types.UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if parts[1:] == (Ellipsis,):
            return all(_fits(part, parts[0]) for part in value)
        return len(value) == len(parts) and all(map(_fits, value, parts))
    return type(value) is hint


def _misplaced(node: Any, around: Span, item: Span) -> Iterator[str]:
    """Nodes whose span is not inside the span of the node that they are part of.

    A citation is at the end of a line, whatever it cites; fields of a line share their type, its answers
    the side that gives them, and its pieces the place: these are inside the item.
    """
    if isinstance(node, tuple):
        for part in node:
            yield from _misplaced(part, around, item)
    elif is_dataclass(node) and not isinstance(node, Span):
        around = item if isinstance(node, Cite) else around
        span = getattr(node, "span", around)
        begins = (around.line, around.column) <= (span.line, span.column)
        ends = (span.end_line, span.end_column) <= (around.end_line, around.end_column)
        if span.file != around.file or not (begins and ends):
            yield f"{_place(node)}: not inside {around}"
        inner = item if isinstance(node, FieldDecl | Answer | Given) else span
        for name in _hints(type(node)):
            yield from _misplaced(getattr(node, name), inner, item)


def _place(node: Any) -> str:
    return f"{getattr(node, 'span', '')} {type(node).__name__}"
