"""Chapter 14 names the faults of play; each of them happens, under its name, and no other does."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from rulekit.ir import Program
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.play import Game
from rulekit.runtime.play.evaluate import evaluate
from rulekit.testing import compile_text
from tests.unit.spec.pages import DOCS

HEAD = """\
enum Side: Red, Blue
space Area:
    members North, South
piece Ship:
    members Alpha, Beta, Gamma
cup bag of Ship
group Fleet, at most 1:
    ships: set of Ship
state n: 0..9
state order: list of Ship, at most 3
state owner: Side
extern table gap(roll: 1..2) -> 0..9:
    file "owner/numbers.yaml"
extern table absent(roll: 1..2) -> 0..9:
    file "owner/absent.yaml"
choice nothing by Red:
    pick one ship from Ship
    forbid true
choice many by Red:
    number from 0 to 20000
procedure p:
"""

BODIES = {
    "out-of-range": "    repeat 4 times: add 3 to n\n",
    "missing-data": "    set n to absent(1)\n",
    "no-value": '    let ship = only(Ship)\n    say "x"\n    move ship to North\n',
    "division-by-zero": '    when ratio(1, n) > 1: say "x"\n',
    "empty-draw": "    draw 1 from bag as ship\n",
    "no-group-left": "    form Fleet as one\n    form Fleet as two\n",
    "simultaneous-conflict": "    together:\n        set owner to Blue\n        set owner to Red\n",
    "no-legal-option": "    choose nothing as ship\n",
    "too-many-options": "    choose many as much\n",
    "endless-loop": "    repeat while n = 0: set n to 0\n",
}
"""A procedure's body that ends in each fault."""

PLAYED = {"ruleset.yaml": 'id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\n'}
"""The manifest of a set whose sequence is `play`."""


def fault_of(run: Callable[[], object]) -> str:
    """The code of the fault that a run ends in."""
    with pytest.raises(Fault) as raised:
        run()
    return raised.value.name


def compiled(text: str, files: dict[str, str] | None = None) -> Program:
    """A program without findings."""
    made = compile_text(text, files)
    assert made.program is not None, made.findings
    return made.program


def named() -> list[str]:
    """The names of faults that the chapter lists."""
    text = (DOCS / "spec" / "14-faults.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `RK7\d\d` \| `([a-z-]+)` \|", text, re.MULTILINE)


@pytest.mark.parametrize("name", BODIES)
def test_fault(name: str) -> None:
    """The body ends in the fault of this name."""
    program = compiled(HEAD + BODIES[name])

    assert name == fault_of(lambda: evaluate(program, "p", {}))


def test_a_gap_of_the_owners_table() -> None:
    """An owner's row that is not there is found before play; a program without it would fault."""
    numbers = "format: 1\ntables:\n  gap:\n    columns: [roll, result]\n    rows: [[1, 3]]\n"

    found = compile_text(HEAD + "    set n to gap(2)\n", {"owner/numbers.yaml": numbers}).findings

    assert ["RK606"] == [finding.kind.code for finding in found]


def test_a_broken_promise() -> None:
    """An invariant that does not hold after a change is a fault in sessions that test them."""
    text = "state n: 0..9\ninvariant small: n < 3\nsequence play:\n    set n to 4\n"
    program = compiled(text, PLAYED)

    assert "broken-invariant" == fault_of(lambda: Game(program, invariants=True).start())


def test_a_step_beyond_its_budget() -> None:
    """Callers say how many units of work a step may take."""
    program = compiled("state n: 0..9\nsequence play:\n    repeat 10000 times: set n to 4\n", PLAYED)

    assert "budget" == fault_of(lambda: Game(program, fuel=100).start())


def test_short_loops_inside_long_ones_are_paid_for() -> None:
    """What does not pay by itself makes each run of the loop around it count for more."""
    areas = ", ".join(f"A{number}" for number in range(200))
    text = (
        f"enum Area: {areas}\nstate n: 0..9\nsequence play:\n"
        "    for each a in Area:\n        for each b in Area:\n            for each c in Area: set n to 4\n"
    )
    program = compiled(text, PLAYED)

    assert "budget" == fault_of(lambda: Game(program, fuel=20_000).start())


def test_a_choice_beyond_the_budget() -> None:
    """A norm that nothing quicker can tell is searched for, and the search has its bound."""
    ships = ", ".join(f"Ship_{number}" for number in range(16))
    text = (
        f"enum Side: Red, Blue\npiece Ship:\n    members {ships}\n    worth: 0..9 = 3\n"
        "choice puzzle by Red:\n    pick any ship from Ship\n"
        "    require (total worth in chosen) mod 7 = 8\n"
        "procedure p:\n    choose puzzle as found\n"
    )

    assert "undecided-choice" == fault_of(lambda: evaluate(compiled(text), "p", {}))


def test_every_fault_of_the_chapter_is_tried_here() -> None:
    """And nothing else is; a gap cannot be met while every table is whole."""
    tried = {*BODIES, "broken-invariant", "budget", "undecided-choice", "no-row"}

    assert sorted(tried) == sorted(named())
