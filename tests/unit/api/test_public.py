"""The front door: what is public, documented, and typed."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rulekit
import rulekit.agents
from rulekit.runtime.play import HIDDEN

ROOT = Path(__file__).parents[3]
PUBLIC = sorted(rulekit.__all__)


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """The methods and properties of a class that the page on Python names, by name."""
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    bases = [base for base in kind.__mro__ if base.__module__.startswith("rulekit.")]
    for name in sorted({name for base in bases for name in vars(base)}):
        value = inspect.getattr_static(kind, name)
        known = inspect.isfunction(value) or isinstance(value, property)
        if known and not name.startswith("_") and re.search(rf"[.`]{name}\b", page):
            yield name, value


def described() -> Iterator[str]:
    """Each public name with its parameters and types, as they are written."""
    for name in PUBLIC:
        found = getattr(rulekit, name)
        if inspect.isfunction(found):
            yield f"{name}{inspect.signature(found)}"
            continue
        yield f"class {name}"
        if name in ("Diagnostic", "Program"):  # data, described by schemas of their own
            continue
        for field in getattr(found, "__dataclass_fields__", {}).values():
            yield f"    {field.name}: {field.type}"
        for member, value in members(found):
            if isinstance(value, property):
                yield f"    {member}: {inspect.signature(value.fget).return_annotation}  (property)"
            else:
                yield f"    {member}{inspect.signature(value)}"


def test_the_public_names(golden: Callable[[str, str], None]) -> None:
    """Whoever changes what others build on sees it here first."""
    golden("cli/public-names.txt", "\n".join(described()) + "\n")


def test_the_list_is_sorted_and_whole() -> None:
    """Every name of it is there; nothing else is to be had from the package but its modules."""
    assert PUBLIC == rulekit.__all__
    assert [] == [name for name in PUBLIC if not hasattr(rulekit, name)]
    with pytest.raises(AttributeError, match="no attribute 'Machine'"):
        rulekit.Machine  # noqa: B018


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_says_what_it_is(name: str) -> None:
    """Classes, functions, and every public method and property of a class."""
    found = getattr(rulekit, name)

    assert inspect.getdoc(found)
    if inspect.isclass(found) and found.__module__.startswith("rulekit.runtime.play"):
        assert [] == [member for member, value in members(found) if not inspect.getdoc(value)]


def test_agents_say_what_they_are() -> None:
    """The one module that is public beside the package itself."""
    for name in ("Agent", "BadScript", "first_legal", "play", "random_agent", "scripted"):
        found = getattr(rulekit.agents, name)
        assert inspect.getdoc(found) and found.__module__ == "rulekit.agents"


def test_what_is_hidden_says_so() -> None:
    """A value of its own, equal to nothing that a state can have."""
    assert "hidden" in repr(HIDDEN).lower()
    assert HIDDEN not in (None, False, 0, "", [])


def test_a_session_is_made_by_a_game_only() -> None:
    """No constructor to be learned: `start`, `restore` and `clone` make sessions."""
    text = inspect.getdoc(rulekit.Session) or ""

    assert "Game.start" in text and "Game.restore" in text


USE = """
import rulekit
from rulekit.agents import Agent, first_legal, play, random_agent, scripted

def prefers_none(session: rulekit.Session, decision: rulekit.Decision) -> rulekit.LegalAnswer | None:
    for option in decision.legal_answers:
        if option.name == "none":
            return option
    return decision.legal_answers[0]

game: rulekit.Game = rulekit.load("vitp", options=["x"], data=["own.yaml"], invariants=True)
program: rulekit.Program = rulekit.compile_rules("vitp")
found: tuple[rulekit.Diagnostic, ...] = rulekit.check("vitp")
session = game.start(seed="word", scenario=None)
agents: dict[str, Agent] = {"Red": first_legal, "Blue": random_agent(1), "Green": prefers_none}
ended: bool = play(session, agents)
try:
    session.choose("x")
except rulekit.Refused as refused:
    rules: tuple[str, ...] = refused.rules
except rulekit.Fault as fault:
    code: str = fault.code
event: rulekit.Event = session.events[0]
view: rulekit.View = session.view("Red")
again: rulekit.Session = game.restore(session.save())
went_back: bool = again.clone(reseed=2).undo(past_chance=True)
"""


@pytest.mark.slow
def test_uses_are_typed(tmp_path: Path) -> None:
    """A strict type checker understands what users write."""
    path = tmp_path / "use.py"
    path.write_text(USE)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(path)],
        cwd=tmp_path,
        env={"MYPYPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
    )

    assert "Success" in done.stdout, done.stdout


def test_a_random_agent_does_not_repeat_itself() -> None:
    """In games of other seeds it answers otherwise; in the same game alike, also after it was saved."""
    game = rulekit.load(ROOT / "tests" / "sets" / "ferry")
    agent = rulekit.agents.random_agent(1)

    def answers(seed: int, saved: bool = False) -> list[Any]:
        session = game.start(seed=seed)
        while session.decision is not None:
            session.choose(agent(session, session.decision))
            if saved:
                session = game.restore(session.save())
        return [entry["value"] for entry in session.log]

    assert answers(1) == answers(1) == answers(1, saved=True)
    assert answers(2) == answers(2, saved=True)
    assert 3 < len({tuple(map(str, answers(seed))) for seed in range(2, 8)})
