"""Mutation testing of rules: would an example fail if a rule were wrong?

Read `mutant`, `operators`, `generate` (every mutant of a set), `compile_mutant`, `judge`, `running`;
`switches` and `vacuous` for examples that assert nothing of a rule they cite.
"""

from rulekit.analysis.mutate.generate import choose_mutants, mutants
from rulekit.analysis.mutate.judge import BrokenExamples, OutOfTime
from rulekit.analysis.mutate.mutant import JudgedMutant, Mutant, MutantFate, Score, score
from rulekit.analysis.mutate.operators import OPERATORS
from rulekit.analysis.mutate.running import run
from rulekit.analysis.mutate.vacuous import CitationFate, ExampleCitation, VacuityJudge

__all__ = [
    "OPERATORS", "BrokenExamples", "CitationFate", "ExampleCitation", "JudgedMutant", "Mutant", "MutantFate",
    "OutOfTime", "Score", "VacuityJudge", "choose_mutants", "mutants", "run", "score",
]  # fmt: skip
