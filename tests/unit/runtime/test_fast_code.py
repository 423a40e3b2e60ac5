"""What the passes that make code fast must leave as it is, and what they make of small programs."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulekit import ir
from rulekit.ir import types as t
from rulekit.ir.semantics import work
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.simulate import RandomPolicy, new_machine, play, run_direct, scenario_of
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.native.build import build as build_module
from rulekit.runtime.native.host import NativeGame
from rulekit.runtime.support.build import SIMULATION, Build
from rulekit.runtime.support.remembered import MOST_REMEMBERED, Remembered
from rulekit.testing import compile_text
from tests.unit.runtime.agree import FUEL, by_direct, derived_is_right, state_of
from tests.unit.runtime.make import (
    FLAG,
    PIECE,
    PIECES,
    SIDE,
    SMALL,
    SPACE,
    SPACES,
    STATES,
    WIDE,
    choice,
    const,
    local,
    op,
    procedure,
    program,
    state,
    words,
)
from tests.unit.runtime.worlds import programs

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
TOLD = Build(trace="operands")


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), st.integers(0, 2**32))
def test_derived_masks_are_kept(program: ir.Program, seed: int) -> None:
    """Without a trace the same happens, and every mask that a change keeps is what its state says."""
    expected = by_direct(program, seed, TOLD)
    for build in (Build(), Build(journal=True)):
        made = generate(program, build)
        machine = new_machine(made, Streams(made, seed), RandomPolicy(program, seed))
        machine.journal = [].append if build.journal else None
        machine.refuel(FUEL)
        try:
            play(machine, scenario_of(program, None))
        except Fault as fault:
            assert expected.end == ("fault", fault.name)
        else:
            assert expected.state == state_of(made, machine.M)
        assert derived_is_right(made, machine.M)


# ---------------------------------------------------------------- what small programs become

X = ir.Local("x", PIECE)
S = ir.Local("s", SPACE)
DAMAGE = ir.Read("damage", (X,), SMALL)
HARBOR, REEF = const(0, SPACE), const(2, SPACE)
MARKED = ir.Flagged("marked", (), PIECES)


def function_of(made: ir.Program, build: Build = SIMULATION) -> list[str]:
    """The lines of the Python function of the procedure `play`."""
    module = generate(made, build)
    name = module.unit.routine_name(("procedure", "play", False))
    after = module.source.split(f"def {name}(")[1]
    return f"def {name}({after}".split("\ndef ")[0].splitlines()


def code(*body: ir.Stmt, more: tuple[ir.Procedure, ...] = ()) -> str:
    """The Python of a procedure with these statements, without its header."""
    lines = function_of(program(*more, procedure("play", *body)))
    return "\n".join(line.removeprefix("    ") for line in lines[1:])


def let(value: ir.Expr) -> ir.Let:
    """A binding, to have an expression written."""
    return ir.Let(local("found", value.type), value, 0)


def test_a_collection_known_now_is_written_out() -> None:
    """No masks are decoded, and no budget is charged, for a loop over what is known to be short."""
    first = ir.Order("first", (const(3, PIECE),))

    written = code(ir.ForEach(X, const(0b1011, PIECES), first, (ir.Say(words("a line"), 0), let(X)), 0))

    assert "for v0 in (3, 0, 1):\n    v3 = v0" == written


def test_one_piece_moves_in_line() -> None:
    """Out of one mask by exclusive or, into the other; nothing is called."""
    written = code(ir.Place(const(1, PIECE), False, REEF, 0)).splitlines()

    assert ["x = 1 << 1", "y = 2"] == written[:2]
    assert "^= x" in written[3] and "|= x" in written[4] and 5 == len(written)


def test_members_by_value_are_looked_up() -> None:
    """A comparison with a state of few values is one cell."""
    owner = ir.Read("owner", (S,), t.Optional(SIDE))
    mine = ir.Filter(const(0b111, SPACES), S, op("eq", owner, const(1, SIDE)), SPACES)

    written = code(let(mine))

    assert "v0 = M[" == written[:7] and written[7:-1].isdigit()


def test_a_test_of_one_state_keeps_its_mask() -> None:
    """Who passes is read from a cell; a write looks at a table and touches it only if that changes."""
    weak = ir.Filter(MARKED, X, op("gt", DAMAGE, ir.Static("piece.power", (X,), SMALL)), PIECES)
    hurt = ir.Write("set", "damage", (const(2, PIECE),), const(4, SMALL), 0)

    written = code(let(weak), hurt).splitlines()

    assert written[0].count("M[") == 2 and "(" not in written[0]
    assert written[-3].endswith("c = c[y] ^ c[x]") and written[-2].endswith("if c:")
    assert written[-1].endswith("M[c] ^= 1 << z")


def test_a_fixed_relation_is_looked_up_by_the_set() -> None:
    """The spaces that touch one of a set: one look-up of the set's mask."""
    near = ir.Static("space.near", (S,), SPACES)
    meeting = op("inter", near, ir.Local("some", SPACES), type=SPACES)
    touching = ir.Filter(const(0b111, SPACES), S, op("not", op("is_empty", meeting)), SPACES)
    some = ir.Let(ir.Local("some", SPACES), const(0b011, SPACES), 0)

    written = code(some, let(touching)).splitlines()

    assert "v0 = 3" == written[0] and written[1].startswith("v1 = H") and written[1].endswith("[v0]")


