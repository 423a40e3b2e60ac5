"""Questions that a search leaves open, given to a solver (z3, the extra `solver`), which is loaded only then.

A condition becomes a formula over the cells that it may read, each a number or a flag within its type.  What
the formula does not say (lists, ratios, what is reached step by step) is anything of its type: so what it
denies can never hold, and what it allows is worked out again by the search before it counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from rulekit import ir
from rulekit.analysis.prove.search import Cell
from rulekit.base.solver import is_installed

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
    solver.add(*formula.cells.bounds, *asked)
    answer = solver.check()
    if answer == z3.unsat:
        return "never"
    return formula.cells.of(solver.model()) if answer == z3.sat else "open"
