"""Small procedures in the place of their calls.

A procedure that asks nothing, loops nowhere and does not return is but its statements: with its own locals
renamed, and its parameters bound or replaced by what they are given, these can stand where it is run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rulekit.ir import Block, Const, Expr, Local, Procedure, Stmt, walk
from rulekit.ir import stmt as s
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.optimise.sharing import bound_locals

MOST_NODES = 60
"""Size of the largest procedure that is spread, statements and expressions together."""


def spread(
    context: OptimiserContext,
    procedure: Callable[[str], Procedure],
    block: Block,
    apart: frozenset[str] = frozenset(),
    *,
    late: bool = False,
) -> Block:
    """The block with the calls of small procedures replaced by their statements.

    `procedure` gives a procedure as it will be compiled; calls of those that stay `apart` are left.
    Not within a step: faults name the steps that were open, which the line of the call stands for.

    Args:
        late: True in a `together` block; the blocks of procedures called there are part of it.
    """
    stmts: list[Stmt] = []

    for stmt in block:
        stays = apart | context.facts.suspending
        if isinstance(stmt, s.Do) and stmt.local is None and stmt.procedure not in stays:
            callee = procedure(stmt.procedure)
            if not context.prices.of_procedure(callee.name) and _small(callee, late):
                stmts += _in_place(context, callee, stmt)
                continue
        inside = partial(spread, context, procedure, apart=apart, late=late or isinstance(stmt, s.Together))
        within = isinstance(stmt, s.Step)
        stmts.append(stmt if within else walk.map_parts(stmt, lambda e: e, inside))
    return tuple(stmts)


def _small(procedure: Procedure, late: bool) -> bool:
    size = 0
    for stmt in walk.statements(procedure.body):
        if isinstance(stmt, s.ForEach | s.Repeat | s.Return | s.Leave | s.Next | s.Do):
            return False
        if isinstance(stmt, s.Together) and not late:
            return False
        size += 1 + sum(walk.size(e) for e in walk.expressions(stmt))
    return size <= MOST_NODES


def _in_place(context: OptimiserContext, procedure: Procedure, call: s.Do) -> Block:
    values: dict[str, Expr] = {}
    lets: list[Stmt] = []
    set_inside = {local.name: local.type for local in bound_locals(procedure.body)}
    set_inside |= {local.name: local.type for local in procedure.locals if local.name in set_inside}
    for param, argument in zip(procedure.params, call.arguments, strict=True):
        if isinstance(argument, Const | Local) and param.name not in set_inside:
            values[param.name] = argument
        else:
            values[param.name] = local = Local(context.fresh(param.name), param.type)
            lets.append(s.Let(local, argument, call.site))
    for name, kind in set_inside.items():
        if name not in values:
            values[name] = Local(context.fresh(name), kind)
    return (*lets, *_rename_locals(procedure.body, values))


def _rename_locals(block: Block, values: dict[str, Expr]) -> Block:
    """The statements with locals replaced, also where they are bound."""

    def rename(stmt: Stmt) -> Stmt:
        stmt = walk.map_parts(
            stmt, lambda e: walk.substitute(e, values), lambda inner: _rename_locals(inner, values)
        )
        bound = walk.bindings(stmt)
        targets = {field: values[local.name] for field, local in bound.items() if local.name in values}
        return replace(stmt, **targets) if targets else stmt  # type: ignore[arg-type]

    return tuple(map(rename, block))