def test_a_side_or_another_is_two_masks() -> None:
    """Where nobody owns a space, another side counts: the spaces of a side need no loop."""
    owner = ir.Read("owner", (S,), t.Optional(SIDE))
    owned_by = op("eq", op("or_else", owner, const(1, SIDE), type=SIDE), ir.Local("side", SIDE))
    mine = ir.Filter(const(0b111, SPACES), S, owned_by, SPACES)

    side = ir.Let(ir.Local("side", SIDE), const(0, SIDE), 0)
    # A comparison with the owner alone has masks by owner kept.
    owned = ir.Filter(const(0b111, SPACES), S, op("eq", owner, const(0, SIDE)), SPACES)
    written = generate(program(procedure("play", let(owned), side, let(mine))), SIMULATION).source

    assert "r |= 1 <<" not in written
    assert "if 1 == v1 else 0)" in written


def test_costs_that_do_not_change_are_looked_up() -> None:
    """A step into a set that changes is left out; what others cost is worked out before play."""
    to, closed = ir.Local("to", SPACE), ir.Local("closed", SPACES)
    none = const(t.NONE, t.Optional(SMALL))
    cost = ir.If(op("has", to, closed), none, const(1, SMALL), t.Optional(SMALL))
    near = ir.Static("space.near", (S,), SPACES)
    grouped = ir.Fold("grouped", near, to, cost, t.ListOf(SPACES, SMALL.high + 1))
    everywhere = const(0b111, SPACES)
    reached = ir.Linked(everywhere, const(0b001, SPACES), S, grouped, const(2, SMALL), SPACES)

    whole = program(procedure("play", ir.Let(closed, const(0b010, SPACES), 0), let(reached)))
    written = generate(whole, SIMULATION).source

    assert "[o & ~a0, f, w] | f & o" in written
    assert "lambda" not in written


def test_what_costs_depend_on_chooses_among_tables() -> None:
    """A function that gives the cost is seen through; what it reads of the state is the key."""
    to, closed, cost = ir.Local("to", SPACE), ir.Local("closed", SPACES), t.Optional(SMALL)
    late = op("gt", ir.Read("turn", (), t.Int(0, 20)), const(10, SMALL))
    dear = ir.If(late, const(2, SMALL), const(1, SMALL), SMALL)
    body = ir.If(op("has", to, closed), const(t.NONE, cost), dear, cost)
    price = ir.Function("price", (ir.Param("to", SPACE), ir.Param("closed", SPACES)), cost, body, 0)
    near = ir.Static("space.near", (S,), SPACES)
    call = ir.Apply("price", (to, closed), cost)
    grouped = ir.Fold("grouped", near, to, call, t.ListOf(SPACES, SMALL.high + 1))
    everywhere = const(0b111, SPACES)
    reached = ir.Linked(everywhere, const(0b001, SPACES), S, grouped, const(2, SMALL), SPACES)

    whole = program(
        procedure("play", ir.Let(closed, const(0b010, SPACES), 0), let(reached)), functions=(price,)
    )
    written = generate(whole, SIMULATION).source

    assert "[2 if M[18] > 10 else 1][o & ~a0, f, w] | f & o" in written
    assert "lambda" not in written


