"""The tree as written, as text: for each node its class, its plain fields and its span."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.names import name_of
from rulekit.reports.show.rows import INDENT, RuleLine
from rulekit.syntax.tree import items as i


@frozen
class ItemTree:
    """An item of a file as a tree."""

    name: str
    rows: tuple[RuleLine, ...]


def item_trees(modules: Iterable[i.Module]) -> Iterator[ItemTree]:
    """Every item, in the order of the files."""
    for module in modules:
        for item in module.items:
            yield ItemTree(name_of(item), tuple(_node("", item, item.span, 0)))


def _node(field: str, node: object, around: Span, depth: int) -> Iterator[RuleLine]:
    """A node and the nodes below it; fields that are empty are left out."""
    own = getattr(node, "span", None)
    span = own if isinstance(own, Span) else around
    plain: list[str] = []
    below: list[tuple[str, object]] = []
    for name in (field.name for field in fields(node) if field.name != "span"):  # type: ignore[arg-type]
        value = getattr(node, name)
        if value in (None, "", (), False):
            continue
        if _is_plain(value):
            plain.append(f"{name}={_text(value)}")
        else:
            parts = value if isinstance(value, tuple) else (value,)
            below += [(name, part) for part in parts]
    head = " ".join([type(node).__name__, *plain])
    label = f"{field}: " if field else ""
    where = f"  {_columns(own)}" if isinstance(own, Span) else ""
    yield RuleLine(f"{INDENT * depth}{label}{head}{where}", span.file, span.line, cited="")
    for name, part in below:
        yield from _part(name, part, span, depth + 1)


def _part(name: str, part: object, around: Span, depth: int) -> Iterator[RuleLine]:
    if isinstance(part, tuple):
        yield RuleLine(f"{INDENT * depth}{name}:", around.file, around.line, cited="")
        for number, inner in enumerate(part, 1):
            yield from _part(str(number), inner, around, depth + 1)
    elif _is_plain(part):
        yield RuleLine(f"{INDENT * depth}{name}: {_text(part)}", around.file, around.line, cited="")
    else:
        yield from _node(name, part, around, depth)


def _is_plain(value: object) -> bool:
    """Return whether a value is not a node and holds none; a span counts as plain."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return isinstance(value, Span) or not is_dataclass(value)


def _text(value: object) -> str:
    if isinstance(value, Span):
        return _columns(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_text, value))}]"
    return f'"{value}"' if isinstance(value, str) and not isinstance(value, Enum) else str(value)


def _columns(span: Span) -> str:
    """A span without its file: `7:1-7:20`, its end exclusive."""
    return f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"
