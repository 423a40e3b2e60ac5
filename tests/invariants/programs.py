"""The invariants of every program that the compiler makes: checked between stages by tests, never in use.

Every name that is read is declared, every local is bound before it is read, sites are in range, operands
are of the sorts that the table of operations names, and tables are dense over their keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from rulekit.ir import expr as x
from rulekit.ir import stmt as s
from rulekit.ir import walk
from rulekit.ir.program import Choice, Key, Procedure, Program, span_of
from rulekit.ir.semantics.effects import effects
from rulekit.ir.semantics.operations import OPERATIONS, Sort
from rulekit.ir.types import (
    Flag,
    Int,
    ListOf,
    MapOf,
    Member,
    Month,
    Nothing,
    Optional,
    Ratio,
    Record,
    Row,
    SetOf,
)

_SORTS: dict[Sort, tuple[type, ...]] = {
    "number": (Int, Month, Ratio, Member, Row, Record, Optional),
    "flag": (Flag,),
    "set": (SetOf,),
    "list": (ListOf,),
    "map": (MapOf,),
    "any": (Flag, Int, Month, Ratio, Member, Row, Record, Optional, SetOf, ListOf, MapOf, Nothing),
}
"""The types of each sort; an optional number is a fault if it is none."""


def check_invariants(program: Program) -> list[str]:
    """Every way in which a program is not as the compiler promises; an empty list if there is none."""
    return list(InvariantChecker(program).violations())


class InvariantChecker:
    """Checks one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._sizes = program.by_name.sizes
        self._states = {state.name: state.keys for state in program.states}
        self._tables = {table.name: table.keys for table in program.statics}
        self._functions = {function.name: len(function.params) for function in program.functions}
        self._procedures = {procedure.name: len(procedure.params) for procedure in program.procedures}

    def violations(self) -> Iterator[str]:
        """Each of them, as a sentence."""
        yield from self._tables_are_dense()
        for function in self.program.functions:
            names = {param.name for param in function.params}
            yield from self._at(f"function {function.name}", self.expression(function.body, names))
            yield from self._site(f"function {function.name}", function.site)
        for choice in self.program.choices:
            yield from self._at(f"choice {choice.name}", self.choice(choice))
        for procedure in self.program.procedures:
            yield from self._at(f"procedure {procedure.name}", self._procedure(procedure))
        for invariant in self.program.invariants:
            yield from self._at(f"invariant {invariant.name}", self.expression(invariant.body, set()))

    def _at(self, where: str, violations: Iterable[str]) -> Iterator[str]:
        return (f"{where}: {violation}" for violation in violations)

    def _site(self, where: str, site: int) -> Iterator[str]:
        if not 0 <= site < len(self.program.sites):
            yield f"{where}: site {site} of {len(self.program.sites)}"

    def _entries(self, keys: Iterable[Key]) -> int:
        return prod(high - low + 1 for low, high in (span_of(key, self._sizes) for key in keys))

    def _tables_are_dense(self) -> Iterator[str]:
        for table in self.program.statics:
            if len(table.values) != (0 if table.steps_by else self._entries(table.keys)):
                yield f"table {table.name}: {len(table.values)} entries for {self._entries(table.keys)} keys"
        for state in self.program.states:
            if state.initial_each is not None and len(state.initial_each) != self._entries(state.keys):
                yield f"state {state.name}: {len(state.initial_each)} beginnings"
            yield from self._site(f"state {state.name}", state.site)

    # -- routines

    def _procedure(self, procedure: Procedure) -> Iterator[str]:
        """A procedure, whose locals are all listed; a local bound in a block stays bound after it."""
        listed = {local.name for local in procedure.locals}
        bound = {param.name for param in procedure.params}
        yield from (f"parameter {name} is not a local" for name in bound - listed)
        yield from self.block(procedure.body, bound)
        yield from self._site("procedure", procedure.site)

    def choice(self, choice: Choice) -> Iterator[str]:
        names = {param.name for param in choice.params}
        yield from self.expression(choice.decider, names)
        for local, value in choice.lets:
            yield from self.expression(value, names)
            names = names | {local.name}
        locals_ = (choice.item, choice.option, choice.chosen, choice.before, choice.assigned)
        answers = names | {local.name for local in locals_ if local is not None}
        parts = (choice.items, choice.candidates, choice.low, choice.high, choice.total, choice.default)
        for e in (*parts, choice.each):
            yield from self.expression(e, answers) if e is not None else ()
        for local, among in choice.fields:
            yield from self.expression(among, names)
            names = names | {local.name}
        answers = answers | names
        for norm in choice.norms:
            for e in (norm.test, norm.cover, norm.whole):
                yield from self.expression(e, answers) if e is not None else ()
            yield from self._site(f"norm {norm.name}", norm.site)
        yield from self._site("choice", choice.site)

    # -- statements

    def block(self, block: s.Block, bound: set[str]) -> Iterator[str]:
        """A block; adds what it binds to `bound`."""
        for stmt in block:
            inside = bound | set(_own_locals(stmt))
            for e in walk.expressions(stmt):
                yield from self.expression(e, inside)
            yield from self._named(stmt)
            yield from self._site(type(stmt).__name__, stmt.site)
            bound |= set(_binds(stmt))
            for inner in walk.blocks(stmt):
                yield from self.block(inner, bound)

    def _named(self, stmt: s.Stmt) -> Iterator[str]:
        """Return the names in a statement that the program does not declare."""
        effect = effects(stmt, self._states)
        if effect.runs and effect.runs not in self._procedures:
            yield f"runs {effect.runs}, which is not a procedure"
        if effect.asks and effect.asks not in self.program.by_name.choices:
            yield f"asks {effect.asks}, which is not a choice"
        if effect.draws and effect.draws not in self.program.by_name.points:
            yield f"uses {effect.draws}, which is not a point of chance"
        yield from (f"changes {name}, which is not a state" for name in effect.writes - set(self._states))
        if isinstance(stmt, s.Do) and self._procedures.get(stmt.procedure) != len(stmt.arguments):
            yield f"runs {stmt.procedure} with {len(stmt.arguments)} arguments"

    # -- expressions

    def expression(self, e: x.Expr, bound: set[str]) -> Iterator[str]:
        """An expression and everything in it."""
        if isinstance(e, x.Local):
            yield from () if e.name in bound else (f"reads {e.name}, which nothing has bound",)
        yield from self._own(e)
        var, inner = walk.bound_local(e), walk.inner(e)
        for child in walk.children(e):
            deeper = bound | {var.name} if var is not None and child is inner else bound
            yield from self.expression(child, deeper)

    def _own(self, e: x.Expr) -> Iterator[str]:
        """Return the faults of an expression itself, without its parts."""
        if isinstance(e, x.Static):
            yield from _key_count(f"table {e.table}", self._tables.get(e.table), len(e.keys))
        elif isinstance(e, x.Read):
            yield from _key_count(f"state {e.state}", self._states.get(e.state), len(e.keys))
        elif isinstance(e, x.Flagged):
            yield from _key_count(f"state {e.state}", self._states.get(e.state), len(e.keys) + 1)
        elif isinstance(e, x.Apply) and self._functions.get(e.function) != len(e.arguments):
            yield f"calls {e.function} with {len(e.arguments)} arguments"
        elif isinstance(e, x.Op):
            yield from _operands(e)


