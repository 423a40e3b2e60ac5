"""How the rest of a procedure sees a roll: sums of the dice that it cannot tell apart lead to the same play.

The rest reads a roll only where an expression does.  Of each such expression the largest part is taken
whose other inputs cannot change between the roll and there: it could as well be evaluated at the roll.  Two
sums for which all these parts have equal values are the same to the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from rulekit.base.frozen import frozen
from rulekit.ir import Block, Expr, ForEach, Local, Procedure, Repeat, Roll, Stmt, walk
from rulekit.runtime.optimise.context import OptimiserContext


def observations(context: OptimiserContext, procedure: Procedure, roll: Roll) -> tuple[Expr, ...] | None:
    """Return the expressions through which a procedure sees one of its rolls, over the sum as rolled.

    None if it sees the sum itself, or does not look at all.
    """
    place = _find(procedure.body, roll)
    if place is None:
        return None
    rest = [part for stmt in place.after for part in walk.statements((stmt,))]
    changed = {local.name for stmt in rest for local in walk.bindings(stmt).values()}
    modified = roll.modified if roll.modified is not None else roll.raw
    values = {} if roll.local is None else {roll.local.name: modified}
    names = frozenset((roll.raw.name, *values))
    if changed & names or _is_seen_elsewhere(procedure, roll, rest, names):
        return None
    stable = {*(param.name for param in procedure.params), *place.bound} - changed
    sight = _Sight(context, names, frozenset(stable), context.facts.changes_in(procedure.body))
    seen = dict.fromkeys(part for stmt in rest for e in walk.expressions(stmt) for part in sight.parts(e))
    parts = tuple(walk.substitute(e, values) for e in seen)
    return None if not parts or any(isinstance(e, Local) for e in parts) else parts


@frozen
class _Place:
    """The locals bound before a statement wherever it is reached, and what comes after it in the same run."""

    bound: tuple[str, ...]
    after: tuple[Stmt, ...]


def _find(block: Block, roll: Roll) -> _Place | None:
    bound: list[str] = []
    for number, stmt in enumerate(block):
        after = block[number + 1 :]
        if stmt is roll:
            return _Place(tuple(bound), after)
        for inner in walk.blocks(stmt):
            place = _find(inner, roll)
            if place is not None:
                looped = isinstance(stmt, ForEach | Repeat)
                around = [stmt.var.name] if isinstance(stmt, ForEach) else []
                # What a loop's body binds is new in each run, and nothing after the loop reads it.
                return _Place((*bound, *around, *place.bound), place.after if looped else place.after + after)
        if not isinstance(stmt, ForEach):
            bound += (local.name for local in walk.bindings(stmt).values())
    return None


def _is_seen_elsewhere(procedure: Procedure, roll: Roll, rest: list[Stmt], names: Set[str]) -> bool:
    """True if a statement outside the rest reads a local that only this roll can have bound."""
    others = [stmt for stmt in walk.statements(procedure.body) if stmt is not roll]
    rebound = {local.name for stmt in others for local in walk.bindings(stmt).values()}
    known = set(map(id, rest))
    return any(
        walk.free(e) & names - rebound
        for stmt in others
        if id(stmt) not in known
        for e in walk.expressions(stmt)
    )


@frozen
class _Sight:
    """Finds the parts of expressions that see a roll.

    `names` hold its sum and its modified value, `stable` locals keep their values as long as these are read,
    and `written` are the states that may change meanwhile.
    """

    context: OptimiserContext
    names: frozenset[str]
    stable: frozenset[str]
    written: frozenset[str]

    def parts(self, e: Expr) -> Iterator[Expr]:
        """The largest parts of an expression that see the roll and could be evaluated at once."""
        free = walk.free(e)
        if not free & self.names:
            return
        if isinstance(e, Local) or free <= self.stable | self.names and not self._may_change(e):
            yield e
            return
        for child in walk.children(e):
            yield from self.parts(child)

    def _may_change(self, e: Expr) -> bool:
        return bool(self.context.facts.reads(e) & self.written)
