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
def test_a_shipped_set_is_built_with_its_presets(name: str) -> None:
    """Nothing is refused with any of its presets, which together have its options."""
    manifest = read_manifest(ROOT / "rules" / name, Report())
    assert manifest is not None
    for preset in manifest.presets:
        program = compile_rules(ROOT / "rules" / name, options=[preset])
        assert build(program), preset
        assert build(program, stops=True, log=True), preset


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fcn", "vitp"])
def test_a_shipped_set_is_built_with_each_option(name: str) -> None:
    """Nothing is refused with one of them alone."""
    manifest = read_manifest(ROOT / "rules" / name, Report())
    assert manifest is not None
    for option in manifest.options:
        assert build(compile_rules(ROOT / "rules" / name, options=[option.name])), option.name
