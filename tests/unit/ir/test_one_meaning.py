"""Any constant expression has one value, or one fault, for every reader of the IR."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from rulekit import ir
from rulekit.analysis.prove import evaluate
from rulekit.analysis.prove.lazy_sets import LazySet
from rulekit.ir import types as t
from rulekit.ir import walk
from rulekit.ir.expr import OpName
from rulekit.ir.semantics import constant
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.operations import LAZY, OPERATIONS
from rulekit.reports.sheet.reachability import operations as reachable
from rulekit.reports.sheet.reachability.expressions import Reader
from rulekit.reports.sheet.reachability.guess import Guess, Kinds, Members
from rulekit.reports.sheet.reachability.memory import Memory
from rulekit.runtime.codegen.assemble import evaluator
from rulekit.runtime.codegen.expressions.operations import FORMS
from rulekit.runtime.optimise import simplify
from rulekit.runtime.optimise.context import OptimiserContext
from tests.unit.analysis.prove.test_prover import Given
from tests.unit.ir.constants import SIZES, constants
from tests.unit.runtime import oracle
from tests.unit.runtime.agree import plain
from tests.unit.runtime.make import STATICS, op, program

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
PROGRAM = program(ir.Procedure("play", (), t.Nothing(), (), (), 0))
KINDS = Kinds(PROGRAM)
Outcome = tuple[str, Any]
Known = Mapping[str, Any]


def hidden(e: ir.Expr) -> tuple[ir.Expr, dict[str, ir.Const]]:
    """The expression with a local for each constant that is no parameter of an operation; what they are."""
    locals_: dict[str, ir.Const] = {}

    def hide(part: ir.Expr) -> ir.Expr:
        if isinstance(part, ir.Const):
            locals_[f"c{len(locals_)}"] = part
            return ir.Local(f"c{len(locals_) - 1}", part.type)
        fixed = (
            {"ranged": 1, "at_most": 1, "ratio_column": 1}.get(part.op) if isinstance(part, ir.Op) else None
        )
        parts = walk.children(part)
        return walk.rebuild(part, (*map(hide, parts[:fixed]), *(parts[fixed:] if fixed else ())))

    return hide(e), locals_


# -- the readers


def by_table(e: ir.Expr, known: Known) -> Outcome:
    """Evaluation before play."""
    tables = {table.name: table for table in STATICS}
    try:
        return "value", plain(constant.Constants(tables, {"Side": 2, "space": 3, **SIZES}).value(e, known))
    except Fault as fault:
        return "fault", fault.name


def by_oracle(e: ir.Expr, known: Known) -> Outcome:
    """The tree walker, which shares nothing with the package."""
    try:
        return "value", plain(oracle.Oracle(PROGRAM, 0, lambda *_: 0).value(e, dict(known)))
    except oracle.Fault as fault:
        return "fault", fault.name


def by_prover(e: ir.Expr, known: Known) -> Outcome:
    """The prover's closures."""
    reading: Any = Given(oracle.Oracle(PROGRAM, 0, lambda *_: 0))
    try:
        value = evaluate.Closures(PROGRAM, reading).closure(e)(dict(known))
        return "value", plain(value.mask() if isinstance(value, LazySet) else value)
    except Fault as fault:
        return "fault", fault.name


def by_code(e: ir.Expr, known: Known, *, simplified: bool) -> Outcome:
    """Generated code, of the expression as written or simplified."""
    context = OptimiserContext(PROGRAM, plain=not simplified, evaluator=evaluator)
    e = simplify.simple(context, e)
    try:
        return "value", plain(evaluator(context, list(known), e)(*known.values()))
    except Fault as fault:
        return "fault", fault.name
    except (IndexError, ValueError, OverflowError):  # as `fault_reports` reads them
        return "fault", "no-value"
    except ZeroDivisionError:
        return "fault", "division-by-zero"


def by_sheets(e: ir.Expr, guesses: Mapping[str, Guess]) -> Guess:
    """What the sheets take to be possible."""
    return Reader(PROGRAM, Memory(PROGRAM, KINDS, {}, {}), KINDS, 0).value(e, guesses)


# -- what must agree


def readings(e: ir.Expr) -> Iterator[tuple[str, Outcome]]:
    """What each reader makes of it, as written and with its constants hidden in locals."""
    open_, locals_ = hidden(e)
    known = {name: part.value for name, part in locals_.items()}
    for form, one, values in (("as written", e, {}), ("hidden", open_, known)):
        yield f"table, {form}", by_table(one, values)
        yield f"oracle, {form}", by_oracle(one, values)
        yield f"prover, {form}", by_prover(one, values)
        yield f"code, {form}", by_code(one, values, simplified=False)
        yield f"simplified code, {form}", by_code(one, values, simplified=True)


