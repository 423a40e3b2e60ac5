"""`rulekit show syntax`, `rulekit show ir` and `rulekit show python`: what the compiler makes, as text."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from rulekit import ir
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir.types import Flag, Int, Member, Optional, SetOf
from rulekit.reports.show.ir import Expressions, Statements, entries
from rulekit.reports.show.python import PythonView
from rulekit.reports.show.syntax import item_trees
from rulekit.runtime.support.build import SESSION
from rulekit.testing import compile_text
from tests.unit.cli.running import rulekit

Golden = Callable[[str, str], None]
ROOT = Path(__file__).parents[4]
SHIPPED = ("fcn", "pacwar", "vitp")
NUMBER = Int(0, 9)
RULES = """\
enum Side: Red, Green, Blue
state led(side): 0..9
procedure lead:
    for each one in {Red, Blue}:
        add 1 to led(one)
"""


@pytest.fixture(scope="module", params=SHIPPED)
def shipped(request: pytest.FixtureRequest) -> Compiled:
    """A rule set that comes with rulekit, compiled."""
    return compile_rule_set(ROOT / "rules" / request.param, Report())


@pytest.mark.parametrize("stage", ["syntax", "ir", "python"])
def test_a_stage_of_a_small_set(golden: Golden, stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every item, with places."""
    monkeypatch.chdir(ROOT / "tests" / "sets")
    ran = rulekit("show", stage, "duel")

    golden(f"show/{stage}-duel.txt", ran.out)
    assert (0, "") == (ran.code, ran.err)


def test_every_item_of_a_program_prints(shipped: Compiled) -> None:
    """Each has a line, is known by its name, and cites only rules of its own sites."""
    program = shipped.program
    shown = list(entries(program, shipped.rule_set.manifest.prefix))

    names = {name for entry in shown for name in entry.names}
    declared = (*program.functions, *program.choices, *program.states, *program.points, *program.examples)
    assert [] == [item.name for item in declared if item.name not in names]
    assert [] == [entry.names for entry in shown if not entry.rows or not all(row.text for row in entry.rows)]


def test_every_item_of_a_file_prints(shipped: Compiled) -> None:
    """In the order of the files, each beginning where it is written."""
    trees = list(item_trees(shipped.modules))
    items = [item for module in shipped.modules for item in module.items]

    written = [(item.span.file, item.span.line) for item in items]
    assert written == [(tree.rows[0].file, tree.rows[0].line) for tree in trees]


@pytest.mark.parametrize("stage", ["model", "syntax", "ir"])
def test_a_name_selects_items(stage: str) -> None:
    """Only those named so are printed; several names may be given."""
    ran = rulekit("show", stage, ROOT / "tests" / "sets" / "duel", "hits", "act")

    assert (0, "") == (ran.code, ran.err)
    assert "hits" in ran.out and "act" in ran.out and "strike_at" not in ran.out


@pytest.mark.parametrize(
    "stage, name, near",
    [
        ("model", "hitz", "hits"),
        ("syntax", "hitz", "hits"),
        ("ir", "hitz", "hits"),
        ("python", "outcom", "outcome"),
    ],
)
def test_an_unknown_name_gets_a_hint(stage: str, name: str, near: str) -> None:
    """The name that comes near."""
    ran = rulekit("show", stage, ROOT / "tests" / "sets" / "duel", name)

    assert (2, "") == (ran.code, ran.out)
    assert f"`{name}`; did you mean `{near}`?" in ran.err


