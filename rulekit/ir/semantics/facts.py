"""Static facts about a program: which parts read, write, suspend or may fault.

Computed once for a program, for passes that move or drop code and must not change what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import assert_never

from rulekit.ir import (
    Apply,
    At,
    Best,
    BestWay,
    Block,
    Choice,
    Const,
    Do,
    DrawLot,
    DrawTop,
    Expr,
    Filter,
    Flagged,
    Fold,
    Function,
    If,
    Linked,
    Local,
    Op,
    Procedure,
    Program,
    Read,
    Roll,
    State,
    Static,
    Stmt,
    Together,
    Write,
    walk,
)
from rulekit.ir.memo import Trees
from rulekit.ir.semantics.effects import changes, effects
from rulekit.ir.semantics.operations import may_fault
from rulekit.ir.semantics.outline import (
    BlockOutline,
    Reads,
    outline_of_block,
    reads_of,
    reads_of_choice,
    reads_of_function,
)
from rulekit.ir.types import GAP, Int, Month, Optional, SetOf, Type


class Facts:
    """Lookups by name, and closures over the call graph; everything is computed at its first use."""

    def __init__(self, program: Program, trees: Trees | None = None) -> None:
        """Get ready.

        Args:
            trees: Results about trees of the program.
        """
        self.program = program
        self._trees = trees or Trees()
        self.functions = dict(program.by_name.functions)
        self.procedures: Mapping[str, Procedure] = program.by_name.procedures
        self.choices: Mapping[str, Choice] = program.by_name.choices
        self.tables = dict(program.by_name.statics)
        self.states = dict(program.by_name.states)
        self.state_keys = {item.name: item.keys for item in program.states}
        self.domains = program.by_name.domains
        self.points = program.by_name.points
        self._underlying: dict[str, str] = {}
        self._reads: dict[str, frozenset[str]] = {}
        self._changes: dict[str, frozenset[str]] = {}
        self._faults: dict[str, bool] = {}
        self._gaps: dict[str, bool] = {}
        self._pays: dict[str, bool] = {}
        self.paying: set[str] = set()
        """Functions that pay for their work, which may be the fault `budget`."""

    def derive(self, derived: Mapping[str, State]) -> None:
        """Take in the flag states that are derived from others, by the names of those."""
        for name, state in derived.items():
            self.states[state.name] = state
            self._underlying[state.name] = name

    def add_paying(self, functions: Iterable[Function]) -> None:
        """Take in functions that pay for their work."""
        for item in functions:
            self.functions[item.name] = item
            self.paying.add(item.name)

    def has_gap(self, table: str) -> bool:
        """True if the table holds a gap."""
        if table not in self._gaps:
            self._gaps[table] = GAP in self.tables[table].values
        return self._gaps[table]

    def reads(self, e: Expr) -> frozenset[str]:
        """Return the states that an expression may read, calls included; `place` for pieces at a space."""
        return self.closure(reads_of(e))

    def closure(self, reads: Reads) -> frozenset[str]:
        """Return the states that are read, calls included."""
        states = reads.states
        if self._underlying:
            states = frozenset(self._underlying.get(state, state) for state in states)
        return states.union(*map(self.function_reads, reads.calls))

    def function_reads(self, name: str) -> frozenset[str]:
        """Return the states that a function may read."""
        if name not in self._reads:
            own = self._trees.of("reads", self.functions[name], reads_of_function)
            self._reads[name] = self.closure(own)
        return self._reads[name]

    def fallible(self, e: Expr, tested: frozenset[str] = frozenset()) -> bool:
        """True if evaluation may fault for values of its types; only `tested` locals are tested before."""
        return any(self._stops(node) for node in walk.nodes(e)) or _reads_exposed(e, tested)

    def _stops(self, node: Expr) -> bool:
        match node:
            case Static():
                gap = node.fallible and self.has_gap(node.table)
                return gap or not all(map(self.fits, node.keys, self.tables[node.table].keys))
            case Read() | Flagged():
                return not all(map(self.fits, node.keys, self.states[node.state].keys))
            case At():
                return isinstance(node.space.type, Optional) and not isinstance(node.space, Const)
            case Apply():
                if node.function in self.paying:
                    return True
                if node.function not in self._faults:
                    self._faults[node.function] = self.fallible(self.functions[node.function].body)
                return self._faults[node.function]
            case Op():
                return may_fault(node)
            case Const() | Local() | If() | Filter() | Fold() | Best() | Linked() | BestWay():
                return False
            case _:
                assert_never(node)

    def pays(self, e: Expr) -> bool:
        """True if evaluation may take something from the budget."""
        return any(isinstance(node, Apply) and self._function_pays(node.function) for node in walk.nodes(e))

    def _function_pays(self, name: str) -> bool:
        if name not in self._pays:
            self._pays[name] = name in self.paying or self.pays(self.functions[name].body)
        return self._pays[name]

    def fits(self, key: Expr, domain: str | tuple[int, int]) -> bool:
        """True if every value of the key's type is one of the domain's."""
        return type_fits(key.type, domain)

    def choice_reads(self, choice: Choice) -> frozenset[str]:
        """Return the states that the parts of a choice may read, calls included."""
        return self.closure(self._trees.of("reads", choice, reads_of_choice))

    def outline(self, procedure: Procedure) -> BlockOutline:
        """Return the outline of a procedure's body."""
        return self._trees.of("outline", procedure.body, outline_of_block)

    def changes_in(self, block: Block) -> frozenset[str]:
        """Return the states that running the block may change, calls included."""
        own = map(self.changes, walk.statements(block))
        return frozenset().union(*own, *map(self._own_changes, self._run_from(block)))

    def _own_changes(self, procedure: str) -> frozenset[str]:
        """Return the states that the statements of a procedure itself may change."""
        if procedure not in self._changes:
            statements = walk.statements(self.procedures[procedure].body)
            self._changes[procedure] = frozenset().union(*map(self.changes, statements))
        return self._changes[procedure]

    def _run_from(self, block: Block) -> Iterable[str]:
        """Return the procedures that a block may run, directly or not."""
        waiting = [stmt.procedure for stmt in walk.statements(block) if isinstance(stmt, Do)]
        seen = dict.fromkeys(waiting)
        while waiting:
            new = [name for name in self.outline(self.procedures[waiting.pop()]).runs if name not in seen]
            seen.update(dict.fromkeys(new))
            waiting += new
        return seen

    def changes(self, stmt: Stmt) -> frozenset[str]:
        """Return the states that a statement itself may change."""
        return changes(stmt, self.state_keys)

    def statements_from(self, block: Block) -> Iterator[Stmt]:
        """Yield the statements of a block, then those of every procedure it may run, each once."""
        yield from walk.statements(block)
        for name in self._run_from(block):
            yield from walk.statements(self.procedures[name].body)

    def asks(self, stmt: Stmt) -> bool:
        """True if the statement itself, without its blocks and what it runs, asks a choice."""
        return bool(effects(stmt, {}).asks)

    @cached_property
    def suspending(self) -> frozenset[str]:
        """Procedures that may ask a choice, directly or not."""
        return self._procedures_with(self.asks)

    @cached_property
    def chancy(self) -> frozenset[str]:
        """Procedures that may use a point of chance; drawing from the top of a stack uses none."""
        return self._procedures_with(self._asks_chance)

    def _asks_chance(self, stmt: Stmt) -> bool:
        if isinstance(stmt, DrawTop):
            return isinstance(self.states[stmt.state].type, SetOf)
        return bool(effects(stmt, {}).draws)

    def _procedures_with(self, test: Callable[[Stmt], bool]) -> frozenset[str]:
        return frozenset(
            name for name, item in self.procedures.items() if any(map(test, self.statements_from(item.body)))
        )

    @cached_property
    def secret_draws(self) -> frozenset[str]:
        """Points of chance at which some sides alone see what is drawn or rolled."""
        drawn = (Roll, DrawLot, DrawTop)
        return frozenset(
            stmt.point for stmt in self._statements if isinstance(stmt, drawn) and stmt.known is not None
        )

    @cached_property
    def counted(self) -> frozenset[str]:
        """States of which all know how many things they hold: as declared, or drawn from in secret."""
        drawn = frozenset(
            stmt.state for stmt in self._statements if isinstance(stmt, DrawTop) and stmt.known is not None
        )
        return drawn | {state.name for state in self.program.states if state.counted}

    @property
    def _statements(self) -> Iterator[Stmt]:
        return (stmt for item in self.procedures.values() for stmt in walk.statements(item.body))

    @cached_property
    def late(self) -> frozenset[str]:
        """Procedures that may run inside a `together` block of another."""
        return frozenset(
            part.procedure
            for item in self.procedures.values()
            for stmt in walk.statements(item.body)
            if isinstance(stmt, Together)
            for part in self.statements_from(stmt.body)
            if isinstance(part, Do)
        )

    @cached_property
    def set_together(self) -> frozenset[str]:
        """States that a `together` block sets, itself or in a procedure that it runs."""
        return frozenset(
            part.state
            for stmt in self._statements
            if isinstance(stmt, Together)
            for part in self.statements_from(stmt.body)
            if isinstance(part, Write) and part.op == "set"
        )

    @cached_property
    def always_late(self) -> frozenset[str]:
        """Those of them that nothing but examples runs elsewhere."""
        prompt = (self.procedures.keys() - self.late) | (self.procedures.keys() & {self.program.entry})
        elsewhere = [name for name in prompt if not name.startswith("example:")]
        for name in elsewhere:  # which grows
            elsewhere += (self.late & _run_at_once(self.procedures[name].body)).difference(elsewhere)
        return self.late.difference(elsewhere)

    @cached_property
    def callers_first(self) -> Sequence[Procedure]:
        """The procedures, each after all that run it."""
        order: dict[str, Procedure] = {}

        def visit(procedure: Procedure) -> None:
            if procedure.name not in order:
                for name in self.outline(procedure).runs:
                    visit(self.procedures[name])
                order[procedure.name] = procedure

        for procedure in self.procedures.values():
            visit(procedure)
        return list(reversed(order.values()))

    def suspends(self, stmt: Stmt) -> bool:
        """True if running the statement may stop at a choice."""
        if self.asks(stmt) or isinstance(stmt, Do) and stmt.procedure in self.suspending:
            return True
        return any(self.suspends(part) for block in walk.blocks(stmt) for part in block)


