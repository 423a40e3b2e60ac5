"""Long chains of definitions, written or made by many options that redefine one: no limit of the machine."""

from __future__ import annotations

from pathlib import Path

from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from tests.unit.analysis.options.sets import made

MANY = 150


def test_a_chain_of_definitions(tmp_path: Path) -> None:
    """Each uses the next one, in the order of the file or against it."""
    for step in (1, -1):
        lines = [f"define d{n} -> 0..9999: d{n + 1} + 1\n" for n in range(MANY)][::step]
        chain = "".join(lines)
        base = f"enum Side: Red, Blue\n{chain}define d{MANY} -> 0..9: 1\nsequence play:\n    finish d0\n"
        folder = made(tmp_path / str(step), {}, base=base)

        program = compile_rule_set(folder, Report()).program

        assert {f"d{n}" for n in range(MANY + 1)} <= {function.name for function in program.functions}


def test_many_options_redefine_one_definition(tmp_path: Path) -> None:
    """Each in force at another time, all chosen."""
    options = {
        f"o{n}": f"option o{n}:\n    in force while turn = {n}\n    redefine define d: {n}\n"
        for n in range(MANY)
    }
    base = (
        "enum Side: Red, Blue\nstate turn: 0..999 = 1\ndefine d -> 0..999: 1\nsequence play:\n    finish d\n"
    )
    folder = made(tmp_path, options, base=base)

    program = compile_rule_set(folder, Report(), options=options).program

    assert MANY < len(program.functions)
