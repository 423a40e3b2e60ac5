"""The pages of the faults of play: what to avoid ends in the fault, what to prefer plays on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rulekit.diagnostics import Severity
from rulekit.diagnostics.pages import find
from rulekit.ir import Function, Program, Static
from rulekit.ir.semantics.faults import KINDS, Fault
from rulekit.ir.types import GAP
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.play import Game
from rulekit.runtime.support.build import SEARCH_NODES, STEP_FUEL, Build
from rulekit.testing import compile_text
from tests.unit.spec.pages import DOCS, Example, examples

MANIFEST = {"ruleset.yaml": 'id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\n'}
CAREFUL = Build(invariants=True)
FUEL = STEP_FUEL // 2
"""A budget that the page about budgets also allows, and that is spent soon."""

FOUND_BEFORE = {"no-row": "RK401"}
"""What is a finding already, so that it cannot be met in a set that compiles."""


def shown(name: str) -> tuple[Example, Example]:
    """The rule sets of a page: what to avoid, what to prefer."""
    avoid, prefer = examples(DOCS / "diagnostics" / f"{KINDS[name].code}-{name}.md")
    return avoid, prefer


def program_of(example: Example) -> Program:
    """The program of an example that compiles; a check may well have something to say of so small a game."""
    made = compile_text(example.text, {**example.files, **MANIFEST})
    assert [] == [found.message for found in made.findings if found.kind.severity is Severity.ERROR]
    assert made.program is not None
    return made.program


def direct(program: Program) -> None:
    """Play without stops; everybody takes the first option, and promises are kept an eye on."""
    run_direct(program, build=CAREFUL, fuel=FUEL)


def in_session(program: Program) -> None:
    """The same, decision by decision."""
    session = Game(program, invariants=True, fuel=FUEL).start()
    while session.decision is not None:
        session.choose(session.decision.legal_answers[0].value)


WAYS = {"direct": direct, "session": in_session}


def played(program: Program, play: Callable[[Program], None] = direct) -> Fault | None:
    """The fault that a game ends in, if it does."""
    try:
        play(program)
    except Fault as fault:
        return fault
    return None


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", sorted(KINDS.keys() - FOUND_BEFORE.keys()))
def test_avoid_ends_in_the_fault(name: str, way: str) -> None:
    """In this one, where the example says so, or where the choice stands that is asked there."""
    example = shown(name)[0]

    fault = played(program_of(example), WAYS[way])

    assert fault is not None
    assert (name, KINDS[name].code) == (fault.name, fault.code)
    assert fault.message
    assert fault.site is not None
    blamed = example.text.splitlines()[fault.site.line - 1]
    assert "# a fault" in blamed or blamed.startswith("choice ")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", sorted(KINDS))
def test_prefer_plays_through(name: str, way: str) -> None:
    """To the end of the sequence."""
    assert played(program_of(shown(name)[1]), WAYS[way]) is None


@pytest.mark.parametrize("name", sorted(FOUND_BEFORE))
def test_a_gap_is_found_before_play(name: str) -> None:
    """By the finding that the page names."""
    avoid, _ = shown(name)

    found = compile_text(avoid.text, MANIFEST)

    assert [FOUND_BEFORE[name]] == [finding.kind.code for finding in found.findings]
    assert found.program is None


def test_a_table_that_lost_its_rows_after_compiling() -> None:
    """What is left of `no-row`: a program that somebody else has changed."""
    program = program_of(shown("no-row")[1])
    statics = tuple(replace(table, values=(GAP,) * len(table.values)) for table in program.statics)
    functions = tuple(map(_fallible, program.functions))

    fault = played(replace(program, statics=statics, functions=functions))

    assert fault is not None
    assert "no-row" == fault.name


def _fallible(function: Function) -> Function:
    body = function.body
    return replace(function, body=replace(body, fallible=True)) if isinstance(body, Static) else function


@pytest.mark.parametrize(
    ("name", "number"),
    [("budget", STEP_FUEL), ("undecided-choice", SEARCH_NODES)],
)
def test_pages_tell_the_numbers(name: str, number: int) -> None:
    """What is counted has a bound, and the page says which."""
    assert f"{number:,}" in (find(name) or "")
