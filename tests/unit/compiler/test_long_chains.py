"""Long chains of definitions, written or made by many options that redefine one: no limit of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.driver import compile_rule_set
from rulekit.compiler.typecheck.chains import Chains
from rulekit.diagnostics import Report
from rulekit.testing import mismatches
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


def test_chains_are_looked_for_only_where_one_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many definitions in short chains cost nothing; each definition of a long chain is read once."""
    read: list[str] = []
    uses = Chains._uses
    monkeypatch.setattr(Chains, "_uses", lambda self, name: read.append(name) or uses(self, name))
    short = "".join(f"define s{n} -> 0..9: {f's{n - 1}' if n % 12 else '1'}\n" for n in range(90))
    long = "".join(f"define l{n} -> 0..9: l{n + 1}\n" for n in range(300)) + "define l300 -> 0..9: 1\n"

    assert [] == mismatches(short)
    assert [] == read
    assert [] == mismatches(short + long)
    assert len(set(read)) == len(read) > 200
