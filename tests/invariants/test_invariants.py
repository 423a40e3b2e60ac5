"""Trees and programs are as the compiler promises, and what is not is seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import types
from rulekit.runtime.codegen.assemble import optimised_program
from rulekit.syntax.tree import expr as x
from tests.invariants import stages
from tests.invariants.programs import check_invariants
from tests.invariants.trees import type_violations
from tests.unit.runtime.make import SITE, SITES, SMALL, const, local, op, procedure, program, read, write

RULES = Path(__file__).parents[2] / "rules"
NUMBER = const(1, SMALL)


@pytest.mark.parametrize("name", ["vitp", "fcn", "pacwar"])
def test_a_shipped_rule_set_keeps_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each stage, with an option if it has any."""
    stages.install(monkeypatch)
    options = sorted(path.stem for path in (RULES / name / "options").glob("*.rules"))[:1]

    optimised_program(compile_rule_set(RULES / name, Report(), options=options).program, plain=False)


@pytest.mark.parametrize(
    ("stmt", "violation"),
    [
        (ir.Let(local("n", SMALL), local("m", SMALL), SITE), "reads m, which nothing has bound"),
        (write("set", "turn", (), read("damage")), "reads state damage with 0 keys"),
        (ir.Do("nothing", (), None, SITE), "runs nothing, which is not a procedure"),
        (ir.Shuffle("chaos", "pile", (), SITE), "uses chaos, which is not a point of chance"),
        (write("set", "turn", (), op("count", NUMBER)), "count of a 0..5, not a set"),
        (write("set", "turn", (), op("neg", NUMBER, NUMBER)), "neg of 2 operands"),
        (ir.Say(const(types.TextValue("far"), types.Text()), SITES), f"Say: site {SITES} of {SITES}"),
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


def test_a_field_of_another_type_is_seen() -> None:
    """Whatever type checkers were told."""
    span = Span("a.rules", 1, 1, 1, 2)
    node: list[object] = [x.Reference(span, x.Name(span, ""))]
    wrong = x.Count(span, node)  # type: ignore[arg-type]

    assert ["a.rules:1:1 Count: field over"] == [text.split(" is ")[0] for text in type_violations(wrong)]
    assert ["a.rules:1:1 Reference: field name is empty"] == list(type_violations(node[0]))
