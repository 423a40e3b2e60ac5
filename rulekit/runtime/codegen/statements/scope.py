"""The scope of one routine while it is lowered: its variables, its trace, its journal.

The text of journal and trace is decided here, once, when the code is made: a build without them has not a
word about them in its code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulekit.ir import Const, Expr, Local, Param, walk
from rulekit.ir.types import Type
from rulekit.runtime.codegen.expressions.expressions import ExpressionWriter
from rulekit.runtime.codegen.expressions.writer import Writer
from rulekit.runtime.codegen.module_writer import Lines, RoutineKey, Unit, charge
from rulekit.runtime.codegen.routines.flow import Code, Flow, Invoke, Routine, Variable, line, stops
from rulekit.runtime.support.trace import EventKind

REGISTERS = {
    "T": "T = S.trace",
    "J": "J = S.journal",
    "D": "D = S.dice",
    "L": "L = S.late.extend",
    "A": "A = S.agent",
}
"""Names that a routine loads at its start, if it uses them."""


Field = tuple[str, Type, str]
"""An operand of an event: its name, its type, and its text."""


class RoutineScope:
    """The surroundings of one routine's statements; see the module."""

    def __init__(self, unit: Unit, name: str, types: Iterable[tuple[str, Type]], *, late: bool) -> None:
        self.unit = unit
        self.optimised = unit.optimised
        self.build = unit.build
        self.name = name
        self.late = late
        self.types = dict(types)
        self.names: dict[str, str] = {}
        self.variables: dict[str, Variable] = {}
        self.steps: tuple[str, ...] = ()
        self._registers: set[str] = set()
        self._labels: dict[str, int] = {}
        self._saved: dict[str, int] = {}

    # ------------------------------------------------------------ variables

    def local(self, local: Local) -> str:
        """The Python variable of a local."""
        if local.name not in self.names:
            kind = self.types.get(local.name, local.type)
            self.names[local.name] = self.variable(local.name, kind)
        return self.names[local.name]

    def variable(self, name: str, kind: Type, *, counts_budget: bool = False) -> str:
        """A new Python variable; `name` is what saves call it, numbered if it is taken."""
        taken = self._saved.get(name, 0)
        self._saved[name] = taken + 1
        python = f"v{len(self.variables)}"
        saved = name if not taken else f"{name}.{taken + 1}"
        self.variables[python] = Variable(python, saved, kind, counts_budget)
        return python

    def parameters(self, params: Sequence[Param]) -> list[str]:
        """The Python variables of a routine's parameters."""
        for param in params:
            self.names[param.name] = self.variable(param.name, param.type)
        return [self.names[param.name] for param in params]

    def writer(self, site: int, *expressions: Expr) -> Writer:
        """A writer for the given expressions, with all their locals in sight."""
        for e in expressions:
            free = walk.free(e)
            for node in walk.nodes(e):
                if isinstance(node, Local) and node.name in free:
                    self.local(node)
        return ExpressionWriter(self.unit, self.names, site)

    def label(self, name: str) -> str:
        """A name for a place that stops: the choice or procedure, and a number."""
        self._labels[name] = self._labels.get(name, 0) + 1
        return f"{name}.{self._labels[name]}"

    # ------------------------------------------------------------ text

    def use(self, register: str) -> str:
        """A register, loaded at the routine's start."""
        self._registers.add(register)
        return register

    @property
    def kept(self) -> str:
        """The journal as an argument for functions that write."""
        return self.use("J") if self.build.journal else "None"

    def note(self, address: str, site: int) -> tuple[Lines, str]:
        """Lines that note a cell's old value, and the address to write to, evaluated once."""
        if not self.build.journal:
            return [], address
        journal = self.use("J")
        if address.isidentifier() or address.isdigit():
            return [line(f"{journal}({address}); {journal}(M[{address}])", site)], address
        return [line(f"a = {address}; {journal}(a); {journal}(M[a])", site)], "a"

    def trace(self, kind: str, site: int, subject: str, *fields: Field) -> Lines:
        """A line that puts an event into the trace."""
        number = self.event(kind, site, subject, *((name, of) for name, of, _ in fields))
        match self.build.trace:
            case "off":
                return []
            case "ids":
                return [line(f"{self.use('T')}({number})", site)]
            case "operands":
                texts = "".join(f", {text}" for _, _, text in fields) or ","
                return [line(f"{self.use('T')}(({number}{texts}))", site)]

    def event(self, kind: str, site: int, subject: str, *fields: tuple[str, Type]) -> int:
        """The number of an event."""
        return self.unit.events.number(EventKind(kind, site, subject, fields))

    @property
    def asks_chance(self) -> bool:
        """Whether chance stops the game like a choice."""
        return self.build.chance != "drawn"

    def may_stop(self, procedure: str) -> bool:
        """Whether running a procedure may stop the game."""
        facts = self.optimised.facts
        return procedure in facts.suspending or self.asks_chance and procedure in facts.chancy

    def defers(self, key: RoutineKey) -> bool:
        """Whether calls of a procedure may be put off, because it only adds."""
        if self.build.chance != "grouped":
            return False
        _, procedure, late = key
        return procedure in self.optimised.blind[late]

    @property
    def telling(self) -> bool:
        """Whether traces carry operands."""
        return self.build.trace == "operands"

    def coverage(self, site: int) -> Lines:
        """A line that notes that a site ran."""
        return [line(f"C[{site}] = 1", site)] if self.build.coverage else []

    def charge(self, price: int, site: int) -> Flow:
        """Take a price from the budget; nothing, if it is 0."""
        return [Code([line(text, site) for text in charge("1", price)])] if price else []

    def change(self, lines: Lines, kind: str, site: int, state: str, *fields: Field) -> Code:
        """A change of a state with its event, and with the tests of invariants where it does not wait."""
        return Code([*lines, *self.trace(kind, site, state, *fields), *self.checks(state, site)])

    def checks(self, state: str, site: int) -> Lines:
        """The tests after a change of one state; none within a `together` block, which tests when it ends."""
        return [] if self.late else self.invariant_checks((state,), site)

    def invariant_checks(self, states: Iterable[str], site: int) -> Lines:
        """Lines that test the invariants which read the states just changed."""
        if not self.build.invariants:
            return []
        changed = set(states)
        numbers = [n for n, reads in enumerate(self.optimised.invariant_reads) if reads & changed]
        return [line(f"S.check({tuple(numbers)!r})", site)] if numbers else []

    # ------------------------------------------------------------ results

    def routine(self, kind: str, params: Sequence[str], flow: Flow, site: int) -> Routine:
        """The finished routine."""
        prologue = tuple(text for name, text in REGISTERS.items() if name in self._registers)
        key = (kind, self.name, self.late)
        return Routine(key, tuple(params), self.variables, flow, prologue, site, stops(flow))

    def invoke(self, key: RoutineKey, arguments: Sequence[str], target: str | None, site: int) -> Invoke:
        """A routine run here, which may stop."""
        label = self.label(key[1])
        return Invoke(key, tuple(arguments), target, site, label, self.steps, self.late)

    def fix_keys(self, keys: tuple[Expr, ...], site: int) -> tuple[Lines, tuple[Expr, ...], list[Field]]:
        """Keys that stay what they are while the state changes, as expressions and as operands of an event.

        A trace with operands reads a key after the change; and Python takes the value of an assignment
        before the keys of what it assigns to, so that keys which may fault are taken first by themselves.
        """
        lines: Lines = []
        writer = self.writer(site, *keys)
        if not self.telling and not any(map(self.optimised.facts.fallible, keys)):
            return lines, keys, [(f"key {n}", key.type, "") for n, key in enumerate(keys)]
        fixed: list[Expr] = []
        for number, key in enumerate(keys):
            if not isinstance(key, Const | Local):
                name = f"k{number}"
                lines.append(line(f"{name} = {writer.text(key)}", site))
                self.names[f"key {name}"] = name
                key = Local(f"key {name}", key.type)
            fixed.append(key)
        writer = ExpressionWriter(self.unit, self.names, site)
        return lines, tuple(fixed), [(f"key {n}", key.type, writer.text(key)) for n, key in enumerate(fixed)]
