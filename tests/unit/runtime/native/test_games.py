"""Whole games: a module and the Python back end end in the same state, cell by cell, budget included."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulekit import compile_rules, ir
from rulekit.ir import types as t
from rulekit.ir.reachable import for_play
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame
from rulekit.runtime.native.refusals import BuildRefused
from tests.unit.runtime import make
from tests.unit.runtime.agree import by_direct, by_native
from tests.unit.runtime.test_agreement import OPERANDS
from tests.unit.runtime.worlds import programs

ROOT = Path(__file__).parents[4]
SMALL = (
    "tests/sets/duel",
    "tests/sets/harbour",
    "tests/sets/ferry",
    "examples/boards/tic-tac-toe",
    "examples/boards/connect-four",
    "examples/boards/breakthrough",
    "examples/boards/hex",
    "examples/cards/two-lanterns",
)


@cache
def built(folder: Path, *options: str) -> tuple[ir.Program, NativeGame]:
    """A set's program and its module, with options."""
    program = for_play(compile_rules(folder, options=options))
    return program, NativeGame(build(program))


def check_games(folder: Path, seeds: range, scenario: str | None = None, *options: str) -> None:
    """All cells are equal after each game."""
    program, game = built(folder, *options)
    for seed in seeds:
        expected = run_direct(program, scenario, RandomPolicy(program, seed), seed)
        found = game.play(seed, scenario)
        assert expected.cells == found.cells, f"{folder.name}, seed {seed}"


def assert_same_games(program: ir.Program) -> None:
    """Sixty games of a module end in the cells of direct play."""
    game = NativeGame(build(program))
    for seed in range(60):
        expected = run_direct(program, None, RandomPolicy(program, seed), seed)
        assert expected.cells == game.play(seed).cells


@pytest.mark.parametrize("name", SMALL)
def test_small_games_are_equal(name: str) -> None:
    """Boards, cards and the sets of the documents."""
    check_games(ROOT / name, range(40))


def test_whole_games_of_victory_in_the_pacific_are_equal() -> None:
    """Hundreds of pieces, nearly all statements, splits, shares and covers."""
    check_games(ROOT / "rules" / "vitp", range(12))


def test_whole_games_of_fleet_commander_nimitz_are_equal() -> None:
    """Changes that land together, cups, draws, lots, and all its tables."""
    check_games(ROOT / "rules" / "fcn", range(8))


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["air-strike", "marianas", "two-months", "china-burma"])
def test_scenarios_of_pacific_war_are_equal(scenario: str) -> None:
    """Ways over hundreds of hexes, maps of maps, matched and searched choices."""
    check_games(ROOT / "rules" / "pacwar", range(4), scenario)


@pytest.mark.slow
def test_a_war_with_all_house_rules_is_equal() -> None:
    """Forty-five months, with every option that the authors play."""
    check_games(ROOT / "rules" / "pacwar", range(1), "the-war", "authors")


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["sampler_long", "across_the_pacific", "rising_sun"])
def test_scenarios_of_across_the_pacific_are_equal(scenario: str) -> None:
    """Several options for each item, judged as a whole, and combinations that pay for being counted."""
    check_games(ROOT / "rules" / "atp", range(6, 12), scenario)


@pytest.mark.slow
def test_games_with_all_options_of_pacific_war_are_equal() -> None:
    """Lines of battle are orders with rules."""
    check_games(ROOT / "rules" / "pacwar", range(3), "two-months", "authors")


@pytest.mark.slow
@pytest.mark.parametrize(
    "option",
    ["cpo-withdrawal", "damage-control", "free-pearl-harbor", "gunnery-radar", "kamikaze"],
)
def test_options_of_victory_in_the_pacific_are_equal(option: str) -> None:
    """A module has the rules of its options."""
    check_games(ROOT / "rules" / "vitp", range(30), None, option)


@pytest.mark.slow
def test_many_games_of_victory_in_the_pacific_are_equal() -> None:
    """The same for many more seeds."""
    check_games(ROOT / "rules" / "vitp", range(1000, 1200))


