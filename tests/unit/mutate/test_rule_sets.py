"""The examples of the rule sets notice what is changed: a sample of it, always the same."""

from __future__ import annotations

import pytest

from rulekit.diagnostics import Report
from rulekit.driver import compile_rule_set
from rulekit.mutate import chosen, mutants, run, score
from tests.unit.cli.running import ROOT

SAMPLE = 150


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vitp", "pacwar"])
def test_examples_notice_four_of_five(name: str) -> None:
    """The whole has more; `rulekit test SET --mutate --fail-under 80` tries it."""
    compiled = compile_rule_set(ROOT / "rules" / name, Report())
    some = chosen(mutants(compiled.declared, compiled.rule_set.sources), sample=SAMPLE)

    found = list(run(compiled, some, jobs=2, remember=False))

    survivors = [each.mutant.id for each in found if each.verdict.fate == "survived"]
    assert SAMPLE == len(found)
    assert score(found).reaches(80), survivors