def _key_count(what: str, keys: tuple[Key, ...] | None, given: int) -> Iterator[str]:
    if keys is None or len(keys) != given:
        yield f"reads {what} with {given} keys"


def _operands(e: x.Op) -> Iterator[str]:
    """Operands that are too many, too few, or not of their sort."""
    operation = OPERATIONS[e.op]
    takes = operation.takes
    if operation.chain:
        takes = (*takes[:1], *takes[1:] * max(0, len(e.operands) - 1))[: len(e.operands)]
    if len(takes) != len(e.operands):
        yield f"{e.op} of {len(e.operands)} operands"
        return
    for sort, part in zip(takes, e.operands, strict=True):
        if not isinstance(part.type, _SORTS[sort]):
            yield f"{e.op} of a {part.type}, not a {sort}"


def _own_locals(stmt: s.Stmt) -> Iterator[str]:
    """The locals that a statement's own expressions may read, bound by the statement itself."""
    if isinstance(stmt, s.ForEach | s.ChooseEach):
        yield stmt.var.name
    if isinstance(stmt, s.Roll):
        yield stmt.raw.name


def _binds(stmt: s.Stmt) -> Iterator[str]:
    """The locals that a statement binds for later statements and for its blocks."""
    yield from _own_locals(stmt)
    local = getattr(stmt, "local", None)
    if isinstance(local, x.Local):
        yield local.name
