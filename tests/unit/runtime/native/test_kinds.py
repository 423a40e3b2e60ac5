"""Values of every kind in states, lists and maps: as in Python, whatever words they take in a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulekit import ir
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame, NativeSession
from rulekit.runtime.play import Game
from rulekit.testing import compile_text
from tests.unit.runtime.native.test_js_host import run
from tests.unit.runtime.native.test_log import in_module, in_python
from tests.unit.runtime.play.test_fault_messages import MANIFEST

PARTS = """\
enum Side: Red, Blue
piece Ship:
    members Argo, Brig, Cog, Dhow
    gun: 0..9 = (3 when it is Brig otherwise 2)
group Convoy, at most 3:
    state speed: ratio = 1:2
state n: 0..1000
state odds: ratio = 1:2
state better: ratio or none
state strength(Ship): ratio = 3:4
state claim(Ship): ratio or none
state row: list of ratio, at most 5
state reserve: list of ratio, at most 9
state crews: list of set of Ship, at most 5
choice berth by Red:
    assign each s in Ship one side from Side
choice crew by Blue:
    assign each s in Ship some side from Side
define half(x: 0..9) -> ratio or none: (ratio(x, 2) when x > 2 otherwise none)
"""
PLAYS = {
    "ratios in states": """\
    when odds = 1:2: add 1 to n
    set odds to ratio(6, 4)
    set better to odds
    when better is not none and better = 3:2: add 2 to n
    set strength(Brig) to 2
    for each s in Ship:
        when strength(s) > 1:1: add 4 to n
    set claim(Cog) to strength(Argo)
    for each s in Ship:
        when claim(s) is none: add 10 to n
    set better to none
    when (claim(Cog) otherwise 1:9) = 3:4: add 100 to n
    when (better otherwise 1:9) = 1:9: add 200 to n
    say "{odds}, {better}, {claim(Cog)}"
""",
    "ratios or none": """\
    let few = half(1)
    let some_ = half(5)
    when few is none: add 1 to n
    when some_ is not none and some_ > 2: add 2 to n
    when half(2) is half(1): add 4 to n
    when half(3) is half(1): add 8 to n
    set better to half(7)
    set better to (half(1) otherwise half(6))
""",
    "ratios at one moment": """\
    together:
        set odds to ratio(6, 4)
        set strength(Argo) to odds
        set strength(Brig) to odds
        set claim(Dhow) to 4:6
    together:
        put 3 under row
        put odds on top of row
""",
    "ratios that disagree": """\
    together:
        set strength(Argo) to 5:2
        set strength(Argo) to 5:3
""",
    "ratios of a group": """\
    form Convoy as one
    set one.speed to 3:2
    dissolve one
    form Convoy as two
    when two.speed = 1:2: add 1 to n
""",
    "lists of ratios": """\
    put 2 under row
    put ratio(2, 4) on top of row
    put 5:2 under row
    when 2 in row: add 1 to n
    when 1:2 in row: add 2 to n
    when 3 in row: add 4 to n
    put row under reserve
    when row = reserve: add 8 to n
    shuffle row
    when row = reserve: add 16 to n
    draw 2 from reserve as two
    add count of two to n
""",
    "ratios in orders": """\
    let best = Ship with highest ratio(its gun, 3)
    let worst = Ship with lowest ratio(3, its gun - 6)
    add count of best to n
    add 10 * count of worst to n
    for each s in Ship, by lowest ratio(s.gun - 5, s.gun), by highest s.gun:
        when s.gun = 2: set n to n * 2 + 1
        otherwise: add 5 to n
    for each s in Ship, by highest ratio(s.gun, 7), by lot:
        set n to (n * 3 + (1 when s is Dhow otherwise 0)) mod 900
""",
    "lists of sets": """\
    put {Argo, Brig} under crews
    put {Cog} on top of crews
    put Dhow under crews
    when {Argo, Brig} in crews and Dhow in crews: add 100 to n
    shuffle crews
    for each crew_ in crews: add count of crew_ to n
