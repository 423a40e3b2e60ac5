"""Mutation testing of rules: would anybody notice if a rule were wrong?

Order of reading: `mutant`, `operators`, `generate` (every mutant of a set), `compile_mutant` (one as a
program), `example_coverage` (the examples that reach it), `judge`, `running`.
"""

from rulekit.analysis.mutate.generate import choose_mutants, mutants
from rulekit.analysis.mutate.judge import BrokenExamples
from rulekit.analysis.mutate.mutant import JudgedMutant, Mutant, MutantFate, Score, score
from rulekit.analysis.mutate.operators import OPERATORS
from rulekit.analysis.mutate.running import run

__all__ = [
    "OPERATORS",
    "BrokenExamples",
    "JudgedMutant",
    "Mutant",
    "Score",
    "MutantFate",
    "choose_mutants",
    "mutants",
    "run",
    "score",
]
