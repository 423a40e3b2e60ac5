"""Static facts about a program: which parts read, write, suspend or may fault.

Made once for a program; read by the passes that move or drop code, which must not change what happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from rulekit.ir import (
    Apply,
    At,
    Block,
    Choice,
    Do,
    Expr,
    Flagged,
    Function,
    If,
    Local,
    Op,
    Procedure,
    Program,
    Read,
    State,
    Static,
    Stmt,
    Together,
    walk,
)
from rulekit.ir.semantics.effects import changes, effects, read_by
from rulekit.ir.semantics.operations import may_fault
from rulekit.ir.types import GAP, Int, Member, Month, Optional, SetOf, Type


class Facts:
    """Lookups by name, and closures over the call graph; everything is computed at its first use."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.functions: Mapping[str, Function] = program.by_name.functions
        self.procedures: Mapping[str, Procedure] = program.by_name.procedures
        self.choices: Mapping[str, Choice] = program.by_name.choices
        self.tables = dict(program.by_name.statics)
        self.states = dict(program.by_name.states)
        self.state_keys = {item.name: item.keys for item in program.states}
        self.domains = program.by_name.domains
        self.kinds = program.by_name.kinds
        self.points = program.by_name.points
        self._underlying: dict[str, str] = {}
        self._reads: dict[str, frozenset[str]] = {}
        self._faults: dict[str, bool] = {}
        self._gaps: dict[str, bool] = {}
        self._costs: dict[str, int] = {}

    def derive(self, derived: Mapping[str, State]) -> None:
        """Take in the flag states that are derived from others, by the names of those."""
        for name, state in derived.items():
            self.states[state.name] = state
            self._underlying[state.name] = name

    def has_gap(self, table: str) -> bool:
        """Whether the table holds a gap somewhere."""
        if table not in self._gaps:
            self._gaps[table] = GAP in self.tables[table].values
        return self._gaps[table]

    def reads(self, e: Expr) -> frozenset[str]:
        """The states an expression may read, calls included; `place` for pieces at a space."""
        found: frozenset[str] = frozenset()
        for node in walk.nodes(e):
            found |= {self._underlying.get(state, state) for state in read_by(node)}
            if isinstance(node, Apply):
                found |= self.function_reads(node.function)
        return found

    def function_reads(self, name: str) -> frozenset[str]:
        """The states a function may read."""
        if name not in self._reads:
            self._reads[name] = self.reads(self.functions[name].body)
        return self._reads[name]

    def fallible(self, e: Expr, tested: frozenset[str] = frozenset()) -> bool:
        """Whether evaluating it may fault, for values of its types and without any test around it.

        But for tests of the locals `tested`.
        """
        return any(self._stops(node) for node in walk.nodes(e)) or _reads_exposed(e, tested)

    def _stops(self, node: Expr) -> bool:
        match node:
            case Static():
                gap = node.fallible and self.has_gap(node.table)
                table = self.tables[node.table]
                return gap or not all(map(self.fits, node.keys, table.keys))
            case Read():
                return not all(map(self.fits, node.keys, self.states[node.state].keys))
            case Flagged():
                return not all(map(self.fits, node.keys, self.states[node.state].keys))
            case At():
                return isinstance(node.space.type, Optional)
            case Apply():
                if node.function not in self._faults:
                    self._faults[node.function] = self.fallible(self.functions[node.function].body)
                return self._faults[node.function]
            case Op():
                return may_fault(node)
            case _:
                return False

    def fits(self, key: Expr, domain: str | tuple[int, int]) -> bool:
        """Whether every value of the key's type is one of the domain's."""
        return type_fits(key.type, domain)

    def written(self, block: Block) -> frozenset[str]:
        """The states that running the block may change, calls included."""
        found: frozenset[str] = frozenset()
        for stmt in self.reached(block):
            found |= self.changes(stmt)
        return found

    def changes(self, stmt: Stmt) -> frozenset[str]:
        """The states that a statement itself may change."""
        return changes(stmt, self.state_keys)

    def reached(self, block: Block, seen: set[str] | None = None) -> Iterator[Stmt]:
        """The statements of a block and of every procedure it may run, each once."""
        seen = set() if seen is None else seen
        for stmt in walk.statements(block):
            yield stmt
            if isinstance(stmt, Do) and stmt.procedure not in seen:
                seen.add(stmt.procedure)
                yield from self.reached(self.procedures[stmt.procedure].body, seen)

    def asks(self, stmt: Stmt) -> bool:
        """Whether the statement itself (not its blocks, not what it runs) asks a choice."""
        return bool(effects(stmt, {}).asks)

    @cached_property
    def suspending(self) -> frozenset[str]:
        """Procedures that may ask a choice, directly or not."""
        return self._procedures_with(self.asks)

    @cached_property
    def chancy(self) -> frozenset[str]:
        """Procedures that may use a point of chance."""
        return self._procedures_with(lambda stmt: bool(effects(stmt, {}).draws))

    def _procedures_with(self, test: Callable[[Stmt], bool]) -> frozenset[str]:
        return frozenset(
            name for name, item in self.procedures.items() if any(map(test, self.reached(item.body)))
        )

    @cached_property
    def late(self) -> frozenset[str]:
        """Procedures that may run inside a `together` block of another."""
        found: set[str] = set()
        for item in self.procedures.values():
            for stmt in walk.statements(item.body):
                if isinstance(stmt, Together):
                    inside = self.reached(stmt.body)
                    found.update(part.procedure for part in inside if isinstance(part, Do))
        return frozenset(found)

    def suspends(self, stmt: Stmt) -> bool:
        """Whether running the statement may stop at a choice."""
        if self.asks(stmt) or isinstance(stmt, Do) and stmt.procedure in self.suspending:
            return True
        return any(self.suspends(part) for block in walk.blocks(stmt) for part in block)

    def cost(self, e: Expr) -> int:
        """A bound on the nodes evaluated, loops and calls included."""
        total = 1
        body = walk.inner(e)
        for child in walk.children(e):
            total += self.cost(child) * (self.members(_over(e).type) if child is body else 1)
        if isinstance(e, Apply):
            total += self._function_cost(e.function)
        return total

    def _function_cost(self, name: str) -> int:
        if name not in self._costs:
            self._costs[name] = self.cost(self.functions[name].body)
        return self._costs[name]

    def members(self, kind: Type) -> int:
        """The most members that a value of a set or list type has."""
        match kind:
            case SetOf(of=Int(high=high)):
                return high + 1
            case SetOf(of=Member(domain=domain)):
                return len(self.domains[domain].members)
            case _:
                return getattr(kind, "most", 1)


