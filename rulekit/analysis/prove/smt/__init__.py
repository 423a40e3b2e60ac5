"""Questions that a search leaves open, given to a solver (z3, the extra `solver`), which is loaded only then.

A condition becomes a formula over the cells that it may read, each a number or a flag within its type.  What
the formula does not say (lists, ratios, what is reached step by step) is anything of its type: so what it
denies can never hold, and what it allows is worked out again by the search before it counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from rulekit import ir
from rulekit.analysis.prove.search import Cell
from rulekit.base.solver import is_installed

if TYPE_CHECKING:  # z3 is loaded only where a question comes so far
    from rulekit.analysis.prove.smt.terms import FormulaTerm

EFFORT: Final = 8_000_000
"""What z3 counts (its `rlimit`), not seconds: the same question has the same answer on every machine."""

Proposed = Mapping[Cell, Any] | Literal["never", "open"]


def propose(
    program: ir.Program, params: Sequence[ir.Param], tests: Sequence[ir.Expr], effort: int = EFFORT
) -> Proposed:
    """The cells of a situation in which some tests may hold together; `never` if there is none.

    `open`: there is no solver, or it was not done within its effort, or the formula would be too large.
    """
    if not is_installed():
        return "open"
    import z3

    from rulekit.analysis.prove.smt.formula import Formula, FormulaTooLarge

    try:
        formula = Formula(program)
        asked = [formula.of(test, params) for test in tests]
    except (FormulaTooLarge, RecursionError):
        return "open"
    solver = z3.SimpleSolver()
    solver.set("rlimit", effort)
    solver.set("random_seed", 0)
    translation = formula.cells.translation(asked)
    solver.add(*map(translation.of, (*formula.cells.bounds, *asked)))
    answer = solver.check()
    if answer == z3.unsat:
        return "never"
    if answer != z3.sat:
        return "open"
    model = solver.model()

    def value_of(variable: FormulaTerm) -> int | bool | None:
        expression = translation.of(variable)
        value: Any = None if expression is None else model.eval(expression)
        if z3.is_int_value(value):
            return int(value.as_long())
        return z3.is_true(value) if z3.is_true(value) or z3.is_false(value) else None

    return formula.cells.values(value_of)
