"""No lint of terms, sequence, tables or data is set off by the games, nor by any of their options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulekit.analysis.compile import compile_without_clashes
from rulekit.analysis.lints.declarations import one_way, terms
from rulekit.analysis.lints.sequence import after_leaving, idle_loop, impossible_event, step_numbers
from rulekit.analysis.lints.tables import broken_trend, row_order, unreached_row
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Report, RulesError
from rulekit.ruleset import read_manifest

RULES = Path(__file__).parents[4] / "rules"
LINTS: tuple[Callable[[Compiled], Iterator[Diagnostic]], ...] = (
    terms.lint,
    idle_loop.lint,
    after_leaving.lint,
    step_numbers.lint,
    impossible_event.lint,
    unreached_row.lint,
    row_order.lint,
    broken_trend.lint,
    one_way.lint,
)


def told(folder: Path, options: list[str]) -> list[str]:
    """What they tell of a set with these options and it does not accept; nothing of one that needs more."""
    manifest = read_manifest(folder, Report())
    assert manifest is not None
    accepted = {each.what for each in manifest.accept}
    try:
        compiled = compile_without_clashes(folder, Report(), options=options)
    except RulesError:
        return []
    return [found.id for lint in LINTS for found in lint(compiled) if found.id not in accepted]


@pytest.mark.parametrize("name", ["vitp", "pacwar", "fcn"])
def test_the_base_is_quiet(name: str) -> None:
    """As it stands."""
    assert [] == told(RULES / name, [])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vitp", "pacwar", "fcn"])
def test_every_option_is_quiet(name: str) -> None:
    """Each of them alone, and each preset."""
    manifest = read_manifest(RULES / name, Report())
    assert manifest is not None
    chosen = [*manifest.presets, *(option.name for option in manifest.options)]

    found = {each: told(RULES / name, [each]) for each in chosen}

    assert {} == {each: ids for each, ids in found.items() if ids}