def check_values(e: ir.Expr) -> None:
    """All readers give the same value, or the same fault."""
    expected = by_table(e, {})
    for reader, outcome in readings(e):
        assert (reader, expected) == (reader, outcome)


def possible(guess: Guess, value: Any) -> bool:
    """True if a guess allows a value."""
    match guess:
        case frozenset():
            return value in guess
        case Members():
            mask = reduce(operator.or_, (1 << one for one in value), 0) if isinstance(value, tuple) else value
            return mask == guess.mask if guess.exact else not mask & ~guess.mask
        case None:
            return True


def wider(part: ir.Const) -> tuple[Guess, ...]:
    """Some of what may be known of a constant: it alone, it among others, nothing."""
    match part.type:
        case t.SetOf():
            assert isinstance(part.value, int)
            return Members(part.value, True), Members(part.value | 0b101, False), None
        case t.ListOf(of=t.Member()):
            assert isinstance(part.value, tuple)
            return Members(reduce(operator.or_, (1 << one for one in part.value), 0), False), None
        case t.ListOf():
            return (None,)
        case t.Flag():
            return frozenset((part.value,)), frozenset((True, False))
        case t.Member():
            return frozenset((part.value,)), frozenset((part.value, 0, 1)), None
        case _:
            return frozenset((part.value,)), None


def check_sheets(e: ir.Expr) -> None:
    """What the sheets take to be possible holds the value, whatever is known of the constants."""
    kind, value = by_table(e, {})
    if kind == "fault":
        return
    open_, locals_ = hidden(e)
    assert possible(by_sheets(e, {}), value)
    for how in range(3):
        guesses = {name: wider(part)[how % len(wider(part))] for name, part in locals_.items()}
        assert possible(by_sheets(open_, guesses), value), (guesses, value)


def check_solver(e: ir.Expr) -> None:
    """The solver does not deny that an expression has its value."""
    from rulekit.analysis.prove import smt

    kind, value = by_table(e, {})
    if kind == "fault":
        return
    open_, locals_ = hidden(e)
    given_ = [op("eq", ir.Local(name, part.type), part) for name, part in locals_.items()]
    params = tuple(ir.Param(name, part.type) for name, part in locals_.items())
    result = ir.Const(bool(value) if isinstance(e.type, t.Flag) else value, e.type)
    assert "never" != smt.propose(PROGRAM, (), (op("eq", e, result),))
    if given_:
        test = op("and", *given_, op("eq", open_, result))
        assert "never" != smt.propose(PROGRAM, params, (test,))


@settings(max_examples=150, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(constants())
def test_every_reader_gives_the_same_value_or_fault(e: ir.Expr) -> None:
    """A sample of constant expressions, by all readers that evaluate."""
    check_values(e)


@settings(max_examples=150, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(constants())
def test_sheets_take_the_value_to_be_possible(e: ir.Expr) -> None:
    check_sheets(e)


@settings(max_examples=100, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(constants())
def test_the_solver_does_not_deny_the_value(e: ir.Expr) -> None:
    check_solver(e)


@pytest.mark.slow
@settings(max_examples=3_500, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(constants())
def test_every_reader_agrees_many_times(e: ir.Expr) -> None:
    """The same, for many more expressions."""
    check_values(e)
    check_sheets(e)
    check_solver(e)


# -- the columns


NAMES = frozenset(get_args(OpName))


def test_the_table_has_every_operation() -> None:
    assert NAMES == frozenset(OPERATIONS)


def test_generated_code_has_a_form_for_every_operation() -> None:
    assert NAMES == frozenset(FORMS)


def test_no_reader_knows_an_operation_that_the_table_lacks() -> None:
    assert frozenset() == LAZY - NAMES
    assert frozenset() == frozenset(evaluate.IN_PART) - NAMES
    assert frozenset() == frozenset(reachable.FORMS) - NAMES


def test_the_solver_has_a_formula_for_every_operation_or_says_that_it_has_none() -> None:
    from rulekit.analysis.prove.smt import values as solver

    columns = (frozenset(solver.SETS), frozenset(solver.SCALARS), solver.ELSEWHERE, solver.OPEN)
    assert NAMES == frozenset().union(*columns)
    assert frozenset() == solver.OPEN & (columns[0] | columns[1] | columns[2])
