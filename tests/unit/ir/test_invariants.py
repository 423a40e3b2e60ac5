"""Programs are as the compiler promises, and what is not is seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulekit import ir
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir.invariants import check_invariants
from tests.unit.runtime.make import SITE, SITES, SMALL, const, local, op, procedure, program, read, write

RULES = Path(__file__).parents[3] / "rules"
NUMBER = const(1, SMALL)


@pytest.mark.parametrize("name", ["vitp", "fcn", "pacwar"])
def test_a_shipped_rule_set_keeps_them(name: str) -> None:
    assert [] == check_invariants(compile_rule_set(RULES / name, Report()).program)


@pytest.mark.parametrize(
    ("stmt", "violation"),
    [
        (ir.Let(local("n", SMALL), local("m", SMALL), SITE), "reads m, which nothing has bound"),
        (write("set", "turn", (), read("damage")), "reads state damage with 0 keys"),
        (ir.Do("nothing", (), None, SITE), "runs nothing, which is not a procedure"),
        (ir.Shuffle("chaos", "pile", (), SITE), "uses chaos, which is not a point of chance"),
        (write("set", "turn", (), op("count", NUMBER)), "count of a 0..5, not a set"),
        (write("set", "turn", (), op("neg", NUMBER, NUMBER)), "neg of 2 operands"),
        (ir.Say("far", SITES), f"Say: site {SITES} of {SITES}"),
    ],
)
def test_a_broken_statement_is_seen(stmt: ir.Stmt, violation: str) -> None:
    violations = check_invariants(program(procedure("play", stmt)))
    assert f"procedure play: {violation}" in violations


def test_a_table_with_too_few_entries_is_seen() -> None:
    table = ir.StaticTable("short", ("piece",), SMALL, (1, 2))
    made = program(procedure("play"))
    made = replace(made, statics=(*made.statics, table))
    assert ["table short: 2 entries for 5 keys"] == check_invariants(made)