# ------------------------------------------------------------ random programs


def check_program(program: ir.Program, seed: int) -> None:
    """A random program ends in the same way by both, unless it is refused."""
    try:
        found = by_native(program, seed)
    except BuildRefused:
        return
    expected = by_direct(for_play(program), seed, OPERANDS)
    assert expected.end == found.end
    if expected.end[0] == "result":
        assert expected.state == found.state


QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), st.integers(0, 2**32))
def test_modules_agree_with_direct(program: ir.Program, seed: int) -> None:
    """A sample of random programs."""
    check_program(program, seed)


@pytest.mark.slow
@settings(max_examples=1200, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), st.integers(0, 2**32))
def test_many_modules_agree_with_direct(program: ir.Program, seed: int) -> None:
    """The same, for many more programs."""
    check_program(program, seed)


# ------------------------------------------------------------ numbers at their ends

ENDS = (-(10**9), -7, -1, 0, 1, 2, 3, 10**9)
PAIRS = tuple((a, b) for a in ENDS for b in ENDS if b)
WIDE = t.Int(-(10**18), 10**18)
OPS = ("add", "sub", "mul", "div_down", "div_up", "div_nearest", "mod", "smaller", "larger", "lt", "ge", "eq")


@pytest.mark.parametrize("name", OPS)
def test_numbers_at_the_ends_of_ranges(name: str) -> None:
    """Operations on the largest and smallest numbers of the language, and on those around 0, never wrap."""
    one, two, found = (make.local(local, WIDE) for local in ("one", "two", "found"))
    body: list[ir.Stmt] = []
    for place, (a, b) in enumerate(PAIRS):
        body += [ir.Let(one, make.const(a, WIDE), 0), ir.Let(two, make.const(b, WIDE), 0)]
        result = make.op(name, one, two, type=WIDE)
        body += [ir.Let(found, result, 0), make.write("set", "out", (make.const(place),), found)]
    out = make.state("out", ((0, len(PAIRS) - 1),), WIDE, 0)
    program = make.program(make.procedure("play", *body), states=(out,))

    expected, game = run_direct(program), NativeGame(build(program))

    assert list(map(int, expected.cells)) == game.play().cells


# ------------------------------------------------------------ places and lists


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("together", [False, True])
def test_a_place_that_is_revealed_is_hidden_by_a_move(many: bool, together: bool) -> None:
    """Alone or with others, at once or at the end of a block; those that stay are still known."""
    pieces = make.const(0b01010, make.PIECES) if many else make.const(3, make.PIECE)
    move: ir.Stmt = ir.Place(pieces, many, make.const(1, make.SPACE), 1)
    shown = [ir.Reveal("place", (make.const(piece, make.PIECE),), 0) for piece in range(5)]
    play = make.procedure("play", *shown, ir.Together((move,), 2) if together else move)
    program = make.program(play)

    expected, game = run_direct(program), NativeGame(build(program))

    assert expected.cells[1:] == game.play().cells[1:]


LISTS = ((), (0,), (0, 1), (1, 0), (0, 1, 2), (0, 1, 2, 3, 4, 0))


@pytest.mark.parametrize("name", ["eq", "ne"])
def test_lists_are_compared(name: str) -> None:
    """By their lengths and items, in order; also with one that is made on the spot."""
    pairs = [(one, other) for one in LISTS for other in LISTS]
    pile, nothing = make.read("pile"), make.const((), make.PILE)
    more = make.op("joined", pile, nothing, type=make.PILE)
    body: list[ir.Stmt] = []
    for place, (one, other) in enumerate(pairs):
        body.append(make.write("set", "pile", (), make.const(one, make.PILE)))
        for key, left in enumerate((pile, more)):
            same = make.op(name, left, make.const(other, make.PILE))
            number = ir.If(same, make.const(1), make.const(2), make.WIDE)
            body.append(make.write("set", "out", (make.const(2 * place + key),), number))
    out = make.state("out", ((0, 2 * len(pairs) - 1),), make.WIDE, 0)
    program = make.program(make.procedure("play", *body), states=(*make.STATES.values(), out))

    expected, game = run_direct(program), NativeGame(build(program))

    assert expected.cells[1:] == game.play().cells[1:]


