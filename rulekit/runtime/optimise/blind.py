"""Parts of the rules that only add: their effect does not depend on what was added before.

Such a part is *blind*: it rolls, and adds to numbers and sets flags that it does not read.  In a `together`
block, where nothing that changes can be read, all parts that only add are blind.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from rulekit.ir import (
    Block,
    Do,
    Expr,
    ForEach,
    Leave,
    Local,
    MarkAll,
    Next,
    Param,
    Procedure,
    Program,
    Repeat,
    Return,
    Stmt,
    Together,
    Write,
    walk,
)
from rulekit.ir.semantics.effects import effects
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.semantics.outline import reads_of
from rulekit.ir.types import Int, Nothing

ADDING = ("add", "subtract", "mark", "include")

UP, DOWN = 1, 2
"""Ways in which numbers change.  A part that takes from a number and adds to it could fault in between."""


def blind_procedures(facts: Facts, *, late: bool) -> frozenset[str]:
    """Return the procedures that roll, and else only add."""
    return frozenset(
        name
        for name, item in facts.procedures.items()
        if name in facts.chancy and added_to(facts, item.body, late=late) is not None
    )


def added_to(facts: Facts, block: Block, *, late: bool) -> frozenset[str] | None:
    """Return the states that a block, with all that it runs, adds to or sets flags of.

    None if it is not blind.  In a `together` block, what adds to a state that such a block also sets is not
    blind: to add 0 disagrees with the value that is set, and of a sum of 0 nothing is left that tells so.

    Args:
        late: Whether it runs inside a `together` block.
    """
    written: set[str] = set()
    read: set[str] = set()
    ways: dict[str, int] = {}
    for stmt in facts.statements_from(block):
        own = effects(stmt, facts.state_keys)
        if own.asks or own.reveals or own.ends == "game":
            return None
        if own.writes:
            if not _only_adds(facts, stmt):
                return None
            written |= own.writes
            if isinstance(stmt, Write) and stmt.value is not None and not late:
                ways[stmt.state] = ways.get(stmt.state, 0) | ways_of(stmt)
        read |= facts.closure(reads_of(*walk.expressions(stmt)))
    if not written or UP | DOWN in ways.values() or written & (facts.set_together if late else read):
        return None
    return frozenset(written)


def ways_of(stmt: Write) -> int:
    """Whether a number can rise (`UP`), fall (`DOWN`), or both."""
    kind = None if stmt.value is None else stmt.value.type
    low, high = (kind.low, kind.high) if isinstance(kind, Int) else (-1, 1)
    if stmt.op == "subtract":
        low, high = -high, -low
    return UP * (high > 0) | DOWN * (low < 0)


def _only_adds(facts: Facts, stmt: Stmt) -> bool:
    if isinstance(stmt, Write):
        return stmt.op in ADDING and not stmt.clamp and not facts.states[stmt.state].clamp
    return isinstance(stmt, MarkAll) and stmt.on


# ------------------------------------------------------------ loops whose runs are blind


def outline_blind_loops(program: Program) -> Program:
    """Return the program with each blind body of a loop as a procedure of its own, which the loop runs."""
    facts = Facts(program)
    outlined: list[Procedure] = []
    changed = []
    for procedure in program.procedures:
        outliner = _Outliner(facts, procedure)
        params = {param.name for param in procedure.params}
        body = outliner.block(procedure.body, params, late=procedure.name in facts.late)
        changed.append(replace(procedure, body=body) if outliner.outlined else procedure)
        outlined += outliner.outlined
    return replace(program, procedures=(*changed, *outlined)) if outlined else program


class _Outliner:
    """Takes the bodies of blind loops out of one procedure."""

    def __init__(self, facts: Facts, procedure: Procedure) -> None:
        self._facts, self._procedure = facts, procedure
        self.outlined: list[Procedure] = []

    def block(self, block: Block, bound: Set[str], *, late: bool) -> Block:
        """The statements, the innermost loops first; `bound` are the locals that are known before."""
        stmts = []
        known = set(bound)
        for stmt in block:
            stmts.append(self._statement(stmt, known, late))
            known |= set(bound_names((stmt,)))
        return tuple(stmts)

    def _statement(self, stmt: Stmt, bound: Set[str], late: bool) -> Stmt:
        inside = late or isinstance(stmt, Together)
        known = bound | {stmt.var.name} if isinstance(stmt, ForEach) else bound
        changed = walk.map_parts(stmt, lambda e: e, lambda inner: self.block(inner, known, late=inside))
        # Facts know the loop as it was written.
        if isinstance(stmt, ForEach | Repeat) and self._may_leave_out(stmt, known, late):
            assert isinstance(changed, ForEach | Repeat)
            return replace(changed, body=(self._call(changed),))
        return changed

    def _may_leave_out(self, loop: ForEach | Repeat, known: Set[str], late: bool) -> bool:
        if len(loop.body) == 1 and isinstance(loop.body[0], Do) or any(_leaving(loop.body)):
            return False
        if not any(effects(stmt, {}).draws for stmt in self._facts.statements_from(loop.body)):
            return False
        if not known.isdisjoint(bound_names(loop.body)):
            return False  # it changes a local of the procedure
        return added_to(self._facts, loop.body, late=late) is not None

    def _call(self, loop: ForEach | Repeat) -> Do:
        """The call of a procedure that is the loop's body."""
        inside = set(bound_names(loop.body))
        free: dict[str, Local] = {}
        for stmt in walk.statements(loop.body):
            for e in walk.expressions(stmt):
                free |= {local.name: local for local in _locals(e) if local.name not in inside}
        types = {param.name: param.type for param in (*self._procedure.params, *self._procedure.locals)}
        names = sorted(free)
        params = tuple(Param(name, types.get(name, free[name].declared or free[name].type)) for name in names)
        name = f"{self._procedure.name}:run {len(self.outlined) + 1}"
        kept = tuple(param for param in self._procedure.locals if param.name in inside)
        body = _ending_runs(loop.body)
        self.outlined.append(Procedure(name, params, Nothing(), (*params, *kept), body, loop.site))
        return Do(name, tuple(Local(p.name, p.type) for p in params), None, loop.site)


def bound_names(block: Block) -> Iterator[str]:
    """The names of the locals that a block binds."""
    return (local.name for stmt in walk.statements(block) for local in walk.bindings(stmt).values())


def _locals(e: Expr) -> Iterator[Local]:
    """The locals that an expression reads and does not bind itself."""
    free = walk.free(e)
    return (node for node in walk.nodes(e) if isinstance(node, Local) and node.name in free)


def _leaving(block: Block, *, looped: bool = False) -> Iterator[Stmt]:
    """The statements of a loop's body that leave the loop, or the procedure."""
    for stmt in block:
        if isinstance(stmt, Return) or isinstance(stmt, Leave) and not looped:
            yield stmt
        for inner in walk.blocks(stmt):
            yield from _leaving(inner, looped=looped or isinstance(stmt, ForEach | Repeat))


def _ending_runs(block: Block) -> Block:
    """The body of a loop, with the end of a run as the end of a procedure."""

    def change(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Next):
            return Return(None, stmt.site)
        if isinstance(stmt, ForEach | Repeat):
            return stmt
        return walk.map_parts(stmt, lambda e: e, lambda inner: tuple(map(change, inner)))

    return tuple(map(change, block))
