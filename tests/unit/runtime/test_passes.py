"""Each pass of the optimiser on a small program: the text before, and the text after."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import pytest

from rulekit import ir
from rulekit.ir.semantics import work
from rulekit.reports.show.ir import Expressions, Statements
from rulekit.runtime.codegen.assemble import evaluator
from rulekit.runtime.optimise import (
    bounds,
    inline_procedures,
    norms,
    set_tests,
    sets,
    sharing,
    simplify,
    tabulate,
)
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.optimise.optimised_program import OptimisedProgram
from rulekit.testing import compile_text

RULES = """\
enum Side: Red, Blue
space Area from "data/areas.yaml":
    near: set of Area
    state owner: Side = Red
piece Ship from "data/ships.yaml":
    guns: 0..9
    state damage: 0..9
    state sunk: flag
state turn: 1..9 = 1
state score: 0..99

define constants -> 0..9: 2 + 3
define short(s: Ship) -> flag: not not (s.guns > 1 and true)
define strong(s: Ship) -> flag: s.guns > 2
define left(s: Ship) -> -9..9 or none: (none when s.guns < 2 otherwise s.guns - s.damage)
define armed: (Ship where left(it) is not none)
define twice(n: 0..9) -> 0..18: n + n
define inlined(n: 0..9) -> 0..18: twice(turn)
define afloat: (Ship where it is not sunk and its guns > 2)
define red: (Area where its owner is Red)
define some_red -> flag: some a in Area has a.owner is Red
define count_strong -> 0..4: total of (1 when s.guns > 2 otherwise 0) for s in Ship
define weak: (Ship where its damage > its guns)
define met(a: Area): (Ship at a where it in {Alpha, Beta} and it in {Beta, Gamma})
define reach(a: Area): (Area linked to a by near within 1)
define sums(s: Ship) -> 0..999: (s.guns + turn) * (s.guns + turn)
procedure gain(most: 0..9):
    add most to score
procedure loop(ship: Ship):
    for each s in Ship:
        do gain(1)
        set s.damage to larger(ship.guns, larger(turn, 3))
choice aim by Red:
    pick up to 2 ship from Ship
    forbid small: ship.guns < 2
    require both: Alpha in chosen
"""
FILES = {
    "data/areas.yaml": (
        "format: 1\npopulations:\n  Area:\n    columns: [name, near]\n    rows:\n"
        "      - [North, [Middle]]\n      - [Middle, [North, South]]\n      - [South, [Middle]]\n"
    ),
    "data/ships.yaml": (
        "format: 1\npopulations:\n  Ship:\n    columns: [name, guns]\n    rows:\n"
        "      - [Alpha, 1]\n      - [Beta, 2]\n      - [Gamma, 3]\n      - [Delta, 4]\n"
    ),
}


@cache
def program() -> ir.Program:
    """The rules, compiled."""
    made = compile_text(RULES, FILES)
    assert made.compiled is not None, made.findings
    return made.compiled.program


def context() -> OptimiserContext:
    """What is known of the program before any pass has run."""
    return OptimiserContext(program(), plain=False, evaluator=evaluator)


def body(name: str) -> ir.Expr:
    """The body of a definition, as written."""
    return next(item.body for item in program().functions if item.name == name)


def text(e: ir.Expr) -> str:
    """An expression as `rulekit show ir` prints it."""
    return Expressions(program()).text(e)


def lines(block: ir.Block) -> list[str]:
    """Statements as `rulekit show ir` prints them."""
    shown = Statements(Expressions(program())).block(block)
    return [f"{'    ' * line.depth}{line.text}" for line in shown]


def loop() -> ir.Block:
    """The body of the procedure `loop`, as written."""
    return next(item.body for item in program().procedures if item.name == "loop")


def over_sets(
    pass_: Callable[[OptimiserContext, ir.Op], ir.Expr],
) -> Callable[[OptimiserContext, ir.Expr], ir.Expr]:
    """A pass over the meeting that a filter of two memberships comes to."""

    def run(known: OptimiserContext, e: ir.Expr) -> ir.Expr:
        assert isinstance(e, ir.Filter) and isinstance(e.body, ir.Op)
        masks = [part.operands[1] for part in e.body.operands if isinstance(part, ir.Op)]
        met = e.over
        for mask in masks:
            met = ir.Op("inter", (met, mask), e.type)
        assert isinstance(met, ir.Op)
        return pass_(known, met)

    return run


EXPRESSIONS: dict[tuple[str, str], tuple[Callable[[OptimiserContext, Any], ir.Expr], str, str]] = {
    ("simplify", "constants"): (simplify.simplify, "2 + 3", "5"),
    ("simplify", "short"): (simplify.simplify, "not not (Ship.guns[s] > 1 and true)", "Ship.guns[s] > 1"),
    ("simplify", "inlined"): (simplify.simplify, "twice(turn)", "'function twice'[turn]"),
    ("simplify", "armed"): (
        simplify.simplify,
        "it in Ship where left(it) is not none",
        "{Beta, Gamma, Delta}",
    ),
    ("set_tests", "afloat"): (
        set_tests.simplify_filter,
        "it in Ship where not Ship.sunk[it] and Ship.guns[it] > 2",
        "{Gamma, Delta} - Ship.sunk[*]",
    ),
    ("set_tests", "red"): (
        set_tests.simplify_filter,
        "it in Area where Area.owner[it] = Red",
        "'= Area.owner'[Red, *]",
    ),
    ("set_tests", "some_red"): (
        set_tests.simplify_fold,
        "some a in Area has Area.owner[a] = Red",
        "'= Area.owner'[Red, *] is not empty",
    ),
    ("set_tests", "count_strong"): (
        set_tests.simplify_fold,
        "total (1 when Ship.guns[s] > 2 otherwise 0) for s in Ship",
        "count of (Ship & {Gamma, Delta})",
    ),
    ("sets", "met"): (
        over_sets(sets.meet),
        "it in Ship & pieces at a where it in {Alpha, Beta} and it in {Beta, Gamma}",
        "pieces at a & {Beta}",
    ),
    ("relation_images", "reach"): (
        sets.simplify_linked,
        "step in Area linked to {a} by Area.near[step] within 1",
        "'image#1'[{a}]",
    ),
}
"""For each pass and definition: the pass, the text before and the text after."""


@pytest.mark.parametrize(("name", "case"), EXPRESSIONS.items(), ids=map("-".join, EXPRESSIONS))
def test_a_pass_over_an_expression(
    name: tuple[str, str], case: tuple[Callable[[OptimiserContext, Any], ir.Expr], str, str]
) -> None:
    """Before and after, as text."""
    run, before, after = case

    assert before == text(body(name[1]))
    assert after == text(run(context(), body(name[1])))


def test_tabulate() -> None:
    """A test of fixed facts is a set; a function of them is a table, a row for each argument."""
    known, strong = context(), next(item for item in program().functions if item.name == "strong")
    ship = ir.Local("s", strong.params[0].type)
    mask = tabulate.fixed_test_mask(known, ship, strong.body)

    assert mask is not None and "{Gamma, Delta}" == text(mask)
    assert tabulate.function_table(known, "strong", [("s", ship.type)], strong.body)
    assert (False, False, True, True) == known.facts.tables["strong"].values


def test_predicates() -> None:
    """A test of one state gets a mask of its own, and a table that says at which value it holds."""
    known, weak = context(), body("weak")
    assert isinstance(weak, ir.Filter)
    mask = tabulate.state_test_mask(known, weak.var, weak.body)

    assert mask is not None and "'? Ship.damage 0'[*]" == text(mask)
    classes = known.layout.classes["Ship.damage"]
    holds = [[n for n in range(10) if classes.tests_at(member, n)] for member in range(len(classes.rows))]
    assert [[*range(guns + 1, 10)] for guns in (1, 2, 3, 4)] == holds


def test_relation_images() -> None:
    """The image of a relation keeps the member itself and all that it touches."""
    known = context()
    sets.simplify_linked(known, cast(ir.Linked, body("reach")))

    assert [(0b011, 0b111, 0b110)] == list(known.images.values())


def test_sharing() -> None:
    """What is read twice is worked out once."""
    shared = sharing.common(context(), (body("sums"),), frozenset(("s",)))

    assert ["Ship.guns[s] + turn"] == [text(e) for e in shared]
    named = ir.walk.with_parts_replaced(body("sums"), {shared[0]: ir.Local("y", shared[0].type)})
    assert "y * y" == text(named)


def test_inline_procedures() -> None:
    """A small procedure's statements stand in place of its call."""
    known = context()
    optimised = OptimisedProgram(known)

    assert "    do gain(1)" == lines(loop())[1]
    after = lines(inline_procedures.spread(known, optimised.procedure, loop()))
    assert "    add 1 to score, checked" == after[1]