""",
    "maps": """\
    let guns = map of s.gun for s in Ship
    let twos = map of 2 for s in Ship
    let few = map of 2 for s in {Argo, Cog, Dhow}
    let none_: map Ship to 0..9 = {}
    when guns = twos: add 1 to n
    when guns is not few: add 2 to n
    when guns = map of s.gun for s in Ship: add 4 to n
    when none_ = few: add 8 to n
    when none_ = none_: add 16 to n
""",
    "maps of sets, lists and ratios": """\
    let one = map of {s, Argo} for s in Ship
    let two = map of {Argo, s} for s in Ship
    let three = map of {Brig, s} for s in Ship
    when one = two: add 1 to n
    when one = three: add 2 to n
    put 1:2 under row
    let short = map of row for s in Ship
    put 1:2 under row
    let long = map of row for s in Ship
    when short = long: add 4 to n
    when long = long: add 8 to n
    let shares = map of ratio(s.gun, 2) for s in Ship
    when shares = map of ratio(s.gun * 2, 4) for s in Ship: add 16 to n
    when shares = map of ratio(s.gun, 3) for s in Ship: add 32 to n
""",
    "answers": """\
    choose berth as one
    choose berth as two
    when one = two: add 1 to n
    choose crew as three
    choose crew as four
    when three = four: add 2 to n
    when three = three and one = one: add 4 to n
""",
}


def program(play: str) -> ir.Program:
    """A rule set whose sequence of play is this."""
    return for_play(compile_text(f"{PARTS}sequence play:\n{play}    finish Red\n", MANIFEST).program)


def outcome(play: Callable[[], Any]) -> Any:
    """Cells but for the budget, or the fault."""
    try:
        return play().cells[1:]
    except Fault as fault:
        return fault.name, fault.site, fault.message


@pytest.mark.parametrize("name", PLAYS)
def test_whole_games_are_those_of_python(name: str) -> None:
    """All cells, or the fault with its words."""
    rules = program(PLAYS[name])
    game = NativeGame(build(rules))
    for seed in range(4):
        expected = outcome(lambda seed=seed: run_direct(rules, None, RandomPolicy(rules, seed), seed))
        assert expected == outcome(lambda seed=seed: game.play(seed)), f"seed {seed}"


@pytest.mark.parametrize("name", PLAYS)
def test_events_are_those_of_python(name: str) -> None:
    """Of a module that stops, with copies that are put back; a fault ends both."""
    rules = program(PLAYS[name])
    game, session = Game(rules), NativeSession(build(rules, stops=True, log=True))
    for seed in range(4):
        module = _until_a_fault(in_module(session, rules, seed, straying=0.3))
        for expected, events in zip(_until_a_fault(in_python(game, seed)), module, strict=True):
            assert expected == events, f"seed {seed}"


def _until_a_fault(events: Iterator[Any]) -> Iterator[Any]:
    """The events of each answer; of a fault its name, and nothing after."""
    try:
        yield from events
    except Fault as fault:
        yield fault.name


def test_cells_are_read_in_javascript(tmp_path: Path) -> None:
    """Ratios are texts there, also in lists; a set is a whole number, in a list a text."""
    rules = program(
        """\
    set odds to ratio(6, 4)
    set claim(Cog) to ratio(-4, 6)
    put 1:2 under row
    put {Argo, Dhow} under crews
"""
    )
    game = NativeGame(build(rules))
    cells = game.play(1).cells

    script = "const game = await host.load(modules[0]); game.play(1); return game.cells();"
    found = run(tmp_path, script, build(rules))

    def shown(cell: Any) -> Any:
        if isinstance(cell, Fraction):
            return f"{cell.numerator}:{cell.denominator}"
        return list(map(shown, cell)) if isinstance(cell, tuple) else str(cell)

    def texts(cell: Any) -> Any:
        return list(map(texts, cell)) if isinstance(cell, list) else str(cell)

    expected = [shown(cell) for cell in cells]
    assert "3:2" in expected and "-2:3" in expected and ["1:2"] in expected and ["9"] in expected
    assert expected == texts(found)
