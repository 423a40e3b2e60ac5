"""Running the examples of a program; for tests."""

from __future__ import annotations

from rulekit import ir
from rulekit.runtime.play.examples import Examples


def failures(program: ir.Program) -> list[str]:
    """What fails of a program's examples, in words; empty if all hold."""
    return [f"{result.name}: {result.reason}" for result in Examples(program).all() if not result.passed]