def test_hoisting() -> None:
    """What no run of a loop changes is worked out before it."""
    before, after = lines(loop()), lines(sharing.hoist(context(), loop()))

    assert before[0] == after[1] and after[0].startswith("let 'same#1'")
    assert after[0].endswith("larger(Ship.guns[ship], larger(turn, 3))")
    assert "    set Ship.damage[s] to 'same#1'" == after[-1]


def test_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop over four ships pays nothing; where less is light, it pays for each run what one may take."""
    (each,) = loop()
    assert isinstance(each, ir.ForEach)
    run = work.STEP + work.Work(program()).block(each.body)

    assert 0 == work.Work(program()).price_of_runs(each)
    monkeypatch.setattr(work, "LIGHT_STEPS", 4 * run - 1)
    assert 1 + run // work.UNIT == work.Work(program()).price_of_runs(each)


def test_norms() -> None:
    """A norm of one candidate filters; one that reads the finished answer is judged on it."""
    (aim,) = program().choices
    found = norms.sort(context(), aim)

    assert "not Ship.guns[ship] < 2" == text(found.option)
    assert ["both"] == [norm.name for norm in found.judged]
    assert () == found.covers


def test_bounds() -> None:
    """Of a growing answer a test is surely so, or possibly so, by the least and the most it may become."""
    (aim,) = program().choices
    assert aim.chosen is not None
    most = ir.Local("most", aim.chosen.type)
    optimiser = context()
    functions, fresh = optimiser.facts.functions, optimiser.fresh
    partial = bounds.Partial(functions, fresh, {aim.chosen.name: (aim.chosen, most)}, frozenset())
    breach = norms.breach(aim, next(norm for norm in aim.norms if norm.name == "both"))
    surely, possibly = partial.flag(breach)

    assert "true and not Alpha in chosen" == text(breach) == text(possibly)
    assert "true and not Alpha in most" == text(surely)


def test_a_local_that_is_only_read_is_not_bound() -> None:
    """A statement binds the locals that its own fields name; its value may be a local, too."""
    number = ir.types.Int(0, 9)
    written, read = ir.Local("written", number), ir.Local("read", number)

    assert [written] == list(sharing.bound_locals((ir.Let(written, read, 0),)))
    assert {"raw": written} == ir.walk.bindings(ir.Roll("die", (), written, None, read, 0))
