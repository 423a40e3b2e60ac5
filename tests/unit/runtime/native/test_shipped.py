"""Every shipped rule set can be built, with each of its options alone and with its presets."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import compile_rules
from rulekit.diagnostics import Report
from rulekit.ruleset.manifest import read_manifest
from rulekit.runtime.native.build import build

ROOT = Path(__file__).parents[4]
SETS = ("atp", "fcn", "pacwar", "vitp")


@pytest.mark.parametrize("name", SETS)
def test_a_shipped_set_is_built(name: str) -> None:
    """Nothing of it is refused."""
    assert build(compile_rules(ROOT / "rules" / name))


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_a_shipped_set_is_built_with_its_options(name: str) -> None:
    """Nothing is refused with any of its options, each with those that it needs, or of its presets."""
    manifest = read_manifest(ROOT / "rules" / name, Report())
    assert manifest is not None
    for option in (*(one.name for one in manifest.options), *manifest.presets):
        try:
            program = compile_rules(ROOT / "rules" / name, options=[option])
        except RulesError:  # it needs others, which its presets have
            assert any(option in preset for preset in manifest.presets.values()) or option == "half-losses-down"
            continue
        assert build(program), option
