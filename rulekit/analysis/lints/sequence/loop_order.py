"""A loop over a set that is written in another order than that in which the loop runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Final

from rulekit import ir
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.base.source import Span
from rulekit.compiler.names import name_of
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ir import types as t
from rulekit.ir import walk
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes

WHEN = Occasion()

_ORDERED: Final = (
    ir.Do, ir.Roll, ir.DrawLot, ir.DrawTop, ir.Choose, ir.ChooseEach, ir.Put, ir.Say,
    ir.Return, ir.Leave, ir.Finish,
)  # fmt: skip
"""Statements of which it matters for whom they run first."""
_Beginning = tuple[str, int, int]
"""File, line and column."""


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Yield a finding for each such loop in whose body the order may matter."""
    loops = _loops(rules.compiled.program)
    for module in rules.compiled.modules:
        for item in module.items:
            if not isinstance(item, i.Procedure | i.EventDecl | i.Variant):
                continue
            for node in nodes(item, expressions=False):
                if not isinstance(node, s.ForEach | s.Step) or not in_scope(rules.compiled, node.span):
                    continue
                loop, run = node.loop, loops.get(_beginning(node.span))
                if loop is None or loop.orders or run is None or not _order_matters(rules, run):
                    continue
                written = _items_of(loop.over)
                if written and written != (ordered := _in_order(written, run, rules.compiled.program)):
                    yield _finding(name_of(item), loop, written, ordered)


def _loops(program: ir.Program) -> Mapping[_Beginning, ir.ForEach]:
    """Return the loops by the beginnings of their statements."""
    statements = (stmt for item in program.procedures for stmt in walk.statements(item.body))
    loops = (stmt for stmt in statements if isinstance(stmt, ir.ForEach))
    return {_beginning(program.sites[loop.site]): loop for loop in loops}


def _beginning(at: ir.Site | Span) -> _Beginning:
    return at.file, at.line, at.column


def _order_matters(rules: Inspection, loop: ir.ForEach) -> bool:
    states, body = rules.compiled.program.by_name.states, tuple(walk.statements(loop.body))
    own = {loop.var.name}
    own |= {stmt.local.name for stmt in body if isinstance(stmt, ir.Let)}
    own |= {stmt.var.name for stmt in body if isinstance(stmt, ir.ForEach)}
    return any(
        isinstance(stmt, _ORDERED)
        or (
            isinstance(stmt, ir.Write)
            and (isinstance(states[stmt.state].type, t.ListOf) or _last_stays(stmt, own))
        )
        for stmt in body
    )


def _last_stays(write: ir.Write, own: Set[str]) -> bool:
    """Return whether each run sets the same cell to a value of its own, so that the last one stays.

    Args:
        own: The locals that each run has for itself.
    """
    if write.op != "set" or write.value is None or own.isdisjoint(walk.free(write.value)):
        return False
    return all(own.isdisjoint(walk.free(key)) for key in write.keys)


def _items_of(over: x.Expr) -> tuple[str, ...]:
    """Return the names or numbers in braces; nothing if there is anything else in them."""
    if not isinstance(over, x.SetLiteral):
        return ()
    words = [
        item.name.text if isinstance(item, x.Reference) else str(item.value)
        for item in over.items
        if isinstance(item, x.Reference | x.Integer)
    ]
    return tuple(words) if len(words) == len(over.items) else ()


def _in_order(written: Sequence[str], loop: ir.ForEach, program: ir.Program) -> tuple[str, ...]:
    """Return the same in the order in which the loop runs; unchanged where a name is not a member."""
    if all(word.isdigit() for word in written):
        return tuple(sorted(written, key=int))
    kind = loop.var.type
    members = program.by_name.domains[kind.domain].members if isinstance(kind, t.Member) else ()
    if not set(written) <= set(members):
        return tuple(written)
    return tuple(sorted(written, key=members.index))


def _finding(owner: str, loop: s.Loop, written: Sequence[str], ordered: Sequence[str]) -> Diagnostic:
    message = f"this loop runs in the order of declaration: {', '.join(f'`{word}`' for word in ordered)}"
    first = ", ".join(f"{word} first" for word in written[:-1])
    hint = f"write `{{{', '.join(ordered)}}}`, or, for the order as written, add `, {first}`"
    key = (f"procedure {owner}", *written)
    return Diagnostic(kinds.LOOP_ORDER, message, loop.over.span, hint=hint, key=key)
