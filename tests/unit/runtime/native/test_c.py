"""Rule sets as C: compiled with clang, the same games, stops and faults as the module."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from rulekit import compile_rules, ir
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame, NativeSession
from rulekit.runtime.native.log.reading import events_of
from rulekit.runtime.native.lower import memory as m
from tests.unit.runtime import make
from tests.unit.runtime.native.compiled_c import Compiled
from tests.unit.runtime.native.test_games import ROOT


@pytest.mark.parametrize("name", ["tests/sets/duel", "examples/cards/two-lanterns", "examples/boards/hex"])
def test_games_are_those_of_the_module(name: str, tmp_path: Path) -> None:
    """All cells of each game."""
    program = compile_rules(ROOT / name)
    compiled, game = Compiled(program, tmp_path), NativeGame(build(program))
    for seed in range(20):
        expected = game.play(seed)
        assert 0 == compiled.call("play", seed, 0 if game.names["scenarios"] else -1)
        assert expected.cells == compiled.cells(game.names)


def test_a_game_stops_and_goes_on(tmp_path: Path) -> None:
    """The questions of a session, answered alike."""
    program = compile_rules(ROOT / "tests/sets/duel")
    compiled, session = Compiled(program, tmp_path, stops=True), NativeSession(build(program, stops=True))
    question = session.start(4)
    compiled.call("start", 4, -1)
    while question is not None:
        assert m.ASKING == compiled.word(m.STATUS_AT)
        question = session.answer(0)
        compiled.call("answer", 0)

    assert m.OVER == compiled.word(m.STATUS_AT)
    assert session.cells() == compiled.cells(session.names)


def test_a_fault_is_told_by_what_the_function_gives(tmp_path: Path) -> None:
    """Its number and site are in the memory."""
    compiled = Compiled(make.program(make.procedure("play", ir.Fail("no-such-thing", "", 2))), tmp_path)

    assert 1 == compiled.call("play", 0, -1)
    assert (m.FAULTY, 2) == (compiled.word(m.STATUS_AT), compiled.word(m.SITE_AT))


def test_what_a_host_may_not_do_changes_nothing(tmp_path: Path) -> None:
    """A memory that is too small, an answer that is not legal, and one to no question."""
    compiled = Compiled(compile_rules(ROOT / "tests/sets/duel"), tmp_path, stops=True)
    assert 0 == compiled.call("start", 4, -1)
    before = list(compiled.memory)
    for option in (-1, 2, 2**40):
        assert (0, 0) == (compiled.call("answer", option), compiled.game.gave)
    compiled.game.size -= 16
    assert (2, 2) == (compiled.begin(), compiled.call("answer", 0))
    compiled.game.size += 16
    assert before == list(compiled.memory)

    while compiled.word(m.STATUS_AT) == m.ASKING:
        assert (0, 1) == (compiled.call("answer", 0), compiled.game.gave)
    assert (0, 0) == (compiled.call("answer", 0), compiled.game.gave)


def test_a_memory_that_is_not_ready_is_left_alone(tmp_path: Path) -> None:
    """Nobody has made it ready, or it is another's."""
    compiled = Compiled(compile_rules(ROOT / "tests/sets/duel"), tmp_path)
    ctypes.memset(compiled.memory, 0, 16)

    assert 2 == compiled.call("play", 1, -1)
    assert 0 == compiled.begin()
    assert 0 == compiled.call("play", 1, -1)


def test_a_budget_that_is_exceeded_is_a_fault(tmp_path: Path) -> None:
    """The next game begins anew."""
    compiled = Compiled(compile_rules(ROOT / "tests/sets/ferry"), tmp_path)
    units, compiled.memory[m.FUEL_AT // 8] = compiled.word(m.FUEL_AT), 5
    assert 1 == compiled.call("play", 7, 0)
    assert m.FAULTY == compiled.word(m.STATUS_AT)
    compiled.memory[m.FUEL_AT // 8] = units

    assert 0 == compiled.call("play", 7, 0)


def test_the_log_has_the_words_of_the_module(tmp_path: Path) -> None:
    """The events of whole games."""
    program = compile_rules(ROOT / "tests/sets/ferry")
    compiled, game = Compiled(program, tmp_path, log=True), NativeGame(build(program, log=True))
    for seed in range(10):
        game.play(seed)
        compiled.call("play", seed, 0)
        log = compiled.word(m.LOG_AT) // 8
        words = compiled.memory[log + 1 : log + 1 + compiled.memory[log]]
        assert game.events() == events_of(words, game.names)


@pytest.mark.slow
def test_victory_in_the_pacific_is_that_of_the_module(tmp_path: Path) -> None:
    """The whole of it."""
    test_games_are_those_of_the_module("rules/vitp", tmp_path)
