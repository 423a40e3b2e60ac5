"""Generic access to the parts of an expression or statement, for every pass that looks through them.

Knows the shape of the IR and nothing of its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from rulekit.ir import expr as x
from rulekit.ir import stmt as s


def children(e: x.Expr) -> tuple[x.Expr, ...]:
    """The operands of an expression, in the order in which they are evaluated."""
    match e:
        case x.Const() | x.Local():
            return ()
        case x.Static() | x.Read() | x.Flagged():
            return e.keys
        case x.At():
            return (e.space,)
        case x.Apply():
            return e.arguments
        case x.Op():
            return e.operands
        case x.If():
            return (e.condition, e.then, e.otherwise)
        case x.Filter() | x.Fold():
            return (e.over, e.body)
        case x.Best():
            return (e.over, e.key)
        case x.Linked():
            return (e.over, e.start, e.relation) + (() if e.within is None else (e.within,))
        case _:
            assert_never(e)


def rebuild(e: x.Expr, parts: tuple[x.Expr, ...]) -> x.Expr:
    """The same expression with other operands, given in the order of `children`."""
    if parts == children(e):
        return e
    match e:
        case x.Const() | x.Local():
            return e
        case x.Static() | x.Read() | x.Flagged():
            return replace(e, keys=parts)
        case x.At():
            return replace(e, space=parts[0])
        case x.Apply():
            return replace(e, arguments=parts)
        case x.Op():
            return replace(e, operands=parts)
        case x.If():
            return replace(e, condition=parts[0], then=parts[1], otherwise=parts[2])
        case x.Filter() | x.Fold():
            return replace(e, over=parts[0], body=parts[1])
        case x.Best():
            return replace(e, over=parts[0], key=parts[1])
        case x.Linked():
            within = parts[3] if len(parts) > 3 else None
            return replace(e, over=parts[0], start=parts[1], relation=parts[2], within=within)
        case _:
            assert_never(e)


def bound_local(e: x.Expr) -> x.Local | None:
    """The variable an expression binds in one of its operands."""
    match e:
        case x.Filter() | x.Fold() | x.Best() | x.Linked():
            return e.var
        case (
            x.Const() | x.Local() | x.Static() | x.Read() | x.Flagged() | x.At() | x.Apply() | x.Op() | x.If()
        ):
            return None
        case _:
            assert_never(e)


def inner(e: x.Expr) -> x.Expr | None:
    """The operand in which `bound(e)` may be read, evaluated once for each member."""
    match e:
        case x.Filter() | x.Fold():
            return e.body
        case x.Best():
            return e.key
        case x.Linked():
            return e.relation
        case (
            x.Const() | x.Local() | x.Static() | x.Read() | x.Flagged() | x.At() | x.Apply() | x.Op() | x.If()
        ):
            return None
        case _:
            assert_never(e)


def nodes(e: x.Expr) -> Iterator[x.Expr]:
    """The expression and everything in it, outermost first."""
    yield e
    for child in children(e):
        yield from nodes(child)


def size(e: x.Expr) -> int:
    """How many nodes an expression has."""
    return sum(1 for _ in nodes(e))


def free(e: x.Expr) -> frozenset[str]:
    """Names of the locals an expression reads and does not bind itself."""
    if isinstance(e, x.Local):
        return frozenset((e.name,))
    var, body = bound_local(e), inner(e)
    names: frozenset[str] = frozenset()
    for child in children(e):
        found = free(child)
        names |= found - {var.name} if var is not None and child is body else found
    return names


def substitute(e: x.Expr, values: Mapping[str, x.Expr]) -> x.Expr:
    """The expression with locals replaced; bound names must differ from all free names of `values`.

    A local that takes the place of one of which more is known is known as well.
    """
    if isinstance(e, x.Local):
        value = values.get(e.name, e)
        if e.declared is not None and value is not e and isinstance(value, x.Local):
            return x.Local(value.name, e.type, value.declared or value.type)
        return value
    return rebuild(e, tuple(substitute(child, values) for child in children(e)))


def with_parts_replaced(e: x.Expr, values: Mapping[x.Expr, x.Expr]) -> x.Expr:
    """The expression with whole parts of it replaced."""
    if not values:
        return e
    if e in values:
        return values[e]
    return rebuild(e, tuple(with_parts_replaced(child, values) for child in children(e)))


def written_out(lets: Iterable[tuple[x.Local, x.Expr]]) -> dict[str, x.Expr]:
    """What each `let` of some stands for, by name, with those before it put in."""
    found: dict[str, x.Expr] = {}
    for local, value in lets:
        found[local.name] = substitute(value, found)
    return found


def with_fresh_locals(e: x.Expr, fresh: Callable[[str], str]) -> x.Expr:
    """The expression with every bound name replaced by a fresh one, so that it can be put anywhere."""
    parts = tuple(with_fresh_locals(child, fresh) for child in children(e))
    e = rebuild(e, parts)
    match e:
        case x.Filter():
            var = x.Local(fresh(e.var.name), e.var.type)
            return replace(e, var=var, body=substitute(e.body, {e.var.name: var}))
        case x.Fold():
            var = x.Local(fresh(e.var.name), e.var.type)
            return replace(e, var=var, body=substitute(e.body, {e.var.name: var}))
        case x.Best():
            var = x.Local(fresh(e.var.name), e.var.type)
            return replace(e, var=var, key=substitute(e.key, {e.var.name: var}))
        case x.Linked():
            var = x.Local(fresh(e.var.name), e.var.type)
            return replace(e, var=var, relation=substitute(e.relation, {e.var.name: var}))
        case (
            x.Const() | x.Local() | x.Static() | x.Read() | x.Flagged() | x.At() | x.Apply() | x.Op() | x.If()
        ):
            return e
        case _:
            assert_never(e)


def blocks(stmt: s.Stmt) -> tuple[s.Block, ...]:
    """The blocks a statement contains."""
    match stmt:
        case s.When():
            return (stmt.then, stmt.otherwise)
        case s.ForEach() | s.Repeat() | s.Together() | s.Step():
            return (stmt.body,)
        case (
            s.Let() | s.Write() | s.MarkAll() | s.Place() | s.Leave() | s.Next() | s.Return() | s.Do()
            | s.Roll() | s.DrawLot() | s.DrawTop() | s.Put() | s.Shuffle() | s.Form() | s.Dissolve()
            | s.Choose() | s.ChooseEach() | s.Reveal() | s.Say() | s.Finish() | s.Fail()
        ):  # fmt: skip
            return ()
        case _:
            assert_never(stmt)


def statements(block: s.Block) -> Iterator[s.Stmt]:
    """Every statement of a block and of the blocks in it, in the order they are written."""
    for stmt in block:
        yield stmt
        for part in blocks(stmt):
            yield from statements(part)


def bindings(stmt: s.Stmt) -> dict[str, x.Local]:
    """The locals that a statement binds itself, each by the field that names it; not those it only reads."""
    fields = ((name, getattr(stmt, name, None)) for name in ("var", "raw", "local"))
    return {name: local for name, local in fields if isinstance(local, x.Local)}


def expressions(stmt: s.Stmt) -> tuple[x.Expr, ...]:
    """The expressions a statement evaluates itself (not those of its blocks)."""
    match stmt:
        case s.Let():
            return (stmt.value,)
        case s.Write():
            return stmt.keys + (() if stmt.value is None else (stmt.value,))
        case s.MarkAll():
            return (*stmt.keys, stmt.members)
        case s.Place():
            return (stmt.pieces, stmt.space)
        case s.When():
            return (stmt.condition,)
        case s.ForEach():
            keys = () if stmt.order is None else stmt.order.keys
            again = () if stmt.alternating is None else (stmt.alternating,)
            return (stmt.over, *keys, *again)
        case s.Repeat():
            return (stmt.control,) + (() if stmt.limit is None else (stmt.limit,))
        case s.Return():
            return () if stmt.value is None else (stmt.value,)
        case s.Finish():
            return () if stmt.result is None else (stmt.result,)
        case s.Do() | s.Choose():
            return stmt.arguments
        case s.ChooseEach():
            return (stmt.over, *stmt.arguments)
        case s.Roll():
            return stmt.arguments + (() if stmt.modified is None else (stmt.modified,))
        case s.DrawLot():
            return (stmt.count, stmt.over)
        case s.DrawTop():
            return (*stmt.keys, stmt.count)
        case s.Put():
            return (*stmt.keys, stmt.value)
        case s.Shuffle() | s.Reveal():
            return stmt.keys
        case s.Dissolve():
            return (stmt.group,)
        case s.Leave() | s.Next() | s.Form() | s.Say() | s.Fail() | s.Together() | s.Step():
            return ()
        case _:
            assert_never(stmt)


def map_parts(
    stmt: s.Stmt, change: Callable[[x.Expr], x.Expr], block: Callable[[s.Block], s.Block]
) -> s.Stmt:
    """The statement with its expressions and blocks changed."""

    def each(parts: tuple[x.Expr, ...]) -> tuple[x.Expr, ...]:
        return tuple(change(part) for part in parts)

    def maybe(part: x.Expr | None) -> x.Expr | None:
        return None if part is None else change(part)

    match stmt:
        case s.Let():
            return replace(stmt, value=change(stmt.value))
        case s.Write():
            return replace(stmt, keys=each(stmt.keys), value=maybe(stmt.value))
        case s.MarkAll():
            return replace(stmt, keys=each(stmt.keys), members=change(stmt.members))
        case s.Place():
            return replace(stmt, pieces=change(stmt.pieces), space=change(stmt.space))
        case s.When():
            then, otherwise = block(stmt.then), block(stmt.otherwise)
            return replace(stmt, condition=change(stmt.condition), then=then, otherwise=otherwise)
        case s.ForEach():
            order = None if stmt.order is None else replace(stmt.order, keys=each(stmt.order.keys))
            again, body = maybe(stmt.alternating), block(stmt.body)
            return replace(stmt, over=change(stmt.over), order=order, alternating=again, body=body)
        case s.Repeat():
            control, limit = change(stmt.control), maybe(stmt.limit)
            return replace(stmt, control=control, limit=limit, body=block(stmt.body))
        case s.Together() | s.Step():
            return replace(stmt, body=block(stmt.body))
        case s.Return():
            return replace(stmt, value=maybe(stmt.value))
        case s.Finish():
            return replace(stmt, result=maybe(stmt.result))
        case s.Do() | s.Choose():
            return replace(stmt, arguments=each(stmt.arguments))
        case s.ChooseEach():
            return replace(stmt, over=change(stmt.over), arguments=each(stmt.arguments))
        case s.Roll():
            return replace(stmt, arguments=each(stmt.arguments), modified=maybe(stmt.modified))
        case s.DrawLot():
            return replace(stmt, count=change(stmt.count), over=change(stmt.over))
        case s.DrawTop():
            return replace(stmt, keys=each(stmt.keys), count=change(stmt.count))
        case s.Put():
            return replace(stmt, keys=each(stmt.keys), value=change(stmt.value))
        case s.Shuffle() | s.Reveal():
            return replace(stmt, keys=each(stmt.keys))
        case s.Dissolve():
            return replace(stmt, group=change(stmt.group))
        case s.Leave() | s.Next() | s.Form() | s.Say() | s.Fail():
            return stmt
        case _:
            assert_never(stmt)
