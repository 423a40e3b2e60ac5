"""Getting about in what is written: every node of an item with the way to it, a tree with one changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.syntax.tree import types as written
from rulekit.syntax.tree.components import Param
from rulekit.syntax.tree.stmt import Cite

Path = tuple[str | int, ...]
"""The way to a node: names of fields, and places in tuples."""

_LEFT_OUT = (Span, Cite, Param, *get_args(written.TypeExpr))
"""What is no rule: places, citations, and what values may be."""


@frozen
class Visit:
    """A node, the way to it, and those around it, the item first."""

    node: Any
    path: Path
    around: tuple[Any, ...]


def visits(item: object) -> Iterator[Visit]:
    """Every node of an item in the order it is written, itself first."""
    waiting: list[Visit] = [Visit(item, (), ())]
    while waiting:
        visit = waiting.pop()
        yield visit
        around = (*visit.around, visit.node)
        found: list[Visit] = []
        for field in fields(visit.node):
            found += _parts(getattr(visit.node, field.name), (*visit.path, field.name), around)
        waiting += reversed(found)


def _parts(value: object, path: Path, around: tuple[Any, ...]) -> list[Visit]:
    """The nodes that a field holds, whatever tuples they stand in."""
    if isinstance(value, tuple):
        return [visit for place, each in enumerate(value) for visit in _parts(each, (*path, place), around)]
    if is_dataclass(value) and not isinstance(value, (*_LEFT_OUT, type)):
        return [Visit(value, path, around)]
    return []


def put(tree: Any, path: Path, node: object) -> Any:
    """The tree with `node` at the end of a way."""
    if not path:
        return node
    head, rest = path[0], path[1:]
    if isinstance(head, int):
        return (*tree[:head], put(tree[head], rest, node), *tree[head + 1 :])
    return replace(tree, **{head: put(getattr(tree, head), rest, node)})
