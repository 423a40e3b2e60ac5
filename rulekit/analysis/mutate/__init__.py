"""Mutation testing of rules: would anybody notice if a rule were wrong?

Order of reading: `mutant`, `operators`, `finding` (every mutant of a set), `building` (one as a program),
`exercise` (which examples come to it), `judging`, `running`.
"""

from rulekit.analysis.mutate.choose import choose_mutants
from rulekit.analysis.mutate.fate import JudgedMutant, MutantFate, Score, score
from rulekit.analysis.mutate.generate import mutants
from rulekit.analysis.mutate.judge import BrokenExamples
from rulekit.analysis.mutate.mutant import Mutant
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
