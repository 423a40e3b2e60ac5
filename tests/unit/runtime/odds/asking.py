"""Questions about rules given as text."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.ir import Program
from rulekit.ir.reachable import for_examples
from rulekit.runtime.odds.graph import Budget, Policy
from rulekit.runtime.odds.policies import any_legal
from rulekit.runtime.odds.running import Followed, OddsRunner
from rulekit.testing import compile_text


def question(rules: str, lines: str, measures: Iterable[str]) -> Program:
    """The program of one example of such lines, which asks for these measures."""
    asked = "".join(f"    chance {measure}\n" for measure in measures)
    made = compile_text(f'{rules}example "question":\n    {lines}\n{asked}')
    assert not [finding for finding in made.findings if finding.kind.severity.name == "ERROR"], made.findings
    assert made.program is not None
    return for_examples(made.program)


def followed(
    rules: str, lines: str, measure: str, budget: Budget | None = None, policy: Policy | None = any_legal
) -> Followed:
    """What comes of lines of an example, looked at by one measure."""
    program = question(rules, lines, [measure])
    return OddsRunner(program).follow(program.examples[0], policy, budget or Budget())
