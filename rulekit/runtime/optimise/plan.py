"""A program prepared for code generation, shared by all its builds.

Holds what is known about it, where its state stands, its functions after simplification, and the
numbered kinds of events that its traces speak of.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulekit.base.frozen import frozen
from rulekit.ir import Block, Choice, Expr, Function, Procedure, Program, StaticTable, walk
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.types import Int, Member, Type
from rulekit.runtime.optimise import hoisting, inline_procedures, simplify, tabulate
from rulekit.runtime.optimise.budget import Budget
from rulekit.runtime.support.build import UNFUELLED
from rulekit.runtime.support.fault_words import Words
from rulekit.runtime.support.layout import Layout

if TYPE_CHECKING:
    from rulekit.runtime.codegen.module_writer import Unit


@frozen
class EventKind:
    """What a number in a trace stands for.

    `subject` is the state, point, choice, group or step; `fields` name and type the operands that follow
    the number.
    """

    kind: str
    site: int
    subject: str
    fields: tuple[tuple[str, Type], ...]


class Plan:
    """See the module; `plain` leaves everything as written, so that coverage sees each site."""

    def __init__(self, program: Program, *, plain: bool) -> None:
        self.program = program
        self.plain = plain
        self.facts = Facts(program)
        self.layout = Layout(program)
        self.words = Words(program, self.layout)
        self.facts.derive({name: index.slots.state for name, index in self.layout.indexes.items()})
        self.budget = Budget(self)
        self.events: list[EventKind] = []
        self._event_numbers: dict[EventKind, int] = {}
        self._simple: dict[str, Function] = {}
        self._choices: dict[str, Choice] = {}
        self._choice_numbers = {item.name: number for number, item in enumerate(program.choices)}
        self._procedures: dict[str, Procedure] = {}
        self._fixed: dict[str, bool] = {}
        self._stateful: dict[str, bool] = {}
        self._fresh = 0
        self.masks: dict[tuple[Type, Expr], Expr | None] = {}
        self.tabulated: dict[str, bool] = {}
        self.tops: dict[str, int] = {}
        self.images: dict[str, tuple[int, ...]] = {}
        self.predicates: dict[tuple[Type, Expr], Expr | None] = {}
        self.open = True
        """Whether tests may still get masks: only until all of the program has been simplified once."""
        self._look_through()
        self.open = False

    def _look_through(self) -> None:
        """Simplify all that will be compiled, so that every test is known before any write is."""
        from rulekit.runtime.optimise import norms

        if self.plain:
            return
        for procedure in self.program.procedures:
            self.procedure(procedure.name)
        for choice in self.program.choices:
            norms.look_through(self, self.choice(choice.name))

    def event(self, kind: EventKind) -> int:
        """The number of a kind of event."""
        found = self._event_numbers.get(kind)
        if found is None:
            found = self._event_numbers[kind] = len(self.events)
            self.events.append(kind)
        return found

    def fresh(self, name: str) -> str:
        """A local name that nothing in the program has."""
        self._fresh += 1
        return f"{name.split('#')[0]}#{self._fresh}"

    def simple(self, e: Expr) -> Expr:
        """The expression simplified, unless everything is to stay as written."""
        return e if self.plain else simplify.simplified(self, e)

    def function(self, name: str) -> Function:
        """A function with its body simplified."""
        if name not in self._simple:
            written = self.facts.functions[name]
            body = self.simple(written.body)
            self._simple[name] = Function(written.name, written.params, written.result, body, written.site)
        return self._simple[name]

    def procedure(self, name: str) -> Procedure:
        """A procedure with its expressions simplified."""
        if name not in self._procedures:
            item = self.facts.procedures[name]
            body = self._block(item.body)
            if not self.plain:
                body = hoisting.hoisted(self, inline_procedures.spread(self, body))
            self._procedures[name] = replace(item, body=body)
        return self._procedures[name]

    def choice(self, name: str) -> Choice:
        """A choice with its expressions simplified; its norms are simplified when they are sorted."""
        if name not in self._choices:
            item = self.facts.choices[name]
            lets = tuple((local, self.simple(value)) for local, value in item.lets)
            parts = (item.items, item.candidates, item.low, item.high, item.total)
            items, candidates, low, high, total = (None if e is None else self.simple(e) for e in parts)
            decider = self.simple(item.decider)
            found = replace(item, decider=decider, lets=lets, items=items, candidates=candidates)
            self._choices[name] = replace(found, low=low, high=high, total=total)
        return self._choices[name]

    def with_choice(self, item: Choice) -> Plan:
        """A plan that differs in one choice, and in nothing that says where the state stands."""
        changed = copy(self)
        changed.facts = copy(self.facts)
        changed.facts.choices = {**self.facts.choices, item.name: item}
        changed._choices = {}
        return changed

    def choice_index(self, name: str) -> int:
        """A choice's place in the program, which stands for it in what agents are asked."""
        return self._choice_numbers[name]

    def _block(self, block: Block) -> Block:
        return tuple(walk.mapped(stmt, self.simple, self._block) for stmt in block)

    def fixed_function(self, name: str) -> bool:
        """Whether a function depends on its arguments only."""
        if name not in self._fixed:
            self._fixed[name] = tabulate.fixed(self, self.facts.functions[name].body)
        return self._fixed[name]

    def stateful(self, e: Expr) -> bool:
        """Whether the Python for an expression needs the state: to read it, or to pay for its loops."""
        return bool(self.facts.reads(e)) or self.facts.cost(e) > UNFUELLED

    def stateful_function(self, name: str) -> bool:
        """Whether the Python for a function takes the state."""
        if name not in self._stateful:
            self._stateful[name] = self.stateful(self.facts.functions[name].body)
        return self._stateful[name]

    def kind_mask(self, kind: Member) -> int:
        """The members of a kind."""
        found = self.facts.kinds.get(kind.name)
        if found is not None and found.domain == kind.domain:
            return found.members
        return (1 << self.layout.sizes[kind.domain]) - 1

    def everyone(self, kind: Member | Int) -> int:
        """All values of a type whose sets are masks, as a mask."""
        if isinstance(kind, Member):
            return self.kind_mask(kind)
        return (1 << kind.high + 1) - 1

    def add_table(self, keys: tuple[str | tuple[int, int], ...], kind: Type, values: tuple[Any, ...]) -> str:
        """Keep a table made here; its name."""
        name = self.fresh("table")
        self.facts.tables[name] = StaticTable(name, keys, kind, values)
        return name

    def function_name(self, unit: Unit, name: str) -> str:
        """The Python function for a function of the program, written when it is first called."""
        from rulekit.runtime.codegen import functions

        return functions.name(unit, name)

    def pieces_at_any(self, unit: Unit) -> str:
        """The Python function for the pieces at any of a set of spaces."""
        base, bits = self.layout.first_derived, unit.bits

        def pieces_at_any(state: list[Any], spaces: int) -> int:
            found = 0
            for space in bits[spaces]:
                found |= state[base + space]
            return found

        return unit.helper("pieces at any", pieces_at_any)
