"""What a test before it makes safe is read only where the test holds."""

from __future__ import annotations

from pathlib import Path

from rulekit import compile_rules
from rulekit.ir.reachable import for_play
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame

RULES = """\
enum Side: Red, Blue
space Harbour:
    members North, South, West
    depth: 0..9 = (7 when it is West otherwise 2)
    state dredged: flag
piece Boat:
    members Swift, Heron
state landed: 0..99
define deep(h: Harbour) -> flag: h.depth > 5 or h is dredged
procedure enter(at_: Space or none):
    when at_ is not Harbour or Heron.place is not at_ or not deep(at_): return
    add 1 to landed
choice goal by Red:
    pick one h from Harbour, or none
procedure sail(b: Boat):
    choose goal as h
    when h is none: remove b
    otherwise:
        move b to h
        mark h as dredged
sequence play:
    repeat 4 times:
        do enter(Swift.place)
        do enter(Heron.place)
        do sail(Swift)
        do sail(Heron)
    finish (Red when landed > 1 otherwise Blue)
"""

MANIFEST = """\
id: guarded
title: Guarded
edition: first
language: "0.2"
authors: [rulekit]
licence: CC0-1.0
sequence: play
sides: Side
"""


def test_a_place_that_is_none_is_not_looked_up(tmp_path: Path) -> None:
    """Boats begin off the map: the depth of no harbour was read outside the memory of the module."""
    (tmp_path / "ruleset.yaml").write_text(MANIFEST)
    (tmp_path / "play.rules").write_text(RULES)
    program = for_play(compile_rules(tmp_path))
    game = NativeGame(build(program))

    for seed in range(20):
        expected = run_direct(program, None, RandomPolicy(program, seed), seed)
        assert expected.cells == game.play(seed).cells, f"seed {seed}"