# ------------------------------------------------------------ covers

OPTION = make.local("option", make.PIECE)
CHOSEN = make.local("chosen", make.PIECES)


def covering(low: int, high: int, able: str, *, always: bool) -> ir.Program:
    """A side picks some of five pieces: Ann only with Bob and Cid, Dot only with Eve."""
    pieces = [(0b00001, 0b00110), (0b01000, 0b10000)]
    norms = [
        make.norm(
            "forbid",
            make.op("has", OPTION, make.const(own, make.PIECES)),
            cover=make.const(needed, make.PIECES),
            site=site,
        )
        for site, (own, needed) in enumerate(pieces, 1)
    ]
    if always:
        test = make.read("open")
        cover = make.const(0b00100, make.PIECES)
        norms.append(make.norm("require", test, cover=cover, site=3))
    choice = make.choice(
        "team",
        "pick_set",
        option=OPTION,
        chosen=CHOSEN,
        candidates=make.const(0b11111, make.PIECES),
        low=make.const(low),
        high=make.const(high),
        able=able,
        norms=tuple(norms),
        answer=make.PIECES,
    )
    team = make.local("team", make.PIECES)
    ask = ir.Choose("team", (), team, 0)
    keep = make.write("set", "held", (make.const(0, make.SIDE),), team)
    other = make.write(
        "include",
        "held",
        (make.const(1, make.SIDE),),
        make.op("inter", team, make.const(0b01001, make.PIECES), type=make.PIECES),
    )
    return make.program(make.procedure("play", ask, keep, ask, other), choices=(choice,))


def assigning(able: str, each: int | None, *, varying: bool) -> ir.Program:
    """Each of three items gets one of five pieces: Ann only if Bob goes too, and perhaps not to all items."""
    item = make.local("item", make.SPACE)
    own = make.op("has", OPTION, make.const(0b00001, make.PIECES))
    elsewhere = make.op("ne", item, make.const(1, make.SPACE))
    test = make.op("and", own, elsewhere) if varying else own
    norms = [make.norm("forbid", test, cover=make.const(0b00010, make.PIECES), site=1)]
    if varying:
        second = make.op(
            "and",
            make.op("eq", item, make.const(2, make.SPACE)),
            make.op("eq", OPTION, make.const(3, make.PIECE)),
        )
        norms.append(make.norm("forbid", second, site=2))
    kind = t.MapOf(make.SPACE, t.Optional(make.PIECE))
    choice = make.choice(
        "crew",
        "assign",
        item=item,
        option=OPTION,
        chosen=CHOSEN,
        assigned=make.local("assigned", kind),
        items=make.const(0b111, make.SPACES),
        candidates=make.const(0b01111, make.PIECES),
        able=able,
        each=None if each is None else make.const(each),
        norms=tuple(norms),
        answer=kind,
    )
    crew, piece = make.local("crew", kind), make.local("one", t.Optional(make.PIECE))
    body: list[ir.Stmt] = [ir.Choose("crew", (), crew, 0)]
    for place in range(3):
        space = make.const(place, make.SPACE)
        has = make.op("map_has", crew, space)
        got = make.op("map_get", crew, space, type=piece.type)
        value = ir.If(has, got, ir.Const(t.NONE, piece.type), piece.type)
        held = make.op("or_else", value, make.const(4, make.PIECE), type=make.PIECE)
        body.append(ir.Let(piece, held, 0))
        mark = make.op("single", held, type=make.PIECES)
        body.append(make.write("set", "crew_at", (space,), mark))
    state = make.state("crew_at", ("space",), make.PIECES, 0)
    procedure = make.procedure("play", *body)
    return make.program(procedure, choices=(choice,), states=(*make.STATES.values(), state))


