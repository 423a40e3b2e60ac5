"""A program after the passes of the optimiser, each of its parts made when it is first asked for."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cached_property

from rulekit.ir import Block, Choice, Expr, Function, Procedure, Program, walk
from rulekit.runtime.optimise import inline_procedures, norms, sharing, simplify
from rulekit.runtime.optimise.blind import blind_procedures
from rulekit.runtime.optimise.context import Evaluator, OptimiserContext


class OptimisedProgram:
    """The simplified trees of one program, over the facts and tables of its context.

    Attributes:
        blind: The procedures whose calls may be put off, and those in `together` blocks; both stay apart.
    """

    blind: tuple[frozenset[str], ...] = (frozenset(), frozenset())

    def __init__(self, context: OptimiserContext) -> None:
        self.context = context
        self.program = context.program
        self.plain = context.plain
        self.facts = context.facts
        self.layout = context.layout
        self.prices = context.prices
        self._procedures: dict[str, Procedure] = {}
        self._choices: dict[str, Choice] = {}
        self._choice_numbers = {item.name: number for number, item in enumerate(self.program.choices)}

    def with_choice(self, item: Choice) -> OptimisedProgram:
        """A program that differs in one choice, and in nothing that says where the state stands."""
        changed = copy(self)
        changed.context = self.context.with_choice(item)
        changed.facts = changed.context.facts
        changed._choices = {}
        return changed

    @cached_property
    def invariant_reads(self) -> tuple[frozenset[str], ...]:
        """The states that each invariant may read, by its number."""
        return tuple(self.facts.reads(item.body) for item in self.program.invariants)

    def simple(self, e: Expr) -> Expr:
        """The expression simplified, unless everything is to stay as written."""
        return simplify.simple(self.context, e)

    def with_prices(self, e: Expr) -> Expr:
        """An expression that is not part of the program, with its paying loops as calls."""
        return self.context.take_prices(self.prices.outline(e, -1))

    def function(self, name: str) -> Function:
        """A function with its body simplified."""
        return simplify.function(self.context, name)

    def procedure(self, name: str) -> Procedure:
        """A procedure with its expressions simplified."""
        if name not in self._procedures:
            item = self.facts.procedures[name]
            body = self._block(item.body)
            if not self.plain:
                apart = frozenset().union(*self.blind)
                body = inline_procedures.spread(self.context, self.procedure, body, apart)
                body = sharing.hoist(self.context, body)
            self._procedures[name] = replace(item, body=body)
            self.prices.note_loops(self._procedures[name])
        return self._procedures[name]

    def choice(self, name: str) -> Choice:
        """A choice with its expressions simplified; its norms are simplified when they are sorted."""
        if name not in self._choices:
            item = self.facts.choices[name]
            lets = tuple((local, self.simple(value)) for local, value in item.lets)
            simple = replace(item, decider=self.simple(item.decider), lets=lets)
            self._choices[name] = simple.with_asked(self.simple)
        return self._choices[name]

    def choice_index(self, name: str) -> int:
        """A choice's place in the program, which stands for it in what agents are asked."""
        return self._choice_numbers[name]

    def _block(self, block: Block) -> Block:
        return tuple(walk.map_parts(stmt, self.simple, self._block) for stmt in block)


def optimise(
    program: Program, *, plain: bool, evaluator: Evaluator, adding: bool = False
) -> OptimisedProgram:
    """Optimise a program; `plain` leaves everything as written.  With `adding`, what only adds stays apart.

    All that will be compiled is simplified once, so that every test is known before any write is.
    """
    context = OptimiserContext(program, plain=plain, evaluator=evaluator)
    optimised = OptimisedProgram(context)
    if adding:
        optimised.blind = tuple(blind_procedures(context.facts, late=late) for late in (False, True))
    if not plain:
        for procedure in program.procedures:
            optimised.procedure(procedure.name)
        for choice in program.choices:
            norms.look_through(context, optimised.choice(choice.name))
    context.open = False
    return optimised