def test_a_loop_that_pays_is_none_where_a_mask_says_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """All its runs are paid, and nothing is looped over."""
    monkeypatch.setattr(work, "LIGHT", 4)
    marked = ir.Filter(ir.At(S, False, PIECES), X, ir.Read("marked", (X,), FLAG), PIECES)
    written = generate(program(procedure("play", let(marked), params=(S,))), SIMULATION).source
    paid = written.split("def f")[1]

    assert "M[0] -= s.bit_count()\n" in paid and "return M[a0 + 39] & M[19]\n" in paid


def test_a_relation_that_some_have_is_looked_up_behind_tests() -> None:
    """Who has it is told by a test before; the look-up by the set needs no such care."""
    coast = ir.Local("s", t.Member("space", "Coast"), SPACE)
    one = ir.Local("one", SPACE)
    relation = ir.Static("space.beside", (coast,), SPACES)
    touched = ir.Fold("any", ir.Local("some", SPACES), one, op("has", one, relation), FLAG)
    test = op("or", op("has", S, const(0b100, SPACES)), touched)
    some = ir.Let(ir.Local("some", SPACES), const(0b011, SPACES), 0)

    written = code(some, let(ir.Filter(const(0b111, SPACES), S, test, SPACES))).splitlines()

    assert written[1].startswith("v1 = 4 | H") and written[1].endswith("[v0]")


def test_a_union_walks_those_alone_who_give_something() -> None:
    """Where only pieces that stand somewhere give their space, the loop is over these, and asks no more."""
    place = ir.Read("place", (X,), t.Optional(SPACE))
    here = op("single", op("or_else", place, HARBOR, type=SPACE), type=SPACES)
    body = ir.If(op("is_none", place), const(0, SPACES), here, SPACES)

    made = program(procedure("play", let(ir.Fold("join", MARKED, X, body, SPACES))))

    (walked,) = (text for text in function_of(made) if " := " in text)
    assert "& ~M[" in walked and "NONE" not in generate(made, SIMULATION).source


def test_one_loop_runs_over_sets_with_the_state_and_without() -> None:
    """A function that is handed its set is called alike, whether the caller reads the set from the state."""
    north = op("eq", ir.Static("piece.side", (X,), SIDE), const(0, SIDE))
    one = ir.Let(ir.Local("one", PIECE), const(2, PIECE), 0)
    alone = op("single", ir.Local("one", PIECE), type=PIECES)
    made = program(
        procedure(
            "play", one, let(ir.Filter(MARKED, X, north, PIECES)), let(ir.Filter(alone, X, north, PIECES))
        )
    )

    build = Build(coverage=True)
    run_direct(made, None, RandomPolicy(made, 0), build=build)
    assert 1 == generate(made, build).source.count("in BITS[s]")


def test_a_comparison_of_one_of_two_values_is_a_test() -> None:
    """Compared with a constant, a value that is another constant unless a test holds needs no value."""
    strong = op("gt", ir.Read("damage", (const(1, PIECE),), SMALL), const(2))
    either = ir.If(strong, ir.Read("damage", (const(2, PIECE),), SMALL), const(4, SMALL), SMALL)

    written = code(let(op("lt", either, const(3))))

    assert "if" not in written and " and " in written


