"""The agent that comes as an example plays Japan to the end of the turn, and better than chance."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from rulekit.agents import random_agent

PATH = Path(__file__).parents[2] / "examples" / "agents" / "yamamoto.py"


@pytest.fixture(scope="module")
def yamamoto() -> ModuleType:
    """The example's module."""
    spec = importlib.util.spec_from_file_location("yamamoto", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_plays_to_the_end(yamamoto: ModuleType) -> None:
    """A few games, each with a result; an illegal answer would raise."""
    won = yamamoto.evaluate(lambda game, seed: yamamoto.Yamamoto(game, random_agent(seed)), 3)

    assert sum(won.values()) == 3


@pytest.mark.slow
def test_it_is_better_than_chance(yamamoto: ModuleType) -> None:
    """Of fifty games it wins many more than the Allies, who play at random; at random Japan wins fewer."""
    won = yamamoto.evaluate(lambda game, seed: yamamoto.Yamamoto(game, random_agent(seed)), 50)

    assert won["Japan"] >= won["Allies"] + 10
