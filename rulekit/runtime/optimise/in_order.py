"""Changes of a `together` block made one after the other, where the result is the same.

Changes wait for the end of their block because nothing inside it may see them, and because two of them may
disagree.  A block of plain changes that cannot disagree needs no waiting: all that it reads is read first.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.ir import Block, Const, Expr, Let, Local, MarkAll, Place, Stmt, Together, Write, walk
from rulekit.runtime.optimise.context import OptimiserContext

Change = Write | MarkAll | Place


def in_order(context: OptimiserContext, block: Block) -> Block | None:
    """Return what a `together` block does as statements to run in order; None if its changes have to wait."""
    facts = context.facts
    values: list[Stmt] = []
    changes: list[Stmt] = []
    written: dict[str, object] = {}
    read: set[str] = set()

    def early(e: Expr) -> Expr:
        """An operand that stays what it is while the changes are made."""
        if isinstance(e, Const | Local) or not facts.fallible(e) and not facts.reads(e) & written.keys():
            return e
        local = Local(context.fresh("early"), e.type)
        values.append(Let(local, e, stmt.site))
        return local

    for stmt in _flat(block):
        if isinstance(stmt, Let):
            if stmt.local.name in read:
                return None
            values.append(stmt)
            continue
        way = _way(stmt)
        if way is None:
            return None
        assert isinstance(stmt, Change)
        state = "place" if isinstance(stmt, Place) else stmt.state
        change = walk.map_parts(stmt, early, lambda inner: inner)
        if written.setdefault(state, way) != way:
            return None
        changes.append(change)
        read |= {name for e in walk.expressions(stmt) for name in walk.free(e)}
    return (*values, *changes)


def _flat(block: Block) -> Iterator[Stmt]:
    """The statements, with those of blocks inside, which are part of this one."""
    for stmt in block:
        if isinstance(stmt, Together):
            yield from _flat(stmt.body)
        else:
            yield stmt


def _way(stmt: Stmt) -> object:
    """How a statement changes its state: all that do it in the same way agree.  None if it has to wait."""
    match stmt:
        case Place(space=Const() | Local() as space) | Write(state="place", op="set", value=space):
            return "to", space
        case Place():
            return "to", stmt
        case Write(op="set", check=False, clamp=False):
            return "set", stmt.value if isinstance(stmt.value, Const | Local) else stmt
        case Write(op="mark" | "include", check=False):
            return "mark"
        case Write(op="unmark" | "exclude", check=False):
            return "unmark"
        case MarkAll():
            return "mark" if stmt.on else "unmark"
    return None
