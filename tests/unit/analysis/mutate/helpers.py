"""Small rule sets to make mutants of."""

from __future__ import annotations

from pathlib import Path

from rulekit.analysis.mutate import Mutant, MutantFate, mutants, run
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report
from rulekit.testing import MANIFEST, RULES, compile_text, manifest

SIDES = "enum Side: Red, Blue\n"


def changes(text: str, operator: str) -> list[tuple[str, str]]:
    """What an operator changes in a text, and into what, in order."""
    return [(each.was, each.now) for each in of_text(text) if each.operator == operator]


def of_text(text: str) -> list[Mutant]:
    """Every mutant of a text, which must have no errors."""
    made = compile_text(SIDES + text)
    assert made.compiled is not None, made.findings
    return list(mutants(made.compiled.declared, made.compiled.rule_set.sources))


def written(text: str, folder: Path, more: str = "") -> Compiled:
    """A rule set in a folder that stays; `more` is what else its manifest says."""
    (folder / RULES).write_text(SIDES + text, encoding="utf-8")
    (folder / MANIFEST).write_text(manifest(()) + "sides: Side\n" + more, encoding="utf-8")
    return compile_rule_set(folder, Report())


def verdicts(
    compiled: Compiled, *, jobs: int = 1, remember: bool = False
) -> dict[tuple[str, str], MutantFate]:
    """What becomes of every mutant, by what is changed and into what."""
    every = list(mutants(compiled.declared, compiled.rule_set.sources))
    found = {each.mutant.id: each.verdict for each in run(compiled, every, jobs=jobs, remember=remember)}
    return {(mutant.was, mutant.now): found[mutant.id] for mutant in every}
