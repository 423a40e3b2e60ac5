"""What the specification allows to nest plays alike in every build; what is deeper is a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import Game, compile_rules
from rulekit.base.deep_stack import allow_usual_depth, with_room
from rulekit.ir import Program
from rulekit.runtime.support.build import Build
from tests.unit.cli.running import rulekit
from tests.unit.runtime.agree import by_direct, by_session
from tests.unit.runtime.deep import DEEP, TOO_DEEP, write

BUILDS = {
    "plain": Build(trace="operands"),
    "watched": Build(trace="operands", journal=True, invariants=True, explain=True),
    "covered": Build(trace="operands", coverage=True),
}


QUICK = ("conditions with more behind", "results", "definitions")
SHAPES = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in DEEP]


def program_of(folder: Path, name: str) -> Program:
    """Compile deep rules."""
    return compile_rules(write(folder, DEEP[name]))


@pytest.mark.parametrize("name", SHAPES)
def test_builds_agree_on_deep_rules(name: str, tmp_path: Path) -> None:
    """Functions that call the agent, and sessions that stop, with saves and restored or not."""
    program = program_of(tmp_path, name)
    allow_usual_depth()
    session = by_session(program, 3)

    assert "result" == session.end[0]
    assert session == by_session(program, 3, saving=1)
    for build in BUILDS.values():
        direct = by_direct(program, 3, build)
        assert (session.end, session.state) == (direct.end, direct.state)


@pytest.mark.parametrize("name", SHAPES)
def test_commands_take_deep_rules(name: str, tmp_path: Path) -> None:
    """They check, play and export."""
    folder = write(tmp_path, DEEP[name])
    checked = rulekit("check", folder, "--output-format", "concise", "--no-notes")
    played = rulekit("play", folder, "--agents", "random", "--seed", "1", "--log", tmp_path / "log.jsonl")

    assert " error" not in checked.err and " RK107 " not in checked.out
    assert (0, "result: Red") == (played.code, played.out.splitlines()[-1])
    assert 0 == rulekit("compile", folder, "-o", tmp_path / "program.json").code
    assert 0 == rulekit("show", "python", folder).code


@pytest.mark.parametrize("name", TOO_DEEP)
def test_deeper_rules_are_a_finding(name: str, tmp_path: Path) -> None:
    """Of `check`, with its place, and so of every command that would play them."""
    folder = write(tmp_path, TOO_DEEP[name])
    checked = rulekit("check", folder, "--output-format", "concise")
    played = rulekit("play", folder, "--agents", "random")

    (finding,) = [line for line in checked.out.splitlines() if " RK107 " in line]
    assert f"{folder}/t.rules:" in finding
    assert (1, 1) == (checked.code, played.code)
    assert "RK107" in played.err


def test_the_library_needs_no_deep_stack_of_its_caller(tmp_path: Path) -> None:
    """What needs more runs again on a thread of its own."""
    depth = 0

    @with_room
    def deepest(levels: int) -> int:
        nonlocal depth
        depth = max(depth, levels)
        return deepest.__wrapped__(levels - 1) + 1 if levels else 0  # type: ignore[attr-defined]

    assert 20_000 == deepest(20_000)
    assert Game(program_of(tmp_path, "conditions")).start(1).decision is not None