@pytest.mark.parametrize("varying", [False, True])
@pytest.mark.parametrize("each", [None, 1, 2])
@pytest.mark.parametrize("able", ["must", "none", "if_able"])
def test_options_are_matched_to_items(able: str, each: int | None, varying: bool) -> None:
    """The options are those of the Python back end, whatever the items before have got."""
    program = assigning(able, each, varying=varying)
    assert_same_games(program)


RATIO = t.Ratio()
COLUMNS = ir.Const((Fraction(1, 3), Fraction(1, 2), 1, Fraction(3, 2), 3), t.ListOf(RATIO, 5))


@pytest.mark.parametrize("way", ["down", "up", "nearest"])
def test_ratios_find_their_columns_and_compare(way: str) -> None:
    """Below, above, upon and between the columns, and with a lower number below 0."""
    pairs = [(a, b_) for a in (-3, 0, 1, 2, 3, 5, 9) for b_ in (-2, 1, 2, 3, 4)]
    small = t.Int(-100, 100)
    one, two, odds = make.local("one", small), make.local("two", small), make.local("odds", RATIO)
    body: list[ir.Stmt] = []
    for place, (a, b_) in enumerate(pairs):
        body += [ir.Let(one, make.const(a, small), 0), ir.Let(two, make.const(b_, small), 0)]
        body.append(ir.Let(odds, make.op("ratio", one, two, type=RATIO), 0))
        column = make.op("ratio_column", odds, COLUMNS, type=small, detail=way)
        half = ir.Const(Fraction(1, 2), RATIO)
        less = ir.If(make.op("lt", odds, half), make.const(10, small), make.const(0, small), small)
        same = ir.If(make.op("eq", odds, half), make.const(20, small), less, small)
        total = make.op("add", column, same, type=small)
        body.append(make.write("set", "out", (make.const(place),), total))
    out = make.state("out", ((0, len(pairs) - 1),), small, 0)
    program = make.program(make.procedure("play", *body), states=(out,))

    assert list(map(int, run_direct(program).cells)) == NativeGame(build(program)).play().cells


def test_ratios_of_one_value_are_equal() -> None:
    """1:2, 2:4 and -3:-6, when lists are compared."""
    small, several = t.Int(-100, 100), t.ListOf(RATIO, 2)
    one, two = make.local("one", small), make.local("two", small)
    body: list[ir.Stmt] = []
    half = ir.Const((Fraction(1, 2),), several)
    for place, (a, b_) in enumerate([(1, 2), (2, 4), (-3, -6), (0, -6), (4, 6)]):
        body += [ir.Let(one, make.const(a, small), 0), ir.Let(two, make.const(b_, small), 0)]
        odds = make.op("ratio", one, two, type=RATIO)
        same = make.op("eq", make.op("list_of", odds, type=several), half)
        number = ir.If(same, make.const(1), make.const(2), make.WIDE)
        body.append(make.write("set", "out", (make.const(place),), number))
    states = (make.state("out", ((0, 4),), make.WIDE, 0),)
    program = make.program(make.procedure("play", *body), states=states)

    game = NativeGame(build(program)).play()

    assert run_direct(program).cells == game.cells
    assert game.cells[-5:] == [1, 1, 1, 2, 2]


def judged(low: int, high: int, able: str, *, permits: bool) -> ir.Program:
    """A side picks some of five pieces: Ann only if Bob or Cid come too, and never so strong together."""
    powers = ir.Static("piece.power", (OPTION,), make.SMALL)
    total = ir.Fold("total", CHOSEN, OPTION, powers, t.Int(0, 25))
    friends = make.op("inter", CHOSEN, make.const(0b00110, make.PIECES), type=make.PIECES)
    some = make.op("not", make.op("is_empty", friends))
    ann = make.op("eq", OPTION, make.const(0, make.PIECE))
    strong = make.op("gt", total, make.const(8))
    norms = [make.norm("forbid", ann, whole=some, site=1), make.norm("forbid", strong, site=2)]
    if permits:
        odd = make.op(
            "eq",
            make.op("mod", make.op("count", CHOSEN, type=make.WIDE), make.const(2), type=make.WIDE),
            make.const(1),
        )
        norms += [
            make.norm("permit", make.const(True, make.FLAG), whole=odd, site=3),
            make.norm("permit", make.op("has", OPTION, make.const(0b10000, make.PIECES)), site=4),
        ]
    base = covering(low, high, able, always=False)
    choice = replace(base.choices[0], norms=tuple(norms))
    return replace(base, choices=(choice,))


