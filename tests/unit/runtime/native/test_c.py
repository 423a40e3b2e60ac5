"""Rule sets as C: compiled with clang, the same games, stops and faults as the module."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from rulekit import compile_rules, ir
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame, NativeSession, decode
from rulekit.runtime.native.log.reading import events_of
from rulekit.runtime.native.lower import memory as m
from tests.unit.runtime import make
from tests.unit.runtime.native.test_games import ROOT

CACHE = {"ZIG_GLOBAL_CACHE_DIR": str(Path(tempfile.gettempdir()) / "rulekit-zig")}
COMPILER = (sys.executable, "-m", "ziglang", "cc")
"""Clang, from the package index with the extra `dev`: the tests need no compiler of the system."""


class Game(ctypes.Structure):
    """`struct rulekit`; the rest of it is the compiler's."""

    _fields_ = (
        ("memory", ctypes.c_void_p),
        ("size", ctypes.c_uint64),
        ("gave", ctypes.c_int64),
        ("stopped", ctypes.c_char * 1024),
    )


class Compiled:
    """A program as C in this process."""

    def __init__(self, program: ir.Program, folder: Path, *, stops: bool = False, log: bool = False) -> None:
        source, library = folder / "set.c", folder / "set.so"
        source.write_bytes(build(program, target="c", stops=stops, log=log))
        words = ["-std=c99", "-O1", "-Wall", "-Werror", "-Wno-unused", "-shared", "-fPIC"]
        subprocess.run([*COMPILER, *words, "-o", library, source], check=True, env=CACHE | os.environ)
        self.library = ctypes.CDLL(str(library))
        text = source.read_text(encoding="ascii")
        size = int(text.split("#define RULEKIT_MEMORY ")[1].split()[0])
        self.memory = (ctypes.c_int64 * (size // 8 + 1))()
        self.game = Game(ctypes.addressof(self.memory), ctypes.sizeof(self.memory))
        assert 0 == self.begin()

    def begin(self) -> int:
        """Make the memory ready; 2 if it is too small."""
        return int(self.library.rulekit_begin(ctypes.byref(self.game)))

    def call(self, name: str, *numbers: int) -> int:
        """Call a function; 1 is a fault."""
        function = getattr(self.library, f"rulekit_{name}")
        return int(function(ctypes.byref(self.game), *map(ctypes.c_int64, numbers)))

    def word(self, address: int) -> int:
        """A word of the memory."""
        return int(self.memory[address // 8])

    def cells(self, names: dict[str, Any]) -> list[Any]:
        """The state."""
        first, count = self.word(m.STATE_AT) // 8, self.word(m.STATE_SIZE_AT) // 8
        return decode(tuple(self.memory[first : first + count]), names["cells"])


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
