"""The examples of the base hold without options, those of every option with it alone and with all."""

from __future__ import annotations

import pytest

from rulekit.compiler.driver import Compiled
from rulekit.runtime.play.examples import Examples

from .conftest import Compile, option_names, with_needs


def failures(compiled: Compiled, prefix: str = "") -> list[str]:
    """What the examples of files whose path begins so say when they do not hold."""
    sites = compiled.program.sites
    runner = Examples(compiled.program)
    mine = [each for each in compiled.program.examples if sites[each.site].file.startswith(prefix)]
    assert mine, f"no example in {prefix}"
    results = [runner.run(each) for each in mine]
    return [f"{result.name}: {result.reason}" for result in results if not result.passed]


def test_the_base_does_what_its_examples_say(pacwar: Compile) -> None:
    """Without any house rule."""
    assert [] == failures(pacwar(()), "examples/")


EXEMPLARY = ("m80-battle-line", "mst-gunnery-limits", "jsis-flak-phase-in")
"""The two that everything hangs on; the others are slow only because there are many."""

OPTIONS = [
    name if name in EXEMPLARY else pytest.param(name, marks=pytest.mark.slow) for name in option_names()
]


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_alone(pacwar: Compile, option: str) -> None:
    """With nothing but what it needs, an option does what its examples say; every option has some."""
    assert [] == failures(pacwar(with_needs(option)), f"options/{option}.rules")


@pytest.mark.parametrize("preset", ["authors", "as-printed"])
def test_all_options_together(pacwar: Compile, preset: str) -> None:
    """No example of an option fails in the company of the others, with or without interpretations."""
    assert [] == failures(pacwar((preset,)), "options/")