@pytest.mark.parametrize("permits", [False, True])
@pytest.mark.parametrize(
    ("low", "high", "able"), [(0, 5, "must"), (1, 3, "must"), (2, 2, "none"), (2, 4, "if_able")]
)
def test_picks_that_are_judged_as_a_whole(low: int, high: int, able: str, permits: bool) -> None:
    """The search finds the same options, and pays as much for it."""
    program = judged(low, high, able, permits=permits)
    assert_same_games(program)


@pytest.mark.parametrize("always", [False, True])
@pytest.mark.parametrize(
    ("low", "high", "able"),
    [(0, 5, "must"), (1, 3, "must"), (2, 2, "none"), (3, 4, "if_able"), (5, 5, "must")],
)
def test_picks_leave_room_for_what_they_need(low: int, high: int, able: str, always: bool) -> None:
    """The options are those of the Python back end, whatever is picked before."""
    program = covering(low, high, able, always=always)
    assert_same_games(program)


def test_shortest_ways_are_those_of_python(tmp_path: Path) -> None:
    """From each member to each, twice: the same one, a way in one direction only, and no way at all."""
    (tmp_path / "ruleset.yaml").write_text('id: ways\ntitle: Ways\nlanguage: "0.2"\nsequence: play\n')
    (tmp_path / "play.rules").write_text("""\
space Hex:
    members A, B, C, D, E, F
    near: set of Hex = ({B, D} when it is A otherwise ({C} when it is B otherwise ({B, E} when it is C
        otherwise ({E} when it is D otherwise {}))))
state way(start: Hex, goal: Hex): list of Hex, at most 6
sequence play:
    repeat 2 times:
        for each a in Hex:
            for each b in Hex: set way(a, b) to shortest_way(a, b, near)
""")
    program, game = built(tmp_path)
    cells = game.play().cells

    assert run_direct(program).cells == cells
    assert [(0,), (0, 1), (0, 1, 2), (0, 3), (0, 3, 4), (), (), (1,)] == cells[-36:-28]


def test_cheapest_ways_are_those_of_python(tmp_path: Path) -> None:
    """Among many equals, with steps for nothing, closed ones and limits, from and to sets of two words."""
    (tmp_path / "ruleset.yaml").write_text('id: ways\ntitle: Ways\nlanguage: "0.2"\nsequence: play\n')
    (tmp_path / "play.rules").write_text("""\
space Hex, hexes in rows 1..9, columns 1..8, odd rows right
state seed: 0..96
state height(hex): 0..6
state free(hex, board: 0..2): list of Hex, at most 72
state stopped(hex, board: 0..2): list of Hex, at most 72
define price(one: Hex, other: Hex) -> 0..3 or none:
    when other.height = 6: none
    when one.height > other.height: 0
    otherwise: (2 when other.height = 3 otherwise 1)
define ends -> set of Hex: Hex where it.height = 6
define peaks -> set of Hex: Hex where it.height = 5
sequence play:
    for each board in 0..2:
        for each h in Hex:
            set seed to (seed * 31 + 17) mod 97
            set height(h) to seed mod 7
        for each h in Hex:
            set free(h, board) to cheapest way from h to peaks - {h} by neighbours costing price(from, it)
            set stopped(h, board) to cheapest way from {h} + peaks to ends in (Hex - peaks) by neighbours
                within 3 costing (price(from, it) otherwise 3) stopping at it.height = 1
""")
    program, game = built(tmp_path)
    cells = game.play().cells

    assert run_direct(program).cells == cells
    ways = [cell for cell in cells if isinstance(cell, tuple)]
    assert {0, 1, 2, 3} < set(map(len, ways))
    assert len(set(ways)) > 100
