"""No lint of terms, sequence, tables or data is set off by the games, nor by any of their options."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis.compile import compile_without_clashes
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Lint
from rulekit.analysis.lints.declarations import one_way, unused
from rulekit.analysis.lints.sequence import (
    after_leaving,
    idle_conditions,
    step_numbers,
)
from rulekit.analysis.lints.tables import broken_trend, row_order, unreached_row
from rulekit.diagnostics import Report, RulesError
from rulekit.ruleset import read_manifest

RULES = Path(__file__).parents[4] / "rules"
LINTS: tuple[Lint, ...] = (
    unused,
    idle_conditions,
    after_leaving,
    step_numbers,
    unreached_row,
    row_order,
    broken_trend,
    one_way,
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
    rules = Inspection(compiled)
    running = [lint for lint in LINTS if lint.WHEN.applies(rules)]
    return [finding.id for lint in running for finding in lint.lint(rules) if finding.id not in accepted]


@pytest.mark.parametrize("name", ["vitp", "pacwar", "fcn", "atp"])
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