def test_python_that_stops_at_choices(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice and a table, in the form that sessions run, with a legend of what they read."""
    monkeypatch.chdir(ROOT / "tests" / "sets")
    ran = rulekit("show", "python", "duel", "act", "outcome", "--form", "session")

    golden("show/python-duel-session.txt", ran.out)
    assert (0, "") == (ran.code, ran.err)


def test_every_name_has_its_python(shipped: Compiled) -> None:
    """Procedures, choices, definitions and tables: each has a function, also what is inlined everywhere."""
    view = PythonView(shipped.program, shipped.rule_set.manifest.prefix)
    headers = {
        name: [row.text for entry in view.selection([name]) for row in entry.rows if "def " in row.text]
        for name in sorted(view.names)
    }

    assert [] == [name for name, found in headers.items() if not found]


def test_python_is_shown_as_python(shipped: Compiled) -> None:
    """What is shown can be read by Python: readable names are names, and remarks are comments."""
    view = PythonView(shipped.program, shipped.rule_set.manifest.prefix, SESSION)
    text = "\n".join(row.text for entry in view.whole() for row in entry.rows)
    shown = {
        node.name.partition("_")[0] for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)
    }

    assert {line[4:].partition("(")[0] for line in view.source.splitlines() if line[:4] == "def "} == shown


def test_python_lists_what_sets_hold() -> None:
    """A small set in a line is named behind it; a variable has its name in the rules."""
    compiled = compile_text(RULES).compiled
    assert compiled is not None, compile_text(RULES)
    view = PythonView(compiled.program)
    lines = [row.text for entry in view.selection(["lead"]) for row in entry.rows]

    assert "    for one in (0, 2):  # {Red, Blue}" in lines


def test_syntax_is_shown_of_rules_that_do_not_compile(tmp_path: Path) -> None:
    """A wrong name stops later stages, not the parser."""
    (tmp_path / "ruleset.yaml").write_text('id: x\ntitle: X\nlanguage: "0.2"\n', encoding="utf-8")
    (tmp_path / "x.rules").write_text("state lead: Sid\n", encoding="utf-8")

    assert 1 == rulekit("show", "ir", tmp_path).code
    assert 'NamedType name="Sid"' in rulekit("show", "syntax", tmp_path).out


def op(name: ir.expr.OpName, *operands: ir.Expr) -> ir.Op:
    """An operation of numbers or flags."""
    return ir.Op(name, operands, Flag())


A, B, C = (ir.Local(name, NUMBER) for name in "abc")


@pytest.mark.parametrize(
    ("expected", "expression"),
    [
        ("a - b - c", op("sub", op("sub", A, B), C)),
        ("a - (b - c)", op("sub", A, op("sub", B, C))),
        ("(a + b) * c", op("mul", op("add", A, B), C)),
        ("a and (b or c)", op("and", A, op("or", B, C))),
        ("not (a and b)", op("not", op("and", A, B))),
        ("a is not none", op("not", op("is_none", A))),
        ("(a / b rounded down) + c", op("add", op("div_down", A, B), C)),
        ("-1 + a", op("add", ir.Const(-1, NUMBER), A)),
        ("a - (-1)", op("sub", A, ir.Const(-1, NUMBER))),
        ("(a when b otherwise c) = a", op("eq", ir.If(B, A, C, NUMBER), A)),
        ("only(some b in a has c)", op("only", ir.Fold("any", A, B, C, Flag()))),
        ('ranged(a, b, c, "x")', ir.Op("ranged", (A, B, C), NUMBER, "x")),
    ],
)
def test_expressions_keep_their_structure(expected: str, expression: ir.Expr) -> None:
    """Parentheses are there where the operators alone would say something else, and only there."""
    program = compile_text("state lead: flag\n").program

    assert program is not None
    assert expected == Expressions(program).text(expression)


def test_sets_have_the_shortest_name() -> None:
    """A kind, its few members, or the kind without a few."""
    program = compile_text(f"enum Ship: {', '.join('ABCDEFGHIJKL')}\nstate lead: Ship or none\n").program

    assert program is not None
    kind = SetOf(Member("Ship", "Ship"))
    x = Expressions(program)
    assert ["Ship", "{A, C}", "Ship - {B}", "{}"] == [x.value(kind, mask) for mask in (4095, 5, 4093, 0)]
    assert "none" == x.value(Optional(Member("Ship", "Ship")), -(2**31))


def test_a_block_of_a_pass_prints_alone() -> None:
    """Statements print without their program's sites, as tests of passes want them."""
    program = compile_text("state lead: 0..9\n").program

    assert program is not None
    block: ir.Block = (ir.When(A, (ir.Write("set", "lead", (), B, 0),), (ir.Leave(0),), 0),)
    lines = Statements(Expressions(program)).block(block)
    assert ["when a:", "    set lead to b", "otherwise:", "    leave"] == [
        "    " * line.depth + line.text for line in lines
    ]
