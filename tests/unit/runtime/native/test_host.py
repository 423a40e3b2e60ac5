"""The host: modules that are none, faults, budgets, batches; and what a build refuses."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulekit import compile_rules, ir
from rulekit.ir import types as t
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.native import wasm
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame
from rulekit.runtime.native.lower import memory as m
from rulekit.runtime.native.lower.memory import Shapes
from rulekit.runtime.native.refusals import BuildRefused, CannotLower
from rulekit.runtime.native.sections import NotAModule
from tests.unit.runtime import make

ROOT = Path(__file__).parents[4]
TURN = make.read("turn")


@pytest.fixture(scope="module")
def content() -> bytes:
    """A module of a small game."""
    return build(compile_rules(ROOT / "tests" / "sets" / "duel"))


def game_of(*body: ir.Stmt) -> NativeGame:
    """A game that runs some statements."""
    return NativeGame(build(make.program(make.procedure("play", *body))))


# ------------------------------------------------------------ modules


@pytest.mark.parametrize("size", [0, 4, 8, 9, 60, -1])
def test_a_module_that_is_cut_off_is_refused(content: bytes, size: int) -> None:
    """At its head, within a section, and one byte before its end."""
    with pytest.raises(NotAModule, match="not a WebAssembly|cut off|not of a rule set|damaged"):
        NativeGame(content[:size])


def test_other_files_are_refused() -> None:
    """A text, and a module that is no rule set's."""
    with pytest.raises(NotAModule, match="not a WebAssembly 1.0 module"):
        NativeGame(b"title: Duel\n")
    with pytest.raises(NotAModule, match="not of a rule set"):
        NativeGame(b"\x00asm\x01\x00\x00\x00")


def test_another_version_is_refused(content: bytes) -> None:
    """The version is in the names; a host plays one only."""
    with pytest.raises(NotAModule, match="version 7 of the interface; this host needs 1"):
        NativeGame(content.replace(b'{"rulekit":1,', b'{"rulekit":7,'))


def test_damaged_names_are_refused(content: bytes) -> None:
    """No JSON, and JSON without what a host needs."""
    with pytest.raises(NotAModule, match="names are damaged"):
        NativeGame(content.replace(b'{"rulekit":1,', b'{"rulekit":1;'))
    with pytest.raises(NotAModule, match="names are damaged: `cells`"):
        NativeGame(content.replace(b'"cells":[[', b'"bells":[['))
    with pytest.raises(NotAModule, match="names are damaged: `domains`"):
        NativeGame(content.replace(b'"domains":', b'"remains":'))


def test_a_memory_that_is_too_small_is_refused(content: bytes) -> None:
    """The header has a state beyond its end."""
    state, beyond = m.HEADER.to_bytes(m.CELL, "little"), (1 << 40).to_bytes(m.CELL, "little")
    with pytest.raises(NotAModule, match="memory is too small"):
        NativeGame(content.replace(state, beyond, 1))


def test_a_damaged_module_is_refused(content: bytes) -> None:
    """The engine's reason is in the message."""
    code = content.index(b"\x0b", len(content) // 2)

    with pytest.raises(NotAModule, match="the module is damaged"):
        NativeGame(content[:code] + b"\xff" * 8 + content[code + 8 :])


def test_a_module_imports_nothing(content: bytes) -> None:
    """The second section would be that of imports."""
    numbers, at = [], 8
    while at < len(content):
        numbers.append(content[at])
        size, shift, at = 0, 0, at + 1
        while True:
            size |= (content[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if content[at - 1] < 0x80:
                break
        at += size

    assert [1, 3, 5, 7, 10, 11, 0, 0] == numbers
    assert wasm.SECTION.encode() in content


# ------------------------------------------------------------ games


def test_a_batch_is_its_games_one_by_one(content: bytes) -> None:
    """Also where it takes more than one call of the module."""
    game = NativeGame(content)
    one_by_one = [game.play(seed).result for seed in range(50)]

    batch = game.playouts(0, game.most_games + 5)

    assert game.most_games + 5 == len(batch)
    assert one_by_one == batch[:50]
    assert batch[-5:] == [game.play(seed).result for seed in range(game.most_games, game.most_games + 5)]


def test_every_result_is_told_by_its_name(content: bytes) -> None:
    """A duel is won by one of its sides."""
    assert {"Red", "Blue"} >= set(Counter(NativeGame(content).playouts(1, 200)))


def test_a_seed_may_be_a_text(content: bytes) -> None:
    """As in sessions, and one seed gives one game."""
    game = NativeGame(content)

    assert game.play("a long evening").cells == game.play("a long evening").cells
    assert game.play("a long evening").cells != game.play("another").cells


def test_an_unknown_scenario_is_a_fault() -> None:
    """A set without scenarios has none of any name."""
    with pytest.raises(Fault, match="unknown scenario `spring`"):
        game_of(make.write("add", "turn", (), make.const(1))).play(scenario="spring")


# ------------------------------------------------------------ faults


def test_a_fault_names_its_kind_and_site() -> None:
    """A number leaves its range, and the module plays on afterwards."""
    game = game_of(ir.Write("add", "turn", (), make.const(30), 3, check=True))

    for _ in range(2):
        with pytest.raises(Fault, match="out-of-range") as raised:
            game.play()
        assert raised.value.site is not None
        assert ("thing 3", 4) == (raised.value.site.owner, raised.value.site.line)


def test_a_declared_fault_has_its_own_name() -> None:
    """The rules may give a fault of their own."""
    with pytest.raises(Fault, match="no-such-thing"):
        game_of(ir.Fail("no-such-thing", "", 2)).play()


def test_a_game_that_exceeds_its_budget_stops() -> None:
    """A loop that pays for its runs; with enough of a budget the same game ends."""
    loop = ir.Repeat(
        "while", make.op("lt", TURN, make.const(20)), None, (make.write("add", "turn", (), make.const(1)),), 5
    )
    game = game_of(loop)

    game.budget = 10_000
    assert game.play().cells[0] < 10_000
    game.budget = 10
    with pytest.raises(Fault, match="budget"):
        game.play()


def test_a_loop_without_an_end_is_a_fault() -> None:
    """The limit is that of the Python back end."""
    loop = ir.Repeat(
        "while",
        make.op("gt", TURN, make.const(0)),
        make.const(50),
        (ir.Let(make.local("x", make.WIDE), TURN, 0),),
        5,
    )

    with pytest.raises(Fault, match="endless-loop"):
        game_of(loop).play()


# ------------------------------------------------------------ refusals


def test_a_build_reports_all_that_it_refuses() -> None:
    """Each place once, in the order of the rules."""

    large, odds = t.Int(0, 2**40), make.local("odds", t.Ratio())

    def against(site: int) -> ir.Let:
        return ir.Let(odds, make.op("ratio", make.const(1, large), make.const(1), type=odds.type), site)

    program = make.program(
        make.procedure("one", against(7), against(8)),
        make.procedure("play", against(7), ir.Do("one", (), None, 1)),
    )

    with pytest.raises(BuildRefused) as raised:
        build(program)

    what = f"a ratio of {large}"
    assert [(what, 7), (what, 8)] == [(refusal.what, refusal.site) for refusal in raised.value.refusals]


@pytest.mark.parametrize("kind", [t.Int(0, 2**61), t.Int(-(2**61), 0), t.SetOf(t.Int(0, 5000))])
def test_types_that_words_do_not_hold_are_refused(kind: t.Type) -> None:
    """Nothing ever wraps: a number that could is refused when the module is built."""
    with pytest.raises(CannotLower):
        Shapes({}).words(kind)
