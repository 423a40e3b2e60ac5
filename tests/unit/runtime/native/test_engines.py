"""One hash of whole games, states and logs, from three engines: wasmtime, Node, and C by clang."""

from __future__ import annotations

import ctypes
from hashlib import sha256
from pathlib import Path

import pytest

from rulekit import compile_rules, ir
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame
from rulekit.runtime.native.lower import memory as m
from tests.unit.runtime.native.compiled_c import Compiled
from tests.unit.runtime.native.test_games import ROOT
from tests.unit.runtime.native.test_js_host import run


def by_wasmtime(content: bytes, seeds: int) -> str:
    """The hash of the words of each last state and of each log."""
    game, hashed = NativeGame(content), sha256()
    scenario = 0 if game.names["scenarios"] else -1
    module = game._module
    for seed in range(seeds):
        module.call("play", seed, scenario)
        hashed.update(module.read(module.word(m.STATE_AT), module.word(m.STATE_SIZE_AT)))
        log = module.word(m.LOG_AT)
        hashed.update(module.read(log, m.CELL * (1 + module.word(log))))
    return hashed.hexdigest()


def by_node(content: bytes, seeds: int, folder: Path) -> str:
    """The same in Node."""
    found: str = run(
        folder,
        f"""
        const {{ createHash }} = await import("node:crypto"), hashed = createHash("sha256");
        const game = await host.load(modules[0]), view = game._view;
        const word = (at) => Number(view.getBigInt64(at, true));
        for (let seed = 0; seed < {seeds}; seed++) {{
            game.play(seed);
            const log = word({m.LOG_AT});
            hashed.update(new Uint8Array(view.buffer, word({m.STATE_AT}), word({m.STATE_SIZE_AT})));
            hashed.update(new Uint8Array(view.buffer, log, 8 + 8 * word(log)));
        }}
        return hashed.digest("hex");
        """,
        content,
    )
    return found


def by_c(program: ir.Program, seeds: int, folder: Path) -> str:
    """The same in C."""
    compiled, hashed = Compiled(program, folder, log=True), sha256()
    for seed in range(seeds):
        assert 0 == compiled.call("play", seed, 0 if program.scenarios else -1)
        log = compiled.word(m.LOG_AT)
        for at, size in (
            (compiled.word(m.STATE_AT), compiled.word(m.STATE_SIZE_AT)),
            (log, m.CELL * (1 + compiled.word(log))),
        ):
            hashed.update(ctypes.string_at(ctypes.addressof(compiled.memory) + at, size))
    return hashed.hexdigest()


def check_engines(name: str, seeds: int, folder: Path) -> None:
    """Hold that all engines give one hash."""
    program = compile_rules(ROOT / name)
    content = build(program, log=True)

    expected = by_wasmtime(content, seeds)

    assert expected == by_node(content, seeds, folder)
    assert expected == by_c(program, seeds, folder)


@pytest.mark.parametrize("name", ["tests/sets/ferry", "examples/boards/breakthrough"])
def test_small_games_have_one_hash(name: str, tmp_path: Path) -> None:
    """A hundred games."""
    check_engines(name, 100, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seeds"), [("vitp", 100), ("fcn", 30), ("pacwar", 25), ("atp", 15)])
def test_whole_games_have_one_hash(name: str, seeds: int, tmp_path: Path) -> None:
    """Hundreds of pieces, thousands of events."""
    check_engines(f"rules/{name}", seeds, tmp_path)
