"""Generic access to the parts of an expression or statement, for every pass that looks through them.

Holds the shape of the IR, in tables that a test compares with the classes, and nothing of its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final

from rulekit.ir import expr as x
from rulekit.ir import stmt as s

_OPERANDS: Final[Mapping[type, str | tuple[str, ...]]] = {
    x.Const: (),
    x.Local: (),
    x.Static: "keys",
    x.Read: "keys",
    x.Flagged: "keys",
    x.At: ("space",),
    x.Apply: "arguments",
    x.Op: "operands",
    x.If: ("condition", "then", "otherwise"),
    x.Filter: ("over", "body"),
    x.Fold: ("over", "body"),
    x.Best: ("over", "key"),
    x.Linked: ("over", "start", "relation", "within"),
    x.BestWay: ("over", "start", "goal", "relation", "within"),
}
"""The field with all operands of an expression, or the fields with one each, in the order of evaluation."""

_INNER: Final[Mapping[type, str]] = {
    x.Filter: "body", x.Fold: "body", x.Best: "key", x.Linked: "relation", x.BestWay: "relation"
}  # fmt: skip
"""The operand in which the variable of an expression that binds one may be read."""

_EVALUATED: Final[Mapping[type, tuple[str, ...]]] = {
    s.Let: ("value",),
    s.Write: ("keys", "value"),
    s.MarkAll: ("keys", "members"),
    s.Place: ("pieces", "space"),
    s.When: ("condition",),
    s.ForEach: ("over", "order", "alternating"),
    s.Repeat: ("control", "limit"),
    s.Return: ("value",),
    s.Do: ("arguments",),
    s.Roll: ("arguments", "modified", "known"),
    s.DrawLot: ("count", "over", "known"),
    s.DrawTop: ("keys", "count", "known"),
    s.Put: ("keys", "value"),
    s.Shuffle: ("keys",),
    s.Dissolve: ("group",),
    s.Choose: ("arguments",),
    s.ChooseEach: ("over", "arguments"),
    s.Reveal: ("keys", "known"),
    s.Say: ("text",),
    s.Tell: ("condition", "arguments"),
    s.Finish: ("result",),
}
"""The fields with the expressions that a statement evaluates itself, in order; not in it: evaluates none."""

_BLOCKS: Final[Mapping[type, tuple[str, ...]]] = {
    s.When: ("then", "otherwise"),
    s.ForEach: ("body",),
    s.Repeat: ("body",),
    s.Together: ("body",),
    s.Step: ("body",),
}
"""The fields with the blocks of a statement; not in it: has none."""


def _reader(where: str | tuple[str, ...]) -> Callable[[Any], tuple[x.Expr, ...]] | None:
    if not where:
        return None
    if isinstance(where, str):
        return attrgetter(where)
    if len(where) > 1 and "within" not in where:
        return attrgetter(*where)
    return lambda e: tuple([part for name in where if (part := getattr(e, name)) is not None])


_READERS: Final = {kind: _reader(where) for kind, where in _OPERANDS.items()}


def children(e: x.Expr) -> tuple[x.Expr, ...]:
    """Return the operands of an expression, in the order of evaluation."""
    read = _READERS[e.__class__]
    return () if read is None else read(e)


def rebuild(e: x.Expr, parts: tuple[x.Expr, ...]) -> x.Expr:
    """Return the same expression with other operands, given in the order of `children`."""
    if parts == children(e):
        return e
    where = _OPERANDS[e.__class__]
    changes: dict[str, Any] = (
        {where: parts} if isinstance(where, str) else dict(zip(where, parts, strict=False))
    )
    return replace(e, **changes)


def bound_local(e: x.Expr) -> x.Local | None:
    """Return the variable that an expression binds in one of its operands."""
    return e.var if isinstance(e, x.Binding) else None


def inner(e: x.Expr) -> x.Expr | None:
    """Return the operand in which `bound_local(e)` may be read, evaluated once for each member."""
    name = _INNER.get(e.__class__)
    return None if name is None else getattr(e, name)


def nodes(e: x.Expr) -> Iterator[x.Expr]:
    """Yield the expression and everything in it, outermost first."""
    waiting = [e]
    while waiting:
        e = waiting.pop()
        yield e
        read = _READERS[e.__class__]
        if read is not None:
            waiting += read(e)[::-1]


def size(e: x.Expr) -> int:
    """Return the number of nodes of an expression."""
    return sum(1 for _ in nodes(e))


def free(e: x.Expr) -> frozenset[str]:
    """Return the names of the locals that an expression reads and does not bind itself."""
    if isinstance(e, x.Local):
        return frozenset((e.name,))
    var, body = bound_local(e), inner(e)
    names: frozenset[str] = frozenset()
    for child in children(e):
        free_there = free(child)
        names |= free_there - {var.name} if var is not None and child is body else free_there
    return names


def substitute(e: x.Expr, values: Mapping[str, x.Expr]) -> x.Expr:
    """Return the expression with locals replaced; bound names must differ from all free names of `values`.

    A local that replaces one with a narrower type has the narrower type as well.
    """
    if isinstance(e, x.Local):
        value = values.get(e.name, e)
        if e.declared is not None and value is not e and isinstance(value, x.Local):
            return x.Local(value.name, e.type, value.declared or value.type)
        return value
    return rebuild(e, tuple(substitute(child, values) for child in children(e)))


def with_parts_replaced(e: x.Expr, values: Mapping[x.Expr, x.Expr]) -> x.Expr:
    """Return the expression with whole parts of it replaced."""
    if not values:
        return e
    if e in values:
        return values[e]
    return rebuild(e, tuple(with_parts_replaced(child, values) for child in children(e)))


def written_out(lets: Iterable[tuple[x.Local, x.Expr]]) -> dict[str, x.Expr]:
    """Return the value of each `let` by name, with those before it put in."""
    values: dict[str, x.Expr] = {}
    for local, value in lets:
        values[local.name] = substitute(value, values)
    return values


def with_fresh_locals(e: x.Expr, fresh: Callable[[str], str]) -> x.Expr:
    """Replace every bound name by a fresh one, so that the expression can be put anywhere."""
    e = rebuild(e, tuple(with_fresh_locals(child, fresh) for child in children(e)))
    if not isinstance(e, x.Binding):
        return e
    name = _INNER[e.__class__]
    var = x.Local(fresh(e.var.name), e.var.type)
    changes: dict[str, Any] = {name: substitute(getattr(e, name), {e.var.name: var})}
    return replace(e, var=var, **changes)


def blocks(stmt: s.Stmt) -> tuple[s.Block, ...]:
    """Return the blocks that a statement contains."""
    return tuple([getattr(stmt, name) for name in _BLOCKS.get(stmt.__class__, ())])


def statements(block: s.Block) -> Iterator[s.Stmt]:
    """Yield every statement of a block and of the blocks in it, in the order they are written."""
    for stmt in block:
        yield stmt
        for part in blocks(stmt):
            yield from statements(part)


def bindings(stmt: s.Stmt) -> dict[str, x.Local]:
    """Return the locals that a statement binds itself, each by the field that names it."""
    fields = ((name, getattr(stmt, name, None)) for name in ("var", "raw", "local"))
    return {name: local for name, local in fields if isinstance(local, x.Local)}


def expressions(stmt: s.Stmt) -> tuple[x.Expr, ...]:
    """Return the expressions that a statement evaluates itself, not those of its blocks."""
    parts: list[x.Expr] = []
    for name in _EVALUATED.get(stmt.__class__, ()):
        part = getattr(stmt, name)
        if isinstance(part, s.Order):
            part = part.keys
        parts += part if isinstance(part, tuple) else () if part is None else (part,)
    return tuple(parts)


def map_parts(
    stmt: s.Stmt, change: Callable[[x.Expr], x.Expr], block: Callable[[s.Block], s.Block]
) -> s.Stmt:
    """Return the statement with its expressions and blocks changed, the blocks first."""

    def transform(part: Any) -> Any:
        if isinstance(part, s.Order):
            return replace(part, keys=transform(part.keys))
        return tuple(map(change, part)) if isinstance(part, tuple) else None if part is None else change(part)

    kind = stmt.__class__
    changes: dict[str, Any] = {name: block(getattr(stmt, name)) for name in _BLOCKS.get(kind, ())}
    changes |= {name: transform(getattr(stmt, name)) for name in _EVALUATED.get(kind, ())}
    return replace(stmt, **changes) if changes else stmt