def _run_at_once(block: Block) -> set[str]:
    """Return the procedures that a block runs outside `together` blocks."""
    rest = [stmt for stmt in block if not isinstance(stmt, Together)]
    inside = (_run_at_once(part) for stmt in rest for part in walk.blocks(stmt))
    return {stmt.procedure for stmt in rest if isinstance(stmt, Do)}.union(*inside)


def _reads_exposed(e: Expr, tested: frozenset[str]) -> bool:
    """True if the expression relies on a local's narrower type without a test of it inside the expression.

    `tested` are the locals that a test before it, inside the expression, has read as declared.
    """
    if isinstance(e, Local):
        return e.declared is not None and e.name not in tested
    guards = isinstance(e, If) or isinstance(e, Op) and e.op in ("and", "or")
    for number, part in enumerate(walk.children(e)):
        if _reads_exposed(part, tested):
            return True
        if guards and (number == 0 or isinstance(e, Op)):
            tested |= looked_at(part)
    return False


def looked_at(e: Expr) -> frozenset[str]:
    """Return the locals that an expression reads as they are declared."""
    return frozenset(node.name for node in walk.nodes(e) if isinstance(node, Local) and node.declared is None)


def type_fits(kind: Type, domain: str | tuple[int, int]) -> bool:
    """True if every value of the type is a key of the domain; members always are."""
    if isinstance(kind, Optional):
        return False
    if isinstance(domain, str):
        return True
    return not isinstance(kind, Int | Month) or (domain[0] <= kind.low and kind.high <= domain[1])
