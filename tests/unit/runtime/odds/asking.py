"""Questions about rules given as text."""

from __future__ import annotations

from rulekit.ir.reachable import for_examples
from rulekit.runtime.odds.graph import Budget, Policy
from rulekit.runtime.odds.policies import any_legal
from rulekit.runtime.odds.running import Followed, OddsRunner
from rulekit.testing import compile_text


def followed(
    rules: str, lines: str, measure: str, budget: Budget | None = None, policy: Policy | None = any_legal
) -> Followed:
    """What comes of lines of an example, looked at by one measure."""
    text = f'{rules}example "question":\n    {lines}\n    chance {measure}\n'
    made = compile_text(text)
    assert not [finding for finding in made.findings if finding.kind.severity.name == "ERROR"], made.findings
    assert made.program is not None
    program = for_examples(made.program)
    return OddsRunner(program).follow(program.examples[0], policy, budget or Budget())