def test_a_set_is_met_once() -> None:
    """Whether a set meets one constant or another is one test, also where that is written as cases."""

    def some(mask: int) -> ir.Expr:
        here = ir.At(ir.Local("there", SPACE), False, PIECES)
        return op("not", op("is_empty", op("inter", here, const(mask, PIECES), type=PIECES)))

    there = ir.Let(ir.Local("there", SPACE), ir.Read("home", (), SPACE), 0)
    there = ir.Let(ir.Local("there", SPACE), HARBOR, 0)
    cases = ir.If(some(4), const(True, FLAG), some(16), FLAG)

    for test in (op("or", some(4), some(16)), cases, op("and", op("not", some(4)), op("not", some(16)))):
        written = code(there, let(test))
        assert 1 == written.count(" & ") and written.endswith("] & 20")


def test_what_does_not_change_leaves_the_loop() -> None:
    """A test of what the loop does not write is made once."""
    strong = op("gt", ir.Read("damage", (const(1, PIECE),), SMALL), ir.Read("turn", (), t.Int(0, 20)))
    value = ir.If(strong, const(2), const(1), WIDE)
    roll = ir.Roll(
        "die",
        (),
        local("raw", t.Int(1, 6)),
        local("got", WIDE),
        op("add", local("raw", t.Int(1, 6)), value, type=WIDE),
        0,
    )

    written = code(ir.Repeat("times", const(3, t.Int(3, 3)), None, (roll,), 0)).splitlines()

    assert written[1].startswith("v0 = 2 if") and "for _ in range(3):" == written[2]


def test_a_small_procedure_stands_where_it_is_run() -> None:
    """Its parameter is what it is given."""
    mark = procedure("mark", ir.Write("mark", "marked", (X,), None, 0), params=(X,))

    written = code(ir.Do("mark", (const(3, PIECE),), None, 0), more=(mark,))

    assert written.startswith("M[") and written.endswith("|= 8")


def test_a_loop_that_stops_is_a_loop() -> None:
    """What can be begun at in it stands before its head, and falls into it."""
    ask = choice("order", "decide", option=local("option", FLAG))
    loop = ir.ForEach(
        X, const(0b1011, PIECES), None, (ir.Choose("order", (), None, 0), ir.Say(words("a line"), 0)), 0
    )
    made = program(procedure("play", loop), choices=(ask,))

    lines = [line.strip() for line in function_of(made, Build(form="frames"))]

    head = next(n for n, line in enumerate(lines) if " < len(" in line)
    number = (
        next(line for line in lines if line.startswith("if p != ")).removeprefix("if p != ").removesuffix(":")
    )
    assert f"p = {number}" == lines[head - 1]
    assert 1 == lines.count("while True:") and "while True:" in lines[:head]


ANN, BOB = const(0, PIECE), const(1, PIECE)


def together(*body: ir.Stmt) -> ir.Together:
    """A block of changes that happen at once."""
    return ir.Together(body, 0)


def test_changes_that_cannot_disagree_do_not_wait() -> None:
    """What they read is read before the first of them."""
    there = ir.Let(S, const(2, SPACE), 0)
    move = ir.Place(ir.At(HARBOR, False, PIECES), True, S, 0)
    count = op("count", ir.At(HARBOR, False, PIECES), type=t.Int(0, 5))

    written = code(there, together(move, ir.Write("set", "damage", (ANN,), count, 0)))

    lines = written.splitlines()
    assert not [line for line in lines if "land" in line]
    counted = next(n for n, line in enumerate(lines) if "bit_count" in line)
    assert counted < next(n for n, line in enumerate(lines) if line.startswith("if x: "))


def test_changes_that_may_disagree_wait() -> None:
    """Two values for one state, and sums, which only their block's end tells."""
    first, second = (ir.Write("set", "damage", (ANN,), const(value, SMALL), 0) for value in (1, 2))
    sums = [ir.Write("add", "damage", (one,), const(1, SMALL), 0) for one in (ANN, BOB)]

    assert "S.land(0)" in code(together(first, second))
    assert "S.land(0)" in code(together(*sums))
    assert "land" not in code(together(first, ir.Write("set", "damage", (BOB,), const(1, SMALL), 0)))


