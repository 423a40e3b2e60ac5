"""The examples of the rule sets notice what is changed: a sample of it, always the same."""

from __future__ import annotations

import pytest

from rulekit.analysis.mutate import choose_mutants, mutants, run, score
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from tests.unit.cli.running import ROOT

SAMPLE, SAMPLE_OF_OPTIONS = 100, 60


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vitp", "pacwar"])
def test_examples_notice_four_of_five(name: str) -> None:
    """The whole has more; `rulekit test SET --mutate --fail-under 80` tries it."""
    assert_noticed(name, SAMPLE)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "preset"), [("vitp", "as-printed"), ("pacwar", "authors")])
def test_examples_of_options_do_too(name: str, preset: str) -> None:
    """Of the options' own lines, with all of them chosen."""
    assert_noticed(name, SAMPLE_OF_OPTIONS, preset, only="options/")


def assert_noticed(name: str, sample: int, *options: str, only: str | None = None) -> None:
    """Four of five of a sample are noticed."""
    compiled = compile_rule_set(ROOT / "rules" / name, Report(), options=options)
    some = choose_mutants(mutants(compiled.declared, compiled.rule_set.sources), only=only, sample=sample)

    found = list(run(compiled, some, jobs=2, remember=False))

    survivors = [each.mutant.id for each in found if each.verdict.fate == "survived"]
    assert sample == len(found)
    assert score(found).reaches(80), survivors
