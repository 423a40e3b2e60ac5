"""The context that the passes of the optimiser share: facts about a program, its layout, tables made so far.

A pass reads the context and adds tables to it; it never calls back into another pass through it.  The
one thing handed in from above is the `Evaluator`, which runs fixed expressions while compiling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, TypeVar

from rulekit.ir import Choice, Expr, Function, Program, StaticTable
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.types import Int, Member, Type
from rulekit.runtime.optimise.pricing import Prices
from rulekit.runtime.support.layout import Layout

T = TypeVar("T")

Evaluator = Callable[["OptimiserContext", Sequence[str], Expr], Callable[..., Any]]
"""Makes a function of its locals from an expression that depends on nothing else."""

Test = tuple[Type, Expr]
"""A test of one variable: the variable's type, and the test with the variable's name left out."""


class OptimiserContext:
    """The facts and tables of one program while it is optimised.

    Attributes:
        prices: The prices of the parts of the program.
        plain: Whether everything stays as written, so that coverage sees each site.
        masks: The set of values for which a fixed test holds, or None if no table can say.
        predicates: The mask that a test of one state keeps, or None.
        tabulated: Whether a function has a table among the facts.
        fixed: Whether a function depends on its arguments only.
        functions: Functions with their bodies simplified.
        paid: By functions that are a loop which pays, the value of the loop once all its runs are paid.
        tops: Everything that a table or a mask of the state may hold.
        images: By the name of a table, the rows of the relation whose images it looks up.
        open: Whether tests may still get masks: only until all of the program has been simplified once.
    """

    def __init__(self, program: Program, *, plain: bool, evaluator: Evaluator) -> None:
        self.prices = Prices(program)
        self.program = program = self.prices.program
        self.plain = plain
        self.facts = Facts(program)
        self.facts.add_paying(self.prices.paying())
        self.layout = Layout(program)
        self.facts.derive({name: index.slots.state for name, index in self.layout.indexes.items()})
        self._evaluator = evaluator
        self.masks: dict[Test, Expr | None] = {}
        self.predicates: dict[Test, Expr | None] = {}
        self.tabulated: dict[str, bool] = {}
        self.fixed: dict[str, bool] = {}
        self.functions: dict[str, Function] = {}
        self.paid: dict[str, Expr] = {}
        self.tops: dict[str, int] = {}
        self.images: dict[str, tuple[int, ...]] = {}
        self.open = True
        self._fresh = 0

    def with_choice(self, item: Choice) -> OptimiserContext:
        """A context that differs in one choice, and in nothing that says where the state stands."""
        item = self.take_prices(self.prices.outline_choice(item))
        changed = copy(self)
        changed.facts = copy(self.facts)
        changed.facts.choices = {**self.facts.choices, item.name: item}
        return changed

    def take_prices(self, outlined: T) -> T:
        """Let the facts know the functions that have just been made for `outlined`, which is given back."""
        self.facts.add_paying(self.prices.take_new())
        return outlined

    def evaluate(self, params: Sequence[str], body: Expr) -> Callable[..., Any]:
        """A fixed expression as a function of its locals, to be run while compiling."""
        return self._evaluator(self, params, body)

    def fresh(self, name: str) -> str:
        """A local name that nothing in the program has."""
        self._fresh += 1
        return f"{name.split('#')[0]}#{self._fresh}"

    def add_table(self, keys: tuple[str | tuple[int, int], ...], kind: Type, values: tuple[Any, ...]) -> str:
        """Keep a table made here; its name."""
        name = self.fresh("table")
        self.facts.tables[name] = StaticTable(name, keys, kind, values)
        return name

    def kind_mask(self, kind: Member) -> int:
        """The members of a kind."""
        return self.program.by_name.members_of(kind)

    def everyone(self, kind: Member | Int) -> int:
        """All values of a type whose sets are masks, as a mask."""
        if isinstance(kind, Member):
            return self.kind_mask(kind)
        return (1 << kind.high + 1) - 1