def test_a_block_in_a_procedure_is_part_of_that_around_its_call() -> None:
    """So that both are one run of changes."""
    inner = procedure("scatter", together(ir.Place(X, False, REEF, 0)), params=(X,))
    mark = ir.Write("mark", "marked", (ANN,), None, 0)

    written = code(together(mark, ir.Do("scatter", (BOB,), None, 0)), more=(inner,))

    assert "land" not in written and "|= 1" in written and "p" not in written.replace("place", "")


def far_apart(times: int) -> tuple[t.Int, ir.Local, ir.Function]:
    """How far two numbers are apart, worked out so many times; with their type and the first."""
    number = t.Int(0, 99)
    a, b = ir.Local("a", number), ir.Local("b", number)
    gap = op("abs", op("sub", a, b, type=WIDE), type=number)
    body: ir.Expr = gap
    for _ in range(times):
        body = op("larger", gap, op("sub", body, const(1), type=WIDE), type=number)
    return number, a, ir.Function("apart", (ir.Param("a", number), ir.Param("b", number)), number, body, 0)


def test_results_of_dear_functions_are_remembered() -> None:
    """A function of fixed things that has too many arguments for a table is called once for each."""
    number, _, apart = far_apart(6)
    turn = ir.Read("turn", (), t.Int(0, 20))
    calls = [let(ir.Apply("apart", (turn, const(other, number)), apart.result)) for other in (7, 20)]
    made = generate(program(procedure("play", *calls), functions=(apart,)), SIMULATION)
    machine = new_machine(made, Streams(made, 0), RandomPolicy(made.program, 0))
    results = made.unit.namespace[made.unit.names["remembered", "apart"]]

    play(machine, None)
    play(machine, None)

    assert {1 * 100 + 7: 6, 1 * 100 + 20: 19} == results


def test_results_of_dear_functions_are_looked_up_for_names_as_well() -> None:
    """Its body, though small, does not take the place of a call."""
    number, a, apart = far_apart(3)
    turn = ir.Let(a, ir.Read("turn", (), t.Int(0, 20)), 0)
    call = let(ir.Apply("apart", (a, const(7, number)), number))
    made = generate(program(procedure("play", turn, call), functions=(apart,)), SIMULATION)

    assert ("remembered", "apart") in made.unit.names


def test_only_so_many_results_are_kept() -> None:
    """A game that asks for more forgets them all, and asks again."""
    asked: list[tuple[int, int]] = []

    def product(a: int, b: int) -> int:
        asked.append((a, b))
        return a * b

    results = Remembered(product, (MOST_REMEMBERED,))

    assert [0, 6] == [results[n] for n in (5, 2 * MOST_REMEMBERED + 3)]
    for n in range(MOST_REMEMBERED):
        assert results[MOST_REMEMBERED + n] == n
    assert len(results) <= MOST_REMEMBERED and asked[:2] == [(0, 5), (2, 3)]


def test_a_test_that_asks_for_the_kind_is_split() -> None:
    """Of one kind a mask tells all; only the others are walked."""
    ships = const(0b111, PIECES)
    of_north = op("eq", ir.Static("piece.side", (X,), SIDE), const(0, SIDE))
    hurt = op("gt", DAMAGE, op("sub", ir.Read("turn", (), t.Int(0, 20)), const(1), type=WIDE))
    test = ir.If(op("has", X, ships), of_north, hurt, FLAG)

    made = program(procedure("play", let(ir.Filter(ir.At(HARBOR, False, PIECES), X, test, PIECES))))

    written = "\n".join(function_of(made))
    assert " & 24) and h" in written, "planes alone are walked"
    assert " & 5 | (" in written, "ships of North are a mask"


