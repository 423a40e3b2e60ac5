"""The agent that comes as an example plays every campaign to its end, and better than chance."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from rulekit.agents import random_agent

PATH = Path(__file__).parents[2] / "examples" / "agents" / "nimitz.py"


@pytest.fixture(scope="module")
def nimitz() -> ModuleType:
    """The example's module."""
    spec = importlib.util.spec_from_file_location("nimitz", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_plays_to_the_end(nimitz: ModuleType) -> None:
    """A few campaigns, each with an evaluation; an illegal answer would raise."""
    found, _ = nimitz.evaluate(lambda game, seed: nimitz.Nimitz(game, random_agent(seed)), 4)

    assert sum(found.values()) == 4


@pytest.mark.slow
def test_it_is_better_than_chance(nimitz: ModuleType) -> None:
    """Of sixty campaigns more end better than `Replaced` than at random."""
    wise, _ = nimitz.evaluate(lambda game, seed: nimitz.Nimitz(game, random_agent(seed)), 60)
    blind, _ = nimitz.evaluate(lambda game, seed: random_agent(seed), 60)

    good = ("Great", "Good", "Historical", "Poor")
    assert sum(wise[level] for level in good) > sum(blind[level] for level in good) + 3