def _reads_exposed(e: Expr, tested: frozenset[str]) -> bool:
    """Whether something is taken for known of a local that no test inside the expression has told.

    `tested` are the locals that a test before it, inside the expression, has looked at as declared: where
    more is known of one of them that is because of such a test.
    """
    match e:
        case Local():
            return e.declared is not None and e.name not in tested
        case If():
            inside = tested | _looked_at(e.condition)
            parts = ((e.condition, tested), (e.then, inside), (e.otherwise, inside))
            return any(_reads_exposed(part, known) for part, known in parts)
        case Op(op="and" | "or"):
            for part in e.operands:
                if _reads_exposed(part, tested):
                    return True
                tested |= _looked_at(part)
            return False
        case _:
            return any(_reads_exposed(child, tested) for child in walk.children(e))


def _looked_at(e: Expr) -> frozenset[str]:
    """The locals that an expression reads as they are declared."""
    return frozenset(node.name for node in walk.nodes(e) if isinstance(node, Local) and node.declared is None)


def type_fits(kind: Type, domain: str | tuple[int, int]) -> bool:
    """Whether every value of the type is a key of the domain; members always are."""
    if isinstance(kind, Optional):
        return False
    if isinstance(domain, str):
        return True
    return not isinstance(kind, Int | Month) or (domain[0] <= kind.low and kind.high <= domain[1])


def _over(e: Expr) -> Expr:
    """The collection that a binding expression walks (its own first operand)."""
    return walk.children(e)[0]