def test_a_set_that_depends_on_a_condition_is_two_masks() -> None:
    """A condition that is the same for all members chooses between them, and no loop is left."""
    free = op("is_none", ir.Read("owner", (HARBOR,), t.Optional(SIDE)))
    north, south = (const(mask, t.SetOf(SIDE)) for mask in (1, 2))
    side = ir.Static("piece.side", (X,), SIDE)
    test = op("has", side, ir.If(free, north, south, t.SetOf(SIDE)))

    written = code(let(ir.Filter(ir.At(HARBOR, False, PIECES), X, test, PIECES)))

    assert "h" not in written and "& K" in written and written.endswith("== NONE]")


def test_masks_of_many_values_are_kept() -> None:
    """The table of a test by member and value is worked out as values come up."""
    many = t.Int(0, 4000)
    states = (*STATES.values(), state("miles", ("piece",), many, 0))
    miles = ir.Read("miles", (X,), many)
    far = ir.Filter(const(0b11111, PIECES), X, op("gt", miles, const(3000, many)), PIECES)
    found = state("found", (), PIECES, 0)
    body = [
        *(
            ir.Write("set", "miles", (piece,), const(value, many), 0)
            for piece, value in ((ANN, 3001), (BOB, 3000))
        ),
        ir.Write("set", "found", (), far, 0),
    ]
    made = generate(program(procedure("play", *body), states=(*states, found)), SIMULATION)
    machine = new_machine(made, Streams(made, 0), RandomPolicy(made.program, 0))
    machine.refuel(FUEL)

    play(machine, None)

    assert 0b00001 == machine.M[made.layout.slots["found"].base]
    assert "for x" not in made.source
    assert {0, 3001} == set(made.layout.classes["miles"].rows[0])


ATTACKS = """
enum Side: Red, Blue
piece P:
    members 6
    state d: 0..9
define above(p: P) -> set of P: P where its d > p.d
choice attacks by Red:
    assign each u in P any v from P
    require everyone: every z in above(u) has z in chosen
    forbid alone: every w in P has (w is u or v not in assigned(w))
sequence play:
    choose attacks as plan
    finish Red
"""


def test_what_all_answers_share_of_an_item_is_worked_out_once() -> None:
    """A search looks at many answers; who is above a piece depends on none of them."""
    manifest = 'id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\n'
    made = compile_text(ATTACKS, {"ruleset.yaml": manifest}).program
    assert made is not None
    module = generate(made, SIMULATION)
    calls = [line.strip() for line in module.source.splitlines() if "h0(" in line and "def" not in line]

    assert ["return tuple([h0(M, x0) for x0 in s])"] == calls


FLEETS = """
enum Side: Red, Blue
group Fleet, at most 2:
    state side: Side
    state wants: Side or none
state ours: 0..2
state theirs: 0..2
state free: 0..2
state again: 0..2
sequence play:
    form Fleet as first
    set first.side to Blue
    set first.wants to Red
    form Fleet as second
    set ours to count of (Fleet where its side is Red)
    set theirs to count of (Fleet where its side is Blue)
    set free to count of (Fleet where its wants is none)
    dissolve first
    form Fleet as third
    set again to count of (Fleet where its side is Red and its wants is none)
"""


def test_groups_by_value_begin_anew() -> None:
    """A group that takes the number of one that ended has the values that are declared, in every build."""
    manifest = 'id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\n'
    made = compile_text(FLEETS, {"ruleset.yaml": manifest}).program
    assert made is not None
    for build in (SIMULATION, Build(journal=True)):
        module = generate(made, build)
        assert {"Fleet.side", "Fleet.wants"} == set(module.layout.indexes)
        machine = new_machine(module, Streams(module, 0), RandomPolicy(made, 0))
        machine.journal = [].append if build.journal else None
        machine.refuel(FUEL)
        play(machine, scenario_of(made, None))

        counts = [machine.M[module.layout.slots[name].base] for name in ("ours", "theirs", "free", "again")]
        assert [1, 1, 1, 2] == counts
        assert derived_is_right(module, machine.M)

    expected = run_direct(made, None, RandomPolicy(made, 0), 0).cells
    assert expected == NativeGame(build_module(made)).play(0).cells
