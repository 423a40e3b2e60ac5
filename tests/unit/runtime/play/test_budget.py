"""Rules that would run for years end soon, with the fault `budget` at the same place in every build."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from rulekit.ir import Program
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.play import Game
from rulekit.runtime.support.build import MOST_TRACE, STEP_FUEL, Build
from rulekit.testing import compile_text

MANIFEST = {"ruleset.yaml": 'id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\n'}
SIDES = "enum Side: Red, Blue\n"
PIECES = SIDES + "piece P:\n    members 2000\n    state d: 0..9\n"
GREATEST = 999_999_999
FUEL = STEP_FUEL // 50
"""Units of work in which the test is soon done; the budget of a session is fifty times as large."""


def quantified(word: str, than: str) -> str:
    """Eight thousand million tests of pieces."""
    test = " ".join(f"{word} {name} in P has" for name in "pqr")
    return f'{PIECES}sequence play:\n    when {test} p.d + q.d + r.d {than}: say "x"\n    finish Red\n'


def doubling_definitions(start: str, key: str, argument: str) -> str:
    """Sixty definitions, of which each calls the one before it twice."""
    lines = [
        f"define f{n}{key} -> 0..{GREATEST}: smaller(f{n - 1}{argument}, f{n - 1}{argument} + c)"
        for n in range(1, 61)
    ]
    return (
        f"{SIDES}state c: 0..{GREATEST}\nstate x: 0..{GREATEST}\ndefine f0{key} -> 0..{GREATEST}: {start}\n"
        + "\n".join(lines)
        + f"\nsequence play:\n    set x to f60{argument.replace('n', '3')}\n    finish Red\n"
    )


def doubling_procedures(statement: str) -> str:
    """Sixty procedures, of which each runs the one before it twice."""
    lines = [f"procedure p{n}:\n    do p{n - 1}\n    do p{n - 1}" for n in range(1, 61)]
    return (
        f"{SIDES}state c: 0..9\nprocedure p0:\n    {statement}\n"
        + "\n".join(lines)
        + "\nsequence play:\n    do p60\n    finish Red\n"
    )


HOSTILE = {
    "every in every": quantified("every", "< 99"),
    "some in some": quantified("some", "> 99"),
    "sets that only play knows": f"{PIECES}    state up: flag\nsequence play:\n"
    "    for each p in P: mark p as up\n"
    "    when every p in (P where it is up) has every q in (P where it is up)"
    ' has every r in (P where it is up) has p.d + q.d + r.d < 99: say "x"\n    finish Red\n',
    "totals in totals": f"{PIECES}define near(p: P) -> 0..2000:\n"
    "    otherwise: count of (P where some r in P has r.d > its d + p.d)\n"
    f"state x: 0..{GREATEST}\nsequence play:\n    set x to total of near(p) for p in P\n    finish Red\n",
    "doubling definitions of a state": doubling_definitions("c", "", ""),
    "doubling definitions of a parameter": doubling_definitions("smaller(n, c)", "(n: 0..9)", "(n)"),
    "doubling procedures that change": doubling_procedures("set c to 1"),
    "doubling procedures that do nothing": doubling_procedures("return"),
    "loops in loops": f"{PIECES}sequence play:\n"
    "    for each p in P:\n        for each q in P:\n            for each r in P: set p.d to q.d\n"
    "    finish Red\n",
    "repeated repeats": f"{SIDES}state c: 0..9\nsequence play:\n"
    "    repeat 1000 times:\n        repeat 1000 times:\n            repeat 1000 times: set c to 1\n"
    "    finish Red\n",
    "an invariant of all pairs": f"{PIECES}invariant low: every p in P has every q in P has p.d + q.d < 19\n"
    "sequence play:\n    for each p in P: add 1 to p.d\n    finish Red\n",
}
"""Sets that a check may find in order."""


def program_of(text: str) -> Program:
    """Compile a text that has no errors."""
    made = compile_text(text, MANIFEST)
    assert made.program is not None, [finding.message for finding in made.findings]
    return made.program


def in_session(program: Program) -> None:
    """Start a game that asks nothing."""
    Game(program, invariants=True, fuel=FUEL).start()


def direct(program: Program) -> None:
    """Run the game without stops."""
    run_direct(program, build=Build(invariants=True), fuel=FUEL)


def covered(program: Program) -> None:
    """Run it without inlining, tables and hoisting."""
    run_direct(program, build=Build(invariants=True, coverage=True), fuel=FUEL)


WAYS: dict[str, Callable[[Program], None]] = {"session": in_session, "direct": direct, "covered": covered}


@pytest.mark.parametrize(("name", "way"), list(product(HOSTILE, WAYS)))
def test_hostile_rules_end_in_the_fault(name: str, way: str) -> None:
    """Without the budget each of these would run for hours, or take all memory."""
    program = program_of(HOSTILE[name])

    with pytest.raises(Fault) as raised:
        WAYS[way](program)

    assert ("budget", "RK713") == (raised.value.name, raised.value.code)


@pytest.mark.parametrize("name", HOSTILE)
def test_every_build_ends_at_the_same_place(name: str) -> None:
    """What is paid depends on the rules as written, not on what a build makes of them."""
    program = program_of(HOSTILE[name])
    places = set()
    for way in (direct, covered):
        with pytest.raises(Fault) as raised:
            way(program)
        places.add(raised.value.site)

    assert 1 == len(places)


def test_a_game_that_floods_takes_no_more_answers() -> None:
    """Its events are bounded together, so that neither memory nor a log grows without end."""
    game = Game(
        program_of(
            f"{SIDES}state c: 0..9\nchoice way by Red:\n    pick one n from 1..2\n"
            "sequence play:\n    repeat 1000 times:\n        choose way as w\n"
            "        repeat 500 times:\n            repeat 1000 times: set c to 1\n    finish Red\n"
        )
    )
    session = game.start()
    with pytest.raises(Fault) as raised:
        while True:
            session.choose("1")

    assert ("budget", True) == (raised.value.name, MOST_TRACE < len(session.trace) < 2 * MOST_TRACE)
    assert session.decision is not None and session.save() == game.restore(session.save()).save()
